//! One part of a sequence as a method of its own: it makes the object, or does one thing with it.

use machine::{Machine, Raise};
use program::MethodId;
use values::input::Input;

use crate::harness;
use crate::seeds;
use crate::session::Session;
use crate::shape::{Make, Member, Step};
use crate::types::Type;
use crate::work::Work;

/// Inputs of one part: enough to fill what grows.
const INPUTS: usize = 34;

/// What a part does.
pub(super) enum Part {
    Begins(Make),
    Goes(Step),
}

/// A part, with the values it is tried with.
pub(super) struct Stub {
    /// What is called or set; of one that makes the object, the method under test.
    pub member: Member,
    pub picks: Vec<usize>,
    pub widths: Vec<usize>,
    pub leaves: Vec<Type>,
    pub inputs: Vec<Input>,
    part: Part,
}

impl Stub {
    /// Whether another one makes the same.
    pub fn is_alike(&self, other: &Stub) -> bool {
        match (&self.part, &other.part) {
            (Part::Begins(one), Part::Begins(other)) => one == other,
            (Part::Goes(one), Part::Goes(other)) => one == other,
            _ => false,
        }
    }

    pub fn assemble(&self, m: &mut Machine) -> Result<MethodId, Raise> {
        match &self.part {
            Part::Begins(made) => harness::assemble_object(m, made, &self.leaves, &self.member.class),
            Part::Goes(step) => harness::assemble_step(m, step, &self.leaves, &self.member.class),
        }
    }
}

impl Session {
    /// The part that makes the object under test.
    pub(super) fn start(&mut self, act: &Member, picks: Vec<usize>, work: &mut Work) -> Option<Stub> {
        let (mut maker, _) = self.maker(act, &picks, work)?;
        let made = maker.receiver()?;
        // What the search would have to find is nothing to begin with.
        if matches!(made, Make::Leaf { .. }) {
            return None;
        }
        let (widths, leaves) = (maker.widths.clone(), maker.leaves.clone());
        self.stub(act, picks, (widths, leaves), Part::Begins(made), work)
    }

    /// The part that does one thing with it.
    pub(super) fn step(
        &mut self,
        member: &Member,
        picks: Vec<usize>,
        act: &Member,
        work: &mut Work,
    ) -> Option<Stub> {
        let act = if member.is_field() { act } else { member };
        let (mut maker, _) = self.maker(act, &picks, work)?;
        let step = maker.step(member)?;
        let (widths, leaves) = (maker.widths.clone(), maker.leaves.clone());
        self.stub(member, picks, (widths, leaves), Part::Goes(step), work)
    }

    fn stub(
        &mut self,
        member: &Member,
        picks: Vec<usize>,
        (widths, leaves): (Vec<usize>, Vec<Type>),
        part: Part,
        work: &mut Work,
    ) -> Option<Stub> {
        let scope = self.scope(work).ok()?;
        let inputs = seeds::first_inputs(self.machine(), &scope.literals, &leaves, INPUTS);
        (!inputs.is_empty()).then(|| Stub { member: member.clone(), picks, widths, leaves, inputs, part })
    }
}
