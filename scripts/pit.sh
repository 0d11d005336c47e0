#!/usr/bin/env bash
# Generates tests for examples/shop and for packages of real libraries, lets PIT change the code under them, and prints a
# table: tests, branches, tests for a hundred branches, changes that the tests notice; then those they do not notice, by kind.
# Usage: scripts/pit.sh SHAKEDOWN [TIME_PER_CLASS [PACKAGE_PATTERN]]
set -euo pipefail

shakedown=$(realpath "$1")
time=${2:-10s}
pattern=${3:-.}
cd "$(dirname "$0")/.."
. scripts/artifacts.sh
work=$PWD/target/pit
mkdir -p "$work"

packages() {
    cat <<'END'
- shop
org.apache.commons:commons-lang3:3.14.0 org.apache.commons.lang3.mutable
org.apache.commons:commons-csv:1.12.0 org.apache.commons.csv
org.apache.commons:commons-lang3:3.14.0 org.apache.commons.lang3.tuple
org.apache.commons:commons-collections4:4.4 org.apache.commons.collections4.keyvalue
END
}

pit=org.pitest:pitest-maven:mutationCoverage
survivors() { awk -F, '$6 == "SURVIVED" || $6 == "NO_COVERAGE"' "$1"; }

printf '%-40s %6s %11s %8s %9s %6s\n' package tests branches 'per 100' changes killed
packages | grep -E "$pattern" | while read -r artifact package; do
    if [ "$artifact" = - ]; then
        folder=$work/$package
        mkdir -p "$folder"
        cp -r examples/shop/pom.xml examples/shop/src "$folder"
        rm -rf "$folder/src/test"
        (cd "$folder" && mvn -q -B -Dstyle.color=never compile </dev/null)
        classes=target/classes
    else
        folder=$work/$(cut -d: -f2 <<<"$artifact")
        fetch "$artifact" "$folder"
        classes=classes
    fi
    cd "$folder"
    # PIT passes by what looks like a project without code.
    mkdir -p src/main/java
    rm -rf src/test target/test-classes target/pit-reports
    others=$(find "$PWD/lib" -name '*.jar' 2>/dev/null | sort | sed 's|^|:|' | tr -d '\n' || true)
    "$shakedown" tests -cp "$classes$others" "$package" -o src/test/java --time-per-class "$time" \
        --json "$work/$package.json" >"$work/$package.txt" 2>&1 || echo "$package: status $?, see $work/$package.txt"
    mvn -q -B -Dstyle.color=never test-compile "$pit" -DtargetClasses="$package.*" -DtargetTests="$package.*" \
        -Djacoco.skip=true -DexcludedTestClasses='*CrashTest' -DoutputFormats=CSV -DtimestampedReports=false \
        </dev/null >"$work/$package.log" 2>&1 || echo "$package: PIT fails, see $work/$package.log"
    cp target/pit-reports/mutations.csv "$work/$package.csv"
    cd - >/dev/null
    counts=$(jq -r '[.tests, .branches_covered, .branches_total] | @tsv' "$work/$package.json")
    awk -F, -v package="$package" -v counts="$counts" '
        { all++; killed += $6 != "SURVIVED" && $6 != "NO_COVERAGE" }
        END { split(counts, count, "\t")
            printf "%-40s %6d %11s %8.1f %9d %5.1f%%\n", package, count[1], count[2] "/" count[3],
                100 * count[1] / (count[2] + 1e-9), all, 100 * killed / (all + 1e-9) }' "$work/$package.csv"
done
echo
echo "changes that no test notices, by kind:"
packages | grep -E "$pattern" | while read -r _ package; do survivors "$work/$package.csv"; done |
    cut -d, -f3 | sed 's/.*\.//' | sort | uniq -c | sort -rn
