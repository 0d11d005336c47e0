//! Who can write private fields: the methods of the nest that others can call, or that the JVM calls, as far as they
//! may lead to a write. Whatever cannot be told from the class files makes the answer none.

use rustc_hash::FxHashSet;

use crate::bytecode::Body;
use crate::class::{ClassId, MethodId};
use crate::classfile::{Constant, Reader, access};
use crate::code::Op;
use crate::link::Program;
use crate::symbol::Symbol;

/// Private methods that serialization calls.
const HOOKS: &[&str] = &["readObject", "readObjectNoData", "readResolve", "writeObject", "writeReplace"];

/// Bootstrap methods that do nothing else with the lookup they are given than what the class file says.
const BOOTSTRAPS: &[&str] = &[
    "java/lang/invoke/LambdaMetafactory",
    "java/lang/invoke/StringConcatFactory",
    "java/lang/runtime/ObjectMethods",
    "java/lang/runtime/SwitchBootstraps",
];

/// Fields of a class, by their names.
#[derive(Clone, Copy)]
enum Fields<'a> {
    Static(&'a [Symbol]),
    /// Objects that are made have them written.
    Instance(&'a [Symbol]),
}

/// A name and a descriptor; of constructors also the class, because nobody inherits them.
type Signature = (Option<Symbol>, Symbol, Symbol);

/// A method of the nest: what it does itself.
struct Member {
    id: MethodId,
    signature: Signature,
    writes: bool,
    calls: Vec<Signature>,
    role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Anybody may call it, at any time.
    Entry,
    /// Only methods of the nest call it.
    Inner,
    /// It runs once, before everything else.
    OwnInitializer,
    /// It runs once, and nobody knows when.
    OtherInitializer,
}

impl Program {
    /// The methods by which others may cause static fields of a class to be written that are private; none if that cannot be
    /// told. What calls another of them and writes nothing itself is not among them.
    pub fn writers_of(&mut self, class: ClassId, fields: &[Symbol]) -> Option<Vec<MethodId>> {
        self.callable_writers(class, Fields::Static(fields))
    }

    /// The same for fields of objects that are private or final: all by which others may make an object of the class, or change
    /// one. What its own initializer does is not among them.
    pub fn changers_of(&mut self, class: ClassId, fields: &[Symbol]) -> Option<Vec<MethodId>> {
        self.callable_writers(class, Fields::Instance(fields))
    }

    fn callable_writers(&mut self, class: ClassId, fields: Fields) -> Option<Vec<MethodId>> {
        if !self.is_nest_complete(class) {
            return None;
        }
        let (mut members, mut handed) = (Vec::new(), Vec::new());
        for name in self.nest(class) {
            let member = self.load(&name).ok()?;
            if self.looks_into_itself(member) || !self.has_plain_constants(member) {
                return None;
            }
            handed.extend(self.handed_out(member)?);
            for id in self.class(member).methods.clone() {
                members.extend(self.member_of_nest(class, id, fields)?);
            }
        }
        for member in &mut members {
            if member.role == Role::Inner && handed.contains(&member.signature) {
                member.role = Role::Entry;
            }
        }
        let leading = leading(&members);
        let mut writers = Vec::new();
        for member in members.iter().filter(|member| leading.contains(&member.id)) {
            match member.role {
                Role::Entry => writers.push(member.id),
                Role::Inner | Role::OwnInitializer => {}
                Role::OtherInitializer => return None,
            }
        }
        Some(writers)
    }

    /// The small numbers that stand in the code of a class, each once.
    pub fn numbers_of(&self, class: ClassId) -> Vec<i32> {
        let mut found = Vec::new();
        for id in &self.class(class).methods {
            let Ok(code) = self.translate(*id) else { continue };
            for insn in &code.insns {
                use Op::{Const, IAddK, IAndK, IRemK, JEqK, JGeK, JGtK, JLeK, JLtK, JNeK};
                let number = match insn.op {
                    Const | IAddK | IAndK | IRemK => insn.imm as i32,
                    JEqK | JNeK | JLtK | JGeK | JGtK | JLeK => insn.ext as i32,
                    _ => continue,
                };
                if !found.contains(&number) {
                    found.push(number);
                }
            }
        }
        found
    }

    /// Whether nobody looks further at what a static field of a class refers to than whether it is null.
    pub fn is_only_tested(&mut self, class: ClassId, field: Symbol) -> bool {
        let text = self.text(field).to_string();
        self.nest(class).iter().all(|name| {
            let Ok(member) = self.load(name) else { return false };
            let Some(file) = self.class(member).file.clone() else { return false };
            let is_tested = |at: usize, body: &Body| {
                let Ok(Constant::Field { name_and_type, .. }) = file.constant(body.u16(at + 1).ok()?) else {
                    return None;
                };
                let (name, _) = file.name_and_type(name_and_type).ok()?;
                let follows = body.u8(at + 3).ok()?;
                Some(name != text || matches!(follows, IFNULL | IFNONNULL))
            };
            file.methods.iter().all(|method| match Body::of(&file, &method.attributes) {
                Ok(Some(body)) => {
                    let mut at = 0;
                    while at < body.code.len() {
                        if body.code[at] == GETSTATIC && is_tested(at, &body) != Some(true) {
                            return false;
                        }
                        let Ok(length) = body.length(at) else { return false };
                        at += length;
                    }
                    true
                }
                Ok(None) => method.access & access::NATIVE == 0,
                Err(_) => false,
            })
        })
    }

    fn member_of_nest(&mut self, owner: ClassId, id: MethodId, fields: Fields) -> Option<Option<Member>> {
        let method = self.method(id);
        let (class, flags) = (method.class, method.flags);
        let signature = self.signature(self.class(class).name, method.name, method.descriptor);
        if method.is_native() {
            return None;
        }
        // What the machine added is not the program's.
        if method.is_abstract() || method.hidden {
            return Some(None);
        }
        let name = self.text(method.name).to_string();
        let is_record =
            self.class(class).super_class.is_some_and(|above| self.class_name(above) == "java/lang/Record");
        let role = match name.as_str() {
            "<clinit>" if class == owner => Role::OwnInitializer,
            "<clinit>" => Role::OtherInitializer,
            "<init>" if is_record => Role::Entry,
            name if HOOKS.contains(&name) => Role::Entry,
            _ if flags & access::PRIVATE == 0 => Role::Entry,
            _ => Role::Inner,
        };
        let code = self.translate(id).ok()?;
        let writes = matches!(fields, Fields::Instance(_)) && class == owner && name == "<init>";
        let mut member = Member { id, signature, writes, calls: Vec::new(), role };
        for insn in &code.insns {
            use Op::{
                InvokeInterfaceU, InvokeSpecialU, InvokeStaticU, InvokeVirtualU, PutFieldU, PutStaticU,
            };
            if matches!(
                insn.op,
                PutFieldU | PutStaticU | InvokeInterfaceU | InvokeSpecialU | InvokeStaticU | InvokeVirtualU
            ) {
                let named = self.member_ref(class, insn.imm as u16).ok()?;
                match (insn.op, fields) {
                    (PutStaticU, Fields::Static(fields)) | (PutFieldU, Fields::Instance(fields)) => {
                        let may_be_its = fields.contains(&named.name) && self.may_inherit(named.class, owner);
                        member.writes |= may_be_its;
                    }
                    (PutStaticU | PutFieldU, _) => {}
                    _ => member.calls.push(self.signature(named.class, named.name, named.descriptor)),
                }
            }
        }
        Some(Some(member))
    }

    fn signature(&self, class: Symbol, name: Symbol, descriptor: Symbol) -> Signature {
        ((self.text(name) == "<init>").then_some(class), name, descriptor)
    }

    /// Whether a class of this name may have the fields of another.
    fn may_inherit(&mut self, name: Symbol, from: ClassId) -> bool {
        let name = self.text(name).to_string();
        self.load(&name).map_or(true, |class| self.is_subtype(class, from))
    }

    /// Whether all the classes are there that a class shares its private members with.
    fn is_nest_complete(&mut self, class: ClassId) -> bool {
        self.nest(class).iter().all(|name| {
            let Ok(member) = self.load(name) else { return false };
            let Some(file) = self.class(member).file.clone() else { return false };
            let Some(contents) = file.attribute(&file.attributes, "NestMembers") else { return true };
            let mut reader = Reader::new(contents);
            let Ok(count) = reader.u16() else { return false };
            (0..count).all(|_| {
                let named =
                    reader.u16().and_then(|index| file.class_name(index).map(|name| name.into_owned()));
                named.is_ok_and(|name| self.load(&name).is_ok())
            })
        })
    }

    /// What the constants of a class hand out: methods that somebody else may call then.
    fn handed_out(&mut self, class: ClassId) -> Option<Vec<Signature>> {
        let file = self.class(class).file.clone()?;
        let mut handed = Vec::new();
        for index in 1..file.pool_len() as u16 {
            if let Ok(Constant::MethodHandle { kind, reference }) = file.constant(index) {
                const FIELDS: std::ops::RangeInclusive<u8> = 1..=4;
                if FIELDS.contains(&kind) {
                    // Those of records read what is theirs.
                    const GETS: u8 = 1;
                    if kind != GETS {
                        return None;
                    }
                    continue;
                }
                let named = self.member_ref(class, reference).ok()?;
                handed.push(self.signature(named.class, named.name, named.descriptor));
            }
        }
        Some(handed)
    }

    /// Whether a class has no call sites and constants of others' making: they get a lookup that may do anything.
    fn has_plain_constants(&self, class: ClassId) -> bool {
        let Some(file) = &self.class(class).file else { return false };
        let Some(contents) = file.attribute(&file.attributes, "BootstrapMethods") else { return true };
        let mut reader = Reader::new(contents);
        let mut is_plain = || -> Option<bool> {
            for _ in 0..reader.u16().ok()? {
                let Ok(Constant::MethodHandle { reference, .. }) = file.constant(reader.u16().ok()?) else {
                    return None;
                };
                let Ok(Constant::Method { class, .. } | Constant::InterfaceMethod { class, .. }) =
                    file.constant(reference)
                else {
                    return None;
                };
                if !BOOTSTRAPS.contains(&&*file.class_name(class).ok()?) {
                    return Some(false);
                }
                for _ in 0..reader.u16().ok()? {
                    reader.u16().ok()?;
                }
            }
            Some(true)
        };
        is_plain() == Some(true)
    }
}

const GETSTATIC: u8 = 178;
const IFNULL: u8 = 198;
const IFNONNULL: u8 = 199;

/// The methods that write, or call what only the nest calls and what leads to a write.
fn leading(members: &[Member]) -> FxHashSet<MethodId> {
    let mut found: FxHashSet<MethodId> =
        members.iter().filter(|member| member.writes).map(|member| member.id).collect();
    loop {
        let inner: FxHashSet<Signature> = members
            .iter()
            .filter(|member| member.role == Role::Inner && found.contains(&member.id))
            .map(|member| member.signature)
            .collect();
        let before = found.len();
        found.extend(
            members
                .iter()
                .filter(|member| member.calls.iter().any(|called| inner.contains(called)))
                .map(|member| member.id),
        );
        if found.len() == before {
            return found;
        }
    }
}
