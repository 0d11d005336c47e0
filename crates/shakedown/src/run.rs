//! `shakedown run`: behaves like `java`.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use classpath::ClassPath;
use explore::Wrong;
use machine::{Choice, Config, End, Machine, Memory, Raise, Ref, Step, Stop};
use memory::Level;
use program::{ClassId, Program};

use crate::common::{INCONCLUSIVE, say, wrong};
use crate::flags::{Classes, Room};

/// Run a program the way `java` does
#[derive(clap::Args)]
#[command(after_help = "Examples:
  shakedown run -cp target/classes com.example.Main one two
  shakedown run app.jar < input.txt
  shakedown run --jdk /usr/lib/jvm/java-25 --stats -cp 'classes:lib/*' Main

The program reaches no files, network, processes or real clock.

Exit status: that of the program, and 1 for an uncaught exception
  2  wrong input
  3  the program needs something that is not modelled, or reached --steps or --memory")]
pub struct Arguments {
    #[command(flatten)]
    classes: Classes,
    #[command(flatten)]
    room: Room,
    /// Stop after this many steps
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// System property for the program
    #[arg(short = 'D', value_name = "KEY=VALUE")]
    property: Vec<String>,
    /// At the end, print instructions, allocations, classes loaded and time on standard error
    #[arg(long)]
    stats: bool,
    /// List the native methods that reachable code could meet and that are not modelled, instead of running
    #[arg(long)]
    list_unmodelled: bool,
    /// Main class, or a jar with a `Main-Class`
    #[arg(value_name = "MAIN|FILE.jar")]
    main: String,
    /// Arguments of the program
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

pub fn run(arguments: Arguments) -> u8 {
    let started = Instant::now();
    match prepare(&arguments) {
        Ok(machine) if arguments.list_unmodelled => list_unmodelled(machine, &arguments),
        Ok(machine) => execute(machine, &arguments, started),
        Err(message) => wrong(message),
    }
}

fn prepare(arguments: &Arguments) -> Result<Machine, Wrong> {
    let jdk = arguments.classes.jdk()?;
    let entries = match arguments.main.ends_with(".jar") {
        true => vec![PathBuf::from(&arguments.main)],
        false => arguments.classes.entries_for([&arguments.main]),
    };
    let path = ClassPath::open(&entries, &jdk).map_err(|e| e.to_string())?;
    let mut properties = Vec::new();
    for property in &arguments.property {
        let (key, value) = property.split_once('=').unwrap_or((property, ""));
        properties.push((key.to_string(), value.to_string()));
    }
    arguments.room.bound(1, || {});
    let config = Config {
        places: path.entries().map(place).collect(),
        heap: arguments.room.heap_size.unwrap_or_else(heap),
        room: memory::allows,
        properties,
        ..Config::default()
    };
    let mut machine = jdk::boot::boot(Program::new(path), config).map_err(|e| e.to_string())?;
    machine.step_limit = arguments.steps.unwrap_or(u64::MAX);
    Ok(machine)
}

/// The name of an entry of the class path that the program sees, as with `java`.
fn place(entry: &Path) -> String {
    let absolute = std::fs::canonicalize(entry).or_else(|_| std::path::absolute(entry));
    absolute.unwrap_or_else(|_| entry.to_path_buf()).to_string_lossy().into_owned()
}

/// The heap if the user says nothing: the rest of the memory is for classes, and for finding out what is in use.
fn heap() -> u64 {
    machine::HEAP.min(memory::limit().map_or(u64::MAX, |limit| limit / 8 * 5))
}

/// `--list-unmodelled`: what the program could still run into.
fn list_unmodelled(mut m: Machine, arguments: &Arguments) -> u8 {
    let entry = main_class(&m, arguments).and_then(|name| {
        jdk::launch::main_method(&mut m, &name).map_err(|error| Wrong::from(error.to_string()))
    });
    match entry {
        Ok(entry) => {
            let names = jdk::reachable::unmodelled(&mut m, entry);
            for name in &names {
                say(&format!("{name}\n"));
            }
            eprintln!("{} native methods that reachable code could meet are not modelled", names.len());
            0
        }
        Err(message) => wrong(message),
    }
}

fn main_class(m: &Machine, arguments: &Arguments) -> Result<String, Wrong> {
    if !arguments.main.ends_with(".jar") {
        return explore::named::class(&m.program.path, &arguments.main);
    }
    match classpath::main_class_of_jar(&PathBuf::from(&arguments.main)) {
        Ok(Some(name)) => Ok(name.replace('.', "/")),
        Ok(None) => {
            Err(format!("{}: no Main-Class in its manifest; name a class with -cp", arguments.main).into())
        }
        Err(error) => Err(Wrong::from(error.to_string())),
    }
}

fn execute(mut m: Machine, arguments: &Arguments, started: Instant) -> u8 {
    m.set_sink(Box::new(|stream, bytes| {
        let result = if stream == 0 {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes).and_then(|()| out.flush())
        } else {
            std::io::stderr().lock().write_all(bytes)
        };
        // A reader that went away is the end of the output, as for any filter.
        let _ = result;
    }));
    m.set_source(Box::new(|buffer| std::io::stdin().lock().read(buffer).unwrap_or(0)));
    let booted = started.elapsed();
    let entered = main_class(&m, arguments).and_then(|name| {
        jdk::launch::enter_main(&mut m, &name, &arguments.arguments)
            .map_err(|error| Wrong::from(error.to_string()))
    });
    let status = match entered {
        Ok(class) => finish(&mut m, class),
        Err(message) => wrong(message),
    };
    if arguments.stats {
        eprintln!("instructions  {}", m.steps);
        eprintln!("allocations   {}", m.allocations);
        eprintln!("collections   {}", m.heap.collections);
        eprintln!("classes       {}", m.program.classes.len());
        eprintln!("boot          {:.1} ms", booted.as_secs_f64() * 1e3);
        eprintln!("time          {:.3} s", started.elapsed().as_secs_f64());
    }
    status
}

/// Steps between looks at the memory.
const SLICE: u64 = 1 << 20;

/// Runs to the end and tells the exit status.
fn finish(m: &mut Machine, class: ClassId) -> u8 {
    loop {
        match m.run(SLICE) {
            Step::Continue if memory::level() < Level::Over => {}
            Step::Continue => return stopped(m, Stop::Memory(Memory::Process)),
            Step::End(End::Returned(_)) => return shut_down(m, 0),
            Step::End(End::Threw(exception)) => {
                return match jdk::launch::end_main(m, class, exception) {
                    Ok(()) => shut_down(m, 1),
                    Err(raise) => not_handled(m, exception, raise),
                };
            }
            Step::Choose(choice) => return choosing(&choice),
            Step::Stop(stop) => return stopped(m, stop),
        }
    }
}

/// The message and exit status of a run that did not end by itself.
fn stopped(m: &Machine, stop: Stop) -> u8 {
    match stop {
        Stop::Exit(status) => status as u8,
        Stop::NotModelled(what) | Stop::Bound(what) => not_modelled(m, &what),
        Stop::DeadEnd(what) => not_modelled(m, what),
        Stop::BadInput(what) => wrong(what),
        Stop::Rejected | Stop::Paused => {
            eprintln!("shakedown: an assumption of the program failed");
            INCONCLUSIVE
        }
        Stop::Memory(_) => {
            eprintln!("shakedown: {}", memory::reason());
            eprint!("{}", jdk::boot::stack_text(m));
            INCONCLUSIVE
        }
        Stop::Steps => {
            eprintln!("shakedown: stopped after {} steps (--steps)", m.steps);
            INCONCLUSIVE
        }
    }
}

fn not_modelled(m: &Machine, what: &str) -> u8 {
    eprintln!("shakedown: not modelled: {what}");
    eprint!("{}", jdk::boot::stack_text(m));
    INCONCLUSIVE
}

/// Runs the shutdown hooks, as leaving `main` does.
fn shut_down(m: &mut Machine, status: u8) -> u8 {
    match jdk::launch::shut_down(m) {
        Some(stop) => stopped(m, stop),
        None => status,
    }
}

/// The handler of an uncaught exception did not come to its end.
fn not_handled(m: &mut Machine, exception: Ref, raise: Raise) -> u8 {
    if let Raise::Stop(stop @ Stop::Exit(_)) = raise {
        return stopped(m, stop);
    }
    let text = jdk::boot::describe(m, Raise::Throw(exception));
    eprintln!("shakedown: while an uncaught exception was handled: {text}");
    match raise {
        Raise::Stop(stop) => stopped(m, stop),
        Raise::Choose(choice) => choosing(&choice),
        other => {
            let what = jdk::boot::describe(m, other);
            not_modelled(m, &what)
        }
    }
}

fn choosing(choice: &Choice) -> u8 {
    eprintln!("shakedown: the program makes a choice ({choice}); explore it with `shakedown enumerate`");
    INCONCLUSIVE
}
