//! The user's input is wrong: a message that names the thing and the remedy. Nothing else is an error of this kind.

use std::fmt;

use classpath::ClassPathError;

use crate::expression::Mistake;

/// What is wrong with what the user gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    message: String,
    excerpt: Option<Excerpt>,
}

/// A text of the user's, and where in it the mistake is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    pub text: String,
    /// The character, from 1 on; one more than there are for the end.
    pub position: usize,
    pub what: String,
}

impl Wrong {
    /// A text that cannot be read; `whose` it is.
    pub fn unreadable(whose: &str, text: &str, mistake: &Mistake) -> Wrong {
        let Mistake { position, what } = mistake.clone();
        Wrong {
            message: format!("{whose}: {mistake}"),
            excerpt: Some(Excerpt { text: text.to_string(), position, what }),
        }
    }

    /// The same about a named thing.
    pub fn about(self, thing: &str) -> Wrong {
        Wrong { message: format!("{thing}: {}", self.message), ..self }
    }

    pub fn excerpt(&self) -> Option<&Excerpt> {
        self.excerpt.as_ref()
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Wrong {}

impl From<String> for Wrong {
    fn from(message: String) -> Wrong {
        Wrong { message, excerpt: None }
    }
}

impl From<&str> for Wrong {
    fn from(message: &str) -> Wrong {
        message.to_string().into()
    }
}

impl From<ClassPathError> for Wrong {
    fn from(error: ClassPathError) -> Wrong {
        error.to_string().into()
    }
}
