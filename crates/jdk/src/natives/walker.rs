//! `StackWalker`: frames are handed out in batches, and the walker's field `anchor` says how many are left.

use machine::{Args, Machine, NATIVE_BCI, Raise, Ref, Return, TraceRow, Value};

use super::{Entry, not_modelled, one};

const WALKER: &str = "java/lang/StackStreamFactory$AbstractStackWalker";

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/StackStreamFactory", "checkStackWalkModes", "()Z", one),
    (WALKER, "callStackWalk", "(JIII[Ljava/lang/Object;)Ljava/lang/Object;", |m, a| {
        let request = Request { mode: a.long(m, 1) as i32, batch: a.int(m, 4), start: a.int(m, 5) };
        begin(m, a, request, a.int(m, 3), 6)
    }),
    (
        WALKER,
        "callStackWalk",
        "(IILjdk/internal/vm/ContinuationScope;Ljdk/internal/vm/Continuation;II[Ljava/lang/Object;)Ljava/lang/Object;",
        |m, a| {
            if a.word(m, 4) != 0 {
                return Err(not_modelled("walking the stack of a continuation"));
            }
            let request = Request { mode: a.int(m, 1), batch: a.int(m, 5), start: a.int(m, 6) };
            begin(m, a, request, a.int(m, 2), 7)
        },
    ),
    (WALKER, "fetchStackFrames", "(JJII[Ljava/lang/Object;)I", |m, a| {
        let request = Request { mode: a.long(m, 1) as i32, batch: a.int(m, 5), start: a.int(m, 6) };
        let count = fetch(m, a, request, a.long(m, 3), 7)?;
        // The end is wanted here, the number of frames in later versions.
        Ok(Value::int(request.start + count))
    }),
    (WALKER, "fetchStackFrames", "(IJIII[Ljava/lang/Object;)I", |m, a| {
        let request = Request { mode: a.int(m, 1), batch: a.int(m, 5), start: a.int(m, 6) };
        let count = fetch(m, a, request, a.long(m, 2), 7)?;
        Ok(Value::int(count))
    }),
    (
        "java/lang/StackTraceElement",
        "initStackTraceElement",
        "(Ljava/lang/StackTraceElement;Ljava/lang/StackFrameInfo;)V",
        |m, a| {
            let (element, info) = (a.non_null(m, 0)?, a.non_null(m, 1)?);
            let row = row_of(m, info)?;
            super::throwable::fill_element(m, element, row)?;
            Ok(Value::Void)
        },
    ),
];

/// What a batch is to contain.
#[derive(Clone, Copy)]
struct Request {
    mode: i32,
    batch: i32,
    /// The first free element of the buffer.
    start: i32,
}

/// Only the classes are wanted.
const CLASSES_ONLY: i32 = 2;

fn begin(m: &mut Machine, a: Args, request: Request, skip: i32, buffer: usize) -> Return {
    let walker = a.non_null(m, 0)?;
    let rows = m.stack_rows();
    let implementation = rows.iter().take_while(|row| is_walker(m, row)).count();
    let left = rows.len().saturating_sub(implementation + skip.max(0) as usize);
    let buffer = a.non_null(m, buffer)?;
    let (count, anchor) = deliver(m, buffer, request, left)?;
    let class = m.load(WALKER)?;
    let method = m
        .program
        .declared_method(class, "doStackWalk", "(JIIII)Ljava/lang/Object;")
        .ok_or_else(|| not_modelled("a stack walker without doStackWalk"))?;
    let int = |value: i32| u64::from(value as u32);
    let words =
        [walker.word(), anchor, 0, int(skip), int(count), int(request.start), int(request.start + count)];
    m.tail_call(a, method, &words)
}

fn fetch(m: &mut Machine, a: Args, request: Request, anchor: i64, buffer: usize) -> Result<i32, Raise> {
    let walker = a.non_null(m, 0)?;
    let buffer = a.non_null(m, buffer)?;
    if anchor <= 0 {
        return Err(m.raise("java/lang/InternalError", Some("doStackWalk: corrupted buffers")));
    }
    let (count, anchor) = deliver(m, buffer, request, anchor as usize - 1)?;
    m.set_field(walker, "anchor", anchor);
    Ok(count)
}

/// True for the frames of the walker itself.
fn is_walker(m: &Machine, row: &TraceRow) -> bool {
    let class = m.program.method(row.method).class;
    let parent = m.program.class(class).super_class;
    let name = |class| m.program.class_name(class);
    matches!(name(class), "java/lang/StackWalker" | WALKER)
        || parent.is_some_and(|parent| name(parent) == WALKER)
}

/// Fills the buffer with the next of the `left` lowest frames; how many, and the anchor for the next batch.
fn deliver(m: &mut Machine, buffer: Ref, request: Request, left: usize) -> Result<(i32, u64), Raise> {
    let rows = m.stack_rows();
    let from = rows.len().saturating_sub(left);
    let room = (m.heap.length(buffer) - request.start).clamp(0, request.batch.max(0));
    let batch: Vec<TraceRow> = rows[from..].iter().copied().take(room as usize).collect();
    for (i, row) in batch.iter().enumerate() {
        fill(m, buffer, request.start + i as i32, request.mode, *row)?;
    }
    // Zero would mean that the walk is over.
    Ok((batch.len() as i32, (left.saturating_sub(batch.len()) + 1) as u64))
}

fn fill(m: &mut Machine, buffer: Ref, index: i32, mode: i32, row: TraceRow) -> Result<(), Raise> {
    let method = m.program.method(row.method);
    let (class, modifiers) = (method.class, u32::from(method.flags));
    let name = m.program.text(method.name).to_string();
    let descriptor = m.program.text(method.descriptor).to_string();
    // IS_METHOD and IS_CONSTRUCTOR of `MemberName`
    let flags = modifiers | if name == "<init>" { 0x2_0000 } else { 0x1_0000 };
    let mirror = m.mirror(class);
    let info = m.element(buffer, index);
    if info.is_null() || m.class_name_of(info) == "java/lang/Class" {
        m.set_element(buffer, index, mirror);
        return Ok(());
    }
    if m.field_offset(m.class_of(info), "memberName").is_some() {
        // Up to JDK 21 everything lies in a `MemberName`.
        let member = Ref::from_word(m.field(info, "memberName"));
        m.set_field(member, "clazz", mirror.word());
        let text = m.new_string(&name)?;
        m.set_field(member, "name", text.word());
        let text = m.new_string(&descriptor)?;
        m.set_field(member, "type", text.word());
        m.set_field(member, "flags", u64::from(flags));
        m.set_field(info, "bci", u64::from(row.bci));
        return Ok(());
    }
    let kept = m.field(info, "flags") as u32;
    m.set_field(info, "flags", u64::from(kept | flags));
    if mode & CLASSES_ONLY != 0 || m.field_offset(m.class_of(info), "bci").is_none() {
        m.set_field(info, "classOrMemberName", mirror.word());
        return Ok(());
    }
    let resolved = m.load("java/lang/invoke/ResolvedMethodName")?;
    let resolved = m.allocate(resolved)?;
    m.set_field(resolved, "vmholder", mirror.word());
    m.set_field(info, "classOrMemberName", resolved.word());
    let text = m.new_string(&name)?;
    m.set_field(info, "name", text.word());
    let text = m.new_string(&descriptor)?;
    m.set_field(info, "type", text.word());
    m.set_field(info, "bci", u64::from(row.bci));
    Ok(())
}

/// The method and place a `StackFrameInfo` was filled with.
fn row_of(m: &mut Machine, info: Ref) -> Result<TraceRow, Raise> {
    let (holder, holds_class) = match m.field_offset(m.class_of(info), "memberName") {
        Some(_) => (Ref::from_word(m.field(info, "memberName")), "clazz"),
        None => (info, "classOrMemberName"),
    };
    let mut mirror = Ref::from_word(m.field(holder, holds_class));
    if m.class_name_of(mirror) == "java/lang/invoke/ResolvedMethodName" {
        mirror = Ref::from_word(m.field(mirror, "vmholder"));
    }
    let class = m.mirrored(mirror);
    let name = m.string(Ref::from_word(m.field(holder, "name")));
    let kind = Ref::from_word(m.field(holder, "type"));
    let bci = m.field(info, "bci") as u32;
    let bci = if bci == u32::from(u16::MAX) { NATIVE_BCI } else { bci };
    // The type may have been turned into a `MethodType` by now; then the name decides.
    let descriptor = if m.class_name_of(kind) == "java/lang/String" { Some(m.string(kind)) } else { None };
    let methods = &m.program.class(class).methods;
    let found = methods.iter().copied().find(|id| {
        let method = m.program.method(*id);
        m.program.text(method.name) == name
            && descriptor.as_ref().is_none_or(|wanted| m.program.text(method.descriptor) == wanted)
    });
    found
        .map(|method| TraceRow { method, bci })
        .ok_or_else(|| not_modelled("a stack frame of an unknown method"))
}
