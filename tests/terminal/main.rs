//! Tests of the workbench as a program in a terminal, and beside other programs.

#[path = "../tui_support/mod.rs"]
mod tui_support;

#[cfg(unix)]
#[path = "../program_support/toys.rs"]
mod toys;

#[cfg(unix)]
mod attached;
#[cfg(unix)]
mod faults;
mod other_program;
#[cfg(unix)]
mod plain;
#[cfg(unix)]
mod pty;
#[cfg(unix)]
mod quitting;
#[cfg(unix)]
mod random_user;
mod screens;
