//! What is legal and probably not meant.
//!
//! A field of a record is a string: `[bar |-> 42]` has the field "bar" whatever `bar` is defined as. Whoever writes a
//! value that depends on something declared (`[bar |-> bar]`), or a field beside it that is no name at all, knows that.
//! The TLA+ tools warn of more; each of their further warnings on the public examples is a false alarm.

use diag::Diagnostic;
use source::Span;
use util::{FxHashMap, FxHashSet, Symbol};

use crate::diagnostics as errors;
use crate::instance::walk;
use crate::ir::*;

/// A record, or a set of records.
pub struct Record {
    /// Each field, its place, and where a constant, variable or definition of that name is that is known there.
    pub names: Vec<(Symbol, Span, Option<Span>)>,
    pub values: Vec<ExprId>,
}

/// Fields that look like a reference to a name of the module.
pub fn field_names(spec: &Spec, records: &[Record]) -> Vec<Diagnostic> {
    let mut known = FxHashMap::default();
    let informed: FxHashSet<Vec<Symbol>> = records
        .iter()
        .filter(|it| {
            it.values
                .iter()
                .any(|&value| depends_on_names(spec, value, &mut known))
        })
        .map(fields)
        .collect();
    let mut warnings = vec![];
    let suspect = |it: &&Record| it.names.iter().all(|it| it.2.is_some()) && !informed.contains(&fields(it));
    for record in records.iter().filter(suspect) {
        for &(name, span, known) in &record.names {
            warnings.extend(known.map(|declared| errors::field_is_a_name(name, span, declared)));
        }
    }
    warnings
}

fn fields(record: &Record) -> Vec<Symbol> {
    let mut names: Vec<Symbol> = record.names.iter().map(|&(name, _, _)| name).collect();
    names.sort_unstable();
    names
}

/// Whether a constant, a variable or a bound name occurs in the expression or in the definitions that it uses.
fn depends_on_names(spec: &Spec, expr: ExprId, known: &mut FxHashMap<DefId, bool>) -> bool {
    let mut found = false;
    let mut called = vec![];
    walk(spec, expr, &mut |kind| match kind {
        ExprKind::Local(_) | ExprKind::Decl(_) => found = true,
        ExprKind::Builtin {
            op: Builtin::Boolean, ..
        } => found = true,
        ExprKind::Call { op, .. } | ExprKind::OpRef(op) => match op {
            Operator::Def(def) => called.push(*def),
            Operator::Decl(_) | Operator::Local(_) => found = true,
        },
        _ => {}
    });
    found || called.into_iter().any(|def| definition_depends(spec, def, known))
}

fn definition_depends(spec: &Spec, def: DefId, known: &mut FxHashMap<DefId, bool>) -> bool {
    if let Some(&known) = known.get(&def) {
        return known;
    }
    // Until the answer is there, a recursive call adds nothing.
    known.insert(def, false);
    let depends = util::deep(|| depends_on_names(spec, spec.defs[def].body, known));
    known.insert(def, depends);
    depends
}
