//! Unknown objects in the states that the program itself brings them into: when one is first looked at, a constructor or a
//! factory runs on unknown arguments, and then some of its methods.

use std::rc::Rc;

use program::descriptor::split_method;
use program::synthetic::SyntheticMethod;
use program::{ClassId, Code, Handler, Insn, Kind, MethodId, Op, access};
use term::Sort;

use super::made::CALLED;
use super::{FUNCTION, Origin, UNSEEN};
use crate::machine::Machine;
use crate::native::{Args, Raise, Return, Value};
use crate::outcome::Stop;
use crate::supposed::Supposition;
use crate::value::{Ref, Word};

/// The most constructors and factories, and the most methods, that are tried.
const STARTS: usize = 6;
const CALLS: usize = 6;

/// Which states unknown objects can be in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum States {
    /// Their fields hold anything.
    #[default]
    Any,
    /// What a constructor or factory makes, and what so many calls make of that.
    Made { calls: u32 },
}

/// A call on the way to an object.
#[derive(Clone, Debug)]
pub struct Way {
    pub method: MethodId,
    /// The number of its first argument among the inputs that an object is made of.
    pub first: u32,
}

/// How an object of a class is made. Its inputs are which start it is, which call each round makes (none is 0), and the
/// arguments of all of them.
#[derive(Debug)]
pub struct Ways {
    /// Constructors and factories, those first that anybody can call.
    pub starts: Vec<Way>,
    /// How many of them anybody can call.
    pub open: usize,
    pub rounds: Vec<Vec<Way>>,
    /// Whether its objects may be in other states, because they change, or because they depend on more than the arguments;
    others: bool,
    /// and whether they may have been read from a stream.
    is_read: bool,
    stub: MethodId,
}

impl Machine {
    /// Whether objects of a class of the program keep part of their state to themselves. Records are what they are made of.
    pub fn guards_state(&self, class: ClassId) -> bool {
        let declared = self.program.class(class);
        let name = self.program.class_name(class);
        let is_ours = !declared.is_library() && !declared.is_array() && !self.is_enum_class(class);
        if !is_ours || name.ends_with(FUNCTION) || declared.is_interface() {
            return false;
        }
        // Who extends a class hands on what its constructors want.
        let is_unseen = name.ends_with(UNSEEN);
        if self.canonical_constructor(class).is_some() {
            return false;
        }
        let is_guarded = |field: &program::Field| {
            !field.is_static()
                && field.flags & access::SYNTHETIC == 0
                && field.flags & (access::PRIVATE | access::FINAL) != 0
        };
        let mut chain = declared.display.iter().map(|ancestor| self.program.class(*ancestor));
        chain.any(|ancestor| ancestor.fields.iter().any(is_guarded))
            || !is_unseen
                && self.constructors_of(class).iter().all(|id| self.program.method(*id).is_private())
    }

    pub(super) fn constructors_of(&self, class: ClassId) -> Vec<MethodId> {
        let methods = self.program.class(class).methods.iter().copied();
        methods
            .filter(|id| {
                let method = self.program.method(*id);
                self.program.text(method.name) == "<init>" && method.flags & access::SYNTHETIC == 0
            })
            .collect()
    }

    /// Lets an unknown object be made; false if its fields can be just anything.
    pub(super) fn make_unknown(&mut self, object: Ref, class: ClassId, entity: u32) -> Result<bool, Raise> {
        let States::Made { calls } = self.symbolic.states else { return Ok(false) };
        let Some(ways) = self.ways(class, calls) else { return Ok(false) };
        if ways.others || ways.is_read {
            self.suppose(Supposition::Made { class, others: ways.others });
        }
        let mut words: Vec<Word> = vec![object.word()];
        let mut number = 0;
        let starts = ways.starts.len();
        let most = std::iter::once(starts - 1).chain(ways.rounds.iter().map(Vec::len));
        for most in most {
            let term = self.new_unknown(Kind::Int, Origin::Made { entity, number });
            number += 1;
            let terms = &mut self.symbolic.terms;
            let (low, high) = (terms.constant(Sort::INT, 0), terms.constant(Sort::INT, most as u64));
            let (from, to) = (terms.at_most(low, term), terms.at_most(term, high));
            self.symbolic.learn(from);
            self.symbolic.learn(to);
            words.push(self.term_word(term));
        }
        let outer = self.program.outer_class(class).map(|name| format!("L{name};"));
        for way in ways.starts.iter().chain(ways.rounds.iter().flatten()) {
            let is_constructor = self.program.text(self.program.method(way.method).name) == "<init>";
            for (place, (kind, descriptor)) in self.taken_by(way.method).into_iter().enumerate() {
                let term = self.new_input(kind, &descriptor, false, Origin::Made { entity, number })?;
                // Compilers see to it that an inner object has one around it.
                if is_constructor && place == 0 && outer.as_ref() == Some(&descriptor) {
                    self.learn_non_null(term);
                }
                number += 1;
                if kind.width() == 2 {
                    let (value, tag) = self.term_words(term);
                    words.extend([value, tag]);
                } else {
                    words.push(self.term_word(term));
                }
            }
        }
        self.symbolic.entities[entity as usize].ways = Some(ways.clone());
        self.ask_detour(ways.stub, words);
        Ok(true)
    }

    /// Kinds and descriptors of the parameters of a method.
    fn taken_by(&self, method: MethodId) -> Vec<(Kind, String)> {
        let descriptor = self.program.text(self.program.method(method).descriptor);
        let (types, _) = split_method(descriptor).unwrap_or_default();
        let kind = |text: &str| Kind::of(text).unwrap_or(Kind::Ref);
        types.into_iter().map(|text| (kind(text), text.to_string())).collect()
    }

    /// How objects of a class are made, if they guard their state and somebody can make them.
    fn ways(&mut self, class: ClassId, calls: u32) -> Option<Rc<Ways>> {
        if let Some(known) = self.symbolic.world.ways.get(&(class, calls)) {
            return known.clone();
        }
        let ways = self.find_ways(class, calls).map(Rc::new);
        self.symbolic.world.ways.insert((class, calls), ways.clone());
        ways
    }

    fn find_ways(&mut self, class: ClassId, calls: u32) -> Option<Ways> {
        if !self.guards_state(class) || self.program.class(class).is_abstract() {
            return None;
        }
        let display = self.program.class(class).display.clone();
        // Of the library's classes, the constructors of exceptions are plain enough.
        let mut library = display.iter().filter(|ancestor| self.program.class(**ancestor).is_library());
        let is_plain = |ancestor: &ClassId| {
            *ancestor == self.known.object || self.program.is_subtype(*ancestor, self.known.throwable)
        };
        if !library.all(is_plain) {
            return None;
        }
        let (hidden, mut starts): (Vec<MethodId>, Vec<MethodId>) =
            self.constructors_of(class).into_iter().partition(|id| self.program.method(*id).is_private());
        // One that looks at static fields may give an object that was there before: which one that is would be lost.
        let (factories, caches): (Vec<MethodId>, Vec<MethodId>) = self
            .factories_of(class)
            .into_iter()
            .partition(|factory| self.depends_on_little(class, *factory, CALLED));
        starts.extend(factories);
        let open = starts.len();
        let own: Vec<MethodId> = self.constructors_of(class).into_iter().chain(starts.clone()).collect();
        let is_called_elsewhere = |m: &mut Machine, hidden: &MethodId| {
            let callers = m.program.callers_of_constructor(*hidden);
            callers.is_none_or(|callers| !callers.iter().all(|caller| own.contains(caller)))
        };
        let hidden: Vec<MethodId> =
            hidden.into_iter().filter(|hidden| is_called_elsewhere(self, hidden)).collect();
        starts.extend(hidden);
        if starts.is_empty() {
            return None;
        }
        let others = starts.len() > STARTS || !caches.is_empty() || !self.make_all_states(class, &starts);
        // A stream that somebody made up is read into any state.
        let is_read = self
            .load("java/io/Serializable")
            .is_ok_and(|serializable| self.program.is_subtype(class, serializable));
        starts.truncate(STARTS);
        if starts.is_empty() {
            return None;
        }
        let changing = if calls == 0 { Vec::new() } else { self.changing_methods(&display) };
        let mut first = 1 + calls;
        let mut placed = |m: &Machine, methods: &[MethodId]| -> Vec<Way> {
            let mut place = |method: &MethodId| {
                let way = Way { method: *method, first };
                first += m.taken_by(*method).len() as u32;
                way
            };
            methods.iter().map(&mut place).collect()
        };
        let starts = placed(self, &starts);
        let rounds: Vec<Vec<Way>> = (0..calls).map(|_| placed(self, &changing)).collect();
        let stub = self.making_stub(class, &starts, &rounds);
        Some(Ways { open: open.min(starts.len()), starts, rounds, is_read, others, stub })
    }

    /// Static methods that others can call and that give an object of their class.
    fn factories_of(&self, class: ClassId) -> Vec<MethodId> {
        let gives = format!(")L{};", self.program.class_name(class));
        let methods = self.program.class(class).methods.iter().copied();
        methods
            .filter(|id| {
                let method = self.program.method(*id);
                let is_hidden = method.flags & (access::PRIVATE | access::SYNTHETIC) != 0;
                method.is_static() && !is_hidden && self.program.text(method.descriptor).ends_with(&gives)
            })
            .collect()
    }

    /// Methods that others can call and that may change their object, those first that write a field themselves.
    fn changing_methods(&mut self, display: &[ClassId]) -> Vec<MethodId> {
        let mut found: Vec<(bool, MethodId)> = Vec::new();
        let mut seen = Vec::new();
        for ancestor in display.iter().rev().filter(|ancestor| **ancestor != self.known.object) {
            for id in self.program.class(*ancestor).methods.clone() {
                let method = self.program.method(id);
                let names = (method.name, method.descriptor);
                let is_special = self.program.text(method.name).starts_with('<');
                let is_left_out = access::PRIVATE | access::SYNTHETIC | access::ABSTRACT | access::NATIVE;
                if method.is_static()
                    || is_special
                    || method.flags & is_left_out != 0
                    || seen.contains(&names)
                {
                    continue;
                }
                seen.push(names);
                let Ok(code) = self.program.translate(id) else { continue };
                let writes = code.insns.iter().any(|insn| insn.op == Op::PutFieldU);
                let calls = code.insns.iter().any(|insn| {
                    use Op::{InvokeInterfaceU, InvokeSpecialU, InvokeStaticU, InvokeVirtualU};
                    matches!(insn.op, InvokeInterfaceU | InvokeSpecialU | InvokeStaticU | InvokeVirtualU)
                });
                if writes || calls {
                    found.push((!writes, id));
                }
            }
        }
        found.sort_by_key(|(calls_only, _)| *calls_only);
        found.into_iter().take(CALLS).map(|(_, id)| id).collect()
    }

    /// Whether constructors and factories, on their arguments alone, make all the states that objects of a class are ever in.
    fn make_all_states(&mut self, class: ClassId, starts: &[MethodId]) -> bool {
        self.never_changes(class)
            && starts.iter().all(|start| {
                let mut taken = self.taken_by(*start).into_iter();
                taken.all(|(_, descriptor)| self.is_value_type(&descriptor, class))
                    && self.depends_on_arguments(class, *start)
            })
    }

    /// Whether objects of a class stay what they are made to be.
    pub fn never_changes(&mut self, class: ClassId) -> bool {
        let display = self.program.class(class).display.clone();
        let is_enum = |m: &Machine, ancestor: ClassId| m.program.class_name(ancestor) == "java/lang/Enum";
        let is_settled = display.iter().all(|ancestor| {
            // Newer ones keep their hash code, which nobody sees.
            if is_enum(self, *ancestor) {
                return true;
            }
            let fields = self.program.class(*ancestor).fields.clone();
            fields.iter().filter(|field| !field.is_static()).all(|field| {
                let descriptor = self.program.text(field.descriptor).to_string();
                self.program.is_settled(*ancestor, field.name) && self.is_value_type(&descriptor, class)
            })
        });
        self.sync_classes();
        is_settled
    }

    /// Lets an object be like another of the same class.
    pub fn take_state(&mut self, to: Ref, from: Ref) -> Result<(), Raise> {
        if from.is_null() || self.class_of(from) != self.class_of(to) {
            return Err(Raise::Stop(Stop::Rejected));
        }
        for level in self.program.class(self.class_of(to)).display.clone() {
            for field in self.program.class(level).fields.clone().iter().filter(|field| !field.is_static()) {
                for word in 0..u32::from(field.kind.width()) {
                    let value = self.get(from, field.offset + word);
                    self.put(to, field.offset + word, value);
                }
            }
        }
        Ok(())
    }

    /// A static method that makes an object of its arguments: the object to fill, which start, which calls, and what all of
    /// them take. Starts that throw are no way; what calls throw does not matter.
    fn making_stub(&mut self, class: ClassId, starts: &[Way], rounds: &[Vec<Way>]) -> MethodId {
        const OBJECT: u16 = 0;
        const START: u16 = 1;
        let first_round = 2;
        let mut next = first_round + rounds.len() as u16;
        let mut descriptor = format!("(L{};{}", self.program.class_name(class), "I".repeat(1 + rounds.len()));
        let all: Vec<Way> = starts.iter().chain(rounds.iter().flatten()).cloned().collect();
        let mut slots = Vec::new();
        for way in &all {
            slots.push(next);
            for (kind, text) in self.taken_by(way.method) {
                next += kind.width();
                descriptor += &text;
            }
        }
        descriptor += ")V";
        let area = next;
        let mut code: Vec<Insn> = Vec::new();
        let mut handlers: Vec<Handler> = Vec::new();
        let jump =
            |op: Op, register: u16, value: u32| Insn { op, a: register, b: 0, c: 0, imm: 0, ext: value };
        let mut places = all.iter().zip(slots);
        let take = self.native_stub("<take>", "(Ljava/lang/Object;Ljava/lang/Object;)V", take);
        let mut done = Vec::new();
        for index in 0..starts.len() {
            let Some((way, slot)) = places.next() else { break };
            let other = code.len();
            code.push(jump(Op::JNeK, START, index as u32));
            let (is_static, count) = {
                let method = self.program.method(way.method);
                (method.is_static(), method.signature.slots)
            };
            let mut to = area;
            if !is_static {
                code.push(Insn::new(Op::Mov, to, OBJECT, 0));
                to += 1;
            }
            code.extend((0..count).map(|at| Insn::new(Op::Mov, to + at, slot + at, 0)));
            code.push(self.call_insn(way.method, area));
            if is_static {
                code.push(Insn::new(Op::Mov, area + 1, area, 0));
                code.push(Insn::new(Op::Mov, area, OBJECT, 0));
                code.push(Insn::imm(Op::InvokeStatic, area, 0, take.0));
            }
            done.push(code.len());
            code.push(jump(Op::J, 0, 0));
            code[other].imm = code.len() as u32;
        }
        let refused = code.len() as u32;
        let reject = self.reject_stub();
        code.push(Insn::imm(Op::InvokeStatic, area, 0, reject.0));
        code.push(Insn::new(Op::RetV, 0, 0, 0));
        handlers.push(Handler { start: 0, end: refused, target: refused, class: 0 });
        done.iter().for_each(|at| code[*at].imm = refused + 2);
        for (round, calls) in rounds.iter().enumerate() {
            let start = code.len();
            let mut over = Vec::new();
            for index in 0..calls.len() {
                let Some((way, slot)) = places.next() else { break };
                let other = code.len();
                code.push(jump(Op::JNeK, first_round + round as u16, index as u32 + 1));
                let count = self.program.method(way.method).signature.slots;
                code.push(Insn::new(Op::Mov, area, OBJECT, 0));
                code.extend((0..count).map(|at| Insn::new(Op::Mov, area + 1 + at, slot + at, 0)));
                code.push(self.call_insn(way.method, area));
                over.push(code.len());
                code.push(jump(Op::J, 0, 0));
                code[other].imm = code.len() as u32;
            }
            let end = code.len() as u32;
            over.iter().for_each(|at| code[*at].imm = end);
            handlers.push(Handler { start: start as u32, end, target: end, class: 0 });
        }
        code.push(Insn::new(Op::RetV, 0, 0, 0));
        let most = all.iter().map(|way| self.program.method(way.method).arguments).max().unwrap_or(0);
        let code = Code {
            bci: vec![0; code.len()].into(),
            insns: code.into(),
            locals: area,
            registers: area + most + 8,
            handlers: handlers.into(),
            switches: Box::new([]),
        };
        let spec =
            SyntheticMethod { name: "<made>".into(), descriptor, flags: access::STATIC, code: Some(code) };
        let stub = self.program.add_stub(class, spec);
        self.callee(stub);
        stub
    }
}

/// Lets an object be like the one that a factory gave, if it gave one of the same class.
fn take(m: &mut Machine, a: Args) -> Return {
    let to = Ref::from_word(a.word(m, 0));
    let given = a.word(m, 1);
    let from = Ref::from_word(m.force(given)?);
    m.take_state(to, from)?;
    Ok(Value::Void)
}
