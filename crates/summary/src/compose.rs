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
        let is_done = |class: &program::ClassId| m.class_state(*class).init == InitState::Done;
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
        if let Some(Effect::Returns { result, writes, taken }) = case.map(|case| &self.summary.cases[case].effect) {
            match call.carry_out(*result, writes) {
                Ok(value) => {
                    m.end_case();
                    m.take_again(taken);
                    tally.applied += 1;
                    self.tally.set(tally);
                    return Ok(value);
                }
                Err(Missing::Unsaid) => {}
                Err(Missing::Raised(raise)) => return Err(raise),
            }
        }
        if let Some(case) = case {
            call.count_visits(case)?;
        }
        m.end_case();
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
    /// The objects that places lead to, where they are the very ones for those of the summary.
    own: FxHashMap<u32, Option<Ref>>,
}

impl<'a> Call<'a> {
    fn new(m: &'a mut Machine, args: Args, summary: &'a Summary) -> Call<'a> {
        Call { m, args, summary, values: FxHashMap::default(), done: FxHashMap::default(), own: FxHashMap::default() }
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

    /// Where the body is going to come to a bound, it counts visits as if it had decided what was decided. That is so where
    /// the objects are those of the summary: elsewhere it may decide some of it again.
    fn count_visits(&mut self, case: usize) -> Result<(), Raise> {
        let case = &self.summary.cases[case];
        let Effect::Cut { followed } = &case.effect else { return Ok(()) };
        for place in followed {
            match self.own(*place) {
                Ok(Some(_)) => {}
                Ok(None) | Err(Missing::Unsaid) => return Ok(()),
                Err(Missing::Raised(raise)) => return Err(raise),
            }
        }
        let taken = self.m.begin_case();
        let visits = case.decisions.iter().zip(&taken).filter(|(_, taken)| taken.was_open);
        let visits: Vec<u32> = visits.filter_map(|(decision, _)| decision.visit).collect();
        self.m.count_visits(&visits);
        Ok(())
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
        self.own.clear();
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
            if let Place::Length { of } = place {
                for (_, array) in self.arrays_of_any_kind(*of)? {
                    let room = self.m.heap.length(array) as u32;
                    if self.m.open_length(array).is_none() || room != self.summary.bounds.elements {
                        return Ok(false);
                    }
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
        let mut planned = Vec::new();
        for write in writes {
            let (condition, new) = (self.term(write.condition)?, write.value);
            for (guard, object) in self.written(write.to)? {
                let guard = self.m.terms_mut().and(guard, condition);
                planned.push((guard, object, write.to, new));
            }
        }
        // Two places may be the same, so that each write builds on those before.
        let mut contents: Vec<((Ref, Place), (Word, Word))> = Vec::new();
        for (guard, object, to, new) in planned {
            let key = (object, at(to));
            let truth = self.m.symbolic.truth(guard);
            if truth == Some(false) {
                continue;
            }
            let known = contents.iter().position(|(other, _)| *other == key);
            let now = if truth == Some(true) {
                self.words_of(new)?
            } else {
                let old = match known {
                    Some(index) => word_term(self.m, contents[index].1, to.kind()).ok_or(Missing::Unsaid)?,
                    None => self.content(object, to)?,
                };
                let new = self.term(new)?;
                let now = self.m.terms_mut().ite(guard, new, old);
                if to.kind().width() == 2 { self.m.term_words(now) } else { (self.m.term_word(now), 0) }
            };
            match known {
                Some(index) => contents[index].1 = now,
                None => contents.push((key, now)),
            }
        }
        for ((object, place), (word, tag)) in contents {
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

    /// The objects that may be written to at a place.
    fn written(&mut self, to: Place) -> Result<Vec<(Term, Ref)>, Missing> {
        let mut targets = match to {
            Place::Field { of, owner, .. } => self.objects(of, owner)?,
            Place::Element { of, index, kind } => self.arrays(of, kind, Some(index))?,
            Place::Argument { .. } | Place::Length { .. } => return Err(Missing::Unsaid),
        };
        if let [(guard, _)] = &mut targets[..] {
            *guard = Term::TRUE;
        }
        Ok(targets)
    }

    /// What is at a place in one object.
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
                let reference = self.place(place)?;
                let own = self.own(place)?.map(Ref::word);
                let object = own.or_else(|| self.m.symbolic.value(reference));
                Ok(object.map_or(reference, |object| self.m.terms_mut().constant(REF, object)))
            }
            Meaning::Exists(condition) => {
                let (place, exists) = self.summary.existing[condition as usize];
                if self.own(place)?.is_some() {
                    return Ok(Term::TRUE);
                }
                let exists = self.term(exists)?;
                Ok(if self.m.symbolic.truth(exists) == Some(true) { Term::TRUE } else { exists })
            }
        }
    }

    /// What a place holds. Of an object that is not there it may be anything: then no case asks.
    fn place(&mut self, number: u32) -> Result<Term, Missing> {
        if let Some(known) = self.values.get(&number) {
            return Ok(*known);
        }
        let place = self.summary.places[number as usize];
        let kind = place.kind();
        let objects = match place {
            Place::Argument { slot, .. } => {
                let (word, tag) = self.words(slot, kind);
                let value = word_term(self.m, (word, tag), kind).ok_or(Missing::Unsaid)?;
                let value = narrowed(self.m, kind, value);
                self.values.insert(number, value);
                return Ok(value);
            }
            Place::Field { of, owner, .. } => self.objects(of, owner)?,
            Place::Element { of, index, kind } => self.arrays(of, kind, Some(index))?,
            Place::Length { of } => self.arrays_of_any_kind(of)?,
        };
        let mut value: Option<Term> = None;
        for (guard, object) in objects.into_iter().rev() {
            let content = self.content(object, place)?;
            value = Some(match value {
                None => content,
                Some(other) => self.m.terms_mut().ite(guard, content, other),
            });
        }
        let value = match value {
            Some(value) => narrowed(self.m, kind, value),
            None => self.m.terms_mut().constant(place_sort(kind), 0),
        };
        self.values.insert(number, value);
        Ok(value)
    }

    fn words(&self, slot: u16, kind: Kind) -> (u64, u64) {
        let slot = usize::from(slot);
        let tag = if kind.width() == 2 { self.args.word(self.m, slot + 1) } else { 0 };
        (self.args.word(self.m, slot), tag)
    }

    /// The object that a place leads to, where it stands for the one in the summary: it is the only one, or the unknown
    /// reference may lead to it and, apart from it, only to objects of places that the summary keeps apart from this one.
    fn own(&mut self, place: u32) -> Result<Option<Ref>, Missing> {
        if let Some(known) = self.own.get(&place) {
            return Ok(*known);
        }
        let reference = self.place(place)?;
        let own = match self.m.symbolic.value(reference) {
            Some(0) => None,
            Some(object) => Some(Ref(object as u32)),
            None => self.own_of_unknown(place, reference)?,
        };
        let is_taken = own.is_some() && self.own.values().any(|other| *other == own);
        let own = own.filter(|_| !is_taken);
        self.own.insert(place, own);
        Ok(own)
    }

    fn own_of_unknown(&mut self, place: u32, reference: Term) -> Result<Option<Ref>, Missing> {
        let node = *self.m.terms().node(reference);
        if node.op != Op::Var {
            return Ok(None);
        }
        let word = self.m.term_word(reference);
        self.m.leads_to(word)?;
        let candidates = self.m.pointer(node.variable()).and_then(|pointer| pointer.candidates.clone());
        let Some((own, others)) = candidates.as_deref().and_then(<[Ref]>::split_last) else { return Ok(None) };
        let entity = self.m.entity_of(*own);
        let is_own = entity.is_some_and(|entity| {
            self.m.symbolic.entities()[entity as usize].variable == node.variable()
        });
        let mut apart = Vec::new();
        for other in self.summary.apart.get(&place).into_iter().flatten() {
            apart.extend(self.own(*other)?);
        }
        let are_apart = others.iter().all(|other| apart.contains(other));
        Ok(Some(*own).filter(|_| is_own && are_apart))
    }

    fn targets(&mut self, of: u32) -> Result<Vec<(Term, Ref)>, Missing> {
        if let Some(own) = self.own(of)? {
            return Ok(vec![(Term::TRUE, own)]);
        }
        let reference = self.place(of)?;
        let word = self.m.term_word(reference);
        let mut targets = self.m.leads_to(word)?;
        for other in self.summary.apart.get(&of).into_iter().flatten() {
            if targets.len() > 1 {
                let reference = self.place(*other)?;
                let known = self.m.symbolic.value(reference);
                targets.retain(|(_, object)| known != Some(object.word()));
            }
        }
        Ok(targets)
    }

    /// The objects that a place leads to, which all have the fields of a class.
    fn objects(&mut self, of: u32, owner: program::ClassId) -> Result<Vec<(Term, Ref)>, Missing> {
        let targets = self.targets(of)?;
        for (_, object) in &targets {
            let class = match self.m.entity_of(*object) {
                Some(entity) => self.m.symbolic.entities()[entity as usize].level,
                None => self.m.class_of(*object),
            };
            if !self.m.program.is_subtype(class, owner) {
                return Err(Missing::Unsaid);
            }
        }
        Ok(targets)
    }

    fn arrays_of_any_kind(&mut self, of: u32) -> Result<Vec<(Term, Ref)>, Missing> {
        let targets = self.targets(of)?;
        let is_array = |(_, object): &(Term, Ref)| self.m.array_kind(*object).is_some();
        if targets.iter().all(is_array) { Ok(targets) } else { Err(Missing::Unsaid) }
    }

    /// The arrays that a place leads to and that have an element.
    fn arrays(&mut self, of: u32, kind: Kind, index: Option<u32>) -> Result<Vec<(Term, Ref)>, Missing> {
        let mut targets = self.arrays_of_any_kind(of)?;
        if targets.iter().any(|(_, array)| self.m.array_kind(*array) != Some(kind)) {
            return Err(Missing::Unsaid);
        }
        let Some(index) = index else { return Ok(targets) };
        let room = |array: Ref| self.m.heap.length(array) as u32;
        if targets.iter().any(|(_, array)| index >= room(*array) && self.m.open_length(*array).is_some()) {
            return Err(Missing::Unsaid);
        }
        targets.retain(|(_, array)| index < room(*array));
        Ok(targets)
    }
}

/// The place without where it was found.
fn at(place: Place) -> Place {
    match place {
        Place::Field { offset, kind, .. } => Place::Field { of: 0, owner: program::ClassId(0), offset, kind },
        Place::Element { index, kind, .. } => Place::Element { of: 0, index, kind },
        other => other,
    }
}
