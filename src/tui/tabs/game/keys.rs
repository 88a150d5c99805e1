//! The commands of the Game tab.

use crate::commands::{Group, group};
use crate::tabs::{Scope, Tab};

/// Moving in the game and the lists, and the review.
pub const COMMANDS: Group = group! { "Game tab", Some(Scope::tab(Tab::Game));
    "game-next" ["l  Right"] as "open" "next move", "the next move of the line" => |a, n| a.cx.walk_game(n.unwrap_or(1) as isize);
    "game-back" ["h  Left"] as "close" "previous move", "the move before" => |a, n| a.cx.walk_game(-(n.unwrap_or(1) as isize));
    "game-down" ["j  Down"] as "down" "line down", "the next line of moves, game or finding in the focused pane" => |a, n| a.tabs.game.game_rows(&mut a.cx, n.unwrap_or(1) as isize);
    "game-up" ["k  Up"] as "up" "line up", "the previous line of moves, game or finding in the focused pane" => |a, n| a.tabs.game.game_rows(&mut a.cx, -(n.unwrap_or(1) as isize));
    "next-variation" ["J  Shift-Down"] as "next-sibling" "next variation", "the next alternative that the file has for this move" => |a, n| a.cx.other_variation(n.unwrap_or(1) as isize);
    "previous-variation" ["K  Shift-Up"] as "previous-sibling" "previous variation", "the previous alternative that the file has for this move" => |a, n| a.cx.other_variation(-(n.unwrap_or(1) as isize));
    "game-start" ["Home  g g"] as "first" "start", "the start of the game, or of the list" => |a, _| a.tabs.game.game_end(&mut a.cx, isize::MIN);
    "game-end" ["End  G"] as "last" "end", "the end of the line, or of the list" => |a, _| a.tabs.game.game_end(&mut a.cx, isize::MAX);
    "game-page-down" ["PgDn  Ctrl-f"] as "page-down" "page down", "a page down" => |a, n| a.tabs.game.game_page(&mut a.cx, n.unwrap_or(1) as isize);
    "game-page-up" ["PgUp  Ctrl-b"] as "page-up" "page up", "a page up" => |a, n| a.tabs.game.game_page(&mut a.cx, -(n.unwrap_or(1) as isize));
    "game-enter" ["Enter"] as "board-here" "go there", "open the game; go to the finding; among the moves: search the place in Explore" => |a, _| a.tabs.game.game_enter(&mut a.cx);
    "game-leave" ["Esc"] as "cancel" "back", "back: from a filter to all games, from a variation to the main line, from the tab to Explore" => |a, _| a.tabs.game.game_leave(&mut a.cx);
    "game-pane" ["Tab"] as "next-pane" "next pane", "the keyboard to the moves, the findings, the games" => |a, _| a.tabs.game.game_pane(&mut a.cx, 1);
    "game-pane-back" ["Shift-Tab"] as "previous-pane" "previous pane", "the keyboard to the pane before" => |a, _| a.tabs.game.game_pane(&mut a.cx, -1);
    "find-game" ["/"] as "find" "find games", "show only some games: carlsen 2013, white:tal result:1-0" => |a, _| a.tabs.game.ask_find_game(&mut a.cx);
    "review" ["R"] "review", "review the whole game with all columns; again: pause, resume", also "analyse analyze annotate mistakes blunders accuracy" => |a, _| a.tabs.game.toggle_review(&mut a.cx);
    "review-pause" ["space"] as "pause" "pause", "pause or resume the review; without one, Explore's search" => |a, _| a.tabs.game.pause_review(&mut a.cx);
    "review-columns" ["a"] as "algorithm" "columns", "the algorithms that review: alpha-beta mcts distress:backup=gumbel:2" => |a, _| a.tabs.game.ask_columns(&mut a.cx);
    "review-remove" ["Delete"] as "remove-column" "remove column", "take the judging column out of the review" => |a, _| a.tabs.game.remove_review_column(&mut a.cx);
    "review-budget" ["T"] as "budget" "budget", "what each search of the review may spend: 20k nodes, 500ms, depth 6" => |a, _| a.tabs.game.ask_review_budget(&mut a.cx);
    "judge" ["g j"] "judge", "the column whose marks are shown: the next one" => |a, n| a.tabs.game.next_judge(n.unwrap_or(1) as isize);
    "next-mark" ["Ctrl-n"] as "find-next" "next mark", "the next inaccuracy, mistake or blunder; while one is retried: retry the next one", also "worst blunder mistake" => |a, _| a.tabs.game.next_mark(&mut a.cx, 1);
    "previous-mark" ["Ctrl-p"] as "find-previous" "previous mark", "the previous inaccuracy, mistake or blunder" => |a, _| a.tabs.game.next_mark(&mut a.cx, -1);
    "retry" ["Q"] as "quiz" "retry", "learn from your mistakes: find a better move than the one played, the worst mistake first; the search judges it", also "worst mistakes blunders learn puzzle train" => |a, _| a.tabs.game.retry_mark(&mut a.cx);
    "retry-guess" ["m"] as "move" "type a move", "while a mistake is retried: type the better move" => |a, _| a.tabs.game.ask_retry_guess(&mut a.cx);
    "next-disagreement" ["g d"] "disagreement", "to the position where the columns disagree most; again: to the next" => |a, n| a.tabs.game.next_disagreement(&mut a.cx, n.unwrap_or(1) as isize);
    "clocks" ["g k"] "clocks", "show or hide the players' clocks" => |a, _| a.tabs.game.moves.clocks ^= true;
    "search-place" ["p"] as "search-here" "search here", "search the place in Explore's tree, and stay here" => |a, _| a.cx.search_place_here();
    "copy-place" ["y"] as "copy-fen" "copy FEN", "copy the position as FEN" => |a, _| a.tabs.game.copy_place(&mut a.cx);
    "copy-place-line" ["Y"] as "copy-line" "copy line", "copy the moves to the position" => |a, _| a.cx.copy_place_line();
    "export" ["e"] as "export-view" "export", "write the game with the judging column's evaluations, marks and better lines as PGN" => |a, _| a.tabs.game.ask_export(&mut a.cx);
};
