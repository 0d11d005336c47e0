#!/usr/bin/env bash
# Installs what is missing to build, test and demonstrate: a linker, libz3, a JDK of 17 or later, Maven.
# Asks only the file system, so it costs nothing when all is there.
set -euo pipefail

oldest_jdk=17

have() { command -v "$1" >/dev/null 2>&1; }

have_z3() {
    local header
    for header in "${Z3_SYS_Z3_HEADER:-}" /usr/include/z3.h /usr/local/include/z3.h /opt/homebrew/include/z3.h; do
        if [ -n "$header" ] && [ -e "$header" ]; then return 0; fi
    done
    return 1
}

# The version is read from the JDK's `release` file: starting `javac` to ask would take a third of a second.
have_jdk() {
    local javac home version
    javac=${JAVA_HOME:+$JAVA_HOME/bin/javac}
    javac=$(command -v "${javac:-javac}") || return 1
    home=$(dirname "$(dirname "$(readlink -f "$javac")")")
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release" 2>/dev/null) || return 1
    [ -n "$version" ] && [ "$version" -ge "$oldest_jdk" ]
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif have sudo; then
        sudo "$@"
    else
        echo "setup: not root and no sudo: run as root: $*" >&2
        return 1
    fi
}

if ! have cargo; then
    echo "setup: cargo is missing: install Rust from https://rustup.rs" >&2
    exit 1
fi
if [ -n "${JAVA_HOME:-}" ] && ! have_jdk; then
    echo "setup: JAVA_HOME is $JAVA_HOME, which is not a JDK of $oldest_jdk or later: correct it or unset it" >&2
    exit 1
fi

missing=()
have cc || missing+=(gcc libc6-dev)
have_z3 || missing+=(libz3-dev)
have_jdk || missing+=(jdk)
have mvn || missing+=(maven)
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi

if ! have apt-get; then
    echo "setup: missing: ${missing[*]}: there is no apt here, so install them with your package manager" >&2
    exit 1
fi
echo "setup: installing ${missing[*]}"
as_root apt-get update -qq
packages=()
for package in "${missing[@]}"; do
    if [ "$package" = jdk ]; then
        # Newer distributions no longer carry 17; what they have instead is later.
        package=openjdk-17-jdk-headless
        apt-cache show "$package" >/dev/null 2>&1 || package=default-jdk-headless
    fi
    packages+=("$package")
done
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
