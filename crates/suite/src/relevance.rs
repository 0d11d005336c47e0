//! Which calls may matter to which branches: who writes the fields that open branches ask for. It is read from the class
//! files once, and kept as plain data.

use std::collections::{BTreeMap, BTreeSet};

use machine::Machine;
use program::accesses::{Accesses, FieldName};
use program::branches::Branch;
use program::{ClassId, MethodId, access};

use crate::harvest::Goal;
use crate::shape::Member;

/// Fields, by numbers of their own.
pub type Fields = BTreeSet<usize>;

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

/// The fields of objects of a class that a test in a package can set.
fn open_fields(m: &Machine, class: ClassId, package: &str) -> Vec<Member> {
    let mut found: Vec<Member> = Vec::new();
    for owner in m.program.class(class).display.iter().rev() {
        if m.program.class(*owner).is_library() || m.program.source_name(*owner, package).is_none() {
            continue;
        }
        for field in &m.program.class(*owner).fields {
            let fixed = access::STATIC | access::FINAL | access::SYNTHETIC;
            let name = m.program.text(field.name);
            if field.flags & fixed == 0
                && m.program.can_name(*owner, field, package)
                && !found.iter().any(|hiding| hiding.name == name)
            {
                found.push(Member::of_field(m, *owner, field));
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
