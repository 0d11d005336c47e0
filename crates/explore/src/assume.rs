//! Assumptions about inputs: heap assumptions, `@Requires`, and methods that are an `@Invariant`.

use machine::symbolic::{REF, sort_of};
use machine::{Assumption, Machine, Raise};
use program::{ClassId, Kind, MethodId};
use term::{Op, Sort, Term};

use crate::Wrong;
use crate::enter;
use crate::expression::{self, Expression, Operator};
use crate::history::History;
use values::{Parameter, Reason};

const REQUIRES: &str = "shakedown/Requires";
const INVARIANT: &str = "shakedown/Invariant";

/// `acyclic(this)`, `nonsharing(a, b.next)` or `nonaliasing(a, b)`, as it was written and what it means.
#[derive(Clone, Debug)]
pub struct HeapAssumption {
    pub(crate) text: String,
    kind: Option<Assumption>,
    roots: Vec<Expression>,
}

/// Why a method is not called.
pub enum Refused {
    /// An assumption makes no sense for it: the user's mistake.
    Because(Wrong),
    Raise(Raise),
}

impl Refused {
    /// The reason, or the user's mistake.
    pub fn reason(self, m: &mut Machine) -> Result<Reason, Wrong> {
        match self {
            Refused::Because(why) => Err(why),
            Refused::Raise(raise) => Ok(Reason::raised(m, raise)),
        }
    }
}

impl From<Raise> for Refused {
    fn from(raise: Raise) -> Refused {
        Refused::Raise(raise)
    }
}

/// Reads a heap assumption.
pub fn parse_heap(text: &str) -> Result<HeapAssumption, Wrong> {
    let (name, roots) = expression::parse_call(text).map_err(|mistake| {
        format!("`{text}`: {mistake}; write acyclic(a), nonsharing(a, b) or nonaliasing(a, b)")
    })?;
    let (kind, count) = match name.as_str() {
        "acyclic" => (Some(Assumption::Acyclic), 1),
        "nonsharing" => (Some(Assumption::NonSharing), 2),
        "nonaliasing" => (None, 2),
        _ => {
            let message = format!("`{name}` is no assumption; there are acyclic, nonsharing and nonaliasing");
            return Err(message.into());
        }
    };
    if roots.len() != count {
        return Err(format!("{name} takes {count} reference{}", if count == 1 { "" } else { "s" }).into());
    }
    Ok(HeapAssumption { text: text.to_string(), kind, roots })
}

/// Calls a method with unknown arguments about which everything is assumed that there is to assume.
pub fn enter(m: &mut Machine, method: MethodId, heap: &[HeapAssumption]) -> Result<Vec<Parameter>, Refused> {
    let parameters = enter::arguments(m, method)?;
    assume(m, method, &parameters, heap)?;
    ask_invariants(m, method, &parameters)?;
    enter::call(m, method, &parameters)?;
    Ok(parameters)
}

/// The same in whatever static state others left.
pub fn enter_from(
    m: &mut Machine,
    method: MethodId,
    history: &History,
    heap: &[HeapAssumption],
) -> Result<Vec<Parameter>, Refused> {
    let parameters = history.arguments(m, method)?;
    assume(m, method, &parameters, heap)?;
    ask_invariants(m, method, &parameters)?;
    enter::call(m, history.method, &parameters)?;
    Ok(parameters)
}

/// Makes all assumptions about the inputs of a method, before it is entered.
fn assume(
    m: &mut Machine,
    method: MethodId,
    parameters: &[Parameter],
    heap: &[HeapAssumption],
) -> Result<(), Refused> {
    for assumption in heap {
        let named = |why: String| Refused::Because(Wrong::from(why).about(&assumption.text));
        let mut roots = Vec::new();
        for root in &assumption.roots {
            let value = evaluate(m, parameters, root, &named)?;
            if value.kind != Kind::Ref {
                return Err(named("only references can be cyclic or shared".into()));
            }
            roots.push(value.term);
        }
        match assumption.kind {
            Some(kind) => m.assume_heap(kind, &roots)?,
            None => m.assume_apart(roots[0], roots[1])?,
        }
    }
    for annotation in m.program.annotations(method) {
        if annotation.class != REQUIRES {
            continue;
        }
        for (_, text) in annotation.texts.iter().filter(|(name, _)| name == "value") {
            let whose = format!("@Requires(\"{text}\")");
            let named = |why: String| Refused::Because(Wrong::from(why).about(&whose));
            let expression = expression::parse(text)
                .map_err(|mistake| Refused::Because(Wrong::unreadable(&whose, text, &mistake)))?;
            let value = evaluate(m, parameters, &expression, &named)?;
            if value.kind != Kind::Boolean {
                return Err(named("this is not a condition".into()));
            }
            let holds = m.terms_mut().and(value.defined, value.term);
            m.symbolic.learn(holds);
        }
    }
    Ok(())
}

/// Lets the invariants of what is given run, before the method does.
fn ask_invariants(m: &mut Machine, method: MethodId, parameters: &[Parameter]) -> Result<(), Raise> {
    let declared = m.program.method(method);
    let has_receiver = !declared.is_static();
    let is_invariant = m.program.annotations(method).iter().any(|annotation| annotation.class == INVARIANT);
    for (index, parameter) in parameters.iter().enumerate() {
        // An invariant is not its own condition, and what is known from the start is no input.
        let own = index == 0 && has_receiver && is_invariant;
        if !own && parameter.kind == Kind::Ref && parameter.term.is_some() {
            let class = m.load_descriptor(&parameter.descriptor)?;
            m.ask_invariants(class, parameter.words[0]);
        }
    }
    Ok(())
}

/// A part of an expression: its value, and when it has one.
struct Part {
    term: Term,
    kind: Kind,
    class: Option<ClassId>,
    defined: Term,
}

type Named<'a> = &'a dyn Fn(String) -> Refused;

fn evaluate(
    m: &mut Machine,
    parameters: &[Parameter],
    expression: &Expression,
    named: Named,
) -> Result<Part, Refused> {
    m.without_deciding(|m| value(m, parameters, expression, named))
}

fn value(
    m: &mut Machine,
    parameters: &[Parameter],
    expression: &Expression,
    named: Named,
) -> Result<Part, Refused> {
    let plain = |term: Term, kind: Kind| Part { term, kind, class: None, defined: Term::TRUE };
    let terms = m.terms_mut();
    match expression {
        Expression::Int(number) => Ok(plain(terms.int(*number), Kind::Int)),
        Expression::Long(number) => Ok(plain(terms.constant(Sort::LONG, *number as u64), Kind::Long)),
        Expression::Double(number) => Ok(plain(terms.constant(Sort::F64, number.to_bits()), Kind::Double)),
        Expression::Boolean(truth) => Ok(plain(if *truth { Term::TRUE } else { Term::FALSE }, Kind::Boolean)),
        Expression::Null => Ok(plain(terms.constant(REF, 0), Kind::Ref)),
        Expression::Name(name) => match parameters.iter().find(|parameter| parameter.name == *name) {
            Some(parameter) => {
                let Some(term) = parameter.term else {
                    return Err(named(format!("nothing is known about `{name}` before the method")));
                };
                let class = if parameter.kind == Kind::Ref {
                    Some(m.load_descriptor(&parameter.descriptor)?)
                } else {
                    None
                };
                Ok(shaped(m, term, parameter.kind, class, Term::TRUE))
            }
            // As in Java, a field of the receiver needs no `this`.
            None if parameters.first().is_some_and(|p| p.name == "this" && p.term.is_some()) => {
                let this = Expression::Name("this".into());
                field(m, parameters, &this, name, named)
            }
            None => {
                let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
                Err(named(format!("no parameter `{name}`; there is {}", names.join(", "))))
            }
        },
        Expression::Field(owner, name) => field(m, parameters, owner, name, named),
        Expression::Not(inner) => {
            let inner = value(m, parameters, inner, named)?;
            if inner.kind != Kind::Boolean {
                return Err(named("`!` needs a condition".into()));
            }
            Ok(Part { term: m.terms_mut().not(inner.term), ..inner })
        }
        Expression::Minus(inner) => {
            let inner = value(m, parameters, inner, named)?;
            let terms = m.terms_mut();
            let term = match inner.kind {
                Kind::Double => terms.unary(Op::FNeg, Sort::F64, inner.term),
                Kind::Int | Kind::Long => {
                    let zero = terms.constant(sort_of(inner.kind), 0);
                    terms.binary(Op::Sub, zero, inner.term)
                }
                _ => return Err(named("`-` needs a number".into())),
            };
            Ok(Part { term, ..inner })
        }
        Expression::Binary(operator, left, right) => {
            let left = value(m, parameters, left, named)?;
            let right = value(m, parameters, right, named)?;
            binary(m, *operator, left, right, named)
        }
    }
}

/// Booleans as conditions, small numbers as `int`, `float` as `double`.
fn shaped(m: &mut Machine, term: Term, kind: Kind, class: Option<ClassId>, defined: Term) -> Part {
    let terms = m.terms_mut();
    let (term, kind) = match kind {
        Kind::Boolean => {
            let zero = terms.is(term, 0);
            (terms.not(zero), Kind::Boolean)
        }
        Kind::Float => (terms.unary(Op::FToF, Sort::F64, term), Kind::Double),
        Kind::Byte | Kind::Char | Kind::Short => (term, Kind::Int),
        kind => (term, kind),
    };
    Part { term, kind, class, defined }
}

fn field(
    m: &mut Machine,
    parameters: &[Parameter],
    owner: &Expression,
    name: &str,
    named: Named,
) -> Result<Part, Refused> {
    let owner = value(m, parameters, owner, named)?;
    let Some(class) = owner.class else {
        return Err(named(format!("`{name}` is asked of a value without fields")));
    };
    let null = m.is_null_term(owner.term);
    let terms = m.terms_mut();
    let not_null = terms.not(null);
    let defined = terms.and(owner.defined, not_null);
    if m.program.class(class).is_array() {
        if name != "length" {
            return Err(named(format!("an array has no field `{name}`, only `length`")));
        }
        let length = m.length_of(owner.term)?;
        return Ok(Part { term: length, kind: Kind::Int, class: None, defined });
    }
    let Some(found) = m.program.field_named(class, name).filter(|field| !field.is_static()).cloned() else {
        let class = m.program.class_name(class).replace('/', ".");
        return Err(named(format!("{class} has no field `{name}`")));
    };
    let descriptor = m.program.text(found.descriptor).to_string();
    let wide = found.kind.width() == 2;
    let (word, tag) = m.read_field(owner.term, found.class, found.offset, wide)?;
    let sort = sort_of(found.kind);
    let term = if wide { m.wide_term(word, tag, sort)? } else { m.word_term(word, sort)? };
    let class = if found.kind == Kind::Ref { Some(m.load_descriptor(&descriptor)?) } else { None };
    Ok(shaped(m, term, found.kind, class, defined))
}

fn binary(
    m: &mut Machine,
    operator: Operator,
    left: Part,
    right: Part,
    named: Named,
) -> Result<Part, Refused> {
    let terms = m.terms_mut();
    let both = terms.and(left.defined, right.defined);
    let condition = |term: Term, defined: Term| Part { term, kind: Kind::Boolean, class: None, defined };
    if matches!(operator, Operator::And | Operator::Or) {
        if left.kind != Kind::Boolean || right.kind != Kind::Boolean {
            return Err(named("`&&` and `||` need conditions on both sides".into()));
        }
        // The right side counts only where the left one does not decide.
        let (term, decided) = if operator == Operator::And {
            (terms.and(left.term, right.term), terms.not(left.term))
        } else {
            (terms.or(left.term, right.term), left.term)
        };
        let right = terms.or(decided, right.defined);
        let defined = terms.and(left.defined, right);
        return Ok(condition(term, defined));
    }
    let equality = matches!(operator, Operator::Eq | Operator::Ne);
    if left.kind == right.kind && matches!(left.kind, Kind::Ref | Kind::Boolean) && equality {
        let same = if left.kind == Kind::Ref {
            m.same_reference(left.term, right.term)
        } else {
            terms.eq(left.term, right.term)
        };
        let term = if operator == Operator::Eq { same } else { m.terms_mut().not(same) };
        return Ok(condition(term, both));
    }
    let number = |kind: Kind| matches!(kind, Kind::Int | Kind::Long | Kind::Double);
    if !number(left.kind) || !number(right.kind) {
        return Err(named("the two sides of an operator do not fit".into()));
    }
    let kind = if left.kind == Kind::Double || right.kind == Kind::Double {
        Kind::Double
    } else if left.kind == Kind::Long || right.kind == Kind::Long {
        Kind::Long
    } else {
        Kind::Int
    };
    let (a, b) = (widened(m, &left, kind), widened(m, &right, kind));
    let terms = m.terms_mut();
    let float = kind == Kind::Double;
    let pick = |whole: Op, floating: Op| if float { floating } else { whole };
    let arithmetic = match operator {
        Operator::Add => pick(Op::Add, Op::FAdd),
        Operator::Sub => pick(Op::Sub, Op::FSub),
        Operator::Mul => pick(Op::Mul, Op::FMul),
        Operator::Div => pick(Op::SDiv, Op::FDiv),
        Operator::Rem => pick(Op::SRem, Op::FRem),
        _ => {
            let (equal, less, at_most) =
                (pick(Op::Eq, Op::FEq), pick(Op::Slt, Op::FLt), pick(Op::Sle, Op::FLe));
            let term = match operator {
                Operator::Eq => terms.binary(equal, a, b),
                Operator::Ne => {
                    let same = terms.binary(equal, a, b);
                    terms.not(same)
                }
                Operator::Lt => terms.binary(less, a, b),
                Operator::Le => terms.binary(at_most, a, b),
                Operator::Gt => terms.binary(less, b, a),
                _ => terms.binary(at_most, b, a),
            };
            return Ok(condition(term, both));
        }
    };
    let mut defined = both;
    if matches!(arithmetic, Op::SDiv | Op::SRem) {
        let zero = terms.is(b, 0);
        let not_zero = terms.not(zero);
        defined = terms.and(defined, not_zero);
    }
    Ok(Part { term: terms.binary(arithmetic, a, b), kind, class: None, defined })
}

fn widened(m: &mut Machine, part: &Part, kind: Kind) -> Term {
    let terms = m.terms_mut();
    match (part.kind, kind) {
        (Kind::Int, Kind::Long) => terms.unary(Op::SExt, Sort::LONG, part.term),
        (Kind::Int | Kind::Long, Kind::Double) => terms.unary(Op::SToF, Sort::F64, part.term),
        _ => part.term,
    }
}
