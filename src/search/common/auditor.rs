//! Which of the prunings of a search are audited: a reproducible sample.

/// Decides at random which prunings are audited.
#[derive(Debug)]
pub struct Auditor {
    /// One pruning in this many is audited.
    every: u64,
    random: u64,
    /// An audit is running: what is pruned in it is neither counted nor audited.
    pub(super) busy: bool,
}

impl Auditor {
    /// Creates an auditor. `every` is at least 1. The same seed draws the same audits.
    pub fn new(every: u64, seed: u64) -> Self {
        Auditor {
            every,
            random: seed ^ 0x9e37_79b9_7f4a_7c15,
            busy: false,
        }
    }

    /// Whether the next one is audited, by splitmix64 (Steele, Lea & Flood 2014).
    pub fn draw(&mut self) -> bool {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)).is_multiple_of(self.every)
    }
}
