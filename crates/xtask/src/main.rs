//! Automation of the project, in Rust.
fn main() {}
