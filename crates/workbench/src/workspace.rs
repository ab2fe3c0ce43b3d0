//! What was opened, kept: resolved specifications and models, each made once for every version of the texts that it was made of.
//!
//! An answer is kept together with every text that was read for it, those included that were looked for in vain. It is asked
//! for again by reading these texts again, which costs next to nothing beside resolving them: when all are the same, so is the
//! answer, and otherwise it is made anew. So nobody has to say what has changed, and nothing can be forgotten.
//!
//! It is made by hand because there are three kinds of answers, and what one of them depends on is texts alone. A framework for
//! incremental computation (`salsa`) pays when answers depend on each other in many steps, and asks that every type in between
//! be one of its own.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use alloy_sema::Resolved;
use diag::Diagnostic;
use source::Sources;

use crate::alloy;
use crate::host::{Host, Unreadable};
use crate::open::{Opened, open};
use crate::overrides::Overrides;
use crate::tla::{TlaFile, parse_tla};

/// Why something cannot be opened.
pub type Refused = (Sources, Vec<Diagnostic>);

/// Specifications of a host.
///
/// ```
/// use workbench::{Host, Overrides, Unreadable, Workspace};
///
/// /// The gallery is built in.
/// struct NoFiles;
///
/// impl Host for NoFiles {
///     fn read(&self, _: &str) -> Result<Vec<u8>, Unreadable> {
///         Err(Unreadable::Missing)
///     }
/// }
///
/// let workspace = Workspace::new(NoFiles);
/// let overrides = Overrides::default();
/// let file = workspace.model("klotski", None, &overrides).map_err(|it| it.1).unwrap();
/// assert!(file.model.is_some());
/// let other = workspace.model("klotski", Some("KlotskiUnsolved.cfg"), &overrides);
/// assert!(other.is_ok());
/// assert_eq!(workspace.n_resolved(), 1);
/// ```
pub struct Workspace<'h> {
    host: Box<dyn Host + 'h>,
    resolved: Memo<String, TlaFile>,
    models: Memo<(String, Option<String>, Overrides), TlaFile>,
    alloy: Memo<String, AlloyFile>,
    n_resolved: Cell<usize>,
}

/// An Alloy model with everything that it opens.
#[derive(Clone)]
pub(crate) struct AlloyFile {
    pub resolved: Resolved,
    pub sources: Sources,
}

impl<'h> Workspace<'h> {
    pub fn new(host: impl Host + 'h) -> Workspace<'h> {
        Workspace {
            host: Box::new(host),
            resolved: Memo::default(),
            models: Memo::default(),
            alloy: Memo::default(),
            n_resolved: Cell::new(0),
        }
    }

    pub fn host(&self) -> &dyn Host {
        &*self.host
    }

    /// The text of a path or of a name of the gallery, and its language.
    pub fn open(&self, spec: &str) -> Result<Opened, Refused> {
        open(spec, self.host())
    }

    /// How often a specification was resolved so far.
    pub fn n_resolved(&self) -> usize {
        self.n_resolved.get()
    }

    /// A TLA+ specification without a model.
    pub fn tla(&self, spec: &str) -> Result<Rc<TlaFile>, Refused> {
        self.tla_by(spec, self.host())
    }

    fn tla_by(&self, spec: &str, host: &dyn Host) -> Result<Rc<TlaFile>, Refused> {
        self.resolved.get(spec.to_owned(), host, |host| {
            self.n_resolved.set(self.n_resolved.get() + 1);
            Ok(parse_tla(open(spec, host)?, host, false))
        })
    }

    /// A TLA+ specification with what is to be checked of it: as a configuration says (without one, the one beside the
    /// specification, else well-known names), and what is asked for besides.
    pub fn model(
        &self,
        spec: &str,
        config: Option<&str>,
        overrides: &Overrides,
    ) -> Result<Rc<TlaFile>, Refused> {
        let question = (spec.to_owned(), config.map(str::to_owned), overrides.clone());
        self.models.get(question, self.host(), |host| {
            let mut file = (*self.tla_by(spec, host)?).clone();
            file.ask(overrides, host);
            let config = config.map(str::to_owned).or_else(|| file.config_beside(host));
            file.configure_with(config.as_deref(), host);
            Ok(file)
        })
    }

    /// An Alloy model.
    pub(crate) fn alloy(&self, spec: &str) -> Result<Rc<AlloyFile>, Refused> {
        self.alloy.get(spec.to_owned(), self.host(), |host| {
            self.n_resolved.set(self.n_resolved.get() + 1);
            let (resolved, sources) = alloy::resolve(open(spec, host)?, host);
            Ok(AlloyFile { resolved, sources })
        })
    }
}

/// Answers to questions of one kind.
struct Memo<Q, A> {
    known: RefCell<Vec<Known<Q, A>>>,
}

struct Known<Q, A> {
    question: Q,
    answer: Rc<A>,
    /// What the answer was made of.
    texts: Vec<(String, Read)>,
}

type Read = Result<Vec<u8>, Unreadable>;

impl<Q, A> Default for Memo<Q, A> {
    fn default() -> Self {
        Memo {
            known: RefCell::default(),
        }
    }
}

impl<Q: PartialEq, A> Memo<Q, A> {
    /// The answer that is known, if its texts are what they were; else the one that is made now. What cannot be opened is not kept.
    fn get(
        &self,
        question: Q,
        host: &dyn Host,
        make: impl FnOnce(&dyn Host) -> Result<A, Refused>,
    ) -> Result<Rc<A>, Refused> {
        if let Some(answer) = self.current(&question, host) {
            return Ok(answer);
        }
        let recording = Recording {
            host,
            texts: RefCell::default(),
        };
        let answer = Rc::new(make(&recording)?);
        let mut known = self.known.borrow_mut();
        // An answer to an earlier version of the texts.
        known.retain(|it| it.question != question);
        known.push(Known {
            question,
            answer: answer.clone(),
            texts: recording.texts.into_inner(),
        });
        Ok(answer)
    }

    fn current(&self, question: &Q, host: &dyn Host) -> Option<Rc<A>> {
        let known = self.known.borrow();
        let known = known.iter().find(|it| it.question == *question)?;
        let mut texts = known.texts.iter();
        let is_current = texts.all(|(path, before)| host.read(path) == *before);
        is_current.then(|| known.answer.clone())
    }
}

/// A host that notes what is read.
struct Recording<'a> {
    host: &'a dyn Host,
    texts: RefCell<Vec<(String, Read)>>,
}

impl Host for Recording<'_> {
    fn read(&self, path: &str) -> Read {
        let read = self.host.read(path);
        self.texts.borrow_mut().push((path.to_owned(), read.clone()));
        read
    }

    fn libraries(&self) -> Vec<String> {
        self.host.libraries()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Default)]
    struct Texts(RefCell<BTreeMap<String, String>>);

    impl Texts {
        fn put(&self, name: &str, text: &str) {
            self.0.borrow_mut().insert(name.to_owned(), text.to_owned());
        }
    }

    impl Host for Texts {
        fn read(&self, path: &str) -> Read {
            let texts = self.0.borrow();
            let text = texts.get(path).ok_or(Unreadable::Missing)?;
            Ok(text.clone().into_bytes())
        }
    }

    #[test]
    fn an_answer_is_made_once_for_each_version_of_its_texts() {
        let texts = Texts::default();
        texts.put(
            "M.tla",
            "---- MODULE M ----\nEXTENDS N\nVARIABLE x\nInit == x = k\n====\n",
        );
        texts.put("N.tla", "---- MODULE N ----\nk == 1\n====\n");
        let workspace = Workspace::new(&texts);
        let errors = || {
            workspace
                .tla("M.tla")
                .map_err(|it| it.1)
                .expect("a file")
                .has_errors()
        };
        assert!(!errors() && !errors());
        assert_eq!(workspace.n_resolved(), 1);
        // Another file, which nobody has looked for.
        texts.put("O.tla", "---- MODULE O ----\n====\n");
        assert!(!errors());
        assert_eq!(workspace.n_resolved(), 1);
        texts.put("N.tla", "---- MODULE N ----\nj == 1\n====\n");
        assert!(errors());
        assert_eq!(workspace.n_resolved(), 2);
    }

    #[test]
    fn a_file_that_was_looked_for_in_vain_makes_a_difference_when_it_comes() {
        let texts = Texts::default();
        texts.put(
            "M.tla",
            "---- MODULE M ----\nVARIABLE x\nInit == x = 1\nNext == x' = x\n====\n",
        );
        let workspace = Workspace::new(&texts);
        let invariants = || {
            let file = workspace.model("M.tla", None, &Overrides::default());
            let file = file.map_err(|it| it.1).expect("a file");
            file.model.as_ref().map_or(0, |it| it.invariants.len())
        };
        assert_eq!(invariants(), 0);
        texts.put("M.cfg", "INIT Init\nNEXT Next\nINVARIANT Init\n");
        assert_eq!(invariants(), 1);
        assert_eq!(workspace.n_resolved(), 1, "the module is the same");
    }
}
