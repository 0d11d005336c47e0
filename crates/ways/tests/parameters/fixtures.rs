//! Machines that know some classes, and their parameter graphs.

use std::path::PathBuf;

use explore::Setup;
use machine::{Bounds, HeapMode, Machine};
use program::{ClassId, MethodId, access};
use ways::graph::Nulls;
use ways::{Catalogue, Offer, Parameters, Pool, Producers};

pub fn machine(class_path: &[PathBuf]) -> Machine {
    let setup = Setup {
        class_path: class_path.to_vec(),
        jdk: testkit::jdk().clone(),
        heap: 256 << 20,
        when_full: machine::WhenFull::Throw,
        heap_mode: HeapMode::Solver,
        bounds: Bounds::default(),
        confine: hotspot::Confine::Auto,
        elsewhere: None,
        compose: explore::Compose::Never,
        world: None,
    };
    let mut m = setup.machine().expect("the library boots");
    setup.make_symbolic(&mut m);
    m
}

/// Methods and constructors that a caller from outside can name.
pub fn public_methods(m: &Machine, class: ClassId) -> Vec<MethodId> {
    let all = m.program.class(class).methods.iter().copied();
    all.filter(|id| {
        let method = m.program.method(*id);
        let is_new = m.program.text(method.name) == "<init>";
        method.flags & access::PUBLIC != 0
            && method.flags & (access::SYNTHETIC | access::BRIDGE) == 0
            && !(is_new && m.program.class(class).is_abstract())
    })
    .collect()
}

/// What the class path offers to the package of a class.
pub struct Offered {
    catalogue: Catalogue,
    producers: Producers,
    package: String,
    pub pool: Pool,
    pub nulls: Nulls,
}

impl Offered {
    pub fn new(m: &mut Machine, package: &str) -> Offered {
        let (catalogue, producers) = (Catalogue::new(m), Producers::new(m, package));
        Offered {
            catalogue,
            producers,
            package: package.into(),
            pool: Pool::default(),
            nulls: Nulls::Allowed,
        }
    }

    /// The graph of the public methods of a class.
    pub fn parameters(&self, m: &mut Machine, class: &str, depth: u32) -> Parameters {
        let class = m.load(class).unwrap_or_else(|_| panic!("{class} is there"));
        let methods = public_methods(m, class);
        let Offered { catalogue, producers, package, pool, nulls } = self;
        let offer = Offer { catalogue, producers, pool, package, nulls: *nulls };
        Parameters::of(m, &offer, &methods, depth)
    }
}

/// What the only method of a name is given, all combinations up to a depth.
pub fn listed(m: &mut Machine, offered: &Offered, class: &str, method: &str, depth: u32) -> Vec<String> {
    let parameters = offered.parameters(m, class, depth);
    let named = |id: &MethodId| m.program.text(m.program.method(*id).name) == method;
    let call = parameters.methods.iter().position(named).expect("the method is there");
    let space = parameters.space();
    let size = u32::try_from(space.size_of(call)).expect("a small space");
    (0..size)
        .map(|number| {
            let parts = space.nth_of(call, &number.into()).expect("a number below the size");
            let parts: Vec<String> = parts.iter().map(|part| parameters.shown(part)).collect();
            parts.join(", ")
        })
        .collect()
}
