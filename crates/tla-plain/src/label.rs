//! One predicate of states or of steps by itself, cut out of a temporal formula.
//!
//! Whoever has taken a temporal formula apart asks here whether a part of it holds in a state or of a step. The part comes as it
//! stands in the specification, with what its free names mean ([`ClosedPart`]); it is evaluated like anything else. A part of an
//! instantiated module may ask to be evaluated in that module as it was written, as `temporal` does.

use tla_sema::ir::*;
use tla_sema::part::{ClosedPart, Name, NameMeaning, Names, Part};
use util::deep;
use value::Owned;

use crate::env::{Binding, Env, View};
use crate::fuel::paid;
use crate::problem::Closed;
use crate::temporal::Kind;
use crate::value::undefined;
use crate::{Error, Interpreter, Meaning, Result, State, Value};

/// A question that can be asked of many states.
pub struct Label<'s> {
    formula: Closed,
    kind: Kind,
    worlds: Vec<World<'s>>,
}

/// An instantiated module as it was written, and how it sees a state of the module around it.
pub(crate) struct World<'s> {
    pub interpreter: Interpreter<'s>,
    /// What is put for each of its variables, in the module around.
    pub put: Vec<ExprId>,
    pub env: Env,
}

impl<'s> Interpreter<'s> {
    /// Makes a question ready to be asked.
    pub fn label(&self, question: &ClosedPart<Owned>) -> Result<Label<'s>> {
        let env = self.names(&question.names, Env::default())?;
        let (expr, kind) = match question.part {
            Part::Predicate(it) => (it, Kind::Predicate),
            Part::Box { action, subscript } => (action, Kind::Box(subscript)),
            Part::Angle { action, subscript } => (action, Kind::Angle(subscript)),
            Part::Enabled { action, subscript } => (action, Kind::Enabled(subscript)),
        };
        let mut worlds: Vec<World<'s>> = vec![];
        for &instance in &question.instances {
            let around = worlds.last().map_or(self, |it| &it.interpreter);
            let made = around.world(instance, &env)?;
            worlds.push(made);
        }
        Ok(Label {
            formula: Closed { expr, env },
            kind,
            worlds,
        })
    }

    /// Whether it holds in a state, which is at `level`, or of the step to `next`. A predicate of states does not look at `next`.
    pub fn labelled(&self, label: &Label<'s>, state: &State, next: &State, level: u32) -> Result<bool> {
        let mut interpreter = self;
        let (mut state, mut next) = (state.clone(), next.clone());
        let is_step = matches!(label.kind, Kind::Box(_) | Kind::Angle(_));
        for world in &label.worlds {
            state = interpreter.seen(world, &state)?;
            next = match is_step {
                true => interpreter.seen(world, &next)?,
                false => state.clone(),
            };
            interpreter = &world.interpreter;
        }
        paid(interpreter.atom(label.kind, &label.formula, (&state, &next), level))
    }

    /// Whether a part of a temporal formula holds in a state, or of a step.
    pub(crate) fn atom(
        &self,
        kind: Kind,
        formula: &Closed,
        (state, next): (&State, &State),
        level: u32,
    ) -> Result<bool> {
        let after: Vec<Option<Value>> = next.iter().cloned().map(Some).collect();
        let view = View {
            level,
            ..self.view(Some(state), Some(&after))
        };
        let env = &formula.env;
        match kind {
            Kind::Predicate => self.holds_in(formula, View { next: None, ..view }),
            Kind::Box(_) | Kind::Angle(_) => self.is_marked_step(kind, formula.expr, env, view),
            Kind::Enabled(subscript) => self.enabled_to_change(formula.expr, subscript, env, view),
        }
    }

    /// Whether a step of a behaviour is one of `[A]_v` or `<<A>>_v`: when that is true of it, and where it has no value, when the step is among
    /// those that the action has in the state.
    pub(crate) fn is_marked_step(
        &self,
        kind: Kind,
        action: ExprId,
        env: &Env,
        view: View<'_>,
    ) -> Result<bool> {
        let holds = match kind {
            Kind::Box(subscript) => self.is_box_step(action, subscript, env, view),
            Kind::Angle(subscript) => self.is_angle_step(action, subscript, env, view),
            Kind::Predicate | Kind::Enabled(_) => return undefined("this is not about a step"),
        };
        match holds {
            Err(error @ Error::Undefined(_)) => match self.is_among_steps(kind, action, env, view) {
                Err(Error::Undefined(_) | Error::Unassigned(_)) => Err(error),
                known => known,
            },
            known => known,
        }
    }

    /// An instantiated module as it was written.
    pub(crate) fn world(&self, instance: InstanceId, env: &Env) -> Result<World<'s>> {
        let spec = self.spec;
        let refused = |why: &str| Err(Error::Refused(why.to_owned()));
        let substitution = &spec.instances[instance].substitution;
        let decls = &spec.modules[spec.instances[instance].module].decls;
        let mut interpreter = self.like(decls);
        let mut put = vec![];
        for &decl in decls {
            let Some(&expr) = substitution.get(&decl) else {
                return refused("an instance that puts nothing for a name of its module");
            };
            match (&spec.decls[decl].kind, &spec.exprs[expr].kind) {
                (DeclKind::Variable, _) => put.push(expr),
                (_, ExprKind::OpRef(Operator::Def(def))) => {
                    interpreter.set_constant(decl, Meaning::Def(*def));
                }
                (_, ExprKind::OpRef(Operator::Decl(it))) => {
                    interpreter.set_constant(decl, Meaning::Decl(*it));
                }
                (_, ExprKind::OpRef(_) | ExprKind::Lambda { .. } | ExprKind::BuiltinRef(_)) => {
                    return refused("an instance that puts a nameless operator for a constant");
                }
                // One that has no value is told when it is used.
                (_, _) => match self.eval(expr, env, View::default()) {
                    Ok(value) => interpreter.set_constant(decl, Meaning::Value(value)),
                    Err(Error::Undefined(_)) => {}
                    Err(error) => return Err(error),
                },
            }
        }
        Ok(World {
            interpreter,
            put,
            env: env.clone(),
        })
    }

    /// A state of this module as a module sees it that is instantiated here.
    pub(crate) fn seen(&self, world: &World<'s>, state: &State) -> Result<State> {
        let view = self.view(Some(state), None);
        let value = |&it: &ExprId| self.eval(it, &world.env, view)?.normal();
        world.put.iter().map(value).collect()
    }

    /// An environment where names have these meanings. What a definition of a `LET` needs stands below it, because it is evaluated
    /// with what stands there.
    fn names(&self, names: &Names<Owned>, outer: Env) -> Result<Env> {
        let mut env = outer;
        for (name, meaning) in names {
            if let (Name::Let(def), NameMeaning::Definition(inner)) = (name, meaning) {
                env = deep(|| self.names(inner, env))?.lets(&[*def]);
            }
        }
        for (name, meaning) in names {
            let binding = match meaning {
                NameMeaning::Definition(_) => continue,
                NameMeaning::Value(it) => Binding::Value(Value::from_owned(it)?),
                NameMeaning::Argument(expr, inner) => {
                    let written = deep(|| self.names(inner, Env::default()))?;
                    self.argument(*expr, &written, View::default())?
                }
            };
            match name {
                Name::Local(local) => env = env.bind(*local, binding),
                Name::Let(_) => return undefined("a definition is no parameter"),
            }
        }
        Ok(env)
    }
}
