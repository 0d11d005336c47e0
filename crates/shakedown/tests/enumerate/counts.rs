//! U1, U4 and U5: how many structures there are, and how many paths lead to them.

use machine::Mode;

use crate::setup;

/// A row of `explored.txt`.
struct Row {
    program: String,
    size: u32,
    structures: u64,
    /// None where the eager search takes hours.
    eager: Option<u64>,
    delayed: u64,
}

fn table() -> Vec<Row> {
    let read = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [program, size, structures, eager, delayed] = words[..] else { panic!("five columns: {line}") };
        Row {
            program: program.to_string(),
            size: size.parse().expect("a size"),
            structures: structures.parse().expect("a number"),
            eager: eager.parse().ok(),
            delayed: delayed.parse().expect("a number"),
        }
    };
    include_str!("explored.txt").lines().skip(1).map(read).collect()
}

/// The figures of the document (UDITA, figure 13; RBTree 9 from DELAYED, figure 9): structures, eager, delayed.
const DOCUMENT: &[(&str, u32, u64, Option<u64>, u64)] = &[
    ("DAG", 3, 34, Some(4802), 321),
    ("DAG", 4, 2352, None, 21196),
    ("DAG", 5, 769894, None, 4997210),
    ("HeapArray", 6, 13139, Some(160132), 27664),
    ("HeapArray", 7, 117562, Some(2739136), 227494),
    ("HeapArray", 8, 1005075, Some(54481005), 2325069),
    ("NQueens", 5, 10, Some(3125), 177),
    ("NQueens", 6, 4, Some(46656), 746),
    ("NQueens", 7, 40, Some(823543), 3073),
    ("NQueens", 8, 92, Some(16777216), 13756),
    ("RBTree", 6, 20, Some(8448), 3588),
    ("RBTree", 7, 35, Some(54912), 16983),
    ("RBTree", 8, 64, Some(366080), 80470),
    ("RBTree", 9, 122, Some(2489344), 381470),
    ("SearchTree", 4, 490, Some(3584), 1484),
    ("SearchTree", 5, 5292, Some(131250), 21210),
    ("SearchTree", 6, 60984, Some(6158592), 305052),
    ("SortedList", 6, 924, Some(55987), 3967),
    ("SortedList", 7, 3432, Some(960800), 18026),
    ("SortedList", 8, 12870, Some(19173961), 80089),
];

#[test]
fn u1_sorted_tuples() {
    let (solutions, explored) = setup::count("SortedTuples#generate 5", Mode::Eager);
    assert_eq!((solutions, explored), (6, 32));
    let (solutions, explored) = setup::count("SortedTuples#generate 5", Mode::Delayed);
    assert_eq!(solutions, 6);
    // Out of order at the k-th place for the first time, after any of the sorted beginnings: in the order of n².
    assert_eq!(explored, 16);
    let tuples = setup::run(&setup::request("SortedTuples#generate 3")).returned;
    assert_eq!(tuples, ["[0,0,0]", "[0,0,1]", "[0,1,1]", "[1,1,1]"]);
}

#[test]
fn u5_the_table_is_not_above_the_document() {
    let table = table();
    assert_eq!(table.len(), DOCUMENT.len());
    for (row, &(program, size, structures, eager, delayed)) in table.iter().zip(DOCUMENT) {
        let name = format!("{program} {size}");
        assert_eq!((row.program.as_str(), row.size), (program, size));
        assert_eq!(row.structures, structures, "{name}");
        assert!(eager.is_none() || row.eager == eager, "{name}");
        assert!(row.delayed <= delayed, "{name}: {} paths, {delayed} in the document", row.delayed);
    }
}

/// Runs the rows that `wanted` picks by the number of their paths.
fn check(mode: Mode, wanted: impl Fn(u64) -> bool) {
    let mut checked = 0;
    for row in table() {
        let explored = match mode {
            Mode::Eager => row.eager,
            Mode::Delayed => Some(row.delayed),
            // The document has no figures for it.
            Mode::Symbolic => None,
        };
        let Some(explored) = explored.filter(|explored| wanted(*explored)) else { continue };
        let line = format!("{}#generate {}", row.program, row.size);
        assert_eq!(setup::count(&line, mode), (row.structures, explored), "{line} {mode:?}");
        checked += 1;
    }
    assert!(checked > 0, "nothing was run");
}

/// The most paths of a run that is not left to the long suite.
const SHORT: u64 = 3_000_000;

#[test]
fn u4_delayed() {
    check(Mode::Delayed, |paths| paths <= SHORT);
}

#[test]
fn u4_eager() {
    check(Mode::Eager, |paths| paths <= SHORT);
}

#[test]
#[ignore = "minutes: make test-long"]
fn long_u4_delayed() {
    check(Mode::Delayed, |paths| paths > SHORT);
}

#[test]
#[ignore = "minutes: make test-long"]
fn long_u4_eager() {
    check(Mode::Eager, |paths| paths > SHORT);
}

/// Memory does not grow with the number of paths.
#[test]
#[ignore = "minutes: make test-long"]
#[cfg(target_os = "linux")]
fn long_memory_stays_within_a_gibibyte() {
    for arguments in [["DAG#generate", "5"], ["HeapArray#generate", "8"]] {
        let child = setup::command(&["--format", "count"])
            .args(arguments)
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the command starts");
        let mut child = child;
        let mut peak = 0;
        while child.try_wait().expect("the command can be waited for").is_none() {
            peak = peak.max(peak_resident(child.id()).unwrap_or(0));
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        assert!(peak > 0 && peak < 1 << 20, "{arguments:?}: {peak} KiB");
    }
}

/// The most resident memory a process has had so far, in KiB.
#[cfg(target_os = "linux")]
fn peak_resident(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
