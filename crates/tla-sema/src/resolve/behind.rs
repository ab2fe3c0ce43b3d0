//! Modules that stand behind the first one of a file: a specification of several modules in one text.
//!
//! A file is known by its first module, and what follows is a comment to everyone else. But when a module is found nowhere else, the
//! files that have been read are looked through for it.

use source::FileId;
use util::Symbol;

use super::Resolver;

impl Resolver<'_> {
    /// The text of a file with everything blanked that stands before the module with this name, and the file.
    pub(super) fn behind_others(&self, name: Symbol) -> Option<(String, FileId)> {
        self.files.iter().find_map(|&file| {
            let text = self.sources.file(file).text();
            module_in(text, file, name).map(|it| (it, file))
        })
    }
}

fn module_in(text: &str, file: FileId, name: Symbol) -> Option<String> {
    // Most files have one module, and most names stand nowhere in them: no need to parse anything again.
    if text.matches("MODULE").nth(1).is_none() || !text.contains(name.as_str()) {
        return None;
    }
    let mut text = text.to_owned();
    loop {
        let (tree, _) = tla_syntax::parse(&text, file);
        let module = tree.module?;
        if module.name.name == name {
            return Some(text);
        }
        text = blanked(&text, module.span.end as usize)?;
    }
}

/// The text with blanks, and the same lines, in place of its first bytes: so that places stay what they are.
fn blanked(text: &str, end: usize) -> Option<String> {
    let (before, after) = (text.get(..end)?, text.get(end..)?);
    let mut blanked: String = before
        .bytes()
        .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
        .collect();
    blanked.push_str(after);
    (!before.is_empty()).then_some(blanked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_found_where_it_stands() {
        let first = "---- MODULE A ----\nx == 1\n====\nnotes\n";
        let text = format!("{first}---- MODULE B ----\ny == 2\n====\n---- MODULE C ----\n====\n");
        let mut sources = source::Sources::new();
        let file = sources.add("A.tla", text.clone());
        let found = module_in(&text, file, Symbol::new("B")).expect("it is there");
        assert_eq!(found.find("---- MODULE B"), Some(first.len()));
        assert!(module_in(&text, file, Symbol::new("D")).is_none());
        assert!(module_in(first, file, Symbol::new("x")).is_none());
    }
}
