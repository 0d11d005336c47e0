//! `jdk.internal.misc.Unsafe`: raw access by offset.
//!
//! An offset is in bytes from the object's header word. On objects every field has words of its own, so a store
//! writes the whole word; on arrays of small or wide elements a store writes just the bytes. A null base makes the
//! offset an address of [`machine::raw`].

use machine::{Args, Machine, Raise, Ref, Return, Value, Word};
use program::Kind;

use super::{Entry, not_modelled, nothing, zero};

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

macro_rules! accessors {
    ($($name:literal, $letter:literal, $get:expr, $put:expr;)*) => {
        &[$(
            (UNSAFE, concat!("get", $name), concat!("(Ljava/lang/Object;J)", $letter), $get),
            (UNSAFE, concat!("get", $name, "Volatile"), concat!("(Ljava/lang/Object;J)", $letter), $get),
            (UNSAFE, concat!("put", $name), concat!("(Ljava/lang/Object;J", $letter, ")V"), $put),
            (UNSAFE, concat!("put", $name, "Volatile"), concat!("(Ljava/lang/Object;J", $letter, ")V"), $put),
        )*]
    };
}

pub(super) const ACCESSORS: &[Entry] = accessors! {
    "Int", "I", |m, a| get(m, a, Kind::Int), |m, a| put(m, a, Kind::Int);
    "Long", "J", |m, a| get(m, a, Kind::Long), |m, a| put(m, a, Kind::Long);
    "Float", "F", |m, a| get(m, a, Kind::Float), |m, a| put(m, a, Kind::Float);
    "Double", "D", |m, a| get(m, a, Kind::Double), |m, a| put(m, a, Kind::Double);
    "Boolean", "Z", |m, a| get(m, a, Kind::Boolean), |m, a| put(m, a, Kind::Boolean);
    "Byte", "B", |m, a| get(m, a, Kind::Byte), |m, a| put(m, a, Kind::Byte);
    "Short", "S", |m, a| get(m, a, Kind::Short), |m, a| put(m, a, Kind::Short);
    "Char", "C", |m, a| get(m, a, Kind::Char), |m, a| put(m, a, Kind::Char);
    "Reference", "Ljava/lang/Object;", |m, a| get(m, a, Kind::Ref), |m, a| put(m, a, Kind::Ref);
};

pub(super) const TABLE: &[Entry] = &[
    (UNSAFE, "compareAndSetInt", "(Ljava/lang/Object;JII)Z", |m, a| compare_set(m, a, Kind::Int)),
    (UNSAFE, "compareAndSetLong", "(Ljava/lang/Object;JJJ)Z", |m, a| compare_set(m, a, Kind::Long)),
    (
        UNSAFE,
        "compareAndSetReference",
        "(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z",
        |m, a| compare_set(m, a, Kind::Ref),
    ),
    // The library builds these from operations on ints, which would write over the neighbours of a small value.
    (UNSAFE, "compareAndSetByte", "", |m, a| compare_set(m, a, Kind::Byte)),
    (UNSAFE, "compareAndSetShort", "", |m, a| compare_set(m, a, Kind::Short)),
    (UNSAFE, "compareAndSetChar", "", |m, a| compare_set(m, a, Kind::Char)),
    (UNSAFE, "compareAndSetBoolean", "", |m, a| compare_set(m, a, Kind::Boolean)),
    (UNSAFE, "compareAndExchangeByte", "", |m, a| compare_exchange(m, a, Kind::Byte)),
    (UNSAFE, "compareAndExchangeShort", "", |m, a| compare_exchange(m, a, Kind::Short)),
    (UNSAFE, "compareAndExchangeChar", "", |m, a| compare_exchange(m, a, Kind::Char)),
    (UNSAFE, "compareAndExchangeBoolean", "", |m, a| compare_exchange(m, a, Kind::Boolean)),
    (UNSAFE, "compareAndExchangeInt", "(Ljava/lang/Object;JII)I", |m, a| compare_exchange(m, a, Kind::Int)),
    (UNSAFE, "compareAndExchangeLong", "(Ljava/lang/Object;JJJ)J", |m, a| compare_exchange(m, a, Kind::Long)),
    (
        UNSAFE,
        "compareAndExchangeReference",
        "(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
        |m, a| compare_exchange(m, a, Kind::Ref),
    ),
    (UNSAFE, "objectFieldOffset0", "(Ljava/lang/reflect/Field;)J", field_offset),
    (UNSAFE, "staticFieldOffset0", "(Ljava/lang/reflect/Field;)J", field_offset),
    (UNSAFE, "staticFieldBase0", "(Ljava/lang/reflect/Field;)Ljava/lang/Object;", |m, a| {
        let field = a.non_null(m, 1)?;
        Ok(Value::One(m.field(field, "clazz")))
    }),
    (UNSAFE, "objectFieldOffset1", "(Ljava/lang/Class;Ljava/lang/String;)J", named_field_offset),
    (UNSAFE, "knownObjectFieldOffset0", "(Ljava/lang/Class;Ljava/lang/String;)J", named_field_offset),
    (UNSAFE, "arrayBaseOffset0", "(Ljava/lang/Class;)I", |_, _| Ok(Value::int(8))),
    (UNSAFE, "arrayIndexScale0", "(Ljava/lang/Class;)I", |m, a| {
        let mirror = a.non_null(m, 1)?;
        let class = m.mirrored(mirror);
        let kind = m.program.class(class).element_kind().unwrap_or(Kind::Ref);
        Ok(Value::int(1 << machine::heap::element_shift(kind)))
    }),
    (UNSAFE, "addressSize0", "()I", |_, _| Ok(Value::int(8))),
    (UNSAFE, "pageSize", "()I", |_, _| Ok(Value::int(4096))),
    (UNSAFE, "isBigEndian0", "()Z", zero),
    (UNSAFE, "unalignedAccess0", "()Z", super::one),
    (UNSAFE, "ensureClassInitialized0", "(Ljava/lang/Class;)V", ensure_initialized),
    (UNSAFE, "shouldBeInitialized0", "(Ljava/lang/Class;)Z", |m, a| {
        let mirror = a.non_null(m, 1)?;
        let class = m.mirrored(mirror);
        Ok(Value::bool(m.class_state(class).init == machine::InitState::Linked))
    }),
    (UNSAFE, "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;", |m, a| {
        let mirror = a.non_null(m, 1)?;
        let class = m.mirrored(mirror);
        let declared = m.program.class(class);
        if declared.is_abstract() || declared.is_interface() || declared.shape != program::Shape::Declared {
            let name = m.program.class_name(class).replace('/', ".");
            return Err(m.raise("java/lang/InstantiationException", Some(&name)));
        }
        m.initialize(class)?;
        Ok(Value::reference(m.allocate(class)?))
    }),
    (UNSAFE, "fullFence", "()V", nothing),
    (UNSAFE, "loadFence", "()V", nothing),
    (UNSAFE, "storeFence", "()V", nothing),
    (UNSAFE, "throwException", "(Ljava/lang/Throwable;)V", |m, a| Err(Raise::Throw(a.non_null(m, 1)?))),
    (UNSAFE, "allocateMemory0", "(J)J", |m, a| {
        let size = a.long(m, 1) as u64;
        if size <= machine::raw::LARGEST {
            m.ensure_room(size)?;
        }
        match m.raw.allocate(size) {
            Some(address) => Ok(Value::long(address as i64)),
            // Null is how the library learns that there is no memory.
            None => Ok(Value::long(0)),
        }
    }),
    (UNSAFE, "freeMemory0", "(J)V", |m, a| {
        let address = a.long(m, 1) as u64;
        m.raw.free(address);
        Ok(Value::Void)
    }),
    (UNSAFE, "setMemory0", "(Ljava/lang/Object;JJB)V", set_memory),
    (UNSAFE, "copySwapMemory0", "(Ljava/lang/Object;JLjava/lang/Object;JJJ)V", copy_swap_memory),
    (UNSAFE, "copyMemory0", "(Ljava/lang/Object;JLjava/lang/Object;JJ)V", copy_memory),
];

/// Where an access goes.
enum Place {
    /// Byte index into the heap; `whole` when the value has words of its own.
    Heap {
        at: usize,
        whole: bool,
    },
    Raw(u64),
}

/// Where a value of a kind goes, if there is one. What lies elsewhere is nothing that the program can know.
fn place(m: &Machine, object: Ref, offset: i64, kind: Kind) -> Result<Place, Raise> {
    if object.is_null() {
        return Ok(Place::Raw(offset as u64));
    }
    let whole = match m.array_kind(object) {
        Some(element) => {
            let bytes = i64::from(m.heap.length(object)) << machine::heap::element_shift(element);
            // A header, and whole words.
            let end = 8 + (bytes + 7) / 8 * 8;
            if offset < 8 || offset > end - size(kind) as i64 {
                return Err(outside(m, object, offset));
            }
            let has_words = matches!(element, Kind::Int | Kind::Float | Kind::Ref);
            let is_foreign = kind == Kind::Ref && element != Kind::Ref;
            if is_foreign || has_words && offset % 8 != 0 {
                return Err(misplaced(m, object, offset, kind));
            }
            has_words
        }
        None if offset >= 8 && offset / 8 < i64::from(m.words_of(object)) => true,
        None => return Err(outside(m, object, offset)),
    };
    Ok(Place::Heap { at: object.0 as usize * 8 + offset as usize, whole })
}

/// Whether the bytes of a value are those of what is there, so that it can be written without harm to its neighbours.
fn check_write(m: &Machine, object: Ref, offset: i64, kind: Kind) -> Result<(), Raise> {
    if object.is_null() {
        return Ok(());
    }
    let there = match m.array_kind(object) {
        Some(element) if matches!(element, Kind::Int | Kind::Float | Kind::Ref) => Some(element),
        Some(_) => return Ok(()),
        None => field_kind(m, object, offset),
    };
    let fits = |there: Kind| size(there) == size(kind) && (there == Kind::Ref) == (kind == Kind::Ref);
    match there.is_some_and(fits) {
        true => Ok(()),
        false => Err(misplaced(m, object, offset, kind)),
    }
}

fn field_kind(m: &Machine, object: Ref, offset: i64) -> Option<Kind> {
    let at = u32::try_from(offset / 8).ok().filter(|_| offset % 8 == 0)?;
    m.kind_at(object, at)
}

fn outside(m: &Machine, object: Ref, offset: i64) -> Raise {
    let name = m.class_name_of(object).replace('/', ".");
    not_modelled(format!("Unsafe access outside an object: offset {offset} of a {name}"))
}

fn misplaced(m: &Machine, object: Ref, offset: i64, kind: Kind) -> Raise {
    let name = m.class_name_of(object).replace('/', ".");
    let kind = if kind == Kind::Ref { "reference" } else { kind.primitive_name() };
    not_modelled(format!("Unsafe access to a {kind} where there is none: offset {offset} of a {name}"))
}

fn size(kind: Kind) -> usize {
    match kind {
        Kind::Boolean | Kind::Byte => 1,
        Kind::Char | Kind::Short => 2,
        Kind::Int | Kind::Float => 4,
        _ => 8,
    }
}

fn extend(kind: Kind, bits: u64) -> Word {
    match kind {
        Kind::Boolean => u64::from(bits as u8 != 0),
        Kind::Byte => u64::from(i32::from(bits as i8) as u32),
        Kind::Short => u64::from(i32::from(bits as i16) as u32),
        Kind::Char => u64::from(bits as u16),
        Kind::Int | Kind::Float => u64::from(bits as u32),
        _ => bits,
    }
}

/// Decides what is open in some bytes of an object, so that they are bits.
fn settle(m: &mut Machine, object: Ref, offset: i64, kind: Kind) -> Result<(), Raise> {
    if object.is_null() {
        return Ok(());
    }
    match m.array_kind(object) {
        Some(element) if !matches!(element, Kind::Int | Kind::Float | Kind::Ref) => {
            let shift = machine::heap::element_shift(element);
            let (first, last) = ((offset - 8) >> shift, (offset - 8 + size(kind) as i64 - 1) >> shift);
            let last = last.min(i64::from(m.heap.length(object)) - 1);
            (first..=last).try_for_each(|index| m.settle_element(object, index as i32))
        }
        Some(_) => m.settle_word(object.0 + (offset / 8) as u32, None),
        None => {
            let at = object.0 + (offset / 8) as u32;
            match field_kind(m, object, offset) {
                // A small part of a field can be read, but not more than there is.
                Some(field) if size(field) < size(kind) || (field == Kind::Ref) != (kind == Kind::Ref) => {
                    Err(misplaced(m, object, offset, kind))
                }
                Some(field) if field.width() == 2 => m.settle_word(at + 1, Some(-1)),
                Some(_) => m.settle_word(at, None),
                None => Err(misplaced(m, object, offset, kind)),
            }
        }
    }
}

fn read(m: &mut Machine, object: Ref, offset: i64, kind: Kind) -> Result<Word, Raise> {
    let place = place(m, object, offset, kind)?;
    if !object.is_null() {
        m.suppose_fresh_at(object, (offset / 8) as u32);
    }
    settle(m, object, offset, kind)?;
    let size = size(kind);
    let bits = match place {
        Place::Heap { at, whole: true } if kind == Kind::Ref || at % 8 == 0 => m.heap.word((at / 8) as u32),
        Place::Heap { at, .. } => m.heap_bytes(at, size),
        Place::Raw(address) => {
            let Some(bytes) = m.raw.read(address, size) else { return Err(bad_address()) };
            let mut word = [0; 8];
            word[..size].copy_from_slice(bytes);
            u64::from_ne_bytes(word)
        }
    };
    Ok(extend(kind, bits))
}

fn write(m: &mut Machine, object: Ref, offset: i64, kind: Kind, value: Word) -> Result<(), Raise> {
    let size = size(kind);
    let value = extend(kind, value);
    let place = place(m, object, offset, kind)?;
    check_write(m, object, offset, kind)?;
    // The bytes beside those that are written stay, and must be bits.
    settle(m, object, offset, kind)?;
    match place {
        Place::Heap { at, whole: true } if at % 8 == 0 => {
            m.put_at((at / 8) as u32, value);
            let wide_field = matches!(kind, Kind::Long | Kind::Double) && m.array_kind(object).is_none();
            if wide_field {
                m.put_at((at / 8) as u32 + 1, 0);
            }
        }
        Place::Heap { at, .. } => m.set_heap_bytes(at, size, value),
        Place::Raw(address) => {
            let Some(bytes) = m.raw.write(address, size) else { return Err(bad_address()) };
            bytes.copy_from_slice(&value.to_ne_bytes()[..size]);
        }
    }
    Ok(())
}

fn bad_address() -> Raise {
    not_modelled("Unsafe access outside allocated memory")
}

fn value(kind: Kind, word: Word) -> Value {
    if kind.width() == 2 { Value::Two(word) } else { Value::One(word) }
}

fn get(m: &mut Machine, a: Args, kind: Kind) -> Return {
    let (object, offset) = (a.reference(m, 1), a.long(m, 2));
    Ok(value(kind, read(m, object, offset, kind)?))
}

fn put(m: &mut Machine, a: Args, kind: Kind) -> Return {
    let (object, offset) = (a.reference(m, 1), a.long(m, 2));
    let word = a.word(m, 4);
    write(m, object, offset, kind, word)?;
    Ok(Value::Void)
}

fn exchange(m: &mut Machine, a: Args, kind: Kind) -> Result<(Word, bool), Raise> {
    let (object, offset) = (a.reference(m, 1), a.long(m, 2));
    let expected = a.word(m, 4);
    let new = a.word(m, 4 + kind.width() as usize);
    let current = read(m, object, offset, kind)?;
    let same = current == expected;
    if same {
        write(m, object, offset, kind, new)?;
    }
    Ok((current, same))
}

fn compare_set(m: &mut Machine, a: Args, kind: Kind) -> Return {
    Ok(Value::bool(exchange(m, a, kind)?.1))
}

fn compare_exchange(m: &mut Machine, a: Args, kind: Kind) -> Return {
    Ok(value(kind, exchange(m, a, kind)?.0))
}

/// Byte offset of a field from its object, or from the mirror for a static field.
pub(crate) fn offset_of(m: &Machine, field: &program::Field) -> i64 {
    if field.is_static() {
        let state = m.class_state(field.class);
        i64::from(state.statics + field.offset - state.mirror.0) * 8
    } else {
        i64::from(field.offset) * 8
    }
}

fn field_offset(m: &mut Machine, a: Args) -> Return {
    let field = a.non_null(m, 1)?;
    let class = m.mirrored(Ref::from_word(m.field(field, "clazz")));
    let slot = m.field(field, "slot") as usize;
    let offset = m.program.class(class).fields.get(slot).map(|field| offset_of(m, field));
    offset.map(Value::long).ok_or_else(|| not_modelled("Unsafe offset of an unknown field"))
}

fn named_field_offset(m: &mut Machine, a: Args) -> Return {
    let mirror = a.non_null(m, 1)?;
    let name = a.non_null(m, 2)?;
    let class = m.mirrored(mirror);
    let name = m.string(name);
    let symbol = m.program.symbols.find(&name);
    let found = m.program.class(class).fields.iter().find(|f| Some(f.name) == symbol && !f.is_static());
    match found.map(|field| offset_of(m, field)) {
        Some(offset) => Ok(Value::long(offset)),
        None => Err(m.raise("java/lang/InternalError", Some(&name))),
    }
}

fn ensure_initialized(m: &mut Machine, a: Args) -> Return {
    let mirror = a.non_null(m, 1)?;
    let class = m.mirrored(mirror);
    m.initialize(class)?;
    Ok(Value::Void)
}

fn set_memory(m: &mut Machine, a: Args) -> Return {
    let (object, offset, count, byte) = (a.reference(m, 1), a.long(m, 2), a.long(m, 4), a.int(m, 6) as u8);
    ensure_logged(m, object, count)?;
    if object.is_null() {
        raw_bytes(m, offset, count)?.fill(byte);
        return Ok(Value::Void);
    }
    for i in 0..count {
        write(m, object, offset.wrapping_add(i), Kind::Byte, u64::from(byte))?;
    }
    Ok(Value::Void)
}

/// What one byte that is written on its own takes in the trail.
const BYTE_LOGGED: u64 = 48;

/// Asks for the room that a write of so many bytes needs, with what they replace.
fn ensure_logged(m: &Machine, target: Ref, count: i64) -> Result<(), Raise> {
    let each = if m.has_checkpoint() && !target.is_null() { BYTE_LOGGED } else { 2 };
    m.ensure_room((count.max(0) as u64).saturating_mul(each))
}

/// Memory outside the heap, to be overwritten.
fn raw_bytes(m: &mut Machine, address: i64, count: i64) -> Result<&mut [u8], Raise> {
    let count = usize::try_from(count).map_err(|_| bad_address())?;
    if count == 0 {
        return Ok(&mut []);
    }
    m.raw.write(address as u64, count).ok_or_else(bad_address)
}

/// A copy of bytes, wherever they are.
fn copied(m: &mut Machine, source: Ref, from: i64, count: i64) -> Result<Vec<u8>, Raise> {
    m.ensure_room(count.max(0) as u64)?;
    if source.is_null() && count > 0 {
        return m.raw.read(from as u64, count as usize).map(<[u8]>::to_vec).ok_or_else(bad_address);
    }
    (0..count).map(|i| Ok(read(m, source, from.wrapping_add(i), Kind::Byte)? as u8)).collect()
}

fn copy_memory(m: &mut Machine, a: Args) -> Return {
    let (source, from) = (a.reference(m, 1), a.long(m, 2));
    let (target, to) = (a.reference(m, 4), a.long(m, 5));
    let count = a.long(m, 7);
    let bytes = copied(m, source, from, count)?;
    ensure_logged(m, target, count)?;
    if target.is_null() {
        raw_bytes(m, to, bytes.len() as i64)?.copy_from_slice(&bytes);
        return Ok(Value::Void);
    }
    for (i, byte) in bytes.into_iter().enumerate() {
        write(m, target, to.wrapping_add(i as i64), Kind::Byte, u64::from(byte))?;
    }
    Ok(Value::Void)
}

/// Copies elements of `size` bytes with their bytes reversed.
fn copy_swap_memory(m: &mut Machine, a: Args) -> Return {
    let (source, from) = (a.reference(m, 1), a.long(m, 2));
    let (target, to) = (a.reference(m, 4), a.long(m, 5));
    let (count, size) = (a.long(m, 7), a.long(m, 9));
    if !matches!(size, 2 | 4 | 8) || count < 0 {
        return Err(m.raise("java/lang/IllegalArgumentException", None));
    }
    let bytes = copied(m, source, from, count)?;
    m.ensure_room((count as u64).saturating_mul(BYTE_LOGGED))?;
    for (i, byte) in bytes.into_iter().enumerate() {
        let (element, within) = (i as i64 / size, i as i64 % size);
        write(m, target, to.wrapping_add(element * size + (size - 1 - within)), Kind::Byte, u64::from(byte))?;
    }
    Ok(Value::Void)
}
