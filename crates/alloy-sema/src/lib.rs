//! What an Alloy text means: modules, names, types, commands with their scopes.

pub mod ir;
