//! Any bytes as a jar or a module image: see `feeds/class_path.rs`.
#![no_main]

#[path = "../feeds/class_path.rs"]
mod feed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| feed::feed(bytes));
