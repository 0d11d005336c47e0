//! Generated programs that hand choices to the language and the library, and build and go through pools: however the
//! choices are made, with one worker or two, and on a plain JVM, they give the same results up to isomorphism.
//!
//! A sample is run here; thousands of programs are run by `make test-long`.

mod agreement;
mod generate;
mod phrases;
mod pools;
mod shown;

use agreement::agree;

#[test]
fn a_sample_of_programs_gives_the_same_in_every_mode() {
    let report = agree(1, 100, 60);
    assert!(report.symbolic > 100, "{report:?}");
}

#[test]
#[ignore = "minutes: make test-long"]
fn long_thousands_of_programs_give_the_same_in_every_mode() {
    let report = agree(2, 1700, 700);
    println!("{report:?}");
    assert!(report.programs >= 2200 && report.symbolic > 1500, "{report:?}");
}
