//! One program on the machine and on the real JVM.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::fixtures::{Compiled, Program};

/// Nothing in the suite takes this long unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(120);

struct Outcome {
    output: Vec<u8>,
    errors: Vec<u8>,
    status: Option<i32>,
}

pub fn check(compiled: &Compiled, program: &Program) -> Result<(), String> {
    let path = compiled.class_path()?;
    let mut java = Command::new(compiled.jdk.home().join("bin/java"));
    java.args(["-cp", &path, &program.name]).args(&program.arguments);
    let mut machine = Command::new(env!("CARGO_BIN_EXE_shakedown"));
    machine.arg("run").arg("--jdk").arg(compiled.jdk.home());
    machine.args(["-cp", &path, &program.name]).args(&program.arguments);
    let expected = run(java, &program.input)?;
    let actual = run(machine, &program.input)?;
    if expected.status != actual.status {
        return Err(format!(
            "java ended with {:?}, the machine with {:?}\n{}",
            expected.status,
            actual.status,
            String::from_utf8_lossy(&actual.errors)
        ));
    }
    if expected.output != actual.output {
        return Err(first_difference(&expected.output, &actual.output));
    }
    if expected.errors != actual.errors {
        return Err(format!("standard error, {}", first_difference(&expected.errors, &actual.errors)));
    }
    Ok(())
}

fn run(mut command: Command, input: &[u8]) -> Result<Outcome, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input closes it early.
        let _ = stdin.write_all(input);
    }
    let started = Instant::now();
    let (mut stdout, mut stderr) = (child.stdout.take(), child.stderr.take());
    let reader = |pipe: Option<Box<dyn std::io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut bytes);
            }
            bytes
        })
    };
    let output = reader(stdout.take().map(|p| Box::new(p) as _));
    let errors = reader(stderr.take().map(|p| Box::new(p) as _));
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break status;
        }
        if started.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("no end after {} s", PATIENCE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    Ok(Outcome {
        output: output.join().unwrap_or_default(),
        errors: errors.join().unwrap_or_default(),
        status: status.code(),
    })
}

/// The first line in which two outputs differ, in words.
pub fn first_difference(expected: &[u8], actual: &[u8]) -> String {
    let (expected, actual) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(actual));
    let mut theirs = expected.lines();
    let mut ours = actual.lines();
    for line in 1.. {
        let (x, y) = (theirs.next(), ours.next());
        if x != y || x.is_none() {
            let shown = |text: Option<&str>| text.map_or("(end of output)".into(), |t| format!("{t:?}"));
            return format!("line {line}: {} was expected, {} was printed", shown(x), shown(y));
        }
    }
    String::new()
}
