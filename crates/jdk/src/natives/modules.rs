//! Modules: one object per module of the JDK, made when somebody asks for it; the class path is the unnamed module.
//!
//! What a module of the JDK exports and opens is read from its `module-info`. Every module reads and may use every
//! other. Modules the library itself defines at run time (those of proxies) are open.

use machine::{Args, Machine, Raise, Ref, Return, Value};
use program::classfile::Reader;
use program::{ClassFile, ClassId, Constant, Origin, Shape, link};

use super::loaders::{loader_of, module_loader};
use super::{Entry, not_modelled, nothing, one};
use crate::boot::call_static;

const MODULE: &str = "java/lang/Module";

pub(super) const TABLE: &[Entry] = &[
    // The modules of the JDK are the ones java.base knows by hash.
    ("java/lang/StackTraceElement", "isHashedInJavaBase", "(Ljava/lang/Module;)Z", one),
    (MODULE, "defineModule0", "", define_module),
    (MODULE, "addReads0", "", nothing),
    (MODULE, "addExports0", "", nothing),
    (MODULE, "addExportsToAll0", "", nothing),
    (MODULE, "addExportsToAllUnnamed0", "", nothing),
    (MODULE, "canRead", "(Ljava/lang/Module;)Z", one),
    (MODULE, "canUse", "(Ljava/lang/Class;)Z", one),
    (MODULE, "implAddReads", "(Ljava/lang/Module;Z)V", nothing),
    (MODULE, "implAddExportsOrOpens", "(Ljava/lang/String;Ljava/lang/Module;ZZ)V", nothing),
    (MODULE, "implAddUses", "(Ljava/lang/Class;)V", nothing),
    (MODULE, "implIsExportedOrOpen", "(Ljava/lang/String;Ljava/lang/Module;Z)Z", is_exported),
    ("java/lang/Class", "getModule", "()Ljava/lang/Module;", |m, a| {
        let mirror = a.non_null(m, 0)?;
        let class = m.mirrored(mirror);
        Ok(Value::reference(module_of(m, class)?))
    }),
];

/// Slots of the registry: named modules, then pairs of a package and the run-time module that has it.
const MODULES: i32 = 0;
const PACKAGES: i32 = 1;

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
    for slot in [MODULES, PACKAGES] {
        let empty = m.allocate_array(objects, 0)?;
        m.set_element(m.registry, slot, empty);
    }
    Ok(())
}

fn registered(m: &Machine, slot: i32) -> Vec<Ref> {
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

/// Gives a class that a loader has just defined the run-time module of its package, if there is one.
pub(super) fn attach_defined(m: &mut Machine, class: ClassId, loader: Ref) -> Result<(), Raise> {
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

/// `implIsExportedOrOpen(package, other, open)`.
fn is_exported(m: &mut Machine, a: Args) -> Return {
    let module = a.non_null(m, 0)?;
    let package = a.non_null(m, 1)?;
    let other = a.reference(m, 2);
    let open = a.bool(m, 3);
    let name = Ref::from_word(m.field(module, "name"));
    let at_run_time = !Ref::from_word(m.field(module, "descriptor")).is_null();
    if name.is_null() || module == other || at_run_time {
        return Ok(Value::bool(true));
    }
    let other = if other.is_null() { Ref::NULL } else { Ref::from_word(m.field(other, "name")) };
    let other = (!other.is_null()).then(|| m.string(other));
    let (name, package) = (m.string(name), m.string(package).replace('.', "/"));
    let granted = grants(m, &name, &package, other.as_deref(), open);
    granted.map(Value::bool).ok_or_else(|| not_modelled(format!("module {name} without a readable module-info")))
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
