//! What a search may spend, and how it is written.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use search::{Limits, quantity};

/// What one search may spend on one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(into = "BudgetJson")]
pub enum Budget {
    /// Nodes, as counted by `--nodes`; an external engine uses its own count.
    Nodes(u64),
    /// CPU time of all threads of a column together, measured by the threads' own clocks.
    Cpu(Duration),
    /// Iterations of a depth-first search, plies of a best-first one.
    Depth(u16),
    /// No limit: the search runs until it is stopped.
    Unlimited,
}

/// What each search may use.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(deny_unknown_fields)]
enum BudgetJson {
    Nodes {
        /// Nodes for each search.
        nodes: u64,
    },
    Cpu {
        /// CPU time of all threads of a search, in milliseconds.
        #[schemars(range(min = 0))]
        cpu_ms: f64,
    },
    Depth {
        /// Plies for each search.
        depth: u16,
    },
    Unlimited {},
}

impl From<Budget> for BudgetJson {
    fn from(budget: Budget) -> BudgetJson {
        match budget {
            Budget::Nodes(nodes) => BudgetJson::Nodes { nodes },
            Budget::Cpu(time) => BudgetJson::Cpu {
                cpu_ms: time.as_secs_f64() * 1e3,
            },
            Budget::Depth(depth) => BudgetJson::Depth { depth },
            Budget::Unlimited => BudgetJson::Unlimited {},
        }
    }
}

impl Budget {
    /// Returns the budget as limits for one of plyscope's own searches.
    pub fn limits(self) -> Limits {
        let mut limits = Limits::default();
        match self {
            Budget::Nodes(nodes) => limits.nodes = Some(nodes),
            Budget::Cpu(time) => limits.cpu = Some(time),
            Budget::Depth(depth) => limits.depth = Some(depth),
            Budget::Unlimited => {}
        }
        limits
    }
}

/// Why a text is not a budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found {found:?}, expected 100k nodes, 5s, depth 8 or none")]
pub struct BudgetError {
    pub found: String,
}

impl FromStr for Budget {
    type Err = BudgetError;

    /// Parses `100k nodes` or a bare number of nodes; `5s` or `500ms` of CPU time; `depth 8`; or `none`.
    fn from_str(text: &str) -> Result<Budget, BudgetError> {
        let error = || BudgetError {
            found: text.to_owned(),
        };
        let lower = text.trim().to_lowercase();
        if ["none", "unlimited"].contains(&lower.as_str()) {
            return Ok(Budget::Unlimited);
        }
        if let Some(depth) = lower.strip_prefix("depth") {
            let depth: u16 = depth.trim().parse().map_err(|_| error())?;
            return (1..=200)
                .contains(&depth)
                .then_some(Budget::Depth(depth))
                .ok_or_else(error);
        }
        if let Ok(time) = quantity::duration(lower.trim_end_matches("cpu").trim_end()) {
            return (!time.is_zero())
                .then_some(Budget::Cpu(time))
                .ok_or_else(error);
        }
        let number = lower.strip_suffix("nodes").unwrap_or(&lower);
        let number = number.strip_suffix("node").unwrap_or(number);
        quantity::count(number)
            .map(Budget::Nodes)
            .map_err(|_| error())
    }
}

impl fmt::Display for Budget {
    /// Writes the budget so that it can be parsed again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Budget::Nodes(n) if n > 0 && n.is_multiple_of(1_000_000) => {
                write!(f, "{}M nodes", n / 1_000_000)
            }
            Budget::Nodes(n) if n > 0 && n.is_multiple_of(1_000) => {
                write!(f, "{}k nodes", n / 1_000)
            }
            Budget::Nodes(n) => write!(f, "{n} nodes"),
            Budget::Cpu(t) if t < Duration::from_secs(1) => {
                write!(f, "{}ms", f64::from(t.subsec_nanos()) / 1e6)
            }
            Budget::Cpu(t) => write!(f, "{}s", t.as_secs_f64()),
            Budget::Depth(depth) => write!(f, "depth {depth}"),
            Budget::Unlimited => f.write_str("none"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_written_as_it_is_read() {
        for (text, budget) in [
            ("100k nodes", Budget::Nodes(100_000)),
            ("2M nodes", Budget::Nodes(2_000_000)),
            ("123 nodes", Budget::Nodes(123)),
            ("500ms", Budget::Cpu(Duration::from_millis(500))),
            ("1.5s", Budget::Cpu(Duration::from_millis(1500))),
            ("depth 8", Budget::Depth(8)),
            ("none", Budget::Unlimited),
        ] {
            assert_eq!(text.parse(), Ok(budget), "{text}");
            assert_eq!(budget.to_string(), text);
        }
        for (text, budget) in [
            ("50000", Budget::Nodes(50_000)),
            (" 5 S cpu", Budget::Cpu(Duration::from_secs(5))),
            ("Depth8", Budget::Depth(8)),
            ("20K", Budget::Nodes(20_000)),
        ] {
            assert_eq!(text.parse(), Ok(budget), "{text}");
        }
        for wrong in [
            "",
            "nodes",
            "0",
            "0s",
            "-5",
            "depth",
            "depth 0",
            "depth 999",
            "5 parsecs",
        ] {
            let error = wrong.parse::<Budget>().expect_err(wrong);
            assert_eq!(error.found, wrong);
        }
    }
}
