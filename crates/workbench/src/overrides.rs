//! What the command line asks to be checked, beside or instead of a configuration.

use diag::Diagnostic;
use source::{FileId, Span};
use tla_sema::Appendix;
use tla_sema::ir::DefId;
use tla_sema::model::Model;
use tla_syntax::ast::Ident;
use tla_syntax::config::{self, Assigned, Assignment, Config, ValueKind};
use util::Symbol;

use crate::algorithm::Algorithms;
use crate::host::Host;
use crate::open::Opened;
use crate::rules::choice::{Chosen, RuleChoice};
use crate::tla::{Finder, TlaFile, parse_tla};

/// Formulas are TLA+ expressions with the names of the specification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    pub spec: Option<String>,
    pub init: Option<String>,
    pub next: Option<String>,
    pub invariants: Vec<String>,
    pub properties: Vec<String>,
    /// `N = 4` or `Op <- Def`.
    pub constants: Vec<String>,
    /// What else is to be asked.
    pub extra: Vec<ExtraExpr>,
    /// Which of the rules of a conjoined specification are in force.
    pub rules: RuleChoice,
}

/// An expression that is no property: a goal, a cost, a player's moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExtraExpr {
    /// Where it was written, such as `--goal`.
    pub option: &'static str,
    pub text: String,
    /// A name that the expression may use, for a value that is given with every question.
    pub parameter: Option<String>,
    /// Whether it may be the name of an operator with such a parameter.
    pub operator: bool,
    /// Whether its negation is needed too.
    pub negated: bool,
}

impl ExtraExpr {
    pub(crate) fn new(option: &'static str, text: &str) -> ExtraExpr {
        ExtraExpr {
            option,
            text: text.to_owned(),
            ..ExtraExpr::default()
        }
    }
}

/// What became of the options.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    /// Whether the command line asks for anything.
    is_asked: bool,
    spec: Option<Ident>,
    init: Option<Ident>,
    next: Option<Ident>,
    invariants: Vec<Ident>,
    properties: Vec<Ident>,
    constants: Vec<Assignment>,
    pub extra: Vec<Defined>,
    pub(crate) rules: Chosen,
    /// The texts of the options, which are sources like files.
    texts: Vec<FileId>,
}

/// The definition that was made of a text, and that of its negation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Defined {
    pub def: DefId,
    pub negation: Option<DefId>,
    /// Where it was asked for.
    pub span: Span,
}

impl Requests {
    /// Whether the command line says which behaviours are meant.
    pub(crate) fn has_behaviour(&self) -> bool {
        [&self.spec, &self.init, &self.next]
            .into_iter()
            .any(Option::is_some)
    }
}

impl Overrides {
    fn is_empty(&self) -> bool {
        let Overrides {
            spec,
            init,
            next,
            invariants,
            properties,
            constants,
            extra,
            rules,
        } = self;
        let one = [spec, init, next].into_iter().all(Option::is_none);
        let many = [invariants, properties, constants].into_iter().all(Vec::is_empty);
        one && many && extra.is_empty() && rules.is_empty()
    }
}

/// As [`parse_tla`], with formulas from the command line, which [`TlaFile::configure_with`] applies.
pub fn parse_tla_with(opened: Opened, host: &dyn Host, overrides: &Overrides) -> TlaFile {
    let mut file = parse_tla(opened, host, false);
    file.ask(overrides, host);
    file
}

/// Reads options: every formula is resolved where the root module ends.
struct Reader<'a, 'r> {
    appendix: &'r mut Appendix<'a>,
    texts: Vec<FileId>,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_, '_> {
    fn read(&mut self, overrides: &Overrides) -> Requests {
        let mut one = |option: &str, text: &Option<String>| {
            let read = text.as_ref().and_then(|it| self.formula(option, it));
            read.map(|it| it.0)
        };
        let spec = one("--spec", &overrides.spec);
        let init = one("--init", &overrides.init);
        let next = one("--next", &overrides.next);
        let mut many = |option: &str, texts: &[String]| -> Vec<Ident> {
            let read = texts.iter().filter_map(|it| self.formula(option, it));
            read.map(|it| it.0).collect()
        };
        let invariants = many("--invariant", &overrides.invariants);
        let properties = many("--property", &overrides.properties);
        let constants = overrides.constants.iter();
        let constants = constants.filter_map(|it| self.constant(it)).collect();
        let extra = overrides.extra.iter();
        let extra = extra.filter_map(|it| self.extra(it)).collect();
        let with = overrides.rules.with.iter();
        let with = with
            .filter_map(|it| Some(self.formula("--with", it)?.1))
            .collect();
        Requests {
            is_asked: true,
            spec,
            init,
            next,
            invariants,
            properties,
            constants,
            extra,
            rules: Chosen {
                without: overrides.rules.without.clone(),
                only: overrides.rules.only.clone(),
                with,
            },
            texts: std::mem::take(&mut self.texts),
        }
    }

    fn extra(&mut self, overrides: &ExtraExpr) -> Option<Defined> {
        let text = overrides.text.trim();
        // The name of an operator stands for the operator.
        let operator = self.appendix.lookup(text).filter(|_| overrides.operator);
        if let Some(def) = operator
            && self.appendix.is_operator_on_values(def)
        {
            return Some(Defined {
                def,
                negation: None,
                span: self.appendix.spec().defs[def].span,
            });
        }
        let file = self.source(overrides.option, &overrides.text);
        let def = match &overrides.parameter {
            None => self.appendix.formula(&overrides.text, file),
            Some(parameter) => self.appendix.operator(parameter, &overrides.text, file),
        }?;
        Some(Defined {
            def,
            negation: overrides.negated.then(|| self.appendix.negation(def)),
            span: Span::new(file, 0, overrides.text.len() as u32),
        })
    }

    /// A formula as a configuration would name it, and its definition. None when it cannot be read, which is reported.
    fn formula(&mut self, option: &str, text: &str) -> Option<(Ident, DefId)> {
        let file = self.source(option, text);
        let def = self.appendix.formula(text, file)?;
        let name = self.appendix.spec().defs[def].name;
        let span = Span::new(file, 0, text.len() as u32);
        Some((Ident { name, span }, def))
    }

    fn source(&mut self, option: &str, text: &str) -> FileId {
        let file = self.appendix.sources().add(option, text);
        self.texts.push(file);
        file
    }

    fn constant(&mut self, option: &str) -> Option<Assignment> {
        let statement = format!("CONSTANT {option}");
        let file = self.appendix.sources().add("--constant", statement.clone());
        let (config, wrong) = config::parse(&statement, file);
        let is_right = !wrong.iter().any(Diagnostic::is_error);
        if let ([assignment], true) = (&config.constants[..], is_right) {
            match &assignment.to {
                Assigned::Value(value) if self.mentions_a_name(value) => {}
                _ => return Some(assignment.clone()),
            }
        }
        let Some((name, value)) = option.split_once('=') else {
            match wrong.is_empty() {
                true => self.diagnostics.push(constant_without_value(option)),
                false => self.diagnostics.extend(wrong),
            }
            return None;
        };
        let start = statement.len() - option.len();
        let name = Ident {
            name: Symbol::new(name.trim()),
            span: Span::new(file, start as u32, (start + name.trim_end().len()) as u32),
        };
        let (by, _) = self.formula("--constant", value.trim())?;
        Some(Assignment {
            name,
            args: Box::default(),
            module: None,
            to: Assigned::Definition(by),
            span: name.span,
        })
    }

    /// Whether a value of a configuration, read as an expression, means something in the specification.
    fn mentions_a_name(&self, value: &config::Value) -> bool {
        match &value.kind {
            ValueKind::Model(name) => self.appendix.spec().lookup(*name).is_some(),
            ValueKind::Set(items) => items.iter().any(|it| self.mentions_a_name(it)),
            ValueKind::Int(_) | ValueKind::Str(_) | ValueKind::Bool(_) => false,
        }
    }
}

impl TlaFile {
    /// Reads what the command line asks for, unless the specification is wrong.
    pub(crate) fn ask(&mut self, overrides: &Overrides, host: &dyn Host) {
        if overrides.is_empty() || self.has_errors() {
            return;
        }
        let (wanted, wrong) = self.append(host, |appendix| {
            let mut reader = Reader {
                appendix,
                texts: vec![],
                diagnostics: vec![],
            };
            (reader.read(overrides), reader.diagnostics)
        });
        self.requests = wanted;
        self.diagnostics.extend(wrong);
    }

    /// Lets `add` append texts to the specification. What is wrong with them joins the diagnostics.
    pub(crate) fn append<R>(&mut self, host: &dyn Host, add: impl FnOnce(&mut Appendix<'_>) -> R) -> R {
        let finder = Finder {
            origin: &self.origin,
            host,
            // A module that is opened here for the first time may have an algorithm; nothing that is checked is a state of it.
            algorithms: Algorithms::default(),
        };
        let spec = std::mem::take(&mut self.spec);
        let mut appendix = Appendix::new(spec, &mut self.sources, &finder);
        let added = add(&mut appendix);
        let (spec, wrong) = appendix.finish();
        self.spec = spec;
        self.diagnostics.extend(wrong);
        added
    }

    /// Takes what is to be checked from a configuration, if there is one, else from well-known names and the theorems;
    /// what the command line says comes before either.
    pub fn configure_with(&mut self, config: Option<&str>, host: &dyn Host) {
        if !self.requests.is_asked {
            match config {
                Some(config) => self.configure(config, host),
                None => self.configure_by_names(),
            }
            return;
        }
        let (mut config, whole) = match config.map(|it| self.read_config(it, host)) {
            Some(Some(read)) => read,
            Some(None) => return,
            None => (self.named_behaviour(), Span::new(self.file, 0, 0)),
        };
        let claims = self.claims_to_keep(&config);
        self.apply(&mut config);
        if self.has_errors() {
            return;
        }
        let (mut model, wrong) = tla_sema::configure(&mut self.spec, &config, whole);
        if let Some(claims) = claims {
            model.invariants.extend(claims.invariants);
            model.properties.extend(claims.properties);
        }
        self.take_model(model, wrong);
    }

    /// The behaviour of a specification without a configuration.
    pub(crate) fn named_behaviour(&self) -> Config {
        let ident = |name: &str| {
            let def = &self.spec.defs[self.spec.lookup_def(name)?];
            def.params.is_empty().then_some(Ident {
                name: def.name,
                span: def.span,
            })
        };
        let mut config = Config {
            specification: ident("Spec"),
            ..Config::default()
        };
        if config.specification.is_none() {
            (config.init, config.next) = (ident("Init"), ident("Next"));
        }
        if self.wants_termination() {
            config.properties.extend(ident("Termination"));
        }
        config
    }

    /// Theorems count when nothing else says what to check, and it is still their specification.
    fn claims_to_keep(&mut self, config: &Config) -> Option<Model> {
        let Requests { spec, init, next, .. } = &self.requests;
        let is_named =
            config.invariants.is_empty() && config.properties.is_empty() && config.constants.is_empty();
        if [spec, init, next].into_iter().any(Option::is_some) || !is_named || self.has_errors() {
            return None;
        }
        Some(tla_sema::default_model(&mut self.spec).0)
    }

    fn apply(&self, config: &mut Config) {
        let Requests {
            spec,
            init,
            next,
            invariants,
            properties,
            constants,
            ..
        } = &self.requests;
        if spec.is_some() || init.is_some() || next.is_some() {
            config.specification = *spec;
        }
        config.init = init.or(config.init);
        config.next = next.or(config.next);
        config.invariants.extend(invariants);
        config.properties.extend(properties);
        // Whoever names one half of a behaviour means the well-known other half.
        let known = self.known_halves();
        if config.specification.is_none() {
            config.init = config.init.or(known.0);
            config.next = config.next.or(known.1);
        }
        for assignment in constants.iter().cloned() {
            config
                .constants
                .retain(|it| it.name.name != assignment.name.name || it.module.is_some());
            config.constants.push(assignment);
        }
    }

    fn known_halves(&self) -> (Option<Ident>, Option<Ident>) {
        let ident = |name: &str| {
            let def = &self.spec.defs[self.spec.lookup_def(name)?];
            Some(Ident {
                name: def.name,
                span: def.span,
            })
        };
        (ident("Init"), ident("Next"))
    }

    /// `name:line:column`
    pub(crate) fn location(&self, span: Span) -> String {
        self.sources.location(span)
    }

    pub(crate) fn text(&self, span: Span) -> &str {
        self.sources.text(span)
    }

    /// Whether a place is in a text of the command line.
    pub(crate) fn is_from_outside(&self, span: Span) -> bool {
        self.requests.texts.contains(&span.file)
    }
}

fn constant_without_value(option: &str) -> Diagnostic {
    Diagnostic::error(
        "constant-without-value",
        format!("`--constant {option}` gives no constant a value"),
    )
    .hint("write `--constant N=4`, or `--constant Op<-Definition`")
}
