//! What the constant pools of a class and of those in its nest mention: types, methods, and what lambdas implement.

use std::collections::BTreeSet;

use crate::class::ClassId;
use crate::classfile::{ClassFile, Constant};
use crate::link::Program;

impl Program {
    /// Descriptors of the types that the code of a class and those in its nest names: what it makes, casts to, or asks for.
    pub fn types_named_by(&mut self, class: ClassId) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.mentions(class, |file, constant| {
            if let Constant::Class { name } = constant
                && let Ok(name) = file.utf8(name)
            {
                found.insert(if name.starts_with('[') { name.into_owned() } else { format!("L{name};") });
            }
        });
        found
    }

    /// Names and descriptors of the methods that a class and those in its nest may call.
    pub fn calls_of(&mut self, class: ClassId) -> BTreeSet<(String, String)> {
        let mut found = BTreeSet::new();
        self.mentions(class, |file, constant| {
            if let Constant::Method { name_and_type, .. } | Constant::InterfaceMethod { name_and_type, .. } =
                constant
                && let Ok((name, descriptor)) = file.name_and_type(name_and_type)
            {
                found.insert((name.into_owned(), descriptor.into_owned()));
            }
        });
        found
    }

    /// Whether a type is an interface that only its nest can name, and a lambda there may implement.
    pub fn is_lambda_inside(&mut self, class: ClassId) -> bool {
        if !self.class(class).is_interface() || !self.is_private(class) {
            return false;
        }
        let (mut made, mut any) = (BTreeSet::new(), false);
        let is_whole = self.mentions(class, |file, constant| match constant {
            Constant::NameAndType { name, .. } => {
                // It can give more interfaces than the one that is told.
                any |= file.utf8(name).map_or(true, |name| name == "altMetafactory");
            }
            // A proxy has any.
            Constant::Class { name } => {
                any |= file.utf8(name).map_or(true, |name| name.starts_with("java/lang/reflect/Proxy"));
            }
            Constant::InvokeDynamic { name_and_type, .. } => match file.name_and_type(name_and_type) {
                Ok((_, descriptor)) => {
                    let result = descriptor.rsplit(")L").next().and_then(|rest| rest.strip_suffix(';'));
                    made.extend(result.map(str::to_string));
                }
                Err(_) => any = true,
            },
            _ => {}
        });
        any || !is_whole
            || made.iter().any(|name| self.load(name).is_ok_and(|made| self.is_subtype(made, class)))
    }

    /// Shows all constants of a class and of those in its nest. Says whether all of these are there.
    fn mentions(&mut self, class: ClassId, mut show: impl FnMut(&ClassFile, Constant)) -> bool {
        let mut is_whole = true;
        for name in self.nest(class) {
            let part = self.load(&name).ok();
            let Some(file) = part.and_then(|part| self.class(part).file.as_ref()) else {
                is_whole = false;
                continue;
            };
            for index in 1..file.pool_len() as u16 {
                if let Ok(constant) = file.constant(index) {
                    show(file, constant);
                }
            }
        }
        is_whole
    }
}
