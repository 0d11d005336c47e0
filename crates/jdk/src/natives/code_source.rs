//! Where classes and resources come from: protection domains, and the addresses of what lies in jars.
//!
//! A jar of the class path looks like a folder to the program, but its address is that of a jar.

use machine::value::is_unknown;
use machine::{Args, Machine, Raise, Ref, Return, Value};
use program::{ClassId, Origin, Shape};

use super::loaders::{BOOT, loader_of};
use super::{Entry, not_modelled, resources};
use crate::boot::{call_static, construct};
use crate::files;

const CLASS: &str = "java/lang/Class";

pub(super) const TABLE: &[Entry] = &[
    (CLASS, "getProtectionDomain0", "()Ljava/security/ProtectionDomain;", |m, a| {
        let class = super::class::receiver(m, a)?;
        Ok(Value::reference(domain(m, class)?.unwrap_or(Ref::NULL)))
    }),
    // JDK 25 reads a field, and has another domain for those that have none.
    (CLASS, "getProtectionDomain", "()Ljava/security/ProtectionDomain;", |m, a| {
        let class = super::class::receiver(m, a)?;
        Ok(domain(m, class)?.map_or(Value::Pass, Value::reference))
    }),
    ("jdk/internal/loader/URLClassPath$Loader", "getBaseURL", "()Ljava/net/URL;", base),
    ("sun/net/www/protocol/jar/JarURLConnection", "getInputStream", "()Ljava/io/InputStream;", open),
];

/// The domain of a class; none for those of the boot loader, and for those that another loader defined.
fn domain(m: &mut Machine, class: ClassId) -> Result<Option<Ref>, Raise> {
    let declared = m.program.class(class);
    if declared.shape != Shape::Declared {
        return Ok(None);
    }
    if let Some(host) = declared.host {
        return domain(m, host);
    }
    let location = match declared.origin.clone() {
        Origin::Jdk { module } if BOOT.contains(&&*module) => return Ok(None),
        Origin::Jdk { module } => format!("jrt:/{module}"),
        Origin::User { entry } => match m.config.places.get(entry).cloned() {
            Some(place) => address(m, entry, &place)?,
            None => return Ok(None),
        },
    };
    let loader = loader_of(m, class)?;
    let rooted = m.roots.len();
    let made = (|| {
        let url = new_url(m, &location)?;
        let source = new_object(m, "java/security/CodeSource")?;
        let certificates = "(Ljava/net/URL;[Ljava/security/cert/Certificate;)V";
        construct(m, source, certificates, &[url.word(), 0])?;
        let owner = m.load("java/security/SecureClassLoader")?;
        let descriptor = "(Ljava/security/CodeSource;)Ljava/security/ProtectionDomain;";
        let method = m.program.declared_method(owner, "getProtectionDomain", descriptor);
        let method = method.ok_or_else(|| not_modelled("a class loader without protection domains"))?;
        // The loader keeps them: classes of one place have the same domain.
        m.call(method, &[loader.word(), source.word()])
    })();
    m.roots.truncate(rooted);
    Ok(reference(made?))
}

fn reference(value: Value) -> Option<Ref> {
    match value {
        Value::One(word) if word != 0 && !is_unknown(word) => Some(Ref::from_word(word)),
        _ => None,
    }
}

/// The address of an entry of the class path.
fn address(m: &mut Machine, entry: usize, place: &str) -> Result<String, Raise> {
    let text = m.new_string(place)?;
    let arguments = [text.word(), 0];
    let encoded = call_static(
        m,
        "sun/net/www/ParseUtil",
        "encodePath",
        "(Ljava/lang/String;Z)Ljava/lang/String;",
        &arguments,
    )?;
    let encoded = reference(encoded).map_or(String::new(), |text| m.string(text));
    Ok(format!("file:{encoded}{}", if m.program.path.is_jar(entry) { "" } else { "/" }))
}

/// A new object of an initialized class, kept until the roots are cut back.
fn new_object(m: &mut Machine, name: &str) -> Result<Ref, Raise> {
    let class = m.load(name)?;
    m.initialize_now(class)?;
    let object = m.allocate(class)?;
    m.roots.push(object);
    Ok(object)
}

/// A `URL`.
pub(super) fn url(m: &mut Machine, text: &str) -> Result<Ref, Raise> {
    let rooted = m.roots.len();
    let made = new_url(m, text);
    m.roots.truncate(rooted);
    made
}

fn new_url(m: &mut Machine, text: &str) -> Result<Ref, Raise> {
    let url = new_object(m, "java/net/URL")?;
    let text = m.new_string(text)?;
    m.roots.push(text);
    construct(m, url, "(Ljava/lang/String;)V", &[text.word()])?;
    Ok(url)
}

/// A field of a `URL`, without percent signs.
fn decoded(m: &mut Machine, url: Ref, field: &str) -> Result<String, Raise> {
    let text = m.field(url, field);
    let plain =
        call_static(m, "sun/net/www/ParseUtil", "decode", "(Ljava/lang/String;)Ljava/lang/String;", &[text])?;
    Ok(reference(plain).map_or(String::new(), |text| m.string(text)))
}

/// `Loader.getBaseURL`: what is found in a folder that is a jar has the address of the jar.
fn base(m: &mut Machine, a: Args) -> Return {
    let loader = a.non_null(m, 0)?;
    let base = Ref::from_word(m.field(loader, "base"));
    if base.is_null() || !is_protocol(m, base, "file") {
        return Ok(Value::Pass);
    }
    let path = decoded(m, base, "path")?;
    let Some(entry) = files::jar_at(m, path.trim_end_matches('/')) else { return Ok(Value::Pass) };
    let place = m.config.places[entry].clone();
    let address = address(m, entry, &place)?;
    let made = url(m, &format!("jar:{address}!/"))?;
    m.set_field(loader, "base", made.word());
    Ok(Value::reference(made))
}

fn is_protocol(m: &Machine, url: Ref, protocol: &str) -> bool {
    let text = Ref::from_word(m.field(url, "protocol"));
    !text.is_null() && m.string(text) == protocol
}

/// Reads what lies in a jar of the class path; other jars are read by the library, as far as that goes.
fn open(m: &mut Machine, a: Args) -> Return {
    let connection = a.non_null(m, 0)?;
    let url = Ref::from_word(m.field(connection, "url"));
    if url.is_null() {
        return Ok(Value::Pass);
    }
    let path = decoded(m, url, "path")?;
    let place = path.strip_prefix("file:").and_then(|path| path.split_once("!/"));
    let Some((jar, name)) = place else { return Ok(Value::Pass) };
    let Some(entry) = files::jar_at(m, jar) else { return Ok(Value::Pass) };
    match m.program.path.entry_resource(entry, name) {
        Ok(Some(found)) => Ok(Value::reference(resources::stream(m, &found.bytes)?)),
        Ok(None) => {
            let message = format!("JAR entry {name} not found in {jar}");
            Err(m.raise("java/io/FileNotFoundException", Some(&message)))
        }
        Err(error) => Err(not_modelled(format!("reading {name}: {error}"))),
    }
}
