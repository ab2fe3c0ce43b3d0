//! Commands and their scopes.

use source::Span;

use super::{Parse, Parser};
use crate::ast::{Command, File, Last, Paragraph, Scope, ScopeItem, ScopeOf, Target};
use crate::diagnostics as say;
use crate::lexer::number_value;
use crate::token::T;

impl Parser<'_> {
    /// `label: run …`
    pub(super) fn labelled_command(&mut self, file: &mut File) -> Parse<()> {
        let label = self.new_name("a label")?;
        self.expect(T::Colon)?;
        if !matches!(self.kind(), T::Run | T::Check) {
            return Err(self.unexpected("`run` or `check` after a label"));
        }
        self.commands(file, Some(label))
    }

    /// A command, and those that refine it after `=>`.
    pub(super) fn commands(&mut self, file: &mut File, label: Option<crate::ast::Name>) -> Parse<()> {
        let mut label = label;
        let mut is_follow_up = false;
        loop {
            let command = self.command(label.take(), is_follow_up)?;
            file.paragraphs.push(Paragraph::Command(command));
            if !self.eat(T::Implies) {
                return Ok(());
            }
            is_follow_up = true;
            if !matches!(self.kind(), T::Run | T::Check) {
                return Err(self.unexpected("`run` or `check`"));
            }
        }
    }

    fn command(&mut self, label: Option<crate::ast::Name>, is_follow_up: bool) -> Parse<Command> {
        let start = label.as_ref().map_or(self.span(), |it| it.span);
        let is_check = self.take().kind == T::Check;
        let mut label = label;
        let target = if self.kind() == T::LBrace {
            Target::Block(self.block("what to run")?)
        } else {
            let first = self.path("a name or `{`")?;
            let is_label = self.kind() == T::LBrace || self.names_target();
            if is_label && label.is_none() {
                label = Some(first);
            }
            match self.kind() {
                T::LBrace => Target::Block(self.block("what to run")?),
                _ if is_label => Target::Named(self.path("what to run")?),
                _ => Target::Named(first),
            }
        };
        let scope = self.opt_scope()?;
        let expect = match self.eat(T::Expect) {
            true => Some(self.number("0 or 1")?.0),
            false => None,
        };
        Ok(Command {
            is_check,
            label,
            target,
            scope,
            expect,
            is_follow_up,
            span: self.since(start),
        })
    }

    /// A second name follows the first, and it is not the label of the next command.
    fn names_target(&self) -> bool {
        match self.kind() {
            T::Name => !self.starts_paragraph(self.at),
            T::This | T::Seq => self.kind_at(1) == T::Slash,
            _ => false,
        }
    }

    fn opt_scope(&mut self) -> Parse<Scope> {
        let mut scope = Scope::default();
        if !self.eat(T::For) {
            return Ok(scope);
        }
        let is_overall = self.kind() == T::Number
            && !matches!(self.kind_at(1), T::Dot | T::Colon)
            && !self.scope_of_follows(1);
        if is_overall {
            let (number, span) = self.number("a number")?;
            scope.overall = Some((number, span));
            if !self.eat(T::But) {
                return Ok(scope);
            }
        }
        loop {
            let item = self.scope_item()?;
            scope.items.push(item);
            if !self.eat(T::Comma) {
                return Ok(scope);
            }
        }
    }

    /// The word at `offset` says what a number is the scope of (and is not the label of the next command).
    fn scope_of_follows(&self, offset: usize) -> bool {
        match self.kind_at(offset) {
            T::Name => !self.starts_paragraph(self.at + offset),
            T::Int | T::SigInt | T::Steps | T::String | T::Univ | T::None => true,
            T::Seq => true,
            T::This => self.kind_at(offset + 1) == T::Slash,
            _ => false,
        }
    }

    fn scope_item(&mut self) -> Parse<ScopeItem> {
        let start = self.span();
        let is_exact = self.eat(T::Exactly);
        let (first, _) = self.number("a number")?;
        let mut last = Last::Same;
        let mut step = 1;
        if self.kind() == T::Dot && self.kind_at(1) == T::Dot {
            self.take();
            self.take();
            last = match self.kind() {
                T::Number => Last::To(self.number("a number")?.0),
                _ => Last::Open,
            };
        }
        if self.eat(T::Colon) {
            step = self.number("a step")?.0;
        }
        let span = self.span();
        let is_path = self.kind_at(1) == T::Slash;
        let of = match self.kind() {
            T::Int | T::SigInt => ScopeOf::Int(span),
            T::Seq if !is_path => ScopeOf::Seq(span),
            T::Steps => ScopeOf::Steps(span),
            T::String => ScopeOf::String(span),
            T::Univ => ScopeOf::Univ(span),
            T::None => ScopeOf::None(span),
            _ => ScopeOf::Sig(self.sig_ref()?),
        };
        if !matches!(of, ScopeOf::Sig(_)) {
            self.take();
        }
        Ok(ScopeItem {
            of,
            is_exact,
            first,
            last,
            step,
            span: self.since(start),
        })
    }

    pub(super) fn number(&mut self, wanted: &str) -> Parse<(i32, Span)> {
        let start = self.span();
        let is_negative = self.kind() == T::Minus && self.kind_at(1) == T::Number;
        if is_negative {
            self.take();
        }
        if self.kind() != T::Number {
            return Err(self.unexpected(wanted));
        }
        let token = self.take();
        let literal = self.text_of(token);
        let span = self.since(start);
        match number_value(literal) {
            Some(value) => Ok((if is_negative { -value } else { value }, span)),
            None => {
                // 2^31 exists as a negative number only.
                if is_negative && literal.replace('_', "") == "2147483648" {
                    return Ok((i32::MIN, span));
                }
                self.note(say::number_too_large(literal, span));
                Ok((0, span))
            }
        }
    }
}
