//! The transposition tables.
#[derive(Debug)]
pub struct Tables {}
impl Tables {
    pub fn new(_bytes: u64) -> Self {
        Tables {}
    }
}
