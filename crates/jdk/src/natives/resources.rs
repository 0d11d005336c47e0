//! Resources of the JDK's modules, packages of its classes, and the providers its modules declare.

use machine::{Args, Machine, Raise, Ref, Return, Value};

use program::ClassFile;
use program::classfile::Reader;

use super::loaders::module_loader;
use super::modules::named_module;
use super::{Entry, not_modelled};

const BOOT: &str = "jdk/internal/loader/BootLoader";
const BUILTIN: &str = "jdk/internal/loader/BuiltinClassLoader";

pub(super) const TABLE: &[Entry] = &[
    (
        BUILTIN,
        "findResourceAsStream",
        "(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;",
        |m, a| {
            let (module, name) = (a.reference(m, 1), a.non_null(m, 2)?);
            module_stream(m, module, name)
        },
    ),
    (BOOT, "findResourceAsStream", "(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;", |m, a| {
        let (module, name) = (a.reference(m, 0), a.non_null(m, 1)?);
        module_stream(m, module, name)
    }),
    (BUILTIN, "findResource", "(Ljava/lang/String;Ljava/lang/String;)Ljava/net/URL;", |m, a| {
        let (module, name) = (a.reference(m, 1), a.non_null(m, 2)?);
        module_address(m, module, name)
    }),
    (BOOT, "findResource", "(Ljava/lang/String;Ljava/lang/String;)Ljava/net/URL;", |m, a| {
        let (module, name) = (a.reference(m, 0), a.non_null(m, 1)?);
        module_address(m, module, name)
    }),
    (BOOT, "getSystemPackageLocation", "(Ljava/lang/String;)Ljava/lang/String;", |m, a| {
        let package = a.non_null(m, 0)?;
        let package = m.string(package);
        match m.program.path.module_of_package(&package) {
            Some(module) => Ok(Value::reference(m.new_string(&format!("jrt:/{module}"))?)),
            None => Ok(Value::One(0)),
        }
    }),
    (
        "jdk/internal/loader/BootLoader$PackageHelper",
        "findModule",
        "(Ljava/lang/String;)Ljava/lang/Module;",
        |m, a| {
            let location = a.non_null(m, 0)?;
            match m.string(location).strip_prefix("jrt:/") {
                Some(module) => Ok(Value::reference(named_module(m, module)?)),
                None => Ok(Value::One(0)),
            }
        },
    ),
    (
        "java/util/ServiceLoader$ModuleServicesLookupIterator",
        "iteratorFor",
        "(Ljava/lang/ClassLoader;)Ljava/util/Iterator;",
        providers,
    ),
];

/// Modules of the JDK that provide services and belong to no loader but the application's.
const OTHERS: &[&str] =
    &["jdk.compiler", "jdk.jartool", "jdk.javadoc", "jdk.jdeps", "jdk.jlink", "jdk.jshell", "jdk.random"];

/// `ModuleServicesLookupIterator.iteratorFor(loader)`: the providers that modules of this loader declare.
fn providers(m: &mut Machine, a: Args) -> Return {
    let iterator = a.non_null(m, 0)?;
    let loader = a.reference(m, 1);
    let outer = Ref::from_word(m.field(iterator, "this$0"));
    let service = Ref::from_word(m.field(outer, "serviceName"));
    let service = m.string(service).replace('.', "/");
    let class = m.load("jdk/internal/module/ServicesCatalog$ServiceProvider")?;
    let mut objects = Vec::new();
    for module in super::loaders::BOOT.iter().chain(super::loaders::PLATFORM).chain(OTHERS) {
        let names = provided(m, module, &service);
        if names.is_empty() || module_loader(m, module)? != loader {
            continue;
        }
        let declaring = named_module(m, module)?;
        for name in names {
            let object = m.allocate(class)?;
            let text = m.new_string(&name.replace('/', "."))?;
            m.set_field(object, "module", declaring.word());
            m.set_field(object, "providerName", text.word());
            objects.push(object);
        }
    }
    let Value::One(array) = super::members::object_array(m, "[Ljava/lang/Object;", &objects)? else {
        return Ok(Value::One(0));
    };
    // An iterator over an array, as `Arrays.asList` makes it.
    let class = m.load("java/util/Arrays$ArrayItr")?;
    let object = m.allocate(class)?;
    m.set_field(object, "a", array);
    Ok(Value::reference(object))
}

/// The classes a module of the JDK provides for a service.
fn provided(m: &Machine, module: &str, service: &str) -> Vec<String> {
    let read = || -> Option<Vec<String>> {
        let found = m.program.path.jdk_resource(module, "module-info.class").ok()??;
        let file = ClassFile::parse(found.bytes).ok()?;
        let mut r = Reader::new(file.attribute(&file.attributes, "Module")?);
        r.take(6).ok()?;
        for _ in 0..r.u16().ok()? {
            r.take(6).ok()?;
        }
        // Exports and opens.
        for _ in 0..2 {
            for _ in 0..r.u16().ok()? {
                r.take(4).ok()?;
                let count = r.u16().ok()?;
                r.take(2 * count as usize).ok()?;
            }
        }
        let uses = r.u16().ok()?;
        r.take(2 * uses as usize).ok()?;
        let mut names = Vec::new();
        for _ in 0..r.u16().ok()? {
            let wanted = *file.class_name(r.u16().ok()?).ok()? == *service;
            for _ in 0..r.u16().ok()? {
                let name = file.class_name(r.u16().ok()?).ok()?;
                if wanted {
                    names.push(name.into_owned());
                }
            }
        }
        Some(names)
    };
    read().unwrap_or_default()
}

fn module_stream(m: &mut Machine, module: Ref, name: Ref) -> Return {
    if module.is_null() {
        return Err(not_modelled("a resource of an unnamed module by module name"));
    }
    let (module, name) = (m.string(module), m.string(name));
    match m.program.path.jdk_resource(&module, &name) {
        Ok(Some(found)) => Ok(Value::reference(stream(m, &found.bytes)?)),
        Ok(None) => Ok(Value::One(0)),
        Err(error) => Err(not_modelled(format!("reading {name}: {error}"))),
    }
}

/// The address of a resource in a module of the JDK, or null.
fn module_address(m: &mut Machine, module: Ref, name: Ref) -> Return {
    if module.is_null() {
        return Ok(Value::Pass);
    }
    let (module, name) = (m.string(module), m.string(name));
    match m.program.path.jdk_resource(&module, &name) {
        Ok(Some(_)) => Ok(Value::reference(super::code_source::url(m, &format!("jrt:/{module}/{name}"))?)),
        Ok(None) => Ok(Value::One(0)),
        Err(error) => Err(not_modelled(format!("reading {name}: {error}"))),
    }
}

/// An `InputStream` over bytes.
pub(super) fn stream(m: &mut Machine, bytes: &[u8]) -> Result<Ref, Raise> {
    let class = m.load("java/io/ByteArrayInputStream")?;
    let buffer = m.new_bytes(bytes)?;
    let object = m.allocate(class)?;
    m.set_field(object, "buf", buffer.word());
    m.set_field(object, "count", bytes.len() as u64);
    Ok(object)
}
