//! Frames of 200x50 over a tree of ten million nodes: the 99th percentile, and the cost of a user's keys.
//!
//! `cargo bench --bench frame`; `FRAME_NODES=1000000` uses a smaller tree. With `FRAME_ALGORITHM=alpha-beta` the tree is the
//! one that a search of so many nodes grows, and only the frames over it are timed. `FRAME_ATTACH=COMMAND` times the frames while
//! a program sends its search.

#[path = "../tests/tui_support/mod.rs"]
mod tui_support;

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use algorithms::Algorithm;
use external::{EngineSpec, ProgramSpec};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use search::Limits;
use session::{Config, State};
use tree::{NodeId, Tree};
use tui::app::App;
use tui_support::{app, huge, press};

const FRAMES: usize = 600;

/// Times `f`, frame by frame.
fn measure(name: &str, app: &mut App, mut f: impl FnMut(&mut App, usize)) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 200, 50));
    let mut times: Vec<Duration> = (0..FRAMES)
        .map(|i| {
            let begin = Instant::now();
            f(app, i);
            tui::views::frame(app, &mut buffer);
            black_box(&buffer);
            begin.elapsed()
        })
        .collect();
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{name:<44} median {:>7.3} ms   99 % {:>7.3} ms   worst {:>7.3} ms   {} rows",
        at(0.5),
        at(0.99),
        at(1.0),
        app.cx.explore.tree.rows().len()
    );
}

/// A workbench whose search has ended after this many nodes.
fn searched(algorithm: Algorithm, nodes: u64, memory: u64) -> App {
    let mut app = app();
    app.cx.config = Config {
        limits: Limits {
            nodes: Some(nodes),
            ..Limits::default()
        },
        memory,
        ..Config::new(algorithm)
    };
    app.cx.start_search();
    let ended = |app: &App| matches!(app.cx.status().map(|s| s.state), Some(State::Finished(_)));
    while !ended(&app) {
        std::thread::sleep(Duration::from_millis(10));
    }
    app
}

fn tree_nodes(app: &App) -> u32 {
    app.cx.status().map_or(0, |status| status.tree_nodes)
}

/// Times the frames while a session with about this many nodes is saved, and while it is opened again.
fn saving(nodes: u64) {
    // About nine nodes of its tree for one that is counted.
    let mut app = searched(Algorithm::Mcts, nodes * 10 / 93, 4 << 30);
    let grown = tree_nodes(&app);
    let path = std::env::temp_dir().join(format!("frame-{}.plyscope", std::process::id()));
    app.save_session(path.clone(), false);
    until(&format!("saving {grown} nodes"), &mut app, ": saved, ");
    app.open_path(&path);
    until("opening them", &mut app, "opened as it was saved");
    let _ = std::fs::remove_file(path);
}

/// Draws a frame every 16 ms until this is said, and prints how long the frames took.
fn until(name: &str, app: &mut App, said: &str) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 200, 50));
    let (begin, mut times) = (Instant::now(), Vec::new());
    while !app
        .cx
        .messages
        .all
        .last()
        .is_some_and(|m| m.text.contains(said))
    {
        std::thread::sleep(Duration::from_millis(16));
        let begin = Instant::now();
        app.tend();
        app.tick(begin);
        tui::views::frame(app, &mut buffer);
        black_box(&buffer);
        times.push(begin.elapsed());
    }
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{name:<44} median {:>7.3} ms   99 % {:>7.3} ms   worst {:>7.3} ms   {:.1} s",
        at(0.5),
        at(0.99),
        at(1.0),
        begin.elapsed().as_secs_f64()
    );
}

/// Starts a program that sends its search, explores the search while it grows, and prints how long the frames took: one every 16
/// ms, with a key before each.
fn attached(command: &str) {
    const KEYS: [&str; 10] = ["j", "l", "j", "l", "j", "PgDn", "PgUp", "*", "h", "g g"];
    let mut app = app();
    let engine = EngineSpec::parse(command).expect("a command");
    app.attach(ProgramSpec {
        engine,
        search: None,
    });
    let mut buffer = Buffer::empty(Rect::new(0, 0, 200, 50));
    let (mut times, mut grown) = (Vec::new(), Vec::new());
    let mut next = Instant::now();
    for frame in 0.. {
        next += Duration::from_millis(16);
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        let begin = Instant::now();
        let source = app.cx.session.as_ref();
        let is_open = source.is_some_and(|source| source.config().recorded.is_some());
        if is_open {
            press(&mut app, KEYS[frame / 8 % KEYS.len()]);
        }
        app.tend();
        app.tick(begin);
        tui::views::frame(&mut app, &mut buffer);
        black_box(&buffer);
        let status = app.cx.status().filter(|_| is_open);
        if status.is_some() {
            times.push(begin.elapsed());
            grown.push(tree_nodes(&app));
        }
        if let Some(State::Finished(_)) = status.map(|status| status.state) {
            break;
        }
        assert!(frame < 20_000, "{:?}", app.cx.status());
    }
    let frames = times.len();
    times.sort();
    let at = |share: f64| times[((frames - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{frames} frames while {} nodes came: median {:.3} ms, 99 % {:.3} ms, worst {:.3} ms",
        grown.last().expect("a tree"),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

/// Opens row after row until this many are shown.
fn open_many(app: &mut App, rows: usize) {
    let source = app.cx.session.take().expect("a tree");
    let mut queue = std::collections::VecDeque::from([Tree::ROOT]);
    let mut shown = 1;
    while let Some(node) = queue.pop_front().filter(|_| shown < rows) {
        if app.cx.explore.tree.open_node(source.reader(), node) {
            shown += usize::from(source.reader().tree.node(node).child_count());
            queue.extend(source.reader().tree.children(node));
        }
    }
    app.cx.session = Some(source);
    app.run("first");
}

fn main() {
    let nodes = std::env::var("FRAME_NODES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(10_000_000);
    if let Ok(command) = std::env::var("FRAME_ATTACH") {
        return attached(&command);
    }
    if let Ok(name) = std::env::var("FRAME_ALGORITHM") {
        let algorithm = name.parse().expect("an algorithm");
        let nodes = u64::from(nodes);
        let mut app = searched(algorithm, nodes, (1 << 30) + nodes * 80);
        println!("{} nodes in the tree of {name}", tree_nodes(&app));
        return walk(&mut app);
    }
    saving(u64::from(nodes));
    for beliefs in [false, true] {
        let begin = Instant::now();
        let still = huge(nodes, beliefs);
        let kind = if beliefs { "beliefs" } else { "visits" };
        println!(
            "{} nodes with {kind}, {} MiB, grown in {:.1} s",
            still.status.tree_nodes,
            still.status.tree_bytes >> 20,
            begin.elapsed().as_secs_f64()
        );
        let tree = still.tree.clone();
        let mut app = app();
        app.show_still(still);
        // Another thread keeps writing, as a search does.
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| write(&tree, &over));
            frames(&mut app);
            over.store(true, Ordering::Relaxed);
        });
    }
}

/// Adds visits and changes expected scores all over the tree.
fn write(tree: &Tree, over: &AtomicBool) {
    let mut at = 1u32;
    while !over.load(Ordering::Relaxed) {
        at = at.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let node = tree.node(NodeId(1 + at % (tree.len() - 5_000)));
        node.add_visits(1);
        node.set_expected(-node.expected());
    }
}

fn frames(app: &mut App) {
    walk(app);
    open_many(app, 2_000);
    println!("with 2,000 rows open:");
    walk(app);
    open_many(app, 20_000);
    println!("with 20,000 rows open:");
    walk(app);
}

fn walk(app: &mut App) {
    measure("a frame, nothing changed", app, |_, _| {});
    measure("a frame, rows made and sorted anew", app, |app, _| {
        app.cx.explore.tree.touch();
    });
    measure("walk down", app, |app, _| press(app, "j"));
    measure("a page up", app, |app, _| press(app, "PgUp"));
    measure("open and close", app, |app, i| {
        press(app, if i % 2 == 0 { "j l" } else { "h" })
    });
    measure("the best line", app, |app, i| {
        press(app, if i % 2 == 0 { "*" } else { "g g" })
    });
    measure("another order", app, |app, i| {
        let orders = tui::panes::tree::Sort::ALL;
        app.cx.explore.tree.set_sort(orders[i % orders.len()]);
    });
    measure("another filter", app, |app, i| {
        let filters = tui::panes::tree::Filter::choices();
        app.cx
            .explore
            .tree
            .set_filter(filters[i % filters.len()].clone());
    });
    app.cx
        .explore
        .tree
        .set_filter(tui::panes::tree::Filter::All);
}
