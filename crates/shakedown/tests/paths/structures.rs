//! The heap solver against lazy initialization on data structures, as in table 6.1 (`make heap-table` prints it).

use serde_json::Value;

use crate::setup::record;

const METHODS: &[&str] = &[
    "DoublyLinkedList#add",
    "DoublyLinkedList#addAll",
    "DoublyLinkedList#exchange",
    "DoublyLinkedList#move",
    "DoublyLinkedList#remove",
    "NodeSequence#line",
    "NodeSequence#removeAt",
    "NodeSequence#replaceAt",
    "NodeSequence#swap",
    "SortedListPriorityQueue#insert",
    "SortedListPriorityQueue#removeMin",
    "BinarySearchTree#addAll",
    "BinarySearchTree#find",
    "BinarySearchTree#findAll",
    "BinarySearchTree#insert",
    "BinarySearchTree#remove",
    "BinarySearchTree#restructure",
    "HeapPriorityQueue#insert",
    "HeapPriorityQueue#removeMin",
    "HashTable#get",
    "HashTable#put",
    "HashTable#remove",
];

fn explored(method: &str, heap: &str) -> Value {
    record(&format!("structures.{method} --criterion paths --loop 1 --heap {heap}"))
}

#[test]
fn never_more_paths_than_lazy_and_the_same_coverage() {
    let mut ratios = Vec::new();
    for method in METHODS {
        let (solver, lazy, plain) =
            (explored(method, "solver"), explored(method, "lazy"), explored(method, "no-alias"));
        for (mode, record) in [("solver", &solver), ("lazy", &lazy), ("no-alias", &plain)] {
            assert_eq!(record["decided"], true, "{method} {mode}: {}", record["reason"]);
        }
        let count = |record: &Value, field: &str| record[field].as_u64().expect("a number");
        assert!(count(&solver, "paths") <= count(&lazy, "paths"), "{method}");
        assert!(count(&solver, "branches_covered") >= count(&lazy, "branches_covered"), "{method}");
        assert!(count(&solver, "branches_covered") >= count(&plain, "branches_covered"), "{method}");
        ratios.push((count(&lazy, "paths"), count(&solver, "paths"), method));
    }
    // Where lazy initialization needs most paths, the heap solver needs a tenth at most.
    ratios.sort_unstable();
    for (lazy, solver, method) in ratios.iter().rev().take(3) {
        assert!(*lazy >= 10 * *solver, "{method}: {lazy} against {solver}");
    }
}

#[test]
fn a_reference_that_nobody_followed_leads_to_nothing_of_another_class() {
    let record = record("structures.HeapPriorityQueue#upHeap");
    assert_eq!(record["decided"], true, "{}", record["reason"]);
    assert_eq!(record["reason"], Value::Null);
}
