//! The algebra of distributions.
pub const LANES: usize = 64;
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cdf(pub [u16; LANES]);
impl Cdf {
    pub fn negated(&self) -> Cdf {
        *self
    }
}
#[derive(Clone, Debug)]
pub struct Grid;
impl Grid {
    pub fn sinh() -> Self {
        Grid
    }
    pub fn uniform() -> Self {
        Grid
    }
}
