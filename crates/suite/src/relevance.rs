//! Which calls may matter to which branches: who writes the fields that open branches ask for. It is read from the class
//! files once, and kept as plain data.

use std::collections::{BTreeMap, BTreeSet};

use machine::Machine;
use program::accesses::{Accesses, FieldName};
use program::branches::Branch;
use program::{ClassId, Field, MethodId, access};

use crate::harvest::Goal;
use crate::shape::{Member, open_fields};

/// Fields, by numbers of their own.
pub type Fields = BTreeSet<usize>;

/// Methods of other classes that are called to set something up, at most.
const BESIDE: usize = 8;

/// What a method does, with everything that it calls in its class, in those around it and above it.
#[derive(Clone, Debug, Default)]
pub struct Doing {
    pub reads: Fields,
    pub writes: Fields,
    pub runs: BTreeSet<Member>,
}

/// What is known of a class.
#[derive(Clone, Debug, Default)]
pub struct Relevance {
    doing: BTreeMap<Member, Doing>,
    /// What the conditions of branches may depend on.
    asked: BTreeMap<Goal, Fields>,
    /// Fields of the class that a test can set.
    pub open: Vec<Member>,
    /// Methods that give another object of the class, and change none.
    pub turning: BTreeSet<Member>,
    /// Static methods of other classes that write what the class asks those for.
    pub beside: Vec<Member>,
    /// The numbers of its fields, as far as somebody asks for them.
    numbers: BTreeMap<(String, String), usize>,
}

/// How much a call may matter to what is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Matter {
    /// It writes what is asked for.
    Much,
    /// It writes what those ask for that do; or it is no call, but a field that is set.
    Some,
    /// Nobody knows of anything.
    Little,
}

impl Relevance {
    /// Looks at a class. `methods` are those that have goals or may be called.
    pub fn of(m: &mut Machine, class: ClassId, package: &str, methods: &[Member]) -> Relevance {
        let accesses = m.program.accesses(class);
        m.sync_classes();
        let mut numbers: BTreeMap<FieldName, usize> = BTreeMap::new();
        let mut relevance = Relevance::default();
        for member in methods {
            let Some(id) = member.find(m) else { continue };
            relevance.look(m, &accesses, (id, member), &mut numbers);
        }
        for ((owner, name), number) in &numbers {
            let key = (m.program.class_name(*owner).to_string(), m.program.text(*name).to_string());
            relevance.numbers.insert(key, *number);
        }
        relevance.beside = beside(m, class, package);
        relevance.open = open_fields(m, class, package);
        for field in relevance.open.clone() {
            let own = relevance.number_of(&field);
            let doing = Doing { writes: own.into_iter().collect(), ..Doing::default() };
            relevance.doing.insert(field, doing);
        }
        relevance
    }

    fn look(
        &mut self,
        m: &mut Machine,
        accesses: &Accesses,
        (id, member): (MethodId, &Member),
        numbers: &mut BTreeMap<FieldName, usize>,
    ) {
        let Some(whole) = accesses.of(id) else { return };
        let mut number = |fields: &BTreeSet<FieldName>| -> Fields {
            let mut number = |field: &FieldName| {
                let next = numbers.len();
                *numbers.entry(*field).or_insert(next)
            };
            fields.iter().map(&mut number).collect()
        };
        let doing = Doing {
            reads: number(&whole.reads),
            writes: number(&whole.writes),
            runs: whole.runs.iter().map(|id| Member::of(m, *id)).collect(),
        };
        self.doing.insert(member.clone(), doing);
        if m.program.gives_another(accesses, id) {
            self.turning.insert(member.clone());
        }
        let branches: Vec<Branch> = m.program.branches(id);
        let Some(code) = m.program.method(id).code.as_ref() else { return };
        for branch in branches {
            let asked = number(&accesses.asked_by(code, branch));
            self.asked.insert(Goal::branch(member, branch), asked);
        }
    }

    /// The number of a field.
    pub fn number_of(&self, field: &Member) -> Option<usize> {
        self.numbers.get(&(field.class.clone(), field.name.clone())).copied()
    }

    /// What a method does; none if nobody has looked.
    pub fn doing(&self, member: &Member) -> Option<&Doing> {
        self.doing.get(member)
    }

    /// What the condition of a branch may depend on.
    pub fn asked_by(&self, goal: &Goal) -> Fields {
        self.asked.get(goal).cloned().unwrap_or_default()
    }

    /// Calls, each with how much it may matter to fields that are asked for; what matters most comes first, then methods
    /// before fields.
    pub fn ranked(&self, calls: &[Member], asked: &Fields) -> Vec<(Matter, Member)> {
        let none = Doing::default();
        let doing = |call: &Member| self.doing.get(call).unwrap_or(&none);
        let writes = |call: &Member, fields: &Fields| !doing(call).writes.is_disjoint(fields);
        let much = calls.iter().filter(|call| writes(call, asked));
        let before: Fields = much.flat_map(|call| doing(call).reads.iter().copied()).collect();
        let matter = |call: &Member| match writes(call, asked) {
            true if call.is_field() => Matter::Some,
            true => Matter::Much,
            false if writes(call, &before) && !call.is_field() => Matter::Some,
            false => Matter::Little,
        };
        let mut ranked: Vec<(Matter, Member)> =
            calls.iter().map(|call| (matter(call), call.clone())).collect();
        ranked.sort_by_key(|(matter, call)| (*matter, call.is_field()));
        ranked
    }
}

/// Static methods of other classes that write static fields which are read by what the class calls there.
fn beside(m: &mut Machine, class: ClassId, package: &str) -> Vec<Member> {
    let called = m.program.calls_of(class);
    let own = m.program.class_name(class).to_string();
    let mut found = Vec::new();
    for descriptor in m.program.types_named_by(class) {
        let Some(name) = descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';')) else {
            continue;
        };
        let Ok(other) = m.load(name) else { continue };
        let is_around = name == own || name.starts_with(&format!("{own}$"));
        let has_statics = m.program.class(other).fields.iter().any(Field::is_static);
        if is_around || !has_statics || m.program.class(other).is_library() {
            continue;
        }
        let accesses = m.program.accesses(other);
        m.sync_classes();
        let methods = m.program.class(other).methods.clone();
        let is_called = |m: &Machine, id: MethodId| {
            let method = m.program.method(id);
            let text = |symbol| m.program.text(symbol).to_string();
            called.contains(&(text(method.name), text(method.descriptor)))
        };
        let is_static = |m: &Machine, (owner, name): &FieldName| {
            m.program.class(*owner).fields.iter().any(|field| field.name == *name && field.is_static())
        };
        let mut read: BTreeSet<FieldName> = BTreeSet::new();
        for whole in methods.iter().filter(|id| is_called(m, **id)).filter_map(|id| accesses.of(*id)) {
            read.extend(whole.reads.iter().filter(|field| is_static(m, field)));
        }
        for id in methods {
            let method = m.program.method(id);
            let can_be_called = method.is_static()
                && method.flags & access::SYNTHETIC == 0
                && !matches!(m.program.text(method.name), "<clinit>" | "main")
                && m.program.can_call(id, package)
                && m.program.source_name(other, package).is_some();
            let writes = accesses.of(id).is_some_and(|whole| !whole.writes.is_disjoint(&read));
            if can_be_called && writes && found.len() < BESIDE {
                found.push(Member::of(m, id));
            }
        }
    }
    found
}

/// Sequences of so many calls, those first in which most matter; at most so many of them.
pub fn sequences(ranked: &[(Matter, Member)], length: usize, most: usize) -> Vec<Vec<Member>> {
    // What a sequence costs is how far its calls are beside the point.
    let mut found: Vec<(usize, Vec<usize>)> = vec![(0, Vec::new())];
    // Of many calls only the first can be among so few sequences.
    let mut wide = 1;
    while wide < ranked.len() && wide.saturating_pow(length as u32) < 8 * most.max(1) {
        wide += 1;
    }
    for _ in 0..length {
        let longer = found.iter().flat_map(|(cost, calls)| {
            ranked.iter().take(wide).enumerate().map(move |(at, (matter, _))| {
                let calls = calls.iter().copied().chain([at]).collect();
                (cost + *matter as usize, calls)
            })
        });
        found = longer.collect();
    }
    found.sort_by_key(|(cost, _)| *cost);
    let named = |calls: Vec<usize>| calls.into_iter().map(|at| ranked[at].1.clone()).collect();
    found.into_iter().take(most).map(|(_, calls)| named(calls)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Matter, sequences};
    use crate::shape::Member;

    #[test]
    fn what_matters_comes_first() {
        let call = |name: &str| Member {
            class: "A".into(),
            name: name.into(),
            descriptor: "()V".into(),
            is_static: false,
        };
        let ranked = [(Matter::Much, call("a")), (Matter::Some, call("b")), (Matter::Little, call("c"))];
        let told = |length: usize, most: usize| -> Vec<String> {
            let all = sequences(&ranked, length, most);
            all.into_iter().map(|calls| calls.into_iter().map(|call| call.name).collect()).collect()
        };
        assert_eq!(told(1, 8), ["a", "b", "c"]);
        assert_eq!(told(2, 5), ["aa", "ab", "ba", "ac", "bb"]);
        assert_eq!(told(3, 1), ["aaa"]);
        assert_eq!(told(0, 1), [""]);
    }
}
