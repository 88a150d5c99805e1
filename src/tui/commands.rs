//! The one table of commands: it feeds the keys, the palette, the help and the hints.

use super::app::{App, LabPage, Scope, Tab};
use super::keys::Keymap;
use crate::engine::debug::Step;

/// Where a command stands in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Walk,
    Tree,
    Search,
    Debug,
    Compare,
    Game,
    Review,
    Learn,
    Lab,
    Futility,
    Differential,
    Spread,
    Screen,
}

impl Group {
    pub const ALL: [Group; 13] = [
        Group::Walk,
        Group::Tree,
        Group::Search,
        Group::Debug,
        Group::Compare,
        Group::Game,
        Group::Review,
        Group::Learn,
        Group::Lab,
        Group::Futility,
        Group::Differential,
        Group::Spread,
        Group::Screen,
    ];

    /// The tab whose keys these are; `None`: they mean the same everywhere. Where both have a key, the tab's own comes
    /// first.
    #[must_use]
    pub fn tab(self) -> Option<Tab> {
        match self {
            Group::Compare => Some(Tab::Compare),
            Group::Review => Some(Tab::Game),
            Group::Learn => Some(Tab::Learn),
            Group::Lab | Group::Futility | Group::Differential | Group::Spread => Some(Tab::Lab),
            _ => None,
        }
    }

    /// The tab or the page of it whose keys these are.
    #[must_use]
    pub fn scope(self) -> Option<Scope> {
        match self {
            Group::Futility => Some(LabPage::Futility.into()),
            Group::Differential => Some(LabPage::Differential.into()),
            Group::Spread => Some(LabPage::Spread.into()),
            _ => self.tab().map(Scope::from),
        }
    }

    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Group::Walk => "Walk the tree",
            Group::Tree => "Show the tree",
            Group::Search => "Search",
            Group::Debug => "Debugger",
            Group::Compare => "Compare",
            Group::Game => "Game and files",
            Group::Review => "Game tab",
            Group::Learn => "Learn tab",
            Group::Lab => "Lab tab",
            Group::Futility => "Lab: futility margins",
            Group::Differential => "Lab: point differential",
            Group::Spread => "Lab: spread",
            Group::Screen => "Screen",
        }
    }
}

/// One command.
pub struct Command {
    /// How the configuration and the palette call it.
    pub id: &'static str,
    /// Default keys, alternatives separated by two spaces.
    pub keys: &'static str,
    /// Two or three words for hints.
    pub name: &'static str,
    /// One line.
    pub doc: &'static str,
    pub group: Group,
    /// The count typed before the key, if there was one.
    pub run: fn(&mut App, Option<usize>),
}

impl Command {
    /// The default keys one by one; none where only the palette leads to it.
    fn alternatives(&self) -> impl Iterator<Item = &'static str> {
        self.keys.split("  ").filter(|keys| !keys.is_empty())
    }
}

/// Commands that ask for a text: in the palette their name and a space lead on to it.
pub const ASKING: [&str; 5] = ["break", "goto", "log-filter", "find", "open-file"];

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

macro_rules! commands {
    ($($group:ident { $($id:literal [$keys:literal] $name:literal, $doc:literal => $run:expr;)* })*) => {
        /// Every command, group by group.
        pub static COMMANDS: &[Command] = &[$($(Command {
            id: $id, keys: $keys, name: $name, doc: $doc, group: Group::$group, run: $run,
        },)*)*];
    };
}

commands! {
    Walk {
        "down" ["j  Down"] "down", "next row (a count before it: that many)" => |a, n| a.walk(n.unwrap_or(1) as isize);
        "up" ["k  Up"] "up", "previous row" => |a, n| a.walk(-(n.unwrap_or(1) as isize));
        "open" ["l  Right"] "open", "open the row, or go to its first child (a count: that many plies)" => |a, n| a.open_or_enter(n.unwrap_or(1));
        "close" ["h  Left"] "close", "close the row, or go to its parent" => |a, n| a.close_or_leave(n.unwrap_or(1));
        "toggle" ["Shift-Right"] "toggle", "open a closed row, close an open one" => |a, _| a.toggle();
        "first" ["g g  Home"] "first", "first row (a count: that row)" => |a, n| a.go_to(n.map_or(0, |n| n - 1));
        "last" ["G  End"] "last", "last row (a count: that row)" => |a, n| a.go_to(n.map_or(usize::MAX, |n| n - 1));
        "page-down" ["PgDn  Ctrl-f"] "page down", "a page down" => |a, n| a.page(n.unwrap_or(1) as isize);
        "page-up" ["PgUp  Ctrl-b"] "page up", "a page up" => |a, n| a.page(-(n.unwrap_or(1) as isize));
        "half-down" ["Ctrl-d"] "half down", "half a page down" => |a, n| a.half_page(n.unwrap_or(1) as isize);
        "half-up" ["Ctrl-u"] "half up", "half a page up" => |a, n| a.half_page(-(n.unwrap_or(1) as isize));
        "next-sibling" ["J  Shift-Down"] "next sibling", "next move of the same position" => |a, n| a.sibling(n.unwrap_or(1) as isize);
        "previous-sibling" ["K  Shift-Up"] "previous sibling", "previous move of the same position" => |a, n| a.sibling(-(n.unwrap_or(1) as isize));
        "best" ["*"] "best line", "go to the best line; on it: one move further" => |a, n| a.follow_best(n.unwrap_or(1));
        "next-failed-audit" ["g a"] "failed audit", "the next move or node that was pruned, but was best as its audit found; through closed rows too" => |a, n| a.next_failed_audit(n.unwrap_or(1) as isize);
        "previous-failed-audit" ["g A"] "previous failed audit", "the previous one" => |a, n| a.next_failed_audit(-(n.unwrap_or(1) as isize));
        "proof" ["g p"] "proof", "show only what proves the selected node's result: one move for the winner, every reply to it; again: all rows" => |a, _| a.toggle_proof();
        "find" ["/"] "find", "find a row by its move, or a line from the root: e4 e5 Nf3" => |a, _| a.ask_find();
        "find-next" ["Ctrl-n"] "find next", "the next row that the last search finds" => |a, n| a.find_again(n.unwrap_or(1) as isize);
        "find-previous" ["Ctrl-p"] "find previous", "the previous row that the last search finds" => |a, n| a.find_again(-(n.unwrap_or(1) as isize));
    }
    Tree {
        "board-here" ["Enter"] "on the board", "show the selected node on the board; again: back to the search's position" => |a, _| a.board_here();
        "open-best" ["o"] "open best line", "open every node of the best line" => |a, _| a.open_best_line();
        "close-all" ["O"] "close all", "close everything but the root" => |a, _| a.close_all();
        "filter" ["f"] "filter", "choose which rows are shown: by fate or family of fates, failed audits, proof or text" => |a, _| a.ask_filter();
        "drawing" ["d"] "drawing", "draw a toy tree whole, root on top (arrows go where they point); again: its rows" => |a, _| a.toggle_drawing();
        "sort" ["S"] "sort", "choose the order of the rows" => |a, _| a.ask_sort();
        "centre" ["z"] "centre", "bring the selected row to the middle" => |a, _| a.centre();
        "copy-fen" ["y"] "copy FEN", "copy the selected position as FEN (toy trees: its path)" => |a, _| a.copy_fen();
        "copy-line" ["Y"] "copy line", "copy the line to the selected node" => |a, _| a.copy_line();
    }
    Search {
        "pause" ["space"] "pause", "run or pause the search" => |a, _| a.toggle_pause();
        "restart" ["x"] "restart", "begin the search anew" => |a, _| a.restart();
        "algorithm" ["a"] "algorithm", "choose the algorithm and its options" => |a, _| a.ask_algorithm();
        "fewer-threads" ["["] "fewer threads", "one thread less (the search begins anew)" => |a, n| a.change_threads(-(n.unwrap_or(1) as isize));
        "more-threads" ["]"] "more threads", "one thread more (the search begins anew)" => |a, n| a.change_threads(n.unwrap_or(1) as isize);
    }
    Debug {
        "step" ["s"] "step", "step into: to the next event (a count before it: that many)" => |a, n| a.step(Step::Into, n);
        "step-over" ["n"] "over", "step over: until this node's subtree, or this descent, is finished" => |a, n| a.step(Step::Over, n);
        "step-out" ["u"] "out", "step out: until this node is left" => |a, n| a.step(Step::Out, n);
        "step-back" ["b"] "back", "step back: the state one event before" => |a, n| a.step_back(n);
        "run-to-break" ["r"] "to break", "run to the next breakpoint" => |a, n| a.step(Step::ToBreak, n);
        "breakpoints" ["B"] "breakpoints", "the breakpoints: on, off, add, change, delete" => |a, _| a.show_breakpoints();
        "break" [""] "break at", "add a breakpoint: on cutoff, at \"e4 e5\", when visits >= 1000" => |a, _| a.ask_breakpoint();
        "break-on-change" ["W"] "watch", "break when the selected node changes; again: no more" => |a, _| a.break_on_change();
        "goto" ["g e"] "go to event", "go to an event in time: by its number, before it or asked for; in the log to the selected one" => |a, n| a.ask_event(n);
        "first-event" ["("] "earliest event", "go back to the earliest event one can go back to" => |a, _| a.go_to_end_of_time(false);
        "last-event" [")"] "furthest event", "go on to the furthest event seen" => |a, _| a.go_to_end_of_time(true);
        "node-events" ["L"] "its events", "show only the selected node's events in the log; again: all" => |a, _| a.show_node_events();
        "log-filter" [""] "filter the log", "show only some events: a kind, or an expression as in breakpoints" => |a, _| a.ask_log_filter();
        "debugger" ["D"] "debugger", "show or hide the event log and the scrubber" => |a, _| a.toggle_debugger();
        "quiz" ["Q"] "quiz", "a quiz on this position and algorithm: the search stops and asks what happens next; again: end it" => |a, _| a.toggle_quiz();
        "search-more" ["+"] "search more", "give the selected node the next 10,000 nodes (a count: that many times 10,000)" => |a, n| a.search_more(n.unwrap_or(1));
        "never" ["-"] "never", "never search the selected move; again: let it back in" => |a, _| a.never();
        "only" ["="] "only this", "at its parent search only the selected move; again: all" => |a, _| a.only();
        "cancel" ["Esc"] "cancel", "give up a rewind or a run to a breakpoint; in the log: show all events again" => |a, _| a.cancel();
    }
    Compare {
        "compare-pause" ["space"] "pause", "run or pause all columns" => |a, _| a.pause_columns();
        "pause-column" ["P"] "pause one", "run or pause the focused column" => |a, _| a.pause_column();
        "compare-restart" ["x"] "restart", "begin all columns anew" => |a, _| a.restart_columns();
        "next-column" ["Tab"] "column", "give the keys to the next column" => |a, n| a.next_column(n.unwrap_or(1) as isize);
        "previous-column" ["Shift-Tab"] "previous column", "give the keys to the previous column" => |a, n| a.next_column(-(n.unwrap_or(1) as isize));
        "add-column" ["A"] "add", "add a column: an algorithm with options, or a program that speaks UCI" => |a, _| a.ask_column();
        "remove-column" ["X  Delete"] "remove", "remove the focused column" => |a, _| a.remove_column();
        "edit-column" ["a"] "algorithm", "the focused column's algorithm and its options" => |a, _| a.edit_column();
        "budget" ["T"] "budget", "what each column may spend: 100k nodes, 5s of CPU time, depth 8, none" => |a, _| a.ask_budget();
        "next-difference" ["n"] "difference", "the next row on which the columns differ, through closed rows too" => |a, n| a.next_difference(n.unwrap_or(1) as isize);
        "previous-difference" ["N"] "previous difference", "the previous row on which the columns differ" => |a, n| a.next_difference(-(n.unwrap_or(1) as isize));
        "differences" ["f"] "filter", "choose which rows are shown: all, differences, one kind, by size" => |a, _| a.ask_differences();
        "compare-sort" ["S"] "sort", "sort by any column's figure, by disagreement or by move" => |a, _| a.ask_order();
        "open-column" ["Enter"] "explore", "show the focused column's search in Explore, at the selected row" => |a, _| a.open_column();
        "step-column" ["s"] "step", "step into, in the focused column (a count before it: that many)" => |a, n| a.step_column(Step::Into, n);
        "step-column-over" ["V"] "over", "step over, in the focused column" => |a, n| a.step_column(Step::Over, n);
        "step-column-out" ["u"] "out", "step out, in the focused column" => |a, n| a.step_column(Step::Out, n);
        "step-column-back" ["b"] "back", "step back, in the focused column" => |a, n| a.step_column_back(n);
        "run-column" ["r"] "to break", "run the focused column to its next breakpoint" => |a, n| a.step_column(Step::ToBreak, n);
        "panel" ["c"] "panel", "sentences, beliefs or the chart below the rows; on wide screens, which comes first" => |a, _| a.next_panel();
        "densities" ["d"] "densities", "beliefs as densities or as cumulative distributions" => |a, _| a.toggle_densities();
        "chart-axis" ["C"] "chart axis", "the chart's axis of nodes: logarithmic or linear" => |a, _| a.toggle_axis();
    }
    Game {
        "previous-move" ["<"] "previous move", "go back a move of the game and search there" => |a, n| a.walk_game(-(n.unwrap_or(1) as isize));
        "next-move" [">"] "next move", "go on a move of the game and search there" => |a, n| a.walk_game(n.unwrap_or(1) as isize);
        "previous-game" ["{"] "previous game", "previous game or position of the file" => |a, n| a.walk_entries(-(n.unwrap_or(1) as isize));
        "next-game" ["}"] "next game", "next game or position of the file" => |a, n| a.walk_entries(n.unwrap_or(1) as isize);
        "samples" ["i"] "samples", "open one of the built-in samples" => |a, _| a.ask_sample();
        "open-file" ["Ctrl-o"] "open file", "open a file: PGN, FEN, EPD or a toy tree" => |a, _| a.ask_file();
        "search-here" ["p"] "search here", "make the selected node's position the one that is searched" => |a, _| a.search_here();
    }
    Review {
        "game-next" ["l  Right"] "next move", "the next move of the line" => |a, n| a.walk_game(n.unwrap_or(1) as isize);
        "game-back" ["h  Left"] "previous move", "the move before" => |a, n| a.walk_game(-(n.unwrap_or(1) as isize));
        "game-down" ["j  Down"] "line down", "a line of moves, a game or a finding further down: where the keyboard is" => |a, n| a.game_rows(n.unwrap_or(1) as isize);
        "game-up" ["k  Up"] "line up", "one further up" => |a, n| a.game_rows(-(n.unwrap_or(1) as isize));
        "next-variation" ["J  Shift-Down"] "next variation", "the next move that the file has in the place of this one" => |a, n| a.other_variation(n.unwrap_or(1) as isize);
        "previous-variation" ["K  Shift-Up"] "previous variation", "the previous one" => |a, n| a.other_variation(-(n.unwrap_or(1) as isize));
        "game-start" ["Home  g g"] "start", "the start of the game, or of the list" => |a, _| a.game_end(isize::MIN);
        "game-end" ["End  G"] "end", "the end of the line, or of the list" => |a, _| a.game_end(isize::MAX);
        "game-page-down" ["PgDn  Ctrl-f"] "page down", "a page down" => |a, n| a.game_page(n.unwrap_or(1) as isize);
        "game-page-up" ["PgUp  Ctrl-b"] "page up", "a page up" => |a, n| a.game_page(-(n.unwrap_or(1) as isize));
        "game-enter" ["Enter"] "go there", "open the game; go to the finding; among the moves: search the place in Explore" => |a, _| a.game_enter();
        "game-leave" ["Esc"] "back", "from a filter to all games, from a variation to the main line, from the tab to Explore" => |a, _| a.game_leave();
        "game-pane" ["Tab"] "next pane", "the keyboard to the moves, the findings, the games" => |a, _| a.game_pane(1);
        "game-pane-back" ["Shift-Tab"] "previous pane", "the keyboard to the pane before" => |a, _| a.game_pane(-1);
        "find-game" ["/"] "find games", "show only some games: carlsen 2013, white:tal result:1-0" => |a, _| a.ask_find_game();
        "review" ["R"] "review", "evaluate the whole game by all columns; again: halt, go on" => |a, _| a.toggle_review();
        "review-pause" ["space"] "pause", "halt the review or let it go on; without one Explore's search" => |a, _| a.pause_review();
        "review-columns" ["A  a"] "columns", "the algorithms that review: alpha-beta mcts distress:backup=gumbel:2" => |a, _| a.ask_columns();
        "review-remove" ["X"] "remove column", "take the judging column out of the review" => |a, _| a.remove_review_column();
        "review-budget" ["T"] "budget", "what each search of the review may spend: 20k nodes, 500ms, depth 6" => |a, _| a.ask_review_budget();
        "judge" ["c"] "judge", "the column whose marks are shown: the next one" => |a, n| a.next_judge(n.unwrap_or(1) as isize);
        "next-mark" ["n"] "next mark", "to the next inaccuracy, mistake or blunder" => |a, _| a.next_mark(1);
        "previous-mark" ["N"] "previous mark", "to the previous one" => |a, _| a.next_mark(-1);
        "next-disagreement" ["d"] "disagreement", "to the position where the columns disagree most; again: to the next" => |a, n| a.next_disagreement(n.unwrap_or(1) as isize);
        "clocks" ["C"] "clocks", "show or hide the players' clocks" => |a, _| a.toggle_clocks();
        "search-place" ["p"] "search here", "search the place in Explore's tree, and stay here" => |a, _| a.search_place_here();
        "copy-place" ["y"] "copy FEN", "copy the position as FEN" => |a, _| a.copy_place();
        "copy-place-line" ["Y"] "copy line", "copy the moves to the position" => |a, _| a.copy_place_line();
        "export" ["e"] "export", "write the game with the judging column's evaluations, marks and better lines as PGN" => |a, _| a.ask_export();
    }
    Learn {
        "lesson-next" ["Enter"] "next", "start the chosen lesson; answer the question; go on to the next step" => |a, _| a.lesson_next();
        "lesson-back" ["Backspace"] "step back", "the lesson's step before" => |a, _| a.lesson_back();
        "lesson-return" ["x"] "to the step", "after wandering: the search is brought back to where the step has it" => |a, _| a.lesson_return();
        "lesson-leave" ["Esc"] "leave", "leave the lesson or the quiz; what was explored before is there again" => |a, _| a.leave_lesson();
        "lesson-text-down" ["."] "text down", "scroll the text" => |a, n| a.scroll_text(n.unwrap_or(1) as isize);
        "lesson-text-up" [","] "text up", "scroll the text back" => |a, n| a.scroll_text(-(n.unwrap_or(1) as isize));
    }
    Lab {
        "lab-page" ["P  >"] "next page", "the Lab's next page: futility margins, point differential, spread" => |a, _| a.next_lab_page();
    }
    Futility {
        "lab-run" ["space  r"] "measure", "measure how scores change with depth and try the margins; again: stop" => |a, _| a.toggle_lab();
        "lab-fit" ["f"] "fit", "fit the margins to the changes measured so far" => |a, _| a.fit_lab();
        "lab-use" ["u  Enter"] "use", "search in Explore with the chosen margin" => |a, _| a.use_lab_margin();
        "lab-equal" ["e"] "equal savings", "take the margins of the trials, which save equal nodes" => |a, _| a.equal_lab();
        "lab-next" ["j  Down"] "next family", "choose the next family of margins" => |a, n| a.walk_lab(n.unwrap_or(1) as isize);
        "lab-previous" ["k  Up"] "previous family", "choose the previous family" => |a, n| a.walk_lab(-(n.unwrap_or(1) as isize));
        "lab-rule" ["R"] "rule", "the rule under test: futility, reverse futility, razoring" => |a, _| a.next_lab_rule();
        "lab-positions" ["o"] "positions", "measure over the samples, or over the opened game or file" => |a, _| a.toggle_lab_positions();
        "lab-count" ["n"] "how many", "how many positions at most" => |a, _| a.next_lab_count();
        "lab-deeper" ["l  Right"] "deeper", "measure a ply deeper" => |a, n| a.change_lab_depth(n.unwrap_or(1) as isize);
        "lab-shallower" ["h  Left"] "shallower", "measure a ply less deep" => |a, n| a.change_lab_depth(-(n.unwrap_or(1) as isize));
        "lab-audit-more" ["+"] "audit more", "audit twice as many prunes" => |a, _| a.change_lab_audit(true);
        "lab-audit-less" ["-"] "audit less", "audit half as many prunes; at the end none: measure only" => |a, _| a.change_lab_audit(false);
        "lab-level" ["p"] "level", "the share of changes that may go beyond a fitted margin: 1, 5, 10 %" => |a, _| a.next_lab_level();
        "lab-origin" ["s"] "from", "changes from the static value or from quiescence" => |a, _| a.toggle_lab_origin();
        "lab-panel" ["Tab  Shift-Tab"] "panel", "margins or the audit below the chart, where both don't fit" => |a, _| a.next_lab_panel();
    }
    Differential {
        "grid-run" ["space  r"] "play", "play the matches of the grid, or go on with them; again: stop" => |a, _| a.toggle_differential();
        "grid-up" ["k  Up"] "up", "a smaller weight at the start of a game" => |a, n| a.walk_differential(-(n.unwrap_or(1) as isize), 0);
        "grid-down" ["j  Down"] "down", "a larger weight at the start of a game" => |a, n| a.walk_differential(n.unwrap_or(1) as isize, 0);
        "grid-left" ["h  Left"] "left", "a smaller weight at its end" => |a, n| a.walk_differential(0, -(n.unwrap_or(1) as isize));
        "grid-right" ["l  Right"] "right", "a larger weight at its end" => |a, n| a.walk_differential(0, n.unwrap_or(1) as isize);
        "grid-games" ["n"] "how many", "how many games each cell shall have" => |a, _| a.next_differential_games();
        "grid-playouts" ["p"] "playouts", "how many playouts a move; each number has results of its own" => |a, _| a.next_differential_playouts();
        "grid-figure" ["Tab  s"] "figures", "scores, Elo or games in the cells" => |a, _| a.next_differential_figure();
        "grid-use" ["u  Enter"] "use", "search in Explore by playouts with the chosen weights" => |a, _| a.use_differential();
        "grid-export" ["e"] "export", "write the grid as CSV or JSON" => |a, _| a.ask_differential_export();
    }
    Spread {
        "spread-run" ["space  r"] "run", "run the experiment that is shown; again: stop" => |a, _| a.toggle_spread();
        "spread-trees" ["Tab  s"] "trees", "spread in searches of positions, or in random toy trees" => |a, _| a.toggle_spread_trees();
        "spread-calibration" ["c"] "calibration", "searches judged by ten times longer ones of their own, or spread again" => |a, _| a.toggle_spread_calibration();
        "spread-next" ["j  Down"] "next rule", "choose the next back-up rule" => |a, n| a.walk_spread(n.unwrap_or(1) as isize);
        "spread-previous" ["k  Up"] "previous rule", "choose the previous one" => |a, n| a.walk_spread(-(n.unwrap_or(1) as isize));
        "spread-cells" ["f"] "figures", "in the table: sd, coverage or score by depth; of positions sd of expanded nodes, of leaves, the mean's moves" => |a, _| a.next_spread_cells();
        "spread-nodes" ["p"] "nodes", "how many nodes each search has" => |a, _| a.next_spread_nodes();
        "spread-count" ["n"] "how many", "how many positions at most" => |a, _| a.next_spread_count();
        "spread-positions" ["o"] "positions", "the samples' positions, or those of the opened game or file" => |a, _| a.toggle_spread_positions();
        "spread-branching" ["m"] "moves", "how many moves a node of a toy tree has" => |a, _| a.next_spread_branching();
        "spread-use" ["u  Enter"] "use", "search in Explore with the chosen back-up rule" => |a, _| a.use_spread_rule();
    }
    Screen {
        "tab-explore" ["1"] "Explore", "board, tree and inspector" => |a, _| a.show_tab(Tab::Explore);
        "tab-compare" ["2"] "Compare", "several searches of the position side by side" => |a, _| a.show_tab(Tab::Compare);
        "tab-game" ["3"] "Game", "the games and positions of the file, and the moves" => |a, _| a.show_tab(Tab::Game);
        "tab-learn" ["4"] "Learn", "lessons that run on real searches, with questions" => |a, _| a.show_tab(Tab::Learn);
        "tab-lab" ["5"] "Lab", "experiments: how scores change with depth, futility margins and how often they fail; point differential in playouts; spread and calibration of beliefs" => |a, _| a.show_tab(Tab::Lab);
        "next-pane" ["Tab"] "next pane", "give the keyboard to the next pane" => |a, _| a.next_pane(1);
        "previous-pane" ["Shift-Tab"] "previous pane", "give the keyboard to the previous pane" => |a, _| a.next_pane(-1);
        "flip" ["F"] "flip", "turn the board round" => |a, _| a.flip();
        "units" ["v"] "units", "scores as expected score or in pawns" => |a, _| a.toggle_units();
        "theme" ["t"] "theme", "choose the theme, seen at once" => |a, _| a.ask_theme();
        "palette" [":"] "commands", "find a command by typing some of its letters" => |a, _| a.ask_palette();
        "help" ["?  F1"] "help", "all keys, what the screen shows, and the messages so far" => |a, _| a.show_help();
        "redraw" ["Ctrl-l"] "redraw", "draw the whole screen anew" => |a, _| a.redraw();
        "suspend" ["Ctrl-z"] "suspend", "give the terminal back to the shell; fg returns to what is here, paused meanwhile" => |a, _| a.suspend();
        "quit" ["q  Ctrl-c"] "quit", "leave" => |a, _| a.quit();
    }
}

/// The row of a command.
#[must_use]
pub fn index_of(id: &str) -> Option<usize> {
    COMMANDS.iter().position(|c| c.id == id)
}

/// The default keys.
#[must_use]
pub fn default_keymap() -> Keymap {
    let mut map = Keymap::default();
    for (i, command) in COMMANDS.iter().enumerate() {
        for keys in command.alternatives() {
            map.bind(keys, i, command.group.scope());
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_keys_are_unique_and_readable() {
        let mut seen = std::collections::HashMap::new();
        for (i, command) in COMMANDS.iter().enumerate() {
            assert_eq!(index_of(command.id), Some(i), "{}: twice", command.id);
            assert!(!command.doc.is_empty() && !command.name.is_empty());
            for keys in command.alternatives() {
                let tab = command.group.scope();
                assert!(
                    Keymap::default().bind(keys, i, tab),
                    "{}: {keys}",
                    command.id
                );
                if let Some(other) = seen.insert((keys, tab), command.id) {
                    panic!("{keys} is bound to {other} and {}", command.id);
                }
            }
        }
    }

    /// Keys that sessions, exports and other tabs will need.
    #[test]
    fn keys_that_are_promised_to_others_are_free() {
        for keys in ["e", "w"] {
            let taken = COMMANDS
                .iter()
                .find(|c| c.group.tab().is_none() && c.alternatives().any(|k| k == keys));
            assert!(taken.is_none(), "{keys}: {taken:?}");
        }
    }

    #[test]
    fn what_asks_for_a_text_is_a_command() {
        for id in ASKING {
            assert!(index_of(id).is_some(), "{id}");
        }
    }
}
