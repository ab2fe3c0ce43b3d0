//! Any bytes as a module and as an expression.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tla_syntax::fuzzing::parse(data));
