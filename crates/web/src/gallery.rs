//! The gallery as the page shows it: the texts of each specification, and pictures for its card.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::OnceCell;
use workbench::Entry;

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

    /// For each name, the frames of a short walk.
    pub async fn pictures(&self) -> &Value {
        self.cards.get_or_init(|| self.make()).await
    }

    async fn make(&self) -> Value {
        let mut all = serde_json::Map::new();
        for entry in workbench::gallery() {
            let card = card(entry);
            let source = json!({ "main": card["main"], "files": card["files"], "config": card["config"] });
            let pictures = self
                .jobs
                .answer(&json!({ "do": "card", "source": source }), PICTURES_TIME)
                .await;
            if let Ok(pictures) = pictures {
                all.insert(entry.name.to_string(), pictures["frames"].clone());
            }
        }
        Value::Object(all)
    }
}

/// A specification as the page opens it.
pub fn card(entry: &Entry) -> Value {
    let files: Vec<Value> = entry
        .files
        .iter()
        .map(|(name, text)| json!({ "name": name, "text": text }))
        .collect();
    let main = entry.files[0].0;
    let stem = main.rsplit_once('.').map_or(main, |it| it.0);
    let config = format!("{stem}.cfg");
    json!({
        "name": entry.name,
        "title": entry.title,
        "language": entry.language.name(),
        "main": main,
        "config": entry.file(&config).map(|_| config),
        "files": files,
    })
}
