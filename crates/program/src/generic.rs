//! Generic signatures, as far as inputs are made from them: types of parameters and fields, and their first arguments.

use crate::class::{Field, MethodId};
use crate::classfile::{Attribute, ClassFile, Reader};
use crate::link::Program;

impl Program {
    /// The generic type of a field, if it has one.
    pub fn field_signature(&self, field: &Field) -> Option<String> {
        let file = self.class(field.class).file.as_ref()?;
        text(file, &file.fields.get(field.index as usize)?.attributes)
    }

    /// The generic types of a method's parameters; empty if it has none.
    pub fn parameter_signatures(&self, id: MethodId) -> Vec<String> {
        let method = self.method(id);
        let Some(file) = self.class(method.class).file.as_ref() else { return Vec::new() };
        let Some(member) = file.methods.get(method.index as usize) else { return Vec::new() };
        let signature = text(file, &member.attributes).unwrap_or_default();
        let inner =
            signature.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |split| split.0);
        let mut types = Vec::new();
        let mut rest = inner;
        while !rest.is_empty() {
            let (one, others) = rest.split_at(length(rest));
            types.push(one.to_string());
            rest = others;
        }
        types
    }
}

fn text(file: &ClassFile, attributes: &[Attribute]) -> Option<String> {
    let contents = file.attribute(attributes, "Signature")?;
    let index = Reader::new(contents).u16().ok()?;
    Some(file.utf8(index).ok()?.into_owned())
}

/// The length of the type a text begins with; at least a character, so that what is malformed ends too.
fn length(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            'L' | 'T' | '[' => {}
            // Not one byte: what is malformed need not be ASCII.
            _ if at == 0 || text[..at].bytes().all(|c| c == b'[') => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The descriptor of a type's first argument, without its own arguments. None for a variable or a plain wildcard.
pub fn first_argument(generic_type: &str) -> Option<String> {
    arguments(generic_type).first()?.clone()
}

/// The same for the last one.
pub fn last_argument(generic_type: &str) -> Option<String> {
    arguments(generic_type).last()?.clone()
}

fn arguments(generic_type: &str) -> Vec<Option<String>> {
    let mut rest = generic_type.split_once('<').map_or("", |(_, rest)| rest);
    let mut found = Vec::new();
    while !rest.is_empty() && !rest.starts_with('>') {
        let one = rest.trim_start_matches(['+', '-']);
        if one.is_empty() {
            break;
        }
        let end = if one.starts_with('*') { 1 } else { length(one) };
        found.push(erased(&one[..end]));
        rest = &one[end..];
    }
    found
}

/// A type without its arguments.
fn erased(whole: &str) -> Option<String> {
    if !whole.starts_with(['L', '[']) {
        return None;
    }
    let mut depth = 0;
    let mut plain = String::new();
    for c in whole.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    // An array of a variable's type has no class of its own.
    if plain.contains("[T") { None } else { Some(plain) }
}

#[cfg(test)]
mod tests {
    use super::first_argument;

    #[test]
    fn first_arguments() {
        for (text, argument) in [
            ("Ljava/util/List<Ljava/lang/String;>;", Some("Ljava/lang/String;")),
            ("Ljava/util/Map<Ljava/util/List<TT;>;Ljava/lang/Long;>;", Some("Ljava/util/List;")),
            ("Ljava/util/List<+Ljava/lang/Number;>;", Some("Ljava/lang/Number;")),
            ("Ljava/util/List<[I>;", Some("[I")),
            ("Ljava/util/List<*>;", None),
            ("Ljava/util/List<TT;>;", None),
            ("TT;", None),
            ("L<+", None),
            ("L<\u{e9}", None),
            ("L<[\u{e9}>", Some("[\u{e9}")),
        ] {
            assert_eq!(first_argument(text).as_deref(), argument, "{text}");
        }
    }
}
