//! Sizes of spaces, and values by their numbers, on graphs that are made here.

use ways::graph::{Edge, Graph, Need, Nulls, Tree};
use ways::{BigUint, Space};

use crate::brute::random_graph;
use crate::ledger::compare;

/// The graph of CRASHER, figure 5: `f(A, int)`, with `A(B)` and `B.m(int)` for `A`, and `B()` for `B`.
fn of_figure_5(receiver: Nulls) -> Graph<&'static str> {
    let mut graph = Graph::default();
    let [a, b, int] = [(); 3].map(|()| graph.add_type());
    let any = |of| Need { of, null: Nulls::Allowed };
    let m = Edge::call("m", vec![Need { of: b, null: receiver }, any(int)], 5);
    graph.set_ways(a, vec![Edge::null("null"), Edge::call("A", vec![any(b)], 4), m]);
    graph.set_ways(b, vec![Edge::null("null"), Edge::call("B", vec![], 4)]);
    graph.set_ways(int, ["-1", "0", "1"].map(|value| Edge::value(value, 0)).into());
    graph.add_call(vec![any(a), any(int)]);
    graph
}

fn written(parts: &[Tree<&str>]) -> String {
    let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
    format!("f({})", parts.join(", "))
}

#[test]
fn the_space_of_figure_6_is_counted_bottom_up() {
    // Adding the ways of a type and multiplying what a method needs: (1 + 2 + 1 · 3) · 3, where nothing is called on null,
    let graph = of_figure_5(Nulls::Excluded);
    let sizes = [0, 1, 2, 3, 4, 9].map(|depth| Space::new(&graph, depth).size());
    assert_eq!(sizes, [0u32, 3, 6, 18, 18, 18].map(BigUint::from));
    // and (1 + 2 + 2 · 3) · 3 where null is an object like any other.
    let size = Space::new(&of_figure_5(Nulls::Allowed), 3).size();
    assert_eq!(size, BigUint::from(27u32));
}

#[test]
fn the_values_of_figure_5_come_in_its_order() {
    let graph = of_figure_5(Nulls::Excluded);
    let space = Space::new(&graph, 3);
    let at = |number: u32| written(&space.nth_of(0, &BigUint::from(number)).expect("it is below the size"));
    let first = ["f(null, -1)", "f(null, 0)", "f(null, 1)", "f(A(null), -1)"];
    assert_eq!([0, 1, 2, 3].map(at), first);
    assert_eq!(at(17), "f(m(B, 1), 1)");
    assert!(space.nth_of(0, &BigUint::from(18u32)).is_none());
}

#[test]
fn numbers_and_values_agree_with_a_list() {
    let mut whole = 0;
    for seed in 0..400 {
        let graph = random_graph(seed);
        for depth in 0..=4 {
            whole += compare(&graph, depth, &|by| *by == "null");
        }
    }
    assert!(whole > 2000, "{whole} spaces are small enough to be listed");
}

#[test]
fn plain_ways_come_first() {
    let mut graph = Graph::default();
    let of = graph.add_type();
    let edges = [("method", 7), ("constructor", 4), ("literal", 0), ("constant", 0)];
    let mut edges: Vec<Edge<&str>> = edges.map(|(by, cost)| Edge::value(by, cost)).into();
    edges.push(Edge::null("null"));
    graph.set_ways(of, edges);
    let order: Vec<&str> = graph.ways(of).iter().map(|edge| edge.by).collect();
    assert_eq!(order, ["literal", "constant", "null", "constructor", "method"]);
}

#[test]
fn sizes_are_exact_however_large() {
    // s(d) = 10 + s(d - 1)², which is beyond 10^1000 at depth 11.
    let mut graph = Graph::default();
    let of = graph.add_type();
    let need = Need { of, null: Nulls::Allowed };
    let mut edges: Vec<Edge<&str>> = (0..10).map(|_| Edge::value("value", 0)).collect();
    edges.push(Edge::call("pair", vec![need, need], 5));
    graph.set_ways(of, edges);
    graph.add_call(vec![need]);
    let mut expected = BigUint::from(10u32);
    for depth in 1..=11 {
        let space = Space::new(&graph, depth);
        assert_eq!(space.size(), expected);
        assert!(space.nth(&(&expected - 1u32)).is_some() && space.nth(&expected).is_none());
        expected = &expected * &expected + 10u32;
    }
    assert!(expected.to_string().len() > 1000);
}
