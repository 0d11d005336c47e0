//! The part of Z3's C interface that is used, declared by hand: the `z3-sys` crate would need libclang to build.
//!
//! Debian's libz3 4.8.12 and later have all of it. Everything here is as unsafe as C, so only the files next to this one
//! see it.

use std::ffi::{c_char, c_int, c_uint};

macro_rules! handles {
    ($($name:ident)*) => { $(
        #[repr(C)]
        pub struct $name { _private: [u8; 0] }
    )* };
}

handles! { ConfigData ContextData AstData SortData SymbolData SolverData ModelData ParamsData TacticData }

pub type Config = *mut ConfigData;
pub type Context = *mut ContextData;
pub type Ast = *mut AstData;
pub type Sort = *mut SortData;
pub type Symbol = *mut SymbolData;
pub type Solver = *mut SolverData;
pub type Model = *mut ModelData;
pub type Params = *mut ParamsData;
pub type Tactic = *mut TacticData;
pub type ErrorHandler = Option<unsafe extern "C" fn(Context, c_uint)>;

/// What `Z3_solver_check` answers: `TRUE` is satisfiable.
pub type Truth = c_int;
pub const TRUE: Truth = 1;
pub const FALSE: Truth = -1;

/// What `Z3_get_error_code` answers when a call failed for want of memory.
pub const OUT_OF_MEMORY: c_uint = 7;

#[link(name = "z3")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn Z3_global_param_set(name: *const c_char, value: *const c_char);
    pub fn Z3_get_estimated_alloc_size() -> u64;
    pub fn Z3_mk_config() -> Config;
    pub fn Z3_del_config(config: Config);
    pub fn Z3_mk_context_rc(config: Config) -> Context;
    pub fn Z3_del_context(context: Context);
    pub fn Z3_set_error_handler(context: Context, handler: ErrorHandler);
    pub fn Z3_get_error_code(context: Context) -> c_uint;
    pub fn Z3_interrupt(context: Context);
    pub fn Z3_inc_ref(context: Context, ast: Ast);
    pub fn Z3_dec_ref(context: Context, ast: Ast);

    pub fn Z3_mk_int_symbol(context: Context, number: c_int) -> Symbol;
    pub fn Z3_mk_string_symbol(context: Context, name: *const c_char) -> Symbol;
    pub fn Z3_mk_bool_sort(context: Context) -> Sort;
    pub fn Z3_mk_bv_sort(context: Context, width: c_uint) -> Sort;
    pub fn Z3_mk_fpa_sort_32(context: Context) -> Sort;
    pub fn Z3_mk_fpa_sort_64(context: Context) -> Sort;
    pub fn Z3_mk_const(context: Context, name: Symbol, sort: Sort) -> Ast;
    pub fn Z3_mk_unsigned_int64(context: Context, value: u64, sort: Sort) -> Ast;
    pub fn Z3_mk_true(context: Context) -> Ast;
    pub fn Z3_mk_false(context: Context) -> Ast;

    pub fn Z3_mk_not(context: Context, a: Ast) -> Ast;
    pub fn Z3_mk_and(context: Context, count: c_uint, parts: *const Ast) -> Ast;
    pub fn Z3_mk_or(context: Context, count: c_uint, parts: *const Ast) -> Ast;
    pub fn Z3_mk_ite(context: Context, condition: Ast, then: Ast, other: Ast) -> Ast;
    pub fn Z3_mk_eq(context: Context, a: Ast, b: Ast) -> Ast;

    pub fn Z3_mk_bvadd(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvsub(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvmul(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvsdiv(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvsrem(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvudiv(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvurem(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvand(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvor(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvxor(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvshl(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvlshr(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvashr(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvslt(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvsle(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvult(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_bvule(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_sign_ext(context: Context, more: c_uint, a: Ast) -> Ast;
    pub fn Z3_mk_zero_ext(context: Context, more: c_uint, a: Ast) -> Ast;
    pub fn Z3_mk_extract(context: Context, high: c_uint, low: c_uint, a: Ast) -> Ast;

    pub fn Z3_mk_fpa_rne(context: Context) -> Ast;
    pub fn Z3_mk_fpa_rtz(context: Context) -> Ast;
    pub fn Z3_mk_fpa_add(context: Context, mode: Ast, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_fpa_sub(context: Context, mode: Ast, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_fpa_mul(context: Context, mode: Ast, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_fpa_div(context: Context, mode: Ast, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_fpa_sqrt(context: Context, mode: Ast, a: Ast) -> Ast;
    pub fn Z3_mk_fpa_neg(context: Context, a: Ast) -> Ast;
    pub fn Z3_mk_fpa_abs(context: Context, a: Ast) -> Ast;
    pub fn Z3_mk_fpa_eq(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_fpa_lt(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_fpa_leq(context: Context, a: Ast, b: Ast) -> Ast;
    pub fn Z3_mk_fpa_is_nan(context: Context, a: Ast) -> Ast;
    pub fn Z3_mk_fpa_is_infinite(context: Context, a: Ast) -> Ast;
    pub fn Z3_mk_fpa_is_zero(context: Context, a: Ast) -> Ast;
    pub fn Z3_mk_fpa_is_negative(context: Context, a: Ast) -> Ast;
    pub fn Z3_mk_fpa_to_fp_bv(context: Context, bits: Ast, sort: Sort) -> Ast;
    pub fn Z3_mk_fpa_to_fp_float(context: Context, mode: Ast, a: Ast, sort: Sort) -> Ast;
    pub fn Z3_mk_fpa_to_fp_signed(context: Context, mode: Ast, a: Ast, sort: Sort) -> Ast;
    pub fn Z3_mk_fpa_to_sbv(context: Context, mode: Ast, a: Ast, width: c_uint) -> Ast;
    pub fn Z3_mk_fpa_to_ieee_bv(context: Context, a: Ast) -> Ast;

    pub fn Z3_mk_params(context: Context) -> Params;
    pub fn Z3_params_inc_ref(context: Context, params: Params);
    pub fn Z3_params_dec_ref(context: Context, params: Params);
    pub fn Z3_params_set_uint(context: Context, params: Params, name: Symbol, value: c_uint);
    pub fn Z3_mk_solver_for_logic(context: Context, logic: Symbol) -> Solver;
    pub fn Z3_mk_tactic(context: Context, name: *const c_char) -> Tactic;
    pub fn Z3_tactic_inc_ref(context: Context, tactic: Tactic);
    pub fn Z3_tactic_dec_ref(context: Context, tactic: Tactic);
    pub fn Z3_mk_solver_from_tactic(context: Context, tactic: Tactic) -> Solver;
    pub fn Z3_solver_inc_ref(context: Context, solver: Solver);
    pub fn Z3_solver_dec_ref(context: Context, solver: Solver);
    pub fn Z3_solver_set_params(context: Context, solver: Solver, params: Params);
    pub fn Z3_solver_push(context: Context, solver: Solver);
    pub fn Z3_solver_pop(context: Context, solver: Solver, count: c_uint);
    pub fn Z3_solver_assert(context: Context, solver: Solver, part: Ast);
    pub fn Z3_solver_check(context: Context, solver: Solver) -> Truth;
    pub fn Z3_solver_get_reason_unknown(context: Context, solver: Solver) -> *const c_char;
    pub fn Z3_solver_get_model(context: Context, solver: Solver) -> Model;
    pub fn Z3_model_inc_ref(context: Context, model: Model);
    pub fn Z3_model_dec_ref(context: Context, model: Model);
    pub fn Z3_model_eval(context: Context, model: Model, ast: Ast, complete: bool, value: *mut Ast) -> bool;
    pub fn Z3_get_numeral_uint64(context: Context, ast: Ast, value: *mut u64) -> bool;
    pub fn Z3_get_bool_value(context: Context, ast: Ast) -> Truth;
}
