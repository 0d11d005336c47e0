//! `Class`, class loaders and `Reflection`.

use machine::{Args, Machine, Raise, Ref, Return, Value};
use program::{ClassId, Kind, Shape, access};

use super::{Entry, nothing, null};

const CLASS: &str = "java/lang/Class";

pub(super) const TABLE: &[Entry] = &[
    (CLASS, "desiredAssertionStatus0", "(Ljava/lang/Class;)Z", |m, a| {
        let mirror = a.non_null(m, 0)?;
        let class = m.mirrored(mirror);
        Ok(Value::bool(m.config.assertions && !m.program.class(class).is_library()))
    }),
    (CLASS, "getPrimitiveClass", "(Ljava/lang/String;)Ljava/lang/Class;", primitive_class),
    (CLASS, "initClassName", "()Ljava/lang/String;", class_name),
    (CLASS, "isArray", "()Z", |m, a| {
        let class = receiver(m, a)?;
        Ok(Value::bool(m.program.class(class).is_array()))
    }),
    (CLASS, "isPrimitive", "()Z", |m, a| {
        let class = receiver(m, a)?;
        Ok(Value::bool(matches!(m.program.class(class).shape, Shape::Primitive(_))))
    }),
    (CLASS, "isInterface", "()Z", |m, a| {
        let class = receiver(m, a)?;
        Ok(Value::bool(m.program.class(class).is_interface()))
    }),
    (CLASS, "isHidden", "()Z", |m, a| {
        let class = receiver(m, a)?;
        Ok(Value::bool(m.program.class(class).hidden))
    }),
    (CLASS, "isInstance", "(Ljava/lang/Object;)Z", |m, a| {
        let class = receiver(m, a)?;
        let object = a.reference(m, 1);
        if !object.is_null() {
            m.suppose_class_of(object);
        }
        Ok(Value::bool(!object.is_null() && m.is_instance(object, class)))
    }),
    (CLASS, "isAssignableFrom", "(Ljava/lang/Class;)Z", |m, a| {
        let class = receiver(m, a)?;
        let other = a.non_null(m, 1)?;
        let other = m.mirrored(other);
        Ok(Value::bool(m.program.is_subtype(other, class)))
    }),
    (CLASS, "getSuperclass", "()Ljava/lang/Class;", |m, a| {
        let class = receiver(m, a)?;
        let declared = m.program.class(class);
        let parent = if declared.is_interface() { None } else { declared.super_class };
        Ok(Value::reference(parent.map_or(Ref::NULL, |parent| m.mirror(parent))))
    }),
    (CLASS, "getModifiers", "()I", |m, a| {
        let class = receiver(m, a)?;
        Ok(Value::int(i32::from(modifiers(m, class))))
    }),
    (CLASS, "getClassAccessFlagsRaw0", "()I", |m, a| {
        let class = receiver(m, a)?;
        Ok(Value::int(i32::from(m.program.class(class).flags)))
    }),
    (CLASS, "getInterfaces0", "()[Ljava/lang/Class;", |m, a| {
        let class = receiver(m, a)?;
        let interfaces = m.program.class(class).interfaces.clone();
        class_array(m, &interfaces)
    }),
    (CLASS, "getSigners", "()[Ljava/lang/Object;", null),
    ("java/lang/ClassLoader", "findBootstrapClass", "(Ljava/lang/String;)Ljava/lang/Class;", find_bootstrap),
    (
        "java/lang/ClassLoader",
        "findBootstrapClassOrNull",
        "(Ljava/lang/String;)Ljava/lang/Class;",
        find_bootstrap,
    ),
    ("java/lang/ClassLoader", "findInitiatedClass0", "", null),
    ("jdk/internal/loader/BootLoader", "setBootLoaderUnnamedModule0", "(Ljava/lang/Module;)V", nothing),
    ("jdk/internal/loader/NativeLibraries", "findBuiltinLib", "(Ljava/lang/String;)Ljava/lang/String;", null),
    ("jdk/internal/loader/BootLoader", "loadLibrary", "(Ljava/lang/String;)V", nothing),
    ("java/lang/System", "loadLibrary", "(Ljava/lang/String;)V", load_library),
    ("jdk/internal/reflect/Reflection", "getCallerClass", "()Ljava/lang/Class;", caller_class),
    ("jdk/internal/reflect/Reflection", "getClassAccessFlags", "(Ljava/lang/Class;)I", |m, a| {
        let mirror = a.non_null(m, 0)?;
        let class = m.mirrored(mirror);
        Ok(Value::int(i32::from(m.program.class(class).flags)))
    }),
    ("jdk/internal/reflect/Reflection", "areNestMates", "(Ljava/lang/Class;Ljava/lang/Class;)Z", |m, a| {
        let (x, y) = (a.non_null(m, 0)?, a.non_null(m, 1)?);
        let (x, y) = (m.mirrored(x), m.mirrored(y));
        Ok(Value::bool(nest_host(m, x) == nest_host(m, y)))
    }),
];

/// Libraries of the JDK are there, as far as their natives are; the program finds no others.
fn load_library(m: &mut Machine, a: Args) -> Return {
    let name = a.non_null(m, 0)?;
    let name = m.string(name);
    if crate::outside::OWN_LIBRARIES.contains(&name.as_str()) {
        return Ok(Value::Void);
    }
    let message = format!("no {name} in java.library.path: ");
    Err(m.raise("java/lang/UnsatisfiedLinkError", Some(&message)))
}

/// The class a `Class` receiver stands for.
pub(super) fn receiver(m: &mut Machine, a: Args) -> Result<ClassId, Raise> {
    let mirror = a.non_null(m, 0)?;
    Ok(m.mirrored(mirror))
}

/// A `Class[]`.
pub(super) fn class_array(m: &mut Machine, classes: &[ClassId]) -> Return {
    let class = m.load("[Ljava/lang/Class;")?;
    let array = m.allocate_array(class, classes.len() as i32)?;
    for (i, class) in classes.iter().enumerate() {
        let mirror = m.mirror(*class);
        m.set_element(array, i as i32, mirror);
    }
    Ok(Value::reference(array))
}

/// `Class.getModifiers`: for nested classes what the source said.
pub(super) fn modifiers(m: &Machine, class: ClassId) -> u16 {
    let declared = m.program.class(class);
    m.inner_modifiers(class).unwrap_or(declared.flags & !access::SUPER)
}

/// The class itself unless it says otherwise in `NestHost`.
pub(crate) fn nest_host(m: &Machine, class: ClassId) -> String {
    let declared = m.program.class(class);
    if let Some(host) = declared.host {
        return nest_host(m, host);
    }
    let own = m.program.class_name(class).to_string();
    let Some(file) = &declared.file else { return own };
    let Some(contents) = file.attribute(&file.attributes, "NestHost") else { return own };
    let Ok(index) = program::classfile::Reader::new(contents).u16() else { return own };
    file.class_name(index).map_or(own, |name| name.into_owned())
}

fn primitive_class(m: &mut Machine, a: Args) -> Return {
    let name = a.non_null(m, 0)?;
    let name = m.string(name);
    match Kind::PRIMITIVES.into_iter().find(|kind| kind.primitive_name() == name) {
        Some(kind) => {
            let class = m.program.primitive(kind);
            Ok(Value::reference(m.mirror(class)))
        }
        None => Err(m.raise("java/lang/ClassNotFoundException", Some(&name))),
    }
}

fn class_name(m: &mut Machine, a: Args) -> Return {
    let class = receiver(m, a)?;
    let name = external_name(m, class);
    let units: Vec<u16> = name.encode_utf16().collect();
    let string = m.intern_permanent(&units)?;
    let mirror = a.reference(m, 0);
    m.set_field(mirror, "name", string.word());
    Ok(Value::reference(string))
}

/// `Class.getName`.
pub(super) fn external_name(m: &Machine, class: ClassId) -> String {
    let name = m.program.class_name(class).replace('/', ".");
    match name.rfind('+') {
        Some(at) if m.program.class(class).hidden => format!("{}/{}", &name[..at], &name[at + 1..]),
        _ => name,
    }
}

/// Loads a class named the Java way; `None` when there is none.
pub(super) fn load_dotted(m: &mut Machine, name: &str) -> Result<Option<ClassId>, Raise> {
    if name.contains('/') {
        return Ok(None);
    }
    let internal = name.replace('.', "/");
    let result = m.program.load(&internal);
    m.sync_classes();
    match result {
        Ok(class) => Ok(Some(class)),
        Err(program::LinkError::NotFound(missing)) if missing == internal => Ok(None),
        Err(program::LinkError::NotFound(missing)) if internal.starts_with('[') => {
            let _ = missing;
            Ok(None)
        }
        Err(error) => Err(m.link_error(error)),
    }
}

fn find_bootstrap(m: &mut Machine, a: Args) -> Return {
    let slot = usize::from(!m.program.method(a.method).is_static());
    let name = a.non_null(m, slot)?;
    let name = m.string(name);
    let class = load_dotted(m, &name)?.filter(|class| m.program.class(*class).is_library());
    Ok(Value::reference(class.map_or(Ref::NULL, |class| m.mirror(class))))
}

/// The class of the method that called the caller of `getCallerClass`.
fn caller_class(m: &mut Machine, _: Args) -> Return {
    let frames = m.frames();
    // The top frame is the method that asks; reflection's own frames are looked through.
    let mut index = frames.len().saturating_sub(2);
    loop {
        let Some(frame) = m.frames().get(index) else { return Ok(Value::One(0)) };
        let method = m.program.method(frame.method);
        let owner = m.program.class_name(method.class);
        let reflective = method.hidden
            || owner.starts_with("jdk/internal/reflect/") && owner.contains("Accessor")
            || (owner == "java/lang/reflect/Method" && m.program.text(method.name) == "invoke");
        if !reflective || index == 0 {
            return Ok(Value::reference(m.mirror(method.class)));
        }
        index -= 1;
    }
}
