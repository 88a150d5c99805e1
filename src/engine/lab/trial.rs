//! A family at work: searches with its margin, the nodes they take, what the audit finds.

use std::sync::Arc;

use super::Position;
use super::audit::{add_audits, audits_of};
use crate::engine::config::Config;
use crate::engine::job_inputs::{JobInputs, new_tree};
use crate::engine::jobs::Worker;
use crate::search::common::table::Tables;
use crate::search::depth_first::margin::{Formula, Margin};
use crate::search::{
    AuditRow, Choices, Control, Effect, Limits, OptionError, Options, RULES, Rule, Start,
    StopReason,
};

/// A rule of alpha-beta that prunes by a margin over the depth left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tested {
    Futility,
    ReverseFutility,
    Razoring,
}

impl Tested {
    pub const ALL: [Tested; 3] = [Tested::Futility, Tested::ReverseFutility, Tested::Razoring];

    #[must_use]
    pub fn rule(self) -> Rule {
        match self {
            Tested::Futility => Rule::Futility,
            Tested::ReverseFutility => Rule::ReverseFutility,
            Tested::Razoring => Rule::Razoring,
        }
    }

    /// The rule's name, which is also the option that switches it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.rule().name()
    }

    /// Its option for the margin.
    #[must_use]
    pub fn margin_key(self) -> String {
        format!("{}-margin", self.name())
    }

    /// Its option for the deepest depth left at which it prunes.
    #[must_use]
    pub fn depth_key(self) -> String {
        format!("{}-depth", self.name())
    }

    /// +1: the rule bets that the score does not rise by more than the margin; -1: that it does not fall.
    #[must_use]
    pub fn direction(self) -> f64 {
        match self {
            Tested::Futility | Tested::Razoring => 1.0,
            Tested::ReverseFutility => -1.0,
        }
    }

    /// Options of alpha-beta under which the rule prunes with this margin.
    ///
    /// # Errors
    /// The margin's word is refused.
    pub fn with_margin(self, options: &Options, margin: &Margin) -> Result<Options, OptionError> {
        let mut options = options.clone();
        options.set(self.name(), "on")?;
        options.set(&self.margin_key(), &margin.to_string())?;
        Ok(options)
    }
}

/// The options under which changes of score are measured: without the rules that prune by a margin or a count, for what they
/// prune they take as unchanged. Null move and multi-cut, which search before they cut, reductions and extensions stay as they
/// are: the margins are for the search that has them.
pub(super) fn unbiased(options: &Options) -> Options {
    let biased = RULES.iter().filter(|row| {
        let prunes = matches!(row.effect, Effect::CutsNode | Effect::SkipsMove);
        let searches = matches!(row.rule, Rule::NullMove | Rule::MultiCut);
        prunes && !searches && !row.rule.is_in_quiescence()
    });
    let mut options = options.clone();
    for row in biased {
        // A rule that the algorithm does not have is off already.
        let _ = options.set(row.name, "off");
    }
    options
}

/// One family's margin tried on all positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    pub margin: Margin,
    /// Of all searches together, audits not counted.
    pub nodes: u64,
    /// Positions searched to their full depth; the others count with what they took.
    pub finished: usize,
    /// Nodes it saved, over those saved by the first family: 1 is as many. `None` while unknown.
    pub saving: Option<f64>,
    /// By rule and depth: all rules, not only the tested one.
    pub audits: Vec<AuditRow>,
}

/// What the searches of a trial took and found, all positions together.
#[derive(Debug, Default)]
pub(super) struct Sum {
    pub nodes: u64,
    /// Positions searched to their full depth.
    pub finished: usize,
    pub audits: Vec<AuditRow>,
}

impl Sum {
    pub fn add(&mut self, control: &Control) {
        let whole = matches!(
            control.stopped(),
            Some(StopReason::Depth | StopReason::Solved)
        );
        self.finished += usize::from(whole);
        self.nodes += control.totals().nodes;
        add_audits(&mut self.audits, audits_of(control));
    }
}

/// Searches one position as `config` says; `None` where nothing shall begin any more.
pub(super) fn search(
    position: &Position,
    config: &Config,
    worker: &Worker,
) -> Option<Arc<Control>> {
    let control = worker.control(config.limits)?;
    let inputs = JobInputs {
        subject: &position.subject,
        config,
        tree: &new_tree(&position.subject, config),
        tables: &Tables::new(config.table),
        control: &control,
    };
    inputs.with_job(Start::default(), &Choices::default(), |job| {
        job.run_unwatched()
    });
    Some(control)
}

/// How the searches of a trial run.
pub(super) fn config(base: &Config, options: Options, limits: Limits) -> Config {
    Config {
        options,
        limits,
        ..base.clone()
    }
}

/// Where the scale is sought at which a family takes so many nodes: more with a larger scale, but not smoothly, for a
/// search's tree changes as a whole with any decision.
#[derive(Debug)]
pub(super) struct Seek {
    /// Nodes wanted.
    target: f64,
    /// Nodes either way that are near enough.
    tolerance: f64,
    formula: Formula,
    /// ln scale and nodes below and above the target.
    below: Option<(f64, f64)>,
    above: Option<(f64, f64)>,
    tried: usize,
}

impl Seek {
    /// More trials than this bring nothing.
    const MOST: usize = 9;

    pub fn new(formula: Formula, target: u64, tolerance: f64) -> Self {
        Seek {
            target: target as f64,
            tolerance,
            formula: formula.with_scale(formula.scale().clamp(1.0, 2000.0)),
            below: None,
            above: None,
            tried: 0,
        }
    }

    pub fn margin(&self) -> Margin {
        Margin::new(self.formula)
    }

    /// Takes the nodes that the margin took, and goes to the next; false: it is near enough, or will not come nearer.
    pub fn goes_on(&mut self, nodes: u64) -> bool {
        self.tried += 1;
        let nodes = nodes as f64;
        let here = (self.formula.scale().ln(), nodes);
        if (nodes - self.target).abs() <= self.tolerance || self.tried >= Self::MOST {
            return false;
        }
        if nodes < self.target {
            self.below = Some(here);
        } else {
            self.above = Some(here);
        }
        let next = match (self.below, self.above) {
            (Some((low, few)), Some((high, many))) => {
                // Between the two in proportion, but never next to an end: what is there is known.
                let share = (self.target - few) / (many - few);
                low + (high - low) * share.clamp(0.15, 0.85)
            }
            (Some((low, _)), None) => low + 0.4,
            (None, _) => here.0 - 0.4,
        };
        let scale = (next.exp().clamp(1.0, 2000.0) * 10.0).round() / 10.0;
        let moved = scale != self.formula.scale();
        self.formula = self.formula.with_scale(scale);
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_scale_for_as_many_nodes_is_found(
            start in 10.0f64..500.0,
            wanted in 20.0f64..400.0,
            steepness in 0.2f64..1.0,
        ) {
            let nodes = |scale: f64| (1e6 * scale.powf(steepness)) as u64;
            let target = nodes(wanted);
            let tolerance = 0.03 * target as f64;
            let mut seek = Seek::new(Formula::Linear { scale: start }, target, tolerance);
            let mut last = 0;
            for _ in 0..=Seek::MOST {
                last = nodes(seek.margin().formula().scale());
                if !seek.goes_on(last) {
                    break;
                }
            }
            let off = (last as f64 - target as f64).abs();
            // Nine trials can't come from one end of the range to the other.
            let far = (start / wanted).ln().abs() > 2.0;
            prop_assert!(off <= tolerance || far, "{last} for {target}");
        }
    }

    #[test]
    fn every_tested_rule_has_its_options() {
        let options = crate::search::Algorithm::AlphaBeta.default_options();
        let margin: Margin = "root:150".parse().expect("a margin");
        for tested in Tested::ALL {
            let set = tested
                .with_margin(&options, &margin)
                .expect("the options are there");
            assert!(set.switch(tested.name()));
            assert_eq!(set.word(&tested.margin_key()), "root:150");
            assert!(set.integer(&tested.depth_key()) > 0);
            assert!(!unbiased(&set).switch(tested.name()));
        }
    }
}
