//! Frames of the Game tab at 200x50 while a review of the game runs on all cores: how long each takes in wall-clock
//! time while someone goes through the game, and how late the screen gets its turn.
//!
//! `cargo bench --bench game_tab -- FILE.pgn`; without a file, the opera game. `REVIEW_NODES=2000` makes the searches
//! smaller.

use std::path::Path;
use std::time::{Duration, Instant};

use algorithms::Algorithm;
use games::Document;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use screen::theme::{Depth, ThemeStore};
use session::Budget;
use session::Config;
use tui::app::{App, Setup};

const FRAME: Duration = Duration::from_millis(16);

fn main() {
    let named = std::env::args().skip(1).find(|a| !a.starts_with("--"));
    let file = named.unwrap_or_else(|| {
        concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/sample-positions/opera-game.pgn"
        )
        .to_owned()
    });
    let begin = Instant::now();
    let document = Document::open(Path::new(&file)).expect("a PGN file");
    let entry = document.first_entry().expect("a game");
    println!("first game after {:.1} ms", milliseconds(begin.elapsed()));
    let mut app = App::new(Setup {
        document,
        entry,
        config: Config::new(Algorithm::AlphaBeta),
        theme: ThemeStore::DEFAULT.to_owned(),
        themes: ThemeStore::default(),
        depth: Depth::True,
        ascii: false,
    });
    app.run("tab-game");
    let nodes = std::env::var("REVIEW_NODES").ok();
    app.tabs.game.budget = Budget::Nodes(nodes.and_then(|n| n.parse().ok()).unwrap_or(20_000));
    review(&mut app);
}

fn milliseconds(d: Duration) -> f64 {
    d.as_secs_f64() * 1e3
}

fn review(app: &mut App) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 200, 50));
    let begin = Instant::now();
    app.run("review");
    println!("the key R took {:.2} ms", milliseconds(begin.elapsed()));
    let (mut frames, mut late) = (Vec::new(), Vec::new());
    let walk = [
        "game-next",
        "game-next",
        "game-down",
        "next-mark",
        "next-disagreement",
    ];
    while app.tabs.game.is_running() {
        let due = Instant::now() + FRAME;
        std::thread::sleep(FRAME);
        late.push(Instant::now() - due);
        let start = Instant::now();
        app.tend();
        app.run(walk[frames.len() % walk.len()]);
        tui::views::frame(app, &mut buffer);
        frames.push(start.elapsed());
    }
    let (done, all) = app
        .tabs
        .game
        .review
        .as_ref()
        .map_or((0, 0), |r| r.review.progress());
    println!(
        "{done} of {all} searches in {:.1} s, {} plies",
        begin.elapsed().as_secs_f64(),
        app.cx.current.plies()
    );
    for (name, mut times) in [("a frame with a key before it", frames), ("late by", late)] {
        times.sort();
        let at = |share: f64| {
            let last = times.len().saturating_sub(1);
            times
                .get((last as f64 * share) as usize)
                .copied()
                .unwrap_or_default()
        };
        println!(
            "{name:<30} median {:>7.3} ms   99 % {:>7.3} ms   worst {:>7.3} ms   of {}",
            milliseconds(at(0.5)),
            milliseconds(at(0.99)),
            milliseconds(at(1.0)),
            times.len()
        );
    }
}
