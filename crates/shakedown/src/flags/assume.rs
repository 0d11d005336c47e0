//! `--assume`: inputs that are left out.

use explore::assume::{HeapAssumption, parse_heap};

#[derive(clap::Args)]
pub struct Assume {
    /// Leave out inputs: acyclic(a), nonsharing(a,b) or nonaliasing(a,b), over parameters and their fields; repeatable
    #[arg(long, value_name = "ASSUMPTION", value_parser = parse_heap)]
    pub assume: Vec<HeapAssumption>,
}
