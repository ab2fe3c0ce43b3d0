//! Modules and their units: declarations, definitions, instances, assumptions and theorems.

use source::Span;
use util::deep;

use super::{Abort, After, Parsed, Parser};
use crate::ast::{
    Assumption, Bound, Definition, ExprId, Fixity, FunctionDefinition, Ident, Instance, InstanceName, Module,
    OpDecl, Substitution, Theorem, Unit, UnitKind,
};
use crate::diagnostics as errors;
use crate::op::Op;
use crate::token::{Tok, Token};

/// The left side of a definition.
struct Head {
    name: Ident,
    fixity: Fixity,
    params: Box<[OpDecl]>,
}

impl Parser<'_> {
    /// The module of the file. What follows its end is not TLA+ and not looked at.
    pub(super) fn file(&mut self) -> Option<Module> {
        self.module().ok()
    }

    pub(super) fn lone_expr(&mut self) -> Parsed<ExprId> {
        let expr = self.expr()?;
        match self.kind() {
            Tok::Eof => Ok(expr),
            _ => self.after_expression(),
        }
    }

    /// Units without a module around them.
    pub(super) fn lone_units(&mut self) -> Module {
        let start = self.tok;
        // As in a module that begins its line: a unit may stand anywhere to the right.
        let units = self.units(Token { column: 1, ..start });
        let name = Ident {
            name: self.name(""),
            span: Span::new(self.file, start.start, start.start),
        };
        Module {
            name,
            extends: Box::new([]),
            units,
            span: self.since(start),
        }
    }

    /// The next token is the dashes before `MODULE`.
    fn module(&mut self) -> Parsed<Module> {
        let start = self.tok;
        if self.nesting >= self.limits.nesting {
            return self.too_deep(self.limits.nesting);
        }
        self.nesting += 1;
        let module = deep(|| self.module_at(start));
        self.nesting -= 1;
        module
    }

    fn module_at(&mut self, start: Token) -> Parsed<Module> {
        self.bump();
        let module = self.bump();
        let name = self.header(module);
        let extends = match self.eat(Tok::Extends) {
            Some(_) => self
                .list(|it| it.module_ref())
                .unwrap_or_else(|Abort| self.resync_extends()),
            None => Box::new([]),
        };
        let units = self.units(start);
        if self.eat(Tok::EndModule).is_none() {
            self.report_unfinished(name);
        }
        Ok(Module {
            name,
            extends,
            units,
            span: self.since(start),
        })
    }

    fn resync_extends(&mut self) -> Box<[Ident]> {
        self.resync();
        Box::new([])
    }

    /// The tools take keywords too as the names of modules, here and in `EXTENDS` and `INSTANCE`.
    fn module_ref(&mut self) -> Parsed<Ident> {
        let kind = self.kind();
        if kind != Tok::Ident && !self.is_word(kind) || self.is_unit_start(kind) {
            return self.not_a_name("the name of a module");
        }
        let token = self.bump();
        Ok(self.ident_of(token))
    }

    /// The rest of the header: the name and the dashes after it. A wrong one is reported once and skipped with its line.
    fn header(&mut self, module: Token) -> Ident {
        let kind = self.kind();
        let has_name = kind == Tok::Ident || self.is_word(kind);
        let name = match has_name {
            true => {
                let token = self.bump();
                self.ident_of(token)
            }
            false => Ident {
                name: self.name(""),
                span: self.span_of(module).after(),
            },
        };
        if has_name && self.eat(Tok::Separator).is_some() {
            return name;
        }
        let expected = if has_name {
            "`----` after the name of the module"
        } else {
            "the name of the module"
        };
        self.report_header(expected, module);
        self.skip_line();
        name
    }

    /// Units up to `====` or the end of the text. Each that cannot be read is reported and skipped.
    fn units(&mut self, module: Token) -> Box<[Unit]> {
        let mut units = vec![];
        loop {
            let start = self.tok;
            match self.kind() {
                Tok::Eof | Tok::EndModule => break,
                _ => {}
            }
            self.start_unit(start.column.max(module.column));
            match self.unit() {
                Ok(kind) => {
                    self.after = after(&kind);
                    units.push(Unit {
                        kind,
                        span: self.since(start),
                    });
                }
                Err(Abort) => {
                    if self.tok.start == start.start {
                        self.bump(); // whatever stands here is no unit
                    }
                    self.after = After::Nothing;
                    self.resync();
                }
            }
        }
        units.into()
    }

    fn start_unit(&mut self, column: u32) {
        self.unit_column_before = self.unit_column;
        self.unit_column = column;
        self.def_column = column;
        self.openers.clear();
        self.lists.clear();
    }

    fn unit(&mut self) -> Parsed<UnitKind> {
        match self.kind() {
            Tok::Separator if self.nth_kind(1) == Tok::Module => self.module().map(UnitKind::Module),
            Tok::Separator => {
                self.bump();
                Ok(UnitKind::Separator)
            }
            Tok::Constant => {
                self.bump();
                let decls = self.list(|it| it.op_decl())?;
                self.declaration_end("constant");
                Ok(UnitKind::Constants(decls))
            }
            Tok::Variable => {
                self.bump();
                let names = self.list(|it| it.variable())?;
                self.declaration_end("variable");
                Ok(UnitKind::Variables(names))
            }
            Tok::Recursive => self.recursive(),
            Tok::Local => self.local(),
            Tok::Instance => self.instance(None, false).map(UnitKind::Instance),
            Tok::Assume | Tok::Assumption => self.assumption().map(UnitKind::Assumption),
            Tok::Theorem => self.theorem().map(UnitKind::Theorem),
            Tok::Use | Tok::Hide => self.use_or_hide().map(UnitKind::Use),
            Tok::Ident | Tok::Prefix | Tok::Box | Tok::MinusDot => self.definition(false),
            _ => self.not_a_unit(),
        }
    }

    fn recursive(&mut self) -> Parsed<UnitKind> {
        self.bump();
        Ok(UnitKind::Recursive(self.list(|it| it.op_decl())?))
    }

    fn local(&mut self) -> Parsed<UnitKind> {
        let local = self.bump();
        match self.kind() {
            Tok::Instance => self.instance(None, true).map(UnitKind::Instance),
            Tok::Ident | Tok::Prefix | Tok::Box | Tok::MinusDot => self.definition(true),
            _ => {
                let span = self.span_of(self.tok);
                let text = self.lexer.text(self.tok);
                self.abort(errors::local_not_allowed(self.span_of(local), text, span))
            }
        }
    }

    fn variable(&mut self) -> Parsed<Ident> {
        let name = self.ident("the name of a variable")?;
        if self.at_op(Op::PRIME) {
            let prime = self.bump();
            self.report(errors::primed_declaration(name, self.span_of(prime)));
        }
        Ok(name)
    }

    /// `N`, `F(_, _)`, `_ \prec _`, `-. _`, `_ ^#`.
    pub(super) fn op_decl(&mut self) -> Parsed<OpDecl> {
        let start = self.tok;
        let (name, fixity, arity) = match self.kind() {
            Tok::Ident => {
                let name = self.variable()?;
                (name, Fixity::Nonfix, self.opt_blanks()?)
            }
            Tok::Prefix | Tok::Box | Tok::MinusDot => {
                let name = self.op_name();
                self.expect(Tok::Underscore, "`_` after the operator")?;
                (name, Fixity::Prefix, 1)
            }
            Tok::Underscore => {
                self.bump();
                match self.kind() {
                    kind if kind.is_infix() => {
                        let name = self.op_name();
                        self.expect(Tok::Underscore, "`_` after the operator")?;
                        (name, Fixity::Infix, 2)
                    }
                    Tok::Postfix => (self.op_name(), Fixity::Postfix, 1),
                    _ => return self.unexpected("an infix or postfix operator after `_`"),
                }
            }
            _ => return self.not_a_name("a name to declare"),
        };
        Ok(OpDecl {
            name,
            fixity,
            arity,
            span: self.since(start),
        })
    }

    fn op_name(&mut self) -> Ident {
        let token = self.bump();
        Ident {
            name: token.op.symbol(),
            span: self.span_of(token),
        }
    }

    /// The `(_, _)` of a declaration: how many.
    fn opt_blanks(&mut self) -> Parsed<u32> {
        if !self.at(Tok::LParen) {
            return Ok(0);
        }
        let opener = self.bump();
        let blanks = self.list(|it| match it.kind() {
            Tok::Ident => it.named_parameter(),
            _ => it.expect(Tok::Underscore, "`_` for each argument"),
        })?;
        self.close(Tok::RParen, opener)?;
        Ok(blanks.len() as u32)
    }

    // Definitions

    pub(super) fn definition(&mut self, local: bool) -> Parsed<UnitKind> {
        if !self.is_definition(0) && !self.is_slipped_definition() {
            return self.not_a_definition();
        }
        if self.at(Tok::Ident) && self.nth_kind(1) == Tok::LBracket {
            return self.function_definition(local);
        }
        let head = self.head()?;
        self.defined_as(head.name)?;
        if self.at(Tok::Instance) {
            let name = InstanceName {
                name: head.name,
                fixity: head.fixity,
                params: head.params,
            };
            return self.instance(Some(name), local).map(UnitKind::Instance);
        }
        let body = self.body()?;
        let Head { name, fixity, params } = head;
        Ok(UnitKind::Definition(Definition {
            local,
            name,
            fixity,
            params,
            body,
        }))
    }

    /// The body of a definition. When it cannot be read the definition still stands, so that its name is known;
    /// inside an expression or a proof the whole unit ends.
    fn body(&mut self) -> Parsed<ExprId> {
        match self.expr() {
            Err(Abort) if self.depth == 0 && self.proof_levels.is_empty() => Ok(self.hole_to_resync()),
            result => result,
        }
    }

    fn head(&mut self) -> Parsed<Head> {
        let token = self.tok;
        if self.kind() != Tok::Ident {
            let name = self.op_name();
            let param = self.param_name()?;
            return Ok(Head {
                name,
                fixity: Fixity::Prefix,
                params: Box::new([param]),
            });
        }
        match self.nth_kind(1) {
            kind if kind.is_infix() && self.nth_kind(3) == Tok::EqEq => {
                let lhs = self.param_name()?;
                let name = self.op_name();
                let rhs = self.param_name()?;
                Ok(Head {
                    name,
                    fixity: Fixity::Infix,
                    params: Box::new([lhs, rhs]),
                })
            }
            Tok::Postfix => {
                let param = self.param_name()?;
                let name = self.op_name();
                Ok(Head {
                    name,
                    fixity: Fixity::Postfix,
                    params: Box::new([param]),
                })
            }
            _ => {
                self.bump();
                Ok(Head {
                    name: self.ident_of(token),
                    fixity: Fixity::Nonfix,
                    params: self.opt_params()?,
                })
            }
        }
    }

    fn param_name(&mut self) -> Parsed<OpDecl> {
        let name = self.ident("a parameter")?;
        Ok(OpDecl {
            name,
            fixity: Fixity::Nonfix,
            arity: 0,
            span: name.span,
        })
    }

    fn opt_params(&mut self) -> Parsed<Box<[OpDecl]>> {
        let Some(opener) = self.eat(Tok::LParen) else {
            return Ok(Box::new([]));
        };
        if self.at(Tok::RParen) {
            let span = self.span_of(opener).to(self.span_of(self.tok));
            self.report(errors::empty_parameters(span));
            self.bump();
            return Ok(Box::new([]));
        }
        let params = self.list(|it| it.op_decl())?;
        self.close(Tok::RParen, opener)?;
        Ok(params)
    }

    fn function_definition(&mut self, local: bool) -> Parsed<UnitKind> {
        let name = self.ident("the name of a function")?;
        let opener = self.bump();
        let bounds: Box<[Bound]> = self.list(|it| it.bound(None))?;
        self.close(Tok::RBracket, opener)?;
        self.defined_as(name)?;
        let body = self.body()?;
        Ok(UnitKind::Function(FunctionDefinition {
            local,
            name,
            bounds,
            body,
        }))
    }

    /// A definition in `LET`, or none when `IN` or something else follows.
    pub(super) fn let_unit(&mut self, opener: Token) -> Parsed<Option<Unit>> {
        let start = self.tok;
        let kind = match self.kind() {
            Tok::Recursive => self.recursive()?,
            Tok::Ident | Tok::Prefix | Tok::Box | Tok::MinusDot
                if self.is_definition(0) || self.is_slipped_definition() =>
            {
                self.nested_definition()?
            }
            Tok::Local | Tok::Instance | Tok::Constant | Tok::Variable | Tok::Assume | Tok::Theorem => {
                let text = self.lexer.text(self.tok);
                return self.abort(errors::not_in_let(
                    text,
                    self.span_of(self.tok),
                    self.span_of(opener),
                ));
            }
            _ => return Ok(None),
        };
        Ok(Some(Unit {
            kind,
            span: self.since(start),
        }))
    }

    /// A definition in `LET` or in a step.
    pub(super) fn nested_definition(&mut self) -> Parsed<UnitKind> {
        let outer = std::mem::replace(&mut self.def_column, self.tok.column);
        let unit = self.definition(false);
        self.def_column = outer;
        unit
    }

    // Instances

    pub(super) fn instance(&mut self, name: Option<InstanceName>, local: bool) -> Parsed<Instance> {
        self.bump();
        let module = self.module_ref()?;
        let substitutions = match self.eat(Tok::With) {
            Some(_) => self.list(|it| it.substitution())?,
            None => Box::new([]),
        };
        Ok(Instance {
            local,
            name,
            module,
            substitutions,
        })
    }

    fn substitution(&mut self) -> Parsed<Substitution> {
        let name = match self.kind() {
            Tok::Ident => self.ident("a constant or variable")?,
            kind if kind.is_operator() => self.op_name(),
            _ => return self.not_a_name("the constant or variable to replace"),
        };
        if !self.at(Tok::LeftArrow) {
            return self.not_a_substitution(name);
        }
        self.bump();
        let value = self.op_or_expr()?;
        Ok(Substitution { name, value })
    }

    // Assumptions and theorems

    fn assumption(&mut self) -> Parsed<Assumption> {
        let keyword = self.bump().name;
        let name = self.opt_name()?;
        let body = self.body()?;
        Ok(Assumption { keyword, name, body })
    }

    fn theorem(&mut self) -> Parsed<Theorem> {
        let keyword = self.bump().name;
        let name = self.opt_name()?;
        let (body, proof) = match self.statement() {
            Ok(body) => (body, self.opt_proof()),
            Err(Abort) => (self.hole_to_resync(), Ok(None)),
        };
        let proof = proof.unwrap_or_else(|Abort| {
            self.resync();
            None
        });
        Ok(Theorem {
            keyword,
            name,
            body,
            proof,
        })
    }

    /// The `name ==` of an assumption or theorem.
    fn opt_name(&mut self) -> Parsed<Option<Ident>> {
        if !self.at(Tok::Ident) || self.nth_kind(1) != Tok::EqEq {
            return Ok(None);
        }
        let name = self.ident("a name")?;
        self.bump();
        Ok(Some(name))
    }

    /// A formula or `ASSUME … PROVE …`.
    pub(super) fn statement(&mut self) -> Parsed<ExprId> {
        match self.kind() {
            Tok::Assume | Tok::BoxAssume => self.assume_prove(),
            _ => self.expr(),
        }
    }
}

fn after(unit: &UnitKind) -> After {
    match unit {
        UnitKind::Constants(_) | UnitKind::Variables(_) | UnitKind::Recursive(_) => After::Names,
        UnitKind::Separator | UnitKind::Module(_) => After::Nothing,
        _ => After::Expression,
    }
}
