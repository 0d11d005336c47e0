//! Object pools: which objects the results of `getAny` and `getNew` can be, decided as late as wished.
//!
//! Every call makes a variable, and objects have numbers. As long as nobody can tell the objects apart they are numbered
//! in the order in which they are first needed ([`Numbering::ByNeed`]). A `getNew` variable differs from all variables
//! made before it, so each one starts a new level, and a `getAny` variable belongs to the level current at its call. A
//! partial assignment of objects to variables can be completed within the pool's size exactly if
//! [`Pool::least_objects`] does not exceed it; that is checked, in polynomial time, before an alternative is even
//! offered.
//!
//! Objects that differ from the start, or that the program went through, can be told apart. They are numbered in the
//! order of the calls that hand them out ([`Numbering::ByCall`]), whatever the order in which they are needed: see
//! [`crate::handing`].
//!
//! Both leave out structures that differ only in which fresh object is which.

use crate::handing;

/// A value a variable can take.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pick {
    Null,
    /// The object with this number; the first unused number stands for any object not chosen so far.
    Object(u32),
}

impl std::fmt::Display for Pick {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Pick::Null => write!(f, "null"),
            Pick::Object(number) => write!(f, "object {number}"),
        }
    }
}

#[derive(Clone, Copy, Hash, Debug)]
pub(crate) struct Variable {
    level: u32,
    /// Made by `getNew`.
    pub fresh: bool,
    pub chosen: Option<Pick>,
    /// Objects that the program had gone through when it was made.
    pub passed: u32,
}

/// What an object's number says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Numbering {
    /// Which one was needed first.
    ByNeed,
    /// Which one was handed out first.
    ByCall,
}

impl Variable {
    fn object(&self) -> Option<u32> {
        match self.chosen {
            Some(Pick::Object(number)) => Some(number),
            _ => None,
        }
    }
}

/// See the module's description.
#[derive(Clone, Hash, Debug)]
pub struct Pool {
    /// Number of objects, or none for an unbounded pool.
    size: Option<u32>,
    with_null: bool,
    variables: Vec<Variable>,
    /// Number of `getNew` variables: the current level.
    levels: u32,
    /// Objects chosen so far, when numbers go by need.
    used: u32,
    numbering: Numbering,
    /// Objects that the program went through.
    passed: u32,
    /// Which object has which of the first numbers; each of the others has its own number.
    order: Vec<u32>,
}

impl Pool {
    /// A pool of `size` objects, unbounded if negative.
    pub fn new(size: i32, with_null: bool, numbering: Numbering) -> Pool {
        Pool {
            size: u32::try_from(size).ok(),
            with_null,
            variables: Vec::new(),
            levels: 0,
            used: 0,
            numbering,
            passed: 0,
            order: Vec::new(),
        }
    }

    pub fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// Variables that are not decided, in the order of their calls.
    pub fn open(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.variables).filter(|(_, variable)| variable.chosen.is_none()).map(|(number, _)| number)
    }

    /// Numbers go by call from now on. Every variable is decided, so the calls so far say which object came when.
    pub fn number_by_call(&mut self) {
        debug_assert!(self.open().next().is_none(), "an open variable has no object yet");
        let mut order = Vec::new();
        for variable in &mut self.variables {
            if let Some(object) = variable.object() {
                let number = order.iter().position(|other| *other == object).unwrap_or_else(|| {
                    order.push(object);
                    order.len() - 1
                });
                variable.chosen = Some(Pick::Object(number as u32));
            }
        }
        self.order = order;
        self.numbering = Numbering::ByCall;
    }

    /// How many objects the program went through.
    pub fn passed(&self) -> u32 {
        self.passed
    }

    pub fn set_passed(&mut self, passed: u32) {
        self.passed = passed;
    }

    /// The place among the objects as they were made.
    pub fn place(&self, number: u32) -> u32 {
        self.order.get(number as usize).copied().unwrap_or(number)
    }

    /// A `getAny` variable.
    pub fn add_any(&mut self) -> u32 {
        // Without null the very first object is necessarily a new one, and later `getNew`s must count it.
        if self.numbering == Numbering::ByNeed && !self.with_null && self.variables.is_empty() {
            self.levels = 1;
            return self.add(true);
        }
        self.add(false)
    }

    /// A `getNew` variable; `None` if the pool has no room for one more object.
    pub fn add_new(&mut self) -> Option<u32> {
        self.levels += 1;
        let variable = self.add(true);
        if self.fits() {
            Some(variable)
        } else {
            self.remove_last();
            None
        }
    }

    fn add(&mut self, fresh: bool) -> u32 {
        let passed = self.passed;
        self.variables.push(Variable { level: self.levels, fresh, chosen: None, passed });
        self.variables.len() as u32 - 1
    }

    /// Takes back the last variable made.
    pub fn remove_last(&mut self) {
        if let Some(variable) = self.variables.pop()
            && variable.fresh
        {
            self.levels -= 1;
        }
    }

    /// Decides a variable.
    pub fn choose(&mut self, variable: u32, pick: Pick) {
        if self.numbering == Numbering::ByNeed && pick == Pick::Object(self.used) {
            self.used += 1;
        }
        self.variables[variable as usize].chosen = Some(pick);
    }

    /// Takes a decision back; decisions are taken back in reverse order.
    pub fn unchoose(&mut self, variable: u32) {
        let pick = self.variables[variable as usize].chosen.take();
        if self.numbering == Numbering::ByNeed
            && let Some(Pick::Object(number)) = pick
            && number + 1 == self.used
            && !self.variables.iter().any(|v| v.object() == Some(number))
        {
            self.used -= 1;
        }
    }

    /// What an undecided variable can be without making the rest impossible.
    pub fn alternatives(&mut self, variable: u32) -> Vec<Pick> {
        if self.numbering == Numbering::ByCall {
            return handing::alternatives(&self.variables, variable, &self.rules());
        }
        let Variable { level, fresh, .. } = self.variables[variable as usize];
        let mut picks = Vec::new();
        if self.with_null && !fresh {
            picks.push(Pick::Null);
        }
        for number in 0..=self.used {
            let clash = self.variables.iter().any(|other| {
                other.object() == Some(number)
                    && if fresh {
                        other.level < level || other.fresh
                    } else {
                        other.fresh && other.level > level
                    }
            });
            if clash {
                continue;
            }
            self.choose(variable, Pick::Object(number));
            let fits = self.fits();
            self.unchoose(variable);
            if fits {
                picks.push(Pick::Object(number));
            }
        }
        picks
    }

    fn rules(&self) -> handing::Rules {
        handing::Rules { size: self.size.unwrap_or(u32::MAX / 2), with_null: self.with_null }
    }

    fn fits(&self) -> bool {
        if self.numbering == Numbering::ByCall {
            return handing::fits(&self.variables, &self.rules());
        }
        let Some(size) = self.size else { return true };
        // With an object of its own for each open `getNew` there is often room enough, and nothing to reckon.
        let open = self.variables.iter().filter(|v| v.fresh && v.chosen.is_none()).count() as u32;
        self.used + open <= size || open > 0 && self.least_objects() <= size
    }

    /// The fewest objects with which all variables can be decided.
    ///
    /// An undecided `getAny` can always equal the `getNew` of its level (or be null before the first one). An undecided
    /// `getNew` can reuse an object that only `getAny`s of its own and later levels were given; every other one needs
    /// an object of its own. Going down from the last level, each takes any object it may, which is a largest matching
    /// because the sets of usable objects only grow.
    fn least_objects(&self) -> u32 {
        let mut first_level = vec![u32::MAX; self.used as usize];
        let mut taken = vec![false; self.used as usize];
        for variable in &self.variables {
            if let Some(number) = variable.object() {
                let level = &mut first_level[number as usize];
                *level = (*level).min(variable.level);
                taken[number as usize] |= variable.fresh;
            }
        }
        let mut reusable: Vec<u32> =
            (0..self.used as usize).filter(|i| !taken[*i]).map(|i| first_level[i]).collect();
        reusable.sort_unstable();
        let mut needed = self.used;
        let mut available = 0;
        for variable in self.variables.iter().rev().filter(|v| v.fresh) {
            while reusable.last().is_some_and(|level| *level >= variable.level) {
                reusable.pop();
                available += 1;
            }
            if variable.chosen.is_none() {
                if available > 0 {
                    available -= 1;
                } else {
                    needed += 1;
                }
            }
        }
        needed
    }
}

#[cfg(test)]
mod tests {
    use super::{Numbering, Pick, Pool};

    #[test]
    fn a_new_object_differs_from_an_earlier_undecided_one() {
        let mut pool = Pool::new(3, false, Numbering::ByNeed);
        let any = pool.add_any();
        let new = pool.add_new().unwrap();
        pool.choose(new, Pick::Object(0));
        assert_eq!(pool.alternatives(any), [Pick::Object(1)]);
    }

    #[test]
    fn later_new_objects_force_earlier_ones_to_be_equal() {
        let mut pool = Pool::new(3, false, Numbering::ByNeed);
        let first = pool.add_new().unwrap();
        let anys = [pool.add_any(), pool.add_any(), pool.add_any()];
        pool.add_new().unwrap();
        pool.add_new().unwrap();
        // With n2 and n3 to come, three objects leave one for n1, a1, a2 and a3 together.
        for any in anys {
            assert_eq!(pool.alternatives(any), [Pick::Object(0)]);
            pool.choose(any, Pick::Object(0));
        }
        assert_eq!(pool.alternatives(first), [Pick::Object(0)]);
    }

    #[test]
    fn a_full_pool_has_no_new_object() {
        let mut pool = Pool::new(1, false, Numbering::ByNeed);
        pool.add_any();
        assert_eq!(pool.add_new(), None);
        let mut pool = Pool::new(1, true, Numbering::ByNeed);
        pool.add_any();
        assert!(pool.add_new().is_some(), "the first may still be null");
    }
}
