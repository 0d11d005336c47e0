//! Numbers that the library has drawn when it started: the seeds of its generators, and what the order of immutable sets
//! follows from. In another moment they are others.

use machine::{Machine, Moment, Ref};

/// Static fields with the seeds of generators, and the fields that lead from there to a number.
const SEEDS: [(&str, &str, &[&str]); 4] = [
    ("java/lang/Math$RandomNumberGeneratorHolder", "randomNumberGenerator", &["seed", "value"]),
    ("java/util/Random", "seedUniquifier", &["value"]),
    ("java/util/SplittableRandom", "defaultGen", &["value"]),
    ("java/util/concurrent/ThreadLocalRandom", "seeder", &["value"]),
];
/// Random generators take so many bits of a seed.
const BITS: u64 = (1 << 48) - 1;

/// Goes to another moment, with what the library draws when it starts.
pub fn move_to(m: &mut Machine, moment: Moment) {
    m.move_to(moment);
    let drawn = u64::from(moment.drawn).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for (class, field, way) in SEEDS {
        let Some(at) = m.program.find_loaded(class).and_then(|class| m.static_field(class, field)) else {
            continue;
        };
        let mut object = Ref::from_word(m.heap.word(at));
        for (place, name) in way.iter().enumerate() {
            if object.is_null() || m.program.field_named(m.class_of(object), name).is_none() {
                break;
            }
            let word = m.field(object, name);
            if place + 1 == way.len() {
                m.set_field(object, name, (word ^ drawn) & BITS);
            } else {
                object = Ref::from_word(word);
            }
        }
    }
    let Some(class) = m.program.find_loaded("java/util/ImmutableCollections") else { return };
    let places = [m.static_field(class, "SALT32L"), m.static_field(class, "REVERSE")];
    if let [Some(salt), Some(reverse)] = places {
        let drawn = m.heap.word(salt) ^ u64::from(moment.drawn);
        m.put_at(salt, drawn);
        m.put_at(reverse, u64::from(drawn & 1 == 0));
    }
}
