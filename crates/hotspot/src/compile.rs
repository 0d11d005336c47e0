//! Compiling Java sources with the compiler of the user's JDK, in the worker.

use std::path::PathBuf;
use std::time::Duration;

use crate::wire::{Garbled, In, Out};
use crate::{Reply, Trouble, Worker, absolute};

/// The compiler may take longer than a case, most of all when it is used for the first time.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is to be compiled.
#[derive(Clone, Debug)]
pub struct Compilation {
    pub sources: Vec<Source>,
    /// What the sources need besides the class path of the worker.
    pub class_path: Vec<PathBuf>,
    /// For which Java; that of the JDK if none is given.
    pub release: Option<u32>,
    pub lint: Lint,
}

/// A source file, which need not be on disk.
#[derive(Clone, Debug)]
pub struct Source {
    /// `org/example/FooTest.java`.
    pub path: String,
    pub text: String,
}

/// What becomes of warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lint {
    Off,
    /// All warnings are reported.
    Warn,
    /// All warnings are reported, and with any of them the compilation fails.
    Deny,
}

/// What the compiler made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// Where the class files are: a new folder in the scratch folder of the worker.
    pub folder: PathBuf,
    pub is_done: bool,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// As given in [`Source::path`].
    pub path: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// The compiler's own name for it: `compiler.err.cant.resolve.location`.
    pub code: Option<String>,
    pub message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

/// What came of compiling.
enum Attempt {
    Done(Compiled),
    Exited(i32),
}

impl Worker {
    pub fn compile(&mut self, compilation: &Compilation) -> Result<Compiled, Trouble> {
        // The compiler ends nothing: what ran earlier may have left something behind that does. In a new JVM it is gone.
        if let Attempt::Done(compiled) = self.try_compile(compilation)? {
            return Ok(compiled);
        }
        match self.try_compile(compilation)? {
            Attempt::Done(compiled) => Ok(compiled),
            Attempt::Exited(status) => {
                Err(Trouble::Broken(format!("the compiler ended the JVM with status {status}")))
            }
        }
    }

    fn try_compile(&mut self, compilation: &Compilation) -> Result<Attempt, Trouble> {
        // Code under test works in the same folder, and must not know the name before it is taken.
        // A new process finds an empty folder, and this one is to stay.
        self.process().map_err(Trouble::Broken)?;
        let made = tempfile::Builder::new().prefix("classes").tempdir_in(self.scratch());
        let made =
            made.map_err(|e| Trouble::Broken(format!("cannot make a folder for classes: {e}")))?.keep();
        let mut request = Out::default();
        request.octet(2);
        let mut class_path = self.class_path.clone();
        class_path.extend(absolute(&compilation.class_path).map_err(Trouble::Unfit)?);
        request.texts(&class_path);
        request.text(&made.display().to_string());
        request.texts(self.options(compilation));
        request.four(compilation.sources.len());
        for source in &compilation.sources {
            request.text(&source.path);
            request.text(&source.text);
        }
        match self.exchange(&request, PATIENCE)? {
            Reply::Answer(bytes) => {
                let mut answer = In::new(&bytes);
                let read = answer.flag().and_then(|is_done| Ok((is_done, answer.list(diagnostic)?)));
                let (is_done, diagnostics) = self.understood(read)?;
                self.compiled += 1;
                let folder = self.classes.join(self.compiled.to_string());
                std::fs::rename(&made, &folder)
                    .map_err(|e| Trouble::Broken(format!("cannot keep {}: {e}", folder.display())))?;
                Ok(Attempt::Done(Compiled { folder, is_done, diagnostics }))
            }
            Reply::Exited(status) => Ok(Attempt::Exited(status)),
        }
    }

    fn options(&self, compilation: &Compilation) -> Vec<String> {
        // Class files keep what stack traces and messages name. No annotation processor of the class path is run.
        let mut options = vec!["-g".to_string(), "-proc:none".into(), "-encoding".into(), "UTF-8".into()];
        match compilation.lint {
            Lint::Off => options.push("-nowarn".into()),
            // That an old release is asked for is not a fault of the sources.
            Lint::Warn => options.push("-Xlint:all,-options".into()),
            Lint::Deny => options.extend(["-Xlint:all,-options".into(), "-Werror".into()]),
        }
        if let Some(release) = compilation.release {
            if self.installed.feature >= 9 {
                options.extend(["--release".into(), release.to_string()]);
            } else {
                options.extend([
                    "-source".into(),
                    release.to_string(),
                    "-target".into(),
                    release.to_string(),
                ]);
            }
        }
        options
    }
}

pub(crate) fn diagnostic(answer: &mut In) -> Result<Diagnostic, Garbled> {
    let severity = match answer.octet()? {
        0 => Severity::Error,
        1 => Severity::Warning,
        _ => Severity::Note,
    };
    let path = answer.option(In::text)?;
    let place = |number: u32| Some(number as i32).filter(|number| *number > 0).map(|number| number as u32);
    let (line, column) = (place(answer.four()?), place(answer.four()?));
    Ok(Diagnostic { severity, path, line, column, code: answer.option(In::text)?, message: answer.text()? })
}
