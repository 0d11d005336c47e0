//! Where a linked class has its fields, and its dispatch table (JVMS 5.4).

use crate::class::{ClassId, Field, Method, MethodId};
use crate::classfile::access;
use crate::descriptor::Kind;
use crate::link::{Program, package};
use crate::members::Members;

impl Program {
    /// Completes a class: hierarchy, fields, methods, dispatch table.
    pub(crate) fn install(
        &mut self,
        id: ClassId,
        super_class: Option<ClassId>,
        interfaces: Vec<ClassId>,
        members: Members,
    ) {
        let mut all_interfaces = interfaces.clone();
        for &interface in &interfaces {
            all_interfaces.extend_from_slice(&self.class(interface).all_interfaces);
        }
        if let Some(parent) = super_class {
            all_interfaces.extend_from_slice(&self.class(parent).all_interfaces);
        }
        all_interfaces.sort();
        all_interfaces.dedup();
        let (mut display, words, refs) = match super_class.map(|parent| self.class(parent)) {
            Some(parent) => (parent.display.clone(), parent.instance_words, parent.ref_words.clone()),
            None => (Vec::new(), 1, Vec::new()),
        };
        display.push(id);
        let class = &mut self.classes[id.0 as usize];
        class.super_class = super_class;
        class.interfaces = interfaces;
        class.all_interfaces = all_interfaces;
        class.display = display;
        class.instance_words = words;
        class.ref_words = refs;
        if self.object.is_none() && super_class.is_none() {
            self.object = Some(id);
        }
        self.lay_out(id, members.fields);
        self.add_methods(id, members.methods);
        self.build_vtable(id);
    }

    fn lay_out(&mut self, id: ClassId, fields: Vec<Field>) {
        let class = &mut self.classes[id.0 as usize];
        for mut field in fields {
            field.class = id;
            let width = u32::from(field.kind.width());
            let (next, refs) = if field.is_static() {
                (&mut class.static_words, &mut class.static_refs)
            } else {
                (&mut class.instance_words, &mut class.ref_words)
            };
            field.offset = *next;
            *next += width;
            if field.kind == Kind::Ref {
                refs.push(field.offset);
            }
            class.fields.push(field);
        }
    }

    fn add_methods(&mut self, id: ClassId, methods: Vec<Method>) {
        for mut method in methods {
            method.class = id;
            method.id = MethodId(self.methods.len() as u32);
            let class = &mut self.classes[id.0 as usize];
            class.methods.push(method.id);
            class.method_index.insert((method.name, method.descriptor), method.id);
            let name = self.symbols.text(method.name);
            if name == "<clinit>" && method.is_static() && method.arguments == 0 {
                class.initializer = Some(method.id);
            }
            self.methods.push(method);
        }
    }

    fn build_vtable(&mut self, id: ClassId) {
        let class = self.class(id);
        if class.is_interface() {
            return;
        }
        let parent = class.super_class;
        let mut vtable = parent.map(|p| self.class(p).vtable.clone()).unwrap_or_default();
        for method_id in self.class(id).methods.clone() {
            let method = self.method(method_id);
            if method.is_static() || method.is_private() || self.text(method.name).starts_with('<') {
                continue;
            }
            let key = (method.name, method.descriptor);
            let mut index = None;
            let mut ancestor = parent;
            while let Some(a) = ancestor {
                if let Some(&other) = self.class(a).method_index.get(&key)
                    && self.overrides(id, other)
                {
                    let slot = self.method(other).vtable_index;
                    if let Some(slot) = slot {
                        vtable[slot as usize] = method_id;
                        index.get_or_insert(slot);
                    }
                }
                ancestor = self.class(a).super_class;
            }
            let slot = index.unwrap_or_else(|| {
                vtable.push(method_id);
                vtable.len() as u32 - 1
            });
            self.methods[method_id.0 as usize].vtable_index = Some(slot);
        }
        self.classes[id.0 as usize].vtable = vtable;
    }

    /// Whether a method of class `id` with the same name and descriptor overrides `other` (JVMS 5.4.5).
    fn overrides(&self, id: ClassId, other: MethodId) -> bool {
        let other = self.method(other);
        if other.is_static() || other.is_private() {
            return false;
        }
        if other.flags & (access::PUBLIC | access::PROTECTED) != 0 {
            return true;
        }
        package(self.class_name(id)) == package(self.class_name(other.class))
    }
}
