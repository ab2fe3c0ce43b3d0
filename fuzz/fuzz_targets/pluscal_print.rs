//! Any algorithm, grown from the bytes, printed in both syntaxes, read again, and translated.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pluscal::fuzzing::print_parse(data));
