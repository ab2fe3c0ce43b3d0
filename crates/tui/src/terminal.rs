//! The terminal itself: taken over at the beginning, given back at the end, whatever happens in between.

use std::io::{self, Stdout, stdout};

use crossterm::event::{DisableMouseCapture, EnableMouseCapture, Event, read};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use crate::app::App;
use crate::player::Player;
use crate::screen::draw;

/// Plays on the terminal until the player quits.
pub fn run(player: &mut Player<'_, '_>, is_coloured: bool) -> io::Result<()> {
    let mut taken = Taken::new()?;
    let mut app = App::new(player, is_coloured);
    while !app.is_over {
        taken.terminal.draw(|frame| draw(frame, &mut app))?;
        if app.pending.is_some() {
            app.go_on();
            continue;
        }
        match read()? {
            Event::Key(key) => app.key(key),
            Event::Mouse(mouse) => app.mouse(mouse),
            // The next drawing finds out how large the screen is now.
            _ => {}
        }
    }
    Ok(())
}

/// The terminal while it is ours.
struct Taken {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Taken {
    fn new() -> io::Result<Taken> {
        // A message about a panic must not be drawn over.
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            give_back();
            report(info);
        }));
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        Ok(Taken {
            terminal: Terminal::new(CrosstermBackend::new(stdout()))?,
        })
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        give_back();
    }
}

/// As it was before. Twice does no harm, and whoever cannot write to the terminal cannot be helped.
fn give_back() {
    let _ = disable_raw_mode();
    let _ = execute!(
        stdout(),
        DisableMouseCapture,
        LeaveAlternateScreen,
        crossterm::cursor::Show
    );
}
