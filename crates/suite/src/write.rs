//! From what was found to tests as data: statements, the call, and what is asserted.

mod arguments;
mod checks;
mod choose;
mod make;
mod moments;
mod reset;
mod value;

use std::collections::BTreeSet;

use machine::Machine;
use program::spelling::{is_identifier, is_keyword};
use testcase::script::{Ending, Expr, Openness, Statement, Test, TypeName};

use crate::harvest::Found;
use crate::naming::{lower_first, told_apart};
use crate::shape::HANDED;
use crate::types::{Bound, Type};
use explore::nature;
use values::replay::Ended;

pub use choose::minimise;
pub use moments::is_moment;
pub use reset::resets;

/// Turns what was found into a test that has no name yet. None if it cannot be written as source.
pub fn test(m: &mut Machine, found: &Found, package: &str) -> Option<Test> {
    TestWriter::new(m, found, package).test()
}

struct TestWriter<'a> {
    m: &'a mut Machine,
    found: &'a Found,
    package: String,
    statements: Vec<Statement>,
    locals: BTreeSet<String>,
    /// How the test names the object under test.
    receiver: Option<Expr>,
    /// How it names the objects that are being built.
    built: Vec<Expr>,
    /// How it names those of the things handed over of which there is something to say.
    handed: Vec<Option<Expr>>,
    throws: bool,
}

impl<'a> TestWriter<'a> {
    fn new(m: &'a mut Machine, found: &'a Found, package: &str) -> TestWriter<'a> {
        TestWriter {
            m,
            found,
            package: package.to_string(),
            statements: Vec::new(),
            locals: BTreeSet::new(),
            receiver: None,
            built: Vec::new(),
            handed: vec![None; HANDED],
            throws: false,
        }
    }
}

impl TestWriter<'_> {
    fn local(&mut self, wanted: &str) -> String {
        let wanted = if !is_identifier(wanted) || is_keyword(wanted) { "value" } else { wanted };
        let name = told_apart(wanted, |name| self.locals.contains(name));
        self.locals.insert(name.clone());
        name
    }

    /// The name of a class in source.
    fn class(&self, internal: &str) -> Option<String> {
        let id = self.m.program.find_loaded(internal)?;
        self.m.program.source_name(id, &self.package)
    }

    fn type_name(&mut self, kind: &Type) -> Option<TypeName> {
        Some(match kind {
            Type::Primitive(_) => TypeName::plain(&machine::external_type(&kind.descriptor())),
            Type::Array(element) => {
                let mut name = self.type_name(element)?;
                name.dimensions += 1;
                name
            }
            Type::Variable(_) => TypeName::plain("java.lang.Object"),
            Type::Wildcard(bound) => {
                let openness = match bound {
                    Bound::Any => Openness::Any,
                    Bound::Extends(_) => Openness::Below,
                    Bound::Super(_) => Openness::Above,
                };
                TypeName { openness, ..self.type_name(&kind.opened())? }
            }
            Type::Class(name, arguments) => {
                self.m.load(name).ok()?;
                let mut full = TypeName::plain(&self.class(name)?);
                for argument in arguments {
                    full.arguments.push(self.type_name(argument)?);
                }
                full
            }
        })
    }

    fn test(&mut self) -> Option<Test> {
        let shape = &self.found.shape;
        let receiver = match &shape.receiver {
            None => None,
            Some(make) => {
                let simple = shape.act.class.rsplit(['/', '$']).next().unwrap_or("object");
                let name = lower_first(simple);
                let value = self.make(make, &name)?;
                if matches!(value, Expr::Local(_) | Expr::Static { .. }) {
                    Some(value)
                } else {
                    Some(self.named(&name, &make.kind()?, value)?)
                }
            }
        };
        self.receiver.clone_from(&receiver);
        for step in &shape.setup {
            self.step(step, receiver.as_ref())?;
        }
        let arguments = self.parts(&shape.act, &shape.arguments)?;
        let act = self.call(&shape.act, receiver.clone(), arguments)?;
        let (ending, checks) = match &self.found.end {
            Ended::Threw { class, message, .. } => {
                let source = self.exception(class)?;
                let message = message.clone().filter(|text| self.is_stable(class, text));
                (Ending::Throws { class: source, message }, Vec::new())
            }
            Ended::Returned => {
                let id = shape.act.find(self.m)?;
                self.throws |= !self.m.program.declared_exceptions(id).is_empty();
                self.returned(receiver.as_ref())?
            }
            Ended::Exited(_) => return None,
        };
        Some(Test {
            name: String::new(),
            arrange: std::mem::take(&mut self.statements),
            act,
            ending,
            checks,
            throws: self.throws,
            suppress: Vec::new(),
            reflects: self.found.shape.reflected,
            disabled: None,
        })
    }

    /// Whether a message was written by the code under test, and is not the virtual machine's.
    fn is_stable(&mut self, class: &str, message: &str) -> bool {
        let Ended::Threw { frames, .. } = &self.found.end else { return false };
        let user = frames.first().is_some_and(|(owner, _)| {
            self.m.load(&owner.replace('.', "/")).is_ok_and(|id| !self.m.program.class(id).is_library())
        });
        let explicit = nature::has_own_message(&self.found.end) || !class.starts_with("java.lang.");
        user && message.len() <= 120
            && !message.contains("$$Given")
            && !message.contains('@')
            && (explicit
                || class.ends_with("IllegalArgumentException")
                || class.ends_with("IllegalStateException"))
    }

    /// Whether the class under test is from before Java 9, and its tests as well.
    fn is_old(&mut self) -> bool {
        let class = self.m.load(&self.found.shape.act.class);
        class.is_ok_and(|class| self.m.program.class(class).file.as_ref().is_some_and(|file| file.major < 53))
    }

    /// The name of an exception's class, or of the nearest class it extends that the test may name.
    fn exception(&mut self, class: &str) -> Option<String> {
        let mut at = self.m.load(&class.replace('.', "/")).ok()?;
        let is_old = self.is_old();
        loop {
            if let Some(name) = self.m.program.source_name(at, &self.package)
                && !(is_old && name == "java.lang.reflect.InaccessibleObjectException")
            {
                return Some(name);
            }
            at = self.m.program.class(at).super_class?;
        }
    }

    /// Gives a value a name of its own.
    fn named(&mut self, wanted: &str, kind: &Type, value: Expr) -> Option<Expr> {
        let kind = self.type_name(kind)?;
        let name = self.local(wanted);
        self.statements.push(Statement::Let { kind, name: name.clone(), value });
        Some(Expr::Local(name))
    }
}
