//! What the command line asks to be checked, beside or instead of a configuration.

use diag::Diagnostic;
use source::{Sources, Span};
use tla_sema::model::{Behaviour, Formula, Model};
use tla_sema::{ModuleText, Spec};
use tla_syntax::ast::Ident;
use tla_syntax::config::{self, Assigned, Assignment, Config, ValueKind};
use util::Symbol;

use crate::added::Added;
use crate::host::Host;
use crate::open::{Opened, open};
use crate::rules::choice::{Chosen, RuleChoice};
use crate::tla::{TlaFile, parse_tla, with_added};

/// Formulas are TLA+ expressions with the names of the specification.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub spec: Option<String>,
    pub init: Option<String>,
    pub next: Option<String>,
    pub invariants: Vec<String>,
    pub properties: Vec<String>,
    /// `N = 4` or `Op <- Def`.
    pub constants: Vec<String>,
    /// What else is to be asked.
    pub further: Vec<Further>,
    /// Which of the rules of a conjoined specification are in force.
    pub rules: RuleChoice,
}

/// An expression that is no property: a goal, a cost, a player's moves.
#[derive(Clone, Debug, Default)]
pub struct Further {
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

impl Further {
    pub(crate) fn new(option: &'static str, text: &str) -> Further {
        Further {
            option,
            text: text.to_owned(),
            ..Further::default()
        }
    }
}

/// What became of the options: names of definitions that were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    spec: Option<String>,
    init: Option<String>,
    next: Option<String>,
    invariants: Vec<String>,
    properties: Vec<String>,
    constants: Vec<Constant>,
    /// Expressions that nothing is checked about.
    pub(crate) expressions: Vec<String>,
    pub further: Vec<Defined>,
    pub(crate) rules: Chosen,
}

/// The definition that was made of a text, and that of its negation.
#[derive(Clone, Debug)]
pub(crate) struct Defined {
    pub name: String,
    pub negation: Option<String>,
}

#[derive(Clone, Debug)]
enum Constant {
    /// As a configuration can say it.
    Assigned(Assignment),
    /// By an added definition.
    Defined { name: Ident, by: String },
}

impl Wanted {
    /// Whether the command line says which behaviours are meant.
    pub(crate) fn has_behaviour(&self) -> bool {
        [&self.spec, &self.init, &self.next]
            .into_iter()
            .any(Option::is_some)
    }
}

impl Asked {
    fn is_empty(&self) -> bool {
        let Asked {
            spec,
            init,
            next,
            invariants,
            properties,
            constants,
            further,
            rules,
        } = self;
        let one = [spec, init, next].into_iter().all(Option::is_none);
        let many = [invariants, properties, constants].into_iter().all(Vec::is_empty);
        one && many && further.is_empty() && rules.is_empty()
    }
}

/// As [`parse_tla`], with formulas from the command line. They are read once [`TlaFile::configure_asked`] is called.
pub fn parse_tla_asked(opened: Opened, spec: &str, host: &dyn Host, asked: &Asked) -> TlaFile {
    parse_tla_with(opened, spec, host, asked, &[])
}

/// As [`parse_tla_asked`], with expressions that are to be evaluated, each with what its source is called.
pub(crate) fn parse_tla_with(
    opened: Opened,
    spec: &str,
    host: &dyn Host,
    asked: &Asked,
    expressions: &[(&str, &str)],
) -> TlaFile {
    if asked.is_empty() && expressions.is_empty() {
        return parse_tla(opened, host, false);
    }
    // Which names there are decides whether a word is a model value.
    let plain = match open(spec, host) {
        Ok(again) => parse_tla(again, host, false),
        Err(_) => return parse_tla(opened, host, false),
    };
    if plain.has_errors() {
        return plain;
    }
    let Opened {
        mut sources,
        file,
        stem,
        origin,
        ..
    } = opened;
    let module = plain.spec.root().map_or(stem.clone(), |it| it.name.to_string());
    let mut reader = Reader {
        added: Added::new(&[&module]),
        sources: &mut sources,
        spec: &plain.spec,
        diagnostics: vec![],
    };
    let mut wanted = reader.read(asked);
    let expressions = expressions.iter();
    wanted.expressions = expressions
        .map(|(origin, it)| reader.formula(origin, it))
        .collect();
    let Reader {
        added, diagnostics, ..
    } = reader;
    let root = ModuleText {
        name: sources.file(file).name().to_string(),
        text: sources.file(file).text().clone(),
        is_library: false,
    };
    if !diagnostics.is_empty() {
        return TlaFile {
            diagnostics,
            sources,
            ..plain
        };
    }
    let mut file = with_added(added, sources, (stem, origin), host, Some((&module, &root)));
    file.wanted = wanted;
    file
}

/// Reads options.
struct Reader<'a> {
    added: Added,
    sources: &'a mut Sources,
    /// The specification by itself.
    spec: &'a Spec,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn read(&mut self, asked: &Asked) -> Wanted {
        let mut one = |option: &str, text: &Option<String>| text.as_ref().map(|it| self.formula(option, it));
        Wanted {
            spec: one("--spec", &asked.spec),
            init: one("--init", &asked.init),
            next: one("--next", &asked.next),
            invariants: asked
                .invariants
                .iter()
                .map(|it| self.formula("--invariant", it))
                .collect(),
            properties: asked
                .properties
                .iter()
                .map(|it| self.formula("--property", it))
                .collect(),
            constants: asked
                .constants
                .iter()
                .filter_map(|it| self.constant(it))
                .collect(),
            expressions: vec![],
            further: asked.further.iter().map(|it| self.further(it)).collect(),
            rules: Chosen {
                without: asked.rules.without.clone(),
                only: asked.rules.only.clone(),
                with: asked
                    .rules
                    .with
                    .iter()
                    .map(|it| self.formula("--with", it))
                    .collect(),
            },
        }
    }

    fn further(&mut self, asked: &Further) -> Defined {
        let text = asked.text.trim();
        // The name of an operator stands for the operator.
        let def = self.spec.lookup_def(text).map(|it| &self.spec.defs[it]);
        let def = def.filter(|_| asked.operator);
        if def.is_some_and(|it| it.params.len() == 1 && self.spec.locals[it.params[0]].arity == 0) {
            return Defined {
                name: text.to_owned(),
                negation: None,
            };
        }
        let name = match &asked.parameter {
            None => self.formula(asked.option, &asked.text),
            Some(parameter) => {
                let name = self
                    .added
                    .define_with(parameter, asked.option, &asked.text, self.sources);
                self.check_grammar(&asked.text);
                name
            }
        };
        let negation = asked.negated.then(|| self.added.negate(&name));
        Defined { name, negation }
    }

    /// An expression, whose grammar is looked at by itself: it must not be anything else in a module either.
    fn formula(&mut self, option: &str, text: &str) -> String {
        let name = self.added.define(option, text, self.sources);
        self.check_grammar(text);
        name
    }

    /// Of the newest source.
    fn check_grammar(&mut self, text: &str) {
        let file = self.sources.newest();
        let (_, _, wrong) = tla_syntax::parse_expr(text, file);
        self.diagnostics
            .extend(wrong.into_iter().filter(Diagnostic::is_error));
    }

    fn constant(&mut self, option: &str) -> Option<Constant> {
        let statement = format!("CONSTANT {option}");
        let file = self.sources.add("--constant", statement.clone());
        let (config, wrong) = config::parse(&statement, file);
        let is_right = !wrong.iter().any(Diagnostic::is_error);
        if let ([assignment], true) = (&config.constants[..], is_right) {
            match &assignment.to {
                Assigned::Value(value) if self.mentions_a_name(value) => {}
                _ => return Some(Constant::Assigned(assignment.clone())),
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
        let by = self.formula("--constant", value.trim());
        Some(Constant::Defined { name, by })
    }

    /// Whether a value of a configuration, read as an expression, means something in the specification.
    fn mentions_a_name(&self, value: &config::Value) -> bool {
        match &value.kind {
            ValueKind::Model(name) => self.spec.lookup(*name).is_some(),
            ValueKind::Set(items) => items.iter().any(|it| self.mentions_a_name(it)),
            ValueKind::Int(_) | ValueKind::Str(_) | ValueKind::Bool(_) => false,
        }
    }
}

impl TlaFile {
    /// Takes what is to be checked from a configuration, if there is one, else from well-known names and the theorems;
    /// what the command line says comes before either.
    pub fn configure_asked(&mut self, config: Option<&str>, host: &dyn Host) {
        if self.added.is_none() {
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
        let (mut model, mut wrong) = tla_sema::configure(&mut self.spec, &config, whole);
        self.rename(&mut model);
        if let Some(claims) = claims {
            model.invariants.extend(claims.invariants);
            model.properties.extend(claims.properties);
        }
        self.point_at_options(&mut wrong);
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
        let Wanted { spec, init, next, .. } = &self.wanted;
        let is_named =
            config.invariants.is_empty() && config.properties.is_empty() && config.constants.is_empty();
        if [spec, init, next].into_iter().any(Option::is_some) || !is_named || self.has_errors() {
            return None;
        }
        let module = *self.spec.root()?.extends.first()?;
        Some(tla_sema::default_model_of(&mut self.spec, module).0)
    }

    fn apply(&self, config: &mut Config) {
        let Wanted {
            spec,
            init,
            next,
            invariants,
            properties,
            constants,
            ..
        } = &self.wanted;
        let ident = |name: &String| Ident {
            name: Symbol::new(name),
            span: self
                .added
                .as_ref()
                .and_then(|it| it.span(name))
                .unwrap_or(Span::new(self.file, 0, 0)),
        };
        if spec.is_some() || init.is_some() || next.is_some() {
            config.specification = spec.as_ref().map(ident);
        }
        config.init = init.as_ref().map(ident).or(config.init);
        config.next = next.as_ref().map(ident).or(config.next);
        config.invariants.extend(invariants.iter().map(ident));
        config.properties.extend(properties.iter().map(ident));
        // Whoever names one half of a behaviour means the well-known other half.
        let known = self.known_halves();
        if config.specification.is_none() {
            config.init = config.init.or(known.0);
            config.next = config.next.or(known.1);
        }
        for constant in constants {
            let assignment = match constant {
                Constant::Assigned(it) => it.clone(),
                Constant::Defined { name, by } => Assignment {
                    name: *name,
                    args: Box::default(),
                    module: None,
                    to: Assigned::Definition(ident(by)),
                    span: name.span,
                },
            };
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

    /// An added formula is called by its text.
    fn rename(&self, model: &mut Model) {
        let Some(added) = &self.added else { return };
        let rename = |it: &mut Formula| {
            if let Some(shown) = added.shown(it.name.as_str()) {
                it.name = Symbol::new(shown);
            }
        };
        model
            .invariants
            .iter_mut()
            .chain(&mut model.properties)
            .for_each(rename);
        match &mut model.behaviour {
            Behaviour::None => {}
            Behaviour::InitNext { init, next } => std::iter::once(init).chain(next).for_each(rename),
            Behaviour::Specification(it) => rename(it),
        }
    }

    /// Puts the places of diagnostics where their author wrote what they are about.
    pub(crate) fn point_at_options(&self, diagnostics: &mut [Diagnostic]) {
        if let Some(added) = &self.added {
            diagnostics.iter_mut().for_each(|it| added.retell(it));
        }
    }

    /// `name:line:column`, as its author knows it.
    pub(crate) fn location(&self, span: Span) -> String {
        self.sources.location(self.placed(span))
    }

    /// A span where its author wrote it.
    pub(crate) fn placed(&self, span: Span) -> Span {
        self.added.as_ref().map_or(span, |it| it.place(span))
    }

    pub(crate) fn text(&self, span: Span) -> &str {
        self.sources.text(span)
    }

    /// Whether a definition was made of a text from outside.
    pub(crate) fn is_added(&self, name: Symbol) -> bool {
        let shown = self.added.as_ref().and_then(|it| it.shown(name.as_str()));
        shown.is_some()
    }

    /// Whether a place is in a text of the command line.
    pub(crate) fn is_from_outside(&self, span: Span) -> bool {
        self.added.as_ref().is_some_and(|it| it.place(span) != span)
    }

    /// What people call a definition.
    pub(crate) fn shown_name(&self, name: Symbol) -> String {
        let shown = self.added.as_ref().and_then(|it| it.shown(name.as_str()));
        shown.map_or_else(|| name.to_string(), str::to_string)
    }
}

fn constant_without_value(option: &str) -> Diagnostic {
    Diagnostic::error(
        "constant-without-value",
        format!("`--constant {option}` gives no constant a value"),
    )
    .hint("write `--constant N=4`, or `--constant Op<-Definition`")
}
