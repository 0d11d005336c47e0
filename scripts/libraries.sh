#!/usr/bin/env bash
# Generates tests for packages of real libraries, runs them with Maven as often as told, and prints a table: tests,
# branches by JaCoCo, classes without tests, runs that failed.
# Usage: scripts/libraries.sh SHAKEDOWN [TIME_PER_CLASS [RUNS [PACKAGE_PATTERN]]]
set -euo pipefail

shakedown=$(realpath "$1")
time=${2:-10s}
runs=${3:-1}
pattern=${4:-.}
cd "$(dirname "$0")/.."
. scripts/artifacts.sh
work=$PWD/target/libraries
mkdir -p "$work"

packages() {
    cat <<'EOF'
org.apache.commons:commons-lang3:3.14.0 org.apache.commons.lang3.math
org.apache.commons:commons-lang3:3.14.0 org.apache.commons.lang3.mutable
org.apache.commons:commons-lang3:3.14.0 org.apache.commons.lang3.tuple
org.apache.commons:commons-lang3:3.14.0 org.apache.commons.lang3.text.translate
org.apache.commons:commons-collections4:4.4 org.apache.commons.collections4.keyvalue
org.apache.commons:commons-collections4:4.4 org.apache.commons.collections4.queue
org.apache.commons:commons-collections4:4.4 org.apache.commons.collections4.iterators
org.apache.commons:commons-math3:3.6.1 org.apache.commons.math3.fraction
org.apache.commons:commons-math3:3.6.1 org.apache.commons.math3.complex
org.apache.commons:commons-csv:1.12.0 org.apache.commons.csv
com.google.guava:guava:33.2.1-jre com.google.common.primitives
EOF
}

printf '%-45s %7s %6s %6s %13s %13s %5s %6s\n' \
    package classes empty tests 'by our count' 'by JaCoCo' reflc. failed
packages | grep -E "$pattern" | while read -r artifact package; do
    folder=$work/$(cut -d: -f2 <<<"$artifact")
    fetch "$artifact" "$folder"
    cd "$folder"
    rm -rf src target/test-classes target/site target/jacoco.exec
    "$shakedown" tests -cp "classes:$(ls lib/*.jar | paste -sd:)" "$package" -o src/test/java \
        --time-per-class "$time" --json "$work/$package.json" >"$work/$package.txt" 2>&1 ||
        echo "$package: status $?, see $work/$package.txt"
    failed=0
    for _ in $(seq "$runs"); do
        mvn -q -B -Dstyle.color=never test </dev/null >"$work/$package.log" 2>&1 || failed=$((failed + 1))
    done
    jacoco=$(awk -F, -v own="$package" 'NR > 1 && $2 == own { missed += $6; covered += $7 }
        END { printf "%d/%d %.0f%%", covered, missed + covered, 100 * covered / (missed + covered + 1e-9) }' \
        target/site/jacoco/jacoco.csv 2>/dev/null || echo '-')
    jq -r --arg package "$package" --arg jacoco "$jacoco" --arg failed "$failed" '
        [$package, (.classes | length), ([.classes[] | select(.tests == 0)] | length), .tests,
        "\(.branches_covered)/\(.branches_total)", $jacoco, (.reflection // 0), $failed] | @tsv' \
        "$work/$package.json" |
        awk -F'\t' '{ printf "%-45s %7d %6d %6d %13s %13s %5d %6s\n", $1, $2, $3, $4, $5, $6, $7, $8 }'
    cd - >/dev/null
done
echo
echo "reasons for giving up, by classes:"
cat "$work"/*.json | jq -r '.classes[] | select(.complete | not) | .reason[]?' |
    sed -E 's/(what) .* (needs)/\1 a method \2/' | sort | uniq -c | sort -rn | head -12
