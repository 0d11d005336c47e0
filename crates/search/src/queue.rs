//! Searches that can go anywhere at any time: an alternative is kept as the decisions that lead to it, and every path is
//! run from the start.

use std::collections::VecDeque;
use std::rc::Rc;

use machine::{Checkpoint, Choice, Label, Machine, Stop};
use program::branches::Branch;

use crate::PathEnd;
use crate::frontier::Frontier;
use crate::limits::CutOff;
use crate::order::Order;
use crate::reasoning::{Reasoning, Turn};
use crate::room;
use crate::search::{Guide, Met, Next, Search, Untried};
use crate::stack::without_alternative;

/// An alternative to go to.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<K> {
    /// The decisions of the path that passed it by, and how many of them lead there.
    pub decisions: Rc<[u64]>,
    pub depth: usize,
    pub turn: Turn,
    /// What was known there.
    pub known: K,
}

pub(crate) struct Queue<R: Reasoning> {
    root: Checkpoint,
    /// How much the reasoning keeps at the start.
    size: usize,
    waiting: Waiting<R::Known>,
    /// The alternative to take when the prefix has ended.
    turn: Option<Candidate<R::Known>>,
    /// Where the last path ran into a bound.
    pub stuck: Option<Branch>,
}

enum Waiting<K> {
    /// The shortest list of decisions first.
    Breadth(VecDeque<Candidate<K>>),
    /// What promises most first.
    Directed(Frontier<K>),
}

impl<R: Reasoning> Queue<R> {
    /// `size` is how much the reasoning keeps at the start.
    pub fn new(m: &mut Machine, order: Order, size: usize) -> Queue<R> {
        let waiting = match order {
            Order::Directed => Waiting::Directed(Frontier::new()),
            _ => Waiting::Breadth(VecDeque::new()),
        };
        Queue { root: m.checkpoint(), size, waiting, turn: None, stuck: None }
    }
}

impl<R: Reasoning> Search<'_, R> {
    fn queue(&mut self) -> &mut Queue<R> {
        match &mut self.untried {
            Untried::Queue(queue) => queue,
            Untried::Stack(_) => unreachable!("a stack is gone through depth first"),
        }
    }

    /// At a choice: takes the turn that was planned; or else notes the alternatives, and follows one of them or none.
    pub(crate) fn go_along(&mut self, choice: &Choice, guide: &mut dyn Guide) -> Result<Met, CutOff> {
        if let Some(candidate) = self.queue().turn.take() {
            return Ok(self.turn(choice, &candidate));
        }
        if let Some(end) = self.reasoning.refresh(self.m) {
            return Ok(Met::Ended(end));
        }
        let depth = self.decisions.len();
        let known = self.reasoning.known();
        let Untried::Queue(queue) = &mut self.untried else { return Ok(Met::Left) };
        match &mut queue.waiting {
            Waiting::Breadth(waiting) => {
                let decisions: Rc<[u64]> = self.decisions.as_slice().into();
                for turn in self.reasoning.turns(choice) {
                    // A choice may have more alternatives than there is room for.
                    if room::is_short() {
                        return Err(CutOff::Memory);
                    }
                    let (decisions, known) = (decisions.clone(), known.clone());
                    waiting.push_back(Candidate { decisions, depth, turn, known });
                }
                Ok(Met::Left)
            }
            Waiting::Directed(frontier) => {
                let Some((decision, others)) = self.reasoning.follow(self.m, choice, guide) else {
                    return Ok(Met::Ended(without_alternative(&choice.label)));
                };
                if matches!(choice.label, Label::Guards(_)) {
                    frontier.take(self.m, decision as usize);
                }
                frontier.pass_by(self.m, depth, others.into_iter(), &known);
                self.push(decision);
                Ok(Met::Decided)
            }
        }
    }

    /// Takes the alternative of a candidate, at the choice where it was passed by.
    fn turn(&mut self, choice: &Choice, candidate: &Candidate<R::Known>) -> Met {
        let Some((decision, left)) = self.reasoning.take(self.m, choice, &candidate.turn, &candidate.known)
        else {
            return Met::Ended(PathEnd::Stop(Stop::Rejected));
        };
        let depth = self.decisions.len();
        if let Untried::Queue(queue) = &mut self.untried {
            match &mut queue.waiting {
                Waiting::Breadth(waiting) => {
                    waiting.extend(left.map(|turn| Candidate { turn, ..candidate.clone() }))
                }
                Waiting::Directed(frontier) => {
                    frontier.pass_by(self.m, depth, left.into_iter(), &candidate.known);
                    if let Turn::Guard(index) = &candidate.turn {
                        frontier.take(self.m, *index);
                    }
                }
            }
        }
        self.push(decision);
        Met::Decided
    }

    /// Goes back to the start, and plans the way to the next alternative.
    pub(crate) fn restart(&mut self, guide: &mut dyn Guide) -> Result<Next, CutOff> {
        self.spend(R::TURN, guide)?;
        let Queue { root, size, .. } = *self.queue();
        self.m.rollback(root);
        self.reasoning.relieve(self.m, size)?;
        let mut wants = |branch| guide.wants(branch);
        let Untried::Queue(queue) = &mut self.untried else { return Ok(Next::Exhausted) };
        let next = match &mut queue.waiting {
            Waiting::Breadth(waiting) => waiting.pop_front(),
            Waiting::Directed(frontier) => {
                frontier.end_path(&self.decisions, queue.stuck, &mut wants);
                let next = frontier.next(&mut wants);
                self.survey.skipped += u64::from(next.is_none() && frontier.overflowed);
                next
            }
        };
        let Some(candidate) = next else { return Ok(Next::Exhausted) };
        self.prefix = candidate.decisions[..candidate.depth].iter().rev().copied().collect();
        self.reasoning.restore(&candidate.known);
        self.steps = 0;
        self.decisions.clear();
        queue.turn = Some(candidate);
        Ok(Next::Run)
    }
}
