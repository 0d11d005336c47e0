//! Running an input that was found on the user's own JVM.

use hotspot::Worker;
use machine::Machine;
use program::MethodId;
use program::descriptor::split_method;
use testcase::{Call, Case, Earlier, End, Kind, Node, Recorded, Value};

use crate::Setup;
use crate::claim::Called;
use values::Parameter;
use values::input::Input;

/// The input as a call that a JVM can make.
pub fn case(m: &Machine, method: MethodId, parameters: &[Parameter], called: &Called, input: &Input) -> Case {
    let method = m.program.method(method);
    let name = m.program.text(method.name).to_string();
    let is_static = method.is_static();
    let call = Call {
        class: m.program.class_name(method.class).replace('/', "."),
        descriptor: m.program.text(method.descriptor).to_string(),
        is_static,
        method: name.clone(),
    };
    let mut nodes = input.nodes.clone();
    let mut arguments = input.arguments.clone();
    for (parameter, argument) in parameters.iter().zip(&mut arguments) {
        // The arguments of a program: none.
        if parameter.term.is_none() && parameter.name != "this" {
            *argument = Value::Node(nodes.len());
            nodes.push(Node::List { class: "java.lang.String[]".into(), elements: Vec::new() });
        }
    }
    let (types, _) = split_method(&call.descriptor).unwrap_or_default();
    let is_receiver_there = !is_static && (matches!(called, Called::Itself(_)) || name != "<init>");
    let mut rest = arguments.split_off(types.len() + usize::from(is_receiver_there)).into_iter();
    let statics = called.statics().iter().zip(rest.by_ref()).map(|(field, value)| testcase::Static {
        class: field.class.replace('/', "."),
        field: field.name.clone(),
        value,
    });
    let statics: Vec<testcase::Static> = statics.collect();
    let earlier = called.before().iter().map(|earlier| {
        let (types, _) = split_method(&earlier.descriptor).unwrap_or_default();
        Earlier {
            call: Call {
                class: earlier.class.replace('/', "."),
                method: earlier.name.clone(),
                descriptor: earlier.descriptor.clone(),
                is_static: earlier.name != "<init>",
            },
            arguments: rest.by_ref().take(types.len()).collect(),
        }
    });
    let before: Vec<Earlier> = earlier.collect();
    let receiver = if !is_receiver_there { None } else { Some(arguments.remove(0)) };
    let receiver = receiver.filter(|_| call.method != "<init>");
    let mut choices: Vec<Recorded> = input.choices.iter().map(|value| recorded(value, &nodes)).collect();
    for (place, decision) in &input.picks {
        choices[*place] = Recorded::Decision(*decision);
    }
    Case { call, receiver, arguments, nodes, choices, statics, before }
}

fn recorded(value: &Value, nodes: &[Node]) -> Recorded {
    match value {
        Value::Node(index) => match nodes.get(*index) {
            Some(Node::String(units)) => Recorded::Text(units.clone()),
            _ => Recorded::Null,
        },
        // A place among alternatives has no type of its own.
        value => Recorded::of(value).unwrap_or(Recorded::Number { kind: Kind::Int, bits: 0 }),
    }
}

/// The user's JVM, started when it is first needed.
pub struct Jvm<'a> {
    setup: &'a Setup,
    worker: Option<Worker>,
}

impl Jvm<'_> {
    pub fn new(setup: &Setup) -> Jvm<'_> {
        Jvm { setup, worker: None }
    }

    /// Runs a case. The error says what happened instead of the exception.
    pub fn confirm(&mut self, case: &Case, exception: &str) -> Result<(), String> {
        let end = match self.worker()?.run(case) {
            Ok(outcome) => outcome.end,
            Err(trouble) => return Err(trouble.to_string()),
        };
        Err(match end {
            End::Threw(thrown) if thrown.class == exception => return Ok(()),
            End::Threw(thrown) => format!("a {}", thrown.class),
            End::Returned(_) => "no exception".into(),
            End::Exited(status) => format!("an exit with status {status}"),
            End::Dropped => "an assumption that does not hold".into(),
            End::Diverged(how) => format!("other choices: {how}"),
        })
    }

    fn worker(&mut self) -> Result<&mut Worker, String> {
        if self.worker.is_none() {
            self.worker = Some(Worker::start(self.setup.jvm().map_err(|wrong| wrong.to_string())?)?);
        }
        Ok(self.worker.as_mut().expect("it was just started"))
    }
}
