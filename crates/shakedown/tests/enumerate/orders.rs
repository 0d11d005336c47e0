//! U10: orders of the search, and workers.

use std::collections::BTreeSet;

use explore::enumerate::Request;
use search::Order;

use crate::setup;

const PROGRAMS: &[&str] =
    &["SortedList#generate 4", "DAG#generate 3", "RBRemove#mixed 4 1", "Generators#generate 1"];

#[test]
fn u10_every_order_finds_the_same() {
    for line in PROGRAMS {
        let found = |order| {
            let found = setup::run(&Request { order, ..setup::request(line) });
            (found.returned, found.failures.len(), found.outcome.tally)
        };
        let (expected, failures, tally) = found(Order::DepthFirst);
        let sorted: BTreeSet<&String> = expected.iter().collect();
        let mut sequences = BTreeSet::from([expected.clone()]);
        for order in [Order::BreadthFirst, Order::Random { seed: 1 }, Order::Random { seed: 2 }] {
            let (returned, failed, counted) = found(order);
            assert_eq!((failed, counted.explored), (failures, tally.explored), "{line} {order:?}");
            assert_eq!(returned.len(), expected.len(), "{line} {order:?}");
            assert_eq!(returned.iter().collect::<BTreeSet<_>>(), sorted, "{line} {order:?}");
            assert_eq!(returned, found(order).0, "{line} {order:?}: not the same again");
            sequences.insert(returned);
        }
        assert!(sequences.len() > 2, "{line}: the orders do not differ");
    }
}

#[test]
fn u10_the_output_does_not_depend_on_the_number_of_workers() {
    for (format, programs) in [("text", &PROGRAMS[..1]), ("json", PROGRAMS)] {
        for line in programs {
            for extra in [&["--keep-going"][..], &[], &["--limit", "7"], &["--paths", "50"]] {
                let output = |jobs: &str| {
                    let mut arguments = vec!["--format", format, "-j", jobs];
                    arguments.extend(extra);
                    arguments.extend(line.split(' '));
                    let (status, output, message) = setup::shakedown(&arguments);
                    // Not the time.
                    let counts = message.lines().last().unwrap_or_default().split(" in ").next();
                    (status, output, counts.unwrap_or_default().to_string())
                };
                let one = output("1");
                assert!(!one.1.is_empty() || extra.contains(&"--paths"), "{line} {extra:?}");
                for jobs in ["2", "3"] {
                    assert!(
                        one == output(jobs),
                        "{line} {extra:?} -j {jobs}: {} and {}",
                        one.2,
                        output(jobs).2
                    );
                }
            }
        }
    }
}
