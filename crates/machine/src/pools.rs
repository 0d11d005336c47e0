//! The pools of a path: opening one, going through it, and choosing from it.

use program::Kind;
use rustc_hash::FxHashMap;

use crate::choice::{Label, Mode};
use crate::machine::Machine;
use crate::native::Raise;
use crate::outcome::Stop;
use crate::pending::{Change, Domain, PENDING_TAG, PoolState};
use crate::pool::{Numbering, Pick, Pool};
use crate::value::{Ref, Word, is_unknown};

impl Machine {
    /// Opens a pool with the objects made for it so far; its number.
    pub fn open_pool(&mut self, size: i32, with_null: bool, objects: Ref) -> u32 {
        let count = if objects.is_null() { 0 } else { self.heap.length(objects) };
        let alike = (1..count as u32).all(|i| self.are_alike(self.get(objects, 1), self.get(objects, 1 + i)));
        let numbering = if alike { Numbering::ByNeed } else { Numbering::ByCall };
        let pool = Pool::new(size, with_null, numbering);
        self.pending.pools.push(PoolState { pool, objects });
        self.pending.pools.len() as u32 - 1
    }

    /// Goes on to an object of a pool, which is handed out by that.
    pub fn pass_in_pool(&mut self, pool: u32, objects: Ref, index: i32) -> Result<Word, Raise> {
        self.number_by_call(pool)?;
        let Some(state) = self.pending.pools.get_mut(pool as usize) else { return Err(no_such_pool()) };
        let old = state.pool.passed();
        if index as u32 >= old {
            state.pool.set_passed(index as u32 + 1);
            self.pending.log.push(Change::PoolPassed { pool, old });
        }
        let place = self.pending.pools[pool as usize].pool.place(index as u32);
        Ok(self.get(objects, 1 + place))
    }

    /// Lets the objects of a pool be told apart. What was handed out before is decided, in the order of the calls.
    fn number_by_call(&mut self, pool: u32) -> Result<(), Raise> {
        let by_need = |state: &PoolState| state.pool.numbering() == Numbering::ByNeed;
        if !self.pending.pools.get(pool as usize).is_some_and(by_need) {
            return Ok(());
        }
        let is_open = |m: &Machine, id: usize| {
            let cell = &m.pending.cells[id];
            cell.value.is_none() && matches!(cell.domain, Domain::Pool { pool: of, .. } if of == pool)
        };
        if self.pending.pools[pool as usize].pool.open().next().is_some() {
            for id in (0..self.pending.cells.len()).filter(|id| is_open(self, *id)).collect::<Vec<_>>() {
                self.force_cell(id as u32)?;
            }
        }
        let state = &mut self.pending.pools[pool as usize].pool;
        let old = Box::new(state.clone());
        state.number_by_call();
        self.pending.log.push(Change::PoolNumbered { pool, old });
        Ok(())
    }

    /// Notes the objects of a pool, one of which may have been made just now.
    fn note_objects(&mut self, pool: u32, objects: Ref) -> Result<(), Raise> {
        let Some(state) = self.pending.pools.get(pool as usize) else { return Err(no_such_pool()) };
        if state.objects == objects {
            return Ok(());
        }
        let count = self.heap.length(objects) as u32;
        if count > 1 && !self.are_alike(self.get(objects, 1), self.get(objects, count)) {
            self.number_by_call(pool)?;
        }
        let old = std::mem::replace(&mut self.pending.pools[pool as usize].objects, objects);
        self.pending.log.push(Change::PoolObjects { pool, old });
        Ok(())
    }

    /// Adds a variable to a pool whose objects are in the array `objects`; `None` if there is no room.
    pub fn pool_variable(&mut self, pool: u32, objects: Ref, fresh: bool) -> Result<Option<u32>, Raise> {
        self.note_objects(pool, objects)?;
        let state = &mut self.pending.pools[pool as usize];
        let variable = if fresh { state.pool.add_new() } else { Some(state.pool.add_any()) };
        if variable.is_some() {
            self.pending.log.push(Change::PoolVariable(pool));
        }
        Ok(variable)
    }

    /// Adds a variable to a pool and decides it at once; `None` if there is no room.
    pub fn pick_from_pool(&mut self, pool: u32, objects: Ref, fresh: bool) -> Result<Option<Word>, Raise> {
        let Some(state) = self.pending.pools.get_mut(pool as usize) else { return Err(no_such_pool()) };
        let variable = if fresh { state.pool.add_new() } else { Some(state.pool.add_any()) };
        let Some(variable) = variable else { return Ok(None) };
        let picks = state.pool.alternatives(variable);
        // It is made only when it can be decided: whoever asks is executed again.
        state.pool.remove_last();
        let decision = self.decide_pick(pool, &picks)?;
        match self.pool_variable(pool, objects, fresh)? {
            Some(variable) => self.picked_object(pool, variable, &picks, decision).map(Some),
            None => Ok(None),
        }
    }

    /// Decides a pool variable and gives its object.
    pub fn force_pool(&mut self, pool: u32, variable: u32) -> Result<Word, Raise> {
        let picks = self.pending.pools[pool as usize].pool.alternatives(variable);
        let decision = self.decide_pick(pool, &picks)?;
        self.picked_object(pool, variable, &picks, decision)
    }

    fn decide_pick(&mut self, pool: u32, picks: &[Pick]) -> Result<u64, Raise> {
        let given = if picks.len() > 1 { self.symbolic.given_pick() } else { None };
        match given.filter(|given| *given < picks.len() as u64) {
            Some(given) => Ok(given),
            None => self.choose_among(picks.len() as u64, || Label::Pool { pool, picks: picks.to_vec() }),
        }
    }

    /// Lets a variable be what was decided, and gives the object.
    fn picked_object(
        &mut self,
        pool: u32,
        variable: u32,
        picks: &[Pick],
        decision: u64,
    ) -> Result<Word, Raise> {
        let pick = picks[decision as usize];
        if self.mode == Mode::Symbolic && picks.len() > 1 {
            self.symbolic.picked(decision, pick);
        }
        let state = &mut self.pending.pools[pool as usize];
        state.pool.choose(variable, pick);
        let objects = state.objects;
        self.pending.log.push(Change::PoolChosen { pool, variable });
        let Pick::Object(number) = pick else { return Ok(0) };
        let place = self.pending.pools[pool as usize].pool.place(number);
        if place < self.heap.length(objects) as u32 {
            Ok(self.get(objects, 1 + place))
        } else {
            Err(Raise::Stop(Stop::NotModelled("a pool with fewer objects than it needs".into())))
        }
    }

    /// Whether two objects that were just made have the same in them, as far as a program can see that looks at nothing
    /// else: the same class, the same values, and parts of their own that are alike.
    fn are_alike(&self, one: Word, other: Word) -> bool {
        if one == other || is_unknown(one) || is_unknown(other) || one == 0 || other == 0 {
            return one == other;
        }
        let mut pairs = Pairs::default();
        pairs.add(one, other);
        while let Some((one, other)) = pairs.work.pop() {
            if pairs.looked_at == MANY_PARTS || !self.match_parts(Ref(one), Ref(other), &mut pairs) {
                return false;
            }
            pairs.looked_at += 1;
        }
        true
    }

    fn match_parts(&self, one: Ref, other: Ref, pairs: &mut Pairs) -> bool {
        let header = |object: Ref| self.heap.word(object.0);
        if header(one) != header(other) || self.heap.is_shadowed(one) {
            return false;
        }
        let words = Machine::size_of(&self.classes, header(one));
        let class = &self.program.classes[self.heap.class_index(one) as usize];
        let refers = |at: u32| match class.element_kind() {
            Some(kind) => kind == Kind::Ref,
            None => class.ref_words.contains(&at),
        };
        (1..words).all(|at| {
            let (one, other) = (self.get(one, at), self.get(other, at));
            match (is_unknown(one), is_unknown(other)) {
                (true, true) => one == other || self.are_open_alike(one, other) && pairs.add_open(one, other),
                (false, false) if refers(at) && one != 0 && other != 0 => pairs.add(one, other),
                _ => one == other,
            }
        })
    }

    /// Whether two words are choices of the same numbers that nobody has made yet.
    fn are_open_alike(&self, one: Word, other: Word) -> bool {
        if one >> 32 != PENDING_TAG || other >> 32 != PENDING_TAG {
            return false;
        }
        let (one, other) =
            (&self.pending.cells[one as u32 as usize], &self.pending.cells[other as u32 as usize]);
        match (&one.domain, &other.domain) {
            (Domain::Range { lo, count }, Domain::Range { lo: lo2, count: count2 }) => {
                (lo, count, one.kind) == (lo2, count2, other.kind)
                    && one.value.is_none()
                    && other.value.is_none()
            }
            _ => false,
        }
    }
}

fn no_such_pool() -> Raise {
    Raise::Stop(Stop::NotModelled("an object pool that is used outside of the path that made it".into()))
}

/// Objects with more parts than this count as different.
const MANY_PARTS: usize = 64;

/// Which part of one object stands where which part of the other does.
#[derive(Default)]
struct Pairs {
    forth: FxHashMap<Word, Word>,
    back: FxHashMap<Word, Word>,
    work: Vec<(u32, u32)>,
    looked_at: usize,
}

impl Pairs {
    fn add(&mut self, one: Word, other: Word) -> bool {
        let known = self.forth.len();
        let fits = self.add_open(one, other);
        if fits && self.forth.len() > known && one != other {
            self.work.push((one as u32, other as u32));
        }
        fits
    }

    fn add_open(&mut self, one: Word, other: Word) -> bool {
        *self.forth.entry(one).or_insert(other) == other && *self.back.entry(other).or_insert(one) == one
    }
}
