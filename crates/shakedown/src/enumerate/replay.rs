//! `--replay`: one path, with its choices on request.

use explore::enumerate::{Finding, Listener, Replayed, Request};
use machine::{Choice, Machine};
use search::Go;

use super::printer::Printer;
use crate::common::{FOUND, INCONCLUSIVE, WRONG_INPUT, say, tell, wrong};

/// A list of decisions as it was typed; empty for a path without choices.
#[derive(Clone, Debug)]
pub struct Decisions(Vec<u64>);

pub fn parse(text: &str) -> Result<Decisions, String> {
    if text.is_empty() {
        return Ok(Decisions(Vec::new()));
    }
    let number = |part: &str| {
        part.trim().parse().map_err(|_| format!("`{part}` is not a decision; give a list such as 0,2,1"))
    };
    Ok(Decisions(text.split(',').map(number).collect::<Result<_, String>>()?))
}

/// Runs the path. A result is written as the enumeration writes it.
pub fn replay(request: &Request, decisions: &Decisions, trace: bool, mut printer: Printer) -> u8 {
    let mut show = |m: &Machine, choice: &Choice, decision: u64| {
        if trace {
            tell(&format!("{choice}{}: {}\n", place(m), choice.describe(decision)));
        }
    };
    let found = match explore::enumerate::replay(request, &decisions.0, &mut show) {
        Ok(Replayed::Finding(found)) => found,
        Ok(Replayed::Rejected(printed)) => {
            say(&printed);
            tell("an assumption failed: the path is dropped\n");
            return 0;
        }
        Ok(Replayed::Open(choice)) => {
            tell(&format!(
                "shakedown: the list ends at a choice ({choice}) with {} alternatives\n",
                choice.alternatives
            ));
            return INCONCLUSIVE;
        }
        Ok(Replayed::CutOff) => {
            tell("shakedown: cut off by --time\n");
            return INCONCLUSIVE;
        }
        Err(message) => return wrong(message),
    };
    match &found {
        Finding::Failure(failure) => {
            say(&failure.printed);
            tell(&failure.trace);
            FOUND
        }
        Finding::GaveUp(why) => {
            tell(&format!("shakedown: {why}\n"));
            INCONCLUSIVE
        }
        Finding::Missing(_) => {
            printer.found(found);
            WRONG_INPUT
        }
        Finding::Solution(_) => {
            let go = printer.found(found);
            printer.close();
            if go == Go::On { 0 } else { INCONCLUSIVE }
        }
    }
}

/// Where the program's own code is.
fn place(m: &Machine) -> String {
    let row = m
        .stack_rows()
        .into_iter()
        .find(|row| !m.program.class(m.program.method(row.method).class).is_library());
    row.map_or_else(String::new, |row| {
        let line = m.program.line(row.method, row.bci as u16);
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        format!(" at {}{line}", m.program.method_name(row.method))
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn lists_are_read() {
        assert!(parse("").expect("a list").0.is_empty());
        assert_eq!(parse("0, 2,1").expect("a list").0, [0, 2, 1]);
        assert!(parse("0,,1").is_err() && parse("x").is_err());
    }
}
