//! The commands of the Compare tab.

use crate::commands::{Group, group};
use crate::tabs::{Scope, Tab};
use session::debug::Step;

/// They replace the commands of the same keys in other tabs.
pub const COMMANDS: Group = group! { "Compare", Some(Scope::tab(Tab::Compare));
    "compare-pause" ["space"] as "pause" "pause", "run or pause all columns" => |a, _| a.tabs.compare.pause_columns(&mut a.cx);
    "pause-column" ["g space"] "pause one", "run or pause the focused column" => |a, _| a.tabs.compare.pause_column(&mut a.cx);
    "compare-restart" ["x"] as "restart" "restart", "restart all columns", also "reset begin anew" => |a, _| a.tabs.compare.start_comparison(&mut a.cx);
    "next-column" ["Tab"] as "next-pane" "column", "give the keys to the next column" => |a, n| a.tabs.compare.next_column(n.unwrap_or(1) as isize);
    "previous-column" ["Shift-Tab"] as "previous-pane" "previous column", "give the keys to the previous column" => |a, n| a.tabs.compare.next_column(-(n.unwrap_or(1) as isize));
    "add-column" ["A"] "add", "add a column: an algorithm with options, or a program that speaks UCI" => |a, _| a.tabs.compare.ask_column(&mut a.cx);
    "remove-column" ["Delete"] "remove", "remove the focused column" => |a, _| a.tabs.compare.remove_column(&mut a.cx);
    "edit-column" ["a"] as "algorithm" "algorithm", "the focused column's algorithm and its options" => |a, _| a.tabs.compare.edit_column(&mut a.cx);
    "budget" ["T"] "budget", "what each column may spend: 100k nodes, 5s of CPU time, depth 8, none", also "depth limit time nodes" => |a, _| a.tabs.compare.ask_budget(&mut a.cx);
    "next-difference" ["Ctrl-n"] as "find-next" "difference", "the next flagged difference, the most decisive first" => |a, n| a.tabs.compare.next_difference(&mut a.cx, n.unwrap_or(1) as isize);
    "previous-difference" ["Ctrl-p"] as "find-previous" "previous difference", "the previous flagged difference" => |a, n| a.tabs.compare.next_difference(&mut a.cx, -(n.unwrap_or(1) as isize));
    "differences" ["f"] as "filter" "filter", "choose which rows are shown: all, differences, one kind, by size" => |a, _| a.tabs.compare.ask_differences(&mut a.cx);
    "compare-sort" ["S"] as "sort" "sort", "sort by any column's figure, by disagreement or by move" => |a, _| a.tabs.compare.ask_order(&mut a.cx);
    "open-column" ["Enter"] as "board-here" "explore", "show the focused column's search in Explore, at the selected row" => |a, _| a.tabs.compare.open_column(&mut a.cx);
    "step-column" ["s"] as "step" "step", "step into, in the focused column (a count before it: that many)" => |a, n| a.tabs.compare.step_column(&mut a.cx, Step::Into, n);
    "step-column-over" ["n"] as "step-over" "over", "step over, in the focused column" => |a, n| a.tabs.compare.step_column(&mut a.cx, Step::Over, n);
    "step-column-out" ["u"] as "step-out" "out", "step out, in the focused column" => |a, n| a.tabs.compare.step_column(&mut a.cx, Step::Out, n);
    "step-column-back" ["b"] as "step-back" "back", "step back, in the focused column" => |a, n| a.tabs.compare.step_column_back(&mut a.cx, n);
    "run-column" ["r"] as "run-to-break" "to break", "run the focused column to its next breakpoint" => |a, n| a.tabs.compare.step_column(&mut a.cx, Step::ToBreak, n);
    "panel" ["P"] "panel", "sentences, beliefs or the chart below the rows; on wide screens, which comes first" => |a, _| a.tabs.compare.panel = a.tabs.compare.panel.after(1);
    "chart-axis" ["C"] "chart axis", "the chart's axis of nodes: logarithmic or linear" => |a, _| a.tabs.compare.linear ^= true;
};
