//! What cannot be analysed, and how it is said.

use diag::Diagnostic;
use source::Span;
use util::Symbol;

/// Why a command has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Somebody asked to stop.
    Stopped,
    TooManyTuples {
        field: Symbol,
        span: Option<Span>,
    },
    /// The circuit would be too large.
    TooLarge {
        command: Span,
    },
    HigherOrder {
        name: Symbol,
        span: Span,
    },
    IntOutOfRange {
        value: i64,
        bit_width: u32,
        span: Span,
    },
    UnknownString {
        text: Symbol,
        span: Span,
    },
    /// Traces without a limit of length.
    UnboundedSteps {
        command: Span,
    },
    /// The instance does not satisfy the model, according to the direct evaluator: our bug.
    Disagreement {
        span: Option<Span>,
    },
    /// The solver says that there is no instance, and the proof checker does not believe it: a bug.
    Unproved {
        command: Span,
    },
}

impl Refusal {
    /// How a front end says it. None for a request to stop: whoever asked knows.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        Some(match *self {
            Refusal::Stopped => return None,
            Refusal::TooManyTuples { field, span } => too_many_tuples(field, span),
            Refusal::TooLarge { command } => too_large(command),
            Refusal::HigherOrder { name, span } => higher_order(name, span),
            Refusal::IntOutOfRange {
                value,
                bit_width,
                span,
            } => int_out_of_range(value, bit_width, span),
            Refusal::UnknownString { text, span } => unknown_string(text, span),
            Refusal::UnboundedSteps { command } => unbounded_steps(command),
            Refusal::Disagreement { span } => disagreement(span),
            Refusal::Unproved { command } => unproved(command),
        })
    }
}

fn too_many_tuples(field: Symbol, span: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        "too-many-tuples",
        format!("field `{field}` has too many possible tuples"),
    )
    .hint(
        "use smaller scopes for the sigs in its columns, or split the field into relations of fewer columns",
    );
    match span {
        Some(span) => diagnostic.at(span, "a relation of this size cannot be searched"),
        None => diagnostic,
    }
}

fn too_large(command: Span) -> Diagnostic {
    Diagnostic::error(
        "problem-too-large",
        "the command needs more memory than is allowed",
    )
    .at(command, "its formulas, written out for this scope, are too large")
    .hint("use a smaller scope")
}

fn higher_order(name: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error("higher-order", format!("`{name}` ranges over sets or relations, and cannot be eliminated"))
        .at(span, "every set would have to be tried here")
        .note("`some` over sets can be analysed where a single witness is enough: not under `all` over sets, in a comprehension or in a sum")
        .hint("quantify over elements, or make the set a field of a new sig")
}

fn int_out_of_range(value: i64, bit_width: u32, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        "int-out-of-range",
        format!("{value} does not fit in {bit_width} bits"),
    );
    let diagnostic = match bit_width {
        0 => diagnostic.at(span, "there are no integers in this command"),
        width => {
            let half = 1i64 << (width - 1);
            diagnostic.at(
                span,
                format!("integers of this command go from {} to {}", -half, half - 1),
            )
        }
    };
    let needed = (1..64)
        .find(|width| (-(1i64 << (width - 1))..1i64 << (width - 1)).contains(&value))
        .unwrap_or(64);
    diagnostic.hint(format!(
        "add `{needed} Int` to the scope of the command: `for … but {needed} Int`"
    ))
}

fn unknown_string(text: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error(
        "unknown-string",
        format!("there is no atom for the string \"{text}\""),
    )
    .at(span, "used here")
}

fn unbounded_steps(command: Span) -> Diagnostic {
    Diagnostic::error("unbounded-steps", "traces of unlimited length cannot be searched")
        .at(command, "this command sets no limit to the number of steps")
        .hint("give a limit, as in `for 3 but 20 steps`")
}

fn unproved(command: Span) -> Diagnostic {
    Diagnostic::error(
        "not-proved",
        "the solver found no instance, and its proof does not show that there is none",
    )
    .at(command, "nothing is known of this command")
    .hint("this is a bug, please report it with the model; another `--solver` may have an answer")
}

fn disagreement(span: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        "instance-not-confirmed",
        "the instance found does not satisfy the model",
    )
    .note("this is a bug in the analysis, not in the model");
    match span {
        Some(span) => diagnostic.at(span, "this does not hold in it"),
        None => diagnostic,
    }
}
