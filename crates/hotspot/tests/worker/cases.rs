//! Cases on the real JVM: what goes in, what comes out, and what code under test cannot break.

use std::time::Duration;

use hotspot::{Manner, Settings, Statics, Trouble, Worker};
use testcase::{Case, End, Kind, Node, Recorded, Thrown, Value};

use crate::common::{call, call_on, on_every_jdk, returned, returned_text, string};

const RING: &str = "cases.Ring";
const CALLS: &str = "cases.Calls";

fn ring(next: usize, value: i32) -> Node {
    let fields = [("next", Value::Node(next)), ("value", Value::Int(value))];
    Node::Object { class: RING.into(), fields: fields.map(|(name, value)| (name.to_string(), value)).into() }
}

fn field(node: &Node, name: &str) -> Vec<Value> {
    let Node::Object { fields, .. } = node else { panic!("{node:?}") };
    fields.iter().filter(|(field, _)| field == name).map(|(_, value)| value.clone()).collect()
}

fn threw(end: &End) -> &Thrown {
    match end {
        End::Threw(thrown) => thrown,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_cycle_of_objects_with_private_fields() {
    on_every_jdk(|worker| {
        let nodes = vec![ring(1, 10), ring(2, 20), ring(0, 30)];
        let outcome = worker.run(&call_on(RING, "length", "()I", nodes.clone())).unwrap();
        assert_eq!(returned(&outcome), Value::Int(3));
        assert_eq!(outcome.receiver, Some(Value::Node(0)));
        assert_eq!(outcome.nodes.len(), 3);
        for (index, node) in outcome.nodes.iter().enumerate() {
            // The field of the superclass comes first; it was not given, and no constructor has set it.
            assert_eq!(field(node, "value"), [Value::Long(0), Value::Int(10 * index as i32 + 11)]);
            assert_eq!(field(node, "next"), [Value::Node((index + 1) % 3)]);
        }
        let outcome = worker.run(&call_on(RING, "second", "()Lcases/Ring;", nodes)).unwrap();
        assert_eq!(returned(&outcome), Value::Node(1));
    });
}

#[test]
fn fields_of_one_name_are_given_from_the_top_class_down() {
    on_every_jdk(|worker| {
        let fields = vec![("value".to_string(), Value::Long(5)), ("value".to_string(), Value::Int(6))];
        let nodes = vec![Node::Object { class: RING.into(), fields }];
        let outcome = worker.run(&call_on(RING, "both", "()J", nodes)).unwrap();
        assert_eq!(returned(&outcome), Value::Long(5006));
    });
}

#[test]
fn what_a_text_stands_for() {
    on_every_jdk(|worker| {
        let text = |class: &str, text: &str| Node::Text { class: class.into(), text: text.into() };
        let mut nodes = vec![
            text("java.math.BigInteger", "-123456789012345678901234567890"),
            text("java.math.BigDecimal", "1.50"),
            text("java.util.UUID", "00000000-0000-0001-0000-000000000002"),
            text("java.lang.Class", "cases.Ring"),
            text("java.lang.Class", "int[]"),
        ];
        let count = nodes.len();
        nodes.push(Node::List {
            class: "java.lang.Object[]".into(),
            elements: (0..count).map(Value::Node).collect(),
        });
        let descriptor = "([Ljava/lang/Object;)[Ljava/lang/Object;";
        let case = call(CALLS, "spelled", descriptor, vec![Value::Node(count)], nodes.clone());
        let outcome = worker.run(&case).unwrap();
        assert_eq!(outcome.nodes, nodes);
        let shown = "BigInteger -123456789012345678901234567890; BigDecimal 1.50; UUID 00000000-0000-0001-0000-000000000002";
        assert!(outcome.printed.starts_with(shown), "{}", outcome.printed);

        nodes[0] = text("java.math.BigInteger", "seven");
        let case = call(CALLS, "spelled", descriptor, vec![Value::Node(count)], nodes);
        assert_eq!(worker.run(&case), Err(Trouble::Unfit("`seven` is not a java.math.BigInteger".into())));
    });
}

#[test]
fn a_number_that_can_be_set() {
    on_every_jdk(|worker| {
        let class = "java.util.concurrent.atomic.AtomicInteger".to_string();
        let nodes = vec![
            Node::Boxed { class, value: Value::Int(7) },
            Node::List { class: "java.lang.Object[]".into(), elements: vec![Value::Node(0)] },
        ];
        let descriptor = "([Ljava/lang/Object;)[Ljava/lang/Object;";
        let outcome = worker.run(&call(CALLS, "spelled", descriptor, vec![Value::Node(1)], nodes)).unwrap();
        assert_eq!(outcome.printed, "AtomicInteger 7; ");
    });
}

#[test]
fn enums_boxes_strings_and_arrays_in_fields() {
    on_every_jdk(|worker| {
        let names = ["colour", "boxed", "text", "numbers"];
        let fields =
            names.iter().enumerate().map(|(i, name)| (name.to_string(), Value::Node(i + 1))).collect();
        let nodes = vec![
            Node::Object { class: RING.into(), fields },
            Node::Enum { class: "cases.Ring$Colour".into(), name: "GREEN".into() },
            Node::Boxed { class: "java.lang.Integer".into(), value: Value::Int(-1) },
            string("schön 💡"),
            Node::List { class: "int[]".into(), elements: vec![Value::Int(1); 4] },
        ];
        let outcome = worker.run(&call_on(RING, "show", "()Ljava/lang/String;", nodes.clone())).unwrap();
        assert_eq!(returned_text(&outcome), "grass -1 schön 💡 4");
        assert_eq!(outcome.nodes[1..5], nodes[1..]);

        let outcome = worker.run(&call_on(RING, "fail", "()V", nodes)).unwrap();
        let thrown = threw(&outcome.end);
        assert_eq!(thrown.class, "java.lang.ArrayIndexOutOfBoundsException");
        assert_eq!(thrown.message.as_deref(), Some("Index 4 out of bounds for length 4"));
        let frames: Vec<_> =
            thrown.frames.iter().map(|f| (f.class.as_str(), f.method.as_str(), f.line)).collect();
        assert_eq!(frames, [(RING, "fail", Some(47))]);
    });
}

#[test]
fn constructors_give_the_object_or_throw() {
    on_every_jdk(|worker| {
        let construct = |value| {
            let mut case = call(RING, "<init>", "(I)V", vec![Value::Int(value)], Vec::new());
            case.call.is_static = false;
            case
        };
        let outcome = worker.run(&construct(4)).unwrap();
        let Value::Node(made) = returned(&outcome) else { panic!("{outcome:?}") };
        assert_eq!(field(&outcome.nodes[made], "value"), [Value::Long(7), Value::Int(4)]);
        assert_eq!(field(&outcome.nodes[made], "next"), [Value::Node(made)]);
        let outcome = worker.run(&construct(-4)).unwrap();
        assert_eq!(threw(&outcome.end).message.as_deref(), Some("negative: -4"));
    });
}

#[test]
fn arrays_are_passed_and_seen_after_the_call() {
    on_every_jdk(|worker| {
        let numbers = [3, 4, 5].map(Value::Int).to_vec();
        let array = Node::List { class: "int[]".into(), elements: numbers };
        let outcome = worker.run(&call(CALLS, "sum", "([I)I", vec![Value::Node(0)], vec![array])).unwrap();
        assert_eq!(returned(&outcome), Value::Int(12));
        let changed = [12, 4, 5].map(Value::Int).to_vec();
        assert_eq!(outcome.nodes, [Node::List { class: "int[]".into(), elements: changed }]);

        let words = Node::List { class: "java.lang.String[]".into(), elements: vec![Value::Null] };
        let grid = Node::List { class: "java.lang.String[][]".into(), elements: vec![Value::Node(1)] };
        let primitives = [
            Value::Double(f64::MIN_POSITIVE),
            Value::Float(-0.5),
            Value::Char(0xD800),
            Value::Byte(-3),
            Value::Short(-4),
            Value::Boolean(true),
            Value::Long(i64::MIN),
        ];
        let arguments: Vec<Value> = [Value::Node(0)].into_iter().chain(primitives.clone()).collect();
        let descriptor = "([[Ljava/lang/String;DFCBSZJ)[[Ljava/lang/Object;";
        let outcome =
            worker.run(&call(CALLS, "grid", descriptor, arguments.clone(), vec![grid, words])).unwrap();
        assert_eq!(outcome.arguments, arguments);
        let Value::Node(result) = returned(&outcome) else { panic!("{outcome:?}") };
        let Node::List { class, elements } = &outcome.nodes[result] else { panic!("{outcome:?}") };
        assert_eq!((class.as_str(), &elements[0]), ("java.lang.Object[][]", &Value::Node(1)));
        let Value::Node(boxes) = elements[1] else { panic!("{outcome:?}") };
        let Node::List { elements, .. } = &outcome.nodes[boxes] else { panic!("{outcome:?}") };
        let unboxed: Vec<Value> = elements
            .iter()
            .map(|element| match element {
                Value::Node(index) => match &outcome.nodes[*index] {
                    Node::Boxed { value, .. } => value.clone(),
                    other => panic!("{other:?}"),
                },
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(unboxed, primitives);
    });
}

#[test]
fn collections_of_the_jdk_by_their_contents() {
    on_every_jdk(|worker| {
        let key =
            Node::Object { class: "cases.Calls$Key".into(), fields: vec![("name".into(), Value::Node(5))] };
        let nodes = vec![
            Node::List { class: "java.util.ArrayList".into(), elements: vec![Value::Node(0)] },
            Node::Map { class: "java.util.HashMap".into(), entries: vec![(Value::Node(6), Value::Node(7))] },
            Node::List { class: "java.util.HashSet".into(), elements: vec![Value::Node(3)] },
            key.clone(),
            key,
            string("k"),
            string("one"),
            Node::Boxed { class: "java.lang.Integer".into(), value: Value::Int(1) },
        ];
        let descriptor = "(Ljava/util/List;Ljava/util/Map;Ljava/util/Set;Lcases/Calls$Key;)Ljava/util/List;";
        let arguments = [0, 1, 2, 4].map(Value::Node).to_vec();
        let outcome = worker.run(&call(CALLS, "collections", descriptor, arguments, nodes.clone())).unwrap();
        // The set has the other, equal key: it was filled after the key was.
        assert_eq!(returned(&outcome), Value::Node(0));
        let Node::List { elements, .. } = &outcome.nodes[0] else { panic!("{outcome:?}") };
        assert_eq!(elements[1..], [Value::Node(7), Value::Node(0)]);
        let Value::Node(found) = elements[0] else { panic!("{outcome:?}") };
        assert_eq!(
            outcome.nodes[found],
            Node::Boxed { class: "java.lang.Boolean".into(), value: Value::Boolean(true) }
        );
        let Node::Map { entries, .. } = &outcome.nodes[1] else { panic!("{outcome:?}") };
        assert_eq!(entries.len(), 2);
        assert_eq!(outcome.nodes[2..8], nodes[2..8]);

        let immutable = Node::List { class: "java.util.ImmutableCollections$ListN".into(), elements: vec![] };
        let arguments = vec![Value::Node(0), Value::Node(1), Value::Null, Value::Null];
        let map = Node::Map { class: "java.util.Map".into(), entries: vec![] };
        let outcome =
            worker.run(&call(CALLS, "collections", descriptor, arguments, vec![immutable, map])).unwrap();
        assert_eq!(threw(&outcome.end).class, "java.lang.UnsupportedOperationException");
    });
}

#[test]
fn other_objects_of_the_jdk_by_their_fields() {
    on_every_jdk(|worker| {
        let fields = |fields: &[(&str, Value)]| -> Vec<(String, Value)> {
            fields.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()
        };
        let nodes = vec![
            Node::Object { class: "java.util.Optional".into(), fields: fields(&[("value", Value::Node(1))]) },
            Node::Object {
                class: "java.math.BigInteger".into(),
                fields: fields(&[("signum", Value::Int(-1)), ("mag", Value::Node(2))]),
            },
            Node::List { class: "int[]".into(), elements: vec![Value::Int(77)] },
        ];
        let outcome =
            worker.run(&call_on("java.util.Optional", "toString", "()Ljava/lang/String;", nodes)).unwrap();
        assert_eq!(returned_text(&outcome), "Optional[-77]");
    });
}

#[test]
fn records_and_lambdas() {
    on_every_jdk(|worker| {
        let with = |x: i32| Node::Object {
            class: "cases.Records".into(),
            fields: vec![("x".into(), Value::Int(x)), ("name".into(), Value::Null)],
        };
        let (record, class) = (with(i32::MAX), "cases.Records");
        let case = call(class, "twice", "(Lcases/Records;)I", vec![Value::Node(0)], vec![record.clone()]);
        assert_eq!(returned(&worker.run(&case).unwrap()), Value::Int(-2));
        let descriptor = "(Lcases/Records;)Lcases/Records;";
        let case = call(class, "other", descriptor, vec![Value::Node(0)], vec![record.clone()]);
        let outcome = worker.run(&case).unwrap();
        assert_eq!(threw(&outcome.end).class, "java.lang.IllegalArgumentException");
        assert_eq!(outcome.nodes, [record]);
        // What its constructor refuses is no record.
        let refused = call(class, "twice", "(Lcases/Records;)I", vec![Value::Node(0)], vec![with(-4)]);
        assert!(worker.run(&refused).is_err());
        let descriptor = "(I)Ljava/util/function/IntSupplier;";
        let outcome = worker.run(&call(class, "lambda", descriptor, vec![Value::Int(3)], vec![])).unwrap();
        let [Node::Object { fields, .. }] = &outcome.nodes[..] else { panic!("{outcome:?}") };
        assert_eq!(fields[0].1, Value::Int(3));
    });
}

#[test]
fn ending_the_jvm_is_not_success_and_the_next_case_runs() {
    on_every_jdk(|worker| {
        for status in [0, 3] {
            let outcome = worker.run(&call(CALLS, "exit", "(I)V", vec![Value::Int(status)], vec![])).unwrap();
            assert_eq!(outcome.end, End::Exited(status));
            assert_eq!(returned(&worker.run(&counted()).unwrap()), Value::Int(1));
        }
    });
}

fn counted() -> Case {
    call(CALLS, "counted", "()I", vec![], vec![])
}

#[test]
fn an_endless_loop_is_timed_out_and_the_next_case_runs() {
    for (jdk, classes) in crate::common::jdks() {
        let time_out = Duration::from_secs(2);
        let settings = Settings { time_out, ..crate::common::settings(jdk, classes.path()) };
        let mut worker = Worker::start(settings).unwrap();
        let outcome = worker.run(&call(CALLS, "forever", "()V", vec![], vec![]));
        assert_eq!(outcome, Err(Trouble::TimedOut(time_out)));
        assert_eq!(returned(&worker.run(&counted()).unwrap()), Value::Int(1));
    }
}

#[test]
fn of_many_cases_each_has_its_own_outcome() {
    on_every_jdk(|worker| {
        let exit = call(CALLS, "exit", "(I)V", vec![Value::Int(5)], vec![]);
        let hungry = call(CALLS, "hungry", "()I", vec![], vec![]);
        let unfit = call(CALLS, "none", "()I", vec![], vec![]);
        let mut cases = vec![counted(); 600];
        (cases[10], cases[300], cases[301], cases[599]) = (exit.clone(), hungry, unfit, exit);
        let results = worker.run_all(&cases, Manner::default());
        assert_eq!(results.len(), cases.len());
        for (index, result) in results.iter().enumerate() {
            match (index, result) {
                (10 | 599, Ok(outcome)) => assert_eq!(outcome.end, End::Exited(5)),
                (300, Ok(outcome)) => assert_eq!(threw(&outcome.end).class, "java.lang.OutOfMemoryError"),
                (301, result) => assert!(matches!(result, Err(Trouble::Unfit(_)))),
                (_, result) => assert_eq!(returned(result.as_ref().unwrap()), Value::Int(1), "{index}"),
            }
        }
    });
}

#[test]
fn errors_of_the_jvm_are_thrown_like_others() {
    on_every_jdk(|worker| {
        let outcome = worker.run(&call(CALLS, "deep", "(I)I", vec![Value::Int(0)], vec![])).unwrap();
        assert_eq!(threw(&outcome.end).class, "java.lang.StackOverflowError");
        let outcome = worker.run(&call(CALLS, "hungry", "()I", vec![], vec![])).unwrap();
        assert_eq!(threw(&outcome.end).class, "java.lang.OutOfMemoryError");
        let outcome = worker.run(&call("cases.Calls$Broken", "value", "()I", vec![], vec![])).unwrap();
        assert_eq!(threw(&outcome.end).class, "java.lang.ExceptionInInitializerError");
    });
}

#[test]
fn static_state_is_kept_only_on_request() {
    on_every_jdk(|worker| {
        for _ in 0..2 {
            assert_eq!(returned(&worker.run(&counted()).unwrap()), Value::Int(1));
        }
        let kept = Manner { statics: Statics::Kept, ..Manner::default() };
        for expected in 1..4 {
            assert_eq!(returned(&worker.run_as(&counted(), kept).unwrap()), Value::Int(expected));
        }
        assert_eq!(returned(&worker.run(&counted()).unwrap()), Value::Int(1));
    });
}

#[test]
fn assertions_are_on_unless_they_are_turned_off() {
    on_every_jdk(|worker| {
        let case = call(CALLS, "checked", "(I)I", vec![Value::Int(-1)], vec![]);
        let outcome = worker.run(&case).unwrap();
        let thrown = threw(&outcome.end);
        assert_eq!(
            (thrown.class.as_str(), thrown.message.as_deref()),
            ("java.lang.AssertionError", Some("x is -1"))
        );
        let off = Manner { assertions: false, ..Manner::default() };
        assert_eq!(returned(&worker.run_as(&case, off).unwrap()), Value::Int(-1));
    });
}

#[test]
fn what_is_printed_does_not_disturb_the_answers() {
    on_every_jdk(|worker| {
        let outcome = worker.run(&call(CALLS, "noisy", "()I", vec![], vec![])).unwrap();
        assert_eq!((returned(&outcome), outcome.printed.as_str()), (Value::Int(-1), "outerr"));
    });
}

#[test]
fn surroundings_are_the_same_for_every_case() {
    on_every_jdk(|worker| {
        for _ in 0..2 {
            let case = call(CALLS, "surroundings", "()Ljava/lang/String;", vec![], vec![]);
            assert_eq!(returned_text(&worker.run(&case).unwrap()), "UTC en_US null null");
        }
        let outcome = worker.run(&call(CALLS, "hasWorker", "()Z", vec![], vec![])).unwrap();
        assert_eq!(returned(&outcome), Value::Boolean(false));
    });
}

#[test]
fn large_graphs_are_cut_and_say_so() {
    on_every_jdk(|worker| {
        let mut big =
            |size| worker.run(&call(CALLS, "big", "(I)Ljava/lang/Object;", vec![Value::Int(size)], vec![]));
        assert!(!big(1000).unwrap().is_cut);
        assert!(big(100_000).unwrap().is_cut);
        assert!(big(300_000).unwrap().is_cut);
    });
}

#[test]
fn a_case_that_does_not_fit_says_why() {
    on_every_jdk(|worker| {
        let mut check = |case: &Case, expected: &str| {
            assert_eq!(worker.run(case), Err(Trouble::Unfit(expected.into())));
        };
        check(&call("cases.None", "x", "()V", vec![], vec![]), "class cases.None is not on the class path");
        check(&call(CALLS, "none", "()V", vec![], vec![]), "cases.Calls has no method none()V");
        check(
            &call(CALLS, "checked", "(I)I", vec![Value::Long(1)], vec![]),
            "argument 1 of checked is int, and the case gives it long 1",
        );
        check(
            &call(CALLS, "sum", "([I)I", vec![Value::Node(0)], vec![string("")]),
            "argument 1 of sum is [I, and the case gives it an object of java.lang.String",
        );
        check(
            &call(CALLS, "sum", "([I)I", vec![Value::Node(1)], vec![string("")]),
            "argument 1 of sum is node 1, and the case has 1 nodes",
        );
        let odd = Node::Object { class: RING.into(), fields: vec![("size".into(), Value::Null)] };
        check(&call_on(RING, "both", "()J", vec![odd]), "cases.Ring has no field size");
    });
}

#[test]
fn recorded_choices_are_given_in_order() {
    let value = |value: Value| Recorded::of(&value).unwrap();
    on_every_jdk(|worker| {
        let mut case = call("choices.Program", "all", "()Ljava/lang/String;", vec![], vec![]);
        case.choices = vec![
            value(Value::Int(-7)),
            Recorded::Text("héllo".encode_utf16().collect()),
            value(Value::Float(-2.5)),
            value(Value::Int(4)),
            value(Value::Boolean(true)),
            value(Value::Long(i64::MIN)),
            value(Value::Char(b'q'.into())),
            Recorded::Number { kind: Kind::Int, bits: 2 },
        ];
        let outcome = worker.run(&case).unwrap();
        assert_eq!(returned_text(&outcome), "-7 héllo -2.5 4 true -9223372036854775808 q z 4");
        assert_eq!(outcome.choices_taken, 8);
        case.choices[3] = Recorded::Decision(2);
        case.choices[4] = Recorded::Decision(1);
        let outcome = worker.run(&case).unwrap();
        assert_eq!(returned_text(&outcome), "-7 héllo -2.5 5 false -9223372036854775808 q z 4");
        case.choices.pop();
        let too_few = End::Diverged("the case has 7 choices, and the program makes more".into());
        assert_eq!(worker.run(&case).unwrap().end, too_few);
        case.choices[3] = value(Value::Int(6));
        let out_of_bounds = End::Diverged("choice 3 is 6, and the program asks for 3 to 5".into());
        assert_eq!(worker.run(&case).unwrap().end, out_of_bounds);
    });
}

#[test]
fn assumptions_and_pools_follow_the_recorded_choices() {
    on_every_jdk(|worker| {
        let mut case = call("choices.Program", "assumed", "()V", vec![], vec![]);
        let mut assumed = |value| {
            case.choices = vec![Recorded::of(&Value::Int(value)).unwrap()];
            worker.run(&case).unwrap().end
        };
        assert_eq!(assumed(15), End::Returned(None));
        assert_eq!(assumed(5), End::Dropped);
        assert_eq!(threw(&assumed(25)).message.as_deref(), Some("25"));

        let mut case = call("choices.Program", "pool", "()Z", vec![], vec![]);
        for (decisions, expected) in [([0, 0], false), ([1, 1], true), ([1, 2], false)] {
            case.choices = decisions.map(Recorded::Decision).to_vec();
            assert_eq!(returned(&worker.run(&case).unwrap()), Value::Boolean(expected), "{decisions:?}");
        }
    });
}

#[test]
fn a_runtime_without_compiler_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("bin")).unwrap();
    let start = || Worker::start(Settings::new(folder.path(), &[])).err().unwrap();
    assert!(start().ends_with("has no bin/java: pass the folder of a JDK"), "{}", start());
    std::fs::write(folder.path().join("bin").join(format!("java{}", std::env::consts::EXE_SUFFIX)), "")
        .unwrap();
    assert!(start().ends_with("has no compiler, bin/javac: pass a JDK, not a JRE"), "{}", start());
}
