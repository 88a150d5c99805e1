//! The debugger on the screen: stepping, the log, the scrubber, the breakpoints.

mod tui_support;

use plyscope::search::Event;
use plyscope::tree::{Fate, NodeId, Tree};
use plyscope::tui::app::App;
use plyscope::tui::debugger::model::{Log, Place, Standing, Why};
use plyscope::tui::source::{Record, Still};
use tui_support::{alpha_beta, app, press, screen, text};

fn recorded(mut still: Still) -> Still {
    let tree = &still.tree;
    let mut events = vec![Event::Iteration { depth: 7 }];
    for child in tree.children(Tree::ROOT) {
        let n = tree.node(child);
        events.push(Event::Enter {
            node: child,
            alpha: plyscope::game::Score::new(-36),
            beta: plyscope::game::Score::new(-35),
            depth: 6,
        });
        for g in tree.children(child) {
            let n = tree.node(g);
            if n.fate().is_skip() {
                events.push(Event::Prune {
                    parent: child,
                    m: n.move_code(),
                    fate: n.fate(),
                });
            }
        }
        events.push(Event::Cut {
            node: child,
            fate: n.fate(),
        });
    }
    let event = *events.last().unwrap();
    let first = 4700;
    let number = first + events.len() as u64 - 1;
    still.record = Some(Record {
        log: Log::of(first, events),
        standing: Standing {
            number,
            event,
            why: Why::Breakpoint(2),
        },
        place: Place {
            first: 0,
            now: number,
            last: 12_345,
            under_way: None,
        },
    });
    still
}

#[test]
fn look() {
    for (w, h) in [(80, 24), (120, 36), (200, 50)] {
        let mut app = app();
        app.debug.shown = true;
        app.show_still(recorded(alpha_beta()));
        println!("{}", text(&screen(&mut app, w, h)));
        press(&mut app, "Tab k k k");
        println!("{}", text(&screen(&mut app, w, h)));
        press(&mut app, "B");
        println!("{}", text(&screen(&mut app, w, h)));
        press(&mut app, "a o n space f o Enter");
        println!("{}", text(&screen(&mut app, w, h)));
        press(&mut app, "Backspace Backspace c");
        println!("{}", text(&screen(&mut app, w, h)));
        press(&mut app, "Tab Enter");
        println!("{}", text(&screen(&mut app, w, h)));
    }
}
