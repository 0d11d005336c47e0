#!/usr/bin/env bash
# Generates tests for examples/shop, runs them with Maven, and tells the branch coverage JaCoCo measured.
# Usage: scripts/shop.sh SHAKEDOWN
set -euo pipefail

shakedown=$(realpath "$1")
cd "$(dirname "$0")/../examples/shop"

mvn -q -B compile
"$shakedown" tests -cp target/classes shop -o src/test/java --force
mvn -q -B test
awk -F, 'NR > 1 { missed += $6; covered += $7 }
    END { printf "JaCoCo: %d of %d branches covered (%.1f %%)\n", covered, missed + covered,
        100 * covered / (missed + covered) }' target/site/jacoco/jacoco.csv
