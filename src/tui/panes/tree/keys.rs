//! The commands of the tree.

use crate::commands::{Group, group};
use crate::component::Request;

/// Commands that move the selection.
pub const WALK: Group = group! { "Walk the tree", None;
    "down" ["j  Down"] "down", "next row (a count before it: that many)" => |a, n| a.request(Request::Rows(n.unwrap_or(1) as isize));
    "up" ["k  Up"] "up", "previous row" => |a, n| a.request(Request::Rows(-(n.unwrap_or(1) as isize)));
    "open" ["l  Right"] "open", "open the row, or go to its first child (a count: that many plies)" => |a, n| a.request(Request::Open(n.unwrap_or(1)));
    "close" ["h  Left"] "close", "close the row, or go to its parent" => |a, n| a.request(Request::Close(n.unwrap_or(1)));
    "toggle" ["Shift-Right"] "toggle", "open a closed row, close an open one" => |a, _| a.request(Request::Toggle);
    "first" ["g g  Home"] "first", "first row (a count: that row)" => |a, n| a.request(Request::Row(n.map_or(0, |n| n - 1)));
    "last" ["G  End"] "last", "last row (a count: that row)" => |a, n| a.request(Request::Row(n.map_or(usize::MAX, |n| n - 1)));
    "page-down" ["PgDn  Ctrl-f"] "page down", "a page down" => |a, n| a.request(Request::Pages(n.unwrap_or(1) as isize));
    "page-up" ["PgUp  Ctrl-b"] "page up", "a page up" => |a, n| a.request(Request::Pages(-(n.unwrap_or(1) as isize)));
    "half-down" ["Ctrl-d"] "half down", "half a page down" => |a, n| a.request(Request::HalfPages(n.unwrap_or(1) as isize));
    "half-up" ["Ctrl-u"] "half up", "half a page up" => |a, n| a.request(Request::HalfPages(-(n.unwrap_or(1) as isize)));
    "next-sibling" ["J  Shift-Down"] "next sibling", "the next move in the same position" => |a, n| a.request(Request::Sibling(n.unwrap_or(1) as isize));
    "previous-sibling" ["K  Shift-Up"] "previous sibling", "the previous move in the same position" => |a, n| a.request(Request::Sibling(-(n.unwrap_or(1) as isize)));
    "best" ["*"] "best line", "go to the best line; on it: one move further", also "best move principal variation pv" => |a, n| a.request(Request::FollowBest(n.unwrap_or(1)));
    "next-failed-audit" ["g a"] "failed audit", "the next move or node that was pruned, but was best as its audit found; through closed rows too", also "prune pruned wrong mistake futility check" => |a, n| a.request(Request::FailedAudit(n.unwrap_or(1) as isize));
    "previous-failed-audit" ["g A"] "previous failed audit", "the previous one" => |a, n| a.request(Request::FailedAudit(-(n.unwrap_or(1) as isize)));
    "proof" ["g p"] "proof", "show only what proves the selected node's result: one move for the winner, every reply to it; again: all rows", also "certain certainty decided solved mate forced win proven" => |a, _| a.cx.toggle_proof();
    "find-kind" ["g f"] "find a kind", "find the next node of a kind in the whole tree, through closed rows: by fate, rule, proof or changed value", also "prune pruned futility cut cutoff mate skipped reduction proven" => |a, _| a.cx.ask_kind();
    "same-position" ["g i"] "same position", "the next place in the whole tree at which the selected position comes up, as another program's key or the rules tell it", also "transposition key identical hash places" => |a, n| a.cx.find_kind(super::Filter::SamePosition, n.unwrap_or(1) as isize);
    "find" ["/"] "find", "find a row by its move, a line from the root (e4 e5 Nf3) or a kind of node (on futility)" => |a, _| a.request(Request::Find);
    "find-next" ["Ctrl-n"] "find next", "the next row or node that matches what was looked for" => |a, n| a.request(Request::FindAgain(n.unwrap_or(1) as isize));
    "find-previous" ["Ctrl-p"] "find previous", "the previous row or node that matches" => |a, n| a.request(Request::FindAgain(-(n.unwrap_or(1) as isize)));
};

/// Commands that change what is shown of the tree.
pub const SHOW: Group = group! { "Show the tree", None;
    "board-here" ["Enter"] "keep on board", "keep the selected node on the board; again: the board follows the selection; on a refuted or unsearched move: why" => |a, _| a.request(Request::ShowOnBoard);
    "why" ["w"] "why", "why this move was not chosen, or was: the line that shows it, played out on the board; again: search it anyway", also "best move worst refuted reason explain" => |a, _| a.cx.ask_why();
    "line-forward" ["."] "along the line", "play the selected node's best line on the board, one move further" => |a, n| a.cx.step_along(n.unwrap_or(1) as isize);
    "line-back" [","] "back", "take back a move of the line on the board", also "undo take back" => |a, n| a.cx.step_along(-(n.unwrap_or(1) as isize));
    "board" ["g b"] "board", "hide or show the board beside the inspector, where the screen is too small for a column of its own", also "hide show" => |a, _| a.cx.explore.board_hidden ^= true;
    "threat" ["!"] "threat", "show what the other side would play if the side to move passed; again: hide it", also "null move" => |a, _| a.cx.toggle_threat();
    "open-best" ["o"] "open best line", "open every node of the best line" => |a, _| a.request(Request::OpenBestLine);
    "close-all" ["O"] "close all", "close everything but the root" => |a, _| a.request(Request::CloseAll);
    "root-lines" ["g t"] "best lines", "show or hide the three best lines from the root, below the tree", also "best move multipv principal variation pv" => |a, _| a.cx.toggle_root_lines();
    "axis-scale" ["z"] "scale", "show on the value axis what the leading moves may be worth, what all moves may, or the whole axis", also "zoom range wide axis value" => |a, _| a.cx.next_reach();
    "axis-marks" ["v"] "marks", "draw beliefs as the chance of at least so much, as quantiles, or as densities", also "cumulative distribution whisker density probability belief axis" => |a, _| a.cx.next_marks();
    "folds" ["g v"] "every move", "give every move a row of its own; again: unlikely and unsearched moves share one", also "fold unfold hide show all" => |a, _| a.cx.explore.unfolded ^= true;
    "filter" ["f"] "filter", "choose which rows are shown: by fate or family of fates, failed audits, proof or text", also "prune pruned hide only certain decided mate" => |a, _| a.request(Request::Filter);
    "drawing" ["d"] "drawing", "draw the tree, root on top: a toy tree whole, of a game the best lines; again: its rows", also "graph diagram picture" => |a, _| a.cx.toggle_drawing();
    "sort" ["S"] "sort", "choose the order of the rows", also "order worst best rank probability visits nodes" => |a, _| a.cx.ask_sort();
    "freeze" ["Z"] "freeze", "keep the rows in their places while the search runs; again: the order follows the search", also "hold still stop" => |a, _| a.cx.toggle_freeze();
    "note" ["N"] "note", "write a note on the selected node; it is saved with the session", also "comment annotate" => |a, _| a.cx.ask_note();
    "centre" ["g z"] "centre", "bring the selected row to the middle" => |a, _| a.request(Request::Centre);
    "copy-fen" ["y"] "copy FEN", "copy the selected position as FEN (toy trees: its path)", also "clipboard" => |a, _| a.copy_fen();
    "copy-line" ["Y"] "copy line", "copy the line to the selected node", also "clipboard pgn moves" => |a, _| a.copy_line();
};
