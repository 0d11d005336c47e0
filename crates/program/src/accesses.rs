//! What the methods of a class read, write and make, themselves and by what they call in its nest and above it: which call
//! may matter to which branch. It is a guess that leads a search, and proves nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::branches::Branch;
use crate::class::{ClassId, MethodId};
use crate::classfile::access;
use crate::code::{Code, Insn, Op};
use crate::link::Program;
use crate::resolve::MemberRef;
use crate::symbol::Symbol;

/// Classes that are looked at for one.
const MOST_CLASSES: usize = 80;
/// Methods of other classes that change nothing, as their names begin.
const TELLING: [&str; 22] = [
    "get",
    "size",
    "length",
    "is",
    "has",
    "contains",
    "equals",
    "hash",
    "toString",
    "charAt",
    "compare",
    "index",
    "lastIndex",
    "peek",
    "iterator",
    "listIterator",
    "entrySet",
    "keySet",
    "values",
    "stream",
    "starts",
    "ends",
];

/// Types of the library whose objects never change.
const FIXED: [&str; 12] = [
    "Ljava/lang/String;",
    "Ljava/lang/Boolean;",
    "Ljava/lang/Byte;",
    "Ljava/lang/Character;",
    "Ljava/lang/Short;",
    "Ljava/lang/Integer;",
    "Ljava/lang/Long;",
    "Ljava/lang/Float;",
    "Ljava/lang/Double;",
    "Ljava/lang/Class;",
    "Ljava/math/BigInteger;",
    "Ljava/math/BigDecimal;",
];

/// A field, by the class that declares it and its name.
pub type FieldName = (ClassId, Symbol);

/// What the methods of a class do to fields.
#[derive(Default)]
pub struct Accesses {
    /// In the order of the instructions.
    own: BTreeMap<MethodId, Vec<(u32, Access)>>,
    /// With everything that is called.
    whole: BTreeMap<MethodId, Whole>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Reads(FieldName),
    /// The field, or what the object holds that it refers to.
    Writes(FieldName),
    Makes(ClassId),
    Calls(MethodId),
}

/// What a method does altogether.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Whole {
    pub reads: BTreeSet<FieldName>,
    pub writes: BTreeSet<FieldName>,
    pub makes: BTreeSet<ClassId>,
    /// The methods that may run, itself among them.
    pub runs: BTreeSet<MethodId>,
}

impl Whole {
    fn add(&mut self, other: &Whole) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.makes.extend(&other.makes);
        self.runs.extend(&other.runs);
    }
}

impl Accesses {
    /// What a method does altogether; none if nobody has looked at it.
    pub fn of(&self, method: MethodId) -> Option<&Whole> {
        self.whole.get(&method)
    }

    /// The fields that the condition of a branch may depend on: those that are read since the block began, or, if there are
    /// none, anywhere in the method.
    pub fn asked_by(&self, code: &Code, branch: Branch) -> BTreeSet<FieldName> {
        let last = branch.index as usize;
        let before = code.insns.get(..last).unwrap_or_default();
        let first = before.iter().rposition(|insn| leaves(insn.op)).map_or(0, |at| at + 1) as u32;
        let own = self.own.get(&branch.method).into_iter().flatten();
        let mut asked = BTreeSet::new();
        for (_, access) in own.filter(|(at, _)| (first..=branch.index).contains(at)) {
            match access {
                Access::Reads(field) => _ = asked.insert(*field),
                Access::Calls(called) => {
                    asked.extend(self.of(*called).into_iter().flat_map(|all| &all.reads))
                }
                Access::Writes(_) | Access::Makes(_) => {}
            }
        }
        if asked.is_empty() {
            asked.extend(self.of(branch.method).into_iter().flat_map(|all| &all.reads));
        }
        asked
    }
}

impl Program {
    /// Whether a method gives another object of its class, and changes none: only constructors write the fields of the class and
    /// of those above it.
    pub fn gives_another(&self, accesses: &Accesses, method: MethodId) -> bool {
        let own = self.method(method);
        let (class, descriptor) = (own.class, self.text(own.descriptor));
        let is_own = |(owner, _): &FieldName| self.class(class).display.contains(owner);
        let writes = |id: &MethodId| {
            let own = accesses.own.get(id).into_iter().flatten();
            let writes =
                |(_, access): &(u32, Access)| matches!(access, Access::Writes(field) if is_own(field));
            self.text(self.method(*id).name) != "<init>" && own.into_iter().any(writes)
        };
        !own.is_static()
            && descriptor.ends_with(&format!(")L{};", self.class_name(class)))
            && accesses.of(method).is_some_and(|whole| !whole.runs.iter().any(writes))
    }

    /// Looks at the methods of a class, of those above it, and of their nests, as far as they are not the library's.
    pub fn accesses(&mut self, class: ClassId) -> Accesses {
        let mut scope: Vec<ClassId> = Vec::new();
        for above in self.class(class).display.clone().into_iter().rev() {
            if self.class(above).is_library() {
                continue;
            }
            for name in self.nest(above) {
                if let Ok(part) = self.load(&name)
                    && !scope.contains(&part)
                    && scope.len() < MOST_CLASSES
                {
                    scope.push(part);
                }
            }
        }
        let mut named: BTreeMap<(Symbol, Symbol), Vec<MethodId>> = BTreeMap::new();
        for id in scope.iter().flat_map(|class| self.class(*class).methods.iter().copied()) {
            let method = self.method(id);
            if !method.hidden {
                named.entry((method.name, method.descriptor)).or_default().push(id);
            }
        }
        let mut found = Accesses::default();
        for id in named.values().flatten().copied().collect::<Vec<_>>() {
            let own = Reader { program: self, scope: &scope, named: &named, id }.read();
            found.own.insert(id, own);
        }
        found.close();
        found
    }
}

impl Accesses {
    /// Adds what is done by what is called.
    fn close(&mut self) {
        for (id, own) in &self.own {
            let mut whole = Whole { runs: BTreeSet::from([*id]), ..Whole::default() };
            for (_, access) in own {
                match access {
                    Access::Reads(field) => _ = whole.reads.insert(*field),
                    Access::Writes(field) => _ = whole.writes.insert(*field),
                    Access::Makes(class) => _ = whole.makes.insert(*class),
                    Access::Calls(_) => {}
                }
            }
            self.whole.insert(*id, whole);
        }
        loop {
            let mut is_same = true;
            for (id, own) in &self.own {
                let mut whole = self.whole[id].clone();
                for (_, access) in own {
                    if let Access::Calls(called) = access
                        && let Some(other) = self.whole.get(called)
                    {
                        whole.add(other);
                    }
                }
                if whole != self.whole[id] {
                    is_same = false;
                    self.whole.insert(*id, whole);
                }
            }
            if is_same {
                return;
            }
        }
    }
}

/// What was read from a field, and may be changed.
#[derive(Clone)]
struct Held {
    field: FieldName,
    descriptor: String,
}

impl Held {
    fn of(field: FieldName, descriptor: &str) -> Option<Held> {
        let is_fixed = FIXED.contains(&descriptor) || descriptor.starts_with("Ljava/time/");
        let can_change = descriptor.starts_with(['L', '[']) && !is_fixed;
        can_change.then(|| Held { field, descriptor: descriptor.to_string() })
    }

    fn element(self) -> Option<Held> {
        // What is in an array of objects may be an array all the same.
        let element = self.descriptor.strip_prefix('[').unwrap_or(&self.descriptor);
        Held::of(self.field, element)
    }
}

/// Reads one method.
struct Reader<'a> {
    program: &'a mut Program,
    scope: &'a [ClassId],
    named: &'a BTreeMap<(Symbol, Symbol), Vec<MethodId>>,
    id: MethodId,
}

impl Reader<'_> {
    fn read(&mut self) -> Vec<(u32, Access)> {
        // What has run is no longer as it was written.
        let Ok(code) = self.program.translate(self.id) else { return Vec::new() };
        let class = self.program.method(self.id).class;
        let mut found = Vec::new();
        // The fields that registers were read from.
        let mut from: BTreeMap<u16, Held> = BTreeMap::new();
        for (at, insn) in code.insns.iter().enumerate() {
            let at = at as u32;
            match insn.op {
                Op::GetFieldU | Op::GetStaticU => {
                    from.remove(&insn.a);
                    if let Some(field) = self.field(class, insn) {
                        found.push((at, Access::Reads(field)));
                        from.extend(self.held(class, insn, field).map(|held| (insn.a, held)));
                    }
                }
                Op::PutFieldU | Op::PutStaticU => {
                    found.extend(self.field(class, insn).map(|field| (at, Access::Writes(field))));
                }
                Op::BAStore | Op::CAStore | Op::SAStore | Op::IAStore | Op::LAStore | Op::AAStore => {
                    found.extend(from.get(&insn.a).map(|held| (at, Access::Writes(held.field))));
                }
                Op::Mov | Op::AALoad => {
                    let held = from.get(&insn.b).cloned();
                    let held = if insn.op == Op::Mov { held } else { held.and_then(Held::element) };
                    from.remove(&insn.a);
                    from.extend(held.map(|held| (insn.a, held)));
                }
                Op::NewU => {
                    from.remove(&insn.a);
                    if let Ok(made) = self.program.class_ref(class, insn.imm as u16) {
                        found.push((at, Access::Makes(made)));
                    }
                }
                Op::InvokeDynU => {
                    from.remove(&insn.a);
                    found.extend(self.lambdas(class).into_iter().map(|id| (at, Access::Calls(id))));
                }
                Op::InvokeStaticU | Op::InvokeSpecialU | Op::InvokeVirtualU | Op::InvokeInterfaceU => {
                    if let Ok(named) = self.program.member_ref(class, insn.imm as u16) {
                        self.call(at, insn, &named, &from, &mut found);
                    }
                    from.retain(|register, _| *register < insn.a);
                }
                Op::CastU => {}
                op if leaves(op) => {}
                _ => _ = from.remove(&insn.a),
            }
        }
        found
    }

    /// What a field holds, if a call may change it.
    fn held(&mut self, class: ClassId, insn: &Insn, field: FieldName) -> Option<Held> {
        let named = self.program.member_ref(class, insn.imm as u16).ok()?;
        Held::of(field, self.program.text(named.descriptor))
    }

    fn field(&mut self, class: ClassId, insn: &Insn) -> Option<FieldName> {
        let named = self.program.member_ref(class, insn.imm as u16).ok()?;
        let owner = self.program.text(named.class).to_string();
        let owner = self.program.load(&owner).ok()?;
        let field = self.program.find_field(owner, named.name, named.descriptor)?;
        Some((field.class, field.name))
    }

    /// What a call in the scope runs; what one of something else may change.
    fn call(
        &mut self,
        at: u32,
        insn: &Insn,
        named: &MemberRef,
        from: &BTreeMap<u16, Held>,
        found: &mut Vec<(u32, Access)>,
    ) {
        let owner = self.program.text(named.class).to_string();
        let owner = self.program.load(&owner).ok();
        if let Some(owner) = owner.filter(|owner| self.scope.contains(owner)) {
            let is_own = |id: &&MethodId| {
                let class = self.program.method(**id).class;
                let is_new = self.program.text(named.name) == "<init>";
                class == owner
                    || !is_new
                        && (self.program.is_subtype(class, owner) || self.program.is_subtype(owner, class))
            };
            let called = self.named.get(&(named.name, named.descriptor)).into_iter().flatten();
            found.extend(called.filter(is_own).map(|id| (at, Access::Calls(*id))));
            return;
        }
        let name = self.program.text(named.name);
        if TELLING.iter().any(|telling| name.starts_with(telling)) {
            return;
        }
        // Of a static method every argument may be changed, as in `Arrays.fill`; of others the receiver.
        let last = if insn.op == Op::InvokeStaticU { u16::MAX } else { insn.a };
        let held = from.range(insn.a..=last).map(|(_, held)| held.field);
        found.extend(held.map(|field| (at, Access::Writes(field))));
    }

    /// The bodies of the lambdas in this method, as compilers name them.
    fn lambdas(&self, class: ClassId) -> Vec<MethodId> {
        let name = match self.program.text(self.program.method(self.id).name) {
            "<init>" => "new",
            "<clinit>" => "static",
            name => name,
        };
        let inside = format!("lambda${name}$");
        let methods = self.program.class(class).methods.iter().copied();
        methods
            .filter(|id| {
                let method = self.program.method(*id);
                method.flags & access::SYNTHETIC != 0 && self.program.text(method.name).starts_with(&inside)
            })
            .collect()
    }
}

/// Whether an instruction ends a block.
fn leaves(op: Op) -> bool {
    (Op::J as u16..=Op::LookupSwitch as u16).contains(&(op as u16))
        || matches!(op, Op::RetV | Op::Ret1 | Op::Ret2 | Op::Throw)
}
