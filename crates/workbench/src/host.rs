//! The one window to the outside: a front end's files.

use diag::Diagnostic;

/// Where the texts of specifications come from.
pub trait Host {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable>;
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
    pub fn diagnostic(&self, path: &str, gallery: &[&str]) -> Diagnostic {
        match self {
            Unreadable::Missing => {
                let missing = Diagnostic::error("file-not-found", format!("there is no file `{path}`"));
                match diag::closest(path, gallery.iter().copied()) {
                    Some(near) => missing.hint(format!("did you mean `{near}` of the gallery?")),
                    None if path.contains(['/', '.']) => missing,
                    None => missing.hint("`babbage gallery` lists the specifications that are built in"),
                }
            }
            Unreadable::Directory => Diagnostic::error(
                "not-a-file",
                format!("`{path}` is a directory, not a specification"),
            )
            .hint("name a `.tla`, `.als` or `.md` file in it"),
            Unreadable::TooLarge { bytes, bytes_max } => Diagnostic::error(
                "file-too-large",
                format!("`{path}` has {bytes} bytes, more than the {bytes_max} that are read"),
            ),
            Unreadable::Other(why) => {
                Diagnostic::error("file-unreadable", format!("`{path}` cannot be read")).note(why.clone())
            }
        }
    }
}
