//! A story as a page that replays it: no server, no address but its own, nothing to install.

use super::Story;
use crate::markup::escaped;
use crate::svg::frame_svg;

/// The frames are in the page, all but one of them hidden; a few lines of script show another one.
pub(super) fn write(story: &Story) -> String {
    let mut scenes = String::new();
    for (i, (scene, frame)) in story.behaviour.states.iter().zip(story.frames()).enumerate() {
        let place = scene.location.as_deref();
        let place = place.map_or(String::new(), |it| format!(" <small>{}</small>", escaped(it)));
        let hidden = if i == 0 { "" } else { " hidden" };
        scenes += &format!(
            "<section class=\"scene\"{hidden} aria-label=\"state {0} of {1}\"><h2>{2}{place}</h2>{3}</section>\n",
            i + 1,
            story.behaviour.states.len(),
            escaped(&story.numbered(i)),
            frame_svg(&frame)
        );
    }
    let steps: String = story
        .behaviour
        .states
        .iter()
        .enumerate()
        .map(|(i, it)| {
            let step = match it.step() {
                it if it.is_empty() => format!("state {}", i + 1),
                it => it,
            };
            format!("<li><button data-at=\"{i}\">{}</button></li>\n", escaped(&step))
        })
        .collect();
    let ending = story.loop_line().into_iter().chain(story.ending.iter().cloned());
    let ending: String = ending.map(|it| format!("<p>{}</p>\n", escaped(&it))).collect();
    PAGE.replace("{title}", &escaped(&story.title))
        .replace(
            "{loop}",
            &story
                .behaviour
                .loop_to
                .map_or("null".to_owned(), |it| it.to_string()),
        )
        .replace("{ending}", &ending)
        .replace("{steps}", &steps)
        .replace("{scenes}", &scenes)
}

const PAGE: &str = include_str!("page.html");
