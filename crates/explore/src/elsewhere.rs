//! Other surroundings than those of `run` that a JVM is as likely to be started in: what holds in one of them may fail in
//! another. They are examples, and prove nothing.

use machine::World;

/// Where a program may run.
#[derive(Debug)]
pub struct Elsewhere {
    /// What is different there,
    pub world: World,
    /// and how it is shown.
    pub shown: &'static str,
    /// What the JVM is told by `-D`.
    pub properties: &'static [(&'static str, &'static str)],
    /// What identity hash codes are drawn from.
    pub seed: Option<u32>,
}

const fn zone(properties: &'static [(&'static str, &'static str)]) -> Elsewhere {
    Elsewhere { world: World::TimeZone, shown: properties[0].1, properties, seed: None }
}

const fn locale(shown: &'static str, properties: &'static [(&'static str, &'static str)]) -> Elsewhere {
    Elsewhere { world: World::Locale, shown, properties, seed: None }
}

const fn charset(properties: &'static [(&'static str, &'static str)]) -> Elsewhere {
    Elsewhere { world: World::Charset, shown: properties[0].1, properties, seed: None }
}

const fn hashes(shown: &'static str, seed: u32) -> Elsewhere {
    Elsewhere { world: World::Identity, shown, properties: &[], seed: Some(seed) }
}

/// Those that are tried, the most different first.
pub const PLACES: &[Elsewhere] = &[
    zone(&[("user.timezone", "America/New_York")]),
    zone(&[("user.timezone", "Asia/Kolkata")]),
    zone(&[("user.timezone", "Europe/Berlin")]),
    zone(&[("user.timezone", "Pacific/Auckland")]),
    // Another dotless i, and a comma in numbers.
    locale("tr_TR", &[("user.language", "tr"), ("user.country", "TR")]),
    // Other digits, and another first day of the week.
    locale("ar_EG", &[("user.language", "ar"), ("user.country", "EG")]),
    // Other names of days and months.
    locale("de_DE", &[("user.language", "de"), ("user.country", "DE")]),
    // Another calendar.
    locale("ja_JP_JP", &[("user.language", "ja"), ("user.country", "JP"), ("user.variant", "JP")]),
    charset(&[("file.encoding", "US-ASCII"), ("native.encoding", "US-ASCII")]),
    charset(&[("file.encoding", "ISO-8859-1"), ("native.encoding", "ISO-8859-1")]),
    hashes("drawn from seed 1", 0x0BAD_CAFE),
    hashes("drawn from seed 2", 0x7654_3211),
    hashes("drawn from seed 3", 0x3141_5927),
    hashes("drawn from seed 4", 0x5DEE_CE66),
];
