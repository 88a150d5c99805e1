//! Tests of the algebra of distributions.

mod algebra;
mod back_up;
