//! Exceptions that the JVM throws on its own. A JVM may keep some of them ready, without message and stack trace, and
//! throw the same one again: what the program sees of one beyond its class is taken for granted.

use crate::machine::Machine;
use crate::supposed::Supposition;
use crate::value::{Ref, Word, is_unknown};

/// What instructions throw.
const OF_INSTRUCTIONS: &[&str] = &[
    "java/lang/ArithmeticException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/ArrayStoreException",
    "java/lang/ClassCastException",
    "java/lang/NegativeArraySizeException",
    "java/lang/NullPointerException",
];

/// How far causes are followed.
const CAUSES: usize = 8;

impl Machine {
    /// The program looks at what tells an exception from others of its class.
    pub fn suppose_raised(&self, exception: Ref) {
        if self.symbolic.is_on() && self.is_from_jvm(exception) && self.is_for_program() {
            self.suppose(Supposition::Raised);
        }
    }

    /// The message of an exception is looked at. One that is made for a cause has the text of the cause: whoever makes it
    /// does not look at it yet.
    pub fn suppose_message(&self, exception: Ref) {
        if !self.symbolic.is_on() || !self.is_for_program() {
            return;
        }
        let mut way = self.callers().take_while(|caller| !caller.is_program);
        if way.any(|caller| caller.owner == "java/lang/Throwable" && caller.name == "<init>") {
            return;
        }
        let mut current = exception;
        for _ in 0..CAUSES {
            if self.is_from_jvm(current) && (current == exception || self.tells_of(exception, current)) {
                return self.suppose(Supposition::Raised);
            }
            let cause = self.get(current, self.known.throwable_cause);
            if is_unknown(cause) || cause == 0 || cause == current.word() {
                return;
            }
            current = Ref::from_word(cause);
        }
    }

    /// What was added to an exception is looked at.
    pub fn suppose_added(&self, exception: Ref) {
        let sentinel = self.static_field(self.known.throwable, "SUPPRESSED_SENTINEL");
        let suppressed = self.get(exception, self.known.throwable_suppressed);
        if sentinel.is_none_or(|at| self.heap.word(at) != suppressed) {
            self.suppose_raised(exception);
        }
    }

    /// Two references were compared that are different objects.
    pub(crate) fn suppose_raised_apart(&self, one: Ref, other: Ref) {
        if self.class_of(one) == self.class_of(other) && self.is_from_jvm(one) && self.is_from_jvm(other) {
            self.suppose_raised(one);
        }
    }

    fn is_from_jvm(&self, exception: Ref) -> bool {
        let is_known = |word: Word| !is_unknown(word) && word != 0;
        self.is_instance(exception, self.known.throwable)
            && is_known(self.get(exception, self.known.throwable_backtrace))
            && self.is_raised(exception)
            && {
                let class = self.class_of(exception);
                let mut above =
                    self.program.class(class).display.iter().map(|above| self.program.class_name(*above));
                OF_INSTRUCTIONS.contains(&self.program.class_name(class))
                    || above.any(|name| name == "java/lang/Error")
            }
    }

    /// Whether the message of an exception has the name of another one in it.
    fn tells_of(&self, exception: Ref, other: Ref) -> bool {
        let message = self.get(exception, self.known.throwable_message);
        if message == 0 {
            return false;
        }
        let name = self.class_name_of(other).replace('/', ".");
        is_unknown(message)
            || self.is_unknown_string(message)
            || self.string(Ref::from_word(message)).contains(&name)
    }

    /// Whether the program runs, and not whoever reads the end of a path.
    fn is_for_program(&self) -> bool {
        self.callers().any(|caller| caller.is_program)
    }
}
