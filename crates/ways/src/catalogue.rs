//! What the classes of the class path offer for objects of other classes, read once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use machine::Machine;
use program::{ClassId, MethodId, Op, access};

use crate::member::Member;

/// Parameters of a factory in another class, at most.
pub(crate) const MOST_PARAMETERS: usize = 4;

/// What the classes of the class path offer for other classes than themselves.
#[derive(Default)]
pub struct Catalogue {
    /// Static methods by the class they give.
    pub(crate) factories: BTreeMap<String, Vec<Member>>,
    /// Constants by their class.
    pub(crate) constants: BTreeMap<String, Vec<Member>>,
    /// Methods that end the work of a builder, by the class they give.
    pub(crate) finishers: BTreeMap<String, Vec<Member>>,
    /// What is known of calls without arguments: whether they give something else each time.
    pub(crate) passing: RefCell<BTreeMap<Member, bool>>,
    holds: RefCell<BTreeMap<MethodId, u8>>,
    /// Methods that give another object of their class in place of one, by the class.
    turning: RefCell<BTreeMap<ClassId, Rc<BTreeSet<MethodId>>>>,
    named: RefCell<BTreeMap<ClassId, Rc<BTreeSet<String>>>>,
    calls: RefCell<BTreeMap<ClassId, Rc<BTreeSet<(String, String)>>>>,
    numbers: RefCell<BTreeMap<ClassId, Rc<Vec<i32>>>>,
}

impl Catalogue {
    /// Reads all classes of the class path.
    pub fn new(m: &mut Machine) -> Catalogue {
        let mut catalogue = Catalogue::default();
        let mut variables: BTreeMap<String, Vec<Member>> = BTreeMap::new();
        for class in m.world_classes() {
            for id in m.program.class(class).methods.clone() {
                catalogue.add_method(m, class, id);
            }
            for field in &m.program.class(class).fields {
                let descriptor = m.program.text(field.descriptor);
                if field.is_static()
                    && field.flags & (access::PRIVATE | access::SYNTHETIC | access::ENUM) == 0
                    && let Some(kind) = descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';'))
                    && !kind.starts_with("java/")
                {
                    let member = Member {
                        class: m.program.class_name(class).to_string(),
                        name: m.program.text(field.name).to_string(),
                        descriptor: descriptor.to_string(),
                        is_static: true,
                    };
                    let is_final = field.flags & access::FINAL != 0;
                    let known = if is_final { &mut catalogue.constants } else { &mut variables };
                    known.entry(kind.to_string()).or_default().push(member);
                }
            }
        }
        // What never changes comes first.
        for (kind, members) in variables {
            catalogue.constants.entry(kind).or_default().extend(members);
        }
        for members in catalogue.factories.values_mut() {
            members.sort_by_key(|member| member.descriptor.matches([';', 'I', 'J', 'Z']).count());
        }
        catalogue
    }

    fn add_method(&mut self, m: &Machine, class: ClassId, id: MethodId) {
        let method = m.program.method(id);
        let hidden = access::PRIVATE | access::SYNTHETIC | access::BRIDGE;
        let descriptor = m.program.text(method.descriptor);
        let Some((parameters, result)) = descriptor.split_once(")L") else { return };
        let Some(result) = result.strip_suffix(';') else { return };
        if method.flags & hidden != 0 || result.starts_with("java/") {
            return;
        }
        let name = m.program.text(method.name);
        let own = m.program.class_name(class);
        if method.is_static() {
            let is_usual = method.signature.parameters.len() <= MOST_PARAMETERS
                && !parameters.contains(&format!("L{result};"))
                && !name.contains('$');
            if is_usual && own != result {
                self.factories.entry(result.to_string()).or_default().push(Member::of(m, id));
            }
        } else if own != result
            && method.signature.parameters.is_empty()
            && (matches!(name, "build" | "create" | "make" | "toBuilder")
                || own.ends_with("Builder") && name == "get")
        {
            self.finishers.entry(result.to_string()).or_default().push(Member::of(m, id));
        }
    }

    /// Descriptors of the types that a class names.
    pub fn named(&self, m: &mut Machine, class: ClassId) -> Rc<BTreeSet<String>> {
        let known = self.named.borrow().get(&class).cloned();
        known.unwrap_or_else(|| {
            let names = Rc::new(m.program.types_named_by(class));
            self.named.borrow_mut().insert(class, names.clone());
            names
        })
    }

    /// The numbers that the code of a class names.
    pub fn numbers(&self, m: &Machine, class: ClassId) -> Rc<Vec<i32>> {
        let mut known = self.numbers.borrow_mut();
        known.entry(class).or_insert_with(|| Rc::new(m.program.numbers_of(class))).clone()
    }

    /// Names and descriptors of the methods that a class calls.
    pub fn calls(&self, m: &mut Machine, class: ClassId) -> Rc<BTreeSet<(String, String)>> {
        let known = self.calls.borrow().get(&class).cloned();
        known.unwrap_or_else(|| {
            let calls = Rc::new(m.program.calls_of(class));
            self.calls.borrow_mut().insert(class, calls.clone());
            calls
        })
    }

    /// The methods of a class that give another object of it, and change none.
    pub fn turning(&self, m: &mut Machine, class: ClassId) -> Rc<BTreeSet<MethodId>> {
        if let Some(known) = self.turning.borrow().get(&class) {
            return known.clone();
        }
        let own = format!(")L{};", m.program.class_name(class));
        let methods = m.program.class(class).methods.iter().copied();
        let giving: Vec<MethodId> =
            methods.filter(|id| m.program.text(m.program.method(*id).descriptor).ends_with(&own)).collect();
        let mut found = BTreeSet::new();
        if giving.iter().any(|id| !m.program.method(*id).is_static()) {
            let accesses = m.program.accesses(class);
            m.sync_classes();
            found.extend(giving.into_iter().filter(|id| m.program.gives_another(&accesses, *id)));
        }
        let found = Rc::new(found);
        self.turning.borrow_mut().insert(class, found.clone());
        found
    }

    /// How a method takes hold of what it is given: it sets a field, or hands it to what a field refers to, or neither.
    pub fn hold(&self, m: &mut Machine, id: MethodId) -> u8 {
        if let Some(known) = self.holds.borrow().get(&id) {
            return *known;
        }
        // What has run is no longer as it was written.
        let code = m.program.translate(id);
        let has = |wanted: &[Op]| {
            code.as_ref().is_ok_and(|code| code.insns.iter().any(|insn| wanted.contains(&insn.op)))
        };
        let hold = match () {
            () if has(&[Op::PutFieldU]) => 0,
            () if has(&[Op::GetFieldU]) && has(&[Op::InvokeVirtualU, Op::InvokeInterfaceU]) => 1,
            () => 2,
        };
        self.holds.borrow_mut().insert(id, hold);
        hold
    }
}
