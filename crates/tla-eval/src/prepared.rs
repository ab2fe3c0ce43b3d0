//! What is prepared before a search: where the parts of a state lie, which formulas have tables, which states are the same.
//!
//! All of it follows from what is compiled, and it does not change any more: whoever has a [`Prepared`] can search.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};

use value::{Arena, Interner};

use crate::audit::Spoilt;
use crate::code::ProcId;
use crate::compiled::Compiled;
use crate::error::EvalError;
use crate::layout::{Layout, find};
use crate::model::take_error;
use crate::symmetry::{self, Permutation};
use crate::table::parts::TableParts;
use crate::view::VariableView;
use crate::walk::{WalkParts, WalkRequests};

/// How a search is to be prepared.
#[derive(Clone, Copy, Debug)]
pub struct Preparation {
    /// Whether what formulas did is remembered, see [`crate::table`]. It never is where everything that is evaluated must be seen.
    pub tables: bool,
    pub slots: Slots,
    /// What is made wrong, for tests of whoever is to notice.
    pub spoilt: Option<Spoilt>,
}

impl Preparation {
    /// For someone who evaluates a few states, and for whom a sample of them would be more work than the rest.
    pub const NONE: Preparation = Preparation {
        tables: false,
        slots: Slots::Whole,
        spoilt: None,
    };
}

/// Which slots a variable has, see [`crate::layout`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slots {
    /// One.
    Whole,
    /// One for each part that a sample of states has in common.
    Parts,
    /// For tests: such that most states hardly fit.
    Hostile,
}

/// Where values live that outlast a state.
pub(crate) struct Heap<'i> {
    pub interner: Interner<'i>,
    /// Arenas for interned values, one for each worker that is made.
    arenas: Mutex<Vec<&'i mut Arena>>,
}

impl<'i> Heap<'i> {
    pub fn new(arenas: &'i mut [Arena]) -> Heap<'i> {
        Heap {
            interner: Interner::new(),
            arenas: Mutex::new(arenas.iter_mut().collect()),
        }
    }

    /// An arena that nobody else has.
    pub fn arena(&self) -> &'i Arena {
        let arena = self.arenas.lock().expect("no panic while taking an arena").pop();
        match arena {
            Some(arena) => arena,
            // More workers than were planned for: their arenas live as long as the process.
            None => Box::leak(Box::new(Arena::new())),
        }
    }
}

pub struct Prepared<'i> {
    pub(crate) layout: Arc<Layout<'i>>,
    /// Formulas taken apart, for tables; absent where everything is evaluated.
    pub(crate) parts: Option<TableParts<'i>>,
    /// The permutations of model values under which states are the same, without the identity; empty without symmetry.
    pub permutations: Vec<Permutation>,
    /// The view, where it is made of variables.
    pub(crate) view: Option<VariableView>,
    /// The configuration's symmetry is something else than a set of permutations of model values, so it is not used.
    pub ignores_symmetry: bool,
    /// For random walks: what the next-state relation consists of, and what is asked beside.
    pub(crate) walks: Option<WalkParts<'i>>,
    pub(crate) goal: Option<ProcId>,
    pub(crate) sample: Option<ProcId>,
}

impl<'i> Prepared<'i> {
    pub(crate) fn new(
        compiled: &Compiled<'i>,
        heap: &Heap<'i>,
        how: Preparation,
    ) -> Result<Prepared<'i>, EvalError> {
        draw_constants(compiled, heap);
        let layout = Arc::new(layout(compiled, heap, how));
        // What is remembered is not evaluated, and so neither counted nor seen.
        let sees_all = compiled.is_counted() || compiled.looks_at_steps();
        let parts = (how.tables && !sees_all).then(|| TableParts::new(compiled, heap, &layout));
        let group = group(compiled, heap)?;
        let view = VariableView::new(compiled, heap, &layout);
        Ok(Prepared {
            layout,
            parts,
            view,
            ignores_symmetry: group.is_none(),
            permutations: group.unwrap_or_default(),
            walks: None,
            goal: None,
            sample: None,
        })
    }

    /// Prepares for random walks.
    pub(crate) fn add_walks(
        &mut self,
        compiled: &Compiled<'i>,
        heap: &Heap<'i>,
        requests: &WalkRequests,
        is_spoilt: bool,
    ) {
        let extra = |it: Option<usize>| it.and_then(|it| compiled.extra.get(it).copied());
        self.goal = extra(requests.goal);
        self.sample = extra(requests.sample);
        let mut parts = WalkParts::new(compiled, heap, &self.layout, requests);
        if is_spoilt {
            parts.spoil();
        }
        self.walks = Some(parts);
        reset_counts(compiled);
    }

    /// Whether labels on steps follow from which parts of the relation have the step.
    pub(crate) fn has_links(&self) -> bool {
        self.parts.as_ref().is_some_and(|it| it.has_links)
    }
}

/// Lets chance decide what it decides once. Whatever else evaluates first must not change what is drawn.
fn draw_constants<'i>(compiled: &Compiled<'i>, heap: &Heap<'i>) {
    let cached = compiled.program.cached.iter().zip(0..);
    for (_, index) in cached.filter(|(it, _)| it.is_drawn) {
        evaluate_constant(compiled, heap, index);
    }
}

/// Makes sure that a closed constant is evaluated, if it can be.
pub(crate) fn evaluate_constant<'i>(compiled: &Compiled<'i>, heap: &Heap<'i>, index: u32) {
    let arena = heap.arena();
    // An error is told by whoever needs the value: it is not there then either.
    let _ = compiled.machine(arena, arena).cached(index);
}

fn layout<'i>(compiled: &Compiled<'i>, heap: &Heap<'i>, how: Preparation) -> Layout<'i> {
    // Images under a permutation are those of whole values.
    let slots = match compiled.symmetry {
        Some(_) => Slots::Whole,
        None => how.slots,
    };
    let mut layout = match slots {
        Slots::Whole => Layout::whole(compiled.n_variables()),
        Slots::Parts => find::find(compiled, heap),
        Slots::Hostile => find::find_hostile(compiled, heap),
    };
    if slots != Slots::Whole {
        reset_counts(compiled);
    }
    layout.is_spoilt = how.spoilt == Some(Spoilt::Slots);
    layout
}

/// What was evaluated so far was for nobody: the search counts from the beginning.
fn reset_counts(compiled: &Compiled<'_>) {
    let program = compiled.program;
    program.counts.iter().for_each(|it| it.store(0, Relaxed));
    program.cached.iter().for_each(|it| *it.calls() = None);
}

/// The group of permutations under which states are the same; nothing when the configuration names something else.
fn group<'i>(compiled: &Compiled<'i>, heap: &Heap<'i>) -> Result<Option<Vec<Permutation>>, EvalError> {
    let Some(proc) = compiled.symmetry else {
        return Ok(Some(vec![]));
    };
    let scratch = Arena::new();
    let mut machine = compiled.machine(&scratch, heap.arena());
    let set = machine.run(proc);
    let set = set.map_err(|fault| take_error(&mut machine, fault, proc))?;
    let permutations = value::enumerate(set, machine.arena).ok();
    Ok(permutations.and_then(symmetry::group))
}
