#!/usr/bin/env bash
# Runs the fuzz targets, each for some time, and fails if one of them crashes, hangs or takes too much memory. Installs
# cargo-fuzz and makes the seeds if they are missing.
# Usage: scripts/fuzz.sh [SECONDS [TARGET...]]
set -euo pipefail

seconds=${1:-1200}
shift || true
cd "$(dirname "$0")/.."
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(class_bytes class_path worker_protocol)
work=$PWD/fuzz/target
mkdir -p "$work/jars" "$work/recordings" "$work/logs"

# Besides those of fixtures/libraries: jars of other compilers, and small ones, which are seeds as a whole.
more_jars="
org.jetbrains.kotlin:kotlin-stdlib:1.9.24
org.scala-lang:scala-library:2.12.19
org.clojure:clojure:1.11.3
org.apache.groovy:groovy:4.0.22
org.ow2.asm:asm:9.7
org.apiguardian:apiguardian-api:1.1.2
org.opentest4j:opentest4j:1.3.0
com.google.guava:listenablefuture:1.0
com.google.errorprone:error_prone_annotations:2.28.0
com.google.code.findbugs:jsr305:3.0.2
javax.inject:javax.inject:1
jakarta.inject:jakarta.inject-api:2.0.1
aopalliance:aopalliance:1.0
"

# Sanitizers need a nightly compiler, or a stable one that is told to be one.
choose_toolchain() {
    if cargo +nightly --version >/dev/null 2>&1; then
        cargo=(cargo +nightly)
    else
        cargo=(env RUSTC_BOOTSTRAP=1 cargo)
    fi
    if ! cargo fuzz --version >/dev/null 2>&1; then
        echo "fuzz: installing cargo-fuzz"
        cargo install --quiet --locked cargo-fuzz
    fi
}

# The homes of all JDKs with a module image.
jdks() {
    local home javac
    javac=$(command -v "${JAVA_HOME:+$JAVA_HOME/bin/}javac") || true
    for home in "$(dirname "$(dirname "$(readlink -f "${javac:-/}")")")" /usr/lib/jvm/* /opt/*; do
        if [ -e "$home/lib/modules" ] && [ -e "$home/release" ]; then readlink -f "$home"; fi
    done | awk '!seen[$0]++'
}

fetch_jars() {
    local artifact
    for artifact in $(grep -oE '"[^" ]+:[^" ]+:[^" ]+"' fixtures/libraries/libraries.toml | tr -d '"' | sort -u) $more_jars; do
        [ -e "$work/jars/$(cut -d: -f2 <<<"$artifact")-${artifact##*:}.jar" ] ||
            (cd "$work" && mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
                "-Dartifact=$artifact" "-DoutputDirectory=$work/jars") </dev/null
    done
}

# What a worker answers in the tests of the crate hotspot, whose JDK is one that looks like the given one.
record_answers() {
    local real=$1 jdk=$work/jdk file
    rm -rf "$jdk"
    mkdir -p "$jdk/bin"
    for file in "$real"/* "$real"/bin/*; do
        case $file in
        "$real/bin" | "$real/bin/java") ;;
        *) ln -s "$file" "$jdk/${file#"$real"/}" ;;
        esac
    done
    # The mark is the argument after the name of the class. Workers are started without environment variables.
    cat >"$jdk/bin/java" <<EOF
#!/usr/bin/env bash
file=\$(mktemp '$work/recordings/XXXXXXXX.bin')
for argument; do
    if [ "\${before:-}" = shakedown.worker.Main ]; then
        printf "\$(printf %016x "0x\$argument" | sed 's/../\\\\x&/g')" >"\$file"
    fi
    before=\$argument
done
exec '$real/bin/java' "\$@" > >(exec tee -a "\$file")
EOF
    chmod +x "$jdk/bin/java"
    echo "fuzz: recording what a worker answers"
    JAVA_HOME=$jdk cargo test --quiet --profile fast -p shakedown-hotspot --test worker >"$work/logs/recording.txt" 2>&1 ||
        echo "fuzz: not all tests passed while they were recorded, see ${work#"$PWD/"}/logs/recording.txt" >&2
}

make_seeds() {
    local homes newest
    [ fuzz/corpus/seeded -nt fuzz/Seeds.java ] && [ fuzz/corpus/seeded -nt scripts/fuzz.sh ] && return
    echo "fuzz: making seeds"
    homes=$(jdks)
    newest=$(tail -n 1 <<<"$homes")
    fetch_jars
    [ -n "$(ls "$work/recordings")" ] || record_answers "$newest"
    "$newest/bin/java" fuzz/Seeds.java fuzz/corpus "$(paste -sd: <<<"$homes")" "$work/jars" "$work/recordings"
    touch fuzz/corpus/seeded
}

# Larger inputs are mutated too slowly.
largest() {
    case $1 in
    class_bytes) echo 12000 ;;
    class_path) echo 24000 ;;
    *) echo 16000 ;;
    esac
}

# Leaks are not looked for: a program keeps its classes on purpose, and looking takes most of the time.
run_target() {
    local target=$1 log=$work/logs/$1.txt
    mkdir -p "fuzz/corpus/$target"
    echo "fuzz: $target for $seconds s, log in ${log#"$PWD/"}"
    if ! (cd fuzz && nice "${cargo[@]}" fuzz run "$target" "corpus/$target" "../fixtures/fuzz/$target" -- \
        "-max_total_time=$seconds" "-max_len=$(largest "$target")" "-dict=dictionaries/$target.txt" \
        -timeout=10 -rss_limit_mb=3000 -detect_leaks=0 -print_final_stats=1) >"$log" 2>&1; then
        grep -E -A 2 'panicked at|ERROR: |^SUMMARY|^error' "$log" >&2 || tail -n 20 "$log" >&2
        echo "fuzz: $target failed: make the input in fuzz/artifacts/$target smaller with" \
            "\`cargo fuzz tmin\`, mend what it shows, and keep it in fixtures/fuzz/$target" >&2
        return 1
    fi
    grep -E '^#[0-9]+[[:space:]]+DONE' "$log"
}

choose_toolchain
make_seeds
failed=()
for target in "${targets[@]}"; do
    run_target "$target" || failed+=("$target")
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "fuzz: failed: ${failed[*]}" >&2
    exit 1
fi
