//! The commands of the Lab tab and of its pages. Those of a page stand in the order in which the bottom line hints at them; the
//! first one runs the page's experiment, or stops it.

use std::ops::RangeInclusive;

use super::depths::{DepthsPage, Shown};
use super::differential::{DifferentialPage, Figure};
use super::spread::{Cells, Show, SpreadPage};
use super::sweep::SweepPage;
use super::{LabPage, LabPanel, LabTab, Positions};
use crate::commands::{Group, group};
use crate::tabs::{Scope, Tab};
use depth_first::margin::FAMILIES;
use lab::Origin;
use lab::sweep::Judge;

/// Commands of all pages.
pub const COMMANDS: Group = group! { "Lab tab", Some(Scope::tab(Tab::Lab));
    "lab-page" ["P"] as "panel" "next page", "the Lab's next page: each has an experiment of its own" => |a, _| a.tabs.lab.show_lab_page(&mut a.cx, a.tabs.lab.page.next());
    "lab-page-back" ["g P"] "previous page", "the Lab's page before" => |a, _| a.tabs.lab.show_lab_page(&mut a.cx, a.tabs.lab.page.previous());
};

/// Commands of the page on futility margins.
pub const FUTILITY: Group = group! { "Lab: futility margins", Some(Scope::lab(LabPage::Futility));
    "lab-run" ["space"] as "pause" "measure", "measure how scores change with depth and try the margins; again: stop" => |a, _| a.tabs.lab.toggle_lab(&mut a.cx);
    "lab-fit" ["g m"] "fit", "fit the margins to the changes measured so far" => |a, _| a.tabs.lab.fit_lab(&mut a.cx);
    "lab-use" ["Enter"] as "board-here" "use", "search in Explore with the chosen margin" => |a, _| a.tabs.lab.use_lab_margin(&mut a.cx);
    "lab-panel" ["Tab"] as "next-pane" "panel", "margins or the audit below the chart, where both don't fit" => |a, _| next(&mut a.tabs.lab.panel, &LabPanel::ALL);
    "lab-next" ["j  Down"] as "down" "next family", "choose the next family of margins" => |a, n| walk(&mut a.tabs.lab.family, times(n), FAMILIES.len());
    "lab-positions" ["g o"] as "lab-positions" "positions", "measure over the samples, or over the open game or file" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.positions, &Positions::ALL));
    "lab-count" ["g c"] as "lab-count" "how many", "the largest number of positions" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.count, &LabTab::COUNTS));
    "lab-rule" ["g r"] "rule", "the rule under test: futility, reverse futility, razoring" => |a, _| a.tabs.lab.next_lab_rule(&mut a.cx);
    "lab-equal" ["g ="] "equal savings", "take the margins of the trials, which save equal nodes" => |a, _| a.tabs.lab.equal_lab(&mut a.cx);
    "lab-deeper" ["l  Right"] as "open" "deeper", "measure a ply deeper" => |a, n| a.tabs.lab.set_lab(&mut a.cx, |lab| add(&mut lab.depth, times(n), LAB_DEPTHS));
    "lab-audit-more" ["g +"] "audit more", "audit twice as many prunes" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| lab.change_audit(true));
    "lab-level" ["g %"] "level", "the share of changes that may go beyond a fitted margin: 1, 5, 10 %" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.level, &LabTab::LEVELS));
    "lab-origin" ["g s"] "from", "changes from the static value or from quiescence" => |a, _| next(&mut a.tabs.lab.origin, &[Origin::Static, Origin::Quiescence]);
    "lab-previous" ["k  Up"] as "up" "previous family", "choose the previous family" => |a, n| walk(&mut a.tabs.lab.family, -times(n), FAMILIES.len());
    "lab-shallower" ["h  Left"] as "close" "shallower", "measure a ply less deep" => |a, n| a.tabs.lab.set_lab(&mut a.cx, |lab| add(&mut lab.depth, -times(n), LAB_DEPTHS));
    "lab-audit-less" ["g -"] "audit less", "audit half as many prunes; at the end none: measure only" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| lab.change_audit(false));
};

/// Commands of the page on point differential.
pub const DIFFERENTIAL: Group = group! { "Lab: point differential", Some(Scope::lab(LabPage::Differential));
    "grid-run" ["space"] as "pause" "play", "play the matches of the grid, or continue them; again: stop" => |a, _| a.tabs.lab.toggle_lab(&mut a.cx);
    "grid-figure" ["Tab"] as "next-pane" "figures", "scores, Elo or games in the cells" => |a, _| next(&mut a.tabs.lab.differential.figure, &Figure::ALL);
    "grid-games" ["g c"] as "lab-count" "how many", "the number of games in each cell" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.differential.games, &DifferentialPage::GAMES));
    "grid-playouts" ["g n"] as "more-nodes" "playouts", "the number of playouts for each move; each number has its own results" => |a, _| a.tabs.lab.next_differential_playouts(&mut a.cx);
    "grid-use" ["Enter"] as "board-here" "use", "search in Explore by playouts with the chosen weights" => |a, _| a.tabs.lab.use_differential(&mut a.cx);
    "grid-export" ["e"] as "export-view" "export", "write the grid as CSV or JSON" => |a, _| a.tabs.lab.ask_differential_export(&mut a.cx);
    "grid-down" ["j  Down"] as "down" "down", "a larger weight at the start of a game" => |a, n| a.tabs.lab.differential.walk(times(n), 0);
    "grid-right" ["l  Right"] as "open" "right", "a larger weight at its end" => |a, n| a.tabs.lab.differential.walk(0, times(n));
    "grid-up" ["k  Up"] as "up" "up", "a smaller weight at the start of a game" => |a, n| a.tabs.lab.differential.walk(-times(n), 0);
    "grid-left" ["h  Left"] as "close" "left", "a smaller weight at its end" => |a, n| a.tabs.lab.differential.walk(0, -times(n));
};

/// Commands of the page on spread.
pub const SPREAD: Group = group! { "Lab: spread", Some(Scope::lab(LabPage::Spread));
    "spread-run" ["space"] as "pause" "run", "run the experiment that is shown; again: stop" => |a, _| a.tabs.lab.toggle_lab(&mut a.cx);
    "spread-trees" ["Tab"] as "next-pane" "trees", "spread in searches of positions, or in random toy trees" => |a, _| a.tabs.lab.spread.turn(Show::Toy);
    "spread-calibration" ["g C"] "calibration", "searches judged by ten times longer ones of their own, or spread again" => |a, _| a.tabs.lab.spread.turn(Show::Calibration);
    "spread-cells" ["g F"] "figures", "in the table: sd, coverage or score by depth; of positions sd of expanded nodes, of leaves, the mean's moves" => |a, _| next(&mut a.tabs.lab.spread.cells, &Cells::ALL);
    "spread-next" ["j  Down"] as "down" "next rule", "choose the next back-up rule" => |a, n| a.tabs.lab.spread.walk(times(n));
    "spread-use" ["Enter"] as "board-here" "use", "search in Explore with the chosen back-up rule" => |a, _| a.tabs.lab.use_spread_rule(&mut a.cx);
    "spread-nodes" ["g n"] as "more-nodes" "nodes", "the number of nodes of each search" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.spread.nodes, &SpreadPage::NODES));
    "spread-count" ["g c"] as "lab-count" "how many", "the largest number of positions" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.spread.count, &SpreadPage::COUNTS));
    "spread-branching" ["g M"] "moves", "the number of moves at each node of a toy tree" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.spread.branching, &SpreadPage::BRANCHING));
    "spread-positions" ["g o"] as "lab-positions" "positions", "the samples' positions, or those of the open game or file" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.positions, &Positions::ALL));
    "spread-previous" ["k  Up"] as "up" "previous rule", "choose the previous one" => |a, n| a.tabs.lab.spread.walk(-times(n));
};

/// Commands of the page on values by depth.
pub const DEPTHS: Group = group! { "Lab: values by depth", Some(Scope::lab(LabPage::Depths));
    "depths-run" ["space"] as "pause" "run", "search labelled positions to every depth, fit and judge the belief; again: stop" => |a, _| a.tabs.lab.toggle_lab(&mut a.cx);
    "depths-positions" ["g o"] as "lab-positions" "labels", "the built-in labels, or those of the open file" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.positions, &Positions::ALL));
    "depths-count" ["g c"] as "lab-count" "how many", "the largest number of positions" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.depths.count, &DepthsPage::COUNTS));
    "depths-deeper" ["l  Right"] as "open" "deeper", "search a ply deeper" => |a, n| a.tabs.lab.set_lab(&mut a.cx, |lab| add(&mut lab.depths.depth, times(n), DepthsPage::DEPTHS));
    "depths-shallower" ["h  Left"] as "close" "shallower", "search a ply less deep" => |a, n| a.tabs.lab.set_lab(&mut a.cx, |lab| add(&mut lab.depths.depth, -times(n), DepthsPage::DEPTHS));
    "depths-shown" ["Tab"] as "next-pane" "coverage", "the coverage of the fitted belief, of the one in use or of the control, where all don't fit" => |a, _| next(&mut a.tabs.lab.depths.shown, &Shown::ALL);
};

/// Commands of the page on sweeps.
pub const SWEEP: Group = group! { "Lab: sweep", Some(Scope::lab(LabPage::Sweep));
    "sweep-run" ["space"] as "pause" "try", "try all variants on the same positions; again: stop" => |a, _| a.tabs.lab.toggle_lab(&mut a.cx);
    "sweep-type" ["g V"] "formula", "type what is varied: an algorithm, options with formulas, and the values of each name" => |a, _| a.tabs.lab.ask_sweep(&mut a.cx);
    "sweep-ready" ["Tab"] as "next-pane" "next sweep", "the next of the sweeps that are ready to run" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| lab.sweep.next_ready());
    "sweep-judge" ["g j"] as "judge" "judge", "what makes a variant better: solved, points, belief, loss, audit, match" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.sweep.judge, &Judge::ALL));
    "sweep-use" ["Enter"] as "board-here" "use", "search in Explore with the chosen variant" => |a, _| a.tabs.lab.use_variant(&mut a.cx);
    "sweep-next" ["j  Down"] as "down" "next variant", "choose the next variant" => |a, n| a.tabs.lab.sweep.walk(times(n));
    "sweep-nodes" ["g n"] as "more-nodes" "nodes", "the nodes of each search; of a move, in games" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.sweep.nodes, &SweepPage::NODES));
    "sweep-count" ["g c"] as "lab-count" "how many", "the largest number of positions, or the number of openings" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.sweep.count, &SweepPage::COUNTS));
    "sweep-positions" ["g o"] as "lab-positions" "positions", "the built-in positions, or those of the open game or file" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.positions, &Positions::ALL));
    "sweep-previous" ["k  Up"] as "up" "previous variant", "choose the previous variant" => |a, n| a.tabs.lab.sweep.walk(-times(n));
};

/// Commands of the page on the sources' questions.
pub const QUESTIONS: Group = group! { "Lab: questions", Some(Scope::lab(LabPage::Questions));
    "questions-run" ["space"] as "pause" "run", "run the experiment that answers the question; again: stop" => |a, _| a.tabs.lab.toggle_lab(&mut a.cx);
    "questions-next" ["Tab"] as "next-pane" "next question", "the next of the sources' questions" => |a, n| a.tabs.lab.questions.turn(times(n));
    "questions-down" ["j  Down"] as "down" "down", "the results further down" => |a, n| a.tabs.lab.questions.scroll(times(n));
    "questions-count" ["g c"] as "lab-count" "how many", "the largest number of positions, or the number of draws or trees" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| lab.questions.next_count());
    "questions-nodes" ["g n"] as "more-nodes" "nodes", "the nodes of each search" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| lab.questions.next_nodes());
    "questions-positions" ["g o"] as "lab-positions" "positions", "the samples' positions, or those of the open game or file" => |a, _| a.tabs.lab.set_lab(&mut a.cx, |lab| next(&mut lab.positions, &Positions::ALL));
    "questions-up" ["k  Up"] as "up" "up", "the results further up" => |a, n| a.tabs.lab.questions.scroll(-times(n));
    "questions-page-down" ["PgDn  Ctrl-f"] as "page-down" "page down", "the results a page down" => |a, n| a.tabs.lab.questions.scroll(PAGE * times(n));
    "questions-page-up" ["PgUp  Ctrl-b"] as "page-up" "page up", "the results a page up" => |a, n| a.tabs.lab.questions.scroll(-PAGE * times(n));
    "questions-back" ["Shift-Tab"] as "previous-pane" "previous question", "the question before" => |a, n| a.tabs.lab.questions.turn(-times(n));
};

/// The lines of a page of results.
const PAGE: isize = 15;

/// The depths to which changes of score can be measured.
const LAB_DEPTHS: RangeInclusive<u16> = 2..=20;

/// Returns how many steps a count asks for.
fn times(count: Option<usize>) -> isize {
    count.unwrap_or(1) as isize
}

/// Chooses the next of several; the first one follows the last.
pub(super) fn next<T: Copy + PartialEq>(at: &mut T, all: &[T]) {
    let place = all.iter().position(|x| x == at).map_or(0, |i| i + 1);
    *at = all[place % all.len()];
}

/// Goes so many steps along a ring of `n` places.
pub(super) fn walk(at: &mut usize, by: isize, n: usize) {
    *at = (*at as isize + by).rem_euclid(n as isize) as usize;
}

/// Adds to a number that has to stay in a range.
pub(super) fn add(at: &mut u16, by: isize, range: RangeInclusive<u16>) {
    let sum = (*at as isize).saturating_add(by);
    *at = sum.clamp(*range.start() as isize, *range.end() as isize) as u16;
}
