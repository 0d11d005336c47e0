//! `--format junit`: the file of tests, while it is being written.

use std::collections::HashMap;

use explore::Wrong;
use explore::enumerate::Request;

/// What is needed to write the next test.
pub struct JunitFile {
    /// A machine to look classes up in.
    m: machine::Machine,
    package: String,
    known: HashMap<String, testcase::Making>,
}

impl JunitFile {
    /// Begins a file; its first lines.
    pub fn open(request: &Request) -> Result<(JunitFile, String), Wrong> {
        let m = explore::enumerate::start(request)?;
        let class = request.target.split('#').next().unwrap_or_default().replace('/', ".");
        let (package, simple) = class.rsplit_once('.').unwrap_or(("", &class));
        let opening = junit::opening(package, &format!("{}Structures", simple.replace('$', "_")));
        Ok((JunitFile { m, package: package.to_string(), known: HashMap::new() }, opening))
    }

    /// A test that rebuilds a structure.
    pub fn method(&mut self, number: u64, graph: &testcase::Graph) -> String {
        let JunitFile { m, package, known } = self;
        junit::method(number, graph, &mut |class| {
            let made = known.entry(class.to_string());
            made.or_insert_with(|| ways::making::making(m, class, package)).clone()
        })
    }
}
