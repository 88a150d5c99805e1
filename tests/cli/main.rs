//! The program as its users see it, and the repository: its layers, its sources, its README.

#[path = "../cli_support/mod.rs"]
mod cli_support;
#[cfg(unix)]
#[path = "../program_support/mod.rs"]
mod program_support;
#[path = "../tui_support/styled.rs"]
mod styled;
#[path = "../uci_support/mod.rs"]
mod uci_support;

#[cfg(unix)]
mod attach;
mod bad_input;
mod classroom;
mod commands;
mod compare;
mod dead_code;
mod depth_limits;
mod doctor;
mod endgames;
mod eval_network;
mod everywhere;
mod explained;

mod fuzz;
mod grade;
mod grade_faults;
mod house;
#[cfg(unix)]
mod kills;
mod lab;
mod lab_differential;
mod lab_losses;
mod lab_parts;
mod lab_plies;
mod lab_spread;
mod lab_sweep;
mod lab_truth;
mod late_faults;
mod lessons;
mod open_trace;
mod plain;
mod readme;
mod review;
mod schemas;
mod search;
mod serve;
mod sources;
mod suite;
mod system_faults;
mod trace;
mod tree_formats;
mod units;
