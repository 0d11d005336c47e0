# Sourced by scripts that try the tool on libraries of others.

for tool in jq unzip; do
    command -v "$tool" >/dev/null || { echo "$0: $tool is missing: install it with apt" >&2; exit 2; }
done

# The classes and resources of an artifact in a folder, with those of everything it needs in jars beside them.
# Usage: fetch GROUP:ARTIFACT:VERSION FOLDER
fetch() {
    local artifact=$1 folder=$2
    mkdir -p "$folder/lib" "$folder/classes"
    sed "s|@GROUP@|${artifact%%:*}|; s|@ARTIFACT@|$(cut -d: -f2 <<<"$artifact")|; s|@VERSION@|${artifact##*:}|" \
        scripts/libraries.pom.xml >"$folder/pom.xml"
    [ -n "$(ls "$folder/lib")" ] || (cd "$folder" &&
        mvn -q -B -Dstyle.color=never dependency:copy-dependencies -DincludeScope=compile -DoutputDirectory=lib)
    (cd "$folder/classes" && unzip -qo "../lib/$(cut -d: -f2 <<<"$artifact")-${artifact##*:}.jar")
}
