//! The one specification on disk that a run may show, and the folder that modules beside it come from.

use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};

/// A specification that the command line named.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Where modules are read from; workers get it as an argument, never from the page.
    pub path: PathBuf,
    /// The file of the specification, in that folder.
    pub main: String,
    /// The configuration, in that folder.
    pub config: Option<String>,
}

/// More is no text that a person edits.
const BYTES_MAX: u64 = 1 << 20;

impl Folder {
    /// The folder of a specification.
    pub fn of(spec: &Path, config: Option<&Path>) -> Folder {
        let folder = match spec.parent() {
            Some(it) if !it.as_os_str().is_empty() => it.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let name = |it: &Path| it.file_name().map(|it| it.to_string_lossy().into_owned());
        Folder {
            path: folder,
            main: name(spec).unwrap_or_default(),
            config: config.and_then(name),
        }
    }

    /// The specification with the configurations beside it, as the page edits them.
    pub fn entry(&self) -> std::io::Result<Value> {
        let main = self.read(&self.main)?;
        let stem = Path::new(&self.main)
            .file_stem()
            .map_or(String::new(), |it| it.to_string_lossy().into_owned());
        let mut files = vec![json!({ "name": self.main, "text": main })];
        let beside = format!("{stem}.cfg");
        for name in self.config.iter().chain([&beside]) {
            let is_new = files.iter().all(|it| it["name"] != **name);
            if let (true, Ok(text)) = (is_new, self.read(name)) {
                files.push(json!({ "name": name, "text": text }));
            }
        }
        let config = files.get(1).map(|it| it["name"].clone());
        Ok(json!({ "name": stem, "title": self.main, "main": self.main, "config": config, "files": files }))
    }

    /// A text of the folder.
    pub fn read(&self, name: &str) -> std::io::Result<String> {
        let path = inside(&self.path, name)
            .ok_or_else(|| std::io::Error::new(std::io::ErrorKind::NotFound, "outside of the folder"))?;
        if std::fs::metadata(&path)?.len() > BYTES_MAX {
            return Err(std::io::Error::new(
                std::io::ErrorKind::FileTooLarge,
                "too large to be edited",
            ));
        }
        std::fs::read_to_string(path)
    }
}

/// A path in a folder; none if it leads out of it.
pub fn inside(folder: &Path, name: &str) -> Option<PathBuf> {
    let name = Path::new(name);
    let stays = name
        .components()
        .all(|it| matches!(it, Component::Normal(_) | Component::CurDir));
    let path = folder.join(name);
    // A link may lead anywhere; where it leads is what counts.
    let is_there = |path: &Path| {
        let (real, folder) = (path.canonicalize().ok()?, folder.canonicalize().ok()?);
        real.starts_with(folder).then_some(())
    };
    (stays && (!path.exists() || is_there(&path).is_some())).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        for name in [
            "../cli/Cargo.toml",
            "/etc/passwd",
            "src/../../cli/Cargo.toml",
            "..",
        ] {
            assert_eq!(inside(here, name), None, "{name}");
        }
        assert_eq!(inside(here, "src/lib.rs"), Some(here.join("src/lib.rs")));
        assert_eq!(inside(here, "not-there.tla"), Some(here.join("not-there.tla")));
    }
}
