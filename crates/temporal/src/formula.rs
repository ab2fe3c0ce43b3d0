//! Formulas as the outside gives them.

/// A formula of linear temporal logic. Atoms are numbers of labels that the [`Graph`](crate::Graph) has on its states and
/// steps.
///
/// A step atom must be one that tells no difference between a behaviour and the same with stuttering steps put in or
/// taken out, such as `<<A>>_v`; what it says of a stuttering step is in the graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    Const(bool),
    /// The state has this label.
    State(u32),
    /// The next step has this label.
    Step(u32),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
}

impl Formula {
    #[allow(
        clippy::should_implement_trait,
        reason = "the name of the operator, for a tree"
    )]
    pub fn not(self) -> Formula {
        match self {
            Formula::Const(it) => Formula::Const(!it),
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    pub fn always(self) -> Formula {
        Formula::Always(Box::new(self))
    }

    pub fn eventually(self) -> Formula {
        Formula::Eventually(Box::new(self))
    }

    pub fn and(self, other: Formula) -> Formula {
        Formula::And(vec![self, other])
    }

    pub fn or(self, other: Formula) -> Formula {
        Formula::Or(vec![self, other])
    }

    pub fn implies(self, other: Formula) -> Formula {
        self.not().or(other)
    }

    pub fn equiv(self, other: Formula) -> Formula {
        let both = self.clone().and(other.clone());
        both.or(self.not().and(other.not()))
    }

    /// `self ~> other`.
    pub fn leads_to(self, other: Formula) -> Formula {
        self.implies(other.eventually()).always()
    }

    /// Weak fairness of an action: infinitely often not enabled, or infinitely often taken.
    pub fn weak_fairness(enabled: Formula, taken: Formula) -> Formula {
        enabled.not().or(taken).eventually().always()
    }

    /// Strong fairness of an action: finally never enabled, or infinitely often taken.
    pub fn strong_fairness(enabled: Formula, taken: Formula) -> Formula {
        let never = enabled.not().always().eventually();
        never.or(taken.eventually().always())
    }
}
