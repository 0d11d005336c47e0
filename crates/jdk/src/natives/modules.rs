//! Modules: one object per module of the JDK, made when somebody asks for it; the class path is the unnamed module.
//!
//! What a module of the JDK exports and opens is read from its `module-info`. Every module reads and may use every
//! other. Modules the library itself defines at run time (those of proxies) are open.

use machine::{Args, Machine, Raise, Ref, Return, Value};
use program::classfile::Reader;
use program::{ClassFile, ClassId, Code, Constant, Insn, MethodId, Op, Origin, Shape, link};

use super::loaders::{loader_of, module_loader};
use super::{Entry, not_modelled, nothing, one};
use crate::boot::call_static;

const MODULE: &str = "java/lang/Module";
const LAYER: &str = "java/lang/ModuleLayer";

pub(super) const TABLE: &[Entry] = &[
    // The modules of the JDK are the ones java.base knows by hash.
    ("java/lang/StackTraceElement", "isHashedInJavaBase", "(Ljava/lang/Module;)Z", one),
    (MODULE, "defineModule0", "", define_module),
    (MODULE, "addReads0", "", nothing),
    (MODULE, "addExports0", "", nothing),
    (MODULE, "addExportsToAll0", "", nothing),
    (MODULE, "addExportsToAllUnnamed0", "", nothing),
    (MODULE, "canRead", "(Ljava/lang/Module;)Z", |m, a| a.non_null(m, 1).map(|_| Value::int(1))),
    (MODULE, "canUse", "(Ljava/lang/Class;)Z", |m, a| a.non_null(m, 1).map(|_| Value::int(1))),
    (MODULE, "implAddReads", "(Ljava/lang/Module;Z)V", nothing),
    (MODULE, "implAddExportsOrOpens", "(Ljava/lang/String;Ljava/lang/Module;ZZ)V", nothing),
    (MODULE, "implAddUses", "(Ljava/lang/Class;)V", nothing),
    (MODULE, "implIsExportedOrOpen", "(Ljava/lang/String;Ljava/lang/Module;Z)Z", is_exported),
    (MODULE, "getDescriptor", "()Ljava/lang/module/ModuleDescriptor;", descriptor),
    (MODULE, "getPackages", "()Ljava/util/Set;", packages),
    (MODULE, "getLayer", "()Ljava/lang/ModuleLayer;", |m, a| {
        let module = a.non_null(m, 0)?;
        if registered(m, MODULES).contains(&module) {
            return Ok(Value::reference(boot_layer(m)?));
        }
        Ok(Value::One(m.field(module, "layer")))
    }),
    (LAYER, "boot", "()Ljava/lang/ModuleLayer;", |m, _| Ok(Value::reference(boot_layer(m)?))),
    (LAYER, "findModule", "(Ljava/lang/String;)Ljava/util/Optional;", find_module),
    (LAYER, "modules", "()Ljava/util/Set;", |_, _| Err(not_modelled("the modules of a module layer"))),
    (LAYER, "parents", "()Ljava/util/List;", |_, _| Err(not_modelled("the parents of a module layer"))),
    (LAYER, "configuration", "()Ljava/lang/module/Configuration;", |_, _| {
        Err(not_modelled("the configuration of a module layer"))
    }),
    ("java/lang/Class", "getModule", "()Ljava/lang/Module;", |m, a| {
        let mirror = a.non_null(m, 0)?;
        let class = m.mirrored(mirror);
        Ok(Value::reference(module_of(m, class)?))
    }),
];

/// Slots of the registry: modules of the JDK; pairs of a package and the run-time module that has it; the boot
/// layer; classes the program defined.
const MODULES: i32 = 0;
const PACKAGES: i32 = 1;
const BOOT_LAYER: i32 = 2;
const CLASSES: i32 = 3;

/// Ends the boot: the level at which the library takes itself for booted.
pub(crate) fn set_up(m: &mut Machine) -> Result<(), Raise> {
    make_registry(m)?;
    for level in [2, 3, 4] {
        call_static(m, "jdk/internal/misc/VM", "initLevel", "(I)V", &[level])?;
    }
    Ok(())
}

/// The registry is there from the first question on, and the boot itself asks.
fn make_registry(m: &mut Machine) -> Result<(), Raise> {
    if !m.registry.is_null() {
        return Ok(());
    }
    let objects = m.load("[Ljava/lang/Object;")?;
    m.registry = m.allocate_array(objects, 8)?;
    for slot in [MODULES, PACKAGES, CLASSES] {
        let empty = m.allocate_array(objects, 0)?;
        m.set_element(m.registry, slot, empty);
    }
    Ok(())
}

fn registered(m: &Machine, slot: i32) -> Vec<Ref> {
    if m.registry.is_null() {
        return Vec::new();
    }
    let list = m.element(m.registry, slot);
    (0..m.heap.length(list)).map(|i| m.element(list, i)).collect()
}

/// Lists in the registry are copied to grow, so that a rollback needs only the slot.
fn register(m: &mut Machine, slot: i32, more: &[Ref]) -> Result<(), Raise> {
    let mut all = registered(m, slot);
    all.extend_from_slice(more);
    if let Value::One(list) = super::members::object_array(m, "[Ljava/lang/Object;", &all)? {
        m.set_element(m.registry, slot, Ref::from_word(list));
    }
    Ok(())
}

/// The module of a class, never null.
pub(super) fn module_of(m: &mut Machine, class: ClassId) -> Result<Ref, Raise> {
    let mirror = m.mirror(class);
    let known = Ref::from_word(m.field(mirror, "module"));
    if !known.is_null() {
        return Ok(known);
    }
    let declared = m.program.class(class);
    let module = match (declared.shape, declared.host, declared.origin.clone()) {
        (Shape::Array { element, .. }, _, _) => module_of(m, element)?,
        (Shape::Primitive(_), _, _) => named_module(m, "java.base")?,
        (_, Some(host), _) => module_of(m, host)?,
        (_, None, Origin::Jdk { module }) => named_module(m, &module)?,
        (_, None, Origin::User { .. }) => {
            let loader = loader_of(m, class)?;
            if loader.is_null() {
                return Err(not_modelled("a class of the program without a class loader"));
            }
            Ref::from_word(m.field(loader, "unnamedModule"))
        }
    };
    m.set_field(mirror, "module", module.word());
    Ok(module)
}

/// A module of the JDK.
pub(super) fn named_module(m: &mut Machine, name: &str) -> Result<Ref, Raise> {
    make_registry(m)?;
    for module in registered(m, MODULES) {
        if m.string(Ref::from_word(m.field(module, "name"))) == name {
            return Ok(module);
        }
    }
    let loader = module_loader(m, name)?;
    let class = m.load(MODULE)?;
    let module = m.allocate(class)?;
    let text = super::members::interned(m, name)?;
    m.set_field(module, "name", text.word());
    m.set_field(module, "loader", loader.word());
    register(m, MODULES, &[module])?;
    Ok(module)
}

/// `defineModule0(module, isOpen, version, location, packages)`: remembers which packages a run-time module has.
fn define_module(m: &mut Machine, a: Args) -> Return {
    let module = a.non_null(m, 0)?;
    let packages = a.reference(m, 4);
    if packages.is_null() {
        return Ok(Value::Void);
    }
    let mut pairs = Vec::new();
    for i in 0..m.heap.length(packages) {
        pairs.extend([m.element(packages, i), module]);
    }
    register(m, PACKAGES, &pairs)?;
    Ok(Value::Void)
}

/// The mirrors of the classes the program has defined in this run.
pub(super) fn defined_classes(m: &Machine) -> Vec<Ref> {
    registered(m, CLASSES)
}

/// Gives a class that a loader has just defined the run-time module of its package, if there is one.
pub(super) fn attach_defined(m: &mut Machine, class: ClassId, loader: Ref) -> Result<(), Raise> {
    make_registry(m)?;
    let mirror = m.mirror(class);
    register(m, CLASSES, &[mirror])?;
    let package = link::package(m.program.class_name(class)).replace('/', ".");
    for pair in registered(m, PACKAGES).chunks_exact(2) {
        let own = Ref::from_word(m.field(pair[1], "loader"));
        if own == loader && m.string(pair[0]).replace('/', ".") == package {
            let mirror = m.mirror(class);
            m.set_field(mirror, "module", pair[1].word());
        }
    }
    Ok(())
}

/// The name of the module a class was put into at run time.
pub(super) fn run_time_module(m: &Machine, class: ClassId) -> Option<Ref> {
    let module = Ref::from_word(m.field(m.mirror(class), "module"));
    if module.is_null() || registered(m, MODULES).contains(&module) {
        return None;
    }
    let name = Ref::from_word(m.field(module, "name"));
    (!name.is_null()).then_some(name)
}

/// The layer of the JDK's modules. It can only be asked for modules by name.
fn boot_layer(m: &mut Machine) -> Result<Ref, Raise> {
    make_registry(m)?;
    let known = m.element(m.registry, BOOT_LAYER);
    if !known.is_null() {
        return Ok(known);
    }
    let class = m.load(LAYER)?;
    let layer = m.allocate(class)?;
    m.set_element(m.registry, BOOT_LAYER, layer);
    Ok(layer)
}

fn find_module(m: &mut Machine, a: Args) -> Return {
    let layer = a.non_null(m, 0)?;
    let name = a.non_null(m, 1)?;
    if layer != boot_layer(m)? {
        return Err(not_modelled("module layers other than the boot layer"));
    }
    let name = m.string(name);
    let there = matches!(m.program.path.jdk_resource(&name, "module-info.class"), Ok(Some(_)));
    let module = if there { named_module(m, &name)? } else { Ref::NULL };
    let class = m.load("java/util/Optional")?;
    m.initialize(class)?;
    let make = m.program.declared_method(class, "ofNullable", "(Ljava/lang/Object;)Ljava/util/Optional;");
    let make = make.ok_or_else(|| not_modelled("Optional without ofNullable"))?;
    m.tail_call(a, make, &[module.word()])
}

/// `Module.getDescriptor`: the library reads the `module-info` of its modules itself.
fn descriptor(m: &mut Machine, a: Args) -> Return {
    let module = a.non_null(m, 0)?;
    let known = m.field(module, "descriptor");
    let name = Ref::from_word(m.field(module, "name"));
    if known != 0 || name.is_null() {
        return Ok(Value::One(known));
    }
    read_descriptor(m, a, module, name, Wanted::Descriptor)
}

fn packages(m: &mut Machine, a: Args) -> Return {
    let module = a.non_null(m, 0)?;
    let name = Ref::from_word(m.field(module, "name"));
    if name.is_null() {
        return Err(not_modelled("the packages of the unnamed module"));
    }
    read_descriptor(m, a, module, name, Wanted::Packages)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Descriptor,
    Packages,
}

/// Goes on with `ModuleInfo.read(stream, null).descriptor()`, whose result is kept in the module.
fn read_descriptor(m: &mut Machine, a: Args, module: Ref, name: Ref, wanted: Wanted) -> Return {
    let name = m.string(name);
    let Ok(Some(found)) = m.program.path.jdk_resource(&name, "module-info.class") else {
        return Err(not_modelled(format!("the descriptor of module {name}")));
    };
    let reader = m.load("jdk/internal/module/ModuleInfo")?;
    m.initialize(reader)?;
    let stream = super::resources::stream(m, &found.bytes)?;
    let stub = match m.reflective_stubs.get(&(a.method, a.method)) {
        Some(stub) => *stub,
        None => {
            let stub = descriptor_stub(m, wanted)?;
            m.reflective_stubs.insert((a.method, a.method), stub);
            stub
        }
    };
    m.tail_call(a, stub, &[stream.word(), 0, module.word()])
}

fn descriptor_stub(m: &mut Machine, wanted: Wanted) -> Result<MethodId, Raise> {
    let mut target = |class: &str, name: &str, descriptor: &str| -> Result<MethodId, Raise> {
        let class = m.load(class)?;
        let method = m.program.declared_method(class, name, descriptor);
        method.ok_or_else(|| not_modelled(format!("a JDK without {name}{descriptor}")))
    };
    let attributes = "jdk/internal/module/ModuleInfo$Attributes";
    let read = target(
        "jdk/internal/module/ModuleInfo",
        "read",
        "(Ljava/io/InputStream;Ljava/util/function/Supplier;)Ljdk/internal/module/ModuleInfo$Attributes;",
    )?;
    let descriptor = target(attributes, "descriptor", "()Ljava/lang/module/ModuleDescriptor;")?;
    let packages = target("java/lang/module/ModuleDescriptor", "packages", "()Ljava/util/Set;")?;
    let class = m.load(MODULE)?;
    let offset =
        m.field_offset(class, "descriptor").ok_or_else(|| not_modelled("Module without a descriptor"))?;
    // Registers: stream and null, where the results appear; the module; room for calls.
    let mut insns = vec![
        Insn::new(Op::Mov, 3, 0, 0),
        Insn::new(Op::Mov, 4, 1, 0),
        m.call_insn(read, 3),
        m.call_insn(descriptor, 3),
        Insn::imm(Op::PutF1, 2, 3, offset),
    ];
    if wanted == Wanted::Packages {
        insns.push(m.call_insn(packages, 3));
    }
    insns.push(Insn::new(Op::Ret1, 0, 3, 0));
    let code = Code {
        bci: vec![0; insns.len()].into(),
        insns: insns.into(),
        locals: 5,
        registers: 10,
        handlers: Box::new([]),
        switches: Box::new([]),
    };
    let types = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
    Ok(m.add_native_stub(class, "getDescriptor", types, code))
}

/// `implIsExportedOrOpen(package, other, open)`.
fn is_exported(m: &mut Machine, a: Args) -> Return {
    let module = a.non_null(m, 0)?;
    let package = a.non_null(m, 1)?;
    let other = a.reference(m, 2);
    let open = a.bool(m, 3);
    let name = Ref::from_word(m.field(module, "name"));
    if name.is_null() || module == other || !registered(m, MODULES).contains(&module) {
        return Ok(Value::bool(true));
    }
    let other = if other.is_null() { Ref::NULL } else { Ref::from_word(m.field(other, "name")) };
    let other = (!other.is_null()).then(|| m.string(other));
    let (name, package) = (m.string(name), m.string(package).replace('.', "/"));
    let granted = grants(m, &name, &package, other.as_deref(), open);
    granted
        .map(Value::bool)
        .ok_or_else(|| not_modelled(format!("module {name} without a readable module-info")))
}

/// Whether a module of the JDK exports (or opens) a package to everyone, or to `other` by name.
fn grants(m: &Machine, module: &str, package: &str, other: Option<&str>, open: bool) -> Option<bool> {
    let found = m.program.path.jdk_resource(module, "module-info.class").ok()??;
    let file = ClassFile::parse(found.bytes).ok()?;
    let contents = file.attribute(&file.attributes, "Module")?;
    let mut r = Reader::new(contents);
    let (_name, flags, _version) = (r.u16().ok()?, r.u16().ok()?, r.u16().ok()?);
    const OPEN: u16 = 0x20;
    if flags & OPEN != 0 {
        return Some(true);
    }
    for _ in 0..r.u16().ok()? {
        r.take(6).ok()?;
    }
    let text = |index: u16| match file.constant(index) {
        Ok(Constant::Package { name } | Constant::Module { name }) => file.utf8(name).ok(),
        _ => None,
    };
    // First the exports, then the opens; what is open is exported too.
    let mut granted = false;
    for opens in [false, true] {
        for _ in 0..r.u16().ok()? {
            let (index, _flags, count) = (r.u16().ok()?, r.u16().ok()?, r.u16().ok()?);
            let mut to_other = count == 0;
            for _ in 0..count {
                let to = r.u16().ok()?;
                to_other |= other.is_some() && text(to).as_deref() == other;
            }
            if (opens || !open) && to_other && text(index).as_deref() == Some(package) {
                granted = true;
            }
        }
    }
    Some(granted)
}
