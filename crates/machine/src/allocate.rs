//! Making objects, and what happens when there is no room for them.

use program::ClassId;

use crate::config::WhenFull;
use crate::heap::{Short, array_words};
use crate::machine::{ClassState, Machine};
use crate::native::Raise;
use crate::outcome::{Memory, Stop};
use crate::value::{Ref, Word};

/// What takes fewer bytes than this is made without asking for room.
const LARGE: u64 = 1 << 20;

/// The longest array HotSpot makes: its header takes away two elements.
pub(crate) const LONGEST_ARRAY: i32 = i32::MAX - 2;

impl Machine {
    /// Words of the object with this header.
    #[inline]
    pub(crate) fn size_of(classes: &[ClassState], header: Word) -> u32 {
        let class = header as u32 & crate::heap::CLASS_MASK;
        if class == 0 {
            return ((header >> 32) as u32).max(1);
        }
        let state = &classes[class as usize];
        if state.is_array {
            array_words(u32::from(state.shift), (header >> 32) as u32) as u32
        } else {
            state.words
        }
    }

    /// A new instance with all fields zero. Never collects: natives may hold references in Rust variables.
    pub fn allocate(&mut self, class: ClassId) -> Result<Ref, Raise> {
        let words = self.classes[class.0 as usize].words;
        self.allocate_words(Word::from(class.0), words)
    }

    /// A new array of a class and length; the length must not be negative.
    pub fn allocate_array(&mut self, class: ClassId, length: i32) -> Result<Ref, Raise> {
        if length > LONGEST_ARRAY {
            return Err(
                self.raise("java/lang/OutOfMemoryError", Some("Requested array size exceeds VM limit"))
            );
        }
        let shift = u32::from(self.classes[class.0 as usize].shift);
        let words = array_words(shift, length as u32);
        if words > u64::from(u32::MAX / 2) {
            return Err(self.out_of_memory());
        }
        self.allocate_words(Word::from(class.0) | (length as u64) << 32, words as u32)
    }

    /// The same, collecting if there is no room otherwise: for natives that hold no reference but `kept`.
    pub fn allocate_array_keeping(&mut self, class: ClassId, length: i32, kept: Ref) -> Result<Ref, Raise> {
        let words = array_words(u32::from(self.classes[class.0 as usize].shift), length as u32);
        if !self.heap.has_room(words) {
            self.roots.push(kept);
            let room = self.before_allocation(words);
            self.roots.pop();
            room?;
        }
        self.allocate_array(class, length)
    }

    /// A new `byte[]` with these contents.
    pub fn new_bytes(&mut self, bytes: &[u8]) -> Result<Ref, Raise> {
        let length = i32::try_from(bytes.len()).map_err(|_| self.out_of_memory())?;
        let array = self.allocate_array(self.known.byte_array, length)?;
        self.heap.bytes_mut(array, bytes.len()).copy_from_slice(bytes);
        Ok(array)
    }

    /// A new object that lives as long as the machine. It must never come to refer to other objects.
    pub fn allocate_permanent(&mut self, class: ClassId) -> Result<Ref, Raise> {
        let words = self.classes[class.0 as usize].words;
        match self.heap.allocate_permanent(Word::from(class.0), words) {
            Some(object) => Ok(object),
            None => Err(self.out_of_memory()),
        }
    }

    fn allocate_words(&mut self, header: Word, words: u32) -> Result<Ref, Raise> {
        self.allocations += 1;
        if let Some(object) = self.heap.bump(header, words) {
            return Ok(object);
        }
        if let Err(short) = self.heap.make_room(words, self.needs_fresh(), self.config.room) {
            return Err(self.short_of_memory(short));
        }
        self.heap.bump(header, words).ok_or(Raise::Stop(Stop::NotModelled("heap accounting".into())))
    }

    /// Called between instructions when an allocation did not fit: collects if that is due.
    pub(crate) fn before_allocation(&mut self, words: u64) -> Result<(), Raise> {
        if words > u64::from(u32::MAX / 2) {
            return Err(self.out_of_memory());
        }
        // Whoever calls from outside of the program's own instructions may hold references.
        if self.needs_fresh() || self.has_checkpoint() && self.nested > 0 {
            return Ok(());
        }
        if self.heap.wants_collection() {
            self.collect();
        }
        if self.heap.make_room(words as u32, false, self.config.room).is_err() {
            self.collect();
            if let Err(short) = self.heap.make_room(words as u32, false, self.config.room) {
                return Err(match short {
                    Short::OfHeap if !self.has_checkpoint() || self.heap.is_full_without_choices(words) => {
                        self.out_of_memory()
                    }
                    short => self.short_of_memory(short),
                });
            }
        }
        Ok(())
    }

    /// Whether objects must be made above all others: terms may refer to what is below.
    pub(crate) fn needs_fresh(&self) -> bool {
        self.has_checkpoint() && self.symbolic.is_on()
    }

    /// What there is no room for. With an open choice it is our doing: a program that runs once would not need what the
    /// choice may bring back, and garbage would be collected.
    pub(crate) fn short_of_memory(&mut self, short: Short) -> Raise {
        match short {
            Short::OfHeap if self.has_checkpoint() => Raise::Stop(Stop::Memory(Memory::Heap)),
            Short::OfHeap => self.out_of_memory(),
            Short::OfRoom => Raise::Stop(Stop::Memory(Memory::Process)),
        }
    }

    pub(crate) fn out_of_memory(&mut self) -> Raise {
        match self.config.when_full {
            WhenFull::Throw => self.raise("java/lang/OutOfMemoryError", Some("Java heap space")),
            WhenFull::Stop => Raise::Stop(Stop::Memory(Memory::Heap)),
        }
    }

    /// Asks for room for something large outside the heap that the program decides the size of.
    pub fn ensure_room(&self, bytes: u64) -> Result<(), Raise> {
        if bytes < LARGE || (self.config.room)(bytes) {
            Ok(())
        } else {
            Err(Raise::Stop(Stop::Memory(Memory::Process)))
        }
    }

    /// Asks for room for an array of so many bytes, which is put together outside the heap first.
    pub fn ensure_room_for_array(&mut self, bytes: u64) -> Result<(), Raise> {
        if bytes >= LARGE && !self.heap.can_take(bytes / 8, self.needs_fresh()) {
            return Err(if self.heap.could_take(bytes / 8) {
                self.short_of_memory(Short::OfHeap)
            } else {
                self.out_of_memory()
            });
        }
        self.ensure_room(2 * bytes)
    }

    /// Gives memory back to the system that only paths which have ended needed.
    pub fn give_back(&mut self) {
        self.heap.release();
        self.shrink_logs();
        self.output.iter_mut().for_each(Vec::shrink_to_fit);
    }
}
