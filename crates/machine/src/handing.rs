//! Numbers that say in which order the calls of a pool hand objects out, for variables that are decided in any order.
//!
//! Before each call some number of objects has been handed out. A `getAny` gives null, one of those, or the next one; a
//! `getNew` gives the next one; going through the pool hands out all objects up to the one it has come to. While
//! earlier variables are open, how many were handed out before a call is not known, but the possible counts are always
//! an interval, and so are the counts from which all later calls can still be met. A variable can have a number exactly
//! if it leads from one interval into the other.

use crate::pool::{Pick, Variable};

/// What a pool allows.
pub(crate) struct Rules {
    pub size: u32,
    pub with_null: bool,
}

/// Counts from the first to the second, which is included.
type Counts = (u32, u32);

/// Whether every variable can be decided.
pub(crate) fn fits(variables: &[Variable], rules: &Rules) -> bool {
    reached(variables, rules).is_some()
}

/// What an open variable can be, so that every other one can still be decided.
pub(crate) fn alternatives(variables: &[Variable], variable: u32, rules: &Rules) -> Vec<Pick> {
    let (earlier, later) = variables.split_at(variable as usize);
    let (this, later) = (&later[0], &later[1..]);
    let before = reached(earlier, rules).map(|counts| passed(this, counts));
    let after = later.iter().try_rfold((0, rules.size), |counts, v| back(v, v.chosen, rules, counts));
    let (Some(before), Some(after)) = (before, after) else { return Vec::new() };
    let leads = |pick| {
        let from = back_unpassed(this.fresh, Some(pick), rules, after);
        from.is_some_and(|from| from.0 <= before.1 && before.0 <= from.1)
    };
    let null = (rules.with_null && !this.fresh).then_some(Pick::Null);
    let objects = (0..=before.1.min(rules.size - 1)).map(Pick::Object);
    null.into_iter().chain(objects).filter(|pick| leads(*pick)).collect()
}

/// How many objects can have been handed out after these calls.
fn reached(variables: &[Variable], rules: &Rules) -> Option<Counts> {
    variables.iter().try_fold((0, 0), |counts, v| forth(v, rules, counts))
}

fn passed(variable: &Variable, (least, most): Counts) -> Counts {
    (least.max(variable.passed), most.max(variable.passed))
}

fn forth(variable: &Variable, rules: &Rules, counts: Counts) -> Option<Counts> {
    let (least, most) = passed(variable, counts);
    match (variable.fresh, variable.chosen) {
        (false, None) if least == 0 && !rules.with_null => Some((1, (most + 1).min(rules.size))),
        (false, None) => Some((least, (most + 1).min(rules.size))),
        (_, Some(Pick::Null)) => Some((least, most)),
        (false, Some(Pick::Object(number))) => {
            (number <= most).then(|| (least.max(number + 1), most.max(number + 1)))
        }
        (true, None) => (least < rules.size).then(|| (least + 1, (most + 1).min(rules.size))),
        (true, Some(Pick::Object(number))) => {
            (least <= number && number <= most).then_some((number + 1, number + 1))
        }
    }
}

/// The counts before a call that lead to one of these after it.
fn back(variable: &Variable, chosen: Option<Pick>, rules: &Rules, after: Counts) -> Option<Counts> {
    let (least, most) = back_unpassed(variable.fresh, chosen, rules, after)?;
    match variable.passed {
        passed if passed > most => None,
        passed if passed >= least => Some((0, most)),
        _ => Some((least, most)),
    }
}

/// The same, counted after what the program had gone through.
fn back_unpassed(fresh: bool, chosen: Option<Pick>, rules: &Rules, (least, most): Counts) -> Option<Counts> {
    match (fresh, chosen) {
        (false, None) => {
            let from = least.saturating_sub(1);
            // Without null, the first call cannot leave the count at zero.
            let from = if from == 0 && !rules.with_null && most == 0 { 1 } else { from };
            (from <= most).then_some((from, most))
        }
        (_, Some(Pick::Null)) => Some((least, most)),
        (false, Some(Pick::Object(number))) => {
            let from = if number + 1 >= least { number } else { least };
            (number < most).then_some((from, most))
        }
        (true, None) => (most > 0).then(|| (least.saturating_sub(1), most - 1)),
        (true, Some(Pick::Object(number))) => {
            (least <= number + 1 && number < most).then_some((number, number))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::pool::{Numbering, Pick, Pool};

    /// One call on a pool: `None` for `getNew`, or for `getAny`; `Some` for going up to an object.
    #[derive(Clone, Copy, Debug)]
    enum Call {
        Any,
        New,
        Pass(u32),
    }

    /// All that the calls can give, from what they mean.
    fn eager(calls: &[Call], size: u32, with_null: bool) -> BTreeSet<Vec<Pick>> {
        let mut states: Vec<(u32, Vec<Pick>)> = vec![(0, Vec::new())];
        for call in calls {
            let mut next = Vec::new();
            for (used, picks) in states {
                let mut push = |used, pick: Option<Pick>| {
                    next.push((used, picks.iter().copied().chain(pick).collect()));
                };
                match call {
                    Call::Pass(index) => push(used.max(index + 1), None),
                    Call::New if used < size => push(used + 1, Some(Pick::Object(used))),
                    Call::New => {}
                    Call::Any => {
                        if with_null {
                            push(used, Some(Pick::Null));
                        }
                        (0..used).for_each(|number| push(used, Some(Pick::Object(number))));
                        if used < size {
                            push(used + 1, Some(Pick::Object(used)));
                        }
                    }
                }
            }
            states = next;
        }
        states.into_iter().map(|(_, picks)| picks).collect()
    }

    /// The same, with variables that are decided in the given order after all calls.
    fn delayed(calls: &[Call], size: u32, with_null: bool, order: &[usize]) -> BTreeSet<Vec<Pick>> {
        let mut pool = Pool::new(size as i32, with_null, Numbering::ByCall);
        for call in calls {
            match call {
                Call::Any => drop(pool.add_any()),
                Call::New if pool.add_new().is_none() => return BTreeSet::new(),
                Call::New => {}
                Call::Pass(index) => pool.set_passed(pool.passed().max(index + 1)),
            }
        }
        let mut found = BTreeSet::new();
        let mut picks = vec![Pick::Null; order.len()];
        decide(&mut pool, order, &mut picks, &mut found);
        found
    }

    fn decide(pool: &mut Pool, order: &[usize], picks: &mut Vec<Pick>, found: &mut BTreeSet<Vec<Pick>>) {
        let Some((first, rest)) = order.split_first() else {
            found.insert(picks.clone());
            return;
        };
        let alternatives = pool.alternatives(*first as u32);
        assert!(!alternatives.is_empty(), "what is offered can be completed");
        for pick in alternatives {
            picks[*first] = pick;
            pool.choose(*first as u32, pick);
            decide(pool, rest, picks, found);
            pool.unchoose(*first as u32);
        }
    }

    #[test]
    fn every_order_of_deciding_gives_what_deciding_at_once_gives() {
        let mut compared = 0;
        for code in 0..4u32.pow(5) {
            let mut passed = 0;
            let calls: Vec<Call> = (0..5)
                .map(|at| match code / 4u32.pow(at) % 4 {
                    0 | 1 => Call::Any,
                    2 => Call::New,
                    _ => {
                        passed += 1;
                        Call::Pass(passed - 1)
                    }
                })
                .collect();
            let variables = calls.iter().filter(|call| !matches!(call, Call::Pass(_))).count();
            for size in passed.max(1)..=4 {
                for with_null in [false, true] {
                    let expected = eager(&calls, size, with_null);
                    let forwards: Vec<usize> = (0..variables).collect();
                    let backwards: Vec<usize> = (0..variables).rev().collect();
                    let inside_out: Vec<usize> =
                        (0..variables).map(|i| (i * 2 + 1) % variables.max(1)).collect();
                    let is_order = inside_out.iter().collect::<BTreeSet<_>>().len() == variables;
                    for order in
                        [Some(forwards), Some(backwards), is_order.then_some(inside_out)].iter().flatten()
                    {
                        let found = delayed(&calls, size, with_null, order);
                        assert_eq!(
                            found, expected,
                            "{calls:?} of {size}, null {with_null}, in order {order:?}"
                        );
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 10_000);
    }
}
