//! Every native of the table with every argument unknown: each path it takes has an input, and with that input, known from
//! the start, it must end the same way and give the same number. A native that takes an unknown's tag for its bits does not.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use classpath::Jdk;
use explore::claim::Finished;
use explore::ladder::Rung;
use explore::{Driver, Setup, enter};
use jdk::Assembler;
use machine::{Bounds, HeapMode, Machine, Stop};
use program::{Kind, MethodId, Op, access};
use search::{Go, Guide, Limits, Order, PathEnd, Tally, Verdict};
use values::Reason;

/// Paths of one native that are looked at.
const PATHS: usize = 24;
const RUNG: Rung = Rung { visits: Some(6), steps: 200_000 };

/// What differs from run to run, and what depends on who calls.
const NOT_THE_SAME: &[(&str, &str)] = &[
    ("java/lang/Object", "hashCode"),
    ("java/lang/System", "identityHashCode"),
    ("java/lang/System", "currentTimeMillis"),
    ("java/lang/System", "nanoTime"),
    ("jdk/internal/misc/VM", "getNanoTimeAdjustment"),
    ("java/lang/Math", "random"),
    ("java/lang/StrictMath", "random"),
    ("java/util/Random", "seedUniquifier"),
    ("java/lang/System", "loadLibrary"),
    ("jdk/internal/loader/BootLoader", "loadLibrary"),
];

type Key = (&'static str, &'static str, &'static str);

/// A method of a table, in a row that may stand for several.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Named {
    class: String,
    name: String,
    descriptor: String,
}

struct Silent;

impl Guide for Silent {
    fn progress(&mut self, _: &Tally, _: usize) -> Go {
        Go::On
    }
}

/// What came of all natives.
#[derive(Default)]
struct Seen {
    methods: usize,
    /// Those with a path that was compared, and how many paths that were.
    compared: BTreeSet<Named>,
    paths: usize,
    wrong: Vec<String>,
    not_compared: BTreeMap<String, usize>,
}

#[test]
fn natives_give_the_same_for_unknown_and_known_arguments() {
    let jdks = Jdk::installed();
    if jdks.is_empty() {
        println!("skipped: no JDK of 17 or later is installed");
        return;
    }
    let rows: BTreeSet<Key> = jdk::natives::modelled().chain(jdk::modelled_for_unknowns()).collect();
    let mut seen = Seen::default();
    let mut driver = start(&jdks[0]);
    for row in rows.into_iter().filter(|row| !NOT_THE_SAME.contains(&(row.0, row.1))) {
        for named in methods(driver.machine(), row) {
            seen.methods += 1;
            let done = catch_unwind(AssertUnwindSafe(|| look(&mut driver, &named, &mut seen)));
            if done.is_err() {
                seen.wrong.push(format!("{named:?}: a panic"));
                driver = start(&jdks[0]);
            }
        }
    }
    let Seen { methods, compared, paths, wrong, not_compared } = seen;
    println!("{paths} paths of {} natives were compared, of {methods}", compared.len());
    let mut reasons: Vec<_> = not_compared.into_iter().collect();
    reasons.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    reasons.iter().take(12).for_each(|(reason, times)| println!("  {times:>4} {reason}"));
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared.len() > 150 && paths > 400, "{paths} paths of {} natives", compared.len());
}

fn start(jdk: &Jdk) -> Driver {
    let setup = Setup {
        class_path: Vec::new(),
        jdk: jdk.clone(),
        heap: 1 << 28,
        when_full: machine::WhenFull::Throw,
        heap_mode: HeapMode::Solver,
        bounds: Bounds { elements: 3, ..Bounds::default() },
        confine: hotspot::Confine::Auto,
        elsewhere: None,
        compose: explore::Compose::Never,
        world: None,
    };
    Driver::new(&setup, solver::Config::default()).expect("the machine starts")
}

/// The methods that a row stands for, as far as the JDK has them.
fn methods(m: &mut Machine, (owner, name, descriptor): Key) -> Vec<Named> {
    let Ok(class) = m.load(owner) else { return Vec::new() };
    let all = m.program.class(class).methods.clone();
    let fits = |id: &MethodId| {
        let method = m.program.method(*id);
        m.program.text(method.name) == name
            && (descriptor.is_empty() || m.program.text(method.descriptor) == descriptor)
            && !method.is_abstract()
            && !name.starts_with('<')
    };
    let named = |id: MethodId| Named {
        class: owner.into(),
        name: name.into(),
        descriptor: m.program.text(m.program.method(id).descriptor).into(),
    };
    all.into_iter().filter(fits).map(named).collect()
}

/// A static method that calls a native with its own arguments, the receiver first.
fn caller(m: &mut Machine, named: &Named) -> Option<MethodId> {
    let class = m.load(&named.class).ok()?;
    let method = m.program.declared_method(class, &named.name, &named.descriptor)?;
    let callee = m.program.method(method);
    let (kinds, result, is_static) = (callee.argument_kinds(), callee.signature.result, callee.is_static());
    let slots: u16 = kinds.iter().map(|kind| kind.width()).sum();
    let mut code = Assembler::new(slots);
    let area = code.area();
    let mut at = 0;
    for kind in &kinds {
        code.move_value(area + at, at, *kind);
        at += kind.width();
    }
    code.call(m, if is_static { Op::InvokeStaticI } else { Op::InvokeDirect }, method, area);
    code.ret(area, result);
    let receiver = if is_static { String::new() } else { format!("L{};", named.class) };
    let descriptor = format!("({receiver}{}", named.descriptor.trim_start_matches('('));
    let owner = m.known.object;
    Some(code.into_stub(m, owner, "call", &descriptor))
}

/// Follows the paths of a native and compares each.
fn look(driver: &mut Driver, named: &Named, seen: &mut Seen) {
    let m = driver.begin(&RUNG);
    let Some(stub) = caller(m, named) else { return };
    let missing = || Reason::NotModelled("the native".into());
    let added = driver
        .again()
        .replayer()
        .and_then(|replayer| replayer.add(|m| caller(m, named).map(|id| (id, ())).ok_or_else(missing)));
    let Ok((twin, ())) = added else { return };
    let m = driver.machine();
    let parameters = match enter::enter(m, stub) {
        Ok(parameters) => {
            let (is_static, is_for_all) = declared(m, named);
            for (place, parameter) in parameters.iter().enumerate() {
                // A receiver is not null, and the library gives null to nobody.
                let is_something = parameter.kind == Kind::Ref && (place == 0 && !is_static || !is_for_all);
                if let Some(term) = parameter.term.filter(|_| is_something) {
                    let null = m.is_null_term(term);
                    let not_null = m.terms_mut().not(null);
                    m.symbolic.learn(not_null);
                }
            }
            parameters
        }
        Err(raise) => {
            let why = Reason::raised(m, raise).to_string();
            *seen.not_compared.entry(why).or_default() += 1;
            return;
        }
    };
    let limits = Limits { steps: Some(RUNG.steps), ..Limits::NONE }.within(Duration::from_millis(300));
    let (mut search, again) = driver.search(Order::DepthFirst, &limits, &[]);
    let mut finished = 0;
    while let Some(end) = search.next(&mut Silent) {
        finished += 1;
        if finished >= PATHS {
            search.stop();
        }
        let verdict = match &end {
            PathEnd::Stop(Stop::Exit(_)) | PathEnd::End(_) => Verdict::Solution,
            PathEnd::Stop(Stop::Rejected | Stop::Paused) => Verdict::Rejected,
            PathEnd::Stop(stop) => {
                let why = Reason::of(search.machine(), stop).map_or_else(String::new, |why| why.to_string());
                *seen.not_compared.entry(why).or_default() += 1;
                Verdict::GaveUp
            }
        };
        if verdict == Verdict::Solution
            && let Some(path) = Finished::of(&mut search, stub, &parameters, &end)
            && let Ok(replayer) = again.replayer()
        {
            match path.verify(replayer, twin, &parameters) {
                Ok(()) => {
                    seen.paths += 1;
                    seen.compared.insert(named.clone());
                }
                Err(why @ Reason::Different(_)) => seen.wrong.push(format!("{named:?}: {why}")),
                Err(why) => *seen.not_compared.entry(why.to_string()).or_default() += 1,
            }
        }
        search.count(verdict);
    }
    search.finish();
}

/// Whether a method is static, and whether programs can call it.
fn declared(m: &mut Machine, named: &Named) -> (bool, bool) {
    let Ok(class) = m.load(&named.class) else { return (false, false) };
    let Some(id) = m.program.declared_method(class, &named.name, &named.descriptor) else {
        return (false, false);
    };
    let method = m.program.method(id);
    let is_public = (m.program.class(class).flags & method.flags) & access::PUBLIC != 0;
    (method.is_static(), is_public && named.class.starts_with("java/"))
}
