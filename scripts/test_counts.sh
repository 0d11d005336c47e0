#!/usr/bin/env bash
# How many tests each crate has: those beside its code, and those of its folder `tests`.
set -euo pipefail
cd "$(dirname "$0")/.."
"${CARGO:-cargo}" test --workspace --profile fast --lib --bins --tests -- --list 2>&1 | awk '
  / Running unittests / { crate = $NF; sub(/.*\//, "", crate); sub(/-[0-9a-f]+\)$/, "", crate); kind = "unit"; order[++n] = crate }
  / Running tests\// { kind = "whole" }
  /: test$/ { count[crate, kind]++ }
  END {
    printf "%-16s %5s %6s\n", "crate", "unit", "tests/"
    for (i = 1; i <= n; i++) printf "%-16s %5d %6d\n", order[i], count[order[i], "unit"], count[order[i], "whole"]
  }'
