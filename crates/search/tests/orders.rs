//! Searches over the choices of a program made by hand: every order sees the same paths, limits are kept, lists replay.

use classpath::ClassPath;
use machine::{Config, Machine, Mode, Value};
use program::Program;
use search::{CutOff, Followed, Limits, Order, PathEnd, Plain, Search, Survey, Unguided, Verdict};
use testkit::assemble::{Class, NATIVE, PUBLIC, STATIC, folder};

/// `static int A.m()`: a in 0..2, b in 0..a, dropped if a + b is 3; else 10 a + b.
fn machine() -> Machine {
    const CHOOSE: &str = "shakedown/Choose";
    let choose = Class::new(CHOOSE).declare(PUBLIC | STATIC | NATIVE, "getInt", "(II)I").declare(
        PUBLIC | STATIC | NATIVE,
        "assume",
        "(Z)V",
    );
    let program = Class::new("A").method(PUBLIC | STATIC, "m", "()I", |code| {
        code.op(&[0x03, 0x05]).invoke(0xB8, CHOOSE, "getInt", "(II)I").op(&[0x3B]);
        code.op(&[0x03, 0x1A]).invoke(0xB8, CHOOSE, "getInt", "(II)I").op(&[0x3C]);
        let (bad, after) = (code.label(), code.label());
        code.op(&[0x1A, 0x1B, 0x60, 0x06]).jump(0x9F, bad).op(&[0x04]).jump(0xA7, after);
        code.place(bad).op(&[0x03]);
        code.place(after).invoke(0xB8, CHOOSE, "assume", "(Z)V");
        code.op(&[0x1A, 0x10, 10, 0x68, 0x1B, 0x60, 0xAC]);
    });
    let folder = folder(&[choose, program]);
    let path = ClassPath::open(&[folder.path().to_path_buf()], testkit::jdk()).expect("a class path");
    let mut m = jdk::boot::boot(Program::new(path), Config::default()).expect("the library starts");
    m.mode = Mode::Eager;
    let classes = [CHOOSE, "A"].map(|name| m.load(name).unwrap_or_else(|_| panic!("{name} is there")));
    for class in classes {
        assert!(m.initialize_now(class).is_ok());
    }
    let method = m.program.declared_method(classes[1], "m", "()I").expect("the method is there");
    assert!(matches!(m.enter(method, &[]), Ok(None)));
    m
}

fn number(end: &PathEnd) -> Option<i32> {
    match end {
        PathEnd::End(machine::End::Returned(Value::One(word))) => Some(*word as u32 as i32),
        _ => None,
    }
}

/// The results in the order they come, with their decisions.
fn search(order: Order, limits: &Limits, prefix: &[u64]) -> (Vec<(i32, Vec<u64>)>, Survey) {
    let mut m = machine();
    let mut search = Search::new(&mut m, Plain::new(), order, limits, prefix);
    let mut found = Vec::new();
    while let Some(end) = search.next(&mut Unguided) {
        let verdict = match number(&end) {
            Some(number) => {
                found.push((number, search.decisions().to_vec()));
                Verdict::Solution
            }
            None => Verdict::Rejected,
        };
        search.count(verdict);
    }
    (found, search.finish())
}

fn numbers(found: &[(i32, Vec<u64>)]) -> Vec<i32> {
    found.iter().map(|(number, _)| *number).collect()
}

/// 2 + 1 is dropped.
const ALL: [i32; 5] = [0, 10, 11, 20, 22];

#[test]
fn depth_first_changes_the_last_choice_first() {
    let (found, survey) = search(Order::DepthFirst, &Limits::NONE, &[]);
    assert_eq!(numbers(&found), ALL);
    assert_eq!(survey.cut, None);
    assert_eq!((survey.tally.explored, survey.tally.solutions, survey.tally.rejected), (6, 5, 1));
}

#[test]
fn every_order_sees_every_path_once() {
    for order in [Order::BreadthFirst, Order::Random { seed: 3 }, Order::Random { seed: 4 }] {
        let (found, survey) = search(order, &Limits::NONE, &[]);
        let mut sorted = numbers(&found);
        sorted.sort_unstable();
        assert_eq!(sorted, ALL, "{order:?}");
        assert_eq!((survey.cut, survey.tally.explored), (None, 6), "{order:?}");
    }
}

#[test]
fn a_prefix_is_followed_and_nothing_beside_it() {
    let (found, survey) = search(Order::DepthFirst, &Limits::NONE, &[2]);
    assert_eq!(numbers(&found), [20, 22]);
    assert_eq!(survey.tally.explored, 3);
}

#[test]
fn limits_cut_off_and_say_so() {
    for (limits, cut, explored) in [
        (Limits { paths: Some(2), ..Limits::NONE }, CutOff::Paths, 2),
        (Limits { solutions: Some(3), ..Limits::NONE }, CutOff::Solutions, 3),
    ] {
        let (_, survey) = search(Order::DepthFirst, &limits, &[]);
        assert_eq!((survey.cut, survey.tally.explored), (Some(cut), explored), "{limits:?}");
    }
}

#[test]
fn a_list_of_decisions_leads_to_the_same_end() {
    let (found, _) = search(Order::DepthFirst, &Limits::NONE, &[]);
    for (expected, decisions) in found {
        let mut m = machine();
        match search::replay(
            &mut m,
            &decisions,
            &Limits::NONE,
            &mut |_: &Machine, _: &machine::Choice, _: u64| {},
        ) {
            Ok(Followed::End(end, used)) => {
                assert_eq!((number(&end), used), (Some(expected), decisions.len()));
            }
            other => panic!("{other:?}"),
        }
    }
}
