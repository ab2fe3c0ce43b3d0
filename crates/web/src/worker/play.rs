//! A session of play: what was opened, then a request for each thing that a person does.

use serde_json::{Value, json};
use workbench::Stop;
use workbench::play::{Chance, PlayOptions, Refused, Session};

use super::Wire;
use super::ask::{self, Ask, Wrong};
use super::effects::Sandbox;
use super::{diagnose, json as shown, rules};

/// More steps than a person looks through.
const CHOICES_MAX: usize = 500;

pub fn options(ask: &Ask) -> PlayOptions {
    PlayOptions {
        config: ask.config.clone(),
        overrides: ask.overrides(),
        choices_max: CHOICES_MAX,
        you: ask.you.clone(),
        ..PlayOptions::default()
    }
}

/// Lends a session in what is asked for.
pub fn with_session<R>(ask: &Ask, then: impl FnOnce(&mut Session<'_>) -> R) -> Result<R, Refused> {
    let sandbox = Sandbox::new();
    workbench::play::play(
        &ask.workspace,
        &ask.main,
        &options(ask),
        &sandbox,
        &Stop::never(),
        then,
    )
}

/// Answers requests of a session until there are no more; its last answer is returned like that of any other request.
pub fn open(ask: &Ask, wire: &mut Wire) -> Result<Value, Wrong> {
    let diagnosis = diagnose::diagnose(ask);
    let opened = with_session(ask, |session| {
        let mut watching = vec![];
        for expr in ask.strings("watches") {
            if let Err(refused) = session.watch(&expr) {
                watching.push(refused_text(&refused));
            }
        }
        session.follow(&ask.path());
        let entries = entries(session);
        if let Some(at) = ask.number("at") {
            session.go_to(at);
        }
        let mut answer = diagnosis.clone();
        answer["about"] = about(ask, session);
        answer["entries"] = json!(entries);
        answer["position"] = shown::position(&session.position());
        answer["path"] = json!(session.whole_path());
        wire.done(&answer);
        serve(session, wire);
    });
    match opened {
        Ok(()) => Ok(Value::Null),
        Err((sources, diagnostics)) => {
            let mut answer = diagnosis;
            answer["diagnostics"] = json!(shown::diagnostics(&diagnostics, &sources, &ask.texts));
            answer["about"] = Value::Null;
            answer["position"] = Value::Null;
            answer["entries"] = json!([]);
            answer["path"] = json!([]);
            Ok(answer)
        }
    }
}

fn about(ask: &Ask, session: &Session<'_>) -> Value {
    let about = session.about();
    let actions = about.actions.iter();
    json!({
        "language": about.language.tag(),
        "title": about.title,
        "variables": about.variables,
        "actions": actions.map(|it| json!({ "name": it.name, "place": it.location.as_ref().map(shown::location) })).collect::<Vec<_>>(),
        "predicates": diagnose::predicates(ask),
        "rules": rules::list(ask),
        "conjoined": rules::conjoined(ask),
        "warnings": about.warnings,
        "algorithm": about.algorithm.as_ref().map(shown::algorithm_text),
    })
}

fn serve(session: &mut Session<'_>, wire: &mut Wire) {
    let mut chance = Chance::new(seed());
    while let Some(line) = wire.next() {
        let request: Value = match serde_json::from_str(&line) {
            Ok(it) => it,
            Err(error) => {
                wire.say(&json!({ "wrong": error.to_string() }));
                continue;
            }
        };
        match act(session, &request, &mut chance) {
            Ok(answer) => wire.done(&answer),
            Err(Wrong(why)) => wire.say(&json!({ "wrong": why })),
        }
    }
}

fn act(session: &mut Session<'_>, request: &Value, chance: &mut Chance) -> Result<Value, Wrong> {
    let mut problem = None;
    let mut all = None;
    match ask::text(request, "do")? {
        "take" => {
            let choice = ask::number(request, "choice")?;
            if !session.take(choice) {
                problem = Some("there is no such step here".to_string());
            }
        }
        "go" => {
            let index = ask::number(request, "index")?;
            if !session.go_to(index) {
                problem = Some("the trace has no such state".to_string());
            }
        }
        "machine" => match session.machine_choice(chance) {
            Some(choice) => drop(session.take(choice)),
            None => problem = Some("the machine has no step here".to_string()),
        },
        "follow" => {
            session.follow(&ask::path(request));
            all = Some(entries(session));
        }
        "restart" => {
            session.restart();
            all = Some(entries(session));
        }
        "watch" => {
            if let Err(refused) = session.watch(ask::text(request, "expr")?) {
                problem = Some(refused_text(&refused));
            }
        }
        "unwatch" => drop(session.unwatch(ask::number(request, "number")?)),
        other => return Err(Wrong(format!("`{other}` is nothing that a session does"))),
    }
    let mut answer = json!({
        "position": shown::position(&session.position()),
        "path": session.whole_path(),
    });
    if let Some(all) = all {
        answer["entries"] = json!(all);
    }
    if let Some(problem) = problem {
        answer["problem"] = json!(problem);
    }
    Ok(answer)
}

/// All states of the trace.
pub fn entries(session: &mut Session<'_>) -> Vec<Value> {
    let entries = session.entries();
    entries
        .iter()
        .map(|it| shown::entry(Some(&it.step), &it.frame, it.algorithm.as_ref(), &it.properties))
        .collect()
}

pub fn refused_text((sources, diagnostics): &Refused) -> String {
    let first = diagnostics
        .iter()
        .find(|it| it.is_error())
        .or(diagnostics.first());
    first.map_or(String::new(), |it| diag::render(it, sources, diag::Style::Plain))
}

/// Another game every time.
fn seed() -> u64 {
    let mut bytes = [0; 8];
    let _ = getrandom::fill(&mut bytes);
    u64::from_le_bytes(bytes)
}
