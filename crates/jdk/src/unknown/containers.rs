//! Unknown containers: lists of any length as they are, and others as they become by adding a few unknown elements.

use library::{Class, Layout, Nature, Place};
use machine::{Args, Machine, Origin, Raise, Ref, Return, Stop, Value, Word};
use program::{ClassId, Kind, MethodId, Op};
use term::{Sort, Term};

use crate::indy::assembler::Assembler;
use crate::natives::not_modelled;

/// Elements whose type nobody tells, where their place depends on what they are.
const PLAIN: &str = "java/lang/Integer";

/// The class of what an entity contains.
fn content(m: &Machine, entity: u32) -> ClassId {
    m.content_of(entity).unwrap_or(m.known.object)
}

/// How many elements there are: any number that is not negative.
fn new_length(m: &mut Machine, entity: u32) -> Term {
    let length = m.new_unknown(Kind::Int, Origin::Length { entity });
    let zero = m.terms_mut().int(0);
    let not_negative = m.terms_mut().at_most(zero, length);
    m.symbolic.learn(not_negative);
    length
}

/// What may have an element; false if its row does not say where.
pub(super) fn one_or_none(m: &mut Machine, object: Ref, entity: u32, row: &Class) -> bool {
    let Layout::OneOrNone { field } = row.layout else { return false };
    let content = content(m, entity);
    let term = m.new_pointer(content, false, Origin::Element { entity, index: 0 });
    let word = m.term_word(term);
    m.set_field(object, field, word);
    true
}

/// A list of unknown length, with nothing to spare in its array.
pub(super) fn list(m: &mut Machine, object: Ref, entity: u32) -> Result<(), Raise> {
    let declared = content(m, entity);
    let length = new_length(m, entity);
    let objects = m.load("[Ljava/lang/Object;")?;
    m.roots.push(object);
    let array = m.open_array(objects, length, None)?;
    m.roots.pop();
    for index in 0..m.policy().bounds.elements {
        let element = m.new_pointer(declared, false, Origin::Element { entity, index });
        m.put_element(array, index, Kind::Ref, element);
    }
    let word = m.term_word(length);
    m.set_field(object, "size", word);
    m.set_field(object, "elementData", array.word());
    Ok(())
}

/// An iterator at the beginning of an unknown list.
pub(super) fn iterator(m: &mut Machine, object: Ref, entity: u32) -> Result<(), Raise> {
    let class = m.load("java/util/ArrayList")?;
    m.roots.push(object);
    let below = m.allocate(class)?;
    m.set_field(object, "this$0", below.word());
    list(m, below, entity)?;
    m.roots.pop();
    m.set_field(object, "lastRet", Word::from(-1i32 as u32));
    Ok(())
}

/// The method a container is filled by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Add,
    Put,
}

/// A container that its constructor makes, and its own methods fill: how many elements there are is decided on the way,
/// and whatever else their places depend on.
pub(super) fn by_adding(
    m: &mut Machine,
    object: Ref,
    class: ClassId,
    entity: u32,
    row: &Class,
    most: u32,
) -> Result<(), Raise> {
    let method = if row.nature == Nature::Map { Method::Put } else { Method::Add };
    let most = most.min(m.policy().bounds.elements);
    let declared = element_class(m, entity, row)?;
    if row.place == Place::Hashed && most > 1 {
        let container = simple(row.name);
        m.symbolic.narrow(format!("an unknown {container} with two elements of equal hash codes"));
    }
    let value = m.result_of(entity).unwrap_or(m.known.object);
    let non_null = matches!(row.place, Place::NotNull | Place::Sorted);
    let length = new_length(m, entity);
    let mut words = vec![object.word(), m.term_word(length)];
    for number in 0..most {
        let origin = |part: u32| match method {
            Method::Add => Origin::Element { entity, index: number },
            Method::Put => Origin::Element { entity, index: 2 * number + part },
        };
        let element = m.new_pointer(declared, non_null, origin(0));
        words.push(m.term_word(element));
        if method == Method::Put {
            let value = m.new_pointer(value, false, origin(1));
            words.push(m.term_word(value));
        }
    }
    let stub = match m.symbolic.filler(class, most) {
        Some(stub) => stub,
        None => {
            let stub = filler(m, class, row.place, most, method)?;
            m.symbolic.keep_filler(class, most, stub);
            stub
        }
    };
    m.ask_detour(stub, words);
    Ok(())
}

/// The class of elements or keys. Where they are placed by what they are, it has to be known what they are.
fn element_class(m: &mut Machine, entity: u32, row: &Class) -> Result<ClassId, Raise> {
    let declared = content(m, entity);
    let open = declared == m.known.object || m.program.class_name(declared) == "java/lang/Comparable";
    if !open || matches!(row.place, Place::Any | Place::NotNull) {
        return Ok(declared);
    }
    let container = simple(row.name);
    m.symbolic.narrow(format!("an unknown {container} of anything but Integer"));
    m.load(PLAIN)
}

/// A static method that takes a container, a number, and elements, and makes it a container of that many of them.
fn filler(
    m: &mut Machine,
    class: ClassId,
    place: Place,
    most: u32,
    method: Method,
) -> Result<MethodId, Raise> {
    let name = m.program.class_name(class).to_string();
    let find = |m: &Machine, method: &str, descriptor: &str| {
        let found = m.program.find_method_named(class, method, descriptor);
        found.ok_or_else(|| not_modelled(format!("a {name} without {method}{descriptor}")))
    };
    let constructor = find(m, "<init>", "()V")?;
    let size = find(m, "size", "()I")?;
    let (adder, width) = match method {
        Method::Add => (find(m, "add", "(Ljava/lang/Object;)Z")?, 1),
        Method::Put => (find(m, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;")?, 2),
    };
    let bound = m.bound_stub(&format!("an unknown {} of more than {most} elements", simple(&name)));
    let reject = m.reject_stub();
    let hash = match place {
        Place::Hashed => Some(static_method(m, "java/util/HashMap", "hash", "(Ljava/lang/Object;)I")?),
        _ => None,
    };
    let differ = m.native_stub("<differ>", "(II)V", differ);
    let count = m.native_stub("<count>", "(II)I", count);
    const CONTAINER: u16 = 0;
    const NUMBER: u16 = 1;
    const FIRST: u16 = 2;
    let mut code = Assembler::new(FIRST + width * most as u16);
    let area = code.area();
    code.move_value(area, CONTAINER, Kind::Ref);
    code.call(m, Op::InvokeDirect, constructor, area);
    code.move_value(area, NUMBER, Kind::Int);
    code.int(area + 1, most as i32);
    code.call(m, Op::InvokeStatic, count, area);
    code.move_value(NUMBER, area, Kind::Int);
    let (mut done, mut doubled) = (Vec::new(), Vec::new());
    for number in 0..most as u16 {
        done.push(code.jump(Op::JLeK, NUMBER, 0, u32::from(number)));
        for earlier in 0..number {
            let Some(hash) = hash else { break };
            code.move_value(area, FIRST + width * earlier, Kind::Ref);
            code.call(m, Op::InvokeStaticI, hash, area);
            code.move_value(area + 1, FIRST + width * number, Kind::Ref);
            code.call(m, Op::InvokeStaticI, hash, area + 1);
            code.call(m, Op::InvokeStatic, differ, area);
        }
        code.move_value(area, CONTAINER, Kind::Ref);
        for part in 0..width {
            code.move_value(area + 1 + part, FIRST + width * number + part, Kind::Ref);
        }
        code.call(m, Op::InvokeVirtual, adder, area);
        code.move_value(area, CONTAINER, Kind::Ref);
        code.call(m, Op::InvokeVirtual, size, area);
        doubled.push(code.jump(Op::JNeK, area, 0, u32::from(number) + 1));
    }
    done.push(code.jump(Op::JLeK, NUMBER, 0, most));
    code.call(m, Op::InvokeStatic, bound, area);
    done.into_iter().for_each(|jump| code.patch(jump));
    code.ret(0, Kind::Void);
    // An element that was there already, or that the container does not take.
    doubled.into_iter().for_each(|jump| code.patch(jump));
    code.catch_all(0);
    code.call(m, Op::InvokeStatic, reject, area);
    code.ret(0, Kind::Void);
    let descriptor =
        format!("(L{name};I{})V", "Ljava/lang/Object;".repeat((u32::from(width) * most) as usize));
    let stub = code.into_stub(m, class, "<fill>", &descriptor);
    m.register_callee(stub);
    Ok(stub)
}

/// A name without its package.
fn simple(class: &str) -> &str {
    class.rsplit('/').next().unwrap_or(class)
}

fn static_method(m: &mut Machine, owner: &str, name: &str, descriptor: &str) -> Result<MethodId, Raise> {
    let class = m.load(owner)?;
    let method = m.program.declared_method(class, name, descriptor);
    method.ok_or_else(|| not_modelled(format!("a JDK without {owner}.{name}{descriptor}")))
}

/// Decides a number that is not negative: it is itself, or one more than the most that counts. Few come first.
fn count(m: &mut Machine, a: Args) -> Return {
    let (number, most) = (a.word(m, 0), a.int(m, 1));
    let number = m.word_term(number, Sort::INT)?;
    let mut guards: Vec<Term> = (0..=most as u64).map(|few| m.terms_mut().is(number, few)).collect();
    let end = m.terms_mut().int(most);
    guards.push(m.terms_mut().less(end, number));
    Ok(Value::int(m.among(&guards)? as i32))
}

/// Leaves out inputs for which two numbers are equal.
fn differ(m: &mut Machine, a: Args) -> Return {
    let (one, other) = (a.word(m, 0), a.word(m, 1));
    let (one, other) = (m.word_term(one, Sort::INT)?, m.word_term(other, Sort::INT)?);
    let same = m.terms_mut().eq(one, other);
    if m.symbolic.truth(same) == Some(true) {
        return Err(Raise::Stop(Stop::Rejected));
    }
    let different = m.terms_mut().not(same);
    m.symbolic.learn(different);
    Ok(Value::Void)
}
