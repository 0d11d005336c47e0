//! Classes that nobody has seen: somebody may have extended a type that is open. Each method that can be overridden returns
//! anything, or throws. What it may change is not made up: whoever proves something says that it changes nothing.

use machine::symbolic::{REF, UNSEEN, term_of};
use machine::{Args, Machine, Native, Raise, Ref, Return, Stop, Supposition, Value};
use program::synthetic::{SyntheticClass, SyntheticMethod};
use program::{ClassId, Insn, Kind, MethodId, Op, access};

use crate::indy::Assembler;
use crate::natives::not_modelled;

/// What the names of the stubs begin with that say whether a method throws, and what it returns.
const THROWS: &str = "<unseen throws ";
const RETURNS: &str = "<unseen returns ";

/// The implementation of such a stub.
pub(crate) fn native(name: &str) -> Option<Native> {
    (name.starts_with(THROWS) || name.starts_with(RETURNS)).then_some(answer)
}

/// A class that extends or implements another, and that nobody has seen.
pub(crate) fn class(m: &mut Machine, parent: ClassId) -> Result<ClassId, Raise> {
    let is_interface = m.program.class(parent).is_interface();
    let mut methods = Vec::new();
    for method in overridable(m, parent) {
        methods.push(overriding(m, parent, method)?);
    }
    if !is_interface {
        methods.extend(constructors(m, parent));
    }
    let object = m.load("java/lang/Object")?;
    let class = m.program.add_synthetic(SyntheticClass {
        name: format!("{}{UNSEEN}", m.program.class_name(parent)),
        super_class: if is_interface { object } else { parent },
        interfaces: if is_interface { vec![parent] } else { Vec::new() },
        fields: Vec::new(),
        methods,
        host: parent,
    });
    m.sync_classes();
    Ok(class)
}

/// Constructors that hand on what they are given to those of the parent that somebody else can call.
fn constructors(m: &mut Machine, parent: ClassId) -> Vec<SyntheticMethod> {
    if m.program.class(parent).is_library() {
        return Vec::new();
    }
    let all = m.program.class(parent).methods.clone().into_iter();
    let open: Vec<MethodId> = all
        .filter(|id| {
            let method = m.program.method(*id);
            m.program.text(method.name) == "<init>"
                && method.flags & (access::PRIVATE | access::SYNTHETIC) == 0
        })
        .collect();
    open.into_iter()
        .map(|id| {
            let method = m.program.method(id);
            let (count, kinds) = (method.arguments, method.signature.parameters.clone());
            let mut code = Assembler::new(count);
            let area = code.area();
            let mut slot = 1;
            code.move_value(area, 0, Kind::Ref);
            for kind in kinds {
                code.move_value(area + slot, slot, kind);
                slot += kind.width();
            }
            code.call(m, Op::InvokeDirect, id, area);
            code.ret(area, Kind::Void);
            let descriptor = m.program.text(m.program.method(id).descriptor).to_string();
            SyntheticMethod {
                name: "<init>".into(),
                descriptor,
                flags: access::PUBLIC,
                code: Some(code.finish()),
            }
        })
        .collect()
}

/// The methods that a subclass can have of its own. Those that a type of the library implements do what they say.
fn overridable(m: &mut Machine, parent: ClassId) -> Vec<MethodId> {
    let declared = m.program.class(parent);
    let is_library = declared.is_library();
    let line = declared.display.iter().rev().copied();
    let line: Vec<ClassId> = line.chain(declared.all_interfaces.iter().copied()).collect();
    let mut found: Vec<MethodId> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    let all = [parent].into_iter().chain(line.into_iter().filter(|class| *class != parent));
    for class in all {
        for id in m.program.class(class).methods.clone() {
            let method = m.program.method(id);
            let flags = method.flags;
            let name = m.program.text(method.name);
            let descriptor = m.program.text(method.descriptor);
            let of_object = m.program.class_name(class) == "java/lang/Object";
            let is_usual = matches!(name, "equals" | "hashCode" | "toString");
            // An invariant holds for every object, whatever its class.
            let is_invariant = flags & access::NATIVE == 0
                && m.program
                    .annotations(id)
                    .iter()
                    .any(|annotation| annotation.class == "shakedown/Invariant");
            let is_left = name.starts_with('<')
                || is_invariant
                || flags & (access::STATIC | access::PRIVATE) != 0
                || of_object && (!is_usual || is_library)
                || is_library && !method.is_abstract();
            if !is_left && seen.insert((name.to_string(), descriptor.to_string())) {
                // The first one found is the lowest: if it is final, so is it for good.
                if flags & access::FINAL == 0 {
                    found.push(id);
                }
            }
        }
    }
    found
}

/// The code of a method of such a class.
fn overriding(m: &mut Machine, host: ClassId, method: MethodId) -> Result<SyntheticMethod, Raise> {
    let declared = m.program.method(method);
    let (slots, result) = (declared.arguments, declared.signature.result);
    let name = m.program.text(declared.name).to_string();
    let descriptor = m.program.text(declared.descriptor).to_string();
    let mut code = Assembler::new(slots);
    let area = code.area();
    let throws = stub(m, host, &format!("{THROWS}{name}>"), "Z");
    code.move_value(area, 0, Kind::Ref);
    code.call(m, Op::InvokeStatic, throws, area);
    let returns = code.jump(Op::JEqK, area, 0, 0);
    let exception = m.load("java/lang/RuntimeException")?;
    let constructor = m.program.declared_method(exception, "<init>", "()V");
    let constructor = constructor.ok_or_else(|| not_modelled("a JDK with another RuntimeException"))?;
    code.new_object(area, exception);
    code.move_value(area + 1, area, Kind::Ref);
    code.call(m, Op::InvokeDirect, constructor, area + 1);
    code.emit(Insn::new(Op::Throw, 0, area, 0));
    code.patch(returns);
    if result != Kind::Void {
        let kind = descriptor.split(')').nth(1).unwrap_or("V");
        let returned = stub(m, host, &format!("{RETURNS}{name}>"), kind);
        code.move_value(area, 0, Kind::Ref);
        code.call(m, Op::InvokeStatic, returned, area);
    }
    code.ret(area, result);
    Ok(SyntheticMethod { name, descriptor, flags: access::PUBLIC, code: Some(code.finish()) })
}

fn stub(m: &mut Machine, host: ClassId, name: &str, kind: &str) -> MethodId {
    let spec = SyntheticMethod {
        name: name.to_string(),
        descriptor: format!("(Ljava/lang/Object;){kind}"),
        flags: access::STATIC | access::NATIVE,
        code: None,
    };
    m.program.add_stub(host, spec)
}

/// Whether a call throws, or what it returns: anything, or what is said when a run is repeated.
fn answer(m: &mut Machine, a: Args) -> Return {
    let word = a.word(m, 0);
    let object = match term_of(word) {
        Some(reference) => m.decide_reference(reference)?,
        None => Ref::from_word(word),
    };
    let method = m.program.method(a.method);
    let (result, host) = (method.signature.result, method.class);
    let descriptor = m.program.text(method.descriptor).to_string();
    if let Some(given) = m.symbolic.given_result(object) {
        let given = given.ok_or_else(|| {
            Raise::Stop(Stop::BadInput("an object is called more often than before".into()))
        })?;
        return Ok(if result.width() == 2 { Value::Two(given) } else { Value::One(given) });
    }
    m.suppose(Supposition::Harmless(host));
    let kind = descriptor.split(')').nth(1).unwrap_or("Z");
    let term = m.unseen_result(object, a.method, result, kind)?;
    debug_assert!(m.terms().sort(term) != REF || result == Kind::Ref);
    Ok(m.term_value(term))
}
