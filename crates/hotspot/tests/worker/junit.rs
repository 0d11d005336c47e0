//! Compiling sources and running tests in the worker.

use std::path::Path;
use std::time::Duration;

use hotspot::{Compilation, Compiled, Lint, Place, Severity, Source, TestEnd, TestName, Trouble, Worker};

use crate::common::{on_every_jdk, root};

const PATIENCE: Duration = Duration::from_secs(20);

fn compile(worker: &mut Worker, path: &str, text: &str, lint: Lint) -> Compiled {
    let sources = vec![Source { path: path.into(), text: text.into() }];
    worker.compile(&Compilation { sources, class_path: vec![], release: None, lint }).unwrap()
}

#[test]
fn sources_are_compiled_against_the_class_path() {
    on_every_jdk(|worker| {
        let text = "package p; class A { Object o = new cases.Calls(); }";
        let compiled = compile(worker, "p/A.java", text, Lint::Deny);
        assert!(compiled.is_done && compiled.diagnostics.is_empty(), "{compiled:?}");
        assert!(compiled.folder.join("p/A.class").is_file());
    });
}

#[test]
fn errors_and_warnings_are_reported_with_their_places() {
    on_every_jdk(|worker| {
        let compiled = compile(worker, "p/A.java", "package p;\nclass A { int x = \"\"; }", Lint::Warn);
        assert!(!compiled.is_done);
        let [error] = &compiled.diagnostics[..] else { panic!("{compiled:?}") };
        assert_eq!(error.severity, Severity::Error);
        assert_eq!((error.path.as_deref(), error.line, error.column), (Some("p/A.java"), Some(2), Some(19)));
        assert_eq!(error.code.as_deref(), Some("compiler.err.prob.found.req"));
        assert_eq!(error.message, "incompatible types: java.lang.String cannot be converted to int");

        let raw = "class A { java.util.List x; }";
        let compiled = compile(worker, "A.java", raw, Lint::Warn);
        assert!(compiled.is_done);
        assert_eq!(compiled.diagnostics[0].severity, Severity::Warning);
        assert!(!compile(worker, "A.java", raw, Lint::Deny).is_done);
        assert_eq!(compile(worker, "A.java", raw, Lint::Off).diagnostics, []);
    });
}

#[test]
fn an_older_release_can_be_asked_for() {
    on_every_jdk(|worker| {
        let sources = vec![Source { path: "A.java".into(), text: "class A { var x = 1; }".into() }];
        let release = Some(8);
        let mut compilation = Compilation { sources, class_path: vec![], release, lint: Lint::Deny };
        assert!(!worker.compile(&compilation).unwrap().is_done);
        compilation.sources[0].text = "class A { Runnable x = () -> {}; }".into();
        let compiled = worker.compile(&compilation).unwrap();
        assert!(compiled.is_done, "{compiled:?}");
        let bytes = std::fs::read(compiled.folder.join("A.class")).unwrap();
        assert_eq!(bytes[7], 52);
        compilation.release = Some(99);
        assert!(matches!(worker.compile(&compilation), Err(Trouble::Unfit(_))));
    });
}

/// The worker runs on Java 8: it uses no newer language and no newer library.
#[test]
fn the_worker_is_java_8_and_lints_clean() {
    on_every_jdk(|worker| {
        let mut sources = sources_in(&root().join("java/worker/src/main/java"));
        sources.push(Source { path: "shakedown/worker/Table.java".into(), text: library::worker::source() });
        // Only the JDK itself shows this class; all that is used of it is here.
        let access: String = ["Object", "int", "boolean", "long", "double", "char", "byte", "short", "float"]
            .iter()
            .map(|kind| {
                let name = format!("{}{}", kind[..1].to_uppercase(), &kind[1..]);
                format!(
                    "public native {kind} get{name}(Object o, long at);\n\
                     public native void put{name}(Object o, long at, {kind} value);\n"
                )
            })
            .collect();
        let text = format!(
            "package sun.misc;\npublic final class Unsafe {{\n\
             public native long objectFieldOffset(java.lang.reflect.Field field);\n\
             public native Object allocateInstance(Class<?> type) throws InstantiationException;\n{access}}}"
        );
        sources.push(Source { path: "sun/misc/Unsafe.java".into(), text });
        let class_path = vec![];
        let compilation = Compilation { sources, class_path, release: Some(8), lint: Lint::Deny };
        let compiled = worker.compile(&compilation).unwrap();
        assert!(compiled.is_done, "{:#?}", compiled.diagnostics);
    });
}

fn sources_in(folder: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                let path = path.strip_prefix(folder).unwrap().to_str().unwrap().to_string();
                sources.push(Source { path, text });
            }
        }
    }
    sources
}

/// The fixture and its stand-in for JUnit.
fn first_test(worker: &mut Worker) -> Compiled {
    let sources = sources_in(&root().join("fixtures/worker/tests"));
    let compiled =
        worker.compile(&Compilation { sources, class_path: vec![], release: None, lint: Lint::Deny });
    let compiled = compiled.unwrap();
    assert!(compiled.is_done, "{compiled:?}");
    compiled
}

#[test]
fn tests_are_run_in_the_given_order_whatever_each_of_them_does() {
    on_every_jdk(|worker| {
        let path = [first_test(worker).folder];
        let tests = worker.tests(&["FirstTest".into()], &path).unwrap();
        let names: Vec<&str> = tests.iter().map(|test| test.method.as_str()).collect();
        assert_eq!(names, ["exits", "fails", "hangs", "isFirst", "isSkipped", "passes"]);

        let mut run = |names: &[&str], time_out| {
            let name = |name: &&str| TestName { class: "FirstTest".into(), method: name.to_string() };
            let tests: Vec<TestName> = names.iter().map(name).collect();
            let results = worker.test(&tests, &path, Place::HERE, time_out).unwrap();
            assert_eq!(results.iter().map(|result| result.name.clone()).collect::<Vec<_>>(), tests);
            results.into_iter().map(|result| result.end).collect::<Vec<_>>()
        };
        let ends = run(&["isFirst", "passes", "fails", "isSkipped"], PATIENCE);
        assert_eq!(ends[..2], [TestEnd::Passed, TestEnd::Passed]);
        let TestEnd::Failed(thrown) = &ends[2] else { panic!("{ends:?}") };
        assert_eq!(thrown.message.as_deref(), Some("expected: <1> but was: <2>"));
        assert_eq!(thrown.frames[1].line, Some(44));
        assert_eq!(ends[3], TestEnd::Skipped("not today".into()));

        // In another order, one test sees what the others left; in another pass, it does not.
        let ends = run(&["passes", "isFirst"], PATIENCE);
        assert!(matches!(&ends[..], [TestEnd::Passed, TestEnd::Failed(_)]), "{ends:?}");
        assert_eq!(run(&["isFirst"], PATIENCE), [TestEnd::Passed]);

        let ends = run(&["exits", "passes", "hangs", "passes"], Duration::from_secs(3));
        assert_eq!(ends, [TestEnd::Exited(0), TestEnd::Passed, TestEnd::TimedOut, TestEnd::Passed]);
    });
}

#[test]
fn tests_of_junit_4_say_what_they_expect() {
    on_every_jdk(|worker| {
        let path = [first_test(worker).folder];
        let tests = worker.tests(&["OldTest".into()], &path).unwrap();
        let results = worker.test(&tests, &path, Place::HERE, PATIENCE).unwrap();
        let ends: Vec<_> = results.iter().map(|result| (result.name.method.as_str(), &result.end)).collect();
        let [("isIgnored", ignored), ("throwsNothing", nothing), ("throwsThat", that)] = ends[..] else {
            panic!("{ends:?}")
        };
        assert_eq!((ignored, that), (&TestEnd::Skipped("".into()), &TestEnd::Passed));
        let TestEnd::Failed(thrown) = nothing else { panic!("{nothing:?}") };
        assert_eq!(thrown.message.as_deref(), Some("expected exception: java.lang.IllegalStateException"));
    });
}

#[test]
fn a_test_that_is_not_there_is_named() {
    on_every_jdk(|worker| {
        let test = TestName { class: "cases.Calls".into(), method: "sum".into() };
        let expected = Trouble::Unfit("cases.Calls has no test sum".into());
        assert_eq!(worker.test(&[test], &[], Place::HERE, PATIENCE), Err(expected));
    });
}
