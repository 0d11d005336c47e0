//! Lists the values of a graph one by one, by the rules and not by numbers.

use ways::graph::{Depth, Edge, Graph, Need, Nulls, TypeId};

/// A value as a text that no other value has: each way by its place.
pub fn values<W>(graph: &Graph<W>, need: Need, inside: u32, is_null: &dyn Fn(&W) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (place, edge) in graph.ways(need.of).iter().enumerate() {
        if need.null == Nulls::Excluded && is_null(&edge.by) {
            continue;
        }
        let deeper = match edge.depth {
            Depth::Same => inside,
            Depth::Call if inside == 0 => continue,
            Depth::Call => inside - 1,
        };
        let all = combinations(graph, &edge.needs, deeper, is_null);
        found.extend(all.into_iter().map(|parts| format!("{place}[{parts}]")));
    }
    found
}

/// What several needs are given together, the last changing first.
pub fn combinations<W>(
    graph: &Graph<W>,
    needs: &[Need],
    inside: u32,
    is_null: &dyn Fn(&W) -> bool,
) -> Vec<String> {
    let mut found = vec![String::new()];
    for need in needs {
        let own = values(graph, *need, inside, is_null);
        found =
            found.iter().flat_map(|before| own.iter().map(move |own| format!("{before}{own},"))).collect();
    }
    found
}

/// The same text for a value that was made by its number.
pub fn text<W>(graph: &Graph<W>, parts: &[ways::Tree<W>]) -> String {
    let one = |tree: &ways::Tree<W>| {
        let place = graph.ways(tree.of).iter().position(|edge| std::ptr::eq(&edge.by, tree.by));
        format!("{}[{}],", place.expect("a way of the type"), text(graph, &tree.parts))
    };
    parts.iter().map(one).collect()
}

/// A graph by chance: every way to a value has a few needs, some of them of its own type.
pub fn random_graph(seed: u64) -> Graph<&'static str> {
    let mut state = seed;
    let mut below = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let mut graph = Graph::default();
    let types: Vec<TypeId> = (0..1 + below(4)).map(|_| graph.add_type()).collect();
    let need = |below: &mut dyn FnMut(u64) -> u64, among: usize| Need {
        of: types[below(among as u64) as usize],
        null: if below(3) == 0 { Nulls::Excluded } else { Nulls::Allowed },
    };
    for (number, of) in types.iter().enumerate() {
        let mut edges: Vec<Edge<&str>> = (0..below(3)).map(|_| Edge::value("value", 0)).collect();
        if below(2) == 0 {
            edges.push(Edge::null("null"));
        }
        for _ in 0..below(3) {
            let needs = (0..below(3)).map(|_| need(&mut below, types.len())).collect();
            edges.push(Edge::call("call", needs, below(9) as u32));
        }
        // An array is of something simpler than itself.
        if number > 0 && below(2) == 0 {
            let needs = (0..below(3)).map(|_| need(&mut below, number)).collect();
            edges.push(Edge::of_parts("parts", needs, below(9) as u32));
        }
        graph.set_ways(*of, edges);
    }
    for _ in 0..1 + below(2) {
        let needs = (0..below(4)).map(|_| need(&mut below, types.len())).collect();
        graph.add_call(needs);
    }
    graph
}
