//! From the root file to all files that it opens, directly or not.
//!
//! Files are read once each, whatever they are instantiated with. What cannot be found, and circles of `open`, are
//! reported here and cut off, so that everything after works on an acyclic graph of files.

use std::sync::Arc;

use alloy_syntax::ast::{self, ExprKind, Paragraph, Unary};
use diag::Diagnostic;
use source::{FileId, Sources, Span};
use util::{FxHashMap, Symbol};

use crate::diagnostics as say;

/// Where the texts of opened modules come from. Paths have slashes; a front end maps them to what it has.
pub trait Loader {
    /// The text of the file at `path`, or `None` when there is none.
    fn read(&self, path: &str) -> Option<String>;
}

/// A loader for specifications that open only utility modules.
pub struct NoFiles;

impl Loader for NoFiles {
    fn read(&self, _path: &str) -> Option<String> {
        None
    }
}

/// A file of the graph, as an index of [`Loaded::files`].
pub(crate) type FileIdx = usize;

#[derive(Debug)]
pub(crate) struct LoadedFile {
    pub id: FileId,
    pub tree: ast::File,
    /// The name on the `module` line, else the one it was opened by.
    pub name: Symbol,
    pub path: String,
    pub is_library: bool,
    pub opens: Vec<OpenEdge>,
}

#[derive(Clone, Debug)]
pub(crate) struct OpenEdge {
    pub module: Symbol,
    pub alias: Symbol,
    pub is_private: bool,
    pub args: Vec<ast::Name>,
    /// `None` when the file is missing or the open closes a circle; both are reported.
    pub target: Option<FileIdx>,
    pub span: Span,
    /// The user wrote it; the others come from `enum`, `seq` and from integers.
    pub is_written: bool,
}

#[derive(Default)]
pub(crate) struct Loaded {
    pub files: Vec<Arc<LoadedFile>>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the root and everything it needs.
pub(crate) fn load(path: &str, text: &str, loader: &dyn Loader, sources: &mut Sources) -> Loaded {
    let mut state = Load {
        loader,
        sources,
        files: vec![],
        by_path: FxHashMap::default(),
        diagnostics: vec![],
    };
    state.add_file(path.to_owned(), text, Symbol::new("unknown"), false);
    let mut at = 0;
    while at < state.files.len() {
        state.follow_opens(at);
        at += 1;
    }
    state.cut_circles();
    let library: Vec<FileId> = state
        .files
        .iter()
        .filter(|it| it.is_library)
        .map(|it| it.id)
        .collect();
    state
        .diagnostics
        .retain(|it| it.is_error() || it.span().is_none_or(|span| !library.contains(&span.file)));
    Loaded {
        files: state.files.into_iter().map(Arc::new).collect(),
        diagnostics: state.diagnostics,
    }
}

struct Load<'a> {
    loader: &'a dyn Loader,
    sources: &'a mut Sources,
    files: Vec<LoadedFile>,
    by_path: FxHashMap<String, FileIdx>,
    diagnostics: Vec<Diagnostic>,
}

impl Load<'_> {
    fn add_file(&mut self, path: String, text: &str, opened_as: Symbol, is_library: bool) -> FileIdx {
        let id = self.sources.add(path.clone(), text);
        let code = alloy_syntax::code(&path, text);
        let (tree, diagnostics) = alloy_syntax::parse(id, &code);
        self.diagnostics.extend(diagnostics);
        let name = tree.header.as_ref().map_or(opened_as, |it| it.name.text);
        let mut opens = Opens::new(id);
        let is_integer = name.as_str() == "util/integer" || path.ends_with("util/integer.als");
        if !is_integer {
            opens.implicit("util/integer", vec![], Some("integer"));
        }
        opens.read(&tree, &mut self.diagnostics);
        self.files.push(LoadedFile {
            id,
            tree,
            name,
            path: path.clone(),
            is_library,
            opens: opens.finish(),
        });
        self.by_path.insert(path, self.files.len() - 1);
        self.files.len() - 1
    }

    fn follow_opens(&mut self, at: FileIdx) {
        for i in 0..self.files[at].opens.len() {
            let edge = &self.files[at].opens[i];
            let (module, span) = (edge.module, edge.span);
            let target = self.find(at, module.as_str());
            if target.is_none() {
                self.diagnostics
                    .push(say::module_not_found(module.as_str(), span));
            }
            self.files[at].opens[i].target = target;
        }
    }

    /// A file beside the one that opens it, else a utility module. A utility module opens utility modules only.
    fn find(&mut self, from: FileIdx, module: &str) -> Option<FileIdx> {
        if !self.files[from].is_library {
            for path in candidate_paths(&self.files[from], module) {
                if let Some(&found) = self.by_path.get(&path) {
                    return Some(found);
                }
                if let Some(text) = self.loader.read(&path) {
                    return Some(self.add_file(path, &text, Symbol::new(module), false));
                }
            }
        }
        let path = format!("library/{module}.als");
        if let Some(&found) = self.by_path.get(&path) {
            return Some(found);
        }
        let text = alloy_library::module(module)?;
        Some(self.add_file(path, text, Symbol::new(module), true))
    }

    /// Removes each edge that closes a circle, and says which files form it.
    fn cut_circles(&mut self) {
        let mut state = vec![Visit::New; self.files.len()];
        let mut chain: Vec<(FileIdx, usize)> = vec![(0, 0)];
        state[0] = Visit::Open;
        while let Some(&mut (at, ref mut next)) = chain.last_mut() {
            let Some(edge) = self.files[at].opens.get(*next) else {
                state[at] = Visit::Done;
                chain.pop();
                continue;
            };
            let (i, target, span) = (*next, edge.target, edge.span);
            *next += 1;
            let Some(target) = target else { continue };
            match state[target] {
                Visit::New => {
                    state[target] = Visit::Open;
                    chain.push((target, 0));
                }
                Visit::Open => {
                    let start = chain
                        .iter()
                        .position(|it| it.0 == target)
                        .expect("open files are in the chain");
                    let names: Vec<&str> = chain[start..]
                        .iter()
                        .map(|it| self.files[it.0].path.as_str())
                        .collect();
                    self.diagnostics.push(say::cyclic_open(&names, span));
                    self.files[at].opens[i].target = None;
                }
                Visit::Done => {}
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    Open,
    Done,
}

/// Where the module may be that a file opens. The module's own name tells how far up its root is: `a/b` in
/// `dir/a/b.als` opens `c` from `dir/c.als` and `a/c` from `dir/a/c.als`.
fn candidate_paths(file: &LoadedFile, module: &str) -> Vec<String> {
    let (mut own, mut wanted) = (file.name.as_str(), module);
    while let (Some((own_head, own_tail)), Some((head, tail))) = (own.split_once('/'), wanted.split_once('/'))
    {
        if own_head != head {
            break;
        }
        (own, wanted) = (own_tail, tail);
    }
    let base = up(&file.path, own.matches('/').count() + 1);
    let beside = up(&file.path, 1);
    let mut paths = vec![format!("{base}{wanted}.als"), format!("{base}{wanted}.md")];
    if beside != base || wanted != module {
        paths.push(format!("{beside}{module}.als"));
        paths.push(format!("{beside}{module}.md"));
    }
    paths
}

/// The path without its last `steps` segments, with a slash at the end unless empty.
fn up(path: &str, steps: usize) -> String {
    let is_absolute = path.starts_with('/');
    let mut segments: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
    for _ in 0..steps {
        match segments.last() {
            None | Some(&"..") if !is_absolute => segments.push(".."),
            _ => {
                segments.pop();
            }
        }
    }
    let root = if is_absolute { "/" } else { "" };
    let mut up = format!("{root}{}", segments.join("/"));
    if !up.is_empty() && !up.ends_with('/') {
        up.push('/');
    }
    up
}

/// Collects the opens of one file and gives each an alias.
struct Opens {
    file: FileId,
    list: Vec<OpenEdge>,
}

impl Opens {
    fn new(file: FileId) -> Opens {
        Opens { file, list: vec![] }
    }

    fn implicit(&mut self, module: &str, args: Vec<ast::Name>, alias: Option<&str>) {
        let span = args.first().map_or(Span::new(self.file, 0, 0), |it| it.span);
        self.add(OpenEdge {
            module: Symbol::new(module),
            alias: alias.map_or(self.anonymous(), Symbol::new),
            is_private: false,
            args,
            target: None,
            span,
            is_written: false,
        });
    }

    fn anonymous(&self) -> Symbol {
        Symbol::new(&format!("open${}", self.list.len() + 1))
    }

    fn add(&mut self, edge: OpenEdge) {
        self.list.push(edge);
    }

    fn read(&mut self, tree: &ast::File, diagnostics: &mut Vec<Diagnostic>) {
        for paragraph in &tree.paragraphs {
            match paragraph {
                Paragraph::Open(open) => self.written(open, diagnostics),
                Paragraph::Enum(it) => {
                    let own = Symbol::new(&format!("this/{}", it.name.text));
                    let arg = ast::Name {
                        text: own,
                        span: it.name.span,
                    };
                    self.implicit("util/ordering", vec![arg], None);
                }
                _ => {}
            }
        }
        let uses_seq = tree
            .exprs
            .iter()
            .any(|(_, it)| matches!(it.kind, ExprKind::Unary(Unary::SeqOf, _)));
        if uses_seq && !self.list.iter().any(|it| it.alias.as_str() == "seq") {
            self.implicit("util/sequniv", vec![], Some("seq"));
        }
    }

    fn written(&mut self, open: &ast::Open, diagnostics: &mut Vec<Diagnostic>) {
        let name = open.module.text;
        let alias = match open.alias {
            Some(alias) => alias.text,
            None if open.args.is_empty() && is_plain(name.as_str()) => name,
            None => self.anonymous(),
        };
        let args = |list: &[ast::Name]| list.iter().map(|it| it.text).collect::<Vec<_>>();
        if let Some(i) = self.list.iter().position(|it| it.alias == alias) {
            let other = &self.list[i];
            if !other.is_written {
                self.list.remove(i); // the user's own meaning of the alias wins
            } else if other.module == name && args(&other.args) == args(&open.args) {
                return;
            } else {
                diagnostics.push(say::alias_taken(alias.as_str(), open.span, other.span));
                return;
            }
        }
        self.add(OpenEdge {
            module: name,
            alias,
            is_private: open.is_private,
            args: open.args.clone(),
            target: None,
            span: open.span,
            is_written: true,
        });
    }

    /// An open without alias is called by the last part of its name, if nothing else is.
    fn finish(mut self) -> Vec<OpenEdge> {
        for i in 0..self.list.len() {
            if self.list[i].alias.as_str().contains('$') {
                let name = self.list[i].module.as_str();
                let last = name.rsplit('/').next().expect("rsplit yields at least one part");
                let short = Symbol::new(last);
                if is_plain(last) && self.list.iter().all(|it| it.alias != short) {
                    self.list[i].alias = short;
                }
            }
        }
        self.list
    }
}

fn is_plain(name: &str) -> bool {
    !name.contains(['/', '$', '@'])
}
