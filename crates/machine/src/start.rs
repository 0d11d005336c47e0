//! Making a machine: the few classes without which nothing works, loaded but not initialized.

use program::{ClassId, Kind, LinkError, MethodId, Program};
use rustc_hash::FxHashMap;

use crate::config::Config;
use crate::frame::Stack;
use crate::heap::Heap;
use crate::machine::{Machine, WellKnown};
use crate::native::Library;
use crate::raw::RawMemory;
use crate::trail::Trail;
use crate::value::Ref;

impl Machine {
    /// A machine over a program. The library still has to boot the JDK in it.
    pub fn new(
        mut program: Program,
        library: &'static dyn Library,
        config: Config,
    ) -> Result<Machine, LinkError> {
        let known = find_well_known(&mut program)?;
        let mut primitive_arrays = [0; 12];
        let kinds = [
            (4, Kind::Boolean),
            (5, Kind::Char),
            (6, Kind::Float),
            (7, Kind::Double),
            (8, Kind::Byte),
            (9, Kind::Short),
            (10, Kind::Int),
            (11, Kind::Long),
        ];
        for (code, kind) in kinds {
            let element = program.primitive(kind);
            primitive_arrays[code] = program.array_of(element)?.0;
        }
        let mut machine = Machine {
            program,
            library,
            heap: Heap::new(config.heap),
            stack: Stack::new(),
            frames: Vec::with_capacity(256),
            trail: Trail::default(),
            log_below: 0,
            protected: 0,
            classes: Vec::new(),
            callees: Vec::new(),
            sites: Vec::new(),
            known,
            literals: FxHashMap::default(),
            interned: FxHashMap::default(),
            monitors: Vec::new(),
            array_hashes: FxHashMap::default(),
            hash_seed: config.hash_seed,
            processors: 1,
            decision: None,
            mode: crate::choice::Mode::Delayed,
            pending: crate::pending::Pending::default(),
            symbolic: crate::symbolic::Symbolic::default(),
            coverage: crate::cover::Coverage::default(),
            output: [Vec::new(), Vec::new()],
            sink: None,
            source: None,
            input: config.input.clone(),
            input_position: 0,
            clock: config.clock,
            roots: Vec::new(),
            thread: Ref::NULL,
            thread_floor: 0,
            stub_data: FxHashMap::default(),
            reflective_stubs: FxHashMap::default(),
            registry: Ref::NULL,
            stubs: FxHashMap::default(),
            shortcuts: FxHashMap::default(),
            free_slots: Vec::new(),
            raw: RawMemory::default(),
            files: Vec::new(),
            native_method: None,
            misread: std::cell::Cell::new(false),
            nested: 0,
            unasked: 0,
            touched: Default::default(),
            supposed: Default::default(),
            static_accesses: Vec::new(),
            steps: 0,
            step_limit: u64::MAX,
            assumptions: 0,
            pause_at: None,
            allocations: 0,
            return_stub: MethodId(0),
            hidden_number: 0,
            hidden_classes: FxHashMap::default(),
            last_result: Kind::Void,
            boolean_array: primitive_arrays[4],
            primitive_arrays,
            config,
        };
        // Mirrors need the size of `Class`, so its state comes first; components come before their arrays.
        for index in 0..machine.program.classes.len() {
            let id = ClassId(index as u32);
            machine.known.class = ClassId(0);
            machine.add_class_state(id);
        }
        machine.known.class = known.class;
        for index in 1..machine.program.classes.len() {
            machine.make_mirror(ClassId(index as u32));
        }
        machine.make_return_stub();
        Ok(machine)
    }
}

fn find_well_known(program: &mut Program) -> Result<WellKnown, LinkError> {
    let object = program.load("java/lang/Object")?;
    let class = program.load("java/lang/Class")?;
    let string = program.load("java/lang/String")?;
    let throwable = program.load("java/lang/Throwable")?;
    let error = program.load("java/lang/Error")?;
    let byte_array = program.load("[B")?;
    let offset = |class: ClassId, name: &str| {
        let missing =
            || LinkError::NoSuchField(format!("the JDK's {} has no field {name}", program.class_name(class)));
        program.field_named(class, name).map(|field| field.offset).ok_or_else(missing)
    };
    Ok(WellKnown {
        object,
        class,
        string,
        throwable,
        error,
        byte_array,
        string_value: offset(string, "value")?,
        string_coder: offset(string, "coder")?,
        throwable_message: offset(throwable, "detailMessage")?,
        throwable_cause: offset(throwable, "cause")?,
        throwable_backtrace: offset(throwable, "backtrace")?,
        throwable_stack_trace: offset(throwable, "stackTrace")?,
        throwable_suppressed: offset(throwable, "suppressedExceptions")?,
        throwable_depth: offset(throwable, "depth")?,
    })
}
