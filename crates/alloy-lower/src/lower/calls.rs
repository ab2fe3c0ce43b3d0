//! Calls of predicates and functions: their bodies, with arguments for parameters.

use alloy_sema::ir::{self, FunBody};
use relational::ExprId;

use super::{Lowerer, Value};
use crate::errors::Refusal;

impl Lowerer<'_> {
    /// The meaning of a call; none for recursion that goes deeper than allowed.
    pub(super) fn call(&mut self, fun: ir::FunId, args: &[ir::ExprId]) -> Result<Option<Value>, Refusal> {
        let args = args
            .iter()
            .map(|&arg| self.expr(arg))
            .collect::<Result<Vec<ExprId>, Refusal>>()?;
        let model = self.model;
        let body = &model.funs[fun];
        if body.is_recursive {
            let depth = self.calls.iter().filter(|&&it| it == fun).count();
            if depth > model.recursion_max.unwrap_or(0) as usize {
                return Ok(None);
            }
            return self.inlined(fun, args).map(Some);
        }
        let key = (fun, args);
        if let Some(&known) = self.known_calls.get(&key) {
            return Ok(Some(known));
        }
        let value = self.inlined(fun, key.1.clone())?;
        self.known_calls.insert(key, value);
        Ok(Some(value))
    }

    fn inlined(&mut self, fun: ir::FunId, args: Vec<ExprId>) -> Result<Value, Refusal> {
        let model = self.model;
        let params = model.funs[fun].params.iter().flat_map(|decl| &decl.vars).copied();
        let bindings = params.zip(args.into_iter().map(Value::Expr)).collect();
        self.calls.push(fun);
        let value = self.with(bindings, |this| {
            Ok(match model.funs[fun].body {
                FunBody::Pred(body) => Value::Formula(this.formula(body)?),
                FunBody::Fun { body, .. } => Value::Expr(this.expr(body)?),
            })
        });
        self.calls.pop();
        value
    }
}
