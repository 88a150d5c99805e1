//! Arithmetic with named numbers. Breakpoints, filters and what lessons measure are made of these expressions, and a
//! [`Formula`] is one that takes the place of a formula of a search.
//!
//! ```text
//! sum      = product { ( "+" | "-" ) product }       product = factor { ( "*" | "/" ) factor }
//! factor   = NAME | number | "-" factor | "|" sum "|" | "(" sum ")"
//!          | FUNCTION "(" sum { "," sum } ")"
//!          | "if" "(" condition "," sum "," sum ")"
//! number   = 1000 | 0.2 | 1_000 | 10k | 2M
//! ```
//!
//! What a name and a condition are depends on the place; [`Grammar`] is the part that all places share. There are no loops
//! and there is no state. Where a number comes from all moves of a node, a [`Fold`] takes one from each: `most(Q)`.

mod cursor;
mod error;
mod expression;
mod fold;
mod function;
mod grammar;
mod lanes;
mod order;
mod parse;
mod program;
mod scope;
mod single;
mod test;
mod unit;

pub use cursor::{Cursor, Expects, is_of_word};
pub use error::ParseError;
pub use expression::{Comparison, Expression, Given, Sign};
pub use fold::Fold;
pub use function::{FUNCTIONS, Function, FunctionInfo};
pub use grammar::{Grammar, Joint, Stop, Typed};
pub use lanes::{Column, Sheet};
pub use order::{Course, Order};
pub use scope::{Formula, Name, Scope};
pub use test::Test;
pub use unit::Unit;
