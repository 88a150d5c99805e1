//! The numbers that a thread of the program uses for its moves in the binary form.

use std::collections::HashMap;
use std::sync::Arc;

use super::limits;
use super::names::MoveId;

/// Numbers below this are looked up in a list.
const SMALL: u32 = 1 << 16;

/// Which move a number means. Shared with the copies of it that index points keep, until it changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moves(Arc<Tables>);

#[derive(Clone, Debug, Default)]
struct Tables {
    small: Vec<MoveId>,
    large: HashMap<u32, MoveId>,
}

impl Moves {
    /// The move, or no move if the number has no name yet.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> MoveId {
        match number {
            0..SMALL => {
                let found = self.0.small.get(number as usize);
                found.copied().unwrap_or_default()
            }
            _ => self.0.large.get(&number).copied().unwrap_or_default(),
        }
    }

    /// Returns whether there was room for it.
    pub(crate) fn set(&mut self, number: u32, id: MoveId) -> bool {
        if self.get(number) == id {
            return true;
        }
        let tables = Arc::make_mut(&mut self.0);
        if number >= SMALL {
            let has_room =
                tables.large.len() < limits::LARGE_NUMBERS || tables.large.contains_key(&number);
            if has_room {
                tables.large.insert(number, id);
            }
            return has_room;
        }
        let place = number as usize;
        if tables.small.len() <= place {
            tables.small.resize(place + 1, MoveId::NONE);
        }
        tables.small[place] = id;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_may_mean_a_move_but_only_so_many_large_ones() {
        let mut moves = Moves::default();
        assert!(moves.get(5).is_none() && moves.get(u32::MAX).is_none());
        for number in [1, 65_535, 65_536, u32::MAX] {
            assert!(moves.set(number, MoveId(number / 2 + 1)));
            assert_eq!(moves.get(number), MoveId(number / 2 + 1));
        }
        let before = moves.clone();
        assert!(moves.set(1, MoveId(9)));
        assert_eq!((moves.get(1), before.get(1)), (MoveId(9), MoveId(1)));
        for number in SMALL..SMALL + limits::LARGE_NUMBERS as u32 - 1 {
            assert!(moves.set(number, MoveId(7)), "{number}");
        }
        assert!(!moves.set(u32::MAX - 1, MoveId(7)));
        assert!(moves.set(u32::MAX, MoveId(7)), "it has room already");
    }
}
