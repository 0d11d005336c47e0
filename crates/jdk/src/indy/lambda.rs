//! `LambdaMetafactory`: a hidden class per call site, with the captured values as fields.

use machine::{Machine, Raise};
use program::descriptor::split_method;
use program::synthetic::{SyntheticClass, SyntheticMethod};
use program::{ClassId, Insn, Kind, MethodId, Op, access};

use super::bootstrap::{Argument, Bootstrap, Handle};
use super::{Assembler, Slot, serial};
use crate::natives::not_modelled;

/// Flags of `altMetafactory`.
const SERIALIZABLE: i32 = 1;
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

/// Links the site to a factory that takes the captured values.
pub(super) fn link(m: &mut Machine, site: &Bootstrap) -> Result<MethodId, Raise> {
    let [Argument::MethodType(erased), Argument::Handle(target), Argument::MethodType(actual), rest @ ..] =
        site.arguments.as_slice()
    else {
        return Err(not_modelled("a lambda call site of unknown shape"));
    };
    let (captures, interface) =
        split_method(&site.descriptor).ok_or_else(|| not_modelled("a lambda call site of unknown shape"))?;
    let interface = m.load_descriptor(interface)?;
    let extras = Extras::read(rest)?;
    let mut interfaces = vec![interface];
    if extras.serializable {
        let serializable = m.load("java/io/Serializable")?;
        if !m.program.is_subtype(interface, serializable) {
            interfaces.push(serializable);
        }
    }
    for marker in &extras.markers {
        let marker = m.load(marker)?;
        if !interfaces.contains(&marker) {
            interfaces.push(marker);
        }
    }
    let fields: Vec<(String, String, u16)> = captures
        .iter()
        .enumerate()
        .map(|(i, d)| (format!("arg${}", i + 1), (*d).to_string(), access::PRIVATE | access::FINAL))
        .collect();
    let number = m.next_hidden_number();
    let caller_name = m.program.class_name(site.caller).to_string();
    let target_method = Target::resolve(m, site.caller, target)?;
    let mut methods = Vec::new();
    let mut shapes: Vec<&str> = vec![erased];
    shapes.extend(extras.bridges.iter().map(String::as_str).filter(|bridge| *bridge != erased));
    for shape in shapes {
        let code = body(m, &captures, shape, actual, &target_method)?;
        methods.push(SyntheticMethod {
            name: site.name.clone(),
            descriptor: shape.to_string(),
            flags: access::PUBLIC,
            code: Some(code.finish()),
        });
    }
    let serializable = m.load("java/io/Serializable")?;
    if extras.serializable || interfaces.iter().any(|i| m.program.is_subtype(*i, serializable)) {
        let origin =
            serial::Origin { caller: site.caller, interface, method: &site.name, erased, target, actual };
        methods.push(serial::write_replace(m, &origin, &captures)?);
    }
    let spec = SyntheticClass {
        name: format!("{caller_name}$$Lambda+0x{number:016x}"),
        super_class: m.known.object,
        interfaces,
        fields,
        methods,
        host: site.caller,
    };
    let class = m.program.add_synthetic(spec);
    m.sync_classes();
    factory(m, site, &captures, class)
}

/// The static method that makes the lambda object. Without captures it is one and the same object every time.
fn factory(m: &mut Machine, site: &Bootstrap, captures: &[&str], class: ClassId) -> Result<MethodId, Raise> {
    let slots: u16 = captures.iter().filter_map(|d| Kind::of(d)).map(Kind::width).sum();
    let mut code = Assembler::new(slots);
    let object = code.area();
    if captures.is_empty() {
        let only = m.allocate_permanent(class)?;
        code.emit(Insn::imm(Op::Const, object, 0, only.0));
    } else {
        code.new_object(object, class);
        let mut from = 0;
        for i in 0..captures.len() {
            let field = &m.program.class(class).fields[i];
            code.put_field(object, from, Slot::of(field));
            from += field.kind.width();
        }
    }
    code.ret(object, Kind::Ref);
    Ok(code.into_stub(m, site.caller, "<lambda>", &site.descriptor))
}

/// The code of the functional method: captured values, then the arguments, then the call.
fn body(
    m: &mut Machine,
    captures: &[&str],
    erased: &str,
    actual: &str,
    target: &Target,
) -> Result<Assembler, Raise> {
    let bad = || not_modelled("a lambda of unknown shape");
    let (erased_parameters, erased_result) = split_method(erased).ok_or_else(bad)?;
    let (actual_parameters, _) = split_method(actual).ok_or_else(bad)?;
    if erased_parameters.len() != actual_parameters.len() {
        return Err(bad());
    }
    let slots: u16 = erased_parameters.iter().filter_map(|d| Kind::of(d)).map(Kind::width).sum();
    let mut code = Assembler::new(1 + slots);
    let area = code.area();
    let mut wanted = target.parameters.iter();
    let mut to = area;
    if target.kind == 8 {
        code.new_object(area, target.class);
        code.emit(Insn::new(Op::Mov, area + 1, area, 0));
        to = area + 2;
    }
    let first = if target.kind == 8 { area + 1 } else { area };
    // Fields of the lambda object lie in declaration order behind the header.
    let mut offset = 1;
    for capture in captures {
        let kind = Kind::of(capture).ok_or_else(bad)?;
        let parameter = wanted.next().ok_or_else(bad)?;
        code.get_field(to, 0, Slot::internal(offset, kind));
        code.convert(m, to, capture, parameter)?;
        offset += u32::from(kind.width());
        to += Kind::of(parameter).map_or(1, Kind::width);
    }
    let mut from = 1;
    for (given, narrowed) in erased_parameters.iter().zip(&actual_parameters) {
        let kind = Kind::of(given).ok_or_else(bad)?;
        let parameter = wanted.next().ok_or_else(bad)?;
        code.move_value(to, from, kind);
        // The instantiated type says what a reference really is, for instance which wrapper to unbox.
        if Kind::of(narrowed) == Some(Kind::Ref)
            && kind == Kind::Ref
            && Kind::of(parameter) != Some(Kind::Ref)
        {
            code.convert(m, to, narrowed, parameter)?;
        } else {
            code.convert(m, to, given, parameter)?;
        }
        from += kind.width();
        to += Kind::of(parameter).map_or(1, Kind::width);
    }
    if wanted.next().is_some() {
        return Err(bad());
    }
    code.call(m, target.op, target.method, first);
    if erased_result == "V" {
        code.ret(0, Kind::Void);
    } else {
        code.convert(m, area, &target.result, erased_result)?;
        code.ret(area, Kind::of(erased_result).ok_or_else(bad)?);
    }
    Ok(code)
}

/// The method behind the lambda.
struct Target {
    kind: u8,
    class: ClassId,
    method: MethodId,
    op: Op,
    /// Descriptors of everything it takes, the receiver included (not for constructors).
    parameters: Vec<String>,
    result: String,
}

impl Target {
    fn resolve(m: &mut Machine, caller: ClassId, handle: &Handle) -> Result<Target, Raise> {
        let class =
            if handle.owner == m.program.class_name(caller) { caller } else { m.load(&handle.owner)? };
        let name = m.program.symbols.intern(&handle.name);
        let descriptor = m.program.symbols.intern(&handle.descriptor);
        let Some(method) = m.program.find_method(class, name, descriptor) else {
            let text = machine::external_method(&handle.owner, &handle.name, &handle.descriptor);
            return Err(m.raise("java/lang/NoSuchMethodError", Some(&text)));
        };
        let (parameters, result) =
            split_method(&handle.descriptor).ok_or_else(|| not_modelled("a lambda of unknown shape"))?;
        let mut parameters: Vec<String> = parameters.into_iter().map(String::from).collect();
        let mut result = result.to_string();
        let own_type =
            if handle.owner.starts_with('[') { handle.owner.clone() } else { format!("L{};", handle.owner) };
        let op = match handle.kind {
            6 => Op::InvokeStaticI,
            8 => {
                result = own_type;
                Op::InvokeDirect
            }
            5 | 7 | 9 => {
                parameters.insert(0, own_type);
                if handle.kind == 7 || m.program.method(method).is_private() {
                    Op::InvokeDirect
                } else if handle.kind == 9 {
                    Op::InvokeInterface
                } else {
                    Op::InvokeVirtual
                }
            }
            kind => return Err(not_modelled(format!("a lambda over a method handle of kind {kind}"))),
        };
        Ok(Target { kind: handle.kind, class, method, op, parameters, result })
    }
}

/// The optional arguments of `altMetafactory`.
#[derive(Default)]
struct Extras {
    serializable: bool,
    markers: Vec<String>,
    bridges: Vec<String>,
}

impl Extras {
    fn read(arguments: &[Argument]) -> Result<Extras, Raise> {
        let mut extras = Extras::default();
        let bad = || not_modelled("an altMetafactory call of unknown shape");
        let mut rest = arguments.iter();
        let Some(flags) = rest.next() else { return Ok(extras) };
        let Argument::Int(flags) = flags else { return Err(bad()) };
        extras.serializable = flags & SERIALIZABLE != 0;
        if flags & MARKERS != 0 {
            let Some(Argument::Int(count)) = rest.next() else { return Err(bad()) };
            for _ in 0..*count {
                let Some(Argument::Class(name)) = rest.next() else { return Err(bad()) };
                extras.markers.push(name.clone());
            }
        }
        if flags & BRIDGES != 0 {
            let Some(Argument::Int(count)) = rest.next() else { return Err(bad()) };
            for _ in 0..*count {
                let Some(Argument::MethodType(descriptor)) = rest.next() else { return Err(bad()) };
                extras.bridges.push(descriptor.clone());
            }
        }
        Ok(extras)
    }
}
