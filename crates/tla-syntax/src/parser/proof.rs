//! Proofs: `ASSUME … PROVE`, steps with their levels, and `BY`, `USE`, `HIDE`. They are kept, not checked.

use util::deep;

use super::{Parsed, Parser};
use crate::ast::{
    AssumeItem, AssumeProve, By, ExprId, ExprKind, Fact, Ident, NewLevel, Proof, ProofKind, Step, StepKind,
    Unit, Use,
};
use crate::diagnostics as errors;
use crate::op::Op;
use crate::token::{Tok, Token};

impl Parser<'_> {
    pub(super) fn assume_prove(&mut self) -> Parsed<ExprId> {
        if self.depth >= self.limits.height {
            return self.too_deep(self.limits.height);
        }
        self.depth += 1;
        let result = deep(|| self.assume_prove_inner());
        self.depth -= 1;
        result
    }

    fn assume_prove_inner(&mut self) -> Parsed<ExprId> {
        let start = self.bump();
        let boxed = start.kind == Tok::BoxAssume;
        let assumptions = self.list(|it| it.assumption_item())?;
        if !matches!(self.kind(), Tok::Prove | Tok::BoxProve) {
            return self.missing_prove(start);
        }
        self.bump();
        let prove = self.expr()?;
        let span = self.since(start);
        self.height += 1;
        let node = AssumeProve {
            boxed,
            assumptions,
            prove,
        };
        Ok(self.alloc(ExprKind::AssumeProve(Box::new(node)), span))
    }

    fn assumption_item(&mut self) -> Parsed<AssumeItem> {
        let is_new = matches!(
            self.kind(),
            Tok::New | Tok::Constant | Tok::Variable | Tok::State | Tok::Action | Tok::Temporal
        );
        if !is_new {
            return Ok(AssumeItem::Fact(self.statement()?));
        }
        self.eat(Tok::New);
        let level = match self.kind() {
            Tok::Constant => Some(NewLevel::Constant),
            Tok::Variable => Some(NewLevel::Variable),
            Tok::State => Some(NewLevel::State),
            Tok::Action => Some(NewLevel::Action),
            Tok::Temporal => Some(NewLevel::Temporal),
            _ => None,
        };
        if level.is_some() {
            self.bump();
        }
        let level = level.unwrap_or(NewLevel::Constant);
        let decl = self.op_decl()?;
        let mut set = None;
        if self.at_op(Op::IN) {
            if decl.arity > 0 || level != NewLevel::Constant {
                return self.abort(errors::new_in_set(decl.name, self.span_of(self.tok)));
            }
            self.bump();
            set = Some(self.expr()?);
        }
        Ok(AssumeItem::New { level, decl, set })
    }

    // Proofs

    pub(super) fn opt_proof(&mut self) -> Parsed<Option<Proof>> {
        if !self.begins_proof() {
            return Ok(None);
        }
        self.proof().map(Some)
    }

    /// A step of a deeper level than the current one, or a word that says how to prove.
    fn begins_proof(&self) -> bool {
        match self.kind() {
            Tok::By | Tok::Proof | Tok::Obvious | Tok::Omitted => true,
            Tok::Step => match step_level(self.tok) {
                Level::Same => self.proof_levels.is_empty(),
                Level::Deeper => true,
                Level::Number(level) => match self.proof_levels.last() {
                    None => true,
                    Some(current) => current.is_some_and(|it| level > it),
                },
            },
            _ => false,
        }
    }

    fn proof(&mut self) -> Parsed<Proof> {
        let start = self.tok;
        if self.nesting >= self.limits.nesting {
            return self.too_deep(self.limits.nesting);
        }
        self.nesting += 1;
        self.proof_levels.push(None);
        let kind = deep(|| self.proof_kind());
        self.proof_levels.pop();
        self.nesting -= 1;
        Ok(Proof {
            kind: kind?,
            span: self.since(start),
        })
    }

    fn proof_kind(&mut self) -> Parsed<ProofKind> {
        self.eat(Tok::Proof);
        match self.kind() {
            Tok::By => {
                self.bump();
                Ok(ProofKind::By(self.by()?))
            }
            Tok::Obvious => {
                self.bump();
                Ok(ProofKind::Obvious)
            }
            Tok::Omitted => {
                self.bump();
                Ok(ProofKind::Omitted)
            }
            Tok::Step => self.steps(),
            _ => self.unexpected("a proof: BY, OBVIOUS, OMITTED or a step such as `<1>1.`"),
        }
    }

    fn steps(&mut self) -> Parsed<ProofKind> {
        let mut steps: Vec<Step> = vec![];
        loop {
            if !self.at(Tok::Step) || self.returns_to_outer_proof() {
                let first = steps.first().map(|it| it.token);
                return self.missing_qed(first);
            }
            let step = self.step()?;
            let done = matches!(step.kind, StepKind::Qed);
            steps.push(step);
            if done {
                return Ok(ProofKind::Steps(steps.into()));
            }
        }
    }

    /// A step of a lower level: the proof being read has ended without its QED.
    fn returns_to_outer_proof(&self) -> bool {
        match (step_level(self.tok), self.proof_levels.last()) {
            (Level::Number(level), Some(Some(current))) => level < *current,
            _ => false,
        }
    }

    fn step(&mut self) -> Parsed<Step> {
        let token = self.tok;
        let level = self.enter_step(token)?;
        self.bump();
        let name = step_label(token).map(|label| Ident {
            name: self.name(&format!("<{level}>{label}")),
            span: self.span_of(token),
        });
        let kind = self.step_kind()?;
        let takes_proof = matches!(
            kind,
            StepKind::Qed
                | StepKind::Assert(_)
                | StepKind::Suffices(_)
                | StepKind::Case(_)
                | StepKind::Pick { .. }
        );
        if !takes_proof && self.begins_proof() {
            let span = self.since(token);
            return self.abort(errors::step_takes_no_proof(span, self.span_of(self.tok)));
        }
        let proof = self.opt_proof()?;
        Ok(Step {
            level,
            token: self.ident_of(token),
            name,
            kind,
            proof,
            span: self.since(token),
        })
    }

    /// The level of a step that starts here; the first step of a proof sets the level of the others.
    fn enter_step(&mut self, token: Token) -> Parsed<u32> {
        let outer = match self.proof_levels.len() {
            0 | 1 => None,
            n => self.proof_levels[n - 2],
        };
        let next = outer.map_or(0, |it| it + 1);
        let current = *self.proof_levels.last().expect("a step is in a proof");
        let level = match (step_level(token), current) {
            (Level::Same, Some(level)) => level,
            (Level::Same | Level::Deeper, None) => next,
            (Level::Number(level), None) if outer.is_none_or(|it| level > it) => level,
            (Level::Number(level), Some(current)) if level == current => level,
            _ => {
                let expected = current.unwrap_or(next);
                return self.wrong_level(token, expected, outer.filter(|_| current.is_none()));
            }
        };
        *self.proof_levels.last_mut().expect("a step is in a proof") = Some(level);
        Ok(level)
    }

    fn step_kind(&mut self) -> Parsed<StepKind> {
        match self.kind() {
            Tok::Qed => {
                self.bump();
                Ok(StepKind::Qed)
            }
            Tok::Use | Tok::Hide => Ok(StepKind::Use(self.use_or_hide()?)),
            Tok::Instance => Ok(StepKind::Instance(self.instance(None, false)?)),
            Tok::Define => {
                self.bump();
                self.define()
            }
            Tok::Have => {
                self.bump();
                Ok(StepKind::Have(self.expr()?))
            }
            Tok::Take => {
                let take = self.bump();
                Ok(StepKind::Take(self.binding(Tok::Step, take)?))
            }
            Tok::Witness => {
                self.bump();
                Ok(StepKind::Witness(self.exprs()?))
            }
            Tok::Pick => {
                let pick = self.bump();
                let binding = self.binding(Tok::Colon, pick)?;
                self.binder_colon(pick)?;
                let body = self.expr()?;
                Ok(StepKind::Pick { binding, body })
            }
            Tok::Case => {
                self.bump();
                Ok(StepKind::Case(self.expr()?))
            }
            Tok::Suffices => {
                self.bump();
                Ok(StepKind::Suffices(self.statement()?))
            }
            _ if self.is_definition(0) => self.define(),
            _ => Ok(StepKind::Assert(self.statement()?)),
        }
    }

    fn define(&mut self) -> Parsed<StepKind> {
        let mut units = vec![];
        loop {
            let start = self.tok;
            if self.at(Tok::Local) {
                let span = self.span_of(self.tok);
                return self.abort(errors::local_in_proof(span));
            }
            let kind = self.nested_definition()?;
            units.push(Unit {
                kind,
                span: self.since(start),
            });
            if !self.is_definition(0) {
                return Ok(StepKind::Define(units.into()));
            }
        }
    }

    pub(super) fn use_or_hide(&mut self) -> Parsed<Use> {
        let hide = self.bump().kind == Tok::Hide;
        let by = self.by()?;
        Ok(Use { hide, by })
    }

    /// What follows `BY`, `USE` or `HIDE`; anything may be absent.
    fn by(&mut self) -> Parsed<By> {
        let only = self.eat(Tok::Only).is_some();
        let facts = if self.at(Tok::Module) || self.starts_expr(0) {
            self.list(|it| it.fact())?
        } else {
            Box::new([])
        };
        let defs = match self.eat(Tok::Def) {
            Some(_) => self.list(|it| it.fact())?,
            None => Box::new([]),
        };
        Ok(By { only, facts, defs })
    }

    fn fact(&mut self) -> Parsed<Fact> {
        if self.eat(Tok::Module).is_some() {
            return Ok(Fact::Module(self.ident("the name of a module")?));
        }
        if self.kind().is_operator() && self.is_lone_operator() {
            return Ok(Fact::Expr(self.op_ref()));
        }
        Ok(Fact::Expr(self.expr()?))
    }

    /// The name of a step, as an operand.
    pub(super) fn step_name(&mut self) -> Parsed<ExprId> {
        let token = self.tok;
        let Some(label) = step_label(token).filter(|_| is_citation(token)) else {
            return self.missing_operand();
        };
        let level = match (step_level(token), self.current_level()) {
            (Level::Number(level), Some(_)) => level,
            (Level::Same, Some(level)) => level,
            (Level::Deeper, Some(_)) => return self.abort(errors::deeper_step_cited(self.span_of(token))),
            (_, None) => return self.abort(errors::step_outside_proof(self.span_of(token))),
        };
        self.bump();
        let name = self.name(&format!("<{level}>{label}"));
        let ident = Ident {
            name,
            span: self.span_of(token),
        };
        if matches!(self.kind(), Tok::LParen | Tok::Bang) {
            return self.application_or_path(ident, token);
        }
        Ok(self.leaf(ExprKind::Ident(name), token))
    }

    /// The level of the innermost proof that has a step already; `BY` belongs to the proof around it.
    fn current_level(&self) -> Option<u32> {
        self.proof_levels
            .iter()
            .rev()
            .find_map(|it| *it)
            .or((!self.proof_levels.is_empty()).then_some(0))
    }
}

pub(super) enum Level {
    /// `<*>`
    Same,
    /// `<+>`
    Deeper,
    Number(u32),
}

pub(super) fn step_level(token: Token) -> Level {
    let text = token.name.as_str();
    let level = &text[1..text.find('>').expect("the lexer saw it")];
    match level {
        "*" => Level::Same,
        "+" => Level::Deeper,
        // Saturated: the level is then wrong, and said to be.
        digits => Level::Number(digits.parse().unwrap_or(u32::MAX)),
    }
}

/// Whether a step token can name a step in an expression: `<1>2`, but not `<1>2.` or `<1>`.
pub(super) fn is_citation(token: Token) -> bool {
    step_label(token).is_some() && !token.name.as_str().ends_with('.')
}

/// What follows the level: the part that makes the step citable.
fn step_label(token: Token) -> Option<&'static str> {
    let text = token.name.as_str();
    let label = text[text.find('>').expect("the lexer saw it") + 1..].trim_end_matches('.');
    (!matches!(label, "" | "*" | "-")).then_some(label)
}
