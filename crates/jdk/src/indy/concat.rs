//! `StringConcatFactory`: values become strings by the library's own code, the pieces are joined by a native.

use machine::symbolic::Piece;
use machine::value::is_unknown;
use machine::{Args, Machine, Raise, Return, StubData, Value};
use program::descriptor::split_method;
use program::synthetic::SyntheticMethod;
use program::{ClassId, Kind, MethodId, Op, access};

use super::Assembler;
use super::bootstrap::{Argument, Bootstrap};
use crate::natives::not_modelled;
use crate::unknown::numerals;

/// The name under which the joining native is found.
pub(crate) const CONCAT: &str = "<concat>";
/// Stands for an argument in a recipe.
const ARGUMENT: u16 = 1;
/// Stands for a constant in a recipe.
const CONSTANT: u16 = 2;

/// Links the site to a stub that takes the values.
pub(super) fn link(m: &mut Machine, site: &Bootstrap) -> Result<MethodId, Raise> {
    let (parameters, _) =
        split_method(&site.descriptor).ok_or_else(|| not_modelled("a concatenation of unknown shape"))?;
    let recipe = match site.arguments.as_slice() {
        [] => vec![ARGUMENT; parameters.len()],
        [Argument::String(_, recipe), constants @ ..] => match fill_in(recipe, constants) {
            Some(recipe) => recipe,
            // Constants that are markers themselves, or need the library to be shown.
            None => return Err(not_modelled("a concatenation with such a constant")),
        },
        _ => return Err(not_modelled("a concatenation of unknown shape")),
    };
    let slots: u16 = parameters.iter().filter_map(|d| Kind::of(d)).map(Kind::width).sum();
    let mut code = Assembler::new(slots);
    let area = code.area();
    let mut joined = Joined::new(area);
    let mut from = 0;
    for parameter in &parameters {
        let kind = Kind::of(parameter).unwrap_or(Kind::Ref);
        code.move_value(joined.next, from, kind);
        joined.add(m, &mut code, parameter)?;
        from += kind.width();
    }
    joined.call(m, &mut code, site.caller, recipe);
    code.ret(area, Kind::Ref);
    Ok(code.into_stub(m, site.caller, "<concatenation>", &site.descriptor))
}

/// Puts constants into the recipe; what then remains to be filled are the arguments. `None` if that cannot be told.
fn fill_in(recipe: &[u16], constants: &[Argument]) -> Option<Vec<u16>> {
    let mut constants = constants.iter();
    let mut text = Vec::new();
    for unit in recipe {
        if *unit != CONSTANT {
            text.push(*unit);
            continue;
        }
        match constants.next() {
            Some(Argument::String(_, value)) if !value.contains(&ARGUMENT) => text.extend(value),
            Some(Argument::Int(value)) => text.extend(value.to_string().encode_utf16()),
            Some(Argument::Long(value)) => text.extend(value.to_string().encode_utf16()),
            _ => return None,
        }
    }
    Some(text)
}

/// The values of a concatenation being laid out for the native.
pub(super) struct Joined {
    first: u16,
    pub next: u16,
    descriptor: String,
}

impl Joined {
    pub fn new(first: u16) -> Joined {
        Joined { first, next: first, descriptor: "(".into() }
    }

    /// The value of type `parameter` at `self.next` is the next one: references and floats are made strings first.
    pub fn add(&mut self, m: &mut Machine, code: &mut Assembler, parameter: &str) -> Result<(), Raise> {
        let kind = Kind::of(parameter).unwrap_or(Kind::Ref);
        let shown = match kind {
            Kind::Ref if parameter == "Ljava/lang/String;" => parameter.to_string(),
            Kind::Ref | Kind::Float | Kind::Double => {
                let given = if kind == Kind::Ref { "Ljava/lang/Object;" } else { parameter };
                let descriptor = format!("({given})Ljava/lang/String;");
                code.call_static(m, "java/lang/String", "valueOf", &descriptor, self.next)?;
                "Ljava/lang/String;".to_string()
            }
            _ => parameter.to_string(),
        };
        self.next += Kind::of(&shown).map_or(1, Kind::width);
        self.descriptor += &shown;
        Ok(())
    }

    /// Joins the values by `recipe`; the result is left in the first register.
    pub fn call(mut self, m: &mut Machine, code: &mut Assembler, owner: ClassId, recipe: Vec<u16>) {
        self.descriptor += ")Ljava/lang/String;";
        let spec = SyntheticMethod {
            name: CONCAT.into(),
            descriptor: self.descriptor,
            flags: access::STATIC | access::NATIVE,
            code: None,
        };
        let native = m.program.add_stub(owner, spec);
        m.stub_data.insert(native, StubData { text: recipe, ..StubData::default() });
        code.call(m, Op::InvokeStatic, native, self.first);
    }
}

/// Joins arguments and literal text.
pub(crate) fn concat(m: &mut Machine, a: Args) -> Return {
    let length = length(m, a);
    m.ensure_room_for_array(length)?;
    let mut text = Text::default();
    let data = &m.stub_data[&a.method];
    let mut kinds = m.program.method(a.method).signature.parameters.iter().copied();
    let mut slot = 0;
    let mut digits = itoa::Buffer::new();
    for unit in &data.text {
        if *unit != ARGUMENT {
            text.push_unit(*unit);
            continue;
        }
        let kind = kinds.next().unwrap_or(Kind::Int);
        match kind {
            Kind::Ref => {
                let string = a.reference(m, slot);
                if string.is_null() {
                    text.push_ascii(b"null");
                } else {
                    let (bytes, coder) = m.string_bytes(string);
                    text.push_coded(bytes, coder);
                }
            }
            Kind::Boolean => text.push_ascii(if a.bool(m, slot) { b"true" } else { b"false" }),
            Kind::Char => text.push_unit(a.int(m, slot) as u16),
            Kind::Long => text.push_ascii(digits.format(a.long(m, slot)).as_bytes()),
            _ => text.push_ascii(digits.format(a.int(m, slot)).as_bytes()),
        }
        slot += kind.width() as usize;
    }
    let string = match text {
        Text::Latin(bytes) => m.new_string_coded(&bytes, 0)?,
        Text::Wide(units) => m.new_string_utf16(&units)?,
    };
    Ok(Value::reference(string))
}

/// Bytes of all strings among the arguments.
fn length(m: &Machine, a: Args) -> u64 {
    let mut slot = 0;
    let mut bytes = 0;
    for kind in &m.program.method(a.method).signature.parameters {
        if *kind == Kind::Ref {
            let string = a.reference(m, slot);
            bytes += if string.is_null() { 0 } else { m.string_bytes(string).0.len() as u64 };
        }
        slot += kind.width() as usize;
    }
    bytes
}

/// The same when a value is unknown: the text is put together when somebody reads it.
pub(crate) fn join_unknown(m: &mut Machine, a: Args) -> Return {
    let kinds = m.program.method(a.method).signature.parameters.clone();
    let mut slot = 0;
    let mut unknown = false;
    for kind in &kinds {
        let word = a.word(m, slot);
        let tag = if kind.width() == 2 { a.word(m, slot + 1) } else { word };
        unknown |= is_unknown(tag) || *kind == Kind::Ref && m.is_unknown_string(word);
        slot += kind.width() as usize;
    }
    if !unknown {
        return Ok(Value::Pass);
    }
    let mut pieces = Vec::new();
    let mut literal = Vec::new();
    let recipe = m.stub_data[&a.method].text.clone();
    let (mut slot, mut kinds) = (0, kinds.iter());
    for unit in recipe {
        if unit != ARGUMENT {
            literal.push(unit);
            continue;
        }
        pieces.push(Piece::Known(std::mem::take(&mut literal)));
        let kind = *kinds.next().unwrap_or(&Kind::Int);
        let word = a.word(m, slot);
        pieces.push(match kind {
            Kind::Ref => numerals::string_piece(m, word)?,
            kind if kind.width() == 2 => m.piece(kind, word, a.word(m, slot + 1)),
            kind => m.piece(kind, word, 0),
        });
        slot += kind.width() as usize;
    }
    pieces.push(Piece::Known(literal));
    let string = m.deferred_string(pieces)?;
    Ok(Value::reference(string))
}

/// Text that stays one byte a character as long as it can.
enum Text {
    Latin(Vec<u8>),
    Wide(Vec<u16>),
}

impl Default for Text {
    fn default() -> Text {
        Text::Latin(Vec::new())
    }
}

impl Text {
    fn widen(&mut self) -> &mut Vec<u16> {
        if let Text::Latin(bytes) = self {
            *self = Text::Wide(bytes.iter().map(|b| u16::from(*b)).collect());
        }
        match self {
            Text::Wide(units) => units,
            Text::Latin(_) => unreachable!("just widened"),
        }
    }

    fn push_ascii(&mut self, ascii: &[u8]) {
        self.push_coded(ascii, 0);
    }

    fn push_coded(&mut self, bytes: &[u8], coder: u8) {
        match self {
            Text::Latin(own) if coder == 0 => own.extend_from_slice(bytes),
            _ if coder == 0 => self.widen().extend(bytes.iter().map(|b| u16::from(*b))),
            _ => {
                let units = bytes.chunks_exact(2).map(|pair| u16::from_ne_bytes([pair[0], pair[1]]));
                self.widen().extend(units);
            }
        }
    }

    fn push_unit(&mut self, unit: u16) {
        match self {
            Text::Latin(own) if unit < 256 => own.push(unit as u8),
            _ => self.widen().push(unit),
        }
    }
}
