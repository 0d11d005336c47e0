#!/usr/bin/env bash
# Generates tests for the classes of scripts/sample.txt, each on a core of its own, runs them with Maven in random orders and
# two time zones, and prints a table: tests, branches by our own count and by JaCoCo; then what the figures come to.
# Usage: scripts/sample.sh SHAKEDOWN [TIME_PER_CLASS [RUNS [CLASS_PATTERN]]]
#
# The sixty classes were drawn from the 783 public classes of nine libraries that have a branch and a member that can be
# called: sorted by name, given the numbers of awk's rand() after srand(20261118), and the sixty lowest taken.
set -euo pipefail

shakedown=$(realpath "$1")
time=${2:-30s}
runs=${3:-5}
pattern=${4:-.}
cd "$(dirname "$0")/.."
. scripts/artifacts.sh
work=$PWD/target/sample
mkdir -p "$work"
sample=$(grep -v '^#' scripts/sample.txt | grep -E "$pattern")

failed=0
: >"$work/table.tsv"
for artifact in $(cut -d' ' -f1 <<<"$sample" | sort -u); do
    folder=$work/$(cut -d: -f2 <<<"$artifact")
    fetch "$artifact" "$folder"
    # The tests are of no module, and what a module needs may be left out.
    rm -f "$folder/classes/module-info.class"
    rm -rf "$folder/src" "$folder/target"
    own=$(cut -d: -f2 <<<"$artifact")-${artifact##*:}.jar
    others=$(find "$folder/lib" -name '*.jar' ! -name "$own" | sort | sed 's|^|:|' | tr -d '\n')
    grep "^$artifact " <<<"$sample" | cut -d' ' -f2 |
        xargs -P "$(nproc)" -I CLASS bash -c '"$0" tests -cp "$1/classes$2" "$3" -o "$1/src/test/java" --force -j 1 \
            --time-per-class "$4" --json "$5/$3.json" >"$5/$3.txt" 2>&1 </dev/null || true' \
            "$shakedown" "$folder" "$others" CLASS "$time" "$work"
    for run in $(seq "$runs"); do
        zone=$([ $((run % 2)) -eq 0 ] && echo Pacific/Kiritimati || echo America/St_Johns)
        (cd "$folder" && TZ=$zone mvn -q -B -Dstyle.color=never test </dev/null) >"$folder/run$run.log" 2>&1 ||
            failed=$((failed + 1))
    done
    grep "^$artifact " <<<"$sample" | cut -d' ' -f2 | while read -r class; do
        # What is inside a class and has no name belongs to it.
        jacoco=$(awk -F, -v package="${class%.*}" -v name="$(sed 's|.*\.||; s|\$|.|g' <<<"$class")" '
            NR > 1 && $2 == package && ($3 == name || index($3, name ".new ") == 1) { missed += $6; covered += $7 }
            END { print covered + 0, missed + covered + 0 }' OFS='\t' "$folder/target/site/jacoco/jacoco.csv" 2>/dev/null ||
            printf '0\t0')
        jq -r --arg class "$class" --arg jacoco "$jacoco" '
            "\($class)\t\(.tests)\t\(.branches_covered)\t\(.branches_total)\t\($jacoco)"' "$work/$class.json" \
            2>/dev/null || printf '%s\t0\t0\t0\t%s\n' "$class" "$jacoco"
    done >>"$work/table.tsv"
done
awk -F'\t' -v failed="$failed" '
    function share(a, b) { return b ? 100 * a / b : 100 }
    { printf "%-65s %4d tests %4d/%-4d JaCoCo %4d/%-4d %5.1f%%\n", $1, $2, $3, $4, $5, $6, share($5, $6)
      sum += share($5, $6); own += share($3, $4); none += $2 == 0; zero += $6 > 0 && $5 == 0 }
    END { printf "%d classes: mean %.1f %% by JaCoCo, %.1f %% by our count; at zero %d; without tests %d; runs that failed %d\n",
        NR, sum / NR, own / NR, zero, none, failed }' "$work/table.tsv"
