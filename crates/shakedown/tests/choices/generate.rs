//! Programs that make a few choices and hand them, and what comes of them, from phrase to phrase.

use crate::phrases::Phrase;

/// A source of numbers that is the same on every machine (SplitMix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    pub fn one_of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// True once in `count` times.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// Types, and ways to choose a value of them.
const CHOICES: &[(&str, &[&str])] = &[
    ("int", &["Choose.getInt(0, 2)", "Choose.getInt(-1, 1)", "Choose.getInt(1, 2)"]),
    (
        "long",
        &["Choose.getLong(0, 2)", "Choose.getLong(-1L, 0L)", "Choose.getLong(1L << 40, (1L << 40) + 1)"],
    ),
    ("boolean", &["Choose.getBoolean()"]),
    (
        "char",
        &["Choose.getChar('a', 'c')", "Choose.getChar('+', '-')", "Choose.getChar('\\u00e9', '\\u00ea')"],
    ),
    ("byte", &["Choose.getByte((byte) -1, (byte) 1)", "Choose.getByte((byte) 97, (byte) 98)"]),
    ("short", &["Choose.getShort((short) 0, (short) 2)"]),
    (
        "String",
        &["Choose.of(\"a\", \"b1\", \"\")", "Choose.of(\"k\", \"a,b\")", "Choose.of(\"7\", \"\\u00e9x\")"],
    ),
    (
        "Object",
        &[
            "Choose.<Object>of(1, \"a\", 'c')",
            "Choose.<Object>of(null, 2L)",
            "Choose.<Object>of(ONE, ONE, \"x\")",
        ],
    ),
    ("Color", &["Choose.of(Color.values())", "Choose.of(Color.RED, Color.GREEN)"]),
    ("Cell", &["Choose.of(ONE, TWO)", "Choose.of(TWO, null)"]),
];

/// Values that are not chosen, for what nothing else gives.
const VALUES: &[(&str, &[&str])] = &[
    ("int", &["1", "3"]),
    ("long", &["2L", "-5L"]),
    ("boolean", &["true"]),
    ("char", &["'b'"]),
    ("byte", &["(byte) 66"]),
    ("short", &["(short) 9"]),
    ("float", &["1.5f", "-0f"]),
    ("double", &["0.25", "-3.0"]),
    ("String", &["\"a\"", "\"abc\""]),
    ("Object", &["\"o\"", "null", "Integer.valueOf(1)"]),
    ("Integer", &["5"]),
    ("Color", &["Color.BLUE"]),
    ("Cell", &["new Cell(4)"]),
    ("Pair", &["new Pair(1, null)"]),
    ("int[]", &["new int[] {4, 5, 6}"]),
    ("byte[]", &["new byte[] {65, 66, 67}"]),
    ("long[]", &["new long[] {1, 2}"]),
    ("char[]", &["new char[] {'a', 'b', 'c'}"]),
    ("boolean[]", &["new boolean[] {true}"]),
    ("double[]", &["new double[] {1}"]),
    ("Object[]", &["new Object[] {1, \"b\"}"]),
    ("String[]", &["new String[] {\"a\"}"]),
    ("List<Object>", &["new ArrayList<Object>(List.of(7, \"s\", 1))"]),
];

/// Choices and phrases of a program.
const MOST_CHOICES: usize = 2;
const FEWEST_PHRASES: usize = 3;
const MOST_PHRASES: usize = 7;

/// The body of a method without arguments that gives an object.
pub fn body(dice: &mut Dice, phrases: &[Phrase]) -> String {
    let mut program = Program { text: String::new(), variables: Vec::new() };
    program.text += "        final Cell ONE = new Cell(1), TWO = new Wide();\n";
    for _ in 0..1 + dice.below(MOST_CHOICES) {
        let (of, ways) = CHOICES[dice.below(CHOICES.len())];
        program.add(of, dice.one_of(ways));
    }
    let mut may_choose = true;
    for _ in 0..FEWEST_PHRASES + dice.below(MOST_PHRASES - FEWEST_PHRASES + 1) {
        let phrase = program.interesting(dice, phrases);
        if phrase.chooses() && !std::mem::take(&mut may_choose) {
            continue;
        }
        let arguments: Vec<String> = phrase.takes.iter().map(|of| program.value(dice, of)).collect();
        program.add(&phrase.gives, &format!("Phrases.{}({})", phrase.name, arguments.join(", ")));
    }
    let count = program.variables.len();
    let shown: Vec<String> =
        (0..2 + dice.below(3)).map(|_| dice.below(count)).map(|i| format!("v{i}")).collect();
    // The last one is always looked at, or nothing might be.
    program.text += &format!("        return new Object[] {{{}, v{}}};\n", shown.join(", "), count - 1);
    program.text
}

struct Program {
    text: String,
    /// The types of the variables so far.
    variables: Vec<String>,
}

impl Program {
    fn add(&mut self, of: &str, value: &str) {
        self.text += &format!("        {of} v{} = {value};\n", self.variables.len());
        self.variables.push(of.to_string());
    }

    /// A phrase that takes something the program has, if a few throws of the dice find one.
    fn interesting<'p>(&self, dice: &mut Dice, phrases: &'p [Phrase]) -> &'p Phrase {
        let fits = |phrase: &Phrase| phrase.takes.iter().any(|of| self.variables.contains(of));
        let thrown = (0..20).map(|_| dice.below(phrases.len())).collect::<Vec<_>>();
        let found = thrown.iter().find(|at| fits(&phrases[**at]));
        &phrases[*found.unwrap_or(&thrown[0])]
    }

    /// Something of a type: mostly a variable, the latest ones first.
    fn value(&self, dice: &mut Dice, of: &str) -> String {
        let fits = |name: &String| name == of || of == "Object" && !is_primitive(name);
        let fitting: Vec<usize> = (0..self.variables.len()).filter(|i| fits(&self.variables[*i])).collect();
        if fitting.is_empty() || dice.once_in(12) {
            let values = VALUES.iter().find(|row| row.0 == of).unwrap_or_else(|| panic!("no value of {of}"));
            return dice.one_of(values.1).to_string();
        }
        let latest = fitting.len().saturating_sub(3);
        let from = if dice.once_in(3) { 0 } else { latest };
        format!("v{}", fitting[from + dice.below(fitting.len() - from)])
    }
}

fn is_primitive(name: &str) -> bool {
    name.chars().all(char::is_lowercase)
}
