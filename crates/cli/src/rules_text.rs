//! Rules and what sets of them give, as text or JSON.

use serde_json::{Value, json};
use source::Sources;
use workbench::{Limit, RuleCell as Cell, RuleColumn as Column, RuleSummary, RuleTable, RulesSummary};

use crate::audit::{audit_json, audit_line};
use crate::progress::grouped;
use crate::report;

/// The rules of a specification: number, name, place, variables, where it is taken in.
pub fn list_text(rules: &RulesSummary) -> String {
    if rules.rules.is_empty() {
        return format!(
            "{} has no rules: no `[][A]_v` is a conjunct of it\n",
            rules.specification
        );
    }
    let mut text = match rules.rules.len() {
        1 => format!("{} is one rule  ({})\n", rules.specification, rules.location),
        n => format!(
            "{} is a conjunction of {n} rules  ({})\n",
            rules.specification, rules.location
        ),
    };
    let cells: Vec<[String; 5]> = rules
        .rules
        .iter()
        .enumerate()
        .map(|(i, it)| list_row(i, it))
        .collect();
    text += &columns(&cells);
    if !rules.others.is_empty() {
        text += "always in force\n";
        let cells: Vec<[String; 2]> = rules
            .others
            .iter()
            .map(|it| [cut(&it.0, 60), it.1.clone()])
            .collect();
        text += &columns(&cells);
    }
    if !rules.left_out.is_empty() {
        text += "rules of the module that it has not\n";
        let cells: Vec<[String; 2]> = rules
            .left_out
            .iter()
            .map(|it| [it.0.clone(), it.1.clone()])
            .collect();
        text += &columns(&cells);
    }
    text
}

fn list_row(i: usize, rule: &RuleSummary) -> [String; 5] {
    let included: Vec<String> = rule
        .included
        .iter()
        .map(|(by, at)| match by {
            Some(by) => format!("in {by} ({at})"),
            None => format!("at {at}"),
        })
        .collect();
    let off = if rule.on { "" } else { "  (switched off)" };
    [
        format!("{}", i + 1),
        format!("{}{off}", rule.name),
        rule.location.clone(),
        rule.variables.join(", "),
        included.join(", "),
    ]
}

/// Columns, each as wide as its widest cell.
fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| {
        rows.iter()
            .map(|it| it[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, &width) in row.iter().zip(&widths) {
            line += &format!("  {cell:<width$}");
        }
        text += line.trim_end();
        text += "\n";
    }
    text
}

fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}

/// What each set of rules gives, and which sets are minimal.
pub fn table_text(table: &RuleTable, seconds: f64) -> String {
    if table.columns.is_empty() {
        return String::new();
    }
    let n = table.rules.rules.len();
    let digits = n.to_string().len();
    // A set is drawn as the numbers of its rules, each in its place.
    let set = |rules: &[usize]| -> String {
        let place = |it: usize| match rules.contains(&it) {
            true => format!("{:>digits$}", it + 1),
            false => format!("{:>digits$}", "·"),
        };
        (0..n).map(place).collect::<Vec<_>>().join(" ")
    };
    let mut rows: Vec<Vec<String>> = vec![];
    let mut head = vec!["rules".to_string()];
    head.extend(table.columns.iter().map(|it| cut(&it.property, 40)));
    rows.push(head);
    let mut n_left = 0;
    for (rules, cells) in &table.rows {
        // What follows for every property is counted, not shown.
        let is_told = |it: &Cell| !matches!(it, Cell::Follows { .. } | Cell::NotStated);
        if n > 4 && !cells.iter().any(is_told) && rules.len() != n && table.rows.len() > n {
            n_left += 1;
            continue;
        }
        let mut row = vec![set(rules)];
        row.extend(cells.iter().map(cell_text));
        rows.push(row);
    }
    let mut text = format!("\n{}", grid(&rows));
    if n_left > 0 {
        text += &format!(
            "  {} more sets follow from these or state nothing yet\n",
            grouped(n_left)
        );
    }
    text += &reasons(table);
    for column in &table.columns {
        text += &minimal_text(column, table);
    }
    if let Some(limit) = table.limit {
        text += &format!("unknown: ended by {limit}\n");
    }
    text += &format!("{} searches, {:.2} s\n", grouped(table.n_checks as u64), seconds);
    text += &audit_line(table.audit);
    text
}

fn grid(rows: &[Vec<String>]) -> String {
    let n = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|it| it.get(column));
        cells.map(|it| it.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..n).map(width).collect();
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(it, &width)| format!("{it:<width$}"))
            .collect();
        text += &format!("  {}\n", cells.join(" │ ").trim_end());
        if i == 0 {
            let line: Vec<String> = widths.iter().map(|&it| "─".repeat(it)).collect();
            text += &format!("  {}\n", line.join("─┼─"));
        }
    }
    text
}

fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Holds { is_empty: true, .. } => "holds: no behaviour".to_string(),
        Cell::Holds { states, .. } => format!("holds, {} states", grouped(*states)),
        Cell::Fails {
            steps,
            is_lasso: true,
            ..
        } => format!("fails for ever, after {}", report::counted(*steps, "step")),
        Cell::Fails { steps: 0, .. } => "fails at once".to_string(),
        Cell::Fails { steps: 1, .. } => "fails in 1 step".to_string(),
        Cell::Fails { steps, .. } => format!("fails in {steps} steps"),
        Cell::Follows { holds: true } => "holds: fewer rules do".to_string(),
        Cell::Follows { holds: false } => "fails: more rules do".to_string(),
        Cell::NotStated => "not stated yet".to_string(),
        Cell::NotCheckable(_) => "not checkable".to_string(),
        Cell::Unknown(limit) => format!("unknown ({})", unknown(*limit)),
    }
}

/// Why nothing is known of a set.
fn unknown(limit: Option<Limit>) -> &'static str {
    limit.map_or("not looked at", Limit::name)
}

/// Why some sets cannot be checked, each reason once.
fn reasons(table: &RuleTable) -> String {
    let mut all: Vec<&str> = vec![];
    for cell in table.rows.iter().flat_map(|it| &it.1) {
        if let Cell::NotCheckable(why) = cell
            && !all.contains(&why.as_str())
        {
            all.push(why);
        }
    }
    all.iter().map(|it| format!("  not checkable: {it}\n")).collect()
}

fn minimal_text(column: &Column, table: &RuleTable) -> String {
    let name = |it: &usize| table.rules.rules[*it].name.as_str();
    let names = |rules: &[usize]| match rules {
        [] => "no rule at all".to_string(),
        _ => rules.iter().map(name).collect::<Vec<_>>().join(", "),
    };
    let is_subsets = table.rows.len() > table.rules.rules.len();
    let property = &column.property;
    match &column.minimal[..] {
        [] => format!("no set of these rules gives {property}\n"),
        [one] if !is_subsets => format!("{property} holds from here on: {}\n", names(one)),
        sets => {
            let mut text = match sets.len() {
                1 => format!("the minimal set of rules that gives {property}\n"),
                n => format!("the {n} minimal sets of rules that give {property}\n"),
            };
            for (set, is_open) in sets.iter().zip(&column.is_open) {
                let open = if *is_open {
                    "  (smaller sets cannot all be checked)"
                } else {
                    ""
                };
                text += &format!("  {}{open}\n", names(set));
            }
            text
        }
    }
}

pub fn table_json(table: &RuleTable, sources: &Sources, seconds: f64) -> Value {
    let rules = &table.rules;
    let name = |it: &usize| rules.rules[*it].name.clone();
    let names = |of: &[usize]| of.iter().map(name).collect::<Vec<_>>();
    let pair = |it: &(String, String)| json!({ "name": it.0, "location": it.1 });
    json!({
        "language": "tla+",
        "specification": rules.specification,
        "location": rules.location,
        "rules": rules.rules.iter().map(rule_json).collect::<Vec<_>>(),
        "always": rules.others.iter().map(|it| json!({ "formula": it.0, "location": it.1 })).collect::<Vec<_>>(),
        "left_out": rules.left_out.iter().map(pair).collect::<Vec<_>>(),
        "properties": table.columns.iter().map(|it| json!({
            "property": it.property,
            "minimal": it.minimal.iter().map(|it| names(it)).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "table": table.rows.iter().map(|(set, cells)| json!({
            "rules": names(set),
            "results": table.columns.iter().zip(cells).map(|(column, it)| cell_json(column, it)).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "searches": table.n_checks,
        "limit": table.limit.map(Limit::name),
        "audit": audit_json(table.audit, table.mismatch.as_ref()),
        "diagnostics": table.diagnostics.iter().map(|it| report::json(it, sources)).collect::<Vec<_>>(),
        "seconds": seconds,
    })
}

fn rule_json(rule: &RuleSummary) -> Value {
    json!({
        "name": rule.name,
        "location": rule.location,
        "variables": rule.variables,
        "path": rule.path,
        "included": rule.included.iter().map(|(by, at)| json!({ "by": by, "location": at })).collect::<Vec<_>>(),
        "in_force": rule.on,
    })
}

fn cell_json(column: &Column, cell: &Cell) -> Value {
    let (verdict, steps, states, reason, follows) = match cell {
        Cell::Holds { states, is_empty } => {
            let reason = is_empty.then(|| "there is no behaviour".to_string());
            ("holds", None, Some(*states), reason, false)
        }
        Cell::Fails { steps, states, .. } => ("fails", Some(*steps), Some(*states), None, false),
        Cell::Follows { holds: true } => ("holds", None, None, None, true),
        Cell::Follows { holds: false } => ("fails", None, None, None, true),
        Cell::NotStated => ("not stated", None, None, None, false),
        Cell::NotCheckable(why) => ("not checkable", None, None, Some(why.clone()), false),
        Cell::Unknown(limit) => ("unknown", None, None, Some(unknown(*limit).to_owned()), false),
    };
    json!({
        "property": column.property,
        "verdict": verdict,
        "steps": steps,
        "states": states,
        "reason": reason,
        "follows": follows,
    })
}
