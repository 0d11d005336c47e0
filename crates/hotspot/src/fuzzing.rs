//! Any bytes as what the worker writes: for the fuzz target `worker_protocol`, and the test that feeds what it found.

use std::io::Read;
use std::sync::Mutex;
use std::sync::mpsc::channel;

use testcase::{End, Node, Outcome, Value};

use crate::compile::diagnostic;
use crate::frames::read_answers;
use crate::test::{test_end, test_name};
use crate::wire::In;

/// The mark of every answer.
pub const MARK: u64 = u64::from_be_bytes(*b"SHAKDOWN");

/// Reads the bytes as frames, and every answer, as well as the bytes themselves, as each kind of answer there is.
pub fn feed(bytes: &[u8]) {
    let (sender, answers) = channel();
    // Not always at once: a mark may be in two pieces.
    let pieces = Pieces { bytes, size: 1 + bytes.len() % 61 };
    read_answers(pieces, MARK, &sender, &Mutex::default());
    drop(sender);
    let mut left = bytes.len();
    for answer in answers {
        left = left.checked_sub(12 + answer.len()).expect("an answer is a part of the bytes");
        decode(&answer);
    }
    decode(bytes);
}

struct Pieces<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = self.size.min(self.bytes.len());
        self.bytes[..size].as_ref().read(buffer).inspect(|count| self.bytes = &self.bytes[*count..])
    }
}

fn decode(answer: &[u8]) {
    let Some((_, contents)) = answer.split_first() else { return };
    let _ = In::new(contents).text();
    let _ = In::new(contents).list(test_name);
    let _ = test_end(&mut In::new(contents));
    let mut compiled = In::new(contents);
    let _ = compiled.flag().and_then(|_| compiled.list(diagnostic));
    if let Ok(outcome) = In::new(contents).outcome() {
        check(&outcome);
    }
}

/// Whoever uses an outcome takes for granted that its nodes are there.
fn check(outcome: &Outcome) {
    let there = |value: &Value| {
        if let Value::Node(node) = value {
            assert!(*node < outcome.nodes.len(), "a value names a node that is not there");
        }
    };
    if let End::Returned(Some(value)) = &outcome.end {
        there(value);
    }
    outcome.receiver.iter().for_each(there);
    outcome.arguments.iter().for_each(there);
    for node in &outcome.nodes {
        match node {
            Node::List { elements, .. } => elements.iter().for_each(there),
            Node::Map { entries, .. } => entries.iter().for_each(|(key, value)| {
                there(key);
                there(value);
            }),
            Node::Object { fields, .. } => fields.iter().for_each(|(_, value)| there(value)),
            Node::Boxed { value, .. } => there(value),
            Node::String(_) | Node::Enum { .. } | Node::Text { .. } => {}
        }
    }
}
