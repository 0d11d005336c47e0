//! Conditions of a path, from terms over its unknowns.

use library::{Nature, Unknown};
use machine::symbolic::{By, REF, Symbolic};
use machine::{Machine, Origin, Ref};
use program::Kind;
use term::{Op, Sort, Term, signed};

use crate::condition::{Condition, Constant, Expression, Infix, Place};
use values::Parameter;
use values::input::fields_of;

/// Parts of an expression that are written out; what is longer becomes an ellipsis.
const LONGEST: u32 = 80;

/// A decision of a path.
#[derive(Clone, Debug)]
pub struct Decided {
    pub condition: Condition,
    pub by: By,
}

/// Writes terms over the unknowns of one path.
pub struct Explainer<'a> {
    pub m: &'a Machine,
    pub parameters: &'a [Parameter],
}

impl Explainer<'_> {
    fn symbolic(&self) -> &Symbolic {
        &self.m.symbolic
    }

    /// The decisions of the path, as conditions; what two decisions say twice is said once.
    pub fn conditions(&self) -> Vec<Condition> {
        self.decided().into_iter().map(|decided| decided.condition).collect()
    }

    /// The same, with who asked.
    pub fn decided(&self) -> Vec<Decided> {
        let mut found: Vec<Decided> = Vec::new();
        for (term, by) in self.symbolic().decided() {
            for part in self.conjuncts(term) {
                if self.says_nothing(part) {
                    continue;
                }
                let condition = Condition(self.expression(part));
                if !found.iter().any(|earlier| earlier.condition == condition) {
                    found.push(Decided { condition, by });
                }
            }
        }
        found
    }

    /// That a reference leads to the object that was made for it.
    fn says_nothing(&self, term: Term) -> bool {
        let node = self.m.terms().node(term);
        let (reference, object) = (Term(node.args[0]), Term(node.args[1]));
        let terms = self.m.terms();
        node.op == Op::Eq
            && terms.node(reference).op == Op::Var
            && terms.sort(reference) == REF
            && terms.known(object).and_then(|bits| self.m.entity_of(Ref(bits as u32))).is_some_and(|entity| {
                self.symbolic().entities()[entity as usize].variable == terms.node(reference).variable()
            })
    }

    fn conjuncts(&self, term: Term) -> Vec<Term> {
        let node = self.m.terms().node(term);
        if node.op == Op::And {
            let mut parts = self.conjuncts(Term(node.args[0]));
            parts.extend(self.conjuncts(Term(node.args[1])));
            parts
        } else {
            vec![term]
        }
    }

    /// A variable by the place it comes from.
    fn place(&self, number: u32) -> Place {
        Place { root: self.root(number), text: self.variable(number) }
    }

    /// The argument or choice that a variable is part of.
    fn root(&self, number: u32) -> String {
        match self.symbolic().variables()[number as usize].origin {
            Origin::Field { entity, .. }
            | Origin::Element { entity, .. }
            | Origin::Length { entity }
            | Origin::Result { entity, .. }
            | Origin::Made { entity, .. } => self.root(self.symbolic().entities()[entity as usize].variable),
            Origin::Parameter(_) | Origin::Choice { .. } | Origin::Internal => self.variable(number),
        }
    }

    fn variable(&self, number: u32) -> String {
        match self.symbolic().variables()[number as usize].origin {
            Origin::Parameter(index) => {
                self.parameters.get(index as usize).map_or_else(|| format!("arg{index}"), |p| p.name.clone())
            }
            Origin::Choice { number, .. } => {
                self.symbolic().asked_name(number).unwrap_or_else(|| format!("choice{}", number + 1))
            }
            Origin::Field { entity, offset } => {
                let owner = self.entity(entity);
                let class = self.symbolic().entities()[entity as usize].level;
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
            Origin::Made { entity, number } => format!("{}.part{}", self.entity(entity), number + 1),
            Origin::Internal => format!("v{number}"),
        }
    }

    fn shape(&self, entity: u32) -> Shape {
        let class = self.symbolic().entities()[entity as usize].types[0];
        if self.m.program.class(class).is_array() {
            return Shape::Array;
        }
        if class == self.m.known.string {
            return Shape::String;
        }
        let known = library::class(self.m.program.class_name(class));
        known.map_or(Shape::Other, |known| match (known.nature, known.unknown) {
            (_, Unknown::Letters) => Shape::String,
            (_, Unknown::Integer) => Shape::Number,
            (Nature::List, _) => Shape::List,
            (Nature::Optional, _) => Shape::Optional,
            (Nature::Map, _) => Shape::Map,
            _ => Shape::Other,
        })
    }

    /// An input object by the reference it was first met through.
    fn entity(&self, entity: u32) -> String {
        self.variable(self.symbolic().entities()[entity as usize].variable)
    }

    fn object(&self, bits: u64) -> Expression {
        if bits == 0 {
            return Expression::Constant(Constant::Null);
        }
        let object = Ref(bits as u32);
        if let Some(entity) = self.m.entity_of(object) {
            return Expression::Place(self.place(self.symbolic().entities()[entity as usize].variable));
        }
        let class = self.m.class_name_of(object).replace('/', ".");
        let simple = class.rsplit(['.', '$']).next().unwrap_or(&class).to_string();
        let is_enum = self.m.program.class(self.m.class_of(object)).flags & program::access::ENUM != 0;
        Expression::Constant(match is_enum {
            true => Constant::Enum(simple, self.m.constant_name(object)),
            false => Constant::Other(format!("a new {simple}")),
        })
    }

    /// The classes a test on the class variable of an entity allows.
    fn class_test(&self, variable: Term, bits: u64) -> Option<Expression> {
        let position = self.symbolic().entities().iter().position(|entity| entity.class == variable)?;
        let class = *self.symbolic().entities()[position].types.get(bits as usize)?;
        let name = self.m.program.class_name(class).replace('/', ".");
        let simple = name.rsplit(['.', '$']).next().unwrap_or(&name);
        let place = self.place(self.symbolic().entities()[position].variable);
        Some(Expression::InstanceOf(place, simple.to_string()))
    }

    fn constant(&self, sort: Sort, bits: u64, beside: Option<Term>) -> Expression {
        Expression::Constant(match sort {
            Sort::Bool => Constant::Truth(bits != 0),
            Sort::F32 => Constant::Other(float_text(f64::from(f32::from_bits(bits as u32)), "Float", "f")),
            Sort::F64 => Constant::Other(float_text(f64::from_bits(bits), "Double", "")),
            REF => return self.object(bits),
            Sort::Bv(16) if beside.is_some_and(|term| self.kind_of(term) == Some(Kind::Char)) => {
                Constant::Other(match char::from_u32(bits as u32) {
                    Some(c) if !c.is_control() && c != '\'' && c != '\\' => format!("'{c}'"),
                    _ => format!("'\\u{bits:04x}'"),
                })
            }
            Sort::Bv(64) => Constant::Number(bits as i64, true),
            Sort::Bv(width) => Constant::Number(signed(bits, u32::from(width)), false),
        })
    }

    /// The kind of a variable, looking through extensions.
    fn kind_of(&self, term: Term) -> Option<Kind> {
        let node = self.m.terms().node(term);
        match node.op {
            Op::Var => Some(self.symbolic().variables().get(node.variable() as usize)?.kind),
            Op::ZExt | Op::SExt => self.kind_of(Term(node.args[0])),
            _ => None,
        }
    }

    fn expression(&self, term: Term) -> Expression {
        let terms = self.m.terms();
        let node = *terms.node(term);
        let (a, b) = (Term(node.args[0]), Term(node.args[1]));
        let boxed = |term: Term| Box::new(self.part(term));
        let call = |name: &'static str, parts: &[Term]| {
            Expression::Call(name, parts.iter().map(|part| self.expression(*part)).collect())
        };
        match node.op {
            Op::Const => self.constant(node.sort, node.bits(), None),
            Op::Var => Expression::Place(self.place(node.variable())),
            Op::Not => {
                let inner = *terms.node(a);
                match inner.op {
                    Op::Eq => self.comparison(Infix::Differs, Term(inner.args[0]), Term(inner.args[1])),
                    Op::FEq => self.infix(Infix::Differs, Term(inner.args[0]), Term(inner.args[1])),
                    _ => Expression::Not(boxed(a)),
                }
            }
            Op::And => self.infix(Infix::And, a, b),
            Op::Or => self.infix(Infix::Or, a, b),
            Op::Ite => {
                let c = Term(node.args[2]);
                if let (Some(1), Some(0)) = (terms.known(b), terms.known(c)) {
                    return self.expression(a);
                }
                Expression::Choice(Box::new([self.part(a), self.part(b), self.part(c)]))
            }
            Op::Eq => self.comparison(Infix::Equal, a, b),
            Op::FEq => self.infix(Infix::Equal, a, b),
            Op::Slt | Op::Ult | Op::FLt => self.order(a, b, Infix::Less, Infix::Greater),
            Op::Sle | Op::Ule | Op::FLe => self.order(a, b, Infix::AtMost, Infix::AtLeast),
            Op::Add => match terms.known_signed(b) {
                Some(value) if value < 0 && value != i64::MIN && node.sort != Sort::F64 => {
                    let less = Expression::Constant(Constant::Number(-value, false));
                    Expression::Infix(Infix::Minus, Box::new([self.part(a), less]))
                }
                _ => self.infix(Infix::Plus, a, b),
            },
            Op::Sub if terms.known(a) == Some(0) => Expression::Minus(boxed(b)),
            Op::FAdd => self.infix(Infix::Plus, a, b),
            Op::Sub | Op::FSub => self.infix(Infix::Minus, a, b),
            Op::Mul | Op::FMul => self.infix(Infix::Times, a, b),
            Op::SDiv | Op::FDiv => self.infix(Infix::Divide, a, b),
            Op::SRem | Op::FRem => self.infix(Infix::Remainder, a, b),
            Op::UDiv => call("Integer.divideUnsigned", &[a, b]),
            Op::URem => call("Integer.remainderUnsigned", &[a, b]),
            Op::BAnd => self.infix(Infix::BitAnd, a, b),
            Op::BOr => self.infix(Infix::BitOr, a, b),
            Op::BXor => self.infix(Infix::BitXor, a, b),
            Op::Shl => self.infix(Infix::ShiftLeft, a, b),
            Op::LShr => self.infix(Infix::ShiftRightUnsigned, a, b),
            Op::AShr => self.infix(Infix::ShiftRight, a, b),
            // Widening is not written in Java.
            Op::SExt | Op::ZExt | Op::FToF if node.sort.width() >= terms.sort(a).width() => {
                self.expression(a)
            }
            Op::Extract | Op::SExt | Op::ZExt | Op::FToF | Op::FToS | Op::SToF => {
                let name = match node.sort {
                    Sort::Bv(8) => "byte",
                    Sort::Bv(16) => "short",
                    Sort::Bv(64) => "long",
                    Sort::F32 => "float",
                    Sort::F64 => "double",
                    _ => "int",
                };
                Expression::Cast(name, boxed(a))
            }
            Op::FNeg => Expression::Minus(boxed(a)),
            Op::FAbs => call("Math.abs", &[a]),
            Op::FSqrt => call("Math.sqrt", &[a]),
            Op::FBits if node.sort == Sort::INT => call("Float.floatToIntBits", &[a]),
            Op::FBits => call("Double.doubleToLongBits", &[a]),
            Op::BitsF if node.sort == Sort::F32 => call("Float.intBitsToFloat", &[a]),
            Op::BitsF => call("Double.longBitsToDouble", &[a]),
        }
    }

    /// Whether a term written out has more parts than anybody reads.
    fn is_long(&self, term: Term, left: &mut u32) -> bool {
        if *left == 0 {
            return true;
        }
        *left -= 1;
        self.m.terms().node(term).operands().any(|part| self.is_long(part, left))
    }

    /// A part of something larger.
    fn part(&self, term: Term) -> Expression {
        if self.is_long(term, &mut { LONGEST }) { Expression::Long } else { self.expression(term) }
    }

    fn infix(&self, operator: Infix, a: Term, b: Term) -> Expression {
        Expression::Infix(operator, Box::new([self.part(a), self.part(b)]))
    }

    fn comparison(&self, operator: Infix, a: Term, b: Term) -> Expression {
        let terms = self.m.terms();
        let Some(bits) = terms.known(b) else { return self.infix(operator, a, b) };
        match self.class_test(a, bits) {
            Some(test) if operator == Infix::Equal => test,
            Some(test) => Expression::Not(Box::new(test)),
            None => {
                let constant = self.constant(terms.sort(a), bits, Some(a));
                Expression::Infix(operator, Box::new([self.part(a), constant]))
            }
        }
    }

    /// A constant goes to the right, where people expect it.
    fn order(&self, a: Term, b: Term, operator: Infix, turned: Infix) -> Expression {
        let terms = self.m.terms();
        let (left, operator, right) =
            if terms.known(a).is_some() { (b, turned, a) } else { (a, operator, b) };
        match terms.known(right) {
            Some(bits) => {
                let constant = self.constant(terms.sort(a), bits, Some(left));
                Expression::Infix(operator, Box::new([self.part(left), constant]))
            }
            None => self.infix(operator, left, right),
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
