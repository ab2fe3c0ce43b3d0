//! Paragraphs: what stands at the top level of a file, but for commands.

use source::Span;
use util::Symbol;

use super::{Parse, Parser, Stop};
use crate::ast::{
    Assert, Decl, Enum, Fact, File, Fun, Header, Macro, Name, Open, Paragraph, Param, Parents, Quals, Sig,
};
use crate::diagnostics as say;
use crate::lexer::string_value;
use crate::token::T;

impl Parser<'_> {
    pub(super) fn paragraphs(&mut self) -> File {
        let mut file = File::default();
        while self.kind() != T::End && !self.is_hopeless() {
            let before = self.at;
            if self.paragraph(&mut file).is_err() {
                self.skip_to_paragraph(before);
            }
        }
        if self.is_hopeless() {
            self.diagnostics.push(say::too_many_errors(super::ERRORS_MAX));
        }
        file
    }

    /// Skips to where a paragraph surely starts, past at least one word.
    fn skip_to_paragraph(&mut self, before: usize) {
        if self.at == before {
            self.take();
        }
        while self.kind() != T::End && !self.starts_paragraph(self.at) {
            self.take();
        }
    }

    fn paragraph(&mut self, file: &mut File) -> Parse<()> {
        let start = self.span();
        if self.kind() == T::Name && self.kind_at(1) == T::Colon {
            return self.labelled_command(file);
        }
        let private = match self.kind_at(1) {
            T::Pred | T::Fun | T::Open | T::Enum | T::Let => self.eat_span(T::Private),
            _ => None,
        };
        let is_private = private.is_some();
        let paragraph = match self.kind() {
            T::Module => return self.header(file),
            T::Open => Paragraph::Open(self.open(file, is_private, start)?),
            T::Enum => Paragraph::Enum(self.enumeration(is_private, start)?),
            T::Fact => {
                self.take();
                let name = self.opt_title()?;
                let body = self.block("the body of the fact")?;
                Paragraph::Fact(Fact {
                    name,
                    body,
                    span: self.since(start),
                })
            }
            T::Assert => {
                self.take();
                let name = self.opt_title()?;
                let body = self.block("the body of the assertion")?;
                Paragraph::Assert(Assert {
                    name,
                    body,
                    span: self.since(start),
                })
            }
            T::Pred | T::Fun => Paragraph::Fun(self.fun(is_private, start)?),
            T::Let => Paragraph::Macro(self.macro_definition(is_private, start)?),
            T::Run | T::Check => return self.commands(file, None),
            T::Abstract | T::One | T::Lone | T::Some | T::Private | T::Var | T::Sig => {
                Paragraph::Sig(self.sig()?)
            }
            T::Bad => {
                self.take();
                return Ok(());
            }
            close @ (T::RBrace | T::RParen | T::RBracket) => {
                return Err(self.report(say::stray_close(&close.to_string(), start)));
            }
            _ => {
                let found = self.found();
                return Err(self.report(say::not_a_paragraph(&found, start)));
            }
        };
        file.paragraphs.push(paragraph);
        Ok(())
    }

    fn header(&mut self, file: &mut File) -> Parse<()> {
        let start = self.expect(T::Module)?;
        let name = self.path("the name of the module")?;
        let mut params = vec![];
        if let Some(open) = self.eat_span(T::LBracket) {
            loop {
                let is_exact = self.eat(T::Exactly);
                let name = self.new_name("a parameter of the module")?;
                params.push(Param { name, is_exact });
                if !self.eat(T::Comma) {
                    break;
                }
            }
            self.close(T::RBracket, T::LBracket, open)?;
        }
        let span = self.since(start);
        match &file.header {
            Some(first) => {
                let first = first.span;
                self.note(say::second_header(span, first));
            }
            None if !file.paragraphs.is_empty() => self.note(say::header_not_first(span)),
            None => file.header = Some(Header { name, params, span }),
        }
        Ok(())
    }

    fn open(&mut self, file: &File, is_private: bool, start: Span) -> Parse<Open> {
        self.expect(T::Open)?;
        let module = self.path("the name of a module")?;
        let mut args = vec![];
        if let Some(open) = self.eat_span(T::LBracket) {
            while self.kind() != T::RBracket {
                args.push(self.sig_ref()?);
                if !self.eat(T::Comma) {
                    break;
                }
            }
            self.close(T::RBracket, T::LBracket, open)?;
        }
        let alias = match self.eat(T::As) {
            true => Some(self.new_name("an alias")?),
            false => None,
        };
        let span = self.since(start);
        let earlier = file.paragraphs.iter().find_map(|it| match it {
            Paragraph::Open(_) => None,
            other => Some(paragraph_span(other)),
        });
        if let Some(earlier) = earlier {
            self.note(say::open_too_late(span, earlier));
        }
        Ok(Open {
            is_private,
            module,
            args,
            alias,
            span,
        })
    }

    fn enumeration(&mut self, is_private: bool, start: Span) -> Parse<Enum> {
        self.expect(T::Enum)?;
        let name = self.new_name("the name of the enumeration")?;
        let open = self.expect(T::LBrace)?;
        let atoms = match self.kind() {
            T::RBrace => vec![],
            _ => self.new_names("an atom of the enumeration")?,
        };
        self.close(T::RBrace, T::LBrace, open)?;
        let span = self.since(start);
        if atoms.is_empty() {
            self.note(say::empty_enum(name.text.as_str(), span));
        }
        Ok(Enum {
            is_private,
            name,
            atoms,
            span,
        })
    }

    /// The name of a fact or assertion: a name or a string.
    fn opt_title(&mut self) -> Parse<Option<Name>> {
        match self.kind() {
            T::LBrace => Ok(None),
            T::Str => {
                let span = self.span();
                let token = self.take();
                let text = Symbol::new(&string_value(self.text_of(token)));
                Ok(Some(Name { text, span }))
            }
            _ => self.new_name("a name or `{`").map(Some),
        }
    }

    fn sig(&mut self) -> Parse<Sig> {
        let start = self.span();
        let quals = self.quals()?;
        let names = self.new_names("the name of a signature")?;
        let parents = match self.kind() {
            T::Extends => {
                self.take();
                Parents::Extends(self.sig_ref()?)
            }
            T::In => {
                self.take();
                Parents::In(self.sig_union()?)
            }
            T::Equal => {
                self.take();
                Parents::Equal(self.sig_union()?)
            }
            _ => Parents::None,
        };
        let open = self.expect(T::LBrace)?;
        let fields = self.decls(T::RBrace)?;
        self.close(T::RBrace, T::LBrace, open)?;
        let facts = match self.kind() {
            T::LBrace => Some(self.block("the facts of the signature")?),
            _ => None,
        };
        Ok(Sig {
            quals,
            names,
            parents,
            fields,
            facts,
            span: self.since(start),
        })
    }

    /// The qualifiers and the word `sig`.
    fn quals(&mut self) -> Parse<Quals> {
        let mut quals = Quals::default();
        loop {
            let span = self.span();
            let (place, word) = match self.kind() {
                T::Sig => {
                    self.take();
                    return Ok(quals);
                }
                T::Abstract => (&mut quals.is_abstract, "abstract"),
                T::One => (&mut quals.one, "one"),
                T::Lone => (&mut quals.lone, "lone"),
                T::Some => (&mut quals.some, "some"),
                T::Private => (&mut quals.private, "private"),
                T::Var => (&mut quals.var, "var"),
                _ => return Err(self.unexpected("`sig`")),
            };
            match *place {
                Some(first) => self.note(say::duplicate_qualifier(word, span, first)),
                None => *place = Some(span),
            }
            self.take();
        }
    }

    fn sig_union(&mut self) -> Parse<Vec<Name>> {
        let mut sigs = vec![self.sig_ref()?];
        while self.eat(T::Plus) {
            sigs.push(self.sig_ref()?);
        }
        Ok(sigs)
    }

    fn fun(&mut self, is_private: bool, start: Span) -> Parse<Fun> {
        let is_pred = self.take().kind == T::Pred;
        let what = if is_pred {
            "the name of the predicate"
        } else {
            "the name of the function"
        };
        let (receiver, name) = self.receiver_and_name(what)?;
        let params = match self.kind() {
            open @ (T::LBracket | T::LParen) => {
                let span = self.span();
                self.take();
                let close = if open == T::LBracket {
                    T::RBracket
                } else {
                    T::RParen
                };
                let params = self.decls(close)?;
                self.close(close, open, span)?;
                params
            }
            _ => vec![],
        };
        self.check_params(&params);
        let result = match is_pred {
            true => None,
            false => {
                self.expect(T::Colon)?;
                let result = self.expr()?;
                Some(self.multiplicity(result))
            }
        };
        let body = self.block(if is_pred {
            "the body of the predicate"
        } else {
            "the body of the function"
        })?;
        Ok(Fun {
            is_private,
            receiver,
            name,
            params,
            result,
            body,
            span: self.since(start),
        })
    }

    fn receiver_and_name(&mut self, what: &str) -> Parse<(Option<Name>, Name)> {
        let is_keyword_sig = matches!(self.kind(), T::Univ | T::None | T::String | T::SigInt | T::Steps);
        if !is_keyword_sig {
            let first = self.path(what)?;
            if !self.eat(T::Dot) {
                if first.text.as_str().contains('$') {
                    self.note(say::dollar_in_name(first.text.as_str(), first.span));
                } else if first.text.as_str().contains('/') {
                    self.note(say::slash_in_name(first.text.as_str(), what, first.span));
                }
                return Ok((None, first));
            }
            return Ok((Some(first), self.new_name(what)?));
        }
        let receiver = self.sig_ref()?;
        self.expect(T::Dot)?;
        Ok((Some(receiver), self.new_name(what)?))
    }

    fn check_params(&mut self, params: &[Decl]) {
        for decl in params {
            if let Some(span) = decl.private {
                self.note(say::parameter_modifier("private", "a parameter", span));
            }
            if let Some(span) = decl.var {
                self.note(say::parameter_modifier("var", "a parameter", span));
            }
            if let Some(span) = decl.disj_values {
                self.note(say::parameter_modifier("disj", "the bound of a parameter", span));
            }
        }
    }

    fn macro_definition(&mut self, is_private: bool, start: Span) -> Parse<Macro> {
        self.expect(T::Let)?;
        let name = self.new_name("the name of the macro")?;
        let mut params = vec![];
        if let open @ (T::LBracket | T::LParen) = self.kind() {
            let span = self.span();
            self.take();
            let close = if open == T::LBracket {
                T::RBracket
            } else {
                T::RParen
            };
            if self.kind() != close {
                params = self.new_names("a parameter of the macro")?;
            }
            self.close(close, open, span)?;
        }
        let body = match self.kind() {
            T::LBrace => self.block("the body of the macro")?,
            _ => {
                self.expect(T::Equal)?;
                self.expr()?
            }
        };
        Ok(Macro {
            is_private,
            name,
            params,
            body,
            span: self.since(start),
        })
    }

    /// Declarations up to a closing bracket; surplus commas are allowed, as Alloy does.
    pub(super) fn decls(&mut self, close: T) -> Parse<Vec<Decl>> {
        let mut decls = vec![];
        loop {
            while self.eat(T::Comma) {}
            if self.kind() == close {
                return Ok(decls);
            }
            let before = self.at;
            match self.decl(true) {
                Ok(decl) => decls.push(decl),
                Err(Stop) => self.skip_declaration(before)?,
            }
            if self.kind() != T::Comma {
                return Ok(decls);
            }
        }
    }

    /// Skips what is left of a declaration, up to a comma or a closing bracket.
    fn skip_declaration(&mut self, before: usize) -> Parse<()> {
        let mut depth = 0usize;
        if self.at == before {
            depth = usize::from(matches!(self.kind(), T::LBrace | T::LParen | T::LBracket));
            self.take();
        }
        loop {
            match self.kind() {
                T::End => return Err(Stop),
                _ if self.starts_paragraph(self.at) => return Err(Stop),
                T::Comma | T::RBrace | T::RParen | T::RBracket if depth == 0 => return Ok(()),
                T::RBrace | T::RParen | T::RBracket => depth -= 1,
                T::LBrace | T::LParen | T::LBracket => depth += 1,
                _ => {}
            }
            self.take();
        }
    }

    /// `var private disj a, b: disj e` or `a = e`. In a bracketed list a bad bound is skipped, and the names stay known.
    pub(super) fn decl(&mut self, in_brackets: bool) -> Parse<Decl> {
        let start = self.span();
        let (mut var, mut private, mut disj) = (None, None, None);
        loop {
            let span = self.span();
            let (place, word) = match self.kind() {
                T::Var => (&mut var, "var"),
                T::Private => (&mut private, "private"),
                T::Disj => (&mut disj, "disj"),
                _ => break,
            };
            match *place {
                Some(first) => self.note(say::duplicate_qualifier(word, span, first)),
                None => *place = Some(span),
            }
            self.take();
        }
        let names = self.new_names("the name of what is declared")?;
        let is_defined = match self.kind() {
            T::Equal => true,
            T::Colon => false,
            _ => return Err(self.unexpected("`:`")),
        };
        self.take();
        let disj_values = match self.kind_at(1) {
            T::LBracket => None, // `disj[…]`
            _ => self.eat_span(T::Disj),
        };
        let before = self.at;
        let bound = match self.expr() {
            Err(Stop) if in_brackets => {
                if !matches!(self.kind(), T::Comma | T::RBrace | T::RBracket | T::RParen) {
                    self.skip_declaration(before)?;
                }
                let span = self.token_span(before);
                self.error_node(span)
            }
            bound => bound?,
        };
        let bound = self.multiplicity(bound);
        if let (true, Some(span)) = (is_defined, disj.or(disj_values)) {
            self.note(say::defined_disjoint(span));
        }
        Ok(Decl {
            private,
            var,
            disj,
            names,
            disj_values,
            is_defined,
            bound,
            span: self.since(start),
        })
    }
}

fn paragraph_span(paragraph: &Paragraph) -> Span {
    match paragraph {
        Paragraph::Open(it) => it.span,
        Paragraph::Sig(it) => it.span,
        Paragraph::Enum(it) => it.span,
        Paragraph::Fact(it) => it.span,
        Paragraph::Assert(it) => it.span,
        Paragraph::Fun(it) => it.span,
        Paragraph::Macro(it) => it.span,
        Paragraph::Command(it) => it.span,
    }
}
