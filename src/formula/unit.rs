//! Units, so that plies are not added to centipawns.

use std::fmt;

/// A product of powers of centipawns and plies.
///
/// A number that is written out fits everywhere: in `130 * depth` it stands for centipawns a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// What is written out, and what is multiplied by it.
    Any,
    /// The powers in halves, because a root of a ply is the unit of a random walk.
    Powers { centipawns: i8, plies: i8 },
}

impl Unit {
    pub const NONE: Unit = Unit::powers(0, 0);
    pub const CENTIPAWNS: Unit = Unit::powers(2, 0);
    pub const PLIES: Unit = Unit::powers(0, 2);

    const fn powers(centipawns: i8, plies: i8) -> Unit {
        Unit::Powers { centipawns, plies }
    }

    /// The unit of a product, or with `−1` as `sign` of a quotient.
    #[must_use]
    pub fn times(self, other: Unit, sign: i8) -> Unit {
        match (self, other) {
            (
                Unit::Powers { centipawns, plies },
                Unit::Powers {
                    centipawns: c,
                    plies: p,
                },
            ) => Unit::powers(
                centipawns.saturating_add(c.saturating_mul(sign)),
                plies.saturating_add(p.saturating_mul(sign)),
            ),
            _ => Unit::Any,
        }
    }

    /// The unit of the root; `None` where it has no name.
    pub fn root(self) -> Option<Unit> {
        match self {
            Unit::Any => Some(Unit::Any),
            Unit::Powers { centipawns, plies } if centipawns % 2 == 0 && plies % 2 == 0 => {
                Some(Unit::powers(centipawns / 2, plies / 2))
            }
            Unit::Powers { .. } => None,
        }
    }

    /// The unit of numbers that are added or compared; `None` if they do not fit.
    pub fn with(self, other: Unit) -> Option<Unit> {
        match (self, other) {
            (Unit::Any, unit) | (unit, Unit::Any) => Some(unit),
            (a, b) => (a == b).then_some(a),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unit::Powers { centipawns, plies } = *self else {
            return f.write_str("any unit");
        };
        let power = |name: &str, halves: i8| match halves {
            0 => None,
            2 => Some(name.to_owned()),
            odd if odd % 2 != 0 => Some(format!("{name}^({odd}/2)")),
            even => Some(format!("{name}^{}", even / 2)),
        };
        let parts = [power("centipawns", centipawns), power("plies", plies)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match parts.is_empty() {
            true => f.write_str("a number without a unit"),
            false => f.write_str(&parts.join("·")),
        }
    }
}
