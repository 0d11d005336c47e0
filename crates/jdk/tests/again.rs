//! Every native keeps its contract: what it did before it asked is not seen, so that it can be executed again.
//!
//! Each native is called by an instruction, with arguments that are pending or unknown as far as its descriptor allows.
//! Whenever something has to be decided, the instruction is executed a second time without a decision: it must ask the
//! same question, and leave no trace of having been executed twice. A call whose arguments are decided on the way must
//! also end exactly like one whose arguments were decided before.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use classpath::{ClassPath, Jdk};
use jdk::Assembler;
use machine::pending::Cell;
use machine::symbolic::Piece;
use machine::{Choice, Config, Domain, End, Label, Machine, Mode, Origin, Raise, Ref, Step, Value, Word};
use program::synthetic::{SyntheticClass, SyntheticMethod};
use program::{ClassId, Kind, MethodId, Op, Program, access};

/// Steps of one call, at most.
const STEPS: u64 = 200_000;
/// Questions of one call that are looked at.
const QUESTIONS: usize = 24;
/// Ways that are taken through the questions of a native.
const WAYS: u64 = 2;

/// What the arguments are like.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Setting {
    /// Known: whoever asks does so by himself.
    Eager,
    /// Pending.
    Delayed,
    /// Pending, and what they refer to has pending parts.
    Deep,
    /// Unknown, as far as such inputs are modelled.
    Symbolic,
}

const SETTINGS: [Setting; 4] = [Setting::Eager, Setting::Delayed, Setting::Deep, Setting::Symbolic];

/// Owners that are no part of a JDK. Their methods are all static.
const API: &[&str] = &[
    "shakedown/Choose",
    "shakedown/ObjectPool",
    "gov/nasa/jpf/vm/Verify",
    "org/sosy_lab/sv_benchmarks/Verifier",
    "org/cprover/CProver",
];

/// Natives that look into objects which only the library can make.
const NEED_THE_LIBRARY: &[(&str, &str)] = &[
    ("java/lang/StackStreamFactory$AbstractStackWalker", "fetchStackFrames"),
    ("java/lang/StackTraceElement", "initStackTraceElement"),
    ("java/util/ServiceLoader$ModuleServicesLookupIterator", "iteratorFor"),
];

/// What an `Object` has to be for a native to do anything with it.
const OBJECTS: &[(&str, &str, &str)] = &[
    ("java/lang/System", "arraycopy", "[I"),
    ("java/lang/invoke/MethodHandleNatives", "init", "Ljava/lang/reflect/Method;"),
];

/// Natives with arguments that never ask: over unknown values they give a term, and otherwise the library's own code
/// does the work.
const SILENT: &[&str] = &[
    "java/lang/Boolean.getBoolean(Ljava/lang/String;)Z",
    "java/lang/Boolean.toString(Z)Ljava/lang/String;",
    "java/lang/Boolean.valueOf(Z)Ljava/lang/Boolean;",
    "java/lang/Byte.valueOf(B)Ljava/lang/Byte;",
    "java/lang/Character.digit(II)I",
    "java/lang/Character.toString(C)Ljava/lang/String;",
    "java/lang/Character.valueOf(C)Ljava/lang/Character;",
    "java/lang/Double.doubleToLongBits(D)J",
    "java/lang/Float.floatToIntBits(F)I",
    "java/lang/Integer.getInteger(Ljava/lang/String;)Ljava/lang/Integer;",
    "java/lang/Integer.getInteger(Ljava/lang/String;I)Ljava/lang/Integer;",
    "java/lang/Integer.getInteger(Ljava/lang/String;Ljava/lang/Integer;)Ljava/lang/Integer;",
    "java/lang/Integer.toString(I)Ljava/lang/String;",
    "java/lang/Integer.valueOf(I)Ljava/lang/Integer;",
    "java/lang/Long.getLong(Ljava/lang/String;)Ljava/lang/Long;",
    "java/lang/Long.getLong(Ljava/lang/String;J)Ljava/lang/Long;",
    "java/lang/Long.getLong(Ljava/lang/String;Ljava/lang/Long;)Ljava/lang/Long;",
    "java/lang/Long.toString(J)Ljava/lang/String;",
    "java/lang/Long.valueOf(J)Ljava/lang/Long;",
    "java/lang/Math.abs(F)F",
    "java/lang/Math.abs(I)I",
    "java/lang/Math.abs(J)J",
    "java/lang/Math.max(II)I",
    "java/lang/Math.max(JJ)J",
    "java/lang/Math.min(II)I",
    "java/lang/Math.min(JJ)J",
    "java/lang/Short.valueOf(S)Ljava/lang/Short;",
    "java/lang/String.valueOf(C)Ljava/lang/String;",
    "java/lang/String.valueOf(I)Ljava/lang/String;",
    "java/lang/String.valueOf(J)Ljava/lang/String;",
    "java/lang/String.valueOf(Z)Ljava/lang/String;",
    "java/lang/System.clearProperty(Ljava/lang/String;)Ljava/lang/String;",
    "java/lang/System.getProperty(Ljava/lang/String;)Ljava/lang/String;",
    "java/lang/System.getProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
    "java/lang/System.getenv(Ljava/lang/String;)Ljava/lang/String;",
    "java/lang/System.setProperties(Ljava/util/Properties;)V",
    "java/lang/System.setProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
    "java/lang/Thread.setDefaultUncaughtExceptionHandler(Ljava/lang/Thread$UncaughtExceptionHandler;)V",
];

type Key = (&'static str, &'static str, &'static str);

/// What came of one native.
#[derive(Default)]
struct Found {
    /// Questions it asked itself, over all settings and ways.
    asked: BTreeMap<Setting, usize>,
    /// Calls that were compared with one whose arguments were decided before.
    compared: usize,
    violations: BTreeSet<String>,
    present: bool,
    /// Whether it has arguments at all.
    takes_something: bool,
}

#[test]
fn natives_can_be_executed_again() {
    let jdks = Jdk::installed();
    if jdks.is_empty() {
        println!("skipped: no JDK of 17 or later is installed");
        return;
    }
    let all = jdk::natives::modelled().chain(jdk::modelled_for_unknowns());
    let is_left_out = |key: &Key| NEED_THE_LIBRARY.contains(&(key.0, key.1));
    let natives: BTreeSet<Key> = all.filter(|key| !is_left_out(key)).collect();
    let mut found: BTreeMap<Key, Found> = natives.into_iter().map(|key| (key, Found::default())).collect();
    for jdk in &jdks {
        for setting in SETTINGS {
            observe_all(jdk, setting, &mut found);
        }
    }
    report(&found);
}

fn observe_all(jdk: &Jdk, setting: Setting, found: &mut BTreeMap<Key, Found>) {
    let mut m = boot(jdk, setting);
    for (key, row) in found {
        for (method, stub) in methods(&mut m, *key) {
            row.present = true;
            row.takes_something |= !m.program.method(method).argument_kinds().is_empty();
            for way in 0..WAYS {
                let call = Call { setting, method, stub, way };
                let done = catch_unwind(AssertUnwindSafe(|| call.observe(&mut m, row)));
                if done.is_err() {
                    row.violations.insert(format!("{setting:?}: a panic"));
                    m = boot(jdk, setting);
                    break;
                }
            }
        }
    }
}

fn report(found: &BTreeMap<Key, Found>) {
    let named = |rows: &dyn Fn(&Found) -> bool| -> Vec<String> {
        let chosen = found.iter().filter(|(_, row)| rows(row));
        chosen.map(|((owner, name, descriptor), _)| format!("{owner}.{name}{descriptor}")).collect()
    };
    let asked = named(&|row| !row.asked.is_empty());
    let silent = named(&|row| row.present && row.asked.is_empty() && row.takes_something);
    let without_arguments = named(&|row| row.present && row.asked.is_empty() && !row.takes_something);
    let absent = named(&|row| !row.present);
    let compared: usize = found.values().map(|row| row.compared).sum();
    println!("never ask, although they have arguments: {silent:#?}");
    println!("never ask, without arguments: {without_arguments:#?}");
    println!("in none of the JDKs: {absent:#?}");
    println!("{} of {} natives asked; {compared} calls were compared", asked.len(), found.len());

    let broken: Vec<String> = found
        .iter()
        .flat_map(|(key, row)| row.violations.iter().map(move |violation| format!("{key:?} {violation}")))
        .collect();
    assert!(broken.is_empty(), "executing these again is noticed: {broken:#?}");
    let unexpected: Vec<&String> = silent.iter().filter(|name| !SILENT.contains(&name.as_str())).collect();
    assert!(unexpected.is_empty(), "these have arguments and were never made to ask: {unexpected:#?}");
    // Most natives take something, and all those ask for it.
    assert!(asked.len() > 440, "only {} natives asked", asked.len());
    assert!(compared > 900, "only {compared} calls were compared");
    for setting in SETTINGS {
        let askers = found.values().filter(|row| row.asked.contains_key(&setting)).count();
        println!("{setting:?}: {askers} asked");
        assert!(askers > 0, "nobody asked where arguments are {setting:?}");
    }
}

fn boot(jdk: &Jdk, setting: Setting) -> Machine {
    let path = ClassPath::open(&[], jdk).expect("the JDK is readable");
    let mut m = jdk::boot::boot(Program::new(path), Config::default()).expect("the library boots");
    match setting {
        Setting::Eager => m.mode = Mode::Eager,
        Setting::Delayed | Setting::Deep => m.mode = Mode::Delayed,
        Setting::Symbolic => m.start_symbolic(Vec::new()),
    }
    m
}

/// The methods a row of the table stands for, each with a method that does nothing but call it.
fn methods(m: &mut Machine, (owner, name, descriptor): Key) -> Vec<(MethodId, MethodId)> {
    let class = match API.contains(&owner) {
        true => Ok(api_class(m, owner, name, descriptor)),
        false => m.load(owner),
    };
    let Ok(class) = class else { return Vec::new() };
    let all = m.program.class(class).methods.clone();
    let fits = |id: &MethodId| {
        let method = m.program.method(*id);
        m.program.text(method.name) == name
            && (descriptor.is_empty() || m.program.text(method.descriptor) == descriptor)
            && !method.is_abstract()
    };
    let fitting: Vec<MethodId> = all.into_iter().filter(fits).collect();
    fitting.into_iter().map(|method| (method, caller(m, method))).collect()
}

fn api_class(m: &mut Machine, owner: &str, name: &str, descriptor: &str) -> ClassId {
    let class = m.program.add_synthetic(SyntheticClass {
        name: owner.into(),
        super_class: m.known.object,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: vec![SyntheticMethod {
            name: name.into(),
            descriptor: descriptor.into(),
            flags: access::PUBLIC | access::STATIC | access::NATIVE,
            code: None,
        }],
        host: m.known.object,
    });
    m.sync_classes();
    class
}

/// A static method that calls another one with its own arguments.
fn caller(m: &mut Machine, method: MethodId) -> MethodId {
    let callee = m.program.method(method);
    let (kinds, result, is_static) = (callee.argument_kinds(), callee.signature.result, callee.is_static());
    let slots: u16 = kinds.iter().map(|kind| u16::from(kind.width() as u8)).sum();
    let mut code = Assembler::new(slots);
    let area = code.area();
    let mut at = 0;
    for kind in &kinds {
        code.move_value(area + at, at, *kind);
        at += u16::from(kind.width() as u8);
    }
    code.call(m, if is_static { Op::InvokeStatic } else { Op::InvokeDirect }, method, area);
    code.ret(area, result);
    let parameters: String = kinds.iter().map(|kind| letter(*kind)).collect();
    let descriptor = format!("({parameters}){}", letter(result));
    let owner = m.known.object;
    code.into_stub(m, owner, "call", &descriptor)
}

fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "Z",
        Kind::Byte => "B",
        Kind::Char => "C",
        Kind::Short => "S",
        Kind::Int => "I",
        Kind::Long => "J",
        Kind::Float => "F",
        Kind::Double => "D",
        Kind::Ref => "Ljava/lang/Object;",
        Kind::Void => "V",
    }
}

/// A native to be called in one way.
#[derive(Clone, Copy)]
struct Call {
    setting: Setting,
    method: MethodId,
    stub: MethodId,
    way: u64,
}

/// How a call ended.
#[derive(Debug)]
struct Ending {
    end: String,
    state: u64,
    /// The values of the cells. What nobody asked for can be anything.
    decided: Vec<Word>,
}

fn alike(one: &Option<Ending>, other: &Option<Ending>) -> bool {
    let visible = |ending: &Option<Ending>| ending.as_ref().map(|ending| (ending.end.clone(), ending.state));
    visible(one) == visible(other)
}

impl Call {
    fn observe(self, m: &mut Machine, found: &mut Found) {
        let checkpoint = m.checkpoint();
        let ending = self.run(m, None, found);
        m.rollback(checkpoint);
        if let Some(Ending { decided, .. }) = &ending
            && self.setting == Setting::Delayed
        {
            let direct = self.run(m, Some(decided), found);
            m.rollback(checkpoint);
            found.compared += 1;
            if !alike(&ending, &direct) {
                // Whoever is first to link something makes what others find: only the second time counts.
                let ending = self.run(m, None, found);
                m.rollback(checkpoint);
                if !alike(&ending, &direct) {
                    found.violations.insert(format!("ends with {ending:?}, decided before with {direct:?}"));
                }
            }
        }
        m.commit(checkpoint);
    }

    /// Calls the native to its end, if it has one. Every question is asked twice.
    fn run(self, m: &mut Machine, before: Option<&[Word]>, found: &mut Found) -> Option<Ending> {
        let class = m.program.method(self.method).class;
        m.initialize_now(class).ok()?;
        let mut words = self.arguments(m).ok()?;
        if let Some(before) = before {
            make_known(&mut words, &self.kinds(m), before);
        }
        if m.enter(self.stub, &words).is_err() {
            return None;
        }
        let depth = m.frames().len();
        let (mut questions, mut slices) = (0, 0);
        loop {
            match m.run(STEPS / 10) {
                Step::Choose(choice) => {
                    if m.frames().len() == depth {
                        *found.asked.entry(self.setting).or_default() += 1;
                    }
                    self.ask_again(m, &choice, found)?;
                    questions += 1;
                    if questions > QUESTIONS {
                        return None;
                    }
                    m.decide(self.decision(&choice, questions as u64));
                }
                Step::End(end) => {
                    let value = |cell: &Cell| match &cell.domain {
                        Domain::Values(values) => cell.value.unwrap_or(values[0]),
                        _ => 0,
                    };
                    let decided: Vec<Word> = m.cells().iter().map(value).collect();
                    let end = match end {
                        // What was only passed on may be pending still.
                        End::Returned(Value::One(word)) if machine::value::is_unknown(word) => {
                            format!("{:?}", Value::One(*decided.get(word as u32 as usize)?))
                        }
                        End::Returned(value) => format!("{value:?}"),
                        End::Threw(exception) => m.class_name_of(exception).to_string(),
                    };
                    // What keeps an argument keeps the choice, which is as good as what was decided.
                    let known = before.unwrap_or(&decided);
                    let state = m.digest_as(|word| match machine::value::is_unknown(word) {
                        true => known.get(word as u32 as usize).copied().unwrap_or(word),
                        false => word,
                    });
                    return Some(Ending { end, state, decided });
                }
                Step::Stop(_) => return None,
                Step::Continue => {
                    slices += 1;
                    if slices > 10 {
                        return None;
                    }
                }
            }
        }
    }

    /// Executes the instruction again although nothing was decided. None if it then does anything else.
    fn ask_again(self, m: &mut Machine, choice: &Choice, found: &mut Found) -> Option<()> {
        let before = m.imprint();
        let step = m.run(STEPS / 10);
        let Step::Choose(again) = step else {
            found.violations.insert(format!("{:?}: asks {choice}, and then {step:?}", self.setting));
            return None;
        };
        if again != *choice {
            found.violations.insert(format!("{:?}: asks {choice:?}, and then {again:?}", self.setting));
            return None;
        }
        let after = m.imprint();
        if before != after {
            found.violations.insert(format!("{:?}: asks {choice:?}; {before:?} {after:?}", self.setting));
            return None;
        }
        Some(())
    }

    fn decision(self, choice: &Choice, question: u64) -> u64 {
        match choice.label {
            Label::Bits(_) => self.way,
            _ => (self.way + question * self.way) % choice.alternatives,
        }
    }

    fn kinds(self, m: &Machine) -> Vec<Kind> {
        m.program.method(self.method).argument_kinds()
    }

    /// The words of the arguments.
    fn arguments(self, m: &mut Machine) -> Result<Vec<Word>, Raise> {
        let method = m.program.method(self.method);
        let (is_static, class) = (method.is_static(), method.class);
        let descriptor = m.program.text(method.descriptor).to_string();
        let mut types = parameters(&descriptor);
        let (owner, name) = (m.program.class_name(class), m.program.text(method.name));
        if let Some((_, _, wanted)) = OBJECTS.iter().find(|row| row.0 == owner && row.1 == name) {
            let objects = types.iter_mut().filter(|text| *text == "Ljava/lang/Object;");
            objects.for_each(|text| *text = (*wanted).into());
        }
        if !is_static {
            types.insert(0, format!("L{};", m.program.class_name(class)));
        }
        // Pools that numbers may name.
        for _ in 0..2 {
            m.open_pool(2, true, Ref::NULL);
        }
        let mut words = Vec::new();
        for (number, text) in types.iter().enumerate() {
            let kind = Kind::of(text).expect("a well-formed descriptor");
            let is_receiver = number == 0 && !is_static;
            let (word, tag) = match kind {
                Kind::Ref => (self.reference(m, text, is_receiver, number as u32)?, 0),
                kind => self.number(m, kind, number as u32),
            };
            words.push(word);
            if kind.width() == 2 {
                words.push(tag);
            }
        }
        Ok(words)
    }

    /// Value and tag of a number.
    fn number(self, m: &mut Machine, kind: Kind, place: u32) -> (Word, Word) {
        // Offsets into objects are multiples of eight.
        let values = if kind == Kind::Long { vec![16, 24] } else { vec![1, 0] };
        match self.setting {
            Setting::Eager => (values[0], 0),
            Setting::Delayed | Setting::Deep => match m.new_pending(Domain::Values(values), kind) {
                Value::Pending2(tag) => (0, tag),
                Value::One(word) => (word, 0),
                other => unreachable!("{other:?} is not pending"),
            },
            Setting::Symbolic => {
                let term = m.new_unknown(kind, Origin::Parameter(place));
                if kind.width() == 2 { m.term_words(term) } else { (m.term_word(term), 0) }
            }
        }
    }

    /// Whether it is a method of the choice API: these look at the elements of arrays that are known.
    fn is_api(self, m: &Machine) -> bool {
        API.contains(&m.program.class_name(m.program.method(self.method).class))
    }

    fn reference(self, m: &mut Machine, text: &str, is_receiver: bool, place: u32) -> Result<Word, Raise> {
        if self.setting == Setting::Symbolic && self.is_api(m) && text.starts_with('[') {
            return Ok(self.object(m, text, 0)?.word());
        }
        if self.setting == Setting::Symbolic && is_fillable(text) && !self.is_api(m) {
            let class = m.load_descriptor(text)?;
            let term = m.new_pointer(class, is_receiver, Origin::Parameter(place));
            return Ok(m.term_word(term));
        }
        let mut values = vec![self.object(m, text, 0)?.word(), self.object(m, text, 1)?.word()];
        if self.setting == Setting::Eager {
            return Ok(values[0]);
        }
        if !is_receiver {
            values.push(0);
        }
        match m.new_pending(Domain::Values(values), Kind::Ref) {
            Value::One(word) => Ok(word),
            other => unreachable!("{other:?} is not a reference"),
        }
    }

    /// An object of a type, or of one that will do.
    fn object(self, m: &mut Machine, text: &str, variant: u32) -> Result<Ref, Raise> {
        let is_deep = self.setting == Setting::Deep || self.setting == Setting::Symbolic && self.is_api(m);
        match text {
            "Ljava/lang/String;" | "Ljava/lang/CharSequence;" if is_deep => {
                let (word, _) = self.number(m, Kind::Char, 0);
                m.deferred_string(vec![
                    Piece::Known(vec![65 + variant as u16]),
                    Piece::Value(Kind::Char, word),
                ])
            }
            "Ljava/lang/String;" | "Ljava/lang/CharSequence;" => m.new_string(["a", "bc"][variant as usize]),
            "Ljava/lang/Class;" => {
                let name = ["java/lang/String", "java/lang/Integer"][variant as usize];
                let class = m.load(name)?;
                Ok(m.mirror(class))
            }
            "Ljava/lang/Thread;" => Ok(m.thread),
            "Ljava/lang/reflect/Executable;" => self.object(m, "Ljava/lang/reflect/Method;", variant),
            "Ljava/lang/reflect/Field;"
            | "Ljava/lang/reflect/Method;"
            | "Ljava/lang/reflect/Constructor;" => {
                let object = self.plain_object(m, text)?;
                let class = m.load("java/lang/Integer")?;
                let mirror = m.mirror(class);
                m.set_field(object, "clazz", mirror.word());
                Ok(object)
            }
            "Ljava/lang/Object;" if variant == 1 => self.object(m, "Ljava/lang/Integer;", 1),
            "Ljdk/internal/reflect/DirectMethodHandleAccessor;"
            | "Ljdk/internal/reflect/DirectConstructorHandleAccessor;" => {
                let object = self.plain_object(m, text)?;
                let kind = if text.contains("DirectMethod") { "Method" } else { "Constructor" };
                let target = self.object(m, &format!("Ljava/lang/reflect/{kind};"), variant)?;
                m.set_field(object, "target", target.word());
                Ok(object)
            }
            array if array.starts_with('[') => {
                let class = m.load_descriptor(array)?;
                let object = m.allocate_array(class, 2 + variant as i32)?;
                let kind = Kind::of(&array[1..]).expect("a well-formed descriptor");
                for index in 0..2 {
                    let word = match kind {
                        Kind::Ref if array.starts_with("[[") => 0,
                        Kind::Ref => self.reference(m, &array[1..], true, 0)?,
                        Kind::Int | Kind::Float => self.number(m, kind, 0).0,
                        _ => continue,
                    };
                    if is_deep || kind == Kind::Ref && !machine::value::is_unknown(word) {
                        m.put(object, 1 + index, word);
                    }
                }
                Ok(object)
            }
            _ => self.plain_object(m, text),
        }
    }

    fn plain_object(self, m: &mut Machine, text: &str) -> Result<Ref, Raise> {
        let class = m.load_descriptor(text)?;
        let object = m.allocate(class)?;
        if self.setting == Setting::Deep {
            self.fill(m, object, class);
        }
        Ok(object)
    }

    /// Lets the numbers of an object be pending.
    fn fill(self, m: &mut Machine, object: Ref, class: ClassId) {
        for ancestor in m.program.class(class).display.clone() {
            for field in m.program.class(ancestor).fields.clone() {
                if !field.is_static() && matches!(field.kind, Kind::Int | Kind::Boolean | Kind::Byte) {
                    let (word, _) = self.number(m, field.kind, 0);
                    m.put(object, field.offset, word);
                }
            }
        }
    }
}

/// Puts the values of decided cells in the place of pending words.
fn make_known(words: &mut [Word], kinds: &[Kind], decided: &[Word]) {
    let mut at = 0;
    for kind in kinds {
        let width = kind.width() as usize;
        let tag = words[at + width - 1];
        if machine::value::is_unknown(tag) {
            words[at + width - 1] = 0;
            words[at] = decided[tag as u32 as usize];
        }
        at += width;
    }
}

/// Types of which there are unknown objects.
fn is_fillable(text: &str) -> bool {
    const FILLABLE: &[&str] =
        &["Object", "String", "CharSequence", "Integer", "Long", "Character", "Number", "Boolean"];
    let name = text.trim_start_matches('[');
    name.len() == 1
        || name.strip_prefix("Ljava/lang/").is_some_and(|name| FILLABLE.contains(&name.trim_end_matches(';')))
}

/// The types of a method's parameters.
fn parameters(descriptor: &str) -> Vec<String> {
    let inside = descriptor.trim_start_matches('(').split(')').next().unwrap_or_default();
    let (mut types, mut start) = (Vec::new(), 0);
    while start < inside.len() {
        let rest = &inside[start..];
        let dimensions = rest.len() - rest.trim_start_matches('[').len();
        let end = match rest.as_bytes()[dimensions] {
            b'L' => rest.find(';').expect("a well-formed descriptor") + 1,
            _ => dimensions + 1,
        };
        types.push(rest[..end].to_string());
        start += end;
    }
    types
}
