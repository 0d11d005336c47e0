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
    /// Goes on with what an object gives.
    Leads(Make),
}

/// A part, with the values it is tried with.
pub(super) struct Stub {
    /// What is called or set; of one that makes the object, the method under test.
    pub member: Member,
    pub picks: Vec<usize>,
    pub widths: Vec<usize>,
    pub leaves: Vec<Type>,
    pub inputs: Vec<Input>,
    /// The class under test.
    owner: String,
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

    /// Whether it gives the object that the next part goes on with.
    pub fn gives_object(&self) -> bool {
        matches!(self.part, Part::Begins(_) | Part::Leads(_))
    }

    pub fn assemble(&self, m: &mut Machine) -> Result<MethodId, Raise> {
        match &self.part {
            Part::Begins(made) => harness::assemble_object(m, made, &self.leaves, &self.owner),
            Part::Goes(step) => harness::assemble_step(m, step, &self.leaves, &self.owner),
            Part::Leads(made) => harness::assemble_way(m, made, &self.leaves, &self.owner),
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

    /// The part that does one thing with it, or goes on with another one.
    pub(super) fn step(
        &mut self,
        member: &Member,
        picks: Vec<usize>,
        act: &Member,
        work: &mut Work,
    ) -> Option<Stub> {
        let act = if member.is_field() { act } else { member };
        let (mut maker, _) = self.maker(act, &picks, work)?;
        let part = match work.relevance.turning.contains(member) {
            true => Part::Leads(maker.turned_receiver(member)?),
            false => Part::Goes(maker.step(member)?),
        };
        let (widths, leaves) = (maker.widths.clone(), maker.leaves.clone());
        self.stub(member, picks, (widths, leaves), part, work)
    }

    /// The part that leads from the object under test to one inside it.
    pub(super) fn way(&mut self, path: &[Member], work: &mut Work) -> Option<Stub> {
        let first = path.first()?;
        let (mut maker, _) = self.maker(first, &[], work)?;
        let made = maker.given_by_receiver(path)?;
        let (widths, leaves) = (maker.widths.clone(), maker.leaves.clone());
        self.stub(path.last()?, Vec::new(), (widths, leaves), Part::Leads(made), work)
    }

    /// The part that calls such an object.
    pub(super) fn step_inside(&mut self, path: &[Member], act: &Member, work: &mut Work) -> Option<Stub> {
        let first = path.first()?;
        let (mut maker, _) = self.maker(first, &[], work)?;
        let kind = maker.given_by_receiver(path)?.kind()?;
        let (places, before) = (maker.widths.len(), maker.leaves.len());
        let step = maker.step_on(&kind, act)?;
        // What leads there has leaves of its own.
        if places + before > 0 {
            return None;
        }
        let (widths, leaves) = (maker.widths.clone(), maker.leaves.clone());
        self.stub(act, Vec::new(), (widths, leaves), Part::Goes(step), work)
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
        let owner = work.class.clone();
        (!inputs.is_empty()).then(|| Stub {
            member: member.clone(),
            picks,
            widths,
            leaves,
            inputs,
            owner,
            part,
        })
    }
}
