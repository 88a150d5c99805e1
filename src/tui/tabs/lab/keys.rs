//! The commands of the Lab tab and of its pages.

use super::LabPage;
use crate::commands::{Group, group};
use crate::tabs::{Scope, Tab};

/// Commands of all pages.
pub const COMMANDS: Group = group! { "Lab tab", Some(Scope::tab(Tab::Lab));
    "lab-page" ["P  >"] "next page", "the Lab's next page: each has an experiment of its own" => |a, _| a.next_lab_page();
    "lab-page-back" ["<"] "previous page", "the Lab's page before" => |a, _| a.previous_lab_page();
};

/// Commands of the page on futility margins.
pub const FUTILITY: Group = group! { "Lab: futility margins", Some(Scope::lab(LabPage::Futility));
    "lab-run" ["space  r"] "measure", "measure how scores change with depth and try the margins; again: stop" => |a, _| a.toggle_lab();
    "lab-fit" ["f"] "fit", "fit the margins to the changes measured so far" => |a, _| a.fit_lab();
    "lab-use" ["u  Enter"] "use", "search in Explore with the chosen margin" => |a, _| a.use_lab_margin();
    "lab-equal" ["="] "equal savings", "take the margins of the trials, which save equal nodes" => |a, _| a.equal_lab();
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
};

/// Commands of the page on point differential.
pub const DIFFERENTIAL: Group = group! { "Lab: point differential", Some(Scope::lab(LabPage::Differential));
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
};

/// Commands of the page on spread.
pub const SPREAD: Group = group! { "Lab: spread", Some(Scope::lab(LabPage::Spread));
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
};

/// Commands of the page on values by depth.
pub const DEPTHS: Group = group! { "Lab: values by depth", Some(Scope::lab(LabPage::Depths));
    "depths-run" ["space  r"] "run", "search labelled positions to every depth, fit and judge the belief; again: stop" => |a, _| a.toggle_depths();
    "depths-positions" ["o"] "labels", "the built-in labels, or those of the opened file" => |a, _| a.toggle_depths_positions();
    "depths-count" ["n"] "how many", "how many positions at most" => |a, _| a.next_depths_count();
    "depths-deeper" ["l  Right"] "deeper", "search a ply deeper" => |a, n| a.change_depths_depth(n.unwrap_or(1) as isize);
    "depths-shallower" ["h  Left"] "shallower", "search a ply less deep" => |a, n| a.change_depths_depth(-(n.unwrap_or(1) as isize));
    "depths-shown" ["Tab  s"] "coverage", "the coverage of the fitted belief, of the one in use or of the control, where all don't fit" => |a, _| a.next_depths_shown();
};
