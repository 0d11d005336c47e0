//! What a class keeps to itself: who writes its fields, and who calls its constructors.

use crate::class::{ClassId, Method, MethodId};
use crate::classfile::{Constant, access};
use crate::code::{Insn, Op};
use crate::link::Program;
use crate::symbol::Symbol;
use crate::translate::is_jump;

impl Program {
    /// Whether nobody but its class and those around and inside it can write a static field, and they do so only while
    /// they are initialized.
    pub fn is_written_once(&mut self, class: ClassId, field: Symbol) -> bool {
        let Some(declared) = self.class(class).fields.iter().find(|own| own.name == field && own.is_static())
        else {
            return false;
        };
        if declared.flags & access::FINAL != 0 {
            return true;
        }
        if declared.flags & access::PRIVATE == 0 {
            return false;
        }
        let nest = self.nest(class);
        nest.iter().all(|name| {
            self.load(name)
                .is_ok_and(|member| !self.writes(member, class, field) && !self.looks_into_itself(member))
        })
    }

    /// Whether a class may reach what is private in another way than by its instructions: by reflection, or by a lookup, which
    /// it may also hand out.
    pub(crate) fn looks_into_itself(&self, class: ClassId) -> bool {
        let Some(file) = &self.class(class).file else { return true };
        (1..file.pool_len() as u16).any(|index| {
            let Ok(Constant::Method { class: owner, name_and_type }) = file.constant(index) else {
                return false;
            };
            let (Ok(owner), Ok((name, _))) = (file.class_name(owner), file.name_and_type(name_and_type))
            else {
                return true;
            };
            match &*owner {
                "java/lang/invoke/MethodHandles" => name == "lookup" || name == "privateLookupIn",
                "java/lang/Class" => name.starts_with("getDeclared") || name == "newInstance",
                owner => {
                    let is_updater =
                        owner.starts_with("java/util/concurrent/atomic/") && owner.ends_with("FieldUpdater");
                    is_updater || owner.ends_with("/misc/Unsafe")
                }
            }
        })
    }

    /// What an `invokedynamic` takes and gives.
    pub fn call_site_descriptor(&self, class: ClassId, index: u16) -> Option<String> {
        let file = self.class(class).file.as_ref()?;
        let Ok(Constant::InvokeDynamic { name_and_type, .. }) = file.constant(index) else { return None };
        file.name_and_type(name_and_type).ok().map(|(_, descriptor)| descriptor.into_owned())
    }

    /// Whether a class has a method, other than its initializer, that writes a static field.
    fn writes(&mut self, class: ClassId, owner: ClassId, field: Symbol) -> bool {
        let methods = self.class(class).methods.clone();
        methods.into_iter().any(|id| {
            if class == owner && self.text(self.method(id).name) == "<clinit>" {
                return false;
            }
            let Ok(Some(code)) = self.code(id) else { return self.method(id).is_native() };
            let indices: Vec<u16> = code
                .insns
                .iter()
                .filter(|insn| insn.op == Op::PutStaticU)
                .map(|insn| insn.imm as u16)
                .collect();
            // What was resolved by now no longer says what it writes.
            let is_resolved = code.insns.iter().any(|insn| {
                matches!(insn.op, Op::PutS1 | Op::PutS2 | Op::PutS1I | Op::PutS2I) && insn.ext == owner.0
            });
            is_resolved
                || indices
                    .iter()
                    .any(|index| self.member_ref(class, *index).is_ok_and(|member| member.name == field))
        })
    }

    /// Whether an instance field keeps what the constructors of its class left there: it is final, or nobody else writes it.
    pub fn is_settled(&mut self, class: ClassId, field: Symbol) -> bool {
        let declared = self.class(class).fields.iter().find(|own| own.name == field && !own.is_static());
        let Some(flags) = declared.map(|declared| declared.flags) else { return false };
        if self.class(class).is_library() {
            return flags & access::FINAL != 0;
        }
        let nest = self.nest(class);
        if nest.iter().any(|name| self.load(name).map_or(true, |member| self.looks_into_itself(member))) {
            return false;
        }
        if flags & access::FINAL != 0 {
            return true;
        }
        if flags & access::PRIVATE == 0 {
            return false;
        }
        nest.iter().all(|name| self.load(name).is_ok_and(|member| !self.sets(member, class, field)))
    }

    /// Whether a class has a method, other than a constructor of the owner, that writes an instance field.
    fn sets(&mut self, class: ClassId, owner: ClassId, field: Symbol) -> bool {
        let methods = self.class(class).methods.clone();
        methods.into_iter().any(|id| {
            let method = self.method(id);
            if method.is_native() || method.is_abstract() {
                return method.is_native();
            }
            if class == owner && self.text(method.name) == "<init>" {
                return false;
            }
            let Ok(code) = self.translate(id) else { return true };
            code.insns.iter().filter(|insn| insn.op == Op::PutFieldU).any(|insn| {
                self.member_ref(class, insn.imm as u16).map_or(true, |member| member.name == field)
            })
        })
    }

    /// The methods that call a private constructor, once for each call; none if that cannot be told.
    pub fn callers_of_constructor(&mut self, constructor: MethodId) -> Option<Vec<MethodId>> {
        let Method { class, descriptor, .. } = *self.method(constructor);
        let name = self.class(class).name;
        let mut callers = Vec::new();
        for member in self.nest(class) {
            let member = self.load(&member).ok()?;
            if self.has_constructor_handles(member) || self.looks_into_itself(member) {
                return None;
            }
            for id in self.class(member).methods.clone() {
                let method = self.method(id);
                if method.is_native() || method.is_abstract() {
                    continue;
                }
                let code = self.translate(id).ok()?;
                for insn in code.insns.iter().filter(|insn| insn.op == Op::InvokeSpecialU) {
                    let called = self.member_ref(member, insn.imm as u16).ok()?;
                    let is_constructor = self.text(called.name) == "<init>";
                    if called.class == name && called.descriptor == descriptor && is_constructor {
                        callers.push(id);
                    }
                }
            }
        }
        Some(callers)
    }

    /// Whether a class has a constant that stands for a constructor, as `Point::new` does.
    fn has_constructor_handles(&self, class: ClassId) -> bool {
        const NEW: u8 = 8;
        let Some(file) = &self.class(class).file else { return true };
        (1..file.pool_len() as u16)
            .any(|index| matches!(file.constant(index), Ok(Constant::MethodHandle { kind: NEW, .. })))
    }

    /// Whether a method is executed straight on, without going back.
    pub fn is_without_loops(&self, method: MethodId) -> bool {
        let Ok(code) = self.translate(method) else { return false };
        let is_back = |(index, insn): (usize, &Insn)| is_jump(insn.op) && (insn.imm as usize) <= index;
        !code.insns.iter().enumerate().any(is_back) && code.switches.is_empty()
    }

    /// The classes around and inside a class and itself, as far as they can be loaded.
    pub fn nest_of(&mut self, class: ClassId) -> Vec<ClassId> {
        self.nest(class).iter().filter_map(|name| self.load(name).ok()).collect()
    }
}
