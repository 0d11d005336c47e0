//! Pending choices: values that are decided when an instruction needs their bits.
//!
//! A pending value is a cell; a word that stands for it carries the cell's number under a tag. Copying the word copies
//! the reference to the cell, so all copies are decided together. A cell is never undecided again except by rollback.

use std::hash::{Hash, Hasher};

use program::{ClassId, Kind, MethodId};
use rustc_hash::{FxHashMap, FxHasher};

use crate::choice::{Choice, Label};
use crate::machine::Machine;
use crate::native::{Demand, Raise, Value};
use crate::outcome::Stop;
use crate::pool::Pool;
use crate::symbolic::builder::Part;
use crate::undo::{Log, Undo};
use crate::value::{Ref, Word, is_unknown};

/// The high half of a word that names a cell.
const PENDING: Word = PENDING_TAG << 32;
pub(crate) const PENDING_TAG: Word = 1;

/// What a cell can become.
#[derive(Clone, Debug)]
pub enum Domain {
    /// `count` consecutive numbers from `lo` on.
    Range { lo: i64, count: u64 },
    /// One of these words.
    Values(Vec<Word>),
    /// Something that could not be worked out: asking for it ends the path, with these words.
    Opaque(&'static str),
    /// A field of a string that is not laid out yet.
    Layout { string: Ref, offset: u32 },
    /// A field of a builder of strings that says what a string does.
    Content { string: Ref, part: Part },
    /// An object of a pool.
    Pool { pool: u32, variable: u32 },
}

/// A value that may still be open.
#[derive(Clone, Debug)]
pub struct Cell {
    pub domain: Domain,
    pub kind: Kind,
    pub value: Option<Word>,
}

/// A pool with the objects made for it.
#[derive(Clone, Debug)]
pub(crate) struct PoolState {
    pub pool: Pool,
    pub objects: Ref,
}

/// What is pending on a path.
#[derive(Default)]
pub(crate) struct Pending {
    pub cells: Vec<Cell>,
    pub pools: Vec<PoolState>,
    /// Pending elements of arrays whose elements have no room for a tag.
    pub shadows: FxHashMap<(Ref, i32), Word>,
    pub log: Log<Change>,
}

/// How a change is taken back.
pub(crate) enum Change {
    Decided(u32),
    PoolObjects {
        pool: u32,
        old: Ref,
    },
    PoolVariable(u32),
    PoolChosen {
        pool: u32,
        variable: u32,
    },
    PoolPassed {
        pool: u32,
        old: u32,
    },
    /// Objects of a pool were numbered by need until now.
    PoolNumbered {
        pool: u32,
        old: Box<Pool>,
    },
    /// A pending word is never zero, which stands for none.
    Shadow {
        array: Ref,
        index: i32,
        old: Word,
    },
}

/// How far the lists were at a checkpoint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    changes: usize,
    cells: usize,
    pools: usize,
}

impl Pending {
    /// Equal for equal decisions, variables and elements that are open.
    pub fn digest(&self) -> u64 {
        let mut hasher = FxHasher::default();
        for cell in &self.cells {
            cell.value.hash(&mut hasher);
        }
        for state in &self.pools {
            state.objects.hash(&mut hasher);
            state.pool.hash(&mut hasher);
        }
        self.shadows.len().hash(&mut hasher);
        hasher.finish()
    }

    fn decide(&mut self, id: u32, value: Word) {
        self.log.push(Change::Decided(id));
        self.cells[id as usize].value = Some(value);
    }

    fn undo(&mut self, change: Change) {
        match change {
            Change::Decided(id) => self.cells[id as usize].value = None,
            Change::PoolObjects { pool, old } => self.pools[pool as usize].objects = old,
            Change::PoolVariable(pool) => self.pools[pool as usize].pool.remove_last(),
            Change::PoolChosen { pool, variable } => self.pools[pool as usize].pool.unchoose(variable),
            Change::PoolPassed { pool, old } => self.pools[pool as usize].pool.set_passed(old),
            Change::PoolNumbered { pool, old } => self.pools[pool as usize].pool = *old,
            Change::Shadow { array, index, old } => {
                match old {
                    0 => self.shadows.remove(&(array, index)),
                    word => self.shadows.insert((array, index), word),
                };
            }
        }
    }
}

impl Undo for Pending {
    type Mark = Mark;

    fn mark(&mut self) -> Mark {
        Mark { changes: self.log.mark(), cells: self.cells.len(), pools: self.pools.len() }
    }

    fn undo_to(&mut self, mark: &Mark) {
        while let Some(change) = self.log.pop_after(mark.changes) {
            self.undo(change);
        }
        self.cells.truncate(mark.cells);
        self.pools.truncate(mark.pools);
    }

    fn forget(&mut self) {
        self.log.forget();
    }

    fn shrink(&mut self) {
        self.log.shrink();
    }
}

impl Machine {
    /// What a word can still become, if it is pending.
    pub(crate) fn open_domain(&self, word: Word) -> Option<&Domain> {
        if word >> 32 != PENDING_TAG {
            return None;
        }
        let cell = &self.pending.cells[word as u32 as usize];
        if cell.value.is_none() { Some(&cell.domain) } else { None }
    }

    /// A new pending value.
    pub fn new_pending(&mut self, domain: Domain, kind: Kind) -> Value {
        let word = PENDING | self.pending.cells.len() as Word;
        self.pending.cells.push(Cell { domain, kind, value: None });
        if kind.width() == 2 { Value::Pending2(word) } else { Value::One(word) }
    }

    /// Cells made so far on this path.
    pub fn cells(&self) -> &[Cell] {
        &self.pending.cells
    }

    /// Gives the cells these values, as far as there are cells and what they refer to exists.
    pub fn give_cells(&mut self, values: &[Word]) {
        for (id, value) in values.iter().enumerate().take(self.pending.cells.len()) {
            let exists = self.pending.cells[id].kind != Kind::Ref || *value < Word::from(self.heap.top);
            if exists && self.pending.cells[id].value.is_none() {
                self.pending.decide(id as u32, *value);
            }
        }
    }

    /// A register of the outermost frame, and the one after it.
    pub fn outermost_local(&self, slot: u16) -> Option<(Word, Word)> {
        let frame = self.frames.first()?;
        let at = frame.base as usize + usize::from(slot);
        (u32::from(slot) < frame.registers).then(|| (self.stack.get(at), self.stack.get(at + 1)))
    }

    /// The known word behind `word`: itself, the value of a decided cell, or the outcome of the choice made now.
    pub fn force(&mut self, word: Word) -> Result<Word, Raise> {
        if !is_unknown(word) {
            return Ok(word);
        }
        if let Some(term) = crate::symbolic::term_of(word) {
            if self.terms().sort(term) == crate::symbolic::REF {
                return self.decide_reference(term).map(Ref::word);
            }
            return self.concrete(term);
        }
        match self.pending.cells[word as u32 as usize].value {
            Some(value) => Ok(value),
            None => self.force_cell(word as u32),
        }
    }

    /// The value of a cell, decided now if it is still open.
    pub fn force_cell(&mut self, id: u32) -> Result<Word, Raise> {
        let cell = &self.pending.cells[id as usize];
        if let Some(value) = cell.value {
            return Ok(value);
        }
        let kind = cell.kind;
        let value = match &cell.domain {
            Domain::Range { lo, count } => {
                let (lo, count) = (*lo, *count);
                let decision = self.choose_among(count, || Label::Range { kind, lo })?;
                range_word(kind, lo, decision)
            }
            Domain::Values(values) => {
                let count = values.len() as u64;
                let decision = self.choose_among(count, || Label::Values)?;
                match &self.pending.cells[id as usize].domain {
                    Domain::Values(values) => values[decision as usize],
                    _ => unreachable!("a domain does not change"),
                }
            }
            Domain::Layout { string, offset } => {
                let (string, offset) = (*string, *offset);
                self.lay_out_field(string, offset)?
            }
            Domain::Content { string, part } => {
                let (string, part) = (*string, *part);
                self.content(string, part)?
            }
            Domain::Opaque(what) => return Err(Raise::Stop(Stop::NotModelled((*what).into()))),
            Domain::Pool { pool, variable } => {
                let (pool, variable) = (*pool, *variable);
                self.force_pool(pool, variable)?
            }
        };
        self.pending.decide(id, value);
        Ok(value)
    }

    /// A decision among `count` alternatives; none is asked for when there is only one.
    pub fn choose_among(&mut self, count: u64, label: impl FnOnce() -> Label) -> Result<u64, Raise> {
        match count {
            0 => Err(Raise::Stop(Stop::Rejected)),
            1 => Ok(0),
            _ => match self.decision.take() {
                Some(decision) if decision < count => Ok(decision),
                Some(decision) => Err(Raise::Stop(Stop::BadInput(format!(
                    "decision {decision} at a choice with {count} alternatives; the list belongs to another run"
                )))),
                None => Err(Raise::Choose(Choice { label: label(), alternatives: count })),
            },
        }
    }

    /// Whether a pending reference is certain to be of a class, so that a cast need not decide it.
    pub(crate) fn pending_is(&self, word: Word, class: ClassId) -> bool {
        if let Some(term) = crate::symbolic::term_of(word) {
            return self.certainly(term, class);
        }
        let cell = &self.pending.cells[word as u32 as usize];
        let fits = |word: Word| word == 0 || self.is_instance(Ref::from_word(word), class);
        match (&cell.value, &cell.domain) {
            (Some(value), _) => fits(*value),
            (None, Domain::Values(values)) => values.iter().all(|value| fits(*value)),
            (None, Domain::Pool { pool, .. }) => {
                let objects = self.pending.pools[*pool as usize].objects;
                (0..self.heap.length(objects)).all(|i| fits(self.element(objects, i).word()))
            }
            // The bytes of a string or of a builder.
            (None, Domain::Layout { .. } | Domain::Content { .. }) => class == self.known.byte_array,
            (None, Domain::Range { .. } | Domain::Opaque(_)) => false,
        }
    }

    /// Decides the pending arguments of a native method, and what is pending in arrays it is given.
    pub(crate) fn force_arguments(
        &mut self,
        method: MethodId,
        base: u32,
        demand: Demand,
    ) -> Result<(), Raise> {
        if demand == Demand::Nothing {
            return Ok(());
        }
        let mut at = base as usize;
        for number in 0.. {
            let Some(kind) = self.program.method(method).argument_kind(number) else { return Ok(()) };
            let tag = if kind.width() == 2 { self.stack.get(at + 1) } else { self.stack.get(at) };
            if is_unknown(tag) {
                let value = self.force(tag)?;
                self.stack.set(at, value);
                if kind.width() == 2 {
                    self.stack.set(at + 1, 0);
                }
            }
            if kind == Kind::Ref {
                let object = Ref::from_word(self.stack.get(at));
                if !object.is_null() && self.symbolic.is_on() {
                    self.decide_class(object)?;
                }
                let is_looked_into = demand != Demand::Declared || !self.is_any_object(method, number);
                if !object.is_null() && self.symbolic.is_on() && is_looked_into {
                    self.close_array(object)?;
                }
                if !object.is_null() && demand != Demand::Arguments && is_looked_into {
                    self.force_elements(object)?;
                }
            }
            at += kind.width() as usize;
        }
        Ok(())
    }

    /// Whether an argument is declared as an `Object`, the receiver being the first.
    fn is_any_object(&self, method: MethodId, number: usize) -> bool {
        let method = self.program.method(method);
        let number = match (method.is_static(), number) {
            (true, number) => number,
            (false, 0) => return method.class == self.known.object,
            (false, number) => number - 1,
        };
        let descriptor = self.program.text(method.descriptor);
        let types = program::descriptor::split_method(descriptor).map(|parts| parts.0).unwrap_or_default();
        types.get(number) == Some(&"Ljava/lang/Object;")
    }

    /// Decides every pending element of an array, and the characters of a string.
    pub fn force_elements(&mut self, array: Ref) -> Result<(), Raise> {
        if self.class_of(array) == self.known.string {
            if self.holds_unknown(array) {
                self.lay_out(array)?;
            }
            for offset in [self.known.string_value, self.known.string_coder] {
                let word = self.get(array, offset);
                if is_unknown(word) {
                    let value = self.force(word)?;
                    self.put(array, offset, value);
                }
            }
            let bytes = self.get_ref(array, self.known.string_value);
            return if bytes.is_null() { Ok(()) } else { self.force_elements(bytes) };
        }
        self.close_array(array)?;
        match self.array_kind(array) {
            Some(Kind::Int | Kind::Float | Kind::Ref) => {
                for i in 0..self.heap.length(array) as u32 {
                    let word = self.get(array, 1 + i);
                    if is_unknown(word) {
                        let value = self.force(word)?;
                        self.put(array, 1 + i, value);
                    }
                }
                Ok(())
            }
            Some(_) if self.heap.is_shadowed(array) => {
                (0..self.heap.length(array)).try_for_each(|i| self.settle_element(array, i))
            }
            _ => Ok(()),
        }
    }

    /// Decides an element of an array whose elements have no room for a tag.
    pub fn settle_element(&mut self, array: Ref, index: i32) -> Result<(), Raise> {
        if let Some(word) = self.shadow(array, index) {
            let value = self.force(word)?;
            self.set_shadow(array, index, None);
            self.set_array_word(array, index, value);
        }
        Ok(())
    }

    /// Decides the value that a word of the heap stands for. The tag of a wide value lies `beside` the word of its bits.
    pub fn settle_word(&mut self, at: u32, beside: Option<i32>) -> Result<(), Raise> {
        let word = self.heap.word(at);
        if !is_unknown(word) {
            return Ok(());
        }
        let value = self.force(word)?;
        match beside {
            None => self.put_at(at, value),
            Some(distance) => {
                self.put_at(at.wrapping_add_signed(distance), value);
                self.put_at(at, 0);
            }
        }
        Ok(())
    }

    /// The pending word at an element of an array whose elements have no room for a tag.
    pub fn shadow(&self, array: Ref, index: i32) -> Option<Word> {
        self.pending.shadows.get(&(array, index)).copied()
    }

    /// Sets or clears such a word.
    pub(crate) fn set_shadow(&mut self, array: Ref, index: i32, word: Option<Word>) {
        let old = match word {
            Some(word) => {
                if !self.heap.is_shadowed(array) {
                    let header = self.heap.word(array.0);
                    self.put_at(array.0, header | Word::from(crate::heap::SHADOWED));
                }
                self.pending.shadows.insert((array, index), word)
            }
            None => self.pending.shadows.remove(&(array, index)),
        };
        self.pending.log.push(Change::Shadow { array, index, old: old.unwrap_or(0) });
    }
}

/// The word of a number in a range.
fn range_word(kind: Kind, lo: i64, decision: u64) -> Word {
    let value = lo.wrapping_add(decision as i64);
    if kind.width() == 2 { value as Word } else { Word::from(value as u32) }
}
