//! `Object`, boxing bits, `Math` and `StrictMath`.

use machine::{Args, Machine, Return, Value};

use super::{Entry, nothing};
use crate::fdlibm;

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/Object", "<init>", "()V", nothing),
    ("java/lang/Object", "hashCode", "()I", identity_hash),
    ("java/lang/System", "identityHashCode", "(Ljava/lang/Object;)I", identity_hash),
    ("java/lang/Object", "getClass", "()Ljava/lang/Class;", get_class),
    ("java/lang/Object", "clone", "()Ljava/lang/Object;", clone),
    ("java/lang/Float", "floatToRawIntBits", "(F)I", |m, a| {
        Ok(match m.config.usual_bits && a.float(m, 0).is_nan() {
            true => Value::float(f32::from_bits(0x7fc0_0000)),
            false => Value::One(a.word(m, 0)),
        })
    }),
    ("java/lang/Float", "intBitsToFloat", "(I)F", |m, a| Ok(Value::One(a.word(m, 0)))),
    ("java/lang/Double", "doubleToRawLongBits", "(D)J", |m, a| {
        Ok(match m.config.usual_bits && a.double(m, 0).is_nan() {
            true => Value::double(f64::from_bits(0x7ff8_0000_0000_0000)),
            false => Value::Two(a.word(m, 0)),
        })
    }),
    ("java/lang/Double", "longBitsToDouble", "(J)D", |m, a| Ok(Value::Two(a.word(m, 0)))),
    ("java/lang/Math", "sqrt", "(D)D", |m, a| unary(m, a, f64::sqrt)),
    ("java/lang/Math", "floor", "(D)D", |m, a| unary(m, a, f64::floor)),
    ("java/lang/Math", "ceil", "(D)D", |m, a| unary(m, a, f64::ceil)),
    ("java/lang/Math", "rint", "(D)D", |m, a| unary(m, a, f64::round_ties_even)),
    ("java/lang/Math", "abs", "(D)D", |m, a| unary(m, a, f64::abs)),
    ("java/lang/Math", "fma", "(DDD)D", |m, a| {
        Ok(Value::double(a.double(m, 0).mul_add(a.double(m, 2), a.double(m, 4))))
    }),
    ("java/lang/Math", "fma", "(FFF)F", |m, a| {
        Ok(Value::float(a.float(m, 0).mul_add(a.float(m, 1), a.float(m, 2))))
    }),
    ("java/lang/StrictMath", "sqrt", "(D)D", |m, a| unary(m, a, f64::sqrt)),
    ("java/lang/StrictMath", "sin", "(D)D", |m, a| unary(m, a, fdlibm::sin)),
    ("java/lang/StrictMath", "cos", "(D)D", |m, a| unary(m, a, fdlibm::cos)),
    ("java/lang/StrictMath", "tan", "(D)D", |m, a| unary(m, a, fdlibm::tan)),
    ("java/lang/StrictMath", "asin", "(D)D", |m, a| unary(m, a, libm::asin)),
    ("java/lang/StrictMath", "acos", "(D)D", |m, a| unary(m, a, libm::acos)),
    ("java/lang/StrictMath", "atan", "(D)D", |m, a| unary(m, a, libm::atan)),
    ("java/lang/StrictMath", "atan2", "(DD)D", |m, a| {
        Ok(Value::double(fdlibm::atan2(a.double(m, 0), a.double(m, 2))))
    }),
    ("java/lang/StrictMath", "log", "(D)D", |m, a| unary(m, a, fdlibm::log)),
    ("java/lang/StrictMath", "log10", "(D)D", |m, a| unary(m, a, fdlibm::log10)),
    ("java/lang/StrictMath", "sinh", "(D)D", |m, a| unary(m, a, fdlibm::sinh)),
    ("java/lang/StrictMath", "cosh", "(D)D", |m, a| unary(m, a, fdlibm::cosh)),
    ("java/lang/StrictMath", "tanh", "(D)D", |m, a| unary(m, a, fdlibm::tanh)),
    ("java/lang/StrictMath", "expm1", "(D)D", |m, a| unary(m, a, libm::expm1)),
    ("java/lang/StrictMath", "log1p", "(D)D", |m, a| unary(m, a, fdlibm::log1p)),
    ("java/lang/StrictMath", "IEEEremainder", "(DD)D", |m, a| {
        Ok(Value::double(libm::remquo(a.double(m, 0), a.double(m, 2)).0))
    }),
];

fn unary(m: &mut Machine, a: Args, f: fn(f64) -> f64) -> Return {
    Ok(Value::double(f(a.double(m, 0))))
}

fn identity_hash(m: &mut Machine, a: Args) -> Return {
    let object = a.reference(m, 0);
    Ok(Value::int(m.identity_hash(object)))
}

fn get_class(m: &mut Machine, a: Args) -> Return {
    let object = a.non_null(m, 0)?;
    m.suppose_class_of(object);
    let class = m.seen_class(object);
    Ok(Value::reference(m.mirror(class)))
}

pub(super) fn clone(m: &mut Machine, a: Args) -> Return {
    let object = a.non_null(m, 0)?;
    let class = m.class_of(object);
    if m.program.class(class).is_array() {
        let length = m.heap.length(object);
        let copy = m.allocate_array_keeping(class, length, object)?;
        m.copy_elements(object, 0, copy, 0, length)?;
        return Ok(Value::reference(copy));
    }
    let cloneable = m.load("java/lang/Cloneable")?;
    if !m.is_instance(object, cloneable) {
        m.suppose_class_of(object);
        let name = m.program.class_name(class).replace('/', ".");
        return Err(m.raise("java/lang/CloneNotSupportedException", Some(&name)));
    }
    let copy = m.allocate(class)?;
    for offset in 1..m.program.class(class).instance_words {
        let word = m.get(object, offset);
        m.put(copy, offset, word);
    }
    Ok(Value::reference(copy))
}
