//! `shakedown run`: behaves like `java`.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::Instant;

use classpath::{ClassPath, Jdk};
use machine::{Config, End, Machine, Raise, Ref, Step, Stop};
use program::{LinkError, Program, access};

/// Run a program the way `java` does, in the machine
#[derive(clap::Args)]
#[command(after_help = "Examples:
  shakedown run -cp target/classes com.example.Main one two
  shakedown run app.jar < input.txt
  shakedown run --jdk /usr/lib/jvm/java-25 --stats -cp . Hello

Exit status: that of the program; 1 for an uncaught exception; 2 for wrong input; 3 when the program needs
something that is not modelled or a limit was reached; 70 for an internal error.")]
pub struct Arguments {
    /// Folders and jars with the program's classes, separated as for `java`
    #[arg(short = 'c', long = "class-path", visible_alias = "cp", alias = "classpath", value_name = "PATH")]
    class_path: Option<String>,
    /// JDK whose library is used [default: JAVA_HOME, or the `java` on the PATH]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// Heap limit, with k, m or g
    #[arg(long, value_name = "SIZE", default_value = "2g", value_parser = parse_size)]
    heap: u64,
    /// Stop after this many steps
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// System property for the program
    #[arg(short = 'D', value_name = "KEY=VALUE")]
    property: Vec<String>,
    /// Print instructions, allocations, classes loaded and time
    #[arg(long)]
    stats: bool,
    /// List the native methods that reachable code could meet and that are not modelled, instead of running
    #[arg(long)]
    list_unmodelled: bool,
    /// Main class, or a jar with a `Main-Class`
    #[arg(value_name = "MAIN|FILE.jar")]
    main: String,
    /// Arguments of the program
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Exit status for wrong input.
const WRONG_INPUT: u8 = 2;
/// Exit status when the run was cut off.
const INCONCLUSIVE: u8 = 3;

pub fn run(arguments: Arguments) -> u8 {
    let started = Instant::now();
    match prepare(&arguments) {
        Ok(machine) => execute(machine, &arguments, started),
        Err(message) => {
            eprintln!("shakedown: {message}");
            WRONG_INPUT
        }
    }
}

fn prepare(arguments: &Arguments) -> Result<Machine, String> {
    let jdk = Jdk::locate(arguments.jdk.as_deref()).map_err(|e| e.to_string())?;
    let entries = match &arguments.class_path {
        _ if arguments.main.ends_with(".jar") => vec![PathBuf::from(&arguments.main)],
        Some(spec) => ClassPath::parse(spec),
        None => vec![PathBuf::from(".")],
    };
    let path = ClassPath::open(&entries, &jdk).map_err(|e| e.to_string())?;
    let mut properties = Vec::new();
    for property in &arguments.property {
        let (key, value) = property.split_once('=').unwrap_or((property, ""));
        properties.push((key.to_string(), value.to_string()));
    }
    let config = Config { heap: arguments.heap, properties, ..Config::default() };
    let mut machine = jdk::boot::boot(Program::new(path), config).map_err(|e| e.to_string())?;
    machine.step_limit = arguments.steps.unwrap_or(u64::MAX);
    Ok(machine)
}

fn main_class(arguments: &Arguments) -> Result<String, String> {
    if !arguments.main.ends_with(".jar") {
        return Ok(arguments.main.replace('.', "/"));
    }
    match classpath::main_class_of_jar(&PathBuf::from(&arguments.main)) {
        Ok(Some(name)) => Ok(name.replace('.', "/")),
        Ok(None) => Err(format!("{}: no Main-Class in its manifest; name a class with -cp", arguments.main)),
        Err(error) => Err(error.to_string()),
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
    let status = match enter_main(&mut m, arguments) {
        Ok(()) => finish(&mut m),
        Err(message) => {
            eprintln!("shakedown: {message}");
            WRONG_INPUT
        }
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

/// Finds `main` and enters it.
fn enter_main(m: &mut Machine, arguments: &Arguments) -> Result<(), String> {
    let name = main_class(arguments)?;
    let dotted = name.replace('/', ".");
    let class = match m.program.load(&name) {
        Ok(class) => class,
        Err(LinkError::NotFound(missing)) if missing == name => {
            return Err(format!("class {dotted} not found; check the name and the class path (-cp)"));
        }
        Err(error) => return Err(error.to_string()),
    };
    m.sync_classes();
    let method = m.program.find_method_named(class, "main", "([Ljava/lang/String;)V");
    let method = method.filter(|method| {
        let method = m.program.method(*method);
        method.is_static() && method.flags & access::PUBLIC != 0
    });
    let Some(method) = method else {
        return Err(format!("class {dotted} has no `public static void main(String[])`; name a class that has one"));
    };
    let raised = |m: &mut Machine, raise: Raise| jdk::boot::describe(m, raise);
    let strings = m.load("[Ljava/lang/String;").map_err(|raise| raised(m, raise))?;
    let array = m.allocate_array(strings, arguments.arguments.len() as i32).map_err(|raise| raised(m, raise))?;
    m.roots.push(array);
    for (i, text) in arguments.arguments.iter().enumerate() {
        let string = m.new_string(text).map_err(|raise| raised(m, raise))?;
        m.set_element(array, i as i32, string);
    }
    if m.enter(method, &[array.word()]).map_err(|raise| raised(m, raise))?.is_some() {
        return Err(format!("class {dotted} has a native main"));
    }
    // The initializer goes on top, so that it runs before `main`.
    match m.initialize(class) {
        Ok(()) | Err(Raise::Retry) => Ok(()),
        Err(raise) => Err(raised(m, raise)),
    }
}

/// Runs to the end and tells the exit status.
fn finish(m: &mut Machine) -> u8 {
    loop {
        match m.run(u64::MAX) {
            Step::Continue => {}
            Step::End(End::Returned(_)) => return shut_down(m, 0),
            Step::End(End::Threw(exception)) => {
                report_uncaught(m, exception);
                return shut_down(m, 1);
            }
            Step::Choose(choice) => {
                eprintln!("shakedown: the program makes a choice ({}); `run` makes none", choice.label);
                return INCONCLUSIVE;
            }
            Step::Stop(Stop::Exit(status)) => return status as u8,
            Step::Stop(Stop::NotModelled(what)) => {
                eprintln!("shakedown: not modelled: {what}");
                eprint!("{}", jdk::boot::stack_text(m));
                return INCONCLUSIVE;
            }
            Step::Stop(Stop::BadInput(what)) => {
                eprintln!("shakedown: {what}");
                return WRONG_INPUT;
            }
            Step::Stop(Stop::Steps) => {
                eprintln!("shakedown: stopped after {} steps (--steps)", m.steps);
                return INCONCLUSIVE;
            }
        }
    }
}

/// Runs the shutdown hooks, as leaving `main` does.
fn shut_down(m: &mut Machine, status: u8) -> u8 {
    match jdk::boot::call_static(m, "java/lang/Shutdown", "shutdown", "()V", &[]) {
        Err(Raise::Stop(Stop::Exit(code))) => code as u8,
        Err(Raise::Stop(Stop::NotModelled(what))) => {
            eprintln!("shakedown: not modelled: {what}");
            INCONCLUSIVE
        }
        _ => status,
    }
}

/// Hands an uncaught exception to the thread, which prints it.
fn report_uncaught(m: &mut Machine, exception: Ref) {
    m.roots.push(exception);
    let thread = m.thread;
    let class = m.class_of(thread);
    let method =
        m.program.find_method_named(class, "dispatchUncaughtException", "(Ljava/lang/Throwable;)V");
    let outcome = match method {
        Some(method) => m.call(method, &[thread.word(), exception.word()]).map(|_| ()),
        None => Ok(()),
    };
    if let Err(raise) = outcome {
        let text = jdk::boot::describe(m, Raise::Throw(exception));
        eprintln!("Exception in thread \"main\" {text}");
        let again = jdk::boot::describe(m, raise);
        eprintln!("shakedown: while printing it: {again}");
    }
}

fn parse_size(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let (digits, unit) = match lower.strip_suffix(['k', 'm', 'g']) {
        Some(digits) => (digits, lower.as_bytes()[lower.len() - 1]),
        None => (lower.as_str(), b' '),
    };
    let number: u64 = digits.parse().map_err(|_| format!("`{text}` is not a size such as 512m or 2g"))?;
    let factor = match unit {
        b'k' => 1 << 10,
        b'm' => 1 << 20,
        b'g' => 1 << 30,
        _ => 1,
    };
    number.checked_mul(factor).ok_or_else(|| format!("`{text}` is too large"))
}
