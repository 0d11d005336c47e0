//! The mutants of a class, in the machine that runs them.

use machine::Machine;
use program::effect::call_signature;
use program::{Code, Constant, Insn, Kind, MethodId};
use values::replay::Replayer;

use super::body::{self, Sides, Watched};
use super::change::{self, Change};
use crate::shape::Member;

/// Mutants of one class at most: of a larger one those of the first methods.
const MOST: usize = 4_000;

/// All mutants of a class. Their numbers are the same in every machine.
pub struct Bed {
    pub mutants: Vec<Mutant>,
    /// Bodies that note where runs pass, of every method with mutants.
    watched: Vec<(MethodId, Option<Box<Code>>)>,
}

/// A method with one change.
pub struct Mutant {
    pub method: MethodId,
    /// The same by its number among the methods that were asked for.
    pub goal: usize,
    pub change: Change,
    /// The branch that a watched run takes where it passes the change.
    passed: program::branches::Branch,
    /// What a comparison compares whose boundary is moved.
    sides: Option<Sides>,
    /// Made when it is first needed.
    body: Option<Box<Code>>,
}

impl Bed {
    /// Makes the mutants of some methods.
    pub fn new(replayer: &mut Replayer, methods: &[Member]) -> Bed {
        replayer.prepare(|m| {
            let mut bed = Bed { mutants: Vec::new(), watched: Vec::new() };
            for (goal, member) in methods.iter().enumerate() {
                if member.name != "<clinit>" && bed.mutants.len() < MOST {
                    bed.add(m, goal, member);
                }
            }
            bed
        })
    }

    fn add(&mut self, m: &mut Machine, goal: usize, member: &Member) -> Option<()> {
        let method = member.find(m)?;
        let code = m.program.translate(method).ok()?;
        let descriptor = member.descriptor.rsplit(')').next().unwrap_or("V");
        let kinds = m.program.method(method).argument_kinds();
        let asked = m.program.assertions_asked(method);
        let changes: Vec<Change> =
            change::changes(&code, &kinds, descriptor, &|insn| gives_nothing(m, method, insn))
                .into_iter()
                // Whether assertions are enabled is no matter of the program.
                .filter(|change| change.index == 0 || !asked.contains(&code.bci[change.index as usize - 1]))
                .collect();
        if changes.is_empty() {
            return None;
        }
        let (watching, Watched { passed, sides }) = body::watched(m, method, code, &changes)?;
        self.watched.push((method, Some(watching)));
        let rows = changes.into_iter().zip(passed).zip(sides);
        self.mutants.extend(rows.map(|((change, passed), sides)| Mutant {
            method,
            goal,
            change,
            passed,
            sides,
            body: None,
        }));
        Some(())
    }

    /// Runs something that notes where it passes: which mutants it would meet, and how far the sides of comparisons were
    /// apart whose boundaries are moved.
    pub fn watch(
        &mut self,
        replayer: &mut Replayer,
        run: impl FnOnce(&mut Replayer, &dyn Fn(&Machine) -> Vec<Met>),
    ) {
        let mutants = &self.mutants;
        replayer.with_bodies(&mut self.watched, |replayer| {
            run(replayer, &|m| {
                let all = mutants.iter().enumerate().filter(|(_, mutant)| m.is_covered(mutant.passed));
                all.map(|(number, mutant)| Met {
                    number,
                    apart: mutant.sides.map(|sides| sides.difference(m)),
                })
                .collect()
            });
        });
    }

    /// Runs something with a mutant in place of its method. None if it cannot be made.
    pub fn with<T>(
        &mut self,
        replayer: &mut Replayer,
        number: usize,
        run: impl FnOnce(&mut Replayer) -> T,
    ) -> Option<T> {
        let Mutant { method, change, body, .. } = &mut self.mutants[number];
        if body.is_none() {
            *body = replayer.prepare(|m| {
                let code = m.program.translate(*method).ok()?;
                body::changed(m, code, change)
            });
        }
        let mut bodies = [(*method, Some(body.take()?))];
        let result = replayer.with_bodies(&mut bodies, run);
        let [(_, made)] = bodies;
        *body = made;
        Some(result)
    }
}

/// A mutant that a run meets.
#[derive(Clone, Copy, Debug)]
pub struct Met {
    pub number: usize,
    /// How much larger the left side of a comparison was, if its boundary is moved.
    pub apart: Option<i64>,
}

/// Whether an instruction calls a method that gives nothing, and is no constructor.
fn gives_nothing(m: &Machine, method: MethodId, insn: &Insn) -> bool {
    let class = m.program.method(method).class;
    let Some(file) = m.program.class(class).file.as_ref() else { return false };
    let index = insn.imm as u16;
    let name = match file.constant(index) {
        Ok(Constant::Method { name_and_type, .. } | Constant::InterfaceMethod { name_and_type, .. }) => {
            file.name_and_type(name_and_type)
        }
        _ => return false,
    };
    let is_constructor = name.is_ok_and(|(name, _)| name == "<init>");
    const INVOKE_VIRTUAL: u8 = 182;
    !is_constructor && call_signature(file, INVOKE_VIRTUAL, index).is_ok_and(|call| call.result == Kind::Void)
}
