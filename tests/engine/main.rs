//! Tests of sessions, the debugger, Compare, game review, the Lab, external engines and UCI through the library.

#[path = "../uci_support/mod.rs"]
mod uci_support;

#[cfg(unix)]
#[path = "../program_support/mod.rs"]
mod program_support;
#[cfg(unix)]
#[path = "../program_support/toys.rs"]
mod toys;

mod back_up;
mod breakpoint;
mod compare;
#[cfg(unix)]
mod compare_traced;
mod connect_four;
mod debug;
mod external;
mod lab;
mod leaf_search;
mod lessons;
mod merge;
mod one_value;
mod own_trace;
#[cfg(unix)]
mod program;
#[cfg(unix)]
mod program_emitters;
#[cfg(unix)]
mod program_paused;
mod report_events;
mod review;
mod review_marks;
mod rows;
mod saved;
mod saved_traced;
mod session;
mod sharing;
mod snapshot;
mod stockfish;
mod traced;
mod uci_analysis;
mod uci_go;
mod uci_lines;
mod uci_protocol;
mod uci_reuse;
