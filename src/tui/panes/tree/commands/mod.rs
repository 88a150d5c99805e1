//! What one does in the tree beyond walking it.

mod audits;
mod force;
