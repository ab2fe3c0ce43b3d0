//! Any tree, grown from the bytes, printed and read again.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tla_syntax::fuzzing::print_parse(data));
