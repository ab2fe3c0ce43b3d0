//! What can be cited but has no value: `ASSUME … PROVE`, and steps such as `HAVE x > 0` or `PICK x \in S : P(x)`.
//!
//! Its clauses are formulas that selectors can reach: the n-th assumption of `T` is `T!n`, and what it proves comes after the
//! last one. What stands behind the keyword of a step is `!1`; `PICK` has the parts of an `\E`. What the names of `NEW` are
//! declared for can be selected only where these names are known: in the proof, or after a `SUFFICES`.

use source::Span;
use tla_syntax::ast::{self, PathPart, Selector};
use util::Symbol;

use super::Resolver;
use super::proof::Stated;
use super::select::{Step, Stuck, Walk, nothing};
use crate::ir::*;

/// A definition that has no value.
pub(super) struct Rule {
    /// Such as "a HAVE step".
    pub what: &'static str,
    pub clause: Clause,
}

#[derive(Clone)]
pub(super) enum Clause {
    /// A formula: an element of the tuple that is the body of the definition, so that an instance has it replaced.
    Formula(usize),
    /// `NEW x`, or `NEW x \in S`, where the set is a formula like the others.
    New(LocalId, Option<usize>),
    /// The assumptions and the conclusion, or what stands behind the keyword of a step.
    List(Vec<Clause>),
    /// The `\E` of a `PICK`: a step, which no instance ever has.
    Binder(ExprId),
    /// A labelled `ASSUME … PROVE`.
    Label(Symbol, Box<Clause>),
}

impl Clause {
    /// The same clauses when `n` formulas stand before theirs.
    pub fn moved_by(self, n: usize) -> Clause {
        match self {
            Clause::Formula(at) => Clause::Formula(at + n),
            Clause::List(clauses) => Clause::List(clauses.into_iter().map(|it| it.moved_by(n)).collect()),
            Clause::Label(name, inner) => Clause::Label(name, Box::new(inner.moved_by(n))),
            Clause::New(local, set) => Clause::New(local, set.map(|it| it + n)),
            Clause::Binder(_) => self,
        }
    }
}

/// Where the selectors have led to.
enum Reached<'a> {
    Clause(&'a Clause),
    /// A formula or a part of one: the walk is there.
    Formula,
}

impl Resolver<'_> {
    /// A statement that can be cited: as a formula if it is one.
    pub(super) fn new_statement(&mut self, name: ast::Ident, stated: &Stated) -> DefId {
        match stated.formula {
            Some(body) => self.new_def(name, DefKind::Statement, Box::default(), body, false),
            None => {
                let rule = Rule {
                    what: "an `ASSUME … PROVE`",
                    clause: stated.clause.clone(),
                };
                self.new_rule(name, &stated.parts, rule)
            }
        }
    }

    pub(super) fn new_rule(&mut self, name: ast::Ident, formulas: &[ExprId], rule: Rule) -> DefId {
        let body = self.alloc(ExprKind::Tuple(formulas.into()), name.span);
        let def = self.new_def(name, DefKind::Rule, Box::default(), body, false);
        self.rules.insert(def, rule);
        def
    }

    /// What an entity without a value is, such as "a HAVE step".
    pub(super) fn rule(&self, entity: Entity) -> Option<&Rule> {
        let Entity::Def(mut def) = entity else { return None };
        if self.spec.defs[def].kind != DefKind::Rule {
            return None;
        }
        while let Some((origin, _)) = self.spec.defs[def].origin {
            def = origin;
        }
        self.rules.get(&def)
    }

    /// Follows the first selectors, from the clauses of a rule to a formula. The walk starts at the body of the definition. Says what was
    /// reached if it is no formula.
    pub(super) fn walk_clauses<'p>(
        &mut self,
        clause: &Clause,
        walk: &mut Walk,
        parts: &mut impl Iterator<Item = &'p PathPart>,
    ) -> Step<Option<&'static str>> {
        let ExprKind::Tuple(formulas) = self.spec.exprs[walk.at].kind.clone() else {
            return Ok(Some("nothing"));
        };
        let mut clause = clause;
        loop {
            if let Clause::Formula(at) = *clause {
                walk.at = formulas[at];
                return Ok(None);
            }
            let Some(part) = parts.next() else {
                return Ok(Some(match clause {
                    Clause::New(..) => "a `NEW` declaration",
                    Clause::Binder(_) => "a PICK step",
                    _ => "an `ASSUME … PROVE`",
                }));
            };
            match self.clause_step(clause, &formulas, walk, part, parts)? {
                Reached::Clause(next) => clause = next,
                Reached::Formula => return Ok(None),
            }
        }
    }

    fn clause_step<'c, 'p>(
        &mut self,
        mut clause: &'c Clause,
        formulas: &[ExprId],
        walk: &mut Walk,
        part: &PathPart,
        rest: &mut impl Iterator<Item = &'p PathPart>,
    ) -> Step<Reached<'c>> {
        if part.selector == Selector::Body {
            return Ok(Reached::Clause(clause));
        }
        if let Selector::Name(name) = part.selector {
            return self.named_clause(clause, formulas, walk, name, part);
        }
        while let Clause::Label(_, inner) = clause {
            clause = inner;
        }
        match clause {
            Clause::Binder(exists) => {
                walk.at = *exists;
                self.select_step(walk, part, rest)?;
                Ok(Reached::Formula)
            }
            Clause::List(clauses) => {
                let n = match part.selector {
                    Selector::Index(n) => n as usize,
                    Selector::First => 1,
                    Selector::Second => 2,
                    _ => return nothing(part, "the clauses have numbers"),
                };
                let picked = n.checked_sub(1).and_then(|it| clauses.get(it));
                let Some(picked) = picked else {
                    return nothing(part, &format!("there are {} clauses here", clauses.len()));
                };
                self.check_known(&clauses[..n - 1], part.span)?;
                Ok(Reached::Clause(picked))
            }
            _ => nothing(part, "a declaration has no parts"),
        }
    }

    /// What has a name: a label, wherever it stands.
    fn named_clause<'c>(
        &mut self,
        clause: &'c Clause,
        formulas: &[ExprId],
        walk: &mut Walk,
        name: Symbol,
        part: &PathPart,
    ) -> Step<Reached<'c>> {
        let mut todo: Vec<(&Clause, bool)> = vec![(clause, true)];
        while let Some((it, at_start)) = todo.pop() {
            let formula = match it {
                Clause::Label(label, inner) if *label == name => return Ok(Reached::Clause(inner)),
                // A label inside of a label is reached through it.
                Clause::Label(_, inner) if at_start => {
                    todo.push((inner, false));
                    continue;
                }
                Clause::Label(..) | Clause::New(_, None) => continue,
                Clause::List(clauses) => {
                    // Behind a `NEW` name that is not known here nothing can be selected; the set of that name can.
                    let seen = clauses.iter().position(|it| !self.is_known(it));
                    let seen = seen.map_or(clauses.len(), |it| it + 1);
                    todo.extend(clauses[..seen].iter().map(|it| (it, false)));
                    continue;
                }
                Clause::New(_, Some(at)) => formulas[*at],
                Clause::Formula(at) => formulas[*at],
                Clause::Binder(exists) => *exists,
            };
            if self.find_label(formula, name).is_some() {
                walk.at = formula;
                self.named_part(walk, name, part)?;
                return Ok(Reached::Formula);
            }
        }
        nothing(part, "no label of this name can be reached from here")
    }

    /// What follows a `NEW` name can be selected only where that name is known.
    fn check_known(&self, before: &[Clause], span: Span) -> Step<()> {
        match before.iter().find(|it| !self.is_known(it)) {
            Some(&Clause::New(local, _)) => {
                let name = self.spec.locals[local].name;
                let why = format!("this clause is about the `NEW` name `{name}`, which is not known here");
                Err(Stuck::Nothing(span, why))
            }
            _ => Ok(()),
        }
    }

    /// Whether the name that a clause declares, if it does, is known here.
    fn is_known(&self, clause: &Clause) -> bool {
        match *clause {
            Clause::New(local, _) => {
                let name = self.spec.locals[local].name;
                self.ctx.scope.get(name) == Some(Entity::Local(local))
            }
            _ => true,
        }
    }
}
