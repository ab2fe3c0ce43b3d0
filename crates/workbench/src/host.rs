//! The one window to the outside: a front end's files.

use diag::Diagnostic;

use crate::diagnostics as errors;

/// Where the texts of specifications come from.
pub trait Host {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable>;

    /// Folders with modules for every specification: looked into, in this order, for what does not lie beside it.
    fn libraries(&self) -> Vec<String> {
        vec![]
    }
}

impl<H: Host + ?Sized> Host for &H {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
        (**self).read(path)
    }

    fn libraries(&self) -> Vec<String> {
        (**self).libraries()
    }
}

/// Why a file could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreadable {
    Missing,
    Directory,
    TooLarge { bytes: u64, bytes_max: u64 },
    Other(String),
}

impl Unreadable {
    /// The diagnostic for a file that the user named.
    pub(crate) fn diagnostic(&self, path: &str, gallery: &[&str]) -> Diagnostic {
        match self {
            Unreadable::Missing => errors::file_not_found(path, gallery),
            Unreadable::Directory => errors::not_a_file(path),
            Unreadable::TooLarge { bytes, bytes_max } => errors::file_over_limit(path, *bytes, *bytes_max),
            Unreadable::Other(why) => errors::file_unreadable(path, why),
        }
    }
}
