//! The parameter graph of methods: for each type they need, and each type that is needed for it, the ways to its values.

use std::collections::BTreeMap;

use machine::Machine;
use program::{ClassId, MethodId, access};

use crate::catalogue::Catalogue;
use crate::factories;
use crate::graph::{Edge, Graph, Need, Nulls, TypeId};
use crate::implement;
use crate::literals::{Literal, Pool, boxed};
use crate::member::Member;
use crate::objects::{self, Wanted, Way};
use crate::producers::{self, Producers};
use crate::space::Space;
use crate::types::{self, Type};

/// How a value is made.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    Null,
    Literal(Literal),
    /// So many elements.
    Array(usize),
    /// A class of the library with so many elements; those of a map are pairs.
    Collection(&'static str, usize),
    /// All settings of a builder are made, in this order; what each is given comes after what the start is given.
    Builder {
        start: Member,
        settings: Vec<Member>,
        finish: Member,
    },
    /// What it needs is what it is called on, and what it is given; of a lambda and of a class inside the test, what the
    /// constructor is given, and what the methods give.
    Object(Way),
}

/// Elements of arrays and collections that are made.
const LENGTHS: [usize; 3] = [0, 1, 2];

/// What values can be made of.
pub struct Offer<'a> {
    pub catalogue: &'a Catalogue,
    pub producers: &'a Producers,
    pub pool: &'a Pool,
    /// The package where values are made.
    pub package: &'a str,
    /// Whether null is given where another value could be.
    pub nulls: Nulls,
}

/// The graph of some methods, up to a depth.
pub struct Parameters {
    pub graph: Graph<Origin>,
    /// By their numbers in the graph.
    types: Vec<Type>,
    pub methods: Vec<MethodId>,
    depth: u32,
}

impl Parameters {
    /// Methods of one package belong into one graph: each type is looked at once.
    pub fn of(m: &mut Machine, offer: &Offer, methods: &[MethodId], depth: u32) -> Parameters {
        let mut maker = GraphMaker {
            m,
            offer,
            graph: Graph::default(),
            types: Vec::new(),
            known: BTreeMap::new(),
            open: vec![Vec::new(); depth.max(1) as usize],
        };
        let inside = depth.saturating_sub(1);
        for id in methods {
            let needs = called_with(maker.m, *id);
            let needs = maker.needs(needs, inside);
            maker.graph.add_call(needs);
        }
        maker.fill();
        Parameters { graph: maker.graph, types: maker.types, methods: methods.to_vec(), depth }
    }

    /// All combinations up to the depth of the graph.
    pub fn space(&self) -> Space<'_, Origin> {
        Space::new(&self.graph, self.depth)
    }

    pub fn kind(&self, of: TypeId) -> &Type {
        &self.types[of.0 as usize]
    }
}

/// What a call of a method needs: the object it is called on first.
fn called_with(m: &mut Machine, id: MethodId) -> Vec<(Type, Nulls)> {
    let (class, is_static) = (m.program.method(id).class, m.program.method(id).is_static());
    let is_constructor = m.program.text(m.program.method(id).name) == "<init>";
    let mut needs = Vec::new();
    if !is_static && !is_constructor {
        needs.push((types::own_type(m, class), Nulls::Excluded));
    }
    needs.extend(types::parameter_types(m, id).into_iter().map(|kind| (kind, Nulls::Allowed)));
    if is_constructor
        && m.program.outer_class(class).is_some()
        && let Some(outer) = needs.first_mut()
    {
        outer.1 = Nulls::Excluded;
    }
    needs
}

struct GraphMaker<'a> {
    m: &'a mut Machine,
    offer: &'a Offer<'a>,
    graph: Graph<Origin>,
    types: Vec<Type>,
    known: BTreeMap<Type, TypeId>,
    /// Types whose ways are still to be found, by how many calls may be nested where they are needed.
    open: Vec<Vec<TypeId>>,
}

impl GraphMaker<'_> {
    /// Types are met where most calls may be nested first: then no way is missing later.
    fn fill(&mut self) {
        for inside in (0..self.open.len()).rev() {
            while let Some(of) = self.open[inside].pop() {
                let kind = self.types[of.0 as usize].clone();
                let ways = self.ways(&kind, inside as u32);
                self.graph.set_ways(of, ways);
            }
        }
    }

    fn needs(&mut self, kinds: Vec<(Type, Nulls)>, inside: u32) -> Vec<Need> {
        let nulls = self.offer.nulls;
        let need = |(kind, null): (Type, Nulls)| {
            let null = if nulls == Nulls::Excluded { nulls } else { null };
            Need { of: self.number(&kind, inside), null }
        };
        kinds.into_iter().map(need).collect()
    }

    fn number(&mut self, kind: &Type, inside: u32) -> TypeId {
        let kind = concrete(kind);
        if let Some(known) = self.known.get(&kind) {
            return *known;
        }
        let number = self.graph.add_type();
        self.types.push(kind.clone());
        self.known.insert(kind, number);
        self.open[inside as usize].push(number);
        number
    }

    fn ways(&mut self, kind: &Type, inside: u32) -> Vec<Edge<Origin>> {
        if let Type::Primitive(letter) = kind {
            return self.offer.pool.primitives(*letter).into_iter().map(literal).collect();
        }
        let mut found = vec![Edge::null(Origin::Null)];
        match kind {
            Type::Array(element) => {
                for length in LENGTHS {
                    let parts = vec![(Type::clone(element), Nulls::Allowed); length];
                    found.push(self.of_parts(Origin::Array(length), parts, inside));
                }
                let offer = self.offer;
                for producer in offer.producers.of_array(kind) {
                    found.extend(self.produced(producer, kind, inside));
                }
            }
            Type::Class(class, arguments) => {
                found.extend(self.values(class, arguments));
                if let Some(made) = library::in_tests(class) {
                    found.extend(self.collections(made.name, arguments, inside));
                }
                self.objects(kind, class, inside, &mut found);
            }
            _ => {}
        }
        found
    }

    /// Texts, numbers and classes.
    fn values(&mut self, class: &str, arguments: &[Type]) -> Vec<Edge<Origin>> {
        let pool = self.offer.pool;
        if let Some(letter) = boxed(class) {
            return pool.primitives(letter).into_iter().map(literal).collect();
        }
        if class == "java/lang/Class" {
            let classes = match arguments.first().map(Type::opened) {
                Some(of) if of != Type::object() => vec![of.erased()],
                _ => vec![Type::string(), Type::named("java/util/ArrayList"), Type::Primitive('I')],
            };
            return classes.into_iter().map(|of| literal(Literal::Class(of))).collect();
        }
        let mut found = Vec::new();
        if types::fits(self.m, &Type::string(), class, arguments, &mut Vec::new()) {
            found.extend(pool.texts());
        }
        if types::fits(self.m, &Type::named("java/lang/Integer"), class, arguments, &mut Vec::new()) {
            found.extend(pool.primitives('I'));
        }
        found.into_iter().map(literal).collect()
    }

    fn collections(&mut self, class: &'static str, arguments: &[Type], inside: u32) -> Vec<Edge<Origin>> {
        let element = |at: usize| arguments.get(at).cloned().unwrap_or_else(Type::string);
        let one = if library::is_map(class) { vec![element(0), element(1)] } else { vec![element(0)] };
        let parts = |length: usize| vec![one.clone(); length].concat();
        let allowed = |kinds: Vec<Type>| kinds.into_iter().map(|kind| (kind, Nulls::Allowed)).collect();
        LENGTHS
            .map(|length| {
                let parts = allowed(parts(length));
                self.of_parts(Origin::Collection(class, length), parts, inside)
            })
            .into()
    }

    fn of_parts(&mut self, by: Origin, parts: Vec<(Type, Nulls)>, inside: u32) -> Edge<Origin> {
        let cost = 3 + parts.len() as u32;
        Edge::of_parts(by, self.needs(parts, inside), cost)
    }

    fn call(
        &mut self,
        by: Origin,
        needs: Vec<(Type, Nulls)>,
        inside: u32,
        cost: u32,
    ) -> Option<Edge<Origin>> {
        let inside = inside.checked_sub(1)?;
        let cost = cost + needs.len() as u32;
        Some(Edge::call(by, self.needs(needs, inside), cost))
    }

    /// Constructors, methods and fields, builders, and what implements the type inside the test.
    fn objects(&mut self, kind: &Type, name: &str, inside: u32, found: &mut Vec<Edge<Origin>>) {
        let Ok(class) = self.m.load(name) else { return };
        let before = found.len();
        let own = self.m.program.class(class);
        let (is_library, is_open) = (own.is_library(), own.is_interface() || own.is_abstract());
        if is_library {
            self.of_library(kind, name, class, inside, found);
        }
        let offer = self.offer;
        for producer in offer.producers.of(self.m, class) {
            found.extend(self.produced(producer, kind, inside));
        }
        if !is_library {
            self.builders(kind, name, class, inside, found);
        }
        if is_open && (!is_library || found.len() == before) {
            found.extend(self.implemented(kind, class, inside));
        }
    }

    fn produced(&mut self, producer: &producers::Producer, kind: &Type, inside: u32) -> Option<Edge<Origin>> {
        let needs = producer.needs(self.m, kind)?;
        let by = Origin::Object(producer.way());
        match producer.is_value() {
            true => Some(Edge::value(by, producer.cost())),
            false => self.call(by, needs, inside, producer.cost()),
        }
    }

    /// What everybody knows how to make of the library: by the table, or else by constructors.
    fn of_library(
        &mut self,
        kind: &Type,
        name: &str,
        class: ClassId,
        inside: u32,
        found: &mut Vec<Edge<Origin>>,
    ) {
        let own = producers::of_class(self.m, class, self.offer.package);
        if self.m.program.class(class).flags & access::ENUM != 0 {
            for constant in own.iter().filter(|producer| producer.is_value()) {
                found.extend(self.produced(constant, kind, inside));
            }
            return;
        }
        let mut table = factories::ways(name);
        let wanted = Wanted { kind, package: self.offer.package, around: &[], act: None };
        table.retain(|way| objects::fits(self.m, way, &wanted));
        for way in table {
            let needs = self.needs_of(&way, kind);
            let by = Origin::Object(way);
            match needs {
                Some(needs) if needs.is_empty() && !is_call(&by) => found.push(Edge::value(by, 0)),
                Some(needs) => found.extend(self.call(by, needs, inside, 3)),
                None => {}
            }
        }
        let is_made = library::in_tests(name).is_some() || boxed(name).is_some();
        if !is_made && factories::ways(name).is_empty() && objects::is_plain(name)
            || name == "java/lang/Object"
        {
            for producer in own.iter().filter(|producer| producer.is_constructor()) {
                found.extend(self.produced(producer, kind, inside));
            }
        }
    }

    /// What a row of the table needs.
    fn needs_of(&mut self, way: &Way, kind: &Type) -> Option<Vec<(Type, Nulls)>> {
        let allowed = |kinds: Vec<Type>| kinds.into_iter().map(|kind| (kind, Nulls::Allowed));
        match way {
            Way::Call(member) => {
                let id = member.find(self.m)?;
                let bindings = objects::call_bindings(self.m, id, kind)?;
                let generic = self.m.program.method_types(id);
                let kinds = generic.parameters.iter().map(|kind| kind.with(&bindings).narrowed());
                Some(allowed(kinds.collect()).collect())
            }
            Way::On(member) => {
                let id = member.find(self.m)?;
                let object = Type::Class(member.class.clone(), kind.arguments().to_vec());
                let given = types::parameter_types(self.m, id);
                Some([(object, Nulls::Excluded)].into_iter().chain(allowed(given)).collect())
            }
            _ => Some(Vec::new()),
        }
    }

    fn builders(
        &mut self,
        kind: &Type,
        name: &str,
        class: ClassId,
        inside: u32,
        found: &mut Vec<Edge<Origin>>,
    ) {
        // Type arguments are not carried along a chain of calls.
        if !types::class_bindings(self.m, class).is_empty() {
            return;
        }
        let (catalogue, package) = (self.offer.catalogue, self.offer.package);
        let wanted = Wanted { kind, package, around: &[], act: None };
        for finish in catalogue.finishers.get(name).into_iter().flatten() {
            let Some(Way::Builder { start, finish }) = objects::builder(self.m, catalogue, finish, &wanted)
            else {
                continue;
            };
            let Ok(builder) = self.m.load(&finish.class) else { continue };
            let settings = objects::settings(self.m, builder, package);
            let own = types::own_type(self.m, builder);
            let Some(mut needs) = self.needs_of(&Way::Call(start.clone()), &own) else { continue };
            for id in &settings {
                let kinds = types::parameter_types(self.m, *id);
                needs.extend(kinds.into_iter().map(|kind| (kind, Nulls::Allowed)));
            }
            // Without settings it is the chain of calls that is there anyway.
            if settings.is_empty() {
                continue;
            }
            let settings = settings.into_iter().map(|id| Member::of(self.m, id)).collect();
            found.extend(self.call(Origin::Builder { start, settings, finish }, needs, inside, 6));
        }
    }

    /// A lambda, or else a class inside the test, whose methods always give the same.
    fn implemented(&mut self, kind: &Type, class: ClassId, inside: u32) -> Option<Edge<Origin>> {
        let package = self.offer.package;
        if !implement::can(self.m, kind, package) {
            return None;
        }
        let is_function = implement::is_function(self.m, kind, package);
        let mut needs = Vec::new();
        if !self.m.program.class(class).is_interface() {
            let id = implement::constructor(self.m, class, package)?;
            let bindings = types::bindings_of(self.m, class, kind.arguments());
            needs.extend(types::parameter_types_of(self.m, id, bindings));
        }
        let given = implement::open_methods(self.m, kind)?.into_iter().map(|open| open.result);
        needs.extend(given.filter(|kind| *kind != Type::Primitive('V')));
        let needs: Vec<(Type, Nulls)> = needs.into_iter().map(|kind| (kind, Nulls::Allowed)).collect();
        let (way, cost) = if is_function { (Way::Lambda, 5) } else { (Way::Implement, 8) };
        if needs.is_empty() {
            return Some(Edge::value(Origin::Object(way), cost));
        }
        self.call(Origin::Object(way), needs, inside, cost)
    }
}

fn literal(value: Literal) -> Edge<Origin> {
    Edge::value(Origin::Literal(value), 0)
}

/// Whether something is called, and not only named.
fn is_call(by: &Origin) -> bool {
    matches!(by, Origin::Object(Way::Call(_) | Way::On(_)))
}

/// The type without what is left open in it.
fn concrete(kind: &Type) -> Type {
    match kind {
        Type::Variable(_) => Type::string(),
        Type::Wildcard(_) => concrete(&kind.opened()),
        Type::Array(element) => Type::Array(Box::new(concrete(element))),
        Type::Class(name, arguments) => Type::Class(name.clone(), arguments.iter().map(concrete).collect()),
        Type::Primitive(_) => kind.clone(),
    }
}
