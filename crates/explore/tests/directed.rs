//! The directed search finds the same paths as the one that goes depth first, and finds what is wanted sooner.

use std::collections::BTreeSet;
use std::path::Path;

use explore::target::{Among, methods};
use explore::{Setup, enter};
use machine::{Bounds, HeapMode};
use program::branches::Branch;
use search::{Guide, Limits, Order, PathEnd, Search, Survey, Unknowns, Verdict};
use solver::Solver;

const SOURCE: &str = r#"
public class Mazes {
    static int signs(int a, int b, int c) {
        int n = 0;
        if (a > 0) n++;
        if (b > a) n++;
        if (c > b && c > a) n++;
        return n;
    }

    static int count(int[] values) {
        if (values == null || values.length > 3) return -1;
        int n = 0;
        for (int value : values) if (value % 3 == 1) n++;
        return n;
    }

    static int lengths(String text) {
        if (text == null || text.length() > 2) return -1;
        return text.isEmpty() ? 0 : text.charAt(0) == 'x' ? 1 : 2;
    }

    static int kind(int x) {
        switch (x) {
            case 1: case 2: return 1;
            case 10: return 2;
            default: return x / 7 == 5 ? 3 : 4;
        }
    }

    static int late(int key, int a, int b, int c, int d, int e, int f) {
        boolean open = key == 42;
        int n = 0;
        if (a > 0) n++;
        if (b > 0) n++;
        if (c > 0) n++;
        if (d > 0) n++;
        if (e > 0) n++;
        if (f > 0) n++;
        return open ? n : -1;
    }
}
"#;

fn setup(folder: &Path) -> Setup {
    let bounds = Bounds { elements: 6, ..Bounds::default() };
    Setup {
        class_path: vec![folder.into()],
        jdk: testkit::jdk().clone(),
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

/// Collects the decisions of all paths, or stops at the first that covers a branch.
#[derive(Default)]
struct Collector {
    paths: BTreeSet<Vec<u64>>,
    ended: u64,
    wanted: Option<Branch>,
    reached: bool,
}

impl Collector {
    fn path(&mut self, search: &mut Search<Unknowns>, end: &PathEnd) -> Verdict {
        if !matches!(end, PathEnd::End(_)) {
            return Verdict::Rejected;
        }
        self.ended += 1;
        let decisions = search.decisions().to_vec();
        assert!(self.paths.insert(decisions.clone()), "{decisions:?} comes twice");
        self.reached = self.wanted.is_some_and(|branch| search.machine().is_covered(branch));
        Verdict::Solution
    }
}

impl Guide for Collector {
    fn wants(&mut self, branch: Branch) -> bool {
        Some(branch) == self.wanted
    }
}

/// Explores a method of the class, one way or the other.
fn explore(setup: &Setup, method: &str, order: Order, wanted: Option<u32>) -> (Collector, Survey) {
    let mut m = setup.machine().unwrap_or_else(|e| panic!("{e}"));
    setup.make_symbolic(&mut m);
    m.cover();
    let target = format!("Mazes#{method}");
    let id = methods(&mut m, &target, Among::WithCode).unwrap_or_else(|e| panic!("{e}"))[0];
    let branches = m.program.branches(id);
    let wanted = wanted.map(|back| branches[branches.len() - back as usize]);
    enter::enter(&mut m, id).unwrap_or_else(|_| panic!("{method} is entered"));
    let mut solver = Solver::new(solver::Config::default());
    let mut collector = Collector { wanted, ..Collector::default() };
    let mut search = Search::new(&mut m, Unknowns::new(&mut solver), order, &Limits::NONE, &[]);
    while let Some(end) = search.next(&mut collector) {
        let verdict = collector.path(&mut search, &end);
        search.count(verdict);
        if collector.reached {
            search.stop();
        }
    }
    let found = search.finish();
    (collector, found)
}

#[test]
fn all_orders_explore_the_same_paths() {
    let folder = testkit::classes(SOURCE);
    let setup = setup(folder.path());
    for method in ["signs", "count", "lengths", "kind"] {
        let (deep, first) = explore(&setup, method, Order::DepthFirst, None);
        let (aimed, second) = explore(&setup, method, Order::Directed, None);
        let (broad, third) = explore(&setup, method, Order::BreadthFirst, None);
        assert!(deep.paths.len() > 2, "{method} has paths");
        assert_eq!(deep.paths, aimed.paths, "{method}");
        assert_eq!(deep.paths, broad.paths, "{method}");
        assert!(first.cut.is_none() && second.cut.is_none() && third.cut.is_none());
        assert!(first.undecided.is_empty() && second.undecided.is_empty(), "{:?}", first.undecided);
    }
}

#[test]
fn what_is_wanted_comes_soon() {
    let folder = testkit::classes(SOURCE);
    let setup = setup(folder.path());
    // The key is asked for first, and what it opens comes last.
    let (aimed, _) = explore(&setup, "late", Order::Directed, Some(2));
    assert!(aimed.reached, "after {} paths", aimed.ended);
    let (deep, _) = explore(&setup, "late", Order::DepthFirst, Some(2));
    assert!(deep.reached, "after {} paths", deep.ended);
    assert!(aimed.ended < deep.ended, "{} paths against {}", aimed.ended, deep.ended);
}
