//! Numbers of any size in decimal digits.

/// A sign and a magnitude, its most significant word first.
pub fn integer(is_negative: bool, magnitude: &[u32]) -> String {
    const BASE: u64 = 1_000_000_000;
    let mut words = magnitude.to_vec();
    let mut groups = Vec::new();
    while words.iter().any(|word| *word != 0) {
        let mut rest = 0;
        for word in &mut words {
            let value = rest << 32 | u64::from(*word);
            *word = (value / BASE) as u32;
            rest = value % BASE;
        }
        groups.push(rest);
    }
    let mut text = String::from(if is_negative { "-" } else { "" });
    text.push_str(&groups.pop().unwrap_or(0).to_string());
    while let Some(group) = groups.pop() {
        text.push_str(&format!("{group:09}"));
    }
    text
}

/// Digits with a decimal point `scale` places from their end, or with an exponent if that would be far away.
pub fn scaled(digits: &str, scale: i32) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    match usize::try_from(scale) {
        Ok(0) => format!("{sign}{digits}"),
        Ok(places) if places < digits.len() + 6 => {
            let digits = format!("{digits:0>width$}", width = places + 1);
            let (whole, part) = digits.split_at(digits.len() - places);
            format!("{sign}{whole}.{part}")
        }
        _ => format!("{sign}{digits}E{:+}", -i64::from(scale)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_all_their_digits() {
        assert_eq!(integer(false, &[]), "0");
        assert_eq!(integer(true, &[7]), "-7");
        assert_eq!(integer(false, &[1, 0, 0]), "18446744073709551616");
        assert_eq!(integer(false, &[0x3B9A_CA00]), "1000000000");
    }

    #[test]
    fn the_scale_is_kept() {
        assert_eq!(scaled("123", 0), "123");
        assert_eq!(scaled("-123", 2), "-1.23");
        assert_eq!(scaled("5", 3), "0.005");
        assert_eq!(scaled("0", 2), "0.00");
        assert_eq!(scaled("12", -3), "12E+3");
        assert_eq!(scaled("1", 40), "1E-40");
    }
}
