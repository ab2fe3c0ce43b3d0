//! Any bytes as a configuration file.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tla_syntax::fuzzing::config(data));
