//! A trace with a cursor: steps are taken, undone, redone, looked at.
//!
//! What a state offers is found out once, when the cursor first comes there, and kept with the state. Taking a step
//! where others were undone forgets those, unless it is the same step again.

use trace::{AlgorithmState, Behaviour, State};
use util::FxHashMap;
use value::Owned;
use view::{Artist, Frame, GraphState, GraphStep, Numbering, Part, Picture, StateGraph, Story};

use super::way::Way;
use super::{
    About, Advice, Choice, Found, FoundStep, Game, Judged, Position, Problem, Refused, StateKey, Stepped,
    Watched,
};

/// A game under way.
pub struct Session<'s> {
    game: Box<dyn Game + 's>,
    about: About,
    opening: Offer,
    trace: Vec<Entry>,
    /// How many states of the trace are before the cursor, its own included; the rest were undone.
    n_done: usize,
    artist: Artist,
    watches: Vec<Watch>,
    n_watched: usize,
    you: Option<You>,
    /// Goals that were asked for, as the game knows them.
    goals: Vec<(String, usize)>,
    /// The way that was found last.
    known_way: Option<KnownWay>,
}

struct KnownWay {
    goal: String,
    /// From where it was asked for to the goal.
    states: Vec<StateKey>,
}

struct Entry {
    stepped: Stepped,
    state: StateKey,
    values: Vec<(String, Owned)>,
    /// What is looked at, where that is something else.
    shown: Option<Vec<(String, Owned)>>,
    /// The number of the choice that led here.
    chosen: usize,
    algorithm: Option<AlgorithmState>,
    /// What it looks like, once it was drawn.
    drawn: Option<Drawn>,
    offer: Option<Offer>,
    properties: Option<Vec<Judged>>,
}

/// A picture that stays right as long as the artist has not seen more.
struct Drawn {
    revision: u64,
    frame: Frame,
    /// Which piece is which: the next state goes on from here.
    numbering: Numbering,
}

impl Entry {
    fn shown(&self) -> &[(String, Owned)] {
        self.shown.as_ref().unwrap_or(&self.values)
    }
}

/// A state of the trace, as it is shown.
pub struct Moment {
    pub step: Stepped,
    pub frame: Frame,
    pub properties: Vec<Judged>,
    /// Where each process of the algorithm is.
    pub algorithm: Option<AlgorithmState>,
}

/// What can be chosen.
#[derive(Default)]
struct Offer {
    found: Found,
    problem: Option<Problem>,
}

struct Watch {
    number: usize,
    expr: String,
    /// As the game knows it.
    known: usize,
}

/// Whose steps are the person's.
enum You {
    Named(String),
    /// Where this expression is true.
    Where(usize),
}

/// Expansions before the first picture, so that it has the size that later ones need.
const REHEARSED_MAX: usize = 6;
/// States that are looked at for it.
const SEEN_MAX: usize = 400;

impl<'s> Session<'s> {
    pub(super) fn new(game: Box<dyn Game + 's>) -> Session<'s> {
        let about = game.about();
        let mut session = Session {
            artist: Artist::new(about.notation),
            about,
            game,
            opening: Offer::default(),
            trace: vec![],
            n_done: 0,
            watches: vec![],
            n_watched: 0,
            you: None,
            goals: vec![],
            known_way: None,
        };
        session.begin();
        session
    }

    /// Looks for the states to begin in; where there is one, the session is in it.
    fn begin(&mut self) {
        self.opening = Offer::of(self.game.initial());
        self.rehearse();
        self.restart();
    }

    pub fn about(&self) -> &About {
        &self.about
    }

    /// Which steps are the person's: an action's name, or an expression that is true of them.
    pub fn play_as(&mut self, you: &str) -> Result<(), Refused> {
        self.you = Some(match self.about.actions.iter().any(|it| it.name == you) {
            true => You::Named(you.to_owned()),
            false => You::Where(self.game.watch(you)?),
        });
        Ok(())
    }

    /// Everything about where the cursor is.
    pub fn position(&mut self) -> Position {
        self.explore();
        let properties = match self.n_done.checked_sub(1) {
            Some(at) => self.properties(at),
            None => vec![],
        };
        // The artist stands where the cursor is, which journeys of pieces are told from.
        let frame = self.frame();
        Position {
            index: self.n_done.checked_sub(1),
            len: self.trace.len(),
            step: self.here().map(|it| it.stepped.clone()),
            state: self.here().map_or(vec![], |it| it.values.clone()),
            frame,
            algorithm: self.algorithm(),
            choices: self.choices(),
            is_cut: self.offer().found.is_cut,
            properties,
            watches: self.watched(),
            is_deadlock: self.is_deadlock(),
            problem: self.offer().problem.clone(),
        }
    }

    /// Takes a step, or begins in a state, by the number of the choice; false when there is no such choice.
    pub fn take(&mut self, choice: usize) -> bool {
        self.explore();
        let Some(step) = self.offer().found.steps.get(choice) else {
            return false;
        };
        let next = self.trace.get(self.n_done);
        if !next.is_some_and(|it| it.state == step.state && it.stepped == step.stepped) {
            let entry = Entry {
                stepped: step.stepped.clone(),
                state: step.state.clone(),
                values: step.values.clone(),
                shown: step.shown.clone(),
                chosen: choice,
                algorithm: step.algorithm.clone(),
                drawn: None,
                offer: None,
                properties: None,
            };
            self.trace.truncate(self.n_done);
            self.trace.push(entry);
        }
        self.n_done += 1;
        true
    }

    /// Back by one step; false at the beginning. Where there were several states to begin in, the beginning is before
    /// them.
    pub fn undo(&mut self) -> bool {
        let first = usize::from(self.has_one_beginning());
        let can = self.n_done > first;
        self.n_done -= usize::from(can);
        can
    }

    /// Forward again by one step that was undone.
    pub fn redo(&mut self) -> bool {
        let can = self.n_done < self.trace.len();
        self.n_done += usize::from(can);
        can
    }

    /// To a state of the trace, by its number from 0; also to one that was undone.
    pub fn go_to(&mut self, index: usize) -> bool {
        let can = index < self.trace.len();
        if can {
            self.n_done = index + 1;
        }
        can
    }

    /// Forgets the trace.
    pub fn restart(&mut self) {
        self.trace.clear();
        self.n_done = 0;
        if self.has_one_beginning() {
            self.take(0);
        }
    }

    /// The trace up to the cursor, as a checker would report it.
    pub fn trace(&self) -> Vec<State> {
        let told = |it: &Entry| State {
            values: it.values.clone(),
            algorithm: it.algorithm.clone(),
            ..it.stepped.to_state()
        };
        self.trace[..self.n_done].iter().map(told).collect()
    }

    /// The trace up to the cursor as a document, with what the specification draws of it.
    pub fn story(&mut self) -> Story {
        let mut scenes = vec![];
        for at in 0..self.n_done {
            let state = self.trace[at].state.clone();
            let drawings = self.game.drawings(&state, at as u32 + 1);
            let entry = &self.trace[at];
            scenes.push(State {
                values: entry.shown().to_vec(),
                drawings,
                algorithm: entry.algorithm.clone(),
                ..entry.stepped.to_state()
            });
        }
        Story {
            title: self.about.title.clone(),
            notation: self.about.notation,
            behaviour: Behaviour::finite(scenes),
            ..Story::default()
        }
    }

    /// The reachable states and the steps between them, up to a number of states. Those of the trace are told apart.
    pub fn graph(&mut self, states_max: usize) -> Result<StateGraph, Problem> {
        let mut found = Graph::default();
        for step in self.game.initial()?.steps {
            found.add(&step, 0, states_max);
        }
        let mut at = 0;
        while at < found.keys.len() {
            let (key, depth) = (found.keys[at].clone(), found.graph.states[at].depth);
            let offer = self.game.steps(&key, depth as u32 + 1)?;
            found.is_cut |= offer.is_cut;
            for step in offer.steps.iter().filter(|it| !it.is_excluded) {
                if let Some(to) = found.add(step, depth + 1, states_max) {
                    found.step(at, to, step.stepped.to_string());
                }
            }
            at += 1;
        }
        found.tell(self.trace[..self.n_done].iter().map(|it| &it.state));
        let graph = StateGraph {
            notation: self.about.notation,
            is_complete: !found.is_cut,
            ..found.graph
        };
        Ok(graph)
    }

    /// How the states of the whole trace were reached, those that were undone included.
    pub fn steps(&self) -> Vec<Stepped> {
        self.trace.iter().map(|it| it.stepped.clone()).collect()
    }

    /// All states of the trace, those that were undone included: how each was reached, what it looks like, and what the properties
    /// say there.
    pub fn entries(&mut self) -> Vec<Moment> {
        (0..self.trace.len())
            .map(|at| {
                self.explore_at(at);
                let judged = self.properties(at);
                Moment {
                    step: self.trace[at].stepped.clone(),
                    frame: self.draw(at),
                    properties: judged,
                    algorithm: self.trace[at].algorithm.clone(),
                }
            })
            .collect()
    }

    /// The numbers of the choices of the whole trace, those that were undone included.
    pub fn whole_path(&self) -> Vec<usize> {
        self.trace.iter().map(|it| it.chosen).collect()
    }

    /// The numbers of the choices up to the cursor: [`Session::follow`] comes here again.
    pub fn path(&self) -> Vec<usize> {
        self.trace[..self.n_done].iter().map(|it| it.chosen).collect()
    }

    /// Starts anew and takes these choices; how many could be taken.
    pub fn follow(&mut self, path: &[usize]) -> usize {
        self.restart();
        // The one state to begin in is taken already.
        let rest = path.get(self.n_done..).unwrap_or(&[]);
        for &choice in rest {
            if !self.take(choice) {
                break;
            }
        }
        self.n_done
    }

    /// Starts anew and goes through these states, such as those of a counterexample; how many were found. Variables
    /// that a state does not tell may have any value.
    pub fn visit(&mut self, states: &[Vec<(String, Owned)>]) -> usize {
        self.restart();
        for (i, wanted) in states.iter().enumerate() {
            if i == 0 && self.n_done == 1 {
                match is_told(wanted, &self.trace[0].values) {
                    true => continue,
                    false => break,
                }
            }
            self.explore();
            let steps = &self.offer().found.steps;
            match steps.iter().position(|it| is_told(wanted, &it.values)) {
                Some(choice) => self.take(choice),
                None => break,
            };
        }
        self.n_done
    }

    /// Watches an expression from now on; its number is for [`Session::unwatch`].
    pub fn watch(&mut self, expr: &str) -> Result<usize, Refused> {
        let known = self.game.watch(expr)?;
        self.n_watched += 1;
        self.watches.push(Watch {
            number: self.n_watched,
            expr: expr.to_owned(),
            known,
        });
        Ok(self.n_watched)
    }

    pub fn unwatch(&mut self, number: usize) -> bool {
        let n_before = self.watches.len();
        self.watches.retain(|it| it.number != number);
        self.watches.len() < n_before
    }

    /// The shortest way from here to a state where `goal` is true, after a search through at most so many states.
    pub fn advise(&mut self, goal: &str, states_max: usize) -> Result<Advice, Problem> {
        Ok(match self.way_to(goal, states_max)? {
            Way::None => Advice::Unreachable,
            Way::Unknown => Advice::Unknown,
            Way::Found(way) => match way.first() {
                None => Advice::Here,
                Some(next) => {
                    self.explore();
                    let mut steps = self.offer().found.steps.iter();
                    match steps.position(|it| it.state == *next && !it.is_excluded) {
                        Some(choice) => Advice::Take {
                            choice,
                            steps: way.len(),
                        },
                        // More steps lead on than are offered.
                        None => Advice::Unknown,
                    }
                }
            },
        })
    }

    /// As [`Session::advise`], and lays the way out after the cursor, as if it had been taken and undone.
    pub fn solve(&mut self, goal: &str, states_max: usize) -> Result<Advice, Problem> {
        let advice = self.advise(goal, states_max)?;
        if let (Advice::Take { .. }, Way::Found(way)) = (&advice, self.way_to(goal, states_max)?) {
            let here = self.n_done;
            self.trace.truncate(here);
            for state in way {
                self.explore();
                let mut steps = self.offer().found.steps.iter();
                match steps.position(|it| it.state == state) {
                    Some(choice) => self.take(choice),
                    None => break,
                };
            }
            self.n_done = here;
        }
        Ok(advice)
    }

    fn way_to(&mut self, goal: &str, states_max: usize) -> Result<Way, Problem> {
        let Some(here) = self.here().map(|it| it.state.clone()) else {
            return Ok(Way::Unknown);
        };
        // What follows a state on a shortest way is a shortest way.
        if let Some(known) = self.known_way.as_ref().filter(|it| it.goal == goal)
            && let Some(at) = known.states.iter().position(|it| *it == here)
        {
            return Ok(Way::Found(known.states[at + 1..].to_vec()));
        }
        let known = match self.goals.iter().find(|it| it.0 == goal) {
            Some(&(_, known)) => known,
            None => {
                let watched = self.game.watch(goal);
                let known = watched.map_err(|(sources, why)| Problem::first(&why, &sources))?;
                self.goals.push((goal.to_owned(), known));
                known
            }
        };
        let way = self.game.way((&here, self.n_done as u32), known, states_max)?;
        if let Way::Found(states) = &way {
            self.known_way = Some(KnownWay {
                goal: goal.to_owned(),
                states: [here].into_iter().chain(states.iter().cloned()).collect(),
            });
        }
        Ok(way)
    }

    /// For an Alloy model: another instance, from its beginning; false when there is none.
    pub fn next_instance(&mut self) -> Result<bool, Problem> {
        let found = self.game.next_instance()?;
        if found {
            self.artist = Artist::new(self.about.notation);
            self.begin();
        }
        Ok(found)
    }

    /// One of the steps that are not the person's, by chance; any step, if all are. Nothing when there is none.
    pub fn machine_choice(&mut self, chance: &mut Chance) -> Option<usize> {
        self.explore();
        let choices = self.choices();
        let is_open = |it: &Choice| !it.is_excluded && !it.is_stuttering;
        let ours = |it: &Choice| !it.is_yours || self.you.is_none();
        let all: Vec<usize> = (0..choices.len())
            .filter(|&it| is_open(&choices[it]) && ours(&choices[it]))
            .collect();
        (!all.is_empty()).then(|| all[chance.below(all.len())])
    }

    /// Whether the machine is to move: someone else plays, and no step here is the person's.
    pub fn is_machines_turn(&mut self) -> bool {
        self.explore();
        self.you.is_some() && self.n_done > 0 && {
            let choices = self.choices();
            !choices.is_empty() && choices.iter().all(|it| !it.is_yours)
        }
    }

    fn here(&self) -> Option<&Entry> {
        self.n_done.checked_sub(1).map(|it| &self.trace[it])
    }

    fn has_one_beginning(&self) -> bool {
        self.opening.found.steps.len() == 1 && !self.opening.found.is_cut
    }

    fn offer(&self) -> &Offer {
        let here = self.here().and_then(|it| it.offer.as_ref());
        here.unwrap_or(&self.opening)
    }

    /// Finds out what the state under the cursor offers.
    fn explore(&mut self) {
        if let Some(at) = self.n_done.checked_sub(1) {
            self.explore_at(at);
        }
    }

    /// The same for any state of the trace.
    fn explore_at(&mut self, at: usize) {
        if self.trace[at].offer.is_some() {
            return;
        }
        let found = self.game.steps(&self.trace[at].state, at as u32 + 1);
        let offer = Offer::of(found);
        offer.show_to(&mut self.artist);
        self.trace[at].offer = Some(offer);
    }

    /// Where the processes are, and what those wait for that have no step from here.
    fn algorithm(&mut self) -> Option<AlgorithmState> {
        let mut told = self.here()?.algorithm.clone()?;
        let values = self.here()?.values.clone();
        let steps = self.offer().found.steps.iter();
        let movers = steps.filter_map(|it| it.algorithm.as_ref()?.mover());
        let can_move: Vec<usize> = movers.collect();
        // Where there are more steps than are offered, nobody knows who has none.
        if !self.offer().found.is_cut && can_move.len() < told.processes.len() {
            let waits_for = self.game.waits_for(&values);
            for (i, (process, why)) in told.processes.iter_mut().zip(waits_for).enumerate() {
                process.waits_for = why.filter(|_| !can_move.contains(&i));
            }
        }
        Some(told)
    }

    fn is_deadlock(&self) -> bool {
        let offer = self.offer();
        self.n_done > 0 && offer.found.steps.is_empty() && !offer.found.is_cut && offer.problem.is_none()
    }

    fn choices(&mut self) -> Vec<Choice> {
        let before = self.here().map_or(vec![], |it| it.values.clone());
        let seen = self.here().map_or(vec![], |it| it.shown().to_vec());
        let is_first = self.n_done == 0;
        let depth = self.n_done as u32;
        let state = self.here().map(|it| it.state.clone());
        let n_choices = self.offer().found.steps.len();
        let mut choices = Vec::with_capacity(n_choices);
        for i in 0..n_choices {
            let step = &self.offer().found.steps[i];
            let is_yours = match &self.you {
                None => true,
                Some(You::Named(name)) => step.stepped.action == *name,
                Some(You::Where(known)) => {
                    let (known, after) = (*known, step.state.clone());
                    let value = match state.as_ref().filter(|_| !self.game.is_about_steps(known)) {
                        Some(before) => self.game.value(known, None, before, depth),
                        None => self.game.value(known, state.as_ref(), &after, depth + 1),
                    };
                    matches!(value, Ok((_, Owned::Bool(true))))
                }
            };
            let step = &self.offer().found.steps[i];
            choices.push(Choice {
                step: step.stepped.clone(),
                after: step.values.clone(),
                changes: match (is_first, &step.algorithm) {
                    (true, _) => vec![],
                    (false, None) => changes(&before, &step.values),
                    (false, Some(told)) => {
                        let mut all = changes(&before, &step.values);
                        // That a process goes on is told by the step itself.
                        all.retain(|it| !told.told.contains(&it.0.as_str()));
                        all
                    }
                },
                touches: self.artist.touched(&seen, step.shown()),
                journeys: self.artist.journeys(&seen, step.shown()),
                is_stuttering: state.as_ref() == Some(&step.state),
                is_excluded: step.is_excluded,
                is_yours,
                algorithm: step.algorithm.clone(),
            });
        }
        choices
    }

    /// What the properties say of a state of the trace.
    fn properties(&mut self, at: usize) -> Vec<Judged> {
        if let Some(known) = &self.trace[at].properties {
            return known.clone();
        }
        let before = at.checked_sub(1).map(|it| self.trace[it].state.clone());
        let state = self.trace[at].state.clone();
        let judged = self.game.judge(before.as_ref(), &state, at as u32 + 1);
        self.trace[at].properties = Some(judged.clone());
        judged
    }

    fn watched(&mut self) -> Vec<Watched> {
        let Some(at) = self.n_done.checked_sub(1) else {
            return vec![];
        };
        let before = at.checked_sub(1).map(|it| self.trace[it].state.clone());
        let state = self.trace[at].state.clone();
        let depth = self.n_done as u32;
        let game = &mut self.game;
        let all = self.watches.iter();
        all.map(|it| Watched {
            number: it.number,
            expr: it.expr.clone(),
            value: game.value(it.known, before.as_ref(), &state, depth),
        })
        .collect()
    }

    fn frame(&mut self) -> Frame {
        match self.n_done.checked_sub(1) {
            Some(at) => self.draw(at),
            None => Frame { parts: vec![] },
        }
    }

    /// The picture of a state of the trace. It is drawn once, unless the artist has learnt something since; so are those before it,
    /// because pieces are followed along the trace.
    fn draw(&mut self, at: usize) -> Frame {
        let known = (0..at).rev().find(|&it| self.trace[it].drawn.is_some());
        for earlier in known.map_or(0, |it| it + 1)..at {
            self.draw_next(earlier);
        }
        match &self.trace[at].drawn {
            Some(drawn) if drawn.revision == self.artist.revision() => {
                self.artist.resume(&drawn.numbering);
                drawn.frame.clone()
            }
            _ => self.draw_next(at),
        }
    }

    /// Draws a state after the one before it was drawn.
    fn draw_next(&mut self, at: usize) -> Frame {
        let before = at.checked_sub(1).map(|it| &self.trace[it]);
        let numbering = before.and_then(|it| it.drawn.as_ref()).map(|it| &it.numbering);
        self.artist.resume(numbering.unwrap_or(&Numbering::default()));
        let mut frame = self.artist.draw(self.trace[at].shown(), before.map(Entry::shown));
        let numbering = self.artist.numbering();
        // Who looks at something else has chosen what to see.
        if self.trace[at].shown.is_none() {
            let before = at.checked_sub(1).and_then(|it| self.trace[it].algorithm.as_ref());
            frame.tell_processes(self.trace[at].algorithm.as_ref(), before);
        }
        let state = self.trace[at].state.clone();
        for (name, value) in self.game.drawings(&state, at as u32 + 1) {
            if let Some(document) = view::drawing(&value) {
                frame.parts.push(Part {
                    name,
                    is_changed: true,
                    picture: Picture::Svg(document),
                });
            }
        }
        self.trace[at].drawn = Some(Drawn {
            revision: self.artist.revision(),
            frame: frame.clone(),
            numbering,
        });
        frame
    }

    /// Shows the artist what may come: the states to begin in, and some on the way from there.
    fn rehearse(&mut self) {
        self.opening.show_to(&mut self.artist);
        let mut chance = Chance::new(0);
        let mut at = self.opening.found.steps.first().map(|it| it.state.clone());
        let mut n_seen = 0;
        for depth in 1..=REHEARSED_MAX {
            let Some(state) = &at else { break };
            let Ok(found) = self.game.steps(state, depth as u32) else {
                break;
            };
            n_seen += found.steps.len();
            let offer = Offer::of(Ok(found));
            offer.show_to(&mut self.artist);
            let steps = &offer.found.steps;
            if steps.is_empty() || n_seen > SEEN_MAX {
                break;
            }
            at = Some(steps[chance.below(steps.len())].state.clone());
        }
    }
}

/// A graph that grows.
#[derive(Default)]
struct Graph {
    graph: StateGraph,
    keys: Vec<StateKey>,
    places: FxHashMap<StateKey, usize>,
    is_cut: bool,
}

impl Graph {
    /// The place of a state, if there is one for it.
    fn add(&mut self, step: &FoundStep, depth: usize, states_max: usize) -> Option<usize> {
        if let Some(&known) = self.places.get(&step.state) {
            return Some(known);
        }
        if self.keys.len() >= states_max {
            self.is_cut = true;
            return None;
        }
        self.places.insert(step.state.clone(), self.keys.len());
        self.keys.push(step.state.clone());
        self.graph.states.push(GraphState {
            values: step.shown().to_vec(),
            depth,
            is_told: false,
        });
        Some(self.keys.len() - 1)
    }

    fn step(&mut self, from: usize, to: usize, label: String) {
        let step = GraphStep {
            from,
            to,
            label,
            is_told: false,
        };
        // Steps from one state come one after the other.
        let own = self.graph.steps.iter().rev().take_while(|it| it.from == from);
        if !own.into_iter().any(|it| *it == step) {
            self.graph.steps.push(step);
        }
    }

    /// Tells a behaviour apart.
    fn tell<'k>(&mut self, states: impl Iterator<Item = &'k StateKey>) {
        let mut before = None;
        for key in states {
            let Some(&at) = self.places.get(key) else { break };
            self.graph.states[at].is_told = true;
            let mut steps = self.graph.steps.iter_mut();
            if let Some(step) = steps.find(|it| Some(it.from) == before && it.to == at) {
                step.is_told = true;
            }
            before = Some(at);
        }
    }
}

impl Offer {
    fn of(found: Result<Found, Problem>) -> Offer {
        match found {
            Ok(found) => Offer { found, problem: None },
            Err(problem) => Offer {
                found: Found::default(),
                problem: Some(problem),
            },
        }
    }

    fn show_to(&self, artist: &mut Artist) {
        let steps = self.found.steps.iter().take(SEEN_MAX);
        steps.for_each(|it: &FoundStep| artist.see(it.shown()));
    }
}

fn changes(before: &[(String, Owned)], after: &[(String, Owned)]) -> Vec<(String, Vec<view::Change>)> {
    let differing = after.iter().filter_map(|(name, new)| {
        let old = &before.iter().find(|it| it.0 == *name)?.1;
        let changes = view::changes(old, new);
        (!changes.is_empty()).then(|| (name.clone(), changes))
    });
    differing.collect()
}

/// Whether a state has all the values that are told of it.
fn is_told(wanted: &[(String, Owned)], values: &[(String, Owned)]) -> bool {
    let has = |(name, value): &(String, Owned)| values.iter().all(|it| it.0 != *name || it.1 == *value);
    wanted.iter().all(has)
}

/// A source of chance: the same seed, the same choices. SplitMix64.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        it ^= it >> 31;
        ((u128::from(it) * n as u128) >> 64) as usize
    }
}
