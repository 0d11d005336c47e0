//! The small domains that parameters are from, as `fixtures/random/Domains.java` has them.

/// What a parameter may be.
pub struct Domain {
    /// The type, as it is declared.
    pub java: &'static str,
    /// The letter of its expressions in the grammar, or the name of its type.
    pub kind: &'static str,
    pub count: usize,
    /// How one of the values is made anew; `#` is its number.
    pub make: &'static str,
    /// True of these values and no others; `#` is the parameter. Empty if there are no others.
    pub guard: &'static str,
    /// The number of objects that were there before, and how one is had.
    pub old: (usize, &'static str),
}

const NONE: (usize, &str) = (0, "");

const fn domain(
    java: &'static str,
    kind: &'static str,
    count: usize,
    make: &'static str,
    guard: &'static str,
) -> Domain {
    Domain { java, kind, count, make, guard, old: NONE }
}

const fn with_old(mut domain: Domain, count: usize, make: &'static str) -> Domain {
    domain.old = (count, make);
    domain
}

pub const DOMAINS: &[Domain] = &[
    domain("byte", "I", 256, "(byte) (# - 128)", ""),
    domain("byte", "I", 7, "(byte) (# - 3)", "# >= -3 && # <= 3"),
    domain("short", "I", 9, "(short) (# * 8191 - 32767)", "(# + 32767) % 8191 == 0"),
    domain("char", "I", 5, "(char) (# + 'a')", "# >= 'a' && # <= 'e'"),
    domain("char", "I", 14, "Domains.SIGNS[#]", "Domains.isSign(#)"),
    domain("int", "I", 11, "# - 5", "# >= -5 && # <= 5"),
    domain("int", "I", 16, "#", "(# & ~15) == 0"),
    domain("int", "I", 64, "#", "# >= 0 && # < 64"),
    domain("int", "I", 16, "Domains.EDGES[#]", "Domains.isEdge(#)"),
    domain("int", "I", 16, "Domains.EDGES[#]", "Domains.isEdge(#)"),
    domain("long", "J", 14, "Domains.LONGS[#]", "Domains.isLong(#)"),
    domain("long", "J", 9, "# - 4L", "# >= -4 && # <= 4"),
    domain("float", "F", 16, "Domains.FLOATS[#]", "Domains.isFloat(#)"),
    domain("double", "D", 16, "Domains.DOUBLES[#]", "Domains.isDouble(#)"),
    domain("boolean", "Z", 2, "# == 0", ""),
    domain("boolean", "Z", 2, "# == 0", ""),
    domain("Colour", "Colour", 4, "Domains.colour(#)", ""),
    with_old(domain("String", "S", 8, "Domains.text(#)", "Domains.isText(#)"), 8, "Domains.TEXTS[#]"),
    domain("String", "S", 14, "Domains.sign(#)", "Domains.isSign(#)"),
    with_old(
        domain("String", "S", 10, "Domains.numeral(#)", "Domains.isNumeral(#)"),
        10,
        "Domains.NUMERALS[#]",
    ),
    with_old(domain("Integer", "Integer", 6, "Domains.box(#)", "Domains.isBox(#)"), 4, "Domains.oldBox(#)"),
    domain("int[]", "A", 14, "Domains.ints(#)", "Domains.isInts(#)"),
    domain("int[]", "A", 14, "Domains.ints(#)", "Domains.isInts(#)"),
    domain("byte[]", "byte[]", 6, "Domains.bytes(#)", "Domains.isBytes(#)"),
    domain("long[]", "long[]", 15, "Domains.longs(#)", "Domains.isLongs(#)"),
    domain("String[]", "String[]", 11, "Domains.words(#)", "Domains.isWords(#)"),
    domain("Object[]", "Object[]", 11, "Domains.objects(#)", "Domains.isObjects(#)"),
    with_old(
        domain("Object", "O", 12, "Domains.object(#)", "Domains.isObject(#)"),
        3,
        "Domains.oldObject(#)",
    ),
    domain("Pair", "Pair", 10, "Domains.pair(#)", "Domains.isPair(#)"),
    domain("Named", "Named", 10, "Domains.named(#)", "Domains.isNamed(#)"),
    domain("Mixed", "Mixed", 33, "Domains.mixed(#)", "Domains.isMixed(#)"),
    domain("Shape", "Shape", 10, "Domains.shape(#)", "Domains.isShape(#)"),
    domain("Animal", "Animal", 8, "Domains.animal(#)", "Domains.isAnimal(#)"),
    domain("Cell", "Cell", 41, "Domains.cell(#)", "Domains.isCell(#)"),
    domain("List<Integer>", "List", 13, "Domains.list(#)", "Domains.isList(#)"),
    // Two parameters at once: references into one heap.
    domain("Node", "Node", 324, "Domains.nodes(#)", "Domains.isNodes(#)"),
];
