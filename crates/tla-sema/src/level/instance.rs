//! Instances: what may be put for the constants and variables of a module.
//!
//! A module without variables whose definitions are all constant can be instantiated with anything that its definitions
//! accept; in any other, constants are replaced by constants and variables by state functions. An operator that is
//! put for a constant operator must allow equals to be put for equals (it must be *Leibniz*).

use super::call::GivenOp;
use super::summary::{Demands, Param};
use super::{Levels, Place};
use crate::diagnostics as errors;
use crate::ir::*;

pub(super) struct ModuleSummary {
    is_constant: bool,
    /// What its definitions, theorems and assumptions ask of its constants.
    demands: Demands,
}

impl Levels<'_> {
    fn module_summary(&mut self, module: ModuleId) -> &ModuleSummary {
        if !self.modules.contains_key(&module) {
            let errors = self.errors.take();
            let summary = self.summarise_module(module);
            self.errors = errors;
            self.modules.insert(module, summary);
        }
        &self.modules[&module]
    }

    fn summarise_module(&mut self, module: ModuleId) -> ModuleSummary {
        let spec = self.spec;
        let mut is_constant = spec.modules[module]
            .decls
            .iter()
            .all(|&it| spec.decls[it].kind == DeclKind::Constant);
        let mut demands = Demands::default();
        let mut todo = vec![module];
        let mut seen = vec![module];
        while let Some(it) = todo.pop() {
            let it = &spec.modules[it];
            for &def in &it.defs {
                let summary = self.summary(def);
                is_constant &= summary.level == Level::Constant;
                demands.join(summary.demands.clone());
            }
            for theorem in it.theorems.iter().filter_map(|it| it.body) {
                let (level, asked) = self.whole(theorem, Level::Temporal);
                is_constant &= level == Level::Constant;
                demands.join(asked);
            }
            for assumption in it.assumptions.iter().filter_map(|it| it.body) {
                // No constant of an assumption becomes a temporal formula.
                let (_, asked) = self.whole(assumption, Level::Action);
                demands.join(asked);
            }
            for &extended in &it.extends {
                if !seen.contains(&extended) {
                    seen.push(extended);
                    todo.push(extended);
                }
            }
        }
        ModuleSummary { is_constant, demands }
    }

    /// How high something that is put for a declared name may be.
    fn limit_of_decl(&mut self, module: ModuleId, decl: DeclId) -> Level {
        let kind = self.spec.decls[decl].kind;
        let summary = self.module_summary(module);
        match kind {
            DeclKind::Variable => Level::State,
            DeclKind::Constant if summary.is_constant => summary.demands.limit_of(Param::Constant(decl)),
            DeclKind::Constant => Level::Constant,
        }
    }

    pub(super) fn limits_of_instance(&mut self, instance: InstanceId) -> Vec<Level> {
        if let Some(known) = self.instance_limits.get(&instance) {
            return known.clone();
        }
        // An instance inside of the module that it instantiates cannot be: modules form no circle.
        let spec = self.spec;
        let Instance {
            module,
            ref params,
            ref substitution,
            ..
        } = spec.instances[instance];
        let mut limits = vec![Level::Temporal; params.len()];
        for &decl in &spec.modules[module].decls {
            let Some(&value) = substitution.get(&decl) else {
                continue;
            };
            let limit = self.limit_of_decl(module, decl);
            let (_, demands) = self.whole(value, limit);
            for (&param, limit) in params.iter().zip(&mut limits) {
                *limit = demands.limit_of(Param::Local(param)).min(*limit);
            }
        }
        self.instance_limits.insert(instance, limits.clone());
        limits
    }

    pub(super) fn check_instance(&mut self, instance: InstanceId) {
        let spec = self.spec;
        let Instance {
            module,
            ref substitution,
            ..
        } = spec.instances[instance];
        let name = spec.modules[module].name;
        let mut levels = vec![];
        for &decl in &spec.modules[module].decls {
            let Some(&value) = substitution.get(&decl) else {
                continue;
            };
            let Decl {
                name: replaced,
                span: declared,
                arity,
                ..
            } = spec.decls[decl];
            let limit = self.limit_of_decl(module, decl);
            let place = Place {
                limit,
                counts: true,
                opaque: false,
                applied_from: 0,
            };
            let demands = std::mem::take(&mut self.demands);
            let given = self.operator(value, place);
            self.demands = demands;
            levels.push((decl, given.level));
            if given.level > limit {
                let span = self.span(value);
                self.report(errors::substitution_level(
                    replaced,
                    span,
                    declared,
                    limit,
                    given.level,
                ));
            } else if arity > 0
                && let GivenOp::Defined { name: op, places } = &given.op
                && places.iter().any(|it| it.opaque)
            {
                self.report(errors::not_leibniz(
                    *op,
                    self.span(value),
                    replaced,
                    declared,
                    name,
                ));
            }
        }
        self.check_operators(instance, &levels);
    }

    /// Operators that are put for constant operators must accept what these are applied to.
    fn check_operators(&mut self, instance: InstanceId, levels: &[(DeclId, Level)]) {
        let spec = self.spec;
        let Instance {
            module,
            ref substitution,
            ..
        } = spec.instances[instance];
        for &(decl, _) in levels.iter().filter(|&&(decl, _)| spec.decls[decl].arity > 0) {
            let value = substitution[&decl];
            let place = Place {
                limit: Level::Temporal,
                counts: true,
                opaque: false,
                applied_from: 0,
            };
            let errors = self.errors.take();
            let demands = std::mem::take(&mut self.demands);
            let given = self.operator(value, place);
            self.demands = demands;
            self.errors = errors;
            let GivenOp::Defined { name: op, places } = given.op else {
                continue;
            };
            // Reported already: it accepts nothing that is replaced in it.
            if places.iter().any(|it| it.opaque) {
                continue;
            }
            let Decl {
                name: replaced,
                span: declared,
                ..
            } = spec.decls[decl];
            let span = self.span(value);
            let asked = &self.module_summary(module).demands;
            let param = Param::Constant(decl);
            let need = asked
                .needs
                .range((param, 0)..=(param, u32::MAX))
                .map(|(&(_, at), &need)| (at, need));
            let handed = asked
                .applied
                .iter()
                .filter(|it| it.0 == param)
                .filter_map(|&(_, at, it)| {
                    let level = levels.iter().find(|&&(decl, _)| Param::Constant(decl) == it)?.1;
                    Some((at, level))
                });
            let limit = |at: u32| places.get(at as usize).map_or(Level::Temporal, |it| it.limit);
            let found = need.chain(handed).find(|&(at, need)| need > limit(at));
            if let Some((at, need)) = found {
                self.report(errors::operator_level(
                    op,
                    span,
                    replaced,
                    replaced,
                    declared,
                    limit(at),
                    need,
                ));
            }
        }
    }
}
