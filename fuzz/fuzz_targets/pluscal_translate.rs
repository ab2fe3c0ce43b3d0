//! Any bytes as a file with an algorithm.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pluscal::fuzzing::translate(data));
