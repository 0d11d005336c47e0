//! Values the way Java source writes them, with their exact types.

use testcase::Value;

/// A primitive value or null.
pub fn expression(value: &Value) -> String {
    match value {
        Value::Null | Value::Node(_) => "null".into(),
        Value::Boolean(value) => value.to_string(),
        Value::Char(unit) => format!("'{}'", unit_text(*unit, '\'')),
        Value::Byte(value) => format!("(byte) {value}"),
        Value::Short(value) => format!("(short) {value}"),
        Value::Int(value) => value.to_string(),
        Value::Long(value) => format!("{value}L"),
        Value::Float(value) if value.is_nan() => "Float.NaN".into(),
        Value::Float(value) if value.is_infinite() => {
            format!("Float.{}_INFINITY", if *value > 0.0 { "POSITIVE" } else { "NEGATIVE" })
        }
        Value::Float(value) => format!("{value:?}f"),
        Value::Double(value) if value.is_nan() => "Double.NaN".into(),
        Value::Double(value) if value.is_infinite() => {
            format!("Double.{}_INFINITY", if *value > 0.0 { "POSITIVE" } else { "NEGATIVE" })
        }
        Value::Double(value) => format!("{value:?}d"),
    }
}

/// A string literal.
pub fn string(units: &[u16]) -> String {
    let text: String = units.iter().map(|unit| unit_text(*unit, '"')).collect();
    format!("\"{text}\"")
}

/// ASCII only, so that the encoding of the file does not matter. Line ends must not be written as `\u` escapes,
/// which Java reads before anything else.
fn unit_text(unit: u16, quote: char) -> String {
    match char::from_u32(u32::from(unit)) {
        Some('\n') => "\\n".into(),
        Some('\t') => "\\t".into(),
        Some('\r') => "\\r".into(),
        Some('\\') => "\\\\".into(),
        Some(c) if c == quote => format!("\\{c}"),
        Some(c) if c == ' ' || c.is_ascii_graphic() => c.to_string(),
        _ => format!("\\u{unit:04x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_have_their_type() {
        for (value, text) in [
            (Value::Byte(-1), "(byte) -1"),
            (Value::Long(5), "5L"),
            (Value::Float(1.0), "1.0f"),
            (Value::Float(f32::NEG_INFINITY), "Float.NEGATIVE_INFINITY"),
            (Value::Double(1e300), "1e300d"),
            (Value::Double(-0.0), "-0.0d"),
            (Value::Char(39), "'\\''"),
            (Value::Char(10), "'\\n'"),
            (Value::Int(i32::MIN), "-2147483648"),
        ] {
            assert_eq!(expression(&value), text);
        }
        let units: Vec<u16> = "a\"\\\n\u{e4}\u{1f600}".encode_utf16().collect();
        assert_eq!(string(&units), r#""a\"\\\n\u00e4\ud83d\ude00""#);
    }
}
