//! `--shard K/N`: a part of the work, so that several runs on any machines share it.

/// Every N-th piece of the work, beginning with the K-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    part: usize,
    parts: usize,
}

impl Shard {
    /// Parses `3/16`.
    ///
    /// # Errors
    /// Any other text; the error says what was expected.
    pub fn parse(text: &str) -> Result<Shard, String> {
        let number = |text: &str| text.parse().ok().filter(|n| *n > 0);
        let pair = text.split_once('/').and_then(|(part, parts)| {
            let (part, parts) = (number(part)?, number(parts)?);
            (part <= parts).then_some(Shard { part, parts })
        });
        pair.ok_or_else(|| "expected a part and the number of parts, such as 2/8".to_owned())
    }

    /// Returns its number from 0, and the number of parts.
    pub fn part(self) -> (usize, usize) {
        (self.part - 1, self.parts)
    }

    /// Whether this part does the piece at a place, counted from 0.
    pub fn has(self, place: usize) -> bool {
        place % self.parts == self.part - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_belongs_to_one_part() {
        let parts: Vec<Shard> = (1..=3)
            .map(|k| Shard::parse(&format!("{k}/3")).expect("a part"))
            .collect();
        for place in 0..20 {
            assert_eq!(parts.iter().filter(|part| part.has(place)).count(), 1);
        }
        for wrong in ["", "3", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/3"] {
            assert!(Shard::parse(wrong).is_err(), "{wrong}");
        }
    }
}
