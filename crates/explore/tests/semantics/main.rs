//! What instructions and library methods mean over unknown values, against concrete runs.
//!
//! Every static method of `fixtures/semantics` is run with unknown parameters. Its paths have conditions and results
//! that are terms; these are evaluated under random values, and the same values are given to the method in a machine
//! that knows nothing of terms. Where all parameters are numbers, exactly one path must fit any values.

mod concrete;
mod random;
mod symbolic;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use explore::Setup;
use explore::target::{self, Among};
use machine::{Bounds, Checkpoint, HeapMode};
use program::MethodId;
use testkit::{Javac, jdk, root};

use concrete::Concrete;
use symbolic::{Paths, explore};

const CLASSES: &[&str] = &["Numbers", "Jumps", "Arrays", "Fields", "Library", "Texts"];
/// Random values for a method of numbers,
const NUMBERS: u64 = 6000;
/// and for one path of a method of objects.
const OBJECTS: u64 = 150;

/// Instructions that have a meaning of their own when an operand is unknown.
const INSTRUCTIONS: &str = "
    IAdd ISub IMul IDiv IRem INeg IShl IShr IUshr IAnd IOr IXor
    IAddK IMulK IDivK IRemK IShlK IShrK IUshrK IAndK IOrK IXorK
    LAdd LSub LMul LDiv LRem LNeg LShl LShr LUshr LAnd LOr LXor LAddK LMulK LAndK LShlK LShrK LUshrK
    FAdd FSub FMul FDiv FRem FNeg DAdd DSub DMul DDiv DRem DNeg
    I2L I2F I2D L2I L2F L2D F2I F2L F2D D2I D2L D2F I2B I2C I2S
    JEq JNe JLt JGe JGt JLe JEqK JNeK JLtK JGeK JGtK JLeK JRefEq JRefNe JNull JNonNull
    JLEq JLNe JLLt JLGe JLGt JLLe JLEqK JLNeK JLLtK JLGeK JLGtK JLLeK
    JFEq JFNe JFLt JFNLt JFLe JFNLe JFGt JFNGt JFGe JFNGe JDEq JDNe JDLt JDNLt JDLe JDNLe JDGt JDNGt JDGe JDNGe
    TableSwitch LookupSwitch ALen
    BALoad CALoad SALoad IALoad LALoad AALoad BAStore CAStore SAStore IAStore LAStore AAStore
    NewArr ANewArr GetF1C GetF2C PutF1C PutF2C PutFZ PutFB PutFC PutFS Cast Inst MonEnter MonExit InvokeVirtual";

#[test]
fn terms_mean_what_concrete_runs_do() {
    let setup = setup();
    let methods = count_methods(&setup);
    let next = AtomicUsize::new(0);
    let tally: Mutex<Tally> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut bench = Bench::new(&setup);
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= methods {
                        break;
                    }
                    bench.method(index);
                }
                tally.lock().expect("no panic").add(bench);
            });
        }
    });
    let tally = tally.into_inner().expect("no panic");
    println!("{methods} methods, {} paths, {} cases", tally.paths, tally.cases);
    for line in &tally.partial {
        println!("partial: {line}");
    }
    // Strings have more paths than there is time for.
    let unexpected: Vec<&String> = tally.partial.iter().filter(|line| !line.starts_with("Texts.")).collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
    let missing: Vec<&str> =
        INSTRUCTIONS.split_whitespace().filter(|op| !tally.instructions.contains(*op)).collect();
    assert!(tally.wrong.is_empty(), "{} wrong:\n{}", tally.wrong.len(), tally.wrong.join("\n"));
    assert!(missing.is_empty(), "in no method: {missing:?}");
    assert!(tally.cases >= 2_000_000, "only {} cases", tally.cases);
}

#[derive(Default)]
struct Tally {
    paths: u64,
    cases: u64,
    wrong: Vec<String>,
    /// Methods of which not every path was looked at, and why.
    partial: Vec<String>,
    instructions: std::collections::BTreeSet<String>,
}

impl Tally {
    fn add(&mut self, bench: Bench) {
        self.paths += bench.tally.paths;
        self.cases += bench.tally.cases;
        self.wrong.extend(bench.tally.wrong);
        self.partial.extend(bench.tally.partial);
        self.instructions.extend(bench.symbolic.instructions());
    }
}

fn setup() -> Setup {
    let target = root().join("target/semantics");
    let files = CLASSES.iter().map(|name| root().join("fixtures/semantics").join(format!("{name}.java")));
    Javac::new().files(files).into(&target);
    let bounds = Bounds { elements: 4, ..Bounds::default() };
    Setup {
        class_path: vec![target],
        jdk: jdk().clone(),
        heap: 256 << 20,
        when_full: machine::WhenFull::Throw,
        heap_mode: HeapMode::Solver,
        bounds,
        confine: hotspot::Confine::Auto,
        elsewhere: None,
        compose: explore::Compose::Never,
        world: None,
    }
}

fn count_methods(setup: &Setup) -> usize {
    static_methods(&mut setup.machine().unwrap_or_else(|e| panic!("{e}"))).len()
}

/// The methods under test with their names, in the same order in every machine.
fn static_methods(m: &mut machine::Machine) -> Vec<(String, MethodId)> {
    let mut all = Vec::new();
    for class in CLASSES {
        let methods = target::methods(m, class, Among::WithCode).unwrap_or_else(|e| panic!("{e}"));
        for id in methods {
            let method = m.program.method(id);
            let name = format!("{class}.{}", m.program.text(method.name));
            if method.is_static() {
                all.push((name, id));
            }
        }
    }
    all
}

/// A machine with unknown values, and one without.
struct Bench {
    symbolic: symbolic::Bench,
    concrete: Concrete,
    tally: Tally,
}

impl Bench {
    fn new(setup: &Setup) -> Bench {
        Bench {
            symbolic: symbolic::Bench::new(setup),
            concrete: Concrete::new(setup),
            tally: Tally::default(),
        }
    }

    fn method(&mut self, index: usize) {
        let (name, paths) = explore(&mut self.symbolic, index);
        self.tally.paths += paths.count();
        if !paths.partial.is_empty() {
            self.tally.partial.push(format!("{name}: {}", paths.partial.join("; ")));
        }
        self.tally.cases += paths.cases.len() as u64;
        let wrong = self.compare(&name, index, paths);
        self.tally.wrong.extend(wrong);
    }

    /// The first difference there is.
    fn compare(&mut self, name: &str, index: usize, paths: Paths) -> Option<String> {
        self.concrete.warm_up(index, &paths);
        let checkpoint = self.concrete.open();
        let difference = if paths.all_numbers {
            self.compare_numbers(checkpoint, index, &paths, random::Random::new(name))
        } else {
            self.compare_cases(checkpoint, index, &paths)
        };
        self.concrete.close(checkpoint);
        difference.map(|difference| format!("{name}{difference}"))
    }

    fn compare_cases(&mut self, checkpoint: Checkpoint, index: usize, paths: &Paths) -> Option<String> {
        for (input, expected) in &paths.cases {
            let found = self.concrete.run_input(checkpoint, index, input, &paths.descriptors);
            if !expected.fits(&found) {
                let values = (&input.arguments, &input.nodes);
                return Some(format!("{values:?}: {expected:?} by the term, {found:?} in the run"));
            }
        }
        None
    }

    fn compare_numbers(
        &mut self,
        checkpoint: Checkpoint,
        index: usize,
        paths: &Paths,
        mut random: random::Random,
    ) -> Option<String> {
        for _ in 0..NUMBERS {
            let values: Vec<u64> = paths.kinds.iter().map(|kind| random.value(*kind)).collect();
            let expected = match self.symbolic.expect(paths, &values) {
                Ok(Some(expected)) => expected,
                Ok(None) => continue,
                Err(why) => return Some(format!("({values:x?}): {why}")),
            };
            let found = self.concrete.run(checkpoint, index, &paths.kinds, &values);
            if !expected.fits(&found) {
                return Some(format!("({values:x?}): {expected:?} by the term, {found:?} in the run"));
            }
            self.tally.cases += 1;
        }
        None
    }
}
