//! Unknown objects whose states are just those that their constructor makes: records. Where the constructor of a record does
//! more than keep its arguments, it runs on unknown ones when the object is first looked at; arguments that it refuses
//! do not count.

use program::descriptor::split_method;
use program::synthetic::SyntheticMethod;
use program::{ClassId, Code, Handler, Insn, MethodId, Op, access};

use super::Origin;
use crate::machine::Machine;
use crate::native::Raise;
use crate::value::{Ref, Word};

const CONSTRUCTED: &str = "<constructed>";
/// How far it is looked into what a constructor calls.
pub(super) const CALLED: u32 = 4;

impl Machine {
    /// The constructor that every object of a record goes through; none for other classes.
    pub fn canonical_constructor(&self, class: ClassId) -> Option<MethodId> {
        let declared = self.program.class(class);
        let parent = declared.super_class?;
        if self.program.class_name(parent) != "java/lang/Record" {
            return None;
        }
        let fields = declared.fields.iter().filter(|field| !field.is_static());
        let types: String = fields.map(|field| self.program.text(field.descriptor)).collect();
        self.program.declared_method(class, "<init>", &format!("({types})V"))
    }

    /// Whether a constructor does nothing but keep its arguments.
    fn only_keeps(&mut self, constructor: MethodId) -> bool {
        let Ok(Some(code)) = self.program.code(constructor) else { return false };
        let mut calls = 0;
        code.insns.iter().all(|insn| match insn.op {
            Op::Nop | Op::Mov | Op::Mov2 | Op::RetV | Op::PutFieldU => true,
            Op::PutF1
            | Op::PutF2
            | Op::PutFZ
            | Op::PutFB
            | Op::PutFC
            | Op::PutFS
            | Op::PutF1C
            | Op::PutF2C => true,
            // That of `Record`.
            Op::InvokeSpecialU | Op::InvokeDirect => {
                calls += 1;
                calls == 1
            }
            _ => false,
        })
    }

    /// Whether the components of a record never change: what its constructor saw is what is there.
    fn holds_values(&mut self, class: ClassId) -> bool {
        let fields = self.program.class(class).fields.clone();
        fields.iter().filter(|field| !field.is_static()).all(|field| {
            let descriptor = self.program.text(field.descriptor).to_string();
            self.is_value_type(&descriptor, class)
        })
    }

    /// Whether what is of a type never changes. It is asked for part of a class, which would not come to an end in itself.
    pub(super) fn is_value_type(&mut self, descriptor: &str, class: ClassId) -> bool {
        if !descriptor.starts_with(['L', '[']) {
            return true;
        }
        let name = descriptor.trim_start_matches('L').trim_end_matches(';');
        if name == "java/lang/String" || self.library.is_one_value(name) && !name.contains("atomic") {
            return true;
        }
        self.load_descriptor(descriptor).is_ok_and(|component| {
            component != class
                && (self.is_enum_class(component)
                    || self.canonical_constructor(component).is_some() && self.holds_values(component))
        })
    }

    /// Whether what a constructor or factory does depends on its arguments alone, and nobody sees the object before it is
    /// finished: it looks at no static field, calls no code that might, and hands the object to nobody.
    pub(super) fn depends_on_arguments(&mut self, class: ClassId, constructor: MethodId) -> bool {
        !self.is_finalized(class) && self.depends_on_little(class, constructor, CALLED)
    }

    /// Whether an object that was given up before it was finished is seen by a finalizer. Those who extend an open class
    /// may have one.
    fn is_finalized(&mut self, class: ClassId) -> bool {
        if !self.is_closed(class) {
            return true;
        }
        let display = self.program.class(class).display.iter();
        let mut ours = display.filter(|ancestor| !self.program.class(**ancestor).is_library());
        ours.any(|ancestor| self.program.declared_method(*ancestor, "finalize", "()V").is_some())
    }

    pub(super) fn depends_on_little(&mut self, made: ClassId, method: MethodId, depth: u32) -> bool {
        let class = self.program.method(method).class;
        // Instructions that were resolved no longer say what they are about.
        let Ok(code) = self.program.translate(method) else { return false };
        let is_kept = |value: u16| {
            value == 0 || code.insns.iter().any(|insn| insn.op == Op::Mov && insn.b == 0 && insn.a == value)
        };
        if code.insns.iter().any(|insn| insn.op == Op::AAStore && is_kept(insn.c)) {
            return false;
        }
        code.insns.iter().all(|insn| {
            let is_bound = match insn.op {
                Op::GetStaticU | Op::PutStaticU | Op::InvokePoly => return false,
                Op::InvokeDynU => {
                    let descriptor = self.program.call_site_descriptor(class, insn.imm as u16);
                    return descriptor.is_some_and(|descriptor| !self.takes(made, &descriptor));
                }
                Op::PutFieldU => {
                    let member = self.program.member_ref(class, insn.imm as u16);
                    let descriptor = member.map(|member| self.program.text(member.descriptor).to_string());
                    return descriptor.is_ok_and(|descriptor| !self.takes(made, &format!("({descriptor})V")));
                }
                Op::InvokeStaticU | Op::InvokeSpecialU => true,
                Op::InvokeVirtualU | Op::InvokeInterfaceU => false,
                _ => return true,
            };
            let Ok(member) = self.program.member_ref(class, insn.imm as u16) else { return false };
            let called = self.program.text(member.class).to_string();
            let is_check =
                called == "java/util/Objects" && self.program.text(member.name).starts_with("requireNonNull");
            let descriptor = self.program.text(member.descriptor).to_string();
            if !is_check && self.takes(made, &descriptor) {
                return false;
            }
            let is_stateful = ["System", "Runtime", "Thread"]
                .iter()
                .any(|stateful| called.strip_prefix("java/lang/") == Some(stateful));
            if called.starts_with("java/lang/") && !is_stateful || called == "java/util/Objects" {
                return true;
            }
            let Ok(owner) = self.load(&called) else { return false };
            let names = (self.program.text(member.name), self.program.text(member.descriptor));
            let target = self.program.declared_method(owner, names.0, names.1);
            is_bound
                && depth > 0
                && !self.program.class(owner).is_library()
                && target.is_some_and(|target| self.depends_on_little(made, target, depth - 1))
        })
    }

    /// Whether an object of a class can be handed over to what has this descriptor.
    fn takes(&mut self, class: ClassId, descriptor: &str) -> bool {
        let (types, _) = split_method(descriptor).unwrap_or_default();
        types.into_iter().filter(|text| text.starts_with('L')).any(|text| {
            self.program.load_descriptor(text).map_or(true, |taken| self.program.is_subtype(class, taken))
        })
    }

    /// Lets the constructor of a record fill an unknown object; false if its fields can be just anything.
    pub(super) fn construct_unknown(
        &mut self,
        object: Ref,
        class: ClassId,
        entity: u32,
    ) -> Result<bool, Raise> {
        let stub = match self.symbolic.world.constructors.get(&class) {
            Some(stub) => *stub,
            None => {
                let constructor = self.canonical_constructor(class);
                let constructor = constructor.filter(|constructor| {
                    !self.only_keeps(*constructor)
                        && self.holds_values(class)
                        && self.depends_on_arguments(class, *constructor)
                });
                let stub = constructor.map(|constructor| self.construction_stub(class, constructor));
                self.symbolic.world.constructors.insert(class, stub);
                stub
            }
        };
        let Some(stub) = stub else { return Ok(false) };
        let mut words: Vec<Word> = vec![object.word()];
        for index in 0..self.program.class(class).fields.len() {
            let field = self.program.class(class).fields[index].clone();
            if field.is_static() {
                continue;
            }
            let descriptor = self.program.text(field.descriptor).to_string();
            let origin = Origin::Field { entity, offset: field.offset };
            let term = self.new_input(field.kind, &descriptor, false, origin)?;
            if let Some(generic) = self.program.generic_field_type(&field) {
                self.set_content(term, &generic)?;
            }
            if field.kind.width() == 2 {
                let (value, tag) = self.term_words(term);
                words.extend([value, tag]);
            } else {
                words.push(self.term_word(term));
            }
        }
        self.ask_detour(stub, words);
        Ok(true)
    }

    /// The record whose constructor runs now, if its type says no more than that it is an object of some library type.
    pub fn constructing_any(&self) -> Option<ClassId> {
        self.frames.iter().find_map(|frame| {
            let method = self.program.method(frame.method);
            let object = Ref::from_word(self.stack.get(frame.base as usize));
            let is_it = self.program.text(method.name) == CONSTRUCTED && method.hidden;
            let declared = if is_it { self.declared_of(object)? } else { return None };
            self.program.class(declared).is_library().then_some(method.class)
        })
    }

    /// A static method that runs a constructor on its first argument, and drops the path if that throws.
    fn construction_stub(&mut self, class: ClassId, constructor: MethodId) -> MethodId {
        let slots = self.program.method(constructor).arguments;
        let area = slots;
        let mut insns: Vec<Insn> = (0..slots).map(|slot| Insn::new(Op::Mov, area + slot, slot, 0)).collect();
        insns.push(self.call_insn(constructor, area));
        insns.push(Insn::new(Op::RetV, 0, 0, 0));
        let refused = insns.len() as u32;
        let reject = self.reject_stub();
        insns.push(Insn::imm(Op::InvokeStatic, area, 0, reject.0));
        insns.push(Insn::new(Op::RetV, 0, 0, 0));
        let handler = Handler { start: 0, end: refused, target: refused, class: 0 };
        let code = Code {
            bci: vec![0; insns.len()].into(),
            insns: insns.into(),
            locals: slots,
            registers: 2 * slots + 8,
            handlers: Box::new([handler]),
            switches: Box::new([]),
        };
        let types = self.program.text(self.program.method(constructor).descriptor);
        let descriptor = format!("(L{};{}", self.program.class_name(class), types.trim_start_matches('('));
        let flags = access::STATIC;
        let spec = SyntheticMethod { name: CONSTRUCTED.into(), descriptor, flags, code: Some(code) };
        let stub = self.program.add_stub(class, spec);
        self.callee(stub);
        stub
    }
}
