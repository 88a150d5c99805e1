//! Reading what people bring.
pub mod epd;
mod error;
pub mod fen;
pub mod toy_tree;
pub use error::LoadError;
