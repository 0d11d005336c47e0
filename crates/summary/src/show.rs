//! Summaries as text: conditions as a Java programmer would write them.

use machine::Machine;
use machine::symbolic::REF;
use program::MethodId;
use program::descriptor::split_method;
use term::{Op, Sort, Term, signed};

use crate::case::{Case, Effect, Meaning, Place, Summary};

/// A case in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// What holds for numbers, and what for references.
    pub conditions: Vec<String>,
    pub heap: Vec<String>,
    /// What becomes of the call.
    pub effects: Vec<String>,
    /// Which cases of other methods do the calls inside, in the order of the calls.
    pub schedule: Vec<String>,
}

/// The cases of a summary in words.
pub fn show(m: &Machine, summary: &Summary) -> Vec<Shown> {
    let writer = Writer { m, summary };
    summary.cases.iter().map(|case| writer.case(case)).collect()
}

struct Writer<'a> {
    m: &'a Machine,
    summary: &'a Summary,
}

impl Writer<'_> {
    fn case(&self, case: &Case) -> Shown {
        let (mut conditions, mut heap) = (Vec::new(), Vec::new());
        for decision in &case.decisions {
            let text = self.whole(decision.condition);
            if self.is_about_references(decision.condition) { heap.push(text) } else { conditions.push(text) }
        }
        let effects = match &case.effect {
            Effect::Returns { result, writes, .. } => {
                let mut effects: Vec<String> = writes
                    .iter()
                    .map(|write| format!("{} = {}", self.place_text(write.to), self.whole(write.value)))
                    .collect();
                effects
                    .push(result.map_or("return".into(), |result| format!("return {}", self.whole(result))));
                effects
            }
            Effect::Runs => vec!["the body, with nothing left to decide".into()],
            Effect::Beyond => vec!["more elements than are looked at".into()],
        };
        let schedule = case.schedule.iter().map(|(method, case)| format!("{case} of {}", self.name(*method)));
        Shown { conditions, heap, effects, schedule: schedule.collect() }
    }

    fn name(&self, method: MethodId) -> &str {
        self.m.program.text(self.m.program.method(method).name)
    }

    fn is_about_references(&self, term: Term) -> bool {
        let node = self.m.terms().node(term);
        match node.op {
            Op::Eq => self.m.terms().sort(Term(node.args[0])) == REF,
            Op::Not | Op::And | Op::Or => node.operands().any(|operand| self.is_about_references(operand)),
            Op::Var => matches!(Meaning::of(node.variable()), Meaning::Exists(_)),
            _ => false,
        }
    }

    /// A term that nothing is around.
    fn whole(&self, term: Term) -> String {
        let text = self.text(term);
        match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            Some(inner) if is_balanced(inner) => inner.to_string(),
            _ => text,
        }
    }

    fn text(&self, term: Term) -> String {
        let node = self.m.terms().node(term);
        let operands: Vec<Term> = node.operands().collect();
        let infix = |sign: &str| format!("({} {sign} {})", self.text(operands[0]), self.text(operands[1]));
        match node.op {
            Op::Const => constant(node.sort, node.bits()),
            Op::Var => match Meaning::of(node.variable()) {
                Meaning::Value(place) | Meaning::Object(place) => self.numbered(place),
                Meaning::Exists(place) => format!("{} is new", self.numbered(place)),
            },
            Op::Not => {
                let inner = self.m.terms().node(operands[0]);
                if inner.op == Op::Eq {
                    let sides: Vec<Term> = inner.operands().collect();
                    return format!("({} != {})", self.text(sides[0]), self.text(sides[1]));
                }
                format!("!{}", self.text(operands[0]))
            }
            Op::Ite if self.is_one(operands[1], 1) && self.is_one(operands[2], 0) => self.text(operands[0]),
            Op::Ite => {
                let [condition, then, other] = [0, 1, 2].map(|index| self.text(operands[index]));
                format!("({condition} ? {then} : {other})")
            }
            Op::And => infix("&&"),
            Op::Or => infix("||"),
            Op::Eq | Op::FEq => infix("=="),
            Op::Slt | Op::Ult | Op::FLt => infix("<"),
            Op::Sle | Op::Ule | Op::FLe => infix("<="),
            Op::Sub if self.is_one(operands[0], 0) => format!("-{}", self.text(operands[1])),
            Op::Add | Op::FAdd => infix("+"),
            Op::Sub | Op::FSub => infix("-"),
            Op::Mul | Op::FMul => infix("*"),
            Op::SDiv | Op::UDiv | Op::FDiv => infix("/"),
            Op::SRem | Op::URem | Op::FRem => infix("%"),
            Op::BAnd => infix("&"),
            Op::BOr => infix("|"),
            Op::BXor => infix("^"),
            Op::Shl => infix("<<"),
            Op::AShr => infix(">>"),
            Op::LShr => infix(">>>"),
            Op::FNeg => format!("-{}", self.text(operands[0])),
            Op::SExt | Op::ZExt => self.text(operands[0]),
            Op::Extract => format!("({}) {}", width(node.sort), self.text(operands[0])),
            op => {
                let operands: Vec<String> = operands.iter().map(|operand| self.whole(*operand)).collect();
                format!("{op:?}({})", operands.join(", "))
            }
        }
    }

    fn is_one(&self, term: Term, bits: u64) -> bool {
        self.m.terms().known(term) == Some(bits)
    }

    fn numbered(&self, place: u32) -> String {
        self.place_text(self.summary.places[place as usize])
    }

    fn place_text(&self, place: Place) -> String {
        match place {
            Place::Argument { number, slot, .. } => self.argument(number, slot),
            Place::Field { of, owner, offset, .. } => {
                let fields = &self.m.program.class(owner).fields;
                let field = fields.iter().find(|field| !field.is_static() && field.offset == offset);
                let name = field.map_or("?", |field| self.m.program.text(field.name));
                format!("{}.{name}", self.numbered(of))
            }
            Place::Element { of, index, .. } => format!("{}[{index}]", self.numbered(of)),
            Place::Length { of } => format!("{}.length", self.numbered(of)),
        }
    }

    /// The name of an argument, from debug information where there is some.
    fn argument(&self, number: u32, register: u16) -> String {
        let method = self.m.program.method(self.summary.method);
        if !method.is_static() && number == 0 {
            return "this".into();
        }
        // A wide argument takes two registers, as it takes two slots of the locals.
        let locals = self.m.program.locals(method.id, 0);
        let local = locals.iter().find(|local| local.slot == register);
        local.map_or_else(
            || format!("arg{}", number - u32::from(!method.is_static())),
            |local| local.name.clone(),
        )
    }
}

/// The title of a method: `Fares.clamp(int, int, int)`.
pub fn title(m: &Machine, method: MethodId) -> String {
    let declared = m.program.method(method);
    let class = m.program.class_name(declared.class);
    let class = class.rsplit('/').next().unwrap_or(class);
    let types = split_method(m.program.text(declared.descriptor)).map_or(Vec::new(), |split| split.0);
    let types: Vec<String> = types
        .iter()
        .map(|text| {
            let full = machine::external_type(text);
            full.rsplit('.').next().unwrap_or(&full).to_string()
        })
        .collect();
    format!("{class}.{}({})", m.program.text(declared.name), types.join(", "))
}

fn constant(sort: Sort, bits: u64) -> String {
    match sort {
        Sort::Bool => (bits != 0).to_string(),
        Sort::F32 => f32::from_bits(bits as u32).to_string(),
        Sort::F64 => f64::from_bits(bits).to_string(),
        REF if bits == 0 => "null".into(),
        sort => signed(bits, sort.width()).to_string(),
    }
}

fn width(sort: Sort) -> &'static str {
    match sort.width() {
        8 => "byte",
        16 => "short",
        32 => "int",
        _ => "bits",
    }
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0i32;
    text.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    })
}
