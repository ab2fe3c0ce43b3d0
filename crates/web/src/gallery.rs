//! The gallery as the page shows it: the texts of each specification, and pictures for its card.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::OnceCell;
use workbench::{Entry, Language};

use crate::jobs::Jobs;

/// Made once, since walking through five specifications takes a moment.
#[derive(Clone)]
pub struct Cards {
    jobs: Jobs,
    cards: Arc<OnceCell<Value>>,
}

/// A card without pictures is better than none.
const PICTURES_TIME: Duration = Duration::from_secs(20);

impl Cards {
    pub fn new(jobs: Jobs) -> Cards {
        Cards {
            jobs,
            cards: Arc::default(),
        }
    }

    pub async fn get(&self) -> &Value {
        self.cards.get_or_init(|| self.make()).await
    }

    async fn make(&self) -> Value {
        let mut cards = vec![];
        for entry in workbench::gallery() {
            let mut card = card(entry);
            let request = json!({ "do": "card", "source": { "main": card["main"], "files": card["files"], "config": card["config"] } });
            let pictures = self.jobs.answer(&request, PICTURES_TIME).await;
            card["frames"] = pictures.map_or(json!([]), |it| it["frames"].clone());
            cards.push(card);
        }
        Value::Array(cards)
    }
}

fn card(entry: &Entry) -> Value {
    let files: Vec<Value> = entry.files.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect();
    let main = entry.files[0].0;
    let stem = main.rsplit_once('.').map_or(main, |it| it.0);
    let config = format!("{stem}.cfg");
    json!({
        "name": entry.name,
        "title": entry.title,
        "language": match entry.language { Language::Tla => "TLA+", Language::Alloy => "Alloy" },
        "main": main,
        "config": entry.file(&config).map(|_| config),
        "files": files,
    })
}
