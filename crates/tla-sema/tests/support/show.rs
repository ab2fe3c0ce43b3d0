//! Resolved expressions as TLA+ text, for expectations: every operator with its arguments in parentheses.

use tla_sema::Spec;
use tla_sema::ir::*;

pub fn show(spec: &Spec, id: ExprId) -> String {
    let all = |ids: &[ExprId]| {
        ids.iter()
            .map(|&it| show(spec, it))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let name = |it: LocalId| spec.locals[it].name.as_str();
    let names = |of: &[LocalId]| of.iter().map(|&it| name(it)).collect::<Vec<_>>().join(", ");
    let pattern = |it: &Pattern| match it {
        Pattern::One(local) => name(*local).to_string(),
        Pattern::Tuple(locals) => format!("<<{}>>", names(locals)),
    };
    let bound = |it: &Bound| format!("{} \\in {}", pattern(&it.pattern), show(spec, it.set));
    let bounds = |of: &[Bound]| of.iter().map(bound).collect::<Vec<_>>().join(", ");
    let operator = |op: &Operator| match *op {
        Operator::Def(def) => spec.defs[def].name.to_string(),
        Operator::Decl(decl) => spec.decls[decl].name.to_string(),
        Operator::Local(local) => name(local).to_string(),
    };
    let fields = |of: &[(util::Symbol, ExprId)], sign: &str| {
        let field = |(name, value): &(util::Symbol, ExprId)| format!("{name} {sign} {}", show(spec, *value));
        format!("[{}]", of.iter().map(field).collect::<Vec<_>>().join(", "))
    };
    match &spec.exprs[id].kind {
        ExprKind::Error => "?".to_string(),
        ExprKind::Bool(value) => value.to_string().to_uppercase(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::BigInt { digits, radix } => format!("{digits} in base {radix}"),
        ExprKind::Decimal(text) => text.to_string(),
        ExprKind::Str(text) => format!("{:?}", text.as_str()),
        ExprKind::Local(local) => name(*local).to_string(),
        ExprKind::Decl(decl) => spec.decls[*decl].name.to_string(),
        ExprKind::OpRef(op) => operator(op),
        ExprKind::BuiltinRef(op) => op.name().to_string(),
        ExprKind::Call { op, args } if args.is_empty() => operator(op),
        ExprKind::Call { op, args } => format!("{}({})", operator(op), all(args)),
        ExprKind::Lambda { params, body } => format!("LAMBDA {} : {}", names(params), show(spec, *body)),
        ExprKind::Builtin { op, args } => match &args[..] {
            [] => op.name().to_string(),
            [arg] if *op == Builtin::Prime => format!("{}'", show(spec, *arg)),
            [arg] => format!("{} {}", op.name(), show(spec, *arg)),
            many => {
                let sign = format!(" {} ", op.name());
                format!(
                    "({})",
                    many.iter()
                        .map(|&it| show(spec, it))
                        .collect::<Vec<_>>()
                        .join(&sign)
                )
            }
        },
        ExprKind::If { test, then, other } => {
            format!(
                "IF {} THEN {} ELSE {}",
                show(spec, *test),
                show(spec, *then),
                show(spec, *other)
            )
        }
        ExprKind::Case { arms, other } => {
            let mut parts: Vec<String> = arms
                .iter()
                .map(|&(guard, value)| format!("{} -> {}", show(spec, guard), show(spec, value)))
                .collect();
            parts.extend(other.map(|it| format!("OTHER -> {}", show(spec, it))));
            format!("CASE {}", parts.join(" [] "))
        }
        ExprKind::Let { defs, body } => {
            let def = |&it: &DefId| format!("{} == {}", spec.defs[it].name, show(spec, spec.defs[it].body));
            format!(
                "LET {} IN {}",
                defs.iter().map(def).collect::<Vec<_>>().join(" "),
                show(spec, *body)
            )
        }
        ExprKind::Quant {
            kind,
            bounds: of,
            body,
        } => {
            format!("{} {} : {}", quantifier(*kind), bounds(of), show(spec, *body))
        }
        ExprKind::UnboundedQuant { kind, locals, body } => {
            format!("{} {} : {}", quantifier(*kind), names(locals), show(spec, *body))
        }
        ExprKind::Choose { bound: of, body } => format!("CHOOSE {} : {}", bound(of), show(spec, *body)),
        ExprKind::UnboundedChoose { pattern: of, body } => {
            format!("CHOOSE {} : {}", pattern(of), show(spec, *body))
        }
        ExprKind::SetEnum(items) => format!("{{{}}}", all(items)),
        ExprKind::SetFilter { bound: of, body } => format!("{{{} : {}}}", bound(of), show(spec, *body)),
        ExprKind::SetMap { bounds: of, body } => format!("{{{} : {}}}", show(spec, *body), bounds(of)),
        ExprKind::FnLiteral { bounds: of, body } => format!("[{} |-> {}]", bounds(of), show(spec, *body)),
        ExprKind::FnApply { function, arg } => format!("{}[{}]", show(spec, *function), show(spec, *arg)),
        ExprKind::FnSet { domain, range } => format!("[{} -> {}]", show(spec, *domain), show(spec, *range)),
        ExprKind::Record(of) => fields(of, "|->"),
        ExprKind::RecordSet(of) => fields(of, ":"),
        ExprKind::Select { record, field } => format!("{}.{field}", show(spec, *record)),
        ExprKind::Except { function, updates } => {
            let update = |it: &Update| format!("![{}] = {}", all(&it.path), show(spec, it.value));
            let updates = updates.iter().map(update).collect::<Vec<_>>().join(", ");
            format!("[{} EXCEPT {updates}]", show(spec, *function))
        }
        ExprKind::Tuple(items) => format!("<<{}>>", all(items)),
        ExprKind::Times(items) => items
            .iter()
            .map(|&it| show(spec, it))
            .collect::<Vec<_>>()
            .join(" \\X "),
        ExprKind::BoxAction { action, subscript } => {
            format!("[{}]_{}", show(spec, *action), show(spec, *subscript))
        }
        ExprKind::AngleAction { action, subscript } => {
            format!("<<{}>>_{}", show(spec, *action), show(spec, *subscript))
        }
        ExprKind::Fairness {
            kind,
            subscript,
            action,
        } => {
            let word = if *kind == Fairness::Weak { "WF" } else { "SF" };
            format!("{word}_{}({})", show(spec, *subscript), show(spec, *action))
        }
        ExprKind::Label { name, body, .. } => format!("{name} :: {}", show(spec, *body)),
    }
}

fn quantifier(kind: Quant) -> &'static str {
    match kind {
        Quant::Forall => "\\A",
        Quant::Exists => "\\E",
        Quant::TemporalForall => "\\AA",
        Quant::TemporalExists => "\\EE",
    }
}
