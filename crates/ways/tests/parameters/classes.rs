//! The graphs of compiled classes: which ways there are to their types.

use std::collections::BTreeMap;

use testkit::{Javac, classes, root};
use ways::Origin;
use ways::graph::Nulls;

use crate::fixtures::{Offered, listed, machine, public_methods};
use crate::ledger::compare;

const FIGURE_5: &str = "
//- p/A.java
package p; public class A { public A(B b) { } }
//- p/B.java
package p; public class B { public A m(int i) { return new A(this); } }
//- p/C.java
package p; public class C { public static void f(A a, int i) { } }
";

#[test]
fn figure_5_is_found_in_classes() {
    let folder = classes(FIGURE_5);
    let mut m = machine(&[folder.path().into()]);
    let offered = Offered::new(&mut m, "p");
    let all = listed(&mut m, &offered, "p/C", "f", 3);
    assert_eq!(all.len(), 18);
    assert_eq!(all[..4], ["null, -1", "null, 0", "null, 1", "new A(null), -1"]);
    assert_eq!(all[17], "new B().m(1), 1");
    assert_eq!(listed(&mut m, &offered, "p/C", "f", 2).len(), 6);
    assert_eq!(listed(&mut m, &offered, "p/C", "f", 1), ["null, -1", "null, 0", "null, 1"]);
}

/// What `f` of class `C` is given.
#[track_caller]
fn check(source: &str, depth: u32, expected: &[&str]) {
    let folder = classes(source);
    let mut m = machine(&[folder.path().into()]);
    let offered = Offered::new(&mut m, "p");
    assert_eq!(listed(&mut m, &offered, "p/C", "f", depth), expected);
}

#[test]
fn null_is_left_out_where_it_is_not_asked_for() {
    let folder = classes(FIGURE_5);
    let mut m = machine(&[folder.path().into()]);
    let mut offered = Offered::new(&mut m, "p");
    offered.nulls = Nulls::Excluded;
    let all = listed(&mut m, &offered, "p/C", "f", 3);
    assert_eq!(all.len(), 12);
    assert_eq!(all[0], "new A(new B()), -1");
    assert!(listed(&mut m, &offered, "p/C", "f", 1).is_empty());
}

#[test]
fn literals_of_a_class_are_values() {
    let folder = classes(
        "
        //- p/C.java
        package p; public class C {
          public static boolean f(String s, byte b) { return s.equals(\"key\") && (b == 42 || s.length() > 3000); } }
        ",
    );
    let mut m = machine(&[folder.path().into()]);
    let mut offered = Offered::new(&mut m, "p");
    let class = m.load("p/C").unwrap_or_else(|_| panic!("it is there"));
    offered.pool.add_literals_of(&m, class);
    let all = listed(&mut m, &offered, "p/C", "f", 1);
    assert_eq!(all.len(), 4 * 4, "{all:?}");
    assert!(all.contains(&"\"key\", 42".into()), "{all:?}");
}

#[test]
fn a_type_is_had_by_what_gives_a_subtype() {
    check(
        "
        //- p/Shape.java
        package p; public interface Shape { int area(); void draw(); }
        //- p/Square.java
        package p; public class Square implements Shape {
          public static final Square UNIT = new Square();
          private Square() { }
          public int area() { return 1; }
          public void draw() { }
          public static Square of(boolean large) { return UNIT; } }
        //- p/C.java
        package p; public class C { public static void f(Shape s) { } }
        ",
        2,
        &[
            "Square.UNIT",
            "null",
            "Square.of(false)",
            "Square.of(true)",
            "new Shape() {-1}",
            "new Shape() {0}",
            "new Shape() {1}",
        ],
    );
}

#[test]
fn enums_records_and_inner_classes_are_made_as_in_source() {
    check(
        "
        //- p/Color.java
        package p; public enum Color { RED { }, BLUE; public static Color first() { return RED; } }
        //- p/Pen.java
        package p; public record Pen(Color color) { }
        //- p/Box.java
        package p; public class Box { public class Lid { public Lid(boolean b) { } } }
        //- p/C.java
        package p; public class C { public static void f(Pen p) { } public static void g(Box.Lid l) { } }
        ",
        2,
        &["null", "new Pen(Color.RED)", "new Pen(Color.BLUE)", "new Pen(null)"],
    );
}

#[test]
fn an_inner_object_is_made_with_its_outer_one() {
    check(
        "
        //- p/Box.java
        package p; public class Box { public class Lid { public Lid(boolean b) { } } }
        //- p/C.java
        package p; public class C { public static void f(Box.Lid l) { } }
        ",
        3,
        &["null", "new Lid(new Box(), false)", "new Lid(new Box(), true)"],
    );
}

#[test]
fn what_source_cannot_name_is_no_way() {
    check(
        "
        //- q/A.java
        package q; public class A {
          static final A HIDDEN = new A(1);
          protected A() { }
          A(int i) { }
          static A hidden() { return HIDDEN; }
          public static A open() { return HIDDEN; } }
        //- q/Other.java
        package q; class Other extends A { public static A give() { return null; } }
        //- p/C.java
        package p; public class C { public static void f(q.A a) { } }
        ",
        3,
        &["null", "A.open()"],
    );
}

#[test]
fn arrays_and_collections_are_as_deep_as_what_is_in_them() {
    check(
        "
        //- p/C.java
        package p; public class C { public static void f(boolean[] b) { } }
        ",
        1,
        &[
            "null",
            "new boolean[] {}",
            "new boolean[] {false}",
            "new boolean[] {true}",
            "new boolean[] {false, false}",
            "new boolean[] {false, true}",
            "new boolean[] {true, false}",
            "new boolean[] {true, true}",
        ],
    );
    check(
        "
        //- p/C.java
        package p; import java.util.*; public class C { public static void f(List<Boolean> b) { } }
        ",
        1,
        &[
            "null",
            "new ArrayList()",
            "new ArrayList(false)",
            "new ArrayList(true)",
            "new ArrayList(null)",
            "new ArrayList(false, false)",
            "new ArrayList(false, true)",
            "new ArrayList(false, null)",
            "new ArrayList(true, false)",
            "new ArrayList(true, true)",
            "new ArrayList(true, null)",
            "new ArrayList(null, false)",
            "new ArrayList(null, true)",
            "new ArrayList(null, null)",
        ],
    );
}

#[test]
fn functions_and_builders_are_ways() {
    check(
        "
        //- p/C.java
        package p; public class C { public static void f(java.util.function.BooleanSupplier s, Runnable r) { } }
        ",
        2,
        &[
            "null, null",
            "null, () -> {}",
            "() -> false, null",
            "() -> false, () -> {}",
            "() -> true, null",
            "() -> true, () -> {}",
        ],
    );
    check(
        "
        //- p/Car.java
        package p; public class Car { private Car() { }
          public static Builder builder() { return new Builder(); }
          public static class Builder { private Builder() { }
            public Builder fast(boolean b) { return this; }
            public Car build() { return new Car(); } } }
        //- p/C.java
        package p; public class C { public static void f(Car c) { } }
        ",
        3,
        &[
            "null",
            "Car.builder().build()",
            "Car.builder().fast(false).build()",
            "Car.builder().fast(true).build()",
        ],
    );
}

#[test]
fn type_arguments_are_kept() {
    check(
        "
        //- p/Box.java
        package p; public class Box<T> { public Box(T t) { } public Box<Box<T>> twice() { return null; } }
        //- p/Words.java
        package p; public class Words extends Box<String> { private Words() { super(null); }
          public static final Words ALL = new Words(); }
        //- p/C.java
        package p; public class C { public static void f(Box<Boolean> b) { } }
        ",
        2,
        &["null", "new Box(false)", "new Box(true)", "new Box(null)"],
    );
}

/// Folders of sources that compile each by itself.
const FIXTURES: [&str; 16] = [
    "examples/shop/src/main/java",
    "fixtures/answers/corners",
    "fixtures/answers/hits",
    "fixtures/answers/made",
    "fixtures/answers/objects",
    "fixtures/answers/records",
    "fixtures/check",
    "fixtures/conformance/collections",
    "fixtures/conformance/lambdas",
    "fixtures/conformance/objects",
    "fixtures/memory",
    "fixtures/paths",
    "fixtures/planted",
    "fixtures/programs",
    "fixtures/random",
    "fixtures/semantics",
];

#[test]
fn spaces_of_fixtures_agree_with_lists() {
    let target = root().join("target/ways");
    let api = target.join("api");
    Javac::new().tree(root().join("java/api/src/main/java")).tree(root().join("java/stubs")).into(&api);
    let (mut calls, mut whole) = (0, 0);
    for folder in FIXTURES {
        let compiled = target.join(folder);
        Javac::new().class_path(&[&api]).tree(root().join(folder)).into(&compiled);
        let mut m = machine(&[compiled, api.clone()]);
        let mut offered: BTreeMap<String, Offered> = BTreeMap::new();
        for class in m.program.path.classes_of_entry(0) {
            let Ok(id) = m.load(&class) else { continue };
            if public_methods(&m, id).is_empty() {
                continue;
            }
            let package = program::link::package(&class).to_string();
            let offered = offered.entry(package).or_insert_with_key(|package| Offered::new(&mut m, package));
            for depth in 1..=3 {
                let parameters = offered.parameters(&mut m, &class, depth);
                calls += parameters.methods.len();
                whole += compare(&parameters.graph, depth, &|by| *by == Origin::Null);
            }
        }
    }
    assert!(calls > 5000 && whole * 4 > calls * 3, "{whole} of {calls} spaces are small enough to be listed");
}
