//! The plain formulas in `f64` for any number of bins.
