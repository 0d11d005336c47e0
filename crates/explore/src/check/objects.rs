//! Fields of objects that only their own class writes. What constructors bring about and no method that writes gives up holds
//! for every object, whoever calls what: it is guessed from the fields and the numbers in the code, and what is not kept is
//! dropped until the rest is. Then a violation that starts from an object in another state is none.
//!
//! Each step is one call from outside, shown by the ordinary search, and all objects are as they should be when it begins. Code
//! that nobody has seen could call something in the middle, so that where it is called nothing is shown.

use std::collections::BTreeSet;

use machine::{Amount, Beyond, Classes, End, Fact, Machine, Outside, Place, Says, Value, Word};
use program::{ClassId, Field, Kind, Symbol, access};
use search::{PathEnd, Search, Unknowns};
use solver::{Answer, Solver};
use term::{Evaluator, Model, Term};
use values::input::Input;

use super::induct::{self, ALL_WORK, Look, WORK};
use super::widen::Progress;
use super::{Piece, STRETCH, Start, Sum};
use crate::Wrong;
use crate::history::{Named, Static};
use crate::induction::Move;
use crate::supposed::Supposed;

/// How often the steps are gone through, and classes are added that turned out to matter.
const ROUNDS: usize = 16;
const CLASSES: usize = 3;
/// The most calls that are steps.
const MOVES: usize = 24;
/// How many numbers are tried as bounds, and how many fields of a class are compared with each other.
const NUMBERS: usize = 12;
const FIELDS: usize = 8;
/// The most classes that extend another.
const BELOW: usize = 16;
const OBJECT: &str = "java/lang/Object";
/// How many paths are looked at for objects that there certainly are.
const WITNESSES: usize = 64;
/// How often static fields are made unknown that turned out to be read.
const OPENINGS: usize = 3;

/// Asks again with what all objects keep to, if a violation starts from some that guard their state. None if that is no proof.
pub(super) fn settle(
    start: &mut Start,
    input: &Input,
    progress: Progress,
    sum: &mut Sum,
) -> Result<Option<Piece>, Wrong> {
    let before = (start.driver.machine().relied_on(), start.relied.clone());
    let mut classes: Vec<ClassId> = before.0.iter().map(|fact| fact.class).collect();
    let mut new = classes_of(start.driver.machine(), input);
    for _ in 0..CLASSES {
        new.retain(|class| !classes.contains(class));
        if new.is_empty() {
            break;
        }
        classes.append(&mut new);
        let Some(kept) = keep(start, &classes, progress, sum) else { break };
        start.driver.rely_on(&kept.facts);
        start.relied.clone_from(&kept.assumptions);
        let piece = start.climb_once(progress, sum)?;
        if piece.is_proof() {
            return Ok(Some(piece));
        }
        let Some(found) = piece.found else { break };
        new = classes_of(start.driver.machine(), &found.input);
    }
    start.driver.rely_on(&before.0);
    start.relied = before.1;
    Ok(None)
}

/// The classes of the program whose fields the objects of an input have, if constructors make them and nothing else does.
fn classes_of(m: &mut Machine, input: &Input) -> Vec<ClassId> {
    let mut found: Vec<ClassId> = Vec::new();
    for node in input.nodes.iter().filter(|node| matches!(node, testcase::Node::Object { .. })) {
        let Some(class) = m.program.find_loaded(&node.class().replace('.', "/")) else { continue };
        for class in m.program.class(class).display.clone() {
            if !found.contains(&class) && is_made(m, class) {
                found.push(class);
            }
        }
    }
    found
}

/// Whether all objects of a class are made by its constructors. A stream that somebody made up is read into any state.
fn is_made(m: &mut Machine, class: ClassId) -> bool {
    let Ok(serializable) = m.load("java/io/Serializable") else { return false };
    let declared = m.program.class(class);
    let is_plain = !declared.is_library() && declared.file.is_some() && !declared.is_interface();
    is_plain
        && !m.is_enum_class(class)
        && m.canonical_constructor(class).is_none()
        && !m.program.is_subtype(class, serializable)
        && !has_finalizer(m, class)
}

/// Whether objects of a class are given to a method when they are garbage, also those that a constructor did not finish.
fn has_finalizer(m: &Machine, class: ClassId) -> bool {
    let above = m.program.class(class).display.iter().filter(|class| m.program.class_name(**class) != OBJECT);
    let mut methods = above.flat_map(|class| m.program.class(*class).methods.iter());
    methods.any(|id| {
        let method = m.program.method(*id);
        (m.program.text(method.name), m.program.text(method.descriptor)) == ("finalize", "()V")
    })
}

/// What is kept, and under which assumptions.
#[derive(Default)]
struct Kept {
    facts: Vec<Fact>,
    assumptions: BTreeSet<String>,
}

/// What all objects of some classes keep to; none if there is nothing.
fn keep(start: &mut Start, classes: &[ClassId], progress: Progress, sum: &mut Sum) -> Option<Kept> {
    let m = start.driver.machine();
    let mut facts: Vec<Fact> = Vec::new();
    let mut moves: Vec<Move> = Vec::new();
    let mut classes = classes.to_vec();
    let mut number = 0;
    while let Some(class) = classes.get(number).copied() {
        number += 1;
        let fields = own_fields(m, class);
        if fields.is_empty() {
            continue;
        }
        // Whoever cannot be asked keeps nothing.
        let Some(own) = moves_of(m, class, &fields) else { continue };
        facts.extend(guessed(m, class, &fields));
        // What others around it make it of is theirs to keep.
        for own in &own {
            let around = m.load(&own.class).ok().filter(|around| !classes.contains(around));
            classes.extend(around.filter(|around| is_made(m, *around)));
        }
        moves.extend(own.into_iter().filter(|own| !moves.contains(own)).collect::<Vec<_>>());
    }
    if facts.is_empty() || moves.len() > MOVES {
        return None;
    }
    let (paths, work) = (start.paths.replace(induct::PATHS), start.work);
    let watched = start.method;
    start.driver.set_classes(Classes::Any);
    start.driver.set_beyond(Beyond::Forgotten);
    let mut steps = Steps { facts, moves, work: ALL_WORK };
    let kept = steps.shrink(start, progress, sum);
    start.driver.machine().stop_watching(watched);
    start.driver.set_beyond(Beyond::Bounded);
    start.driver.set_classes(Classes::Known);
    (start.paths, start.work) = (paths, work);
    kept.filter(|kept| !kept.facts.is_empty())
}

/// The fields of a class that nobody else writes.
fn own_fields(m: &Machine, class: ClassId) -> Vec<Field> {
    let fields = m.program.class(class).fields.iter();
    let is_own = |field: &&Field| !field.is_static() && field.flags & (access::PRIVATE | access::FINAL) != 0;
    fields.filter(is_own).cloned().collect()
}

/// The calls by which objects of a class are made and changed. None if they cannot be told.
fn moves_of(m: &mut Machine, class: ClassId, fields: &[Field]) -> Option<Vec<Move>> {
    let names: Vec<Symbol> = fields.iter().map(|field| field.name).collect();
    let mut changers = m.program.changers_of(class, &names);
    let is_extended = m.program.class(class).flags & access::FINAL == 0 && m.program.is_closed(class);
    m.sync_classes();
    let below = m.implementations(class);
    if below.len() >= BELOW || below.iter().any(|below| has_finalizer(m, *below)) {
        return None;
    }
    // What a constructor calls on its object may be that of a class below, and all of them are known.
    if is_extended && let Some(changers) = &mut changers {
        for below in below.into_iter().filter(|below| *below != class) {
            let methods = m.program.class(below).methods.clone();
            let is_constructor = |m: &Machine, id| m.program.text(m.program.method(id).name) == "<init>";
            changers.extend(methods.into_iter().filter(|id| is_constructor(m, *id)));
        }
    }
    let initialized =
        Move { class: m.program.class_name(class).to_string(), call: None, statics: Vec::new() };
    let mut moves = vec![initialized];
    for changer in changers? {
        let call = Named::of(m, changer);
        moves.push(Move { class: call.class.clone(), call: Some(call), statics: Vec::new() });
    }
    Some(moves)
}

/// What may hold for the objects of a class.
fn guessed(m: &Machine, class: ClassId, fields: &[Field]) -> Vec<Fact> {
    let mut numbers: Vec<i64> = m.program.numbers_of(class).into_iter().map(i64::from).collect();
    numbers.extend([0, 1]);
    numbers.sort_by_key(|number| (number.unsigned_abs(), *number));
    numbers.dedup();
    numbers.truncate(NUMBERS);
    let mut says: Vec<Says> = Vec::new();
    let (mut counts, mut lengths) = (Vec::new(), Vec::new());
    let (mut flags, mut references) = (Vec::new(), Vec::new());
    for field in fields {
        let place = Place { offset: field.offset, kind: field.kind };
        let descriptor = m.program.text(field.descriptor);
        match field.kind {
            Kind::Ref => {
                references.push(place);
                if descriptor.starts_with('[') {
                    lengths.push(Amount::Length(place));
                }
            }
            Kind::Boolean => flags.push(place),
            Kind::Byte | Kind::Short | Kind::Char | Kind::Int | Kind::Long => {
                counts.push(Amount::Field(place));
            }
            _ => {}
        }
    }
    says.extend(references.iter().map(|place| Says::Refers(*place)));
    for flag in flags.iter().take(FIELDS) {
        for place in references.iter().take(FIELDS) {
            says.extend([true, false].map(|value| Says::RefersIf { flag: *flag, value, place: *place }));
        }
        says.extend([0, 1].map(|value| Says::AtMost(Amount::Field(*flag), Amount::Number(value))));
        says.push(Says::AtMost(Amount::Number(1), Amount::Field(*flag)));
    }
    for amount in counts.iter().chain(&lengths) {
        for number in &numbers {
            says.push(Says::AtMost(Amount::Number(*number), *amount));
            says.push(Says::AtMost(*amount, Amount::Number(*number)));
            // As where it is a remainder, or the end of a range.
            says.push(Says::AtMost(*amount, Amount::Number(number - 1)));
        }
    }
    for low in counts.iter().take(FIELDS).chain(lengths.iter().take(FIELDS)) {
        for high in counts.iter().take(FIELDS).chain(lengths.iter().take(FIELDS)) {
            if low == high {
                continue;
            }
            says.push(Says::AtMost(*low, *high));
            if let Amount::Field(place) = high
                && place.kind != Kind::Long
            {
                says.push(Says::AtMost(*low, Amount::Below(*place)));
            }
        }
    }
    let mut facts: Vec<Fact> = Vec::new();
    for says in says {
        let fact = Fact { class, says };
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    facts
}

/// The steps of an induction over what objects keep to.
struct Steps {
    /// What is not given up yet.
    facts: Vec<Fact>,
    moves: Vec<Move>,
    /// What is left of the work.
    work: u64,
}

/// What came of one step.
enum Outcome {
    /// As far as it goes, and under these assumptions.
    Kept(BTreeSet<String>),
    /// Some facts were dropped.
    Dropped,
    /// It depends on more static fields.
    Reads(Vec<Static>),
}

impl Steps {
    /// Drops what is not kept until the rest is. None if a step is not decided.
    fn shrink(&mut self, start: &mut Start, progress: Progress, sum: &mut Sum) -> Option<Kept> {
        self.keep_witnessed(start, progress, sum);
        let mut openings = OPENINGS;
        for _ in 0..ROUNDS {
            let mut kept = Kept::default();
            let mut is_kept = true;
            for number in 0..self.moves.len() {
                if self.facts.is_empty() {
                    return None;
                }
                match self.step(start, number, progress, sum)? {
                    Outcome::Kept(mut assumptions) => kept.assumptions.append(&mut assumptions),
                    Outcome::Dropped => is_kept = false,
                    Outcome::Reads(_) if openings == 0 => return None,
                    Outcome::Reads(fields) => {
                        openings -= 1;
                        is_kept = false;
                        self.moves[number].statics.extend(fields);
                    }
                }
            }
            if is_kept {
                kept.facts = strongest(&self.facts);
                return Some(kept);
            }
        }
        None
    }

    /// Drops what does not hold for objects that there certainly are, and all about classes of which none was seen: then what is
    /// left does not contradict itself.
    fn keep_witnessed(&mut self, start: &mut Start, progress: Progress, sum: &mut Sum) {
        let mut classes: Vec<ClassId> = self.facts.iter().map(|fact| fact.class).collect();
        classes.dedup();
        let mut seen: Vec<ClassId> = Vec::new();
        let mut facts = std::mem::take(&mut self.facts);
        start.driver.rely_on(&[]);
        for number in 0..self.moves.len() {
            let mut left = WITNESSES;
            let mut look = |search: &mut Search<Unknowns>, end: &PathEnd| {
                let model = search.model();
                let m = search.machine();
                let Some(given) = given(end) else { return Look::Lost };
                let objects: Vec<_> = classes.iter().map(|class| m.seen_objects(*class, given)).collect();
                // What an unknown object made of something is no witness.
                if !m.symbolic.has_forgotten() && objects.iter().all(|(unknown, _)| unknown.is_empty()) {
                    for (class, (_, made)) in classes.iter().zip(&objects) {
                        if !made.is_empty() && !seen.contains(class) {
                            seen.push(*class);
                        }
                        for object in made {
                            let is_so = |fact: &Fact| {
                                fact.class != *class
                                    || m.holds_for(fact, *object).is_ok_and(|term| is_true(m, &model, term))
                            };
                            facts.retain(is_so);
                        }
                    }
                }
                left -= 1;
                if left == 0 { Look::Enough } else { Look::Fine }
            };
            let _ = self.work_on(start, number, progress, sum, &mut look);
        }
        facts.retain(|fact| seen.contains(&fact.class));
        self.facts = facts;
    }

    /// Whether a step keeps the facts, from a state in which all objects do. None if that is not decided.
    fn step(
        &mut self,
        start: &mut Start,
        number: usize,
        progress: Progress,
        sum: &mut Sum,
    ) -> Option<Outcome> {
        let before = self.facts.len();
        let mut facts = std::mem::take(&mut self.facts);
        start.driver.rely_on(&strongest(&facts));
        let extended = self.moves[number].extended(start.driver.machine());
        let made = extended.map(|(made, _)| made);
        let mut is_left = false;
        let mut look = |search: &mut Search<Unknowns>, end: &PathEnd| {
            let Some(given) = given(end) else { return Look::Lost };
            drop_lost(search, given, &mut facts);
            if let (Some(made), PathEnd::End(End::Threw(_))) = (made, end) {
                is_left |= is_left_unlike(search, made, &facts);
            }
            Look::Fine
        };
        let walked = self.work_on(start, number, progress, sum, &mut look);
        self.facts = facts;
        let (piece, parameters) = walked?;
        let closed = start.request.closed;
        let statics = &self.moves[number].statics;
        let m = start.driver.machine();
        let mut supposed = Supposed::of(m, &parameters, false, closed, statics);
        piece.touched.iter().for_each(|outside: Outside| supposed.touch(outside, closed));
        let read = supposed.statics.clone();
        supposed.settle(&read);
        match () {
            () if !supposed.depends.is_empty() || !supposed.made.is_empty() => None,
            () if !read.is_empty() => Some(Outcome::Reads(read)),
            () if self.facts.len() < before => Some(Outcome::Dropped),
            () => {
                let name = extended.map(|(_, class)| m.program.class_name(class).replace('/', "."));
                let finalized = name
                    .filter(|_| is_left)
                    .map(|name| format!("no class nobody has seen that extends {name} has a finalizer"));
                supposed.assumptions.extend(finalized);
                Some(Outcome::Kept(supposed.assumptions))
            }
        }
    }

    /// Looks at all paths of a step. None if one is lost, or there are more.
    fn work_on(
        &mut self,
        start: &mut Start,
        number: usize,
        progress: Progress,
        sum: &mut Sum,
        look: &mut dyn FnMut(&mut Search<Unknowns>, &PathEnd) -> Look,
    ) -> Option<(Piece, Vec<values::Parameter>)> {
        let stub = self.moves[number].stub(&mut start.driver).ok()?;
        let m = start.driver.begin(&STRETCH[0]);
        m.watch(start.method).ok()?;
        let parameters = self.moves[number].arguments(m).ok()?;
        start.work = Some(WORK.min(self.work));
        let before = sum.tally.work;
        let walked = induct::walk(start, &stub, &parameters, progress, sum, look);
        self.work = self.work.saturating_sub(sum.tally.work - before);
        let walked = walked.filter(|walked| walked.is_whole)?;
        Some((walked.piece, parameters))
    }
}

/// What a call gives, if it is over and something can be said about it.
fn given(end: &PathEnd) -> Option<Option<Word>> {
    match end {
        PathEnd::End(End::Returned(Value::One(word))) => Some(Some(*word)),
        PathEnd::End(End::Returned(_)) => Some(None),
        PathEnd::End(End::Threw(exception)) => Some(Some(exception.word())),
        _ => None,
    }
}

/// Drops the facts that do not hold for all objects at the end of a path.
fn drop_lost(search: &mut Search<Unknowns>, given: Option<Word>, facts: &mut Vec<Fact>) {
    let (m, solver) = search.machine_and_solver();
    let mut classes: Vec<ClassId> = facts.iter().map(|fact| fact.class).collect();
    classes.dedup();
    let mut claims: Vec<(Fact, Term)> = m.noted_facts().to_vec();
    claims.retain(|claim| facts.contains(&claim.0));
    let mut lost: Vec<Fact> = Vec::new();
    for class in classes {
        let (unknown, made) = m.seen_objects(class, given);
        for object in unknown.into_iter().chain(made) {
            for fact in facts.iter().filter(|fact| fact.class == class) {
                match m.holds_for(fact, object) {
                    Ok(term) if m.symbolic.truth(term) == Some(true) => {}
                    Ok(term) => claims.push((*fact, term)),
                    Err(_) => lost.push(*fact),
                }
            }
        }
    }
    claims.retain(|(fact, _)| !lost.contains(fact));
    while !claims.is_empty() {
        match refuted(m, solver, &claims) {
            Answer::Unsat => break,
            Answer::Sat(model) => {
                let is_so = |(_, claim): &&(Fact, Term)| !is_true(m, &model, *claim);
                let wrong: Vec<Fact> = claims.iter().filter(is_so).map(|claim| claim.0).collect();
                if wrong.is_empty() {
                    lost.extend(claims.drain(..).map(|claim| claim.0));
                }
                claims.retain(|(fact, _)| !wrong.contains(fact));
                lost.extend(wrong);
            }
            Answer::Unknown(_) => lost.extend(claims.drain(..).map(|claim| claim.0)),
        }
    }
    facts.retain(|fact| !lost.contains(fact));
}

/// Whether one of some claims can be wrong where a path stands.
fn refuted(m: &mut Machine, solver: &mut Solver, claims: &[(Fact, Term)]) -> Answer {
    let (terms, path) = m.symbolic.question();
    let mut all = Term::TRUE;
    for (_, claim) in claims {
        all = terms.and(all, *claim);
    }
    let guard = terms.not(all);
    solver.check(terms, path, guard)
}

/// Whether a constructor that throws leaves an object for which not all facts hold. Nobody refers to it, but where a subclass has
/// a finalizer, this gets it.
fn is_left_unlike(search: &mut Search<Unknowns>, made: ClassId, facts: &[Fact]) -> bool {
    let (m, solver) = search.machine_and_solver();
    let mut claims = Vec::new();
    for object in m.objects_of(made) {
        for fact in facts.iter().filter(|fact| m.program.is_subtype(made, fact.class)).collect::<Vec<_>>() {
            claims.push((*fact, m.holds_for(fact, object).unwrap_or(Term::FALSE)));
        }
    }
    !matches!(refuted(m, solver, &claims), Answer::Unsat)
}

fn is_true(m: &Machine, model: &Model, term: Term) -> bool {
    Evaluator::new().eval(m.terms(), model, term) == 1
}

/// The same without bounds that others imply.
fn strongest(facts: &[Fact]) -> Vec<Fact> {
    let is_implied = |fact: &Fact| {
        facts.iter().any(|other| {
            other.class == fact.class
                && match (fact.says, other.says) {
                    (Says::AtMost(Amount::Number(low), a), Says::AtMost(Amount::Number(more), b)) => {
                        a == b && more > low
                    }
                    (Says::AtMost(a, Amount::Number(high)), Says::AtMost(b, Amount::Number(less))) => {
                        a == b && less < high
                    }
                    (Says::RefersIf { place, .. }, Says::Refers(other)) => place == other,
                    (Says::AtMost(a, Amount::Field(place)), Says::AtMost(b, Amount::Below(other))) => {
                        a == b && place == other
                    }
                    _ => false,
                }
        })
    };
    facts.iter().filter(|fact| !is_implied(fact)).copied().collect()
}
