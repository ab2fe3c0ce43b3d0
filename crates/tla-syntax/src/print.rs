//! The tree back to text, in ASCII or Unicode, such that reading it again gives the same tree.
//!
//! The text follows the tree, not the author's layout: comments are gone, line breaks are the printer's. Parentheses that the
//! tree has are kept, and more are added only where the text would otherwise be read differently, which happens to
//! trees that did not come from text.

mod expr;
mod group;
mod unit;

use crate::ast::{ExprId, Tree};
use crate::op::Op;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Notation {
    #[default]
    Ascii,
    Unicode,
}

/// The module of a tree, or nothing when it has none.
pub fn print(tree: &Tree, notation: Notation) -> String {
    let mut printer = Printer::new(tree, notation);
    if let Some(module) = &tree.module {
        printer.module(module);
    }
    printer.text
}

/// One expression of a tree.
pub fn print_expr(tree: &Tree, expr: ExprId, notation: Notation) -> String {
    let mut printer = Printer::new(tree, notation);
    printer.expr(expr);
    printer.text
}

struct Printer<'a> {
    tree: &'a Tree,
    notation: Notation,
    text: String,
    /// Characters on the current line, blanks included.
    column: usize,
}

impl<'a> Printer<'a> {
    fn new(tree: &'a Tree, notation: Notation) -> Printer<'a> {
        Printer {
            tree,
            notation,
            text: String::new(),
            column: 0,
        }
    }

    /// Text that may touch what stands before it, unless the two would be read as one token.
    fn put(&mut self, text: &str) {
        self.separate(text);
        self.glue(text);
    }

    /// Text that touches what stands before it.
    fn glue(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.chars().count();
    }

    fn separate(&mut self, text: &str) {
        let last = self.text.chars().next_back();
        if let (Some(last), Some(next)) = (last, text.chars().next())
            && would_merge(last, next)
        {
            self.blank();
        }
    }

    fn blank(&mut self) {
        self.text.push(' ');
        self.column += 1;
    }

    /// Text with blanks around it.
    fn spaced(&mut self, text: &str) {
        self.blank();
        self.put(text);
        self.blank();
    }

    /// A new line whose first token stands after `column` blanks.
    fn line(&mut self, column: usize) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', column));
        self.column = column;
    }

    fn op(&self, op: Op) -> &'static str {
        let info = op.info();
        match self.notation {
            Notation::Ascii => info.name,
            Notation::Unicode => info
                .aliases
                .iter()
                .find(|it| !it.is_ascii())
                .unwrap_or(&info.name),
        }
    }

    fn pick(&self, ascii: &'static str, unicode: &'static str) -> &'static str {
        match self.notation {
            Notation::Ascii => ascii,
            Notation::Unicode => unicode,
        }
    }

    fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        for (i, it) in items.iter().enumerate() {
            if i > 0 {
                self.put(",");
                self.blank();
            }
            item(self, it);
        }
    }
}

/// Whether two tokens that end and start like this need a blank between them. Errs on the side of blanks.
fn would_merge(last: char, next: char) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_symbol = |c: char| "+-*/\\<>=|&$%^#@:.?!~'".contains(c);
    is_word(last) && is_word(next)
        || is_symbol(last) && is_symbol(next)
        || last == '(' && next == '*' // a comment
        || last == '\\' && is_word(next)
}
