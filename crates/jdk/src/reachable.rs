//! Which native methods a program could still meet that are not modelled.
//!
//! An approximation by rapid type analysis over bytecode: from the entry and the boot of the library, a virtual call
//! reaches the implementations in classes that reachable code instantiates. Reflection is not followed.

use std::collections::BTreeSet;

use machine::Machine;
use program::bytecode::Body;
use program::classfile::Reader;
use program::{ClassFile, ClassId, Constant, MethodId};
use rustc_hash::FxHashSet;

use crate::natives;

/// Full names of the unmodelled native methods reachable from `entry`, sorted.
pub fn unmodelled(m: &mut Machine, entry: MethodId) -> Vec<String> {
    let mut analysis = Analysis {
        m,
        reached: FxHashSet::default(),
        waiting: Vec::new(),
        instantiated: Vec::new(),
        known_instances: FxHashSet::default(),
        virtual_calls: Vec::new(),
        known_calls: FxHashSet::default(),
        initialized: FxHashSet::default(),
        found: BTreeSet::new(),
    };
    analysis.method(entry);
    let class = analysis.m.program.method(entry).class;
    analysis.initialize(class);
    if let Some(system) = analysis.m.program.find_loaded("java/lang/System")
        && let Some(boot) = analysis.m.program.declared_method(system, "initPhase1", "()V")
    {
        analysis.method(boot);
    }
    while let Some(method) = analysis.waiting.pop() {
        analysis.body(method);
    }
    analysis.found.into_iter().collect()
}

struct Analysis<'a> {
    m: &'a mut Machine,
    reached: FxHashSet<MethodId>,
    waiting: Vec<MethodId>,
    instantiated: Vec<ClassId>,
    known_instances: FxHashSet<ClassId>,
    virtual_calls: Vec<MethodId>,
    known_calls: FxHashSet<MethodId>,
    initialized: FxHashSet<ClassId>,
    found: BTreeSet<String>,
}

impl Analysis<'_> {
    /// A method can be called.
    fn method(&mut self, id: MethodId) {
        if !self.reached.insert(id) {
            return;
        }
        let program = &self.m.program;
        let method = program.method(id);
        let owner = program.class_name(method.class);
        let (name, descriptor) = (program.text(method.name), program.text(method.descriptor));
        if natives::find(owner, name, descriptor).is_some() {
            return;
        }
        if method.is_native() {
            self.found.insert(format!("{}.{name}{descriptor}", owner.replace('/', ".")));
        } else if !method.is_abstract() {
            self.waiting.push(id);
        }
    }

    /// A virtual or interface call: whatever instantiated classes make of it.
    fn virtual_call(&mut self, id: MethodId) {
        if !self.known_calls.insert(id) {
            return;
        }
        self.virtual_calls.push(id);
        for i in 0..self.instantiated.len() {
            self.dispatch(self.instantiated[i], id);
        }
    }

    fn instantiate(&mut self, class: ClassId) {
        self.initialize(class);
        if !self.known_instances.insert(class) {
            return;
        }
        self.instantiated.push(class);
        for i in 0..self.virtual_calls.len() {
            self.dispatch(class, self.virtual_calls[i]);
        }
    }

    fn dispatch(&mut self, class: ClassId, call: MethodId) {
        let owner = self.m.program.method(call).class;
        if self.m.program.is_subtype(class, owner)
            && let Some(target) = self.m.program.select(class, call)
        {
            self.method(target);
        }
    }

    fn initialize(&mut self, class: ClassId) {
        let mut at = Some(class);
        while let Some(id) = at {
            if !self.initialized.insert(id) {
                return;
            }
            if let Some(initializer) = self.m.program.class(id).initializer {
                self.method(initializer);
            }
            at = self.m.program.class(id).super_class;
        }
    }

    fn class(&mut self, name: &str) -> Option<ClassId> {
        let class = self.m.program.load(name).ok();
        self.m.sync_classes();
        class
    }

    /// Follows the calls of a body. What cannot be read or linked would be an error at run time, and ends there.
    fn body(&mut self, id: MethodId) -> Option<()> {
        let method = self.m.program.method(id);
        let (class, index) = (method.class, method.index as usize);
        let file = self.m.program.class(class).file.clone()?;
        let body = Body::of(&file, &file.methods.get(index)?.attributes).ok()??;
        let mut at = 0;
        while at < body.code.len() {
            let op = body.u8(at).ok()?;
            if (178..=187).contains(&op) {
                self.instruction(&file, op, body.u16(at + 1).ok()?);
            }
            at += body.length(at).ok()?;
        }
        Some(())
    }

    fn instruction(&mut self, file: &ClassFile, op: u8, index: u16) -> Option<()> {
        match (op, file.constant(index).ok()?) {
            (178 | 179, Constant::Field { class, .. }) => {
                let class = self.class(&file.class_name(class).ok()?)?;
                self.initialize(class);
            }
            (187, Constant::Class { .. }) => {
                let class = self.class(&file.class_name(index).ok()?)?;
                self.instantiate(class);
            }
            (
                182..=185,
                Constant::Method { class, name_and_type }
                | Constant::InterfaceMethod { class, name_and_type },
            ) => {
                let class = self.class(&file.class_name(class).ok()?)?;
                let (name, descriptor) = file.name_and_type(name_and_type).ok()?;
                let method = self.m.program.find_method_named(class, &name, &descriptor)?;
                match op {
                    182 | 185 => self.virtual_call(method),
                    183 => self.method(method),
                    _ => {
                        self.initialize(self.m.program.method(method).class);
                        self.method(method);
                    }
                }
            }
            (186, Constant::InvokeDynamic { bootstrap, .. }) => self.bootstrap(file, bootstrap)?,
            _ => {}
        }
        Some(())
    }

    /// The methods a call site's static arguments refer to can be called.
    fn bootstrap(&mut self, file: &ClassFile, number: u16) -> Option<()> {
        let mut r = Reader::new(file.attribute(&file.attributes, "BootstrapMethods")?);
        for entry in 0..r.u16().ok()? {
            let _method = r.u16().ok()?;
            for _ in 0..r.u16().ok()? {
                let argument = r.u16().ok()?;
                if entry == number
                    && let Ok(Constant::MethodHandle { kind, reference }) = file.constant(argument)
                {
                    let op = match kind {
                        5 | 9 => 182,
                        6 => 184,
                        7 | 8 => 183,
                        _ => continue,
                    };
                    self.instruction(file, op, reference);
                    if kind == 8
                        && let Ok(Constant::Method { class, .. }) = file.constant(reference)
                        && let Some(class) = self.class(&file.class_name(class).ok()?)
                    {
                        self.instantiate(class);
                    }
                }
            }
        }
        Some(())
    }
}
