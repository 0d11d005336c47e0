//! The internal register code: what the machine executes instead of bytecode.
//!
//! A frame has `max_locals` registers for the locals, then one for each operand stack slot, then two spare ones for
//! shuffling. A `long` or `double` takes two neighbouring registers: the value, and a word that is zero while the
//! value is known. Most instructions are three-address: `a` is the destination, `b` and `c` the operands; `imm` and
//! `ext` hold constants, branch targets (instruction indices), constant pool indices, and, once an instruction has
//! been resolved, offsets, class and method ids.
//!
//! Instructions whose name ends in `U` are unresolved. The machine resolves one the first time it is executed and
//! rewrites it in place; the names of the resolved forms are said at each.

/// One instruction.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Insn {
    pub op: Op,
    pub a: u16,
    pub b: u16,
    pub c: u16,
    pub imm: u32,
    pub ext: u32,
}

impl Insn {
    pub fn new(op: Op, a: u16, b: u16, c: u16) -> Insn {
        Insn { op, a, b, c, imm: 0, ext: 0 }
    }

    pub fn imm(op: Op, a: u16, b: u16, imm: u32) -> Insn {
        Insn { op, a, b, c: 0, imm, ext: 0 }
    }
}

/// The operations. Groups follow JVMS chapter 6.5 by what they do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u16)]
#[rustfmt::skip]
pub enum Op {
    Nop,
    // Moves and constants.
    Mov, Mov2, Const, Const2, LdcU, Ldc2U,
    // int: register and constant right operands.
    IAdd, ISub, IMul, IDiv, IRem, INeg, IShl, IShr, IUshr, IAnd, IOr, IXor,
    IAddK, IMulK, IDivK, IRemK, IShlK, IShrK, IUshrK, IAndK, IOrK, IXorK,
    // long
    LAdd, LSub, LMul, LDiv, LRem, LNeg, LShl, LShr, LUshr, LAnd, LOr, LXor,
    LAddK, LMulK, LAndK, LShlK, LShrK, LUshrK,
    // float, double
    FAdd, FSub, FMul, FDiv, FRem, FNeg,
    DAdd, DSub, DMul, DDiv, DRem, DNeg,
    // Conversions and three-way comparisons.
    I2L, I2F, I2D, L2I, L2F, L2D, F2I, F2L, F2D, D2I, D2L, D2F, I2B, I2C, I2S,
    LCmp, FCmpL, FCmpG, DCmpL, DCmpG,
    // Jumps; the target is `imm`. `K`: the right operand is `ext`.
    J, JReg,
    JEq, JNe, JLt, JGe, JGt, JLe,
    JEqK, JNeK, JLtK, JGeK, JGtK, JLeK,
    JRefEq, JRefNe, JNull, JNonNull,
    JLEq, JLNe, JLLt, JLGe, JLGt, JLLe,
    JLEqK, JLNeK, JLLtK, JLGeK, JLGtK, JLLeK,
    // Floating comparisons: taken when the relation holds, or (`N`) when it does not, which NaN satisfies.
    JFEq, JFNe, JFLt, JFNLt, JFLe, JFNLe, JFGt, JFNGt, JFGe, JFNGe,
    JDEq, JDNe, JDLt, JDNLt, JDLe, JDNLe, JDGt, JDNGt, JDGe, JDNGe,
    TableSwitch, LookupSwitch,
    // Arrays: load a = b[c]; store a[b] = c. `B` serves byte and boolean, `I` int and float, `L` long and double.
    ALen,
    BALoad, CALoad, SALoad, IALoad, LALoad, AALoad,
    BAStore, CAStore, SAStore, IAStore, LAStore, AAStore,
    NewArr, ANewArrU, ANewArr, MultiU, Multi,
    // Fields. Resolved forms: one word, two words, narrowing stores; `C` checks the receiver's class (untrusted code).
    GetFieldU, PutFieldU,
    GetF1, GetF2, GetF1C, GetF2C,
    PutF1, PutF2, PutFZ, PutFB, PutFC, PutFS, PutF1C, PutF2C,
    // Statics by absolute word; `I` checks that class `ext` is initialized.
    GetStaticU, PutStaticU,
    GetS1, GetS2, GetS1I, GetS2I,
    PutS1, PutS2, PutS1I, PutS2I,
    // Objects and types.
    NewU, New, NewI, CastU, Cast, InstU, Inst,
    MonEnter, MonExit, Throw,
    // Calls: arguments start at register `a`, where the result goes too.
    InvokeStaticU, InvokeSpecialU, InvokeVirtualU, InvokeInterfaceU, InvokeDynU,
    InvokeStatic, InvokeStaticI, InvokeDirect, InvokeVirtual, InvokeInterface, InvokePoly,
    RetV, Ret1, Ret2,
}

/// A protected range, in instruction indices.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    pub start: u32,
    pub end: u32,
    pub target: u32,
    /// Constant pool index of the caught class, 0 for any.
    pub class: u16,
}

/// A jump table.
#[derive(Clone, Debug)]
pub enum Switch {
    Table {
        low: i32,
        targets: Box<[u32]>,
        default: u32,
    },
    /// Sorted by key.
    Lookup {
        keys: Box<[i32]>,
        targets: Box<[u32]>,
        default: u32,
    },
}

impl Switch {
    /// The instruction a key leads to.
    pub fn target(&self, key: i32) -> u32 {
        match self {
            Switch::Table { low, targets, default } => {
                let index = i64::from(key) - i64::from(*low);
                usize::try_from(index).ok().and_then(|i| targets.get(i)).copied().unwrap_or(*default)
            }
            Switch::Lookup { keys, targets, default } => {
                keys.binary_search(&key).map_or(*default, |i| targets[i])
            }
        }
    }
}

/// A translated method body.
#[derive(Debug)]
pub struct Code {
    pub insns: Box<[Insn]>,
    /// Bytecode index of each instruction.
    pub bci: Box<[u16]>,
    pub locals: u16,
    /// Size of the frame: locals, stack and spare registers.
    pub registers: u16,
    pub handlers: Box<[Handler]>,
    pub switches: Box<[Switch]>,
}

impl Code {
    /// The register that holds the exception at the start of a handler.
    pub fn exception_register(&self) -> u16 {
        self.locals
    }
}
