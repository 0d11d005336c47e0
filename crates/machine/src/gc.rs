//! Garbage collection: mark from the roots, then sweep. Objects do not move.
//!
//! Registers are scanned conservatively (any word that names an object keeps it); fields and elements exactly. A
//! collection happens only between instructions and never while a checkpoint is open.

use program::Kind;

use crate::heap::Bits;
use crate::machine::Machine;
use crate::value::{Ref, is_unknown};

impl Machine {
    /// Frees every object that nothing refers to any more.
    pub fn collect(&mut self) {
        assert!(!self.has_checkpoint(), "collections happen between checkpoints");
        let start = self.heap.start;
        let span = self.heap.used_end() - start + 1;
        let mut objects = Bits::new(span);
        let classes = &self.classes;
        self.heap.walk(|header| Machine::size_of(classes, header), |at, _| objects.set(at - start));
        let mut marker =
            Marker { machine: self, objects, marks: Bits::new(span), work: Vec::new(), start, span };
        marker.roots();
        marker.run();
        let marks = marker.marks;
        self.pending.shadows.retain(|(array, _), _| array.0 < start || marks.get(array.0 - start));
        self.array_hashes.retain(|array, _| array.0 < start || marks.get(array.0 - start));
        let classes = &self.classes;
        self.heap.sweep(&marks, |header| Machine::size_of(classes, header));
    }
}

struct Marker<'a> {
    machine: &'a Machine,
    objects: Bits,
    marks: Bits,
    work: Vec<u32>,
    start: u32,
    span: u32,
}

impl Marker<'_> {
    fn roots(&mut self) {
        let machine = self.machine;
        if let Some(frame) = machine.frames.last() {
            let top = frame.base + frame.registers;
            for word in machine.stack.slice(0, top) {
                self.candidate(*word);
            }
        }
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
                    for offset in &class.ref_words {
                        self.reference(machine.get(object, *offset));
                    }
                }
            }
        }
    }
}
