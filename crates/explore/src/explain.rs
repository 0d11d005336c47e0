//! Conditions and unknowns as a Java programmer would write them.

use machine::symbolic::{REF, Symbolic};
use machine::{Machine, Origin, Ref};
use program::Kind;
use term::{Op, Sort, Term, signed};

use values::Parameter;
use values::input::{Container, container, fields_of};

/// Parts of an expression that are written out; what is longer becomes an ellipsis.
const LONGEST: u32 = 80;

/// Writes terms over the unknowns of one path.
pub struct Explainer<'a> {
    pub m: &'a Machine,
    pub parameters: &'a [Parameter],
}

/// How tightly an expression holds together: outer operators have lower numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tight {
    Choice,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Order,
    Shift,
    Sum,
    Product,
    Prefix,
    Atom,
}

impl Explainer<'_> {
    fn symbolic(&self) -> &Symbolic {
        &self.m.symbolic
    }

    /// The decisions of the path, as conditions; what two decisions say twice is said once.
    pub fn conditions(&self) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for term in self.symbolic().decisions() {
            for part in self.conjuncts(term) {
                if self.says_nothing(part) {
                    continue;
                }
                let (text, tight) = self.write(part);
                let text = if tight < Tight::And { format!("({text})") } else { text };
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
        texts
    }

    /// That a reference leads to the object that was made for it.
    fn says_nothing(&self, term: Term) -> bool {
        let node = self.symbolic().terms.node(term);
        let (reference, object) = (Term(node.args[0]), Term(node.args[1]));
        let terms = &self.symbolic().terms;
        node.op == Op::Eq
            && terms.node(reference).op == Op::Var
            && terms.sort(reference) == REF
            && terms.known(object).and_then(|bits| self.m.entity_of(Ref(bits as u32))).is_some_and(|entity| {
                self.symbolic().entities[entity as usize].variable == terms.node(reference).variable()
            })
    }

    fn conjuncts(&self, term: Term) -> Vec<Term> {
        let node = self.symbolic().terms.node(term);
        if node.op == Op::And {
            let mut parts = self.conjuncts(Term(node.args[0]));
            parts.extend(self.conjuncts(Term(node.args[1])));
            parts
        } else {
            vec![term]
        }
    }

    /// One condition.
    pub fn condition(&self, term: Term) -> String {
        self.write(term).0
    }

    /// A variable by the place it comes from.
    pub fn variable(&self, number: u32) -> String {
        match self.symbolic().variables[number as usize].origin {
            Origin::Parameter(index) => {
                self.parameters.get(index as usize).map_or_else(|| format!("arg{index}"), |p| p.name.clone())
            }
            Origin::Choice { number, .. } => format!("choice{}", number + 1),
            Origin::Field { entity, offset } => {
                let owner = self.entity(entity);
                let class = self.symbolic().entities[entity as usize].level;
                let field = fields_of(self.m, class).into_iter().find(|field| field.1 == offset);
                match field {
                    Some((name, ..)) if owner == "this" => format!("this.{name}"),
                    Some((name, ..)) => format!("{owner}.{name}"),
                    None => format!("{owner}.getClass()"),
                }
            }
            Origin::Element { entity, index } => {
                let owner = self.entity(entity);
                match self.shape(entity) {
                    Shape::Array => format!("{owner}[{index}]"),
                    Shape::String => format!("{owner}.charAt({index})"),
                    Shape::List => format!("{owner}.get({index})"),
                    Shape::Other => format!("{owner}.element{}", index + 1),
                    Shape::Map if index % 2 == 0 => format!("{owner}.key{}", index / 2 + 1),
                    Shape::Map => format!("{owner}.value{}", index / 2 + 1),
                    Shape::Number => owner,
                    Shape::Optional => format!("{owner}.orElse(null)"),
                }
            }
            Origin::Length { entity } => {
                let owner = self.entity(entity);
                match self.shape(entity) {
                    Shape::Array => format!("{owner}.length"),
                    Shape::String => format!("{owner}.length()"),
                    _ => format!("{owner}.size()"),
                }
            }
            Origin::Result { entity, call } => format!("{}.call{}", self.entity(entity), call + 1),
            Origin::Internal => format!("v{number}"),
        }
    }

    fn shape(&self, entity: u32) -> Shape {
        let class = self.symbolic().entities[entity as usize].types[0];
        if self.m.program.class(class).is_array() {
            return Shape::Array;
        }
        let name = self.m.program.class_name(class).replace('/', ".");
        match (name.as_str(), container(&name)) {
            ("java.lang.String" | "java.lang.StringBuilder" | "java.lang.StringBuffer", _) => Shape::String,
            ("java.math.BigInteger", _) => Shape::Number,
            ("java.util.ArrayList" | "java.util.LinkedList", _) => Shape::List,
            (_, Some(Container::Optional)) => Shape::Optional,
            (_, Some(Container::Map)) => Shape::Map,
            _ => Shape::Other,
        }
    }

    /// An input object by the reference it was first met through.
    fn entity(&self, entity: u32) -> String {
        self.variable(self.symbolic().entities[entity as usize].variable)
    }

    fn object(&self, bits: u64) -> String {
        if bits == 0 {
            return "null".into();
        }
        let object = Ref(bits as u32);
        match self.m.entity_of(object) {
            Some(entity) => self.entity(entity),
            None => {
                let class = self.m.class_name_of(object).replace('/', ".");
                let simple = class.rsplit(['.', '$']).next().unwrap_or(&class).to_string();
                if self.m.program.class(self.m.class_of(object)).flags & program::access::ENUM != 0 {
                    return format!("{simple}.{}", self.m.constant_name(object));
                }
                format!("a new {simple}")
            }
        }
    }

    /// The classes a test on the class variable of an entity allows.
    fn class_test(&self, variable: Term, bits: u64) -> Option<String> {
        let position = self.symbolic().entities.iter().position(|entity| entity.class == variable)?;
        let class = *self.symbolic().entities[position].types.get(bits as usize)?;
        let name = self.m.program.class_name(class).replace('/', ".");
        let simple = name.rsplit(['.', '$']).next().unwrap_or(&name);
        Some(format!("{} instanceof {simple}", self.entity(position as u32)))
    }

    fn constant(&self, sort: Sort, bits: u64, beside: Option<Term>) -> String {
        match sort {
            Sort::Bool => (bits != 0).to_string(),
            Sort::F32 => float_text(f64::from(f32::from_bits(bits as u32)), "Float", "f"),
            Sort::F64 => float_text(f64::from_bits(bits), "Double", ""),
            REF => self.object(bits),
            Sort::Bv(16) if beside.is_some_and(|term| self.kind_of(term) == Some(Kind::Char)) => {
                match char::from_u32(bits as u32) {
                    Some(c) if !c.is_control() && c != '\'' && c != '\\' => format!("'{c}'"),
                    _ => format!("'\\u{bits:04x}'"),
                }
            }
            Sort::Bv(64) => format!("{}L", bits as i64),
            Sort::Bv(width) => signed(bits, u32::from(width)).to_string(),
        }
    }

    /// The kind of a variable, looking through extensions.
    fn kind_of(&self, term: Term) -> Option<Kind> {
        let node = self.symbolic().terms.node(term);
        match node.op {
            Op::Var => Some(self.symbolic().variables.get(node.variable() as usize)?.kind),
            Op::ZExt | Op::SExt => self.kind_of(Term(node.args[0])),
            _ => None,
        }
    }

    fn write(&self, term: Term) -> (String, Tight) {
        let terms = &self.symbolic().terms;
        let node = *terms.node(term);
        let (a, b) = (Term(node.args[0]), Term(node.args[1]));
        let atom = |text: String| (text, Tight::Atom);
        match node.op {
            Op::Const => {
                let text = self.constant(node.sort, node.bits(), None);
                let tight = if text.starts_with('-') { Tight::Prefix } else { Tight::Atom };
                (text, tight)
            }
            Op::Var => atom(self.variable(node.variable())),
            Op::Not => {
                let inner = *terms.node(a);
                match inner.op {
                    Op::Eq => {
                        self.comparison("!=", Tight::Equality, Term(inner.args[0]), Term(inner.args[1]))
                    }
                    Op::FEq => self.infix("!=", Tight::Equality, Term(inner.args[0]), Term(inner.args[1])),
                    _ => (format!("!{}", self.within(a, Tight::Prefix)), Tight::Prefix),
                }
            }
            Op::And => self.infix("&&", Tight::And, a, b),
            Op::Or => self.infix("||", Tight::Or, a, b),
            Op::Ite => {
                if let (Some(1), Some(0)) = (terms.known(b), terms.known(Term(node.args[2]))) {
                    return self.write(a);
                }
                let text = format!(
                    "{} ? {} : {}",
                    self.within(a, Tight::Or),
                    self.within(b, Tight::Or),
                    self.within(Term(node.args[2]), Tight::Choice)
                );
                (text, Tight::Choice)
            }
            Op::Eq => self.comparison("==", Tight::Equality, a, b),
            Op::FEq => self.infix("==", Tight::Equality, a, b),
            Op::Slt | Op::Ult | Op::FLt => self.order(a, b, "<", ">"),
            Op::Sle | Op::Ule | Op::FLe => self.order(a, b, "<=", ">="),
            Op::Add => match terms.known_signed(b) {
                Some(value) if value < 0 && value != i64::MIN && node.sort != Sort::F64 => {
                    (format!("{} - {}", self.within(a, Tight::Sum), -value), Tight::Sum)
                }
                _ => self.infix("+", Tight::Sum, a, b),
            },
            Op::Sub if terms.known(a) == Some(0) => {
                (format!("-{}", self.within(b, Tight::Prefix)), Tight::Prefix)
            }
            Op::FAdd => self.infix("+", Tight::Sum, a, b),
            Op::Sub | Op::FSub => self.infix("-", Tight::Sum, a, b),
            Op::Mul | Op::FMul => self.infix("*", Tight::Product, a, b),
            Op::SDiv | Op::FDiv => self.infix("/", Tight::Product, a, b),
            Op::SRem | Op::FRem => self.infix("%", Tight::Product, a, b),
            Op::UDiv => atom(format!("Integer.divideUnsigned({}, {})", self.write(a).0, self.write(b).0)),
            Op::URem => atom(format!("Integer.remainderUnsigned({}, {})", self.write(a).0, self.write(b).0)),
            Op::BAnd => self.infix("&", Tight::BitAnd, a, b),
            Op::BOr => self.infix("|", Tight::BitOr, a, b),
            Op::BXor => self.infix("^", Tight::BitXor, a, b),
            Op::Shl => self.infix("<<", Tight::Shift, a, b),
            Op::LShr => self.infix(">>>", Tight::Shift, a, b),
            Op::AShr => self.infix(">>", Tight::Shift, a, b),
            // Widening is not written in Java.
            Op::SExt | Op::ZExt | Op::FToF if node.sort.width() >= terms.sort(a).width() => self.write(a),
            Op::Extract | Op::SExt | Op::ZExt | Op::FToF | Op::FToS | Op::SToF => {
                let name = match node.sort {
                    Sort::Bv(8) => "byte",
                    Sort::Bv(16) => "short",
                    Sort::Bv(64) => "long",
                    Sort::F32 => "float",
                    Sort::F64 => "double",
                    _ => "int",
                };
                (format!("({name}) {}", self.within(a, Tight::Prefix)), Tight::Prefix)
            }
            Op::FNeg => (format!("-{}", self.within(a, Tight::Prefix)), Tight::Prefix),
            Op::FAbs => atom(format!("Math.abs({})", self.write(a).0)),
            Op::FSqrt => atom(format!("Math.sqrt({})", self.write(a).0)),
            Op::FBits if node.sort == Sort::INT => atom(format!("Float.floatToIntBits({})", self.write(a).0)),
            Op::FBits => atom(format!("Double.doubleToLongBits({})", self.write(a).0)),
            Op::BitsF if node.sort == Sort::F32 => atom(format!("Float.intBitsToFloat({})", self.write(a).0)),
            Op::BitsF => atom(format!("Double.longBitsToDouble({})", self.write(a).0)),
        }
    }

    /// Whether a term written out has more parts than anybody reads.
    fn is_long(&self, term: Term, left: &mut u32) -> bool {
        if *left == 0 {
            return true;
        }
        *left -= 1;
        self.symbolic().terms.node(term).operands().any(|part| self.is_long(part, left))
    }

    fn within(&self, term: Term, outer: Tight) -> String {
        if self.is_long(term, &mut { LONGEST }) {
            return "\u{2026}".into();
        }
        let (text, tight) = self.write(term);
        if tight < outer { format!("({text})") } else { text }
    }

    fn infix(&self, operator: &str, tight: Tight, a: Term, b: Term) -> (String, Tight) {
        let right = {
            let (text, own) = if self.is_long(b, &mut { LONGEST }) {
                ("\u{2026}".into(), Tight::Atom)
            } else {
                self.write(b)
            };
            // The right operand of - and / must not be taken apart.
            if own < tight || own == tight && !matches!(operator, "+" | "*" | "&&" | "||" | "&" | "|" | "^") {
                format!("({text})")
            } else {
                text
            }
        };
        (format!("{} {operator} {right}", self.within(a, tight)), tight)
    }

    fn comparison(&self, operator: &str, tight: Tight, a: Term, b: Term) -> (String, Tight) {
        let terms = &self.symbolic().terms;
        let sort = terms.sort(a);
        if let Some(bits) = terms.known(b) {
            if let Some(test) = self.class_test(a, bits) {
                return if operator == "==" {
                    (test, Tight::Order)
                } else {
                    (format!("!({test})"), Tight::Prefix)
                };
            }
            let text = format!("{} {operator} {}", self.within(a, tight), self.constant(sort, bits, Some(a)));
            return (text, tight);
        }
        self.infix(operator, tight, a, b)
    }

    /// A constant goes to the right, where people expect it.
    fn order(&self, a: Term, b: Term, operator: &str, turned: &str) -> (String, Tight) {
        let terms = &self.symbolic().terms;
        let sort = terms.sort(a);
        let (left, operator, right) =
            if terms.known(a).is_some() { (b, turned, a) } else { (a, operator, b) };
        match terms.known(right) {
            Some(bits) => {
                // `x <= 4` was `x < 5` in the source more often than not; keep what is shorter to read.
                let text = self.constant(sort, bits, Some(left));
                (format!("{} {operator} {text}", self.within(left, Tight::Order)), Tight::Order)
            }
            None => self.infix(operator, Tight::Order, left, right),
        }
    }
}

enum Shape {
    Array,
    String,
    List,
    Map,
    /// A set or queue.
    Other,
    Optional,
    Number,
}

fn float_text(value: f64, class: &str, suffix: &str) -> String {
    if value.is_nan() {
        format!("{class}.NaN")
    } else if value.is_infinite() {
        format!("{class}.{}_INFINITY", if value > 0.0 { "POSITIVE" } else { "NEGATIVE" })
    } else {
        format!("{value:?}{suffix}")
    }
}
