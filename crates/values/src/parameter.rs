//! The parameters of a method that is called with unknown arguments.

use machine::{Machine, Raise, Ref, Word};
use program::{Kind, MethodId};
use term::Term;

/// A parameter and the unknown it was given.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    pub descriptor: String,
    pub kind: Kind,
    /// The argument; none if it is known.
    pub term: Option<Term>,
    pub words: [Word; 2],
}

/// An argument that is known from the start: the array of `main`, or the object a constructor is to fill.
pub fn known_argument(m: &mut Machine, method: MethodId, parameter: &Parameter) -> Result<Ref, Raise> {
    let object = if parameter.name == "this" {
        let class = m.program.method(method).class;
        m.allocate(class)?
    } else {
        let class = m.load("[Ljava/lang/String;")?;
        m.allocate_array(class, 0)?
    };
    m.roots.push(object);
    Ok(object)
}
