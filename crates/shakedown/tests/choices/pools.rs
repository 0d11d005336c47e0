//! Programs that build structures out of pools: with objects that are alike or differ, chosen, new, or gone through, and
//! looked at in any order.

use crate::generate::Dice;

/// How the objects are made.
const MAKERS: &[&str] = &[
    "Cell::new",
    "Cell::new",
    "() -> new Cell(count[0]++)",
    "() -> count[0]++ % 2 == 0 ? new Cell() : new Wide()",
    "() -> new Cell(Choose.getInt(0, 1))",
    "() -> { Cell made = new Cell(); made.any = new int[] {3}; return made; }",
    "() -> { Cell made = new Cell(); made.next = last[0]; last[0] = made; return made; }",
    "() -> { Cell made = new Cell(5); made.any = new Cell(6); ((Cell) made.any).next = made; return made; }",
];

/// What is done to each object of a loop.
const FILLINGS: &[&str] = &[
    "x.next = pool.getAny();",
    "x.next = pool.getAny(); x.other = pool.getAny();",
    "x.v = count[0]++; x.next = pool.getAny();",
    "x.next = pool.getAny(); x.v = Choose.getInt(0, 1);",
    "x.flag = true;",
    "x.any = new Object[] {pool.getAny()};",
    "x.other = x; x.next = pool.getAny(); if (x.next == x) x.v++;",
    "if (met++ == 0) x.next = pool.getNew(); else x.next = pool.getAny();",
];

/// What is asked about two results, which may be null.
const QUESTIONS: &[&str] = &[
    "if (A == B) note += \"=\";",
    "if (A != null) { A.other = B; note += \"o\"; }",
    "if (A != null && A.next == B) note += \"n\";",
    "Choose.assume(A != B);",
    "if (A != null && B != null) note += A.value() - B.value();",
    "Choose.assume(A == null || A.next != A);",
    "if (A instanceof Wide) note += \"w\";",
    "if (A != null) A.v += 10;",
];

/// The body of a method without arguments that gives an object.
pub fn body(dice: &mut Dice) -> String {
    let maker = dice.one_of(MAKERS);
    let size = [1, 2, 2, 3, 3, -1][dice.below(6)];
    let with_null = dice.once_in(2);
    let mut text = format!(
        "        int[] count = {{0}};\n        Cell[] last = {{null}};\n        String note = \"\";\n        \
         int met = 0;\n        ObjectPool<Cell> pool = new ObjectPool<>({maker}, {size}, {with_null});\n        \
         List<Object> seen = new ArrayList<>();\n"
    );
    let mut results = 0;
    let mut loops = 0;
    for _ in 0..3 + dice.below(4) {
        match dice.below(6) {
            0 | 1 => {
                text += &format!("        Cell c{results} = pool.getAny();\n");
                results += 1;
            }
            2 => {
                text += &format!("        Cell c{results} = pool.getNew();\n");
                results += 1;
            }
            3 if size > 0 && loops < 2 => {
                loops += 1;
                let filling = dice.one_of(FILLINGS);
                let after = dice.one_of(&["", "", "break;", "seen.add(x);", "seen.add(x.next);"]);
                text += &format!("        for (Cell x : pool) {{ {filling} {after} }}\n");
            }
            _ if results > 0 => {
                let (one, other) = (dice.below(results), dice.below(results));
                let question = dice.one_of(QUESTIONS);
                let question = question.replace('A', &format!("c{one}")).replace('B', &format!("c{other}"));
                text += &format!("        {question}\n");
            }
            _ => {}
        }
    }
    let mut shown: Vec<String> = (0..results).map(|i| format!("c{i}")).collect();
    // In any order: the first one that is looked at is the first one that is decided.
    for at in (1..shown.len()).rev() {
        shown.swap(at, dice.below(at + 1));
    }
    shown.truncate(1 + dice.below(4));
    if size > 0 && dice.once_in(3) {
        text += "        for (Cell x : pool) seen.add(x);\n";
    }
    shown.push("seen".into());
    shown.push("note".into());
    text += &format!("        return new Object[] {{{}}};\n", shown.join(", "));
    text
}
