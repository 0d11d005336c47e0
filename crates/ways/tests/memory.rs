//! What a space and a sample need does not depend on how many values there are.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use ways::graph::{Edge, Graph, Need, Nulls};
use ways::{BigUint, Sample, Space};

/// Counts the bytes that are in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: both are passed on as they are; what is counted beside decides nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller promises what the system asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the block came from the system, by the function above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn memory_stays_flat() {
    let before = IN_USE.load(Ordering::Relaxed);
    let mut graph = Graph::default();
    let of = graph.add_type();
    let need = Need { of, null: Nulls::Allowed };
    let mut edges: Vec<Edge<u32>> = (0..60).map(|number| Edge::value(number, 0)).collect();
    edges.push(Edge::call(60, vec![need; 3], 5));
    graph.set_ways(of, edges);
    graph.add_call(vec![need; 2]);
    let space = Space::new(&graph, 3);
    assert!(space.size() > BigUint::from(10u32).pow(30), "{}", space.size());
    let mut sample = Sample::new(space.size(), 7);
    let (mut most, mut made) = (0, 0);
    for number in sample.by_ref().take(100_000) {
        made += space.nth(&number).expect("it is below the size").1.len();
        most = most.max(IN_USE.load(Ordering::Relaxed) - before);
    }
    assert_eq!(made, 200_000);
    assert!(most < 1 << 16, "{most} bytes were in use");
}
