//! Limits and settings of a machine.

/// The heap of a machine if nobody says anything: a path that fills it is seldom worth waiting for.
pub const HEAP: u64 = 2 << 30;

/// Limits and settings of a machine.
#[derive(Clone, Debug)]
pub struct Config {
    /// Heap limit in bytes.
    pub heap: u64,
    pub when_full: WhenFull,
    /// Bytes that are kept of each stream, as long as nobody can take them.
    pub output: usize,
    /// Whether there is room for so many more bytes. It is asked before the heap grows, and before anything large is made
    /// beside it: whoever drives the machine knows what all machines together may use.
    pub room: fn(u64) -> bool,
    /// Frames on the stack before `StackOverflowError`.
    pub frames: usize,
    /// Bytes standard input will deliver.
    pub input: Vec<u8>,
    /// Where the virtual clock starts, in nanoseconds since 1970.
    pub clock: u64,
    /// Whether `assert` statements of user classes are checked.
    pub assertions: bool,
    /// The absolute names under which the program sees the entries of its class path; `/cp/0`, `/cp/1`, ... if nobody says
    /// anything, so that no result depends on where they happen to be.
    pub places: Vec<String>,
    /// System properties on top of the built-in ones (`-D`).
    pub properties: Vec<(String, String)>,
    /// Whether what is not a number has the usual bits, as it has where values are unknown.
    pub usual_bits: bool,
    /// What identity hash codes are drawn from; not zero.
    pub hash_seed: u32,
    /// Steps of a call that a native method, linkage or somebody outside waits for, where runs can be taken back.
    pub nested_steps: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            heap: HEAP,
            when_full: WhenFull::Throw,
            output: usize::MAX,
            room: |_| true,
            frames: 12_000,
            input: Vec::new(),
            // 2024-01-01T00:00:00Z
            clock: 1_704_067_200_000_000_000,
            assertions: false,
            places: Vec::new(),
            properties: Vec::new(),
            usual_bits: false,
            hash_seed: 0x1234_5679,
            nested_steps: 20_000_000,
        }
    }
}

impl Config {
    /// The heap limit as the program is told: the user's, or always the same. How much memory happens to be free is
    /// nothing that a program should see.
    pub fn told_heap(&self) -> u64 {
        match self.when_full {
            WhenFull::Throw => self.heap,
            WhenFull::Stop => HEAP,
        }
    }
}

/// What a full heap means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhenFull {
    /// The program gets an `OutOfMemoryError`, as it would in a JVM with such a heap.
    Throw,
    /// The run ends: with a larger heap the program would have gone on.
    Stop,
}
