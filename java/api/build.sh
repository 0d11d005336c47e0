#!/bin/sh
# Builds the API jar: build.sh OUT.jar. Needs a JDK from 9 on ($JAVA_HOME, or javac on the PATH); the jar runs on Java 8.
# The same compiler gives the same bytes: files in a fixed order, with a fixed date, and a manifest of our own.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 OUT.jar" >&2; exit 2; }
case $1 in /*) out=$1 ;; *) out=$PWD/$1 ;; esac
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
here=$(cd "$(dirname "$0")" && pwd)
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT

"${bin}javac" --release 8 -Xlint:all,-options -Werror -g -encoding UTF-8 -d "$classes" \
    "$here"/src/main/java/shakedown/*.java
mkdir -p "$classes/META-INF" "$(dirname "$out")"
printf 'Manifest-Version: 1.0\r\nAutomatic-Module-Name: shakedown\r\n\r\n' >"$classes/META-INF/MANIFEST.MF"

cd "$classes"
export TZ=UTC LC_ALL=C
find . -type f -exec touch -t 200001010000 {} +
rm -f "$out"
find META-INF shakedown -type f | sort | xargs "${bin}jar" cfM "$out"
