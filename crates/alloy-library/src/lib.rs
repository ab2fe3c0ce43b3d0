//! The utility modules of Alloy.
