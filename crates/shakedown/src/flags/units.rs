//! Sizes and times as people write them.

use std::time::Duration;

/// `512m`, `2g`, `1024`.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let (digits, unit) = match lower.strip_suffix(['k', 'm', 'g']) {
        Some(digits) => (digits, lower.as_bytes()[lower.len() - 1]),
        None => (lower.as_str(), b' '),
    };
    let number: u64 = digits.parse().map_err(|_| format!("`{text}` is not a size such as 512m or 2g"))?;
    let factor = match unit {
        b'k' => 1 << 10,
        b'm' => 1 << 20,
        b'g' => 1 << 30,
        _ => 1,
    };
    number.checked_mul(factor).ok_or_else(|| format!("`{text}` is too large"))
}

/// `30`, `1.5s`, `200ms`, `2m`.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let bad = || format!("`{text}` is not a time such as 30s, 200ms or 2m");
    let (digits, factor) = if let Some(digits) = text.strip_suffix("ms") {
        (digits, 0.001)
    } else if let Some(digits) = text.strip_suffix('s') {
        (digits, 1.0)
    } else if let Some(digits) = text.strip_suffix('m') {
        (digits, 60.0)
    } else if let Some(digits) = text.strip_suffix('h') {
        (digits, 3600.0)
    } else {
        (text, 1.0)
    };
    let number: f64 = digits.parse().map_err(|_| bad())?;
    if !number.is_finite() || number < 0.0 {
        return Err(bad());
    }
    Duration::try_from_secs_f64(number * factor).map_err(|_| bad())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_read() {
        assert_eq!(parse_size("2g"), Ok(2 << 30));
        assert!(parse_size("x").is_err());
        assert_eq!(parse_time("200ms"), Ok(Duration::from_millis(200)));
        assert_eq!(parse_time("1.5"), Ok(Duration::from_millis(1500)));
        assert!(parse_time("-1s").is_err());
    }
}
