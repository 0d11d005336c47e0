//! Any bytes as a class file: see `feeds/class_bytes.rs`.
#![no_main]

#[path = "../feeds/class_bytes.rs"]
mod feed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| feed::feed(bytes));
