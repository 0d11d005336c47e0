//! Any bytes as what the worker on the user's JVM writes: frames, and answers of each kind.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hotspot::fuzzing::feed(bytes));
