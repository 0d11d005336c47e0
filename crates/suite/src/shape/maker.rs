//! Finding ways to make values: what is made for a type, by the picks among its alternatives.

use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;

use machine::Machine;
use program::{MethodId, access};
use ways::types::{self, Bound, Type};
use ways::{Catalogue, Wanted};

use super::fields::Setting;
use super::{Make, Member};
use crate::naming::{parameter_names, told_apart, upper_first};
use crate::relevance::Relevance;

/// How deep constructors are called for the arguments of constructors.
const DEPTH: u32 = 3;
/// Types that an object may be of, as the class under test names them.
const NAMED: usize = 8;
/// Sizes of collections that are tried because the class under test names them, and how many of them.
const SIZES: RangeInclusive<usize> = 5..=12;
const NAMED_SIZES: usize = 4;
/// Ways to make an object that are tried, by the depth at which it is needed.
const ALTERNATIVES: [usize; 4] = [usize::MAX, 4, 3, 1];

/// Finds ways to make values.
pub struct Maker<'a> {
    pub m: &'a mut Machine,
    pub(super) catalogue: Rc<Catalogue>,
    /// The package of the test, as an internal name.
    pub(super) package: String,
    /// The class under test.
    pub(super) own: Type,
    /// What is called, and the method under test if it is called on an object.
    pub(super) called: MethodId,
    pub(super) act: Option<MethodId>,
    pub leaves: Vec<Type>,
    /// See [`super::Shape::turns`].
    pub turns: Vec<(usize, usize)>,
    /// What the leaves are called, and what they belong to.
    names: Vec<String>,
    owners: Vec<String>,
    /// What is being made.
    pub(super) within: Vec<String>,
    /// Which alternative to take at each place where there are several, in order; places beyond take the first.
    picks: Vec<usize>,
    /// Whether the object being made is the one under test.
    pub(super) is_receiver: bool,
    /// Classes of the objects being made, the outermost first.
    pub(super) around: Vec<String>,
    /// What is known of the class under test.
    pub relevance: Arc<Relevance>,
    /// Whether fields may be set that are open to the test; how it is done in the object around, and the classes of those whose
    /// fields are being set.
    pub may_set: bool,
    pub(super) setting: Option<Setting>,
    pub(super) linked: Vec<String>,
    /// Whether objects may be made behind the back of their class.
    may_reflect: bool,
    /// Whether that was done.
    pub reflected: bool,
    /// How many alternatives there were at each place met.
    pub widths: Vec<usize>,
}

impl<'a> Maker<'a> {
    /// For calls of a method in tests in a package. `picks` says which alternative to take at each place.
    pub fn new(
        m: &'a mut Machine,
        catalogue: Rc<Catalogue>,
        package: &str,
        act: MethodId,
        picks: &[usize],
    ) -> Maker<'a> {
        let method = m.program.method(act);
        let called_on = !method.is_static() && m.program.text(method.name) != "<init>";
        let class = method.class;
        let own = types::own_type(m, class);
        Maker {
            m,
            catalogue,
            package: package.to_string(),
            own,
            called: act,
            act: called_on.then_some(act),
            leaves: Vec::new(),
            turns: Vec::new(),
            names: Vec::new(),
            owners: Vec::new(),
            within: Vec::new(),
            picks: picks.to_vec(),
            is_receiver: false,
            around: Vec::new(),
            relevance: Arc::default(),
            may_set: false,
            setting: None,
            linked: Vec::new(),
            may_reflect: false,
            reflected: false,
            widths: Vec::new(),
        }
    }

    /// The object under test; none if there is no way to make one.
    pub fn receiver(&mut self) -> Option<Make> {
        let own = self.own.clone();
        let Type::Class(class, _) = &own else { return None };
        let simple = class.rsplit(['/', '$']).next().unwrap_or(class);
        let name = crate::naming::lower_first(simple);
        self.is_receiver = true;
        self.within.push(name.clone());
        let made = self.make(&own, &name, 0);
        self.within.pop();
        self.is_receiver = false;
        (!matches!(made, Make::Null(_))).then_some(made)
    }

    /// Whether the call is made on an object that is there.
    pub(super) fn is_on_object(&self) -> bool {
        self.act.is_some()
    }

    /// Lets constructors be called that are not open to the test, where there is no other way.
    pub fn allow_reflection(&mut self) {
        self.may_reflect = true;
    }

    /// The object under test with some of its fields set behind its back.
    pub fn forced_receiver(&mut self, fields: &[Member]) -> Option<Make> {
        let made = self.receiver()?;
        let Some(Type::Class(_, arguments)) = made.kind() else { return None };
        let mut forced = Vec::new();
        for field in fields {
            let class = self.m.load(&field.class).ok()?;
            let bindings = types::bindings_of(self.m, class, &arguments);
            let kind = types::field_type(self.m, class, &field.name)?.with(&bindings).narrowed();
            forced.push((field.clone(), self.make(&kind, &field.name, 1)));
            self.reflected |= !field.is_open(self.m, &self.package);
        }
        Some(if forced.is_empty() { made } else { Make::Forced { object: Box::new(made), fields: forced } })
    }

    /// Fields of the class under test that change, and that no test may set.
    pub fn hidden_fields(&self) -> Vec<Member> {
        let Type::Class(name, _) = &self.own else { return Vec::new() };
        let Some(class) = self.m.program.find_loaded(name) else { return Vec::new() };
        let mut found = Vec::new();
        for field in &self.m.program.class(class).fields {
            if field.flags & (access::STATIC | access::FINAL | access::SYNTHETIC) == 0 {
                found.push(Member {
                    class: name.clone(),
                    name: self.m.program.text(field.name).to_string(),
                    descriptor: self.m.program.text(field.descriptor).to_string(),
                    is_static: false,
                });
            }
        }
        found
    }

    /// The arguments of a method of the class under test.
    pub fn arguments(&mut self, method: MethodId) -> Vec<Make> {
        let kinds = types::parameter_types(self.m, method);
        self.each(method, &kinds, 0)
    }

    /// The arguments of the call under test, two of which may be one object, or the one it is made on.
    pub fn arguments_of_call(&mut self, method: MethodId) -> Vec<Make> {
        let kinds = types::parameter_types(self.m, method);
        let names = parameter_names(self.m, method);
        let mut made: Vec<Make> = Vec::new();
        for (kind, name) in kinds.iter().zip(&names) {
            let mut there: Vec<Make> = Vec::new();
            if self.is_on_object() && self.is_of(&self.own.clone(), kind) {
                there.push(Make::Receiver);
            }
            for (number, earlier) in made.iter().enumerate().filter(|(_, earlier)| earlier.has_identity()) {
                if let Some(own) = earlier.kind()
                    && self.is_of(&own, kind)
                {
                    there.push(Make::Argument { number, kind: own });
                }
            }
            let pick = if there.is_empty() { 0 } else { self.pick(there.len() + 1) };
            made.push(match pick.checked_sub(1) {
                Some(pick) => there.swap_remove(pick),
                None => self.part(kind, name, 0),
            });
        }
        made
    }

    /// Whether an object of a type can be handed over where another type is declared. Where anything can be, what is worth
    /// it is tried otherwise.
    fn is_of(&mut self, own: &Type, declared: &Type) -> bool {
        match declared {
            Type::Class(class, _) if class == "java/lang/Object" => false,
            Type::Class(class, arguments) if arguments.is_empty() => {
                types::view(self.m, own, class).is_some()
            }
            _ => own == declared,
        }
    }

    pub(super) fn each(&mut self, method: MethodId, kinds: &[Type], depth: u32) -> Vec<Make> {
        let names = parameter_names(self.m, method);
        kinds.iter().zip(&names).map(|(kind, name)| self.part(kind, name, depth)).collect()
    }

    /// A part of something larger; leaves in it belong to the outermost that has a name.
    pub(super) fn part(&mut self, kind: &Type, name: &str, depth: u32) -> Make {
        let is_outermost = self.within.is_empty() && depth == 0;
        if is_outermost {
            self.within.push(name.to_string());
        }
        let made = self.make(kind, name, depth);
        if is_outermost {
            self.within.pop();
        }
        made
    }

    /// The arguments of a call before the one under test.
    pub fn arguments_before(&mut self, method: MethodId) -> Vec<Make> {
        let name = self.m.program.text(self.m.program.method(method).name).to_string();
        self.within.push(name);
        let made = self.arguments(method);
        self.within.pop();
        made
    }

    /// The names of the leaves. Those that are arguments of the call under test keep theirs; of equal ones, others are
    /// told apart by what they belong to.
    pub fn names(&self, arguments: &[Make]) -> Vec<String> {
        let mut names: Vec<Option<String>> = vec![None; self.names.len()];
        for made in arguments {
            if let Make::Leaf { number, .. } | Make::Boxed { number, .. } = made {
                names[*number] = Some(self.names[*number].clone());
            }
        }
        for (number, (name, owner)) in self.names.iter().zip(&self.owners).enumerate() {
            if names[number].is_some() {
                continue;
            }
            let is_taken = |wanted: &str| names.iter().flatten().any(|own| own == wanted);
            let of_owner = format!("{owner}{}", upper_first(name));
            let wanted = if is_taken(name) && !owner.is_empty() && owner != name { &of_owner } else { name };
            names[number] = Some(told_apart(wanted, is_taken));
        }
        names.into_iter().flatten().collect()
    }

    pub(super) fn pick(&mut self, count: usize) -> usize {
        let place = self.widths.len();
        self.widths.push(count);
        self.picks.get(place).copied().unwrap_or(0).min(count.saturating_sub(1))
    }

    fn leaf(&mut self, kind: Type, name: &str) -> Make {
        let number = self.leaves.len();
        self.leaves.push(kind.clone());
        self.names.push(name.to_string());
        self.owners.push(self.within.last().cloned().unwrap_or_default());
        Make::Leaf { number, kind }
    }

    fn boxed(&mut self, letter: char, name: &str) -> Make {
        let number = self.leaves.len();
        self.leaf(Type::Primitive(letter), name);
        Make::Boxed { number, letter }
    }

    /// A way to make a value of a type; null if there is no other.
    pub(super) fn make(&mut self, kind: &Type, name: &str, depth: u32) -> Make {
        match kind {
            Type::Primitive(_) => self.leaf(kind.clone(), name),
            Type::Variable(_) => self.leaf(Type::string(), name),
            Type::Wildcard(_) => self.make(&kind.opened().narrowed(), name, depth),
            Type::Array(element) => self.array(kind, element, name, depth),
            Type::Class(class, arguments) => self.object(kind, class, arguments, name, depth),
        }
    }

    fn array(&mut self, kind: &Type, element: &Type, name: &str, depth: u32) -> Make {
        // What an object is made of is kept small: it is not what the test is about.
        let is_leaf = match element {
            Type::Primitive(_) => true,
            Type::Class(class, _) => class == "java/lang/String",
            _ => false,
        };
        // Bytes inside something else are what it gives to read.
        let is_content = matches!(element, Type::Primitive('B')) && depth <= 2;
        if is_leaf && (depth == 0 || is_content) {
            return self.leaf(kind.clone(), name);
        }
        let sizes: &[usize] = if depth == 0 { &[2, usize::MAX, 0, 1, 3] } else { &[2, 0, 1, 3] };
        let pick = self.pick(sizes.len() + usize::from(is_leaf));
        let Some(&size) = sizes.get(pick) else { return self.leaf(kind.clone(), name) };
        if size == usize::MAX {
            return Make::Null(kind.clone());
        }
        let elements = (0..size).map(|_| self.make(element, name, depth + 1)).collect();
        Make::Array { element: element.clone(), elements }
    }

    fn object(&mut self, kind: &Type, class: &str, arguments: &[Type], name: &str, depth: u32) -> Make {
        if let Some(letter) = box_of(class, arguments) {
            return if self.pick(2) == 1 { Make::Null(kind.clone()) } else { self.boxed(letter, name) };
        }
        if class == "java/lang/Comparable"
            && let Some(other) = arguments.first()
        {
            return self.make(&other.opened(), name, depth);
        }
        if class == "java/lang/Object" && depth <= 1 {
            let others = self.named_types();
            // Inside of something else it matters less whether it is equal to what is under test.
            let first = if depth == 0 { 4 } else { 1 };
            match self.pick(first + others.len()) {
                pick if pick >= first => return self.make(&others[pick - first], name, depth + 1),
                1 => return self.make(&self.own.clone(), name, depth + 1),
                2 => return Make::Null(kind.clone()),
                3 if self.act.is_some() => return Make::Receiver,
                _ => {}
            }
        }
        if matches!(class, "java/lang/String" | "java/lang/CharSequence" | "java/lang/Object") {
            return self.leaf(Type::string(), name);
        }
        if class == "java/lang/Class" {
            return self.class_literal(kind, arguments, depth);
        }
        if let Some(made) = library::in_tests(class) {
            return self.collection(made.name, kind, arguments, name, depth);
        }
        let Ok(id) = self.m.load(class) else { return Make::Null(kind.clone()) };
        if self.m.program.class(id).flags & access::ENUM != 0 {
            return self.leaf(kind.clone(), name);
        }
        if depth > DEPTH || self.around.iter().filter(|own| *own == class).count() > 1 {
            return Make::Null(kind.clone());
        }
        let wanted = Wanted {
            kind,
            package: &self.package,
            around: &self.around,
            act: self.act.filter(|_| self.is_receiver && depth == 0),
        };
        let mut ways = ways::ways(self.m, &self.catalogue.clone(), &wanted);
        // The deeper, the less it matters how.
        ways.truncate(ALTERNATIVES[(depth as usize).min(ALTERNATIVES.len() - 1)]);
        if ways.is_empty() {
            let constructor = if self.may_reflect { ways::hidden(self.m, id, &self.package) } else { None };
            let Some(constructor) = constructor else { return Make::Null(kind.clone()) };
            self.around.push(class.to_string());
            let made = self.call(&constructor, kind, depth);
            self.around.pop();
            self.reflected |= made.is_some();
            return made.unwrap_or_else(|| Make::Null(kind.clone()));
        }
        // Where an argument may be null, that is the second thing to try.
        let is_linked = self.around.iter().any(|own| own == class);
        let may_be_null = is_linked || depth == 0 && !self.is_receiver;
        // Inside of something else it is the last.
        let null_last = !may_be_null && depth > 0 && depth <= 2;
        let mut pick = self.pick(ways.len() + usize::from(may_be_null || null_last));
        if null_last && pick == ways.len() {
            return Make::Null(kind.clone());
        }
        if may_be_null {
            match (pick, is_linked) {
                (0, true) | (1, false) => return Make::Null(kind.clone()),
                (0, false) => {}
                _ => pick -= 1,
            }
        }
        self.around.push(class.to_string());
        let made = self.by(&ways[pick], kind, name, depth);
        self.around.pop();
        match made {
            Some(made) => self.filled(made, depth),
            None => Make::Null(kind.clone()),
        }
    }

    /// What an object may be: of the types that the class under test names, and a number.
    fn named_types(&mut self) -> Vec<Type> {
        let Type::Class(own, _) = &self.own else { return Vec::new() };
        let Ok(class) = self.m.load(own) else { return Vec::new() };
        let names = self.catalogue.named(self.m, class);
        let number = "Ljava/lang/Integer;".to_string();
        let mut kinds: Vec<Type> = Vec::new();
        for descriptor in names.iter().chain([&number]) {
            let Some(kind) = types::descriptor_types(&format!("(){descriptor}")).pop() else { continue };
            let is_useful = match &kind {
                Type::Class(name, _) => {
                    kind != self.own.erased()
                        && !matches!(name.as_str(), "java/lang/Object" | "java/lang/String")
                        && (is_value(name) || self.has_own_kind(name))
                }
                _ => true,
            };
            if is_useful && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        // Values first: they are what casts and comparisons are about.
        kinds.sort_by_key(|kind| !matches!(kind, Type::Class(name, _) if is_value(name)));
        kinds.truncate(NAMED);
        kinds
    }

    /// Whether an object may well be of a class: one of the program that the test can name, or a collection, and no exception.
    fn has_own_kind(&mut self, name: &str) -> bool {
        let Ok(id) = self.m.load(name) else { return false };
        let is_collection = library::in_tests(name).is_some();
        let is_thrown = self.m.program.is_subtype(id, self.m.known.throwable);
        !is_thrown
            && (is_collection || !self.m.program.class(id).is_library())
            && self.m.program.source_name(id, &self.package).is_some()
    }

    fn class_literal(&mut self, kind: &Type, arguments: &[Type], depth: u32) -> Make {
        let bound = match arguments.first() {
            Some(Type::Wildcard(Bound::Any)) | None => None,
            Some(Type::Wildcard(_)) => Some(arguments[0].opened()),
            Some(of) => Some(of.clone()),
        };
        let classes = match bound {
            Some(of @ (Type::Class(..) | Type::Array(_))) => vec![of.erased()],
            // One of each kind: final, with classes and interfaces above it, the one under test, a number, an array.
            _ => vec![
                Type::string(),
                Type::named("java/util/ArrayList"),
                self.own.erased(),
                Type::Primitive('I'),
                Type::Array(Box::new(Type::string())),
            ],
        };
        let count = if depth <= 1 { classes.len() } else { 1 };
        let may_be_null = usize::from(depth == 0);
        match self.pick(count + may_be_null) {
            0 => Make::ClassOf(classes[0].clone()),
            1 if depth == 0 => Make::Null(kind.clone()),
            pick => Make::ClassOf(classes[pick - may_be_null].clone()),
        }
    }

    /// Sizes that the class under test may ask for: numbers that it names, and those after them.
    fn named_sizes(&mut self) -> Vec<usize> {
        let Type::Class(own, _) = &self.own else { return Vec::new() };
        let Ok(class) = self.m.load(own) else { return Vec::new() };
        let numbers = self.catalogue.numbers(self.m, class);
        let mut sizes: Vec<usize> = Vec::new();
        for size in numbers.iter().flat_map(|number| [*number, number.saturating_add(1)]) {
            match usize::try_from(size) {
                Ok(size) if SIZES.contains(&size) && !sizes.contains(&size) => sizes.push(size),
                _ => {}
            }
        }
        sizes.truncate(NAMED_SIZES);
        sizes
    }

    fn collection(
        &mut self,
        class: &'static str,
        kind: &Type,
        arguments: &[Type],
        name: &str,
        depth: u32,
    ) -> Make {
        let mut sizes = match depth {
            0 => vec![2, usize::MAX, 0, 1, 3, 4],
            1 => vec![2, 0, 1, 3],
            _ => vec![2, 0],
        };
        if depth == 0 {
            sizes.extend(self.named_sizes());
        }
        let size = sizes[self.pick(sizes.len())];
        if size == usize::MAX {
            return Make::Null(kind.clone());
        }
        let element = |at: usize| arguments.get(at).cloned().unwrap_or_else(Type::string);
        let mut elements = Vec::new();
        for _ in 0..size {
            elements.push(self.make(&element(0), name, depth + 1));
            if library::is_map(class) {
                elements.push(self.make(&element(1), name, depth + 1));
            }
        }
        Make::Collection { class, kind: kind.clone(), elements }
    }
}

/// Whether a class stands for one value of the library.
fn is_value(name: &str) -> bool {
    box_of(name, &[Type::string()]).is_some()
        || matches!(name, "java/math/BigDecimal" | "java/math/BigInteger" | "java/util/Date")
        || name.starts_with("java/time/")
}

/// The primitive in whose box a value of a class is.
fn box_of(class: &str, arguments: &[Type]) -> Option<char> {
    Some(match class {
        "java/lang/Boolean" => 'Z',
        "java/lang/Byte" => 'B',
        "java/lang/Character" => 'C',
        "java/lang/Short" => 'S',
        "java/lang/Integer" | "java/lang/Number" => 'I',
        "java/lang/Long" => 'J',
        "java/lang/Float" => 'F',
        "java/lang/Double" => 'D',
        "java/lang/Comparable" if matches!(arguments, [] | [Type::Wildcard(_)]) => 'I',
        _ => return None,
    })
}
