//! What is written compiles without a warning, whatever classes and methods are called.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Bench, read, text};
use testkit::root;

/// All Java files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(sources(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found.retain(|path| path.extension().is_some_and(|ending| ending == "java"));
    found
}

impl Bench {
    /// Compiles what is in `out` as a strict build does.
    fn compile_strictly(&self) {
        let javac = |arguments: &[&str], files: Vec<PathBuf>| {
            let mut javac = Command::new(self.jdk.home().join("bin/javac"));
            let done =
                javac.current_dir(self.folder.path()).args(arguments).args(files).output().expect("javac");
            assert!(done.status.success(), "{}{}", text(&done.stdout), text(&done.stderr));
        };
        javac(&["-nowarn", "-d", "junit"], sources(&root().join("java/standins")));
        let strict = ["-Xlint:all", "-Werror", "-proc:none", "-cp", "classes:junit", "-d", "compiled"];
        javac(&strict, sources(&self.path("out")));
    }

    /// Writes tests, all of which have to hold and to compile; what was said, and the report.
    fn all_written(&self, targets: &[&str]) -> (String, serde_json::Value) {
        let arguments = [targets, &["-o", "out", "--json", "report.json", "--verbose"]].concat();
        let done = self.tests(&arguments);
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{said}");
        let report: serde_json::Value = serde_json::from_str(&read(&self.path("report.json"))).expect("JSON");
        assert_eq!(report["dropped"], 0, "{said}");
        self.compile_strictly();
        (said, report)
    }
}

fn is_complete(report: &serde_json::Value) {
    assert_eq!(report["branches_covered"], report["branches_total"], "{report:#}");
}

#[test]
fn classes_of_the_package_hide_those_of_the_library_and_of_junit() {
    let bench = Bench::new(&[
        (
            "Test",
            "package s; public class Test { private final int n;
               public Test(int n) { if (n < 0) throw new IllegalStateException(\"n: \" + n); this.n = n; }
               public int twice() { return n > 5 ? 2 * n : n; } }",
        ),
        (
            "Override",
            "package s; public class Override { public interface Plan { int value(); int second(); }
               public static int of(Plan p) { return p.value() > 3 ? p.second() : 2; } }",
        ),
        (
            "Exception",
            "package s; public class Exception { public static int risky(int n) throws java.io.IOException {
               if (n == 3) throw new java.io.IOException(\"three\"); return n; } }",
        ),
        (
            "String",
            "package s; public class String { private final java.lang.String t; public String(java.lang.String t) { this.t = t; }
               public java.lang.String text() { return t == null ? \"none\" : t; } }",
        ),
        (
            "Object",
            "package s; public class Object { private int n;
               public Object add(int k) { if (k > 3) n += k; return this; } public int n() { return n; } }",
        ),
        ("Disabled", "package s; public class Disabled { static int third(int[] a) { return a[2]; } }"),
        (
            "List",
            "package s; public class List {
               static java.util.List<java.lang.String> two(boolean b) { return b ? java.util.List.of(\"a\") : java.util.List.of(); }
               static int size(java.util.List<java.lang.String> l) { return l.isEmpty() ? -1 : l.size(); } }",
        ),
        (
            "Integer",
            "package s; public class Integer { static int next(int n) {
               return n == java.lang.Integer.MAX_VALUE ? 0 : n + 1; } }",
        ),
        (
            "Double",
            "package s; public class Double {
               static double f(double d) { return java.lang.Double.isNaN(d) ? 1 : d > 9 ? java.lang.Double.NaN : d; } }",
        ),
        (
            "SuppressWarnings",
            "package s; public class SuppressWarnings { @Deprecated static int old(int n) { return n > 2 ? 1 : 0; } }",
        ),
        ("BeforeEach", "package s; public class BeforeEach { static int n; static int up() { return n++ > 1 ? 1 : 0; } }"),
        (
            "Field",
            "package s; public class Field { private static int count; private int q; private Field() { }
               static Field make(int n) { count += n; return n > 3 ? new Field() : null; }
               static int count() { return count; } int q() { return q == 7 ? 1 : 0; } }",
        ),
        ("Class", "package s; public class Class { static int f(java.lang.Class<?> c) { return c == int.class ? 1 : 2; } }"),
    ]);
    let (_, report) = bench.all_written(&["s"]);
    is_complete(&report);
}

#[test]
fn classes_that_a_class_inside_a_test_inherits_hide_others_there() {
    let bench = Bench::new(&[(
        "Outer",
        "package t; public class Outer {
           public static class List { final int n; public List(int n) { this.n = n; } }
           public static int both(List a, java.util.List<String> b) { return a.n > b.size() ? 1 : 2; }
           public abstract static class Base { public static class Date { }
             public abstract Date date(java.util.Date d); public abstract int k(); }
           public static int based(Base b) { return b.date(null) == null ? b.k() > 3 ? 2 : 3 : 1; }
           public interface Map<K, V> { interface Entry { int e(); } V get(K k);
             Entry entry(java.util.Map.Entry<String, String> x); }
           public static int mapped(Map<String, Integer> m) { return m.get(\"a\") > 3 ? 1 : m.entry(null) == null ? 2 : 3; } }",
    )]);
    let (_, report) = bench.all_written(&["t"]);
    is_complete(&report);
}

#[test]
fn methods_called_like_those_of_test_classes_are_tested_under_other_names() {
    let bench = Bench::new(&[(
        "Checks",
        "package t; public class Checks { private static int count; private int n; private Checks() { }
           static Checks made(int n) { if (n > 3) count++; return new Checks(); }
           void assertEquals(int k) { if (k > 3) n = k; } void assertThrows() { n++; } int n() { return n; }
           void resetStatics() { count = 7; } static void construct() { count++; } static int count() { return count; }
           void assertTrue(RuntimeException exception) { if (exception == null) throw new IllegalStateException(\"none\");
             throw exception; } }",
    )]);
    let (_, report) = bench.all_written(&["t"]);
    is_complete(&report);
}

#[test]
fn strict_builds_have_nothing_to_complain_of() {
    let bench = Bench::new(&[
        (
            "Main",
            "package l; public class Main { int use(Aux a) { return a.n > 3 ? 1 : 0; }
               static Aux give(int n) { return n > 3 ? new Aux(n) : null; } }
             class Aux { final int n; Aux(int n) { this.n = n; } int twice() { return n > 2 ? 2 * n : 0; } }",
        ),
        (
            "Res",
            "package l; public class Res implements AutoCloseable { private boolean closed;
               @Override public void close() { closed = true; } public boolean isClosed() { return closed; }
               static int take(AutoCloseable c, java.io.Closeable d) throws Exception {
                 if (c == null) return 1; c.close(); return d == null ? 2 : 3; } }",
        ),
        (
            "Raw",
            "package l; import java.util.*; @SuppressWarnings({\"rawtypes\", \"unchecked\"}) public class Raw {
               private final List items; public Raw(List items) { this.items = items; }
               public int size() { return items.isEmpty() ? -1 : items.size(); }
               public static Map index(Collection c, Comparable k) { Map m = new HashMap(); if (!c.isEmpty()) m.put(k, c); return m; }
               public static int cmp(Comparator c) { return c.compare(\"a\", \"b\") > 0 ? 1 : 2; } }",
        ),
        (
            "Dep",
            "package l; @Deprecated public class Dep { @Deprecated(forRemoval = true) public static int old(int n) { return n > 3 ? 1 : 0; }
               public enum K { A, @Deprecated(forRemoval = true) B } public static int k(K k) { return k == K.B ? 1 : 0; }
               @Deprecated static int calls; static int next(int n) { if (n > 3) calls++; return calls; } }",
        ),
        (
            "Over",
            "package l; public class Over { public abstract static class Key { public abstract int v();
                 @Override public abstract boolean equals(Object o); @Override public abstract int hashCode(); }
               public static int eq(Key k) { return k.equals(\"a\") ? 1 : k.v() > 3 ? 2 : 3; }
               public abstract static class Err extends RuntimeException { private static final long serialVersionUID = 1;
                 public abstract int code(); public abstract int other(); }
               public static int err(Err e) { return e.code() > 3 ? e.other() > 2 ? 1 : 2 : 3; } }",
        ),
        (
            "Many",
            "package l; import java.util.*; public class Many { @SafeVarargs static <T> int count(T... ts) { return ts == null ? -1 : ts.length > 2 ? 2 : 1; }
               @SafeVarargs static <T> List<T> first(List<T>... ls) { return ls.length == 0 ? new ArrayList<>() : ls[0]; }
               static int over(Object o) { return o == null ? 0 : 1; } static int over(String o) { return o == null ? 2 : 3; }
               static int num(long l) { return l > 3 ? 1 : 0; } static int num(int l) { return l > 3 ? 1 : 0; } }",
        ),
    ]);
    let (_, report) = bench.all_written(&["l"]);
    is_complete(&report);
    let main = read(&bench.path("out/l/MainTest.java"));
    assert!(main.contains("@SuppressWarnings(\"auxiliaryclass\")"), "{main}");
}

#[test]
fn arrays_inside_values_are_compared_by_what_is_in_them() {
    let bench = Bench::new(&[(
        "Same",
        "package g; import java.util.*; public class Same { public record Arr(int[] a, String b) { }
           static Arr arr(int n) { return n > 3 ? new Arr(new int[] {n}, \"a\") : new Arr(null, \"b\"); }
           static List<Arr> list(int n) { return n > 3 ? List.of(new Arr(new int[] {n}, \"a\")) : List.of(); }
           static Optional<int[]> perhaps(int n) { return n > 3 ? Optional.of(new int[] {n}) : Optional.empty(); }
           static int[][] rows(int n) { return new int[][] {{n}, {1}}; }
           static boolean alias(int[] a, int[] b) { return a == b; }
           static Optional<List<String>> open(int n) { return n > 3 ? Optional.of(new ArrayList<>()) : Optional.empty(); } }",
    )]);
    let (_, report) = bench.all_written(&["g.Same"]);
    is_complete(&report);
    let source = read(&bench.path("out/g/SameTest.java"));
    assert!(source.contains("assertArrayEquals(new int[] {"), "{source}");
}

/// Gives a constant of a class file another name of the same length.
fn rename(file: &Path, from: &str, to: &str) {
    let mut bytes = fs::read(file).expect("a class file");
    let places: Vec<usize> =
        (0..bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from.as_bytes())).collect();
    assert!(!places.is_empty(), "{from}");
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
    }
    fs::write(file, bytes).expect("written");
}

#[test]
fn what_java_cannot_name_is_not_called_and_the_reason_is_told() {
    let bench = Bench::new(&[(
        "Odd",
        "package k; public class Odd { public static int foo_impl(int n) { return n > 3 ? 1 : 0; }
           public static int plain(int n) { return n > 5 ? two_words(n) : 0; }
           public static int two_words(int n) { return n == 9 ? 1 : 2; } }",
    )]);
    let file = bench.path("classes/k/Odd.class");
    rename(&file, "foo_impl", "foo-impl");
    rename(&file, "two_words", "two words");
    let (said, report) = bench.all_written(&["k.Odd"]);
    assert_eq!(report["branches_covered"], 4, "{report:#}");
    assert!(said.contains("Java source cannot write the name foo-impl"), "{said}");
    let source = read(&bench.path("out/k/OddTest.java"));
    assert!(source.contains("Odd.plain(9)"), "{source}");
}

#[test]
fn test_classes_get_names_that_nothing_else_has() {
    let method = "static int f(int[] a) { return a.length > 1 ? a[2] : 0; }";
    let class = |name: &str| format!("package c; public class {name} {{ {method} }}");
    let acc = format!("package c; public class Acc {{ {method} public static class In {{ {method} }} }}");
    let names = ["Prod", "ProdTest", "AccCrash", "AccIn", "Foo", "FOO"];
    let texts = names.map(|name| (name, class(name)));
    let mut sources: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    sources.push(("Acc", &acc));
    let bench = Bench::new(&sources);
    let (said, report) = bench.all_written(&["c"]);
    is_complete(&report);
    for (class, name) in [
        ("c.Prod", "ProdGeneratedTest"),
        ("c.AccCrash", "AccCrashGeneratedTest"),
        ("c.AccIn", "AccInGeneratedTest"),
        ("c.Foo", "FooGeneratedTest"),
    ] {
        assert!(said.contains(&format!("tests of {class} are in {name}\n")), "{said}");
        assert!(bench.path(&format!("out/c/{name}.java")).exists(), "{name}");
    }
    assert!(said.contains("shakedown: c.ProdTest is a class on the class path; "), "{said}");
    let again = bench.tests(&["c", "-o", "out", "--update"]);
    assert!(text(&again.stdout).contains("8 classes are unchanged: kept"), "{}", text(&again.stdout));
}

#[test]
fn tests_that_were_compiled_before_are_not_run_in_place_of_new_ones() {
    let source = |limit: &str| {
        format!("package c; public class Prod {{ static int f(int n) {{ return n > {limit} ? 1 : 0; }} }}")
    };
    let bench = Bench::new(&[("Prod", &source("3"))]);
    bench.all_written(&["c"]);
    for entry in fs::read_dir(bench.path("compiled/c")).expect("a folder") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, bench.path("classes/c").join(path.file_name().expect("a name"))).expect("copied");
    }
    let changed = bench.path("Prod.java");
    fs::write(&changed, source("70")).expect("written");
    testkit::Javac::of(&bench.jdk).release("17").files([changed]).into(bench.path("classes"));
    let done = bench.tests(&["c.Prod", "-o", "out", "--force"]);
    assert!(
        text(&done.stdout).contains("each confirmed on the JVM; 2 of 2 branches"),
        "{}",
        text(&done.stderr)
    );
    let written = read(&bench.path("out/c/ProdTest.java"));
    assert!(written.contains("Prod.f(70)"), "{written}");
}
