//! The compiler is the judge: values by chance are written as Java, each part as a variable of its own type, and must compile.
//!
//! No cast is written, so that a way which gives something else than was asked for, or cannot be used from where it stands,
//! is a mistake of the compiler's.

use std::collections::BTreeMap;
use std::path::PathBuf;

use machine::Machine;
use testkit::{Javac, root};
use ways::literals::Literal;
use ways::types::Type;
use ways::{Member, Origin, Parameters, Sample, Tree, Way, implement};

use crate::fixtures::{Offered, machine, public_methods};

/// Statements that make values, in a method of their own.
struct Writer<'a> {
    m: &'a mut Machine,
    parameters: &'a Parameters,
    package: &'a str,
    text: String,
    variables: usize,
}

impl Writer<'_> {
    /// Writes what makes a value, and says how it is called. None where a class inside the test would be needed.
    fn value(&mut self, tree: &Tree<Origin>) -> Option<String> {
        let kind = self.parameters.kind(tree.of).clone();
        let parts: Option<Vec<String>> = tree.parts.iter().map(|part| self.value(part)).collect();
        let (parts, all) = parts.map(|parts| (parts.clone(), parts.join(", ")))?;
        let declared = self.name(&kind)?;
        let made = match tree.by {
            Origin::Null => "null".into(),
            Origin::Literal(value) => self.literal(value)?,
            Origin::Array(_) => format!("new {declared} {{{all}}}"),
            Origin::Collection(class, _) => {
                let class = class.replace('/', ".");
                let given = if all.is_empty() { all } else { format!(", {all}") };
                format!("Filled.with(new {class}(){given})")
            }
            Origin::Builder { start, settings, finish } => {
                let (given, set) = parts.split_at(parts.len() - settings.len());
                let mut made = self.called(start, given)?;
                for (setting, value) in settings.iter().zip(set) {
                    made += &format!(".{}({value})", setting.name);
                }
                format!("{made}.{}()", finish.name)
            }
            Origin::Object(way) => self.object(way, &kind, &parts)?,
        };
        self.variables += 1;
        let variable = format!("v{}", self.variables);
        self.text += &format!("    {declared} {variable} = {made};\n");
        Some(variable)
    }

    fn object(&mut self, way: &Way, kind: &Type, parts: &[String]) -> Option<String> {
        Some(match way {
            Way::Call(member) => self.called(member, parts)?,
            Way::Fixed(member, text) => self.called(member, &[format!("{text:?}")])?,
            Way::Constant(field) => format!("{}.{}", self.class(&field.class)?, field.name),
            Way::On(member) => {
                let (object, given) = parts.split_first()?;
                format!("{object}.{}({})", member.name, given.join(", "))
            }
            Way::Lambda => {
                let open = implement::open_methods(self.m, kind)?.into_iter().next()?;
                let names: Vec<String> =
                    (0..open.parameters.len()).map(|place| format!("p{place}")).collect();
                let gives = parts.first().map_or("{ }", String::as_str);
                format!("({}) -> {gives}", names.join(", "))
            }
            Way::Narrowed(_) | Way::Reflected(..) | Way::Builder { .. } | Way::Implement => return None,
        })
    }

    fn called(&mut self, member: &Member, given: &[String]) -> Option<String> {
        let class = self.class(&member.class)?;
        if member.name != "<init>" {
            return Some(format!("{class}.{}({})", member.name, given.join(", ")));
        }
        let id = self.m.load(&member.class).ok()?;
        match self.m.program.outer_class(id) {
            Some(_) => {
                let (outer, given) = given.split_first()?;
                let simple = class.rsplit('.').next()?;
                Some(format!("{outer}.new {simple}({})", given.join(", ")))
            }
            None => Some(format!("new {class}({})", given.join(", "))),
        }
    }

    fn class(&mut self, name: &str) -> Option<String> {
        let id = self.m.load(name).ok()?;
        self.m.program.source_name(id, self.package)
    }

    /// The erased type.
    fn name(&mut self, kind: &Type) -> Option<String> {
        match kind {
            Type::Class(name, _) => self.class(name),
            Type::Array(element) => Some(format!("{}[]", self.name(element)?)),
            Type::Primitive(_) => Some(machine::external_type(&kind.descriptor())),
            Type::Variable(_) | Type::Wildcard(_) => None,
        }
    }

    fn literal(&mut self, value: &Literal) -> Option<String> {
        Some(match value {
            Literal::Boolean(value) => value.to_string(),
            Literal::Char(unit) => format!("(char) {unit}"),
            Literal::Integer('B', value) => format!("(byte) {value}"),
            Literal::Integer('S', value) => format!("(short) {value}"),
            Literal::Integer('J', value) => format!("{value}L"),
            Literal::Integer(_, value) => value.to_string(),
            Literal::Fraction('F', value) => format!("{value:?}f"),
            Literal::Fraction(_, value) => format!("{value:?}"),
            Literal::Text(text) => format!("{text:?}"),
            Literal::Class(kind) => format!("{}.class", self.name(kind)?),
        })
    }
}

const FILLED: &str = "
class Filled {
  static <C extends java.util.Collection> C with(C filled, Object... all) {
    for (Object one : all) filled.add(one);
    return filled; }
  static <M extends java.util.Map> M with(M filled, Object... all) {
    for (int i = 0; i < all.length; i += 2) filled.put(all[i], all[i + 1]);
    return filled; } }
";

/// How many values were written, of the methods of all classes of the first entry. Fails if one does not compile.
fn compile(class_path: &[PathBuf], depth: u32, each: usize) -> usize {
    let mut m = machine(class_path);
    let mut sources: BTreeMap<String, String> = BTreeMap::new();
    let mut written = 0;
    let mut known: BTreeMap<String, Offered> = BTreeMap::new();
    for (number, class) in m.program.path.classes_of_entry(0).into_iter().enumerate() {
        let package = program::link::package(&class).to_string();
        let Ok(id) = m.load(&class) else { continue };
        if m.program.source_name(id, &package).is_none() || public_methods(&m, id).is_empty() {
            continue;
        }
        let offered =
            known.entry(package.clone()).or_insert_with_key(|package| Offered::new(&mut m, package));
        let parameters = offered.parameters(&mut m, &class, depth);
        let space = parameters.space();
        let body = sources.entry(package.clone()).or_default();
        *body += &format!("class Of{number} {{\n");
        for (place, chosen) in Sample::new(space.size(), 1).take(each).enumerate() {
            let (_, trees) = space.nth(&chosen).expect("a number below the size");
            let mut writer = Writer {
                m: &mut m,
                parameters: &parameters,
                package: &package,
                text: String::new(),
                variables: 0,
            };
            if trees.iter().all(|tree| writer.value(tree).is_some()) {
                *body += &format!("  void v{place}() throws Throwable {{\n{}  }}\n", writer.text);
                written += 1;
            }
        }
        *body += "}\n";
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut files = Vec::new();
    for (package, body) in sources {
        let place = folder.path().join("source").join(&package);
        std::fs::create_dir_all(&place).expect("the folder can be made");
        let head = if package.is_empty() {
            String::new()
        } else {
            format!("package {};\n", package.replace('/', "."))
        };
        std::fs::write(place.join("Values.java"), format!("{head}{FILLED}{body}"))
            .expect("the file can be written");
        files.push(place.join("Values.java"));
    }
    Javac::new()
        .class_path(class_path)
        .flags(&["-Xmaxerrs", "20"])
        .files(files)
        .into(folder.path().join("classes"));
    written
}

#[test]
fn what_is_made_compiles() {
    let shop = root().join("target/ways/source-shop");
    Javac::new().tree(root().join("examples/shop/src/main/java")).into(&shop);
    let written = compile(&[shop], 3, 60);
    assert!(written > 1000, "{written} values were written");
}
