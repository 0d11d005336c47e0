//! What a run touched of the world outside. The machine has none, so nothing happens here; on a JVM it would.

use std::fmt;

use crate::machine::Machine;

/// A part of the world that belongs to the user.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Outside {
    /// Not those of the JDK and of the class path, as long as they are only read.
    Files,
    Processes,
    Network,
    Environment,
    /// The end of the JVM, or something that is to happen then.
    Exit,
    NativeLibraries,
    Signals,
    /// Finalizers and cleaners of the program, which run when nobody knows.
    Collection,
    /// What holds for the whole JVM until somebody sets it back: properties, the default locale, streams. A process that is
    /// started for a call bears it; the build of a user, where other tests come after it, does not.
    Settings,
    /// Waiting for more than a moment: nobody wants a test that does.
    Waiting,
}

impl Outside {
    pub const ALL: [Outside; 10] = [
        Outside::Files,
        Outside::Processes,
        Outside::Network,
        Outside::Environment,
        Outside::Exit,
        Outside::NativeLibraries,
        Outside::Signals,
        Outside::Collection,
        Outside::Settings,
        Outside::Waiting,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Outside::Files => "files",
            Outside::Processes => "processes",
            Outside::Network => "the network",
            Outside::Environment => "environment variables",
            Outside::Exit => "the end of the JVM",
            Outside::NativeLibraries => "native libraries",
            Outside::Signals => "signals",
            Outside::Collection => "what the collector runs",
            Outside::Settings => "settings of the whole JVM",
            Outside::Waiting => "the clock, to wait for a second or more",
        }
    }
}

/// A set of them. It is taken back by a rollback like everything else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Touched(u16);

impl Touched {
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn contains(self, outside: Outside) -> bool {
        self.0 & 1 << outside as u8 != 0
    }

    /// What lasts longer than the process.
    pub fn lasting(self) -> Touched {
        Touched(self.0 & !(1 << Outside::Settings as u16 | 1 << Outside::Waiting as u16))
    }

    pub fn add(&mut self, other: Touched) {
        self.0 |= other.0;
    }

    pub fn iter(self) -> impl Iterator<Item = Outside> {
        Outside::ALL.into_iter().filter(move |outside| self.contains(*outside))
    }
}

/// `files and the network`.
impl fmt::Display for Touched {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Outside::name).collect();
        match &names[..] {
            [] => f.write_str("nothing"),
            [one] => f.write_str(one),
            [many @ .., last] => write!(f, "{} and {last}", many.join(", ")),
        }
    }
}

impl Machine {
    /// Notes that the program touches something outside. It takes a shared reference: to look is to touch.
    pub fn touch(&self, outside: Outside) {
        self.touched.set(Touched(self.touched.get().0 | 1 << outside as u8));
    }

    /// What was touched since the start, on the path the machine is on, as far as it lasts.
    pub fn touched(&self) -> Touched {
        self.touched.get().lasting()
    }

    /// The same, with what is no good in a build where other tests come before and after.
    pub fn touched_or_set(&self) -> Touched {
        self.touched.get()
    }

    /// Forgets what was touched: bringing up the library is not the program's doing.
    pub fn forget_touched(&mut self) {
        self.touched.set(Touched::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_tells_what_is_in_it() {
        let mut set = Touched::default();
        assert_eq!(set.to_string(), "nothing");
        for (outside, text) in [
            (Outside::Files, "files"),
            (Outside::Network, "files and the network"),
            (Outside::Signals, "files, the network and signals"),
        ] {
            set.0 |= 1 << outside as u8;
            assert!(set.contains(outside));
            assert_eq!(set.to_string(), text);
        }
        assert!(!set.contains(Outside::Exit));
    }
}
