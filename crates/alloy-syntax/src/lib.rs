//! Alloy text to trees.
