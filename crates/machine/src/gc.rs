//! Garbage collection: mark from the roots, then sweep. Objects do not move.
//!
//! Registers are scanned conservatively (any word that names an object keeps it); fields and elements exactly. A
//! collection happens only between instructions.
//!
//! While a checkpoint is open, what it can bring back is alive too: the old words and registers in the trail are roots
//! like the registers in use. What neither the path nor an open choice refers to is garbage, wherever it is. Entries of
//! the trail that would restore a word of it are made void, because something else may be there by then. Over unknown
//! values nothing is collected, for terms refer to objects.

use program::{ClassId, Kind};

use crate::heap::Bits;
use crate::machine::Machine;
use crate::pending::Change;
use crate::trail::Entry;
use crate::value::{Ref, is_unknown};

impl Machine {
    /// Frees every object that nothing refers to any more.
    pub fn collect(&mut self) {
        assert!(!self.has_checkpoint() || !self.symbolic.is_on(), "terms may refer to anything");
        let start = self.heap.start;
        let mut marker = Marker::new(self);
        marker.conservative_roots();
        marker.run();
        let own = marker.live;
        marker.trail_roots();
        marker.run();
        let marks = marker.marks;
        if self.has_checkpoint() {
            self.void_entries(&marks);
        }
        self.pending.shadows.retain(|(array, _), _| array.0 < start || marks.get(array.0 - start));
        self.array_hashes.retain(|array, _| array.0 < start || marks.get(array.0 - start));
        let tops: Vec<u32> = self.trail.marks.iter().map(|mark| mark.heap_top).collect();
        let classes = &self.classes;
        self.heap.sweep(&marks, &tops, |header| Machine::size_of(classes, header));
        self.heap.own = own;
    }

    /// Takes back what the trail knows of words that belong to no object any more.
    fn void_entries(&mut self, marks: &Bits) {
        let start = self.heap.start;
        let mut alive = Bits::new(self.heap.used_end() - start + 1);
        let classes = &self.classes;
        let size = |header| Machine::size_of(classes, header);
        self.heap.walk(size, |at, header| {
            if marks.get(at - start) {
                (at..at + size(header)).for_each(|at| alive.set(at - start));
            }
        });
        let is_dead = |at: u32| at >= start && !alive.get(at - start);
        for entry in &mut self.trail.entries {
            let is_void = match entry {
                Entry::Heap { at, .. } | Entry::HeapWords { at, .. } => is_dead(*at),
                Entry::ArrayHash(array) => is_dead(array.0),
                _ => false,
            };
            if is_void {
                *entry = Entry::Void;
            }
        }
    }
}

/// What is marked beyond: nothing, by those who look for what is only weakly reachable.
#[derive(Clone, Copy)]
pub(crate) struct Weak {
    /// `WeakReference` and `PhantomReference`.
    pub classes: [ClassId; 2],
    /// The word of the object that they refer to.
    pub referent: u32,
}

pub(crate) struct Marker<'a> {
    machine: &'a Machine,
    objects: Bits,
    marks: Bits,
    /// What does not keep its object, if anything.
    weak: Option<Weak>,
    /// References of that kind that were marked.
    pub references: Vec<Ref>,
    work: Vec<u32>,
    start: u32,
    span: u32,
    /// Words marked.
    live: u64,
}

impl<'a> Marker<'a> {
    fn new(machine: &'a Machine) -> Marker<'a> {
        let start = machine.heap.start;
        let span = machine.heap.used_end() - start + 1;
        let mut objects = Bits::new(span);
        let size = |header| Machine::size_of(&machine.classes, header);
        machine.heap.walk(size, |at, _| objects.set(at - start));
        Marker {
            machine,
            objects,
            marks: Bits::new(span),
            weak: None,
            references: Vec::new(),
            work: Vec::new(),
            start,
            span,
            live: 0,
        }
    }

    /// Marks what the program can get at by other ways than weak references.
    pub(crate) fn strong(machine: &'a Machine, weak: Weak) -> Marker<'a> {
        let mut marker = Marker::new(machine);
        marker.weak = Some(weak);
        for index in 0..machine.frames.len() {
            marker.frame_roots(index);
        }
        marker.other_roots();
        marker.run();
        marker
    }

    pub(crate) fn is_marked(&self, object: Ref) -> bool {
        object.0 < self.start || self.marks.get(object.0 - self.start)
    }

    /// The registers of a frame that hold references: a value that was used up may still lie where it was.
    fn frame_roots(&mut self, index: usize) {
        let machine = self.machine;
        let frame = machine.frames[index];
        let above = machine.frames.get(index + 1).map(|above| above.kind);
        let registers = machine.stack.slice(frame.base, frame.base + frame.registers);
        let Some(used) = machine.used_registers(&frame, above) else {
            return registers.iter().for_each(|word| self.candidate(*word));
        };
        registers.iter().zip(used).filter(|(_, used)| *used).for_each(|(word, _)| self.candidate(*word));
    }

    /// What an open checkpoint can bring back.
    fn trail_roots(&mut self) {
        let machine = self.machine;
        for entry in &machine.trail.entries {
            match entry {
                Entry::Heap { old, .. } => self.candidate(*old),
                Entry::HeapWords { old, .. } => old.iter().for_each(|old| self.candidate(*old)),
                Entry::MonitorLeft { object, .. } => self.reference(object.word()),
                _ => {}
            }
        }
        machine.trail.registers.iter().for_each(|word| self.candidate(*word));
        for change in machine.pending.log.changes() {
            match change {
                Change::PoolObjects { old, .. } => self.reference(old.word()),
                // An element that becomes pending again is looked up by its array.
                Change::Shadow { array, .. } => self.reference(array.word()),
                _ => {}
            }
        }
    }

    fn conservative_roots(&mut self) {
        if let Some(frame) = self.machine.frames.last() {
            let top = frame.base + frame.registers;
            for word in self.machine.stack.slice(0, top) {
                self.candidate(*word);
            }
        }
        self.other_roots();
    }

    fn other_roots(&mut self) {
        let machine = self.machine;
        let class_refs = &machine.program.class(machine.known.class).ref_words;
        for (index, state) in machine.classes.iter().enumerate() {
            if state.mirror.is_null() {
                continue;
            }
            for offset in class_refs {
                self.reference(machine.get(state.mirror, *offset));
            }
            for offset in &machine.program.classes[index].static_refs {
                self.reference(machine.heap.word(state.statics + offset));
            }
        }
        for object in machine.roots.iter().chain(&machine.monitors).chain(machine.interned.values()) {
            self.reference(object.word());
        }
        self.reference(machine.thread.word());
        for cell in &machine.pending.cells {
            if cell.kind == Kind::Ref {
                self.reference(cell.value.unwrap_or(0));
                if let crate::pending::Domain::Values(values) = &cell.domain {
                    values.iter().for_each(|value| self.reference(*value));
                }
            }
        }
        for state in &machine.pending.pools {
            self.reference(state.objects.word());
        }
        self.reference(machine.registry.word());
        for data in machine.stub_data.values() {
            for object in &data.references {
                self.reference(object.word());
            }
        }
    }

    /// A word that may be a reference.
    fn candidate(&mut self, word: u64) {
        if is_unknown(word) {
            return;
        }
        let at = word as u32;
        if at >= self.start && at - self.start < self.span && self.objects.get(at - self.start) {
            self.mark(at);
        }
    }

    fn reference(&mut self, word: u64) {
        let at = word as u32;
        if at >= self.start && !is_unknown(word) {
            self.mark(at);
        }
    }

    fn mark(&mut self, at: u32) {
        if !self.marks.get(at - self.start) {
            self.marks.set(at - self.start);
            self.live += u64::from(Machine::size_of(&self.machine.classes, self.machine.heap.word(at)));
            self.work.push(at);
        }
    }

    fn run(&mut self) {
        let machine = self.machine;
        while let Some(at) = self.work.pop() {
            let object = Ref(at);
            let class = &machine.program.classes[machine.heap.class_index(object) as usize];
            match class.element_kind() {
                Some(Kind::Ref) => {
                    for i in 0..machine.heap.length(object) as u32 {
                        self.reference(machine.get(object, 1 + i));
                    }
                }
                Some(_) => {}
                None => {
                    let is_weak = |weak: &Weak| weak.classes.iter().any(|c| machine.is_instance(object, *c));
                    let weak = self.weak.filter(is_weak).map(|weak| weak.referent);
                    self.references.extend(weak.map(|_| object));
                    for offset in class.ref_words.iter().filter(|offset| Some(**offset) != weak) {
                        self.reference(machine.get(object, *offset));
                    }
                }
            }
        }
    }
}
