//! Resolving instructions: each unresolved form is rewritten in place the first time it is executed.
//!
//! A form that skips the initialization check is chosen only when the class was initialized while no checkpoint was
//! open, because otherwise a rollback could take the initialization back.

use program::resolve::MemberRef;
use program::{ClassId, Constant, Field, Insn, Kind, LinkError, MethodId, Op, Shape, access};

use crate::machine::{InitState, Machine, Site};
use crate::native::{Raise, Value};
use crate::outcome::Stop;

/// Where an instruction expects a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    Instance,
    Class,
}

impl Machine {
    /// The class whose constant pool the running method uses.
    fn pool_class(&self) -> ClassId {
        let frame = self.frames.last().expect("a frame is running");
        self.program.method(frame.method).class
    }

    fn linked<T>(&mut self, result: Result<T, LinkError>) -> Result<T, Raise> {
        self.sync_classes();
        result.map_err(|error| self.link_error(error))
    }

    /// True when the class will stay initialized.
    fn stays_initialized(&self, class: ClassId) -> bool {
        self.classes[class.0 as usize].init == InitState::Done && !self.has_checkpoint()
    }

    /// Resolves `insn`, which the top frame is executing, and gives the form to put in its place.
    pub(crate) fn resolve(&mut self, insn: Insn) -> Result<Insn, Raise> {
        let index = insn.imm as u16;
        match insn.op {
            Op::LdcU | Op::Ldc2U => self.resolve_constant(insn, index),
            Op::GetFieldU | Op::PutFieldU => self.resolve_field(insn, index),
            Op::GetStaticU | Op::PutStaticU => self.resolve_static(insn, index),
            Op::NewU => self.resolve_new(insn, index),
            Op::ANewArrU => {
                let element = self.class_operand(index)?;
                let array = self.program.array_of(element);
                let array = self.linked(array)?;
                Ok(Insn { op: Op::ANewArr, imm: array.0, ..insn })
            }
            Op::MultiU => {
                let class = self.class_operand(index)?;
                Ok(Insn { op: Op::Multi, imm: class.0, ..insn })
            }
            Op::CastU | Op::InstU => {
                let class = self.class_operand(index)?;
                let op = if insn.op == Op::CastU { Op::Cast } else { Op::Inst };
                Ok(Insn { op, imm: class.0, ext: 0, ..insn })
            }
            Op::InvokeStaticU => self.resolve_invoke_static(insn, index),
            Op::InvokeSpecialU => self.resolve_invoke_special(insn, index),
            Op::InvokeVirtualU | Op::InvokeInterfaceU => self.resolve_invoke_virtual(insn, index),
            Op::InvokeDynU => {
                let caller = self.pool_class();
                let target = self.library.link_call_site(self, caller, index)?;
                self.callee(target);
                Ok(Insn { op: Op::InvokeStatic, imm: target.0, ..insn })
            }
            _ => Err(Raise::Stop(Stop::NotModelled(format!("resolution of {:?}", insn.op)))),
        }
    }

    /// Whether the class that an instruction names is there.
    pub(crate) fn has_class(&mut self, insn: Insn) -> bool {
        let class = self.pool_class();
        let found = self.program.class_ref(class, insn.imm as u16).is_ok();
        self.sync_classes();
        found
    }

    fn class_operand(&mut self, index: u16) -> Result<ClassId, Raise> {
        let class = self.pool_class();
        let result = self.program.class_ref(class, index);
        self.linked(result)
    }

    fn resolve_constant(&mut self, insn: Insn, index: u16) -> Result<Insn, Raise> {
        let class = self.pool_class();
        let constant = self.program.class(class).file.as_ref().and_then(|file| file.constant(index).ok());
        let value = match constant {
            Some(Constant::String { .. }) => {
                let string = self.literal(class, index)?;
                if string.0 >= self.heap.start {
                    // A string the program interned itself: rollback may take it back, so the code does not keep it.
                    let frame = *self.top();
                    self.stack.set(frame.base as usize + insn.a as usize, string.word());
                    // SAFETY: a load of a constant is never the last instruction.
                    self.top().pc = unsafe { frame.pc.add(1) };
                    return Err(Raise::Retry);
                }
                Value::reference(string)
            }
            Some(Constant::Class { .. }) => {
                let id = self.class_operand(index)?;
                Value::reference(self.mirror(id))
            }
            _ => {
                let target = self.library.link_constant(self, class, index)?;
                self.callee(target);
                return Ok(Insn { op: Op::InvokeStatic, imm: target.0, ..insn });
            }
        };
        Ok(match value {
            Value::Two(word) => Insn { op: Op::Const2, imm: word as u32, ext: (word >> 32) as u32, ..insn },
            Value::One(word) => Insn { op: Op::Const, imm: word as u32, ..insn },
            _ => return Err(Raise::Retry),
        })
    }

    fn resolve_field(&mut self, insn: Insn, index: u16) -> Result<Insn, Raise> {
        let field = self.field_operand(index, Home::Instance)?;
        let checked = !self.program.class(self.pool_class()).is_library();
        let wide = field.kind.width() == 2;
        let op = match (insn.op, wide, checked) {
            (Op::GetFieldU, false, false) => Op::GetF1,
            (Op::GetFieldU, true, false) => Op::GetF2,
            (Op::GetFieldU, false, true) => Op::GetF1C,
            (Op::GetFieldU, true, true) => Op::GetF2C,
            (_, true, true) => Op::PutF2C,
            (_, true, false) => Op::PutF2,
            (_, false, true) if matches!(field.kind, Kind::Int | Kind::Float | Kind::Ref) => Op::PutF1C,
            (_, false, false) if matches!(field.kind, Kind::Int | Kind::Float | Kind::Ref) => Op::PutF1,
            _ => match field.kind {
                Kind::Boolean => Op::PutFZ,
                Kind::Byte => Op::PutFB,
                Kind::Char => Op::PutFC,
                _ => Op::PutFS,
            },
        };
        Ok(Insn { op, c: index, imm: field.offset, ext: field.class.0, ..insn })
    }

    /// The field a constant pool entry names, for an instruction that expects it in an instance or in its class.
    fn field_operand(&mut self, index: u16, home: Home) -> Result<Field, Raise> {
        let (pool, member, class) = self.member_operand(index)?;
        let Some(field) = self.program.find_field(class, member.name, member.descriptor).cloned() else {
            return Err(self.no_such_field(class, member));
        };
        self.check_field_access(pool, &field)?;
        if field.is_static() != (home == Home::Class) {
            let expected = if home == Home::Class { "static" } else { "non-static" };
            let owner = self.program.class_name(class).replace('/', ".");
            let message = format!("Expected {expected} field {owner}.{}", self.program.text(field.name));
            return Err(self.raise("java/lang/IncompatibleClassChangeError", Some(&message)));
        }
        Ok(field)
    }

    /// The class whose constant pool it is, what an entry of it says about a member, and the class to look in.
    fn member_operand(&mut self, index: u16) -> Result<(ClassId, MemberRef, ClassId), Raise> {
        let pool = self.pool_class();
        let member = self.program.member_ref(pool, index);
        let member = self.linked(member)?;
        let class = self.program.load_for(pool, member.class);
        Ok((pool, member, self.linked(class)?))
    }

    /// The class a checked field instruction at the current point belongs to.
    pub(crate) fn field_owner(&mut self, index: u16) -> Result<ClassId, Raise> {
        let (_, member, class) = self.member_operand(index)?;
        let owner = self.program.find_field(class, member.name, member.descriptor).map(|field| field.class);
        owner.ok_or_else(|| Raise::Stop(Stop::NotModelled("a field that vanished".into())))
    }

    fn resolve_static(&mut self, insn: Insn, index: u16) -> Result<Insn, Raise> {
        let field = self.field_operand(index, Home::Class)?;
        self.initialize(field.class)?;
        match insn.op {
            Op::GetStaticU => {
                self.suppose_fresh(insn, &field);
                self.suppose_set(insn, &field);
            }
            _ => self.suppose_unwritten(insn, &field),
        }
        let at = self.classes[field.class.0 as usize].statics + field.offset;
        let wide = field.kind.width() == 2;
        let is_ready = self.stays_initialized(field.class);
        let op = match (insn.op, wide, is_ready) {
            (Op::GetStaticU, false, true) => Op::GetS1,
            (Op::GetStaticU, true, true) => Op::GetS2,
            (Op::GetStaticU, false, false) => Op::GetS1I,
            (Op::GetStaticU, true, false) => Op::GetS2I,
            (_, false, true) => Op::PutS1,
            (_, true, true) => Op::PutS2,
            (_, false, false) => Op::PutS1I,
            (_, true, false) => Op::PutS2I,
        };
        // `c` says how a store narrows.
        let narrow = match field.kind {
            Kind::Boolean => 1,
            Kind::Byte => 2,
            Kind::Char => 3,
            Kind::Short => 4,
            _ => 0,
        };
        Ok(Insn { op, c: narrow, imm: at, ext: field.class.0, ..insn })
    }

    fn resolve_new(&mut self, insn: Insn, index: u16) -> Result<Insn, Raise> {
        let class = self.class_operand(index)?;
        let declared = self.program.class(class);
        if declared.flags & (access::ABSTRACT | access::INTERFACE) != 0
            || declared.shape != Shape::Declared
            || class == self.known.class
        {
            let name = self.program.class_name(class).replace('/', ".");
            return Err(self.raise("java/lang/InstantiationError", Some(&name)));
        }
        self.initialize(class)?;
        let op = if self.stays_initialized(class) { Op::New } else { Op::NewI };
        Ok(Insn { op, imm: class.0, ..insn })
    }

    /// The method a constant pool entry names, and the class it was looked up in.
    fn method_operand(&mut self, index: u16, op: Op) -> Result<(ClassId, MethodId), Raise> {
        let (pool, member, class) = self.member_operand(index)?;
        self.check_owner(class, member, op == Op::InvokeVirtualU)?;
        match self.program.find_method(class, member.name, member.descriptor) {
            Some(method) => {
                self.check_method_access(pool, class, method)?;
                Ok((class, method))
            }
            None => {
                let (name, descriptor) =
                    (self.program.text(member.name), self.program.text(member.descriptor));
                let text = external_method(self.program.class_name(class), name, descriptor);
                Err(self.raise("java/lang/NoSuchMethodError", Some(&text)))
            }
        }
    }

    fn resolve_invoke_static(&mut self, insn: Insn, index: u16) -> Result<Insn, Raise> {
        let pool = self.pool_class();
        let member = self.program.member_ref(pool, index);
        let member = self.linked(member)?;
        if let Some(target) = self.polymorphic_target(pool, member)? {
            return Ok(Insn { op: Op::InvokeStatic, imm: target.0, ..insn });
        }
        let (_, method) = self.method_operand(index, insn.op)?;
        if !self.program.method(method).is_static() {
            return Err(self.wrong_static(method, "Expected static"));
        }
        let class = self.program.method(method).class;
        self.initialize(class)?;
        self.callee(method);
        let op = if self.stays_initialized(class) { Op::InvokeStatic } else { Op::InvokeStaticI };
        Ok(Insn { op, imm: method.0, ext: class.0, ..insn })
    }

    fn wrong_static(&mut self, method: MethodId, expected: &str) -> Raise {
        let m = self.program.method(method);
        let owner = self.program.class_name(m.class);
        let text = external_method(owner, self.program.text(m.name), self.program.text(m.descriptor));
        let message = format!("{expected} method {text}");
        self.raise("java/lang/IncompatibleClassChangeError", Some(&message))
    }

    fn resolve_invoke_special(&mut self, insn: Insn, index: u16) -> Result<Insn, Raise> {
        let (class, mut method) = self.method_operand(index, insn.op)?;
        if self.program.method(method).is_static() {
            return Err(self.wrong_static(method, "Expecting non-static"));
        }
        let pool = self.pool_class();
        let resolved = self.program.method(method);
        let initializer = self.program.text(resolved.name) == "<init>";
        if !initializer && !resolved.is_private() && class != pool {
            // invokespecial on a superclass method: start from the direct superclass (JVMS 6.5).
            let from = if self.program.class(class).is_interface() {
                Some(class)
            } else if self.program.is_subtype(pool, class) {
                self.program.class(pool).super_class
            } else {
                Some(class)
            };
            let (name, descriptor) = (resolved.name, resolved.descriptor);
            if let Some(found) = from.and_then(|from| self.program.find_method(from, name, descriptor)) {
                method = found;
            }
        }
        self.callee(method);
        // Calls of code that is not trusted check the receiver's class.
        Ok(Insn { op: Op::InvokeDirect, c: self.checks_receiver(), imm: method.0, ext: 0, ..insn })
    }

    fn checks_receiver(&self) -> u16 {
        u16::from(!self.program.class(self.pool_class()).is_library())
    }

    fn resolve_invoke_virtual(&mut self, insn: Insn, index: u16) -> Result<Insn, Raise> {
        let pool = self.pool_class();
        let member = self.program.member_ref(pool, index);
        let member = self.linked(member)?;
        if let Some(target) = self.polymorphic_target(pool, member)? {
            return Ok(Insn { op: Op::InvokePoly, imm: target.0, ..insn });
        }
        let (_, method) = self.method_operand(index, insn.op)?;
        let resolved = self.program.method(method);
        if resolved.is_static() {
            return Err(self.wrong_static(method, "Expecting non-static"));
        }
        let owner = self.program.class(resolved.class);
        let is_final = resolved.flags & access::FINAL != 0 || owner.flags & access::FINAL != 0;
        let direct = resolved.is_private() || (is_final && !owner.is_interface());
        self.callee(method);
        if direct {
            return Ok(Insn {
                op: Op::InvokeDirect,
                c: self.checks_receiver(),
                imm: method.0,
                ext: 0,
                ..insn
            });
        }
        let site = self.sites.len() as u32;
        self.sites.push(Site { method, class: 0, target: method });
        let op = if insn.op == Op::InvokeVirtualU { Op::InvokeVirtual } else { Op::InvokeInterface };
        Ok(Insn { op, imm: site, ext: 0, ..insn })
    }

    /// What a call of `member` goes through if it is signature-polymorphic.
    fn polymorphic_target(&mut self, pool: ClassId, member: MemberRef) -> Result<Option<MethodId>, Raise> {
        let class_name = self.program.text(member.class);
        if !matches!(class_name, "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle") {
            return Ok(None);
        }
        let owner = self.program.load_for(pool, member.class);
        let owner = self.linked(owner)?;
        let Some(native) = self.polymorphic(owner, member.name) else { return Ok(None) };
        let name = self.program.text(self.program.method(native).name).to_string();
        let descriptor = self.program.text(member.descriptor).to_string();
        let target = self.library.link_polymorphic(self, pool, owner, &name, &descriptor)?;
        self.callee(target);
        Ok(Some(target))
    }

    /// The signature-polymorphic method of this name (JVMS 2.9.3).
    pub fn polymorphic(&self, owner: ClassId, name: program::Symbol) -> Option<MethodId> {
        let wanted = access::NATIVE | access::VARARGS;
        self.program.class(owner).methods.iter().copied().find(|m| {
            let method = self.program.method(*m);
            method.name == name && method.flags & wanted == wanted
        })
    }

    /// Finds the target of a virtual or interface call for a receiver class and remembers it at the site.
    pub(crate) fn dispatch(&mut self, site: u32, class: ClassId) -> Result<MethodId, Raise> {
        let method = self.sites[site as usize].method;
        let owner = self.program.method(method).class;
        if !self.program.is_subtype(class, owner) {
            if self.program.class(owner).is_interface() {
                let message = format!(
                    "Class {} does not implement the requested interface {}",
                    self.program.class_name(class).replace('/', "."),
                    self.program.class_name(owner).replace('/', ".")
                );
                return Err(self.raise("java/lang/IncompatibleClassChangeError", Some(&message)));
            }
            return Err(self.type_confusion("a receiver"));
        }
        match self.program.select(class, method) {
            Some(target) => {
                self.callee(target);
                self.sites[site as usize].class = class.0;
                self.sites[site as usize].target = target;
                Ok(target)
            }
            None => Err(self.abstract_method(class, method)),
        }
    }

    /// Bytecode used a value of the wrong class: only code no compiler makes does that.
    pub(crate) fn type_confusion(&self, what: &str) -> Raise {
        let frame = self.frames.last().expect("a frame is running");
        let name = self.program.method_name(frame.method);
        Raise::Stop(Stop::BadInput(format!("invalid bytecode in {name}: {what} of the wrong type")))
    }
}

/// `'int Foo.bar(String)'`, the way the JVM names methods in messages.
pub fn external_method(class: &str, name: &str, descriptor: &str) -> String {
    let Some((parameters, result)) = program::descriptor::split_method(descriptor) else {
        return format!("'{class}.{name}{descriptor}'");
    };
    let parameters: Vec<String> = parameters.into_iter().map(external_type).collect();
    format!("'{} {}.{name}({})'", external_type(result), class.replace('/', "."), parameters.join(", "))
}

/// `int`, `java.lang.String[]`: a descriptor as Java source writes it.
pub fn external_type(descriptor: &str) -> String {
    let dims = descriptor.bytes().take_while(|b| *b == b'[').count();
    let base = &descriptor[dims..];
    let name = match Kind::of(base) {
        Some(Kind::Ref) => {
            let name = base.strip_prefix('L').unwrap_or(base);
            name.strip_suffix(';').unwrap_or(name).replace('/', ".")
        }
        Some(kind) => kind.primitive_name().to_string(),
        None => base.to_string(),
    };
    name + &"[]".repeat(dims)
}
