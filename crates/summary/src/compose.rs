//! What a summary says about a call, where the machine stands at it.

use std::cell::Cell;
use std::rc::Rc;

use machine::symbolic::REF;
use machine::{Args, Decision, InitState, Machine, Raise, Ref, Return, Shortcut, Supposition, Value, Word};
use program::Kind;
use rustc_hash::FxHashMap;
use term::{Op, Term};

use crate::book::{Tally, can_be_used};
use crate::case::{Effect, Meaning, Place, Summary, Tree, Write};
use crate::effect::{narrowed, place_sort, read, word_term};

/// Does calls by a summary.
pub struct Composer {
    pub summary: Rc<Summary>,
    pub tally: Rc<Cell<Tally>>,
}

impl Shortcut for Composer {
    fn call(&self, m: &mut Machine, args: Args) -> Return {
        let value = if self.applies(m) { self.compose(m, args)? } else { Value::Pass };
        Ok(value)
    }
}

/// What is known about alternatives.
enum Possible {
    Known(u16),
    Open(Vec<(u16, Decision)>),
}

/// Why there is no value.
enum Missing {
    /// A summary does not say it.
    Unsaid,
    Raised(Raise),
}

impl From<Raise> for Missing {
    fn from(raise: Raise) -> Missing {
        match raise {
            Raise::Choose(_) | Raise::Retry => Missing::Raised(raise),
            // Whatever ends the path does so when the body comes to it.
            Raise::Stop(_) | Raise::Throw(_) => Missing::Unsaid,
        }
    }
}

impl Composer {
    fn applies(&self, m: &Machine) -> bool {
        // Nobody can tell whether a class without an initializer is initialized.
        let is_done = |class: &program::ClassId| {
            m.class_state(*class).init == InitState::Done || m.program.class(*class).initializer.is_none()
        };
        can_be_used(m)
            && m.policy().bounds == self.summary.bounds
            && !m.is_on_detour()
            && self.summary.initialized.iter().all(is_done)
    }

    fn compose(&self, m: &mut Machine, args: Args) -> Return {
        let mut call = Call::new(m, args, &self.summary);
        let mut tally = self.tally.get();
        let case = match call.case(&mut tally.dropped) {
            Ok(case) => Some(case),
            Err(Missing::Unsaid) => None,
            Err(Missing::Raised(raise)) => return Err(raise),
        };
        if self.summary.supposes_assertions {
            call.m.suppose(Supposition::Assertions);
        }
        if let Some(Effect::Returns { result, writes, taken }) =
            case.map(|case| &self.summary.cases[case].effect)
        {
            match call.carry_out(*result, writes) {
                Ok(value) => {
                    m.end_case(self.summary.method, case);
                    m.take_again(taken);
                    tally.applied += 1;
                    self.tally.set(tally);
                    return Ok(value);
                }
                Err(Missing::Unsaid) => {}
                Err(Missing::Raised(raise)) => return Err(raise),
            }
        }
        call.count_visits();
        m.end_case(self.summary.method, case);
        *(if case.is_some() { &mut tally.decided } else { &mut tally.passed }) += 1;
        self.tally.set(tally);
        Ok(Value::Pass)
    }
}

/// A call at which a machine stands.
struct Call<'a> {
    m: &'a mut Machine,
    args: Args,
    summary: &'a Summary,
    /// What the places hold.
    values: FxHashMap<u32, Term>,
    /// Terms over places, over what the places hold.
    done: FxHashMap<Term, Term>,
    /// The objects that places lead to.
    objects: FxHashMap<u32, Option<Ref>>,
}

impl<'a> Call<'a> {
    fn new(m: &'a mut Machine, args: Args, summary: &'a Summary) -> Call<'a> {
        Call {
            m,
            args,
            summary,
            values: FxHashMap::default(),
            done: FxHashMap::default(),
            objects: FxHashMap::default(),
        }
    }

    /// Which case it is: decided as far as it is not known. Counts the alternatives that contradict the path.
    fn case(&mut self, dropped: &mut u64) -> Result<usize, Missing> {
        let mut tree = &self.summary.tree;
        for taken in self.m.begin_case() {
            if let Tree::Decide(alternatives) = tree {
                tree = &alternatives[usize::from(taken.number)].1;
            }
        }
        loop {
            let alternatives = match tree {
                Tree::Case(case) => return Ok(*case),
                Tree::Decide(alternatives) => alternatives,
            };
            let taken = match self.possible(alternatives)? {
                Possible::Known(alternative) => {
                    self.m.follow_case(alternative);
                    alternative
                }
                Possible::Open(open) => {
                    let taken = self.m.decide_case(&open)?;
                    *dropped += (alternatives.len() - open.len()) as u64;
                    // More is known now.
                    self.look_again();
                    taken
                }
            };
            tree = &alternatives[usize::from(taken)].1;
        }
    }

    /// The body is run, and counts visits as if it had decided what was decided.
    fn count_visits(&mut self) {
        let (mut tree, mut visits) = (&self.summary.tree, Vec::new());
        for taken in self.m.begin_case() {
            if let Tree::Decide(alternatives) = tree {
                let (decision, below) = &alternatives[usize::from(taken.number)];
                visits.extend(decision.visit.filter(|_| taken.was_open));
                tree = below;
            }
        }
        if !visits.is_empty() {
            self.m.count_visits(&visits);
        }
    }

    /// The alternatives that do not contradict the path.
    fn possible(&mut self, alternatives: &[(Decision, Tree)]) -> Result<Possible, Missing> {
        loop {
            // Looking at an object may tell something about it. The question must be the same when it is asked again.
            let known = self.known();
            let possible = self.possible_now(alternatives)?;
            if known == self.known() {
                return Ok(possible);
            }
            self.look_again();
        }
    }

    fn look_again(&mut self) {
        self.values.clear();
        self.done.clear();
        self.objects.clear();
    }

    fn known(&self) -> (usize, usize) {
        (self.m.symbolic.path().len(), self.m.symbolic.variables().len())
    }

    fn possible_now(&mut self, alternatives: &[(Decision, Tree)]) -> Result<Possible, Missing> {
        let mut open = Vec::new();
        for (number, (decision, below)) in alternatives.iter().enumerate() {
            let condition = self.condition(decision)?;
            if self.m.symbolic.truth(condition) != Some(false) && self.is_beyond(below) && !self.all_open()? {
                return Err(Missing::Unsaid);
            }
            match self.m.symbolic.truth(condition) {
                Some(true) => return Ok(Possible::Known(number as u16)),
                Some(false) => {}
                None => open.push((number as u16, Decision { condition, ..*decision })),
            }
        }
        if open.is_empty() { Err(Missing::Unsaid) } else { Ok(Possible::Open(open)) }
    }

    /// A condition as the body would meet it: the converse of another one looks otherwise than if it was met itself.
    fn condition(&mut self, decision: &Decision) -> Result<Term, Missing> {
        if !decision.negated {
            return self.term(decision.condition);
        }
        let positive = self.m.terms_mut().not(decision.condition);
        let positive = self.term(positive)?;
        Ok(self.m.terms_mut().not(positive))
    }

    fn is_beyond(&self, tree: &Tree) -> bool {
        matches!(tree, Tree::Case(case) if matches!(self.summary.cases[*case].effect, Effect::Beyond))
    }

    /// Whether all arrays have as much room as those that the summary was made with.
    fn all_open(&mut self) -> Result<bool, Missing> {
        for place in &self.summary.places {
            if let Place::Length { of } = place
                && let Some(array) = self.object(*of)?
            {
                let room = self.m.heap.length(array) as u32;
                if self.m.open_length(array).is_none() || room != self.summary.bounds.elements {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Does what a case does.
    fn carry_out(&mut self, result: Option<Term>, writes: &[Write]) -> Result<Value, Missing> {
        let value = match result {
            Some(result) => {
                let words = self.words_of(result)?;
                match (self.m.terms().sort(result).width(), words) {
                    (64, (0, tag)) if tag != 0 => Value::Pending2(tag),
                    (64, (word, _)) => Value::Two(word),
                    (_, (word, _)) => Value::One(word),
                }
            }
            None => Value::Void,
        };
        let mut contents = Vec::new();
        for write in writes {
            let of = match write.to {
                Place::Field { of, .. } | Place::Element { of, .. } => of,
                Place::Argument { .. } | Place::Length { .. } => continue,
            };
            let exists = self.term(write.condition)? == Term::TRUE;
            if let Some(object) = self.object(of)?.filter(|_| exists)
                && self.has(object, write.to)?
            {
                contents.push((object, write.to, self.words_of(write.value)?));
            }
        }
        for (object, place, (word, tag)) in contents {
            match place {
                Place::Element { index, kind, .. } => {
                    if let Some(term) = word_term(self.m, (word, tag), kind) {
                        self.m.put_element(object, index, kind, term);
                    }
                }
                Place::Field { offset, kind, .. } => {
                    self.m.put(object, offset, word);
                    if kind.width() == 2 {
                        self.m.put(object, offset + 1, tag);
                    }
                }
                Place::Argument { .. } | Place::Length { .. } => {}
            }
        }
        Ok(value)
    }

    /// The words of a value: as they are where it is only moved from a place, simplified where it is computed.
    fn words_of(&mut self, term: Term) -> Result<(Word, Word), Missing> {
        let node = *self.m.terms().node(term);
        let is_moved = match node.op {
            Op::Var => true,
            Op::SExt | Op::ZExt => self.m.terms().node(Term(node.args[0])).op == Op::Var,
            _ => false,
        };
        let value = self.term(term)?;
        let is_wide = self.m.terms().sort(value).width() == 64;
        Ok(match (is_moved, is_wide) {
            (true, _) => self.m.moved_words(value),
            (false, true) => self.m.term_words(value),
            (false, false) => (self.m.term_word(value), 0),
        })
    }

    /// What is at a place in its object.
    fn content(&mut self, object: Ref, place: Place) -> Result<Term, Missing> {
        match place {
            Place::Field { offset, kind, .. } => read(self.m, object, offset, kind).ok_or(Missing::Unsaid),
            Place::Element { index, kind, .. } => Ok(self.m.get_element(object, index, kind)?),
            Place::Length { .. } => Ok(self.m.array_length(object)),
            Place::Argument { .. } => Err(Missing::Unsaid),
        }
    }

    /// A term over places, over what they hold now.
    fn term(&mut self, term: Term) -> Result<Term, Missing> {
        if let Some(done) = self.done.get(&term) {
            return Ok(*done);
        }
        let node = *self.m.terms().node(term);
        let made = match node.op {
            Op::Const => term,
            Op::Var => self.meant(Meaning::of(node.variable()))?,
            _ => {
                let mut operands = [Term::FALSE; 3];
                for (index, operand) in node.operands().enumerate() {
                    operands[index] = self.term(operand)?;
                }
                if node.op == Op::Eq && self.m.terms().sort(operands[0]) == REF {
                    self.m.same_reference(operands[0], operands[1])
                } else {
                    self.m.terms_mut().with_operands(term, operands)
                }
            }
        };
        self.done.insert(term, made);
        Ok(made)
    }

    fn meant(&mut self, meaning: Meaning) -> Result<Term, Missing> {
        match meaning {
            Meaning::Value(place) => self.place(place),
            Meaning::Object(place) => {
                let object = self.object(place)?.unwrap_or(Ref::NULL);
                Ok(self.m.terms_mut().constant(REF, object.word()))
            }
            Meaning::Exists(place) => Ok(Term::bool(self.object(place)?.is_some())),
        }
    }

    /// What a place holds. Of an object that is not there it may be anything: then no case asks.
    fn place(&mut self, number: u32) -> Result<Term, Missing> {
        if let Some(known) = self.values.get(&number) {
            return Ok(*known);
        }
        let place = self.summary.places[number as usize];
        let kind = place.kind();
        let of = match place {
            Place::Argument { slot, .. } => {
                let (word, tag) = self.words(slot, kind);
                let value = word_term(self.m, (word, tag), kind).ok_or(Missing::Unsaid)?;
                let value = narrowed(self.m, kind, value);
                self.values.insert(number, value);
                return Ok(value);
            }
            Place::Field { of, .. } | Place::Element { of, .. } | Place::Length { of } => of,
        };
        let value = match self.object(of)? {
            Some(object) if self.has(object, place)? => {
                let content = self.content(object, place)?;
                narrowed(self.m, kind, content)
            }
            _ => self.m.terms_mut().constant(place_sort(kind), 0),
        };
        self.values.insert(number, value);
        Ok(value)
    }

    fn words(&self, slot: u16, kind: Kind) -> (u64, u64) {
        let slot = usize::from(slot);
        let tag = if kind.width() == 2 { self.args.word(self.m, slot + 1) } else { 0 };
        (self.args.word(self.m, slot), tag)
    }

    /// The object that a place leads to, none if that is null. It has to stand for the one in the summary: it is the only
    /// one, or the unknown reference may lead to it and, apart from it, only to objects that were met before there too.
    fn object(&mut self, place: u32) -> Result<Option<Ref>, Missing> {
        if let Some(known) = self.objects.get(&place) {
            return Ok(*known);
        }
        let reference = self.place(place)?;
        let object = match self.m.symbolic.value(reference) {
            Some(0) => None,
            Some(object) => Some(Ref(object as u32)),
            None => Some(self.unknown_object(place, reference)?),
        };
        if object.is_some() && self.objects.values().any(|other| *other == object) {
            return Err(Missing::Unsaid);
        }
        self.objects.insert(place, object);
        Ok(object)
    }

    fn unknown_object(&mut self, place: u32, reference: Term) -> Result<Ref, Missing> {
        let node = *self.m.terms().node(reference);
        if node.op != Op::Var {
            return Err(Missing::Unsaid);
        }
        let word = self.m.term_word(reference);
        self.m.leads_to(word)?;
        let candidates = self.m.pointer(node.variable()).and_then(|pointer| pointer.candidates.clone());
        let (own, others) = candidates.as_deref().and_then(<[Ref]>::split_last).ok_or(Missing::Unsaid)?;
        let entity = self.m.entity_of(*own).ok_or(Missing::Unsaid)?;
        let is_own = self.m.symbolic.entities()[entity as usize].variable == node.variable();
        let mut before = Vec::new();
        for other in self.summary.apart.get(&place).into_iter().flatten() {
            before.extend(self.object(*other)?);
        }
        let are_known = others.iter().all(|other| before.contains(other));
        if is_own && are_known { Ok(*own) } else { Err(Missing::Unsaid) }
    }

    /// Whether an object has a field or an element; whether it does not may be unsaid.
    fn has(&self, object: Ref, place: Place) -> Result<bool, Missing> {
        let (kind, index) = match place {
            Place::Field { owner, .. } => {
                let class = match self.m.entity_of(object) {
                    Some(entity) => self.m.symbolic.entities()[entity as usize].level,
                    None => self.m.class_of(object),
                };
                return if self.m.program.is_subtype(class, owner) { Ok(true) } else { Err(Missing::Unsaid) };
            }
            Place::Element { kind, index, .. } => (Some(kind), index),
            Place::Argument { .. } | Place::Length { .. } => (None, 0),
        };
        let found = self.m.array_kind(object).ok_or(Missing::Unsaid)?;
        let Some(kind) = kind else { return Ok(true) };
        let is_inside = index < self.m.heap.length(object) as u32;
        if found != kind || !is_inside && self.m.open_length(object).is_some() {
            return Err(Missing::Unsaid);
        }
        Ok(is_inside)
    }
}
