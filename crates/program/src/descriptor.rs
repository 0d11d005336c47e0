//! Field and method descriptors (JVMS 4.3) as kinds of slots.

/// What one value is, as far as moving it around is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Kind {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Float,
    Long,
    Double,
    Ref,
    Void,
}

impl Kind {
    /// The kind a descriptor's first character announces.
    pub fn of(descriptor: &str) -> Option<Kind> {
        Some(match descriptor.as_bytes().first()? {
            b'Z' => Kind::Boolean,
            b'B' => Kind::Byte,
            b'C' => Kind::Char,
            b'S' => Kind::Short,
            b'I' => Kind::Int,
            b'F' => Kind::Float,
            b'J' => Kind::Long,
            b'D' => Kind::Double,
            b'L' | b'[' => Kind::Ref,
            b'V' => Kind::Void,
            _ => return None,
        })
    }

    /// Number of slots: 2 for `long` and `double`, 0 for `void`.
    pub fn width(self) -> u16 {
        match self {
            Kind::Long | Kind::Double => 2,
            Kind::Void => 0,
            _ => 1,
        }
    }

    /// The kind on the operand stack, where small integers are `int`.
    pub fn on_stack(self) -> Kind {
        match self {
            Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short => Kind::Int,
            other => other,
        }
    }

    /// The name of the primitive type, as Java writes it.
    pub fn primitive_name(self) -> &'static str {
        match self {
            Kind::Boolean => "boolean",
            Kind::Byte => "byte",
            Kind::Char => "char",
            Kind::Short => "short",
            Kind::Int => "int",
            Kind::Float => "float",
            Kind::Long => "long",
            Kind::Double => "double",
            Kind::Void => "void",
            Kind::Ref => "reference",
        }
    }

    /// The descriptor character of a primitive type.
    pub fn letter(self) -> char {
        match self {
            Kind::Boolean => 'Z',
            Kind::Byte => 'B',
            Kind::Char => 'C',
            Kind::Short => 'S',
            Kind::Int => 'I',
            Kind::Float => 'F',
            Kind::Long => 'J',
            Kind::Double => 'D',
            Kind::Void => 'V',
            Kind::Ref => 'L',
        }
    }

    /// All primitive types and `void`, in a fixed order.
    pub const PRIMITIVES: [Kind; 9] = [
        Kind::Boolean,
        Kind::Byte,
        Kind::Char,
        Kind::Short,
        Kind::Int,
        Kind::Float,
        Kind::Long,
        Kind::Double,
        Kind::Void,
    ];
}

/// Splits a method descriptor into its parameter descriptors and its return descriptor.
pub fn split_method(descriptor: &str) -> Option<(Vec<&str>, &str)> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut parameters = Vec::new();
    loop {
        if let Some(result) = rest.strip_prefix(')') {
            return (field_len(result)? == result.len()).then_some((parameters, result));
        }
        let len = field_len(rest)?;
        if rest.starts_with('V') {
            return None;
        }
        parameters.push(&rest[..len]);
        rest = &rest[len..];
    }
}

/// True for a well-formed field descriptor.
pub fn is_field(descriptor: &str) -> bool {
    descriptor != "V" && field_len(descriptor) == Some(descriptor.len())
}

fn field_len(text: &str) -> Option<usize> {
    let dims = text.bytes().take_while(|b| *b == b'[').count();
    if dims > 255 {
        return None;
    }
    let len = match text.as_bytes().get(dims)? {
        b'L' => text[dims..].find(';').filter(|end| *end > 1)? + 1,
        b'V' if dims > 0 => return None,
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b'V' => 1,
        _ => return None,
    };
    Some(dims + len)
}

/// A parsed method descriptor.
#[derive(Clone, Debug)]
pub struct Signature {
    pub parameters: Box<[Kind]>,
    pub result: Kind,
    /// Slots the parameters take, the receiver not counted.
    pub slots: u16,
}

impl Signature {
    pub fn parse(descriptor: &str) -> Option<Signature> {
        let (parameters, result) = split_method(descriptor)?;
        let parameters: Box<[Kind]> = parameters.into_iter().filter_map(Kind::of).collect();
        let slots: usize = parameters.iter().map(|k| k.width() as usize).sum();
        Some(Signature { slots: u16::try_from(slots).ok()?, result: Kind::of(result)?, parameters })
    }
}
