//! The commands of the Compare tab.

use crate::commands::{Group, group};
use crate::tabs::{Scope, Tab};
use session::debug::Step;

/// They replace the commands of the same keys in other tabs.
pub const COMMANDS: Group = group! { "Compare", Some(Scope::tab(Tab::Compare));
    "compare-pause" ["space"] "pause", "run or pause all columns" => |a, _| a.pause_columns();
    "pause-column" ["P"] "pause one", "run or pause the focused column" => |a, _| a.pause_column();
    "compare-restart" ["x"] "restart", "begin all columns anew" => |a, _| a.restart_columns();
    "next-column" ["Tab"] "column", "give the keys to the next column" => |a, n| a.next_column(n.unwrap_or(1) as isize);
    "previous-column" ["Shift-Tab"] "previous column", "give the keys to the previous column" => |a, n| a.next_column(-(n.unwrap_or(1) as isize));
    "add-column" ["A"] "add", "add a column: an algorithm with options, or a program that speaks UCI" => |a, _| a.ask_column();
    "remove-column" ["X  Delete"] "remove", "remove the focused column" => |a, _| a.remove_column();
    "edit-column" ["a"] "algorithm", "the focused column's algorithm and its options" => |a, _| a.edit_column();
    "budget" ["T"] "budget", "what each column may spend: 100k nodes, 5s of CPU time, depth 8, none" => |a, _| a.ask_budget();
    "next-difference" ["n"] "difference", "the next flagged difference, those that matter most for the choice first" => |a, n| a.next_difference(n.unwrap_or(1) as isize);
    "previous-difference" ["N"] "previous difference", "the previous flagged difference" => |a, n| a.next_difference(-(n.unwrap_or(1) as isize));
    "differences" ["f"] "filter", "choose which rows are shown: all, differences, one kind, by size" => |a, _| a.ask_differences();
    "compare-sort" ["S"] "sort", "sort by any column's figure, by disagreement or by move" => |a, _| a.ask_order();
    "open-column" ["Enter"] "explore", "show the focused column's search in Explore, at the selected row" => |a, _| a.open_column();
    "step-column" ["s"] "step", "step into, in the focused column (a count before it: that many)" => |a, n| a.step_column(Step::Into, n);
    "step-column-over" ["U"] "over", "step over, in the focused column" => |a, n| a.step_column(Step::Over, n);
    "step-column-out" ["u"] "out", "step out, in the focused column" => |a, n| a.step_column(Step::Out, n);
    "step-column-back" ["b"] "back", "step back, in the focused column" => |a, n| a.step_column_back(n);
    "run-column" ["r"] "to break", "run the focused column to its next breakpoint" => |a, n| a.step_column(Step::ToBreak, n);
    "panel" ["c"] "panel", "sentences, beliefs or the chart below the rows; on wide screens, which comes first" => |a, _| a.next_panel();
    "densities" ["d"] "densities", "beliefs as densities or as cumulative distributions" => |a, _| a.toggle_densities();
    "chart-axis" ["C"] "chart axis", "the chart's axis of nodes: logarithmic or linear" => |a, _| a.toggle_axis();
};
