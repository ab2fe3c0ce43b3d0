//! What was found, in words: the value, the best play, the counts, the rows.

use std::collections::BTreeMap;

use solve::Value;

use super::{Aim, Solved, StrategyReport, StrategyVerdict, definition};
use crate::check::CheckReport;
use crate::replay::End;
use crate::solve::{Cell, Column, Rows, columns, tell};

impl Solved<'_, '_, '_, '_> {
    /// Fills in the report.
    pub(super) fn tell(
        &self,
        rows: Option<&mut dyn Rows>,
        report: &mut StrategyReport,
        search: &mut CheckReport,
    ) {
        report.hero = self.player_name(self.question.hero() as u8);
        report.positions = u64::from(self.arena().n_positions());
        if self.arena().n_initial == 0 {
            search
                .diagnostics
                .push(self.checker.no_initial_state(self.plan, true));
        }
        report.tally = self.tally();
        report.notes = self.notes();
        let hero = self.question.hero() as u8;
        // The worst for whoever asks.
        let start = (0..self.arena().n_initial).min_by_key(|&it| self.values.of(it).class(hero));
        if let Some(start) = start {
            self.best_play(start, report, search);
        }
        let wins = start.is_some_and(|it| self.values.of(it).class(hero) == 2);
        report.verdict = match &self.question.aim {
            Aim::Outcomes(_) => StrategyVerdict::Holds,
            Aim::Goal(_) | Aim::Recurring(_) if wins => StrategyVerdict::Holds,
            Aim::Goal(_) | Aim::Recurring(_) => StrategyVerdict::Fails,
        };
        if let Some((player, _)) = self.question.followed() {
            self.follow(player as u8, report, search);
        }
        if self.question.definition {
            report.definition = Some(definition::write(self, hero));
        }
        if let Some(rows) = rows {
            report.rows = Some(self.write(rows));
        }
    }

    fn best_play(&self, start: u32, report: &mut StrategyReport, search: &mut CheckReport) {
        let value = self.values.of(start);
        report.value = Some(self.value_name(value));
        report.winner = value.winner().map(|it| self.player_name(it));
        let hero = self.question.hero();
        let is_one_sided = !matches!(self.question.aim, Aim::Outcomes(_));
        if let (true, None, 2) = (is_one_sided, value.winner(), self.question.players.len()) {
            report.winner = Some(self.player_name(1 - hero as u8));
        }
        let recurs = matches!(self.question.aim, Aim::Recurring(_));
        if recurs && value == Value::Draw {
            // Only a way that the others choose prevents it, and values do not know which.
            return;
        }
        let mut line = self.values.main_line(self.arena(), start);
        let mut end = End::Anywhere(None);
        if let Some((last, before)) = line.split_last()
            && let Some(at) = before.iter().position(|it| it == last)
        {
            line.pop();
            search.trace.loop_to = Some(at);
            end = End::Anywhere(Some(at));
        }
        if let (Value::Win { player, moves }, false) = (value, recurs) {
            report.moves = Some(moves);
            let own = line.windows(2).filter(|two| {
                let mut moves = self.arena().moves(two[0]);
                moves.any(|it| it == (player, two[1]))
            });
            report.own_moves = Some(own.count() as u32);
        }
        let (trace, steps) = self.trace(&line, search);
        search.trace.states = trace;
        if !steps.is_empty() {
            search.replayed(self.checker.replay_trace(self.plan, &steps, end));
        }
    }

    pub(super) fn player_name(&self, player: u8) -> String {
        self.question.players[usize::from(player)].0.clone()
    }

    pub(super) fn value_name(&self, value: Value) -> String {
        match value.winner() {
            Some(player) => self.player_name(player),
            None => self.question.draw(),
        }
    }

    fn tally(&self) -> Vec<(String, u64)> {
        let mut counts: BTreeMap<Option<u8>, u64> = BTreeMap::new();
        for position in 0..self.arena().n_positions() {
            *counts.entry(self.values.of(position).winner()).or_default() += 1;
        }
        let players = (0..self.question.players.len() as u8).map(Some).chain([None]);
        let name = |it: Option<u8>| it.map_or(self.question.draw(), |it| self.player_name(it));
        players
            .map(|it| (name(it), counts.get(&it).copied().unwrap_or(0)))
            .filter(|it| it.1 > 0)
            .collect()
    }

    /// What the specification leaves open, and what was made of it.
    fn notes(&self) -> Vec<String> {
        let arena = self.arena();
        let (mut mixed, mut stuck) = (0u64, 0u64);
        for position in 0..arena.n_positions() {
            let mut movers = arena.moves(position).map(|it| it.0);
            match movers.next() {
                None => stuck += u64::from(arena.marks[position as usize] == 0),
                Some(first) => mixed += u64::from(movers.any(|it| it != first)),
            }
        }
        let outside = self.game.is_outside.iter().filter(|&&it| it).count();
        let positions = |n: u64| match n {
            1 => "1 position".to_owned(),
            n => format!("{n} positions"),
        };
        let mut notes = vec![];
        if mixed > 0 {
            notes.push(format!(
                "several players can move in {}: nobody counts on coming first there",
                positions(mixed)
            ));
        }
        if stuck > 0 && matches!(self.question.aim, Aim::Outcomes(_)) {
            notes.push(format!(
                "nobody can move and no outcome holds in {}: a draw",
                positions(stuck)
            ));
        }
        if outside > 0 {
            notes.push(format!(
                "the play is not looked at beyond the constraints, which {} are outside of",
                positions(outside as u64)
            ));
        }
        if arena.n_initial > 1 {
            let values: Vec<String> = (0..arena.n_initial)
                .map(|it| self.value_name(self.values.of(it)))
                .collect();
            let differ = values.iter().any(|it| *it != values[0]);
            let n = arena.n_initial;
            notes.push(match differ {
                true => format!("{n} initial positions differ in value: this is the worst of them"),
                false => format!("the same in all {n} initial positions"),
            });
        }
        notes
    }

    /// All positions as rows: who moves, what it is worth, what to do.
    fn write(&self, rows: &mut dyn Rows) -> u64 {
        let arena = self.arena();
        let own = [
            ("position", true),
            ("to_move", false),
            ("value", false),
            ("moves", true),
            ("best", true),
        ];
        let mut all = columns(&own, self.checker);
        let variables = &self.checker.model.compiled.program.variables;
        all.extend(variables.iter().map(|it| Column {
            name: format!("best_{it}"),
            is_integer: false,
        }));
        let mut flow = rows.begin(&all);
        let mut written = 0;
        for position in 0..arena.n_positions() {
            tell(self.watch.observer, position, arena.n_positions());
            if flow.is_break() {
                break;
            }
            let mut movers: Vec<u8> = arena.moves(position).map(|it| it.0).collect();
            movers.dedup();
            let value = self.values.of(position);
            let best = movers
                .first()
                .and_then(|&it| self.values.best_move(arena, it, position));
            let names: Vec<String> = movers.iter().map(|&it| self.player_name(it)).collect();
            let number = |it: u32| Cell::Integer(i64::from(it) + 1);
            let mut cells = vec![
                number(position),
                if names.is_empty() {
                    Cell::Empty
                } else {
                    Cell::Text(names.join(" "))
                },
                Cell::Text(self.value_name(value)),
                match value {
                    Value::Win { moves, .. } => Cell::Integer(i64::from(moves)),
                    Value::Draw => Cell::Empty,
                },
                best.map_or(Cell::Empty, number),
            ];
            let texts = |at: u32| {
                let arena = value::Arena::new();
                let values = self.checker.model.decode(self.game.states.get(at), &arena);
                values
                    .into_iter()
                    .map(|it| Cell::Text(it.to_string()))
                    .collect::<Vec<_>>()
            };
            cells.extend(texts(position));
            match best {
                Some(best) => cells.extend(texts(best)),
                None => cells.extend(variables.iter().map(|_| Cell::Empty)),
            }
            flow = rows.row(&cells);
            written += 1;
        }
        written
    }
}
