//! Resources of the JDK's modules, packages of its classes, and the providers its modules declare.

use machine::{Args, Machine, Raise, Ref, Return, Value};

use super::modules::named_module;
use super::{Entry, not_modelled};

const BOOT: &str = "jdk/internal/loader/BootLoader";
const BUILTIN: &str = "jdk/internal/loader/BuiltinClassLoader";

pub(super) const TABLE: &[Entry] = &[
    (BUILTIN, "findResourceAsStream", "(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;", |m, a| {
        let (module, name) = (a.reference(m, 1), a.non_null(m, 2)?);
        module_stream(m, module, name)
    }),
    (BOOT, "findResourceAsStream", "(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;", |m, a| {
        let (module, name) = (a.reference(m, 0), a.non_null(m, 1)?);
        module_stream(m, module, name)
    }),
    (BOOT, "getSystemPackageLocation", "(Ljava/lang/String;)Ljava/lang/String;", |m, a| {
        let package = a.non_null(m, 0)?;
        let package = m.string(package);
        match m.program.path.module_of_package(&package) {
            Some(module) => Ok(Value::reference(m.new_string(&format!("jrt:/{module}"))?)),
            None => Ok(Value::One(0)),
        }
    }),
    ("jdk/internal/loader/BootLoader$PackageHelper", "findModule", "(Ljava/lang/String;)Ljava/lang/Module;", |m, a| {
        let location = a.non_null(m, 0)?;
        match m.string(location).strip_prefix("jrt:/") {
            Some(module) => Ok(Value::reference(named_module(m, module)?)),
            None => Ok(Value::One(0)),
        }
    }),
];

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

/// An `InputStream` over bytes.
fn stream(m: &mut Machine, bytes: &[u8]) -> Result<Ref, Raise> {
    let class = m.load("java/io/ByteArrayInputStream")?;
    let buffer = m.new_bytes(bytes)?;
    let object = m.allocate(class)?;
    m.set_field(object, "buf", buffer.word());
    m.set_field(object, "count", bytes.len() as u64);
    Ok(object)
}
