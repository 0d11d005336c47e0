//! The heap: one reserved region of 64-bit words, objects named by the index of their header word.
//!
//! Objects never move. The low part of the region is permanent (class mirrors with their static fields, literals);
//! above it objects are allocated by bumping a cursor, first into fresh memory and, after a collection, into runs of
//! words that became free. While a checkpoint is open only fresh memory is used, so that rolling back is setting the
//! cursor back.
//!
//! A header word holds the class in its low half, and in its high half the length (arrays) or the identity hash code
//! (other objects). Class 0 marks unused words; its "length" counts them, header included.

use program::Kind;

use crate::value::{Ref, Word};

/// The bits of a header's low half that name the class.
pub const CLASS_MASK: u32 = 0x7FFF_FFFF;
/// Set in the header of an array some of whose elements are pending in the machine's side table.
pub const SHADOWED: u32 = 0x8000_0000;

/// Words reserved for permanent objects.
const PERMANENT_WORDS: u32 = 32 << 20;
/// Collections are not worth it below this many words allocated since the last one.
const MINIMUM_BUDGET: u64 = 8 << 20;
/// Free runs shorter than this are not reused.
const SHORTEST_RUN: u32 = 32;
/// Words of a free run that are taken into use at once, at least.
const STRETCH: u32 = 1 << 16;
/// Words the heap grows by, at least.
const PIECE: u32 = 1 << 20;
/// From so many words on it is better to give memory back to the system than to clear it.
const MUCH: usize = 4 << 20;

/// See the module's description.
pub struct Heap {
    base: *mut Word,
    reserved: u64,
    permanent_top: u32,
    /// First word of collected memory.
    pub(crate) start: u32,
    /// Next free word.
    pub(crate) top: u32,
    /// End of the memory `top` may grow into without asking.
    pub(crate) end: u32,
    /// When `top` is inside a free run: where fresh memory continues. Equal to `top` otherwise.
    frontier: u32,
    in_run: bool,
    runs: Vec<(u32, u32)>,
    limit: u32,
    /// End of the memory that may be taken up: room was asked for up to here.
    granted: u32,
    /// Words the program may allocate before the next collection.
    budget: u64,
    allocated: u64,
    /// Words found alive by the last collection.
    pub(crate) live: u64,
    /// Those of them that the path refers to, and not only an open choice.
    pub(crate) own: u64,
    pub collections: u64,
}

/// Why a request cannot be met.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Short {
    /// The heap is full.
    OfHeap,
    /// It is not, but the process has no room for more of it.
    OfRoom,
}

impl Heap {
    /// Reserves address space for a heap of `bytes` bytes.
    pub fn new(bytes: u64) -> Heap {
        let limit =
            (bytes / 8).clamp(1 << 16, u64::from(u32::MAX) - u64::from(PERMANENT_WORDS) - (64 << 20)) as u32;
        let reserved = u64::from(PERMANENT_WORDS) + u64::from(limit) + (1 << 20);
        // SAFETY: an anonymous private mapping has no preconditions; failure is checked.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                (reserved * 8) as usize,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        assert!(
            base != libc::MAP_FAILED,
            "cannot reserve {} bytes of address space for the heap",
            reserved * 8
        );
        let start = PERMANENT_WORDS;
        Heap {
            base: base.cast(),
            reserved,
            permanent_top: 16,
            start,
            top: start,
            end: start,
            frontier: start,
            in_run: false,
            runs: Vec::new(),
            limit,
            granted: start,
            budget: MINIMUM_BUDGET,
            allocated: 0,
            live: 0,
            own: 0,
            collections: 0,
        }
    }

    /// First word of the region, for the interpreter.
    #[inline(always)]
    pub(crate) fn base(&self) -> *mut Word {
        self.base
    }

    #[inline(always)]
    pub fn word(&self, at: u32) -> Word {
        debug_assert!(u64::from(at) < self.reserved);
        // SAFETY: a u32 index into references made by this heap stays inside the reservation; see `new`.
        unsafe { *self.base.add(at as usize) }
    }

    /// Writes without a trail entry: only for objects no checkpoint can see yet.
    #[inline(always)]
    pub(crate) fn set_word(&mut self, at: u32, word: Word) {
        debug_assert!(u64::from(at) < self.reserved);
        // SAFETY: as in `word`.
        unsafe { *self.base.add(at as usize) = word }
    }

    /// The class index of an object.
    #[inline(always)]
    pub fn class_index(&self, object: Ref) -> u32 {
        self.word(object.0) as u32 & CLASS_MASK
    }

    /// True when elements of an array may be pending although they have no room for a tag.
    #[inline(always)]
    pub fn is_shadowed(&self, array: Ref) -> bool {
        self.word(array.0) as u32 & SHADOWED != 0
    }

    /// The length of an array.
    #[inline(always)]
    pub fn length(&self, array: Ref) -> i32 {
        (self.word(array.0) >> 32) as i32
    }

    /// The bytes of an array's elements; `bytes` is how many there are.
    pub fn bytes(&self, array: Ref, bytes: usize) -> &[u8] {
        // SAFETY: the caller passes the size of this very array; nothing else borrows the heap mutably meanwhile.
        unsafe { std::slice::from_raw_parts(self.base.add(array.0 as usize + 1).cast(), bytes) }
    }

    /// Like [`Heap::bytes`], for writing.
    pub fn bytes_mut(&mut self, array: Ref, bytes: usize) -> &mut [u8] {
        // SAFETY: as in `bytes`, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.base.add(array.0 as usize + 1).cast(), bytes) }
    }

    /// Copies bytes between the elements of two arrays, which may be one and the same.
    pub(crate) fn copy(&mut self, source: Ref, from: usize, target: Ref, to: usize, bytes: usize) {
        // SAFETY: the caller checked both ranges against the arrays' lengths; `copy` allows overlap.
        unsafe {
            let source = self.base.add(source.0 as usize + 1).cast::<u8>().add(from);
            let target = self.base.add(target.0 as usize + 1).cast::<u8>().add(to);
            std::ptr::copy(source, target, bytes);
        }
    }

    /// Allocates outside the collected part.
    pub(crate) fn allocate_permanent(&mut self, header: Word, words: u32) -> Option<Ref> {
        let at = self.permanent_top;
        if u64::from(at) + u64::from(words) > u64::from(PERMANENT_WORDS) {
            return None;
        }
        self.permanent_top = at + words;
        self.set_word(at, header);
        Some(Ref(at))
    }

    /// Allocates `words` zeroed words with this header if the current stretch has room.
    #[inline(always)]
    pub(crate) fn bump(&mut self, header: Word, words: u32) -> Option<Ref> {
        let at = self.top;
        if self.end - at < words {
            return None;
        }
        self.top = at + words;
        self.set_word(at, header);
        Some(Ref(at))
    }

    /// True when [`Heap::bump`] can take this many words.
    pub(crate) fn has_room(&self, words: u64) -> bool {
        u64::from(self.end - self.top) >= words
    }

    /// True when a collection is due before more memory is taken.
    pub(crate) fn wants_collection(&self) -> bool {
        self.allocated + u64::from(self.top.saturating_sub(self.frontier)) >= self.budget
    }

    /// Finds room for `words` more words; the request is then met by [`Heap::bump`]. `has_room` is asked before memory is
    /// used that was never used before, or was given back since.
    pub(crate) fn make_room(
        &mut self,
        words: u32,
        fresh_only: bool,
        has_room: fn(u64) -> bool,
    ) -> Result<(), Short> {
        if !fresh_only {
            while let Some((at, mut len)) = self.runs.pop() {
                if len >= words {
                    self.leave();
                    // The rest of a long run stays free: what is left of a run in use is cleared again later.
                    let taken = words.max(STRETCH);
                    if len >= taken + SHORTEST_RUN {
                        self.give_up_run(at + taken, len - taken);
                        len = taken;
                    }
                    self.in_run = true;
                    self.top = at;
                    self.end = at + len;
                    self.allocated += u64::from(len);
                    // SAFETY: the run lies inside the heap and holds no live object.
                    unsafe { std::ptr::write_bytes(self.base.add(at as usize), 0, len as usize) };
                    return Ok(());
                }
            }
        }
        self.go_fresh();
        let hard_end = u64::from(self.start) + u64::from(self.limit);
        let wanted = u64::from(self.top) + u64::from(words);
        if wanted > hard_end {
            return Err(Short::OfHeap);
        }
        let step = u64::from(self.top) + u64::from(words).max(u64::from(PIECE));
        let end = step.min(hard_end) as u32;
        if end > self.granted {
            // One piece more, so that it is not asked for every few words.
            let granted = (u64::from(end) + u64::from(PIECE)).min(hard_end) as u32;
            if !has_room(u64::from(granted - self.granted) * 8) {
                return Err(Short::OfRoom);
            }
            self.granted = granted;
        }
        self.allocated += u64::from(self.top - self.frontier);
        self.frontier = self.top;
        self.end = end;
        Ok(())
    }

    /// Whether the limit leaves room for so many words in one piece, without a collection.
    pub(crate) fn can_take(&self, words: u64, fresh_only: bool) -> bool {
        let fresh = u64::from(self.start) + u64::from(self.limit) - u64::from(self.used_end());
        words <= fresh || !fresh_only && self.runs.iter().any(|run| u64::from(run.1) >= words)
    }

    /// Whether so many words would not fit into the heap even beside nothing but what the path itself refers to.
    pub(crate) fn is_full_without_choices(&self, words: u64) -> bool {
        self.own + words > u64::from(self.limit)
    }

    /// Whether an empty heap would have so many words.
    pub(crate) fn could_take(&self, words: u64) -> bool {
        words <= u64::from(self.limit)
    }

    /// Keeps free words for later.
    fn give_up_run(&mut self, at: u32, len: u32) {
        self.set_word(at, Word::from(len) << 32);
        if len >= SHORTEST_RUN {
            let place = self.runs.partition_point(|run| run.0 > at);
            self.runs.insert(place, (at, len));
        }
    }

    /// Leaves the free run in use, if any, and continues in fresh memory.
    pub(crate) fn go_fresh(&mut self) {
        if self.in_run {
            self.leave();
            self.in_run = false;
            self.top = self.frontier;
            self.end = self.frontier;
        }
    }

    /// Marks the rest of the current run as unused.
    fn leave(&mut self) {
        if self.in_run {
            let (at, rest) = (self.top, self.end - self.top);
            if rest > 0 {
                self.give_up_run(at, rest);
            }
        } else {
            self.allocated += u64::from(self.top - self.frontier);
            self.frontier = self.top;
        }
    }

    /// Takes everything back that was allocated in fresh memory since the cursor stood at `top`. What was allocated in
    /// free runs below stays there until the next collection.
    pub(crate) fn reset_to(&mut self, top: u32) {
        self.go_fresh();
        debug_assert!(top <= self.top);
        let above = self.runs.partition_point(|run| run.0 >= top);
        self.runs.drain(..above);
        self.clear(top, self.top);
        self.top = top;
        self.frontier = self.frontier.min(top);
    }

    /// Clears words, which hold no live object.
    fn clear(&mut self, from: u32, to: u32) {
        let count = (to - from) as usize;
        if count >= MUCH && cfg!(target_os = "linux") {
            self.give_back(from, to);
        } else {
            // SAFETY: the words lie inside the heap.
            unsafe { std::ptr::write_bytes(self.base.add(from as usize), 0, count) };
        }
    }

    /// Gives words back to the system, and clears those that share a page with others. On Linux the words are zero
    /// afterwards; elsewhere they are zero if they were.
    fn give_back(&mut self, from: u32, to: u32) {
        // SAFETY: it only asks.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
        let address = |index: u32| self.base as usize + index as usize * 8;
        let (first, last) = (address(from).next_multiple_of(page), address(to) / page * page);
        if first >= last {
            // SAFETY: the words lie inside the heap.
            unsafe { std::ptr::write_bytes(self.base.add(from as usize), 0, (to - from) as usize) };
            return;
        }
        // SAFETY: whole pages between the two, all inside the mapping, and single words around them.
        unsafe {
            std::ptr::write_bytes(address(from) as *mut u8, 0, first - address(from));
            libc::madvise(first as *mut libc::c_void, last - first, libc::MADV_DONTNEED);
            std::ptr::write_bytes(last as *mut u8, 0, address(to) - last);
        }
    }

    /// Gives what lies above all objects back to the system: it is cleared, but still takes up memory.
    pub(crate) fn release(&mut self) {
        let from = self.top.max(self.frontier);
        if self.in_run || self.granted <= from {
            return;
        }
        self.give_back(from, self.granted);
        self.granted = from;
        self.end = self.top;
    }

    /// Frees what is not marked. `size` tells an object's words from its header. A run does not go beyond any of `tops`,
    /// where the cursor may have to go back to, and neither does the cursor.
    pub(crate) fn sweep(&mut self, marks: &Bits, tops: &[u32], size: impl Fn(Word) -> u32) {
        self.go_fresh();
        let used_end = self.top;
        self.runs.clear();
        self.live = 0;
        let mut at = self.start;
        let mut free_from = None;
        let mut runs = Vec::new();
        let mut tops = tops.iter().copied().peekable();
        let mut lowest = self.start;
        while at < used_end {
            while let Some(top) = tops.next_if(|top| *top <= at) {
                lowest = top;
                if let Some(from) = free_from.take().filter(|from| *from < top) {
                    runs.push((from, top - from));
                }
            }
            let header = self.word(at);
            let words = size(header);
            if header as u32 != 0 && marks.get(at - self.start) {
                self.live += u64::from(words);
                if let Some(from) = free_from.take() {
                    runs.push((from, at - from));
                }
            } else if free_from.is_none() {
                free_from = Some(at);
            }
            at += words;
        }
        if let Some(top) = tops.last() {
            lowest = top;
        }
        if let Some(from) = free_from {
            if from < lowest {
                runs.push((from, lowest - from));
            }
            // The tail becomes fresh memory again.
            self.clear(from.max(lowest), used_end);
            self.top = from.max(lowest);
        }
        for &(from, len) in &runs {
            self.set_word(from, Word::from(len) << 32);
        }
        runs.retain(|run| run.1 >= SHORTEST_RUN);
        runs.reverse();
        self.runs = runs;
        self.frontier = self.top;
        self.end = self.top;
        self.allocated = 0;
        self.budget = self.live.max(MINIMUM_BUDGET);
        self.collections += 1;
    }

    /// Calls `visit` with every header position from the start of collected memory.
    pub(crate) fn walk(&self, size: impl Fn(Word) -> u32, mut visit: impl FnMut(u32, Word)) {
        let mut at = self.start;
        let end = if self.in_run { self.frontier } else { self.top };
        while at < end {
            // The run in use has no filler yet; when it is used up, the next object starts here.
            if self.in_run && at == self.top && at < self.end {
                at = self.end;
                continue;
            }
            let header = self.word(at);
            if header as u32 != 0 {
                visit(at, header);
            }
            at += size(header).max(1);
        }
    }

    /// The words outside the collected part that are in use.
    pub(crate) fn permanent(&self) -> std::ops::Range<u32> {
        0..self.permanent_top
    }

    /// Words in use.
    pub fn used_words(&self) -> u64 {
        u64::from(self.top.max(self.frontier) - self.start)
    }

    /// First word after everything ever allocated.
    pub(crate) fn used_end(&self) -> u32 {
        self.top.max(self.frontier)
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        // SAFETY: the mapping was made in `new` with this size and nothing points into it any more.
        unsafe { libc::munmap(self.base.cast(), (self.reserved * 8) as usize) };
    }
}

/// Log2 of an element's size in bytes. `int`, `float` and references take a whole word, so that an element can be
/// unknown; `long` and `double` fill theirs.
pub fn element_shift(kind: Kind) -> u32 {
    match kind {
        Kind::Boolean | Kind::Byte => 0,
        Kind::Char | Kind::Short => 1,
        _ => 3,
    }
}

/// Words of an array, header included.
#[inline(always)]
pub fn array_words(shift: u32, length: u32) -> u64 {
    1 + (u64::from(length) << shift).div_ceil(8)
}

/// A set of small numbers.
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub fn new(len: u32) -> Bits {
        Bits(vec![0; len as usize / 64 + 1])
    }

    pub fn get(&self, at: u32) -> bool {
        self.0[at as usize / 64] >> (at % 64) & 1 != 0
    }

    pub fn set(&mut self, at: u32) {
        self.0[at as usize / 64] |= 1 << (at % 64);
    }
}
