//! Branches that are called infeasible: random inputs, run concretely, must not take them.

use std::collections::BTreeSet;
use std::time::Duration;

use explore::Setup;
use explore::ladder::{LADDER, within};
use explore::paths::{Criterion, Effort, Explorer, Method, Observer};
use machine::{Bounds, HeapMode};
use testcase::{Node, Value};
use values::input::Input;

use crate::setup::{classes, jdk};

/// Inputs for each method.
const RUNS: usize = 4000;
/// An instruction and a way out of it.
pub type Way = (u32, u32);

struct Silent;

impl Observer for Silent {}

fn explorer() -> Explorer {
    let setup = Setup {
        class_path: vec![classes().to_path_buf()],
        jdk: jdk().clone(),
        heap: 1 << 28,
        when_full: machine::WhenFull::Throw,
        heap_mode: HeapMode::Solver,
        bounds: Bounds::default(),
        confine: hotspot::Confine::Auto,
        elsewhere: None,
        compose: explore::Compose::Never,
        world: None,
    };
    Explorer::new(&setup).expect("the machine starts")
}

fn explore(explorer: &mut Explorer) -> Vec<Method> {
    let effort = Effort {
        explored: None,
        work: None,
        hard_questions: None,
        criterion: Criterion::Branch,
        rungs: within(&LADDER[..3], None, Some(1_000_000)),
        time_per_method: Some(Duration::from_secs(10)),
        deadline: None,
        paths: None,
    };
    let methods = explorer.driver.methods("DeadCode").expect("it is compiled");
    let all: Vec<Method> = methods.into_iter().map(|id| explorer.explore(id, &effort, &mut Silent)).collect();
    all.into_iter().filter(|method| method.name != "<init>").collect()
}

pub fn ways(branches: impl IntoIterator<Item = program::branches::Branch>) -> BTreeSet<Way> {
    branches.into_iter().map(|branch| (branch.index, branch.way)).collect()
}

/// What is called infeasible, or beyond the bounds: the random inputs are within them.
fn claimed(method: &Method) -> BTreeSet<Way> {
    if method.infeasible + method.beyond == 0 {
        return BTreeSet::new();
    }
    let covered = ways(method.covered.iter().copied());
    let claimed: BTreeSet<Way> =
        ways(method.branches.iter().copied()).difference(&covered).copied().collect();
    assert_eq!(claimed.len(), method.infeasible + method.beyond, "{}", method.name);
    claimed
}

/// Whether there are random values of a parameter.
pub fn is_plain(parameter: &values::Parameter) -> bool {
    matches!(parameter.descriptor.as_str(), "I" | "J" | "D" | "[I" | "Ljava/lang/String;")
}

/// Those of the claims that random inputs refute.
pub fn refuted(explorer: &mut Explorer, method: &Method, claims: &BTreeSet<Way>) -> BTreeSet<Way> {
    let class = method.class.replace('.', "/");
    let replayer = explorer.driver.again().replayer().expect("a machine");
    let twin = replayer.twin(&class, &method.name, &method.descriptor).expect("the same classes");
    let parameters = method.paths.first().expect("a method with a path").parameters.clone();
    let mut random = Random(0x5EED);
    let mut refuted = BTreeSet::new();
    for _ in 0..RUNS {
        let mut input = Input::default();
        for parameter in &parameters {
            let value = random.value(&parameter.descriptor, &mut input.nodes);
            input.names.push(parameter.name.clone());
            input.arguments.push(value);
        }
        // A run may not come to its end within its steps, or fill the heap.
        let Ok(seen) = replayer.run(twin, &parameters, &input, &[twin]) else { continue };
        let taken: BTreeSet<Way> = seen.covered.iter().map(|taken| (taken.index, taken.way)).collect();
        refuted.extend(taken.intersection(claims));
    }
    refuted
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 33) % limit
    }

    fn one_of<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// Any number, but often one at which something changes.
    fn long(&mut self) -> i64 {
        match self.below(5) {
            0 => self.one_of(&[0, 1, -1, i64::MIN, i64::MAX, i64::from(i32::MIN), i64::from(i32::MAX)]),
            1 => self.below(120) as i64 - 10,
            2 => self.below(5000) as i64 * self.one_of(&[1, 4, 100, 400, -100, 10_000]),
            3 => self.next() as i32 as i64,
            _ => self.next() as i64,
        }
    }

    fn double(&mut self) -> f64 {
        match self.below(4) {
            0 => self.one_of(&[0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE]),
            1 => self.below(400) as f64 / 8.0 - 20.0,
            2 => self.long() as f64,
            _ => f64::from_bits(self.next()),
        }
    }

    fn value(&mut self, descriptor: &str, nodes: &mut Vec<Node>) -> Value {
        match descriptor {
            "I" if self.below(6) == 0 => Value::Int(self.one_of(&[i32::MIN, i32::MAX])),
            "I" => Value::Int(self.long() as i32),
            "J" => Value::Long(self.long()),
            "D" => Value::Double(self.double()),
            _ if self.below(12) == 0 => Value::Null,
            "[I" => {
                let length = self.below(7);
                let elements = (0..length).map(|_| Value::Int(self.long() as i32)).collect();
                nodes.push(Node::List { class: "int[]".into(), elements });
                Value::Node(nodes.len() - 1)
            }
            "Ljava/lang/String;" => {
                let start = self.one_of(&["", "ab", "key", "k"]);
                let mut units: Vec<u16> = start.encode_utf16().collect();
                for _ in 0..self.below(5) {
                    let unit =
                        if self.below(8) == 0 { self.next() as u16 } else { self.one_of(b"abkey ").into() };
                    units.push(unit);
                }
                nodes.push(Node::String(units));
                Value::Node(nodes.len() - 1)
            }
            other => panic!("no random value of {other}"),
        }
    }
}

#[test]
fn random_inputs_take_no_infeasible_branch() {
    let mut explorer = explorer();
    let methods = explore(&mut explorer);
    assert_eq!(methods.len(), 17);
    let mut total = 0;
    for method in &methods {
        assert!(method.decided, "{}: {:?}", method.name, method.reasons);
        let claims = claimed(method);
        assert_eq!(claims.is_empty(), method.name.starts_with("live"), "{}: {claims:?}", method.name);
        let wrong = refuted(&mut explorer, method, &claims);
        assert!(wrong.is_empty(), "{} takes {wrong:?}, which is called infeasible", method.name);
        total += claims.len();
    }
    assert!(total >= 20, "{total} claims");
}

/// The check itself: of wrong claims, random inputs refute every one.
#[test]
fn a_wrong_claim_is_refuted() {
    let mut explorer = explorer();
    for method in explore(&mut explorer) {
        let wrong = ways(method.covered.iter().copied());
        assert_eq!(refuted(&mut explorer, &method, &wrong), wrong, "{}", method.name);
    }
}
