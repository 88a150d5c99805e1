//! Tries out a family: searches with its margin, the nodes that they take, and what the audit finds.

use std::sync::Arc;

use super::Position;
use super::audit::{add_audits, audits_of};
use algorithms::RULES;
use depth_first::alpha_beta::rules::is_in_quiescence;
use depth_first::margin::{Formula, Margin};
use search::common::table::Tables;
use search::{
    AuditRow, Choices, Control, Effect, Limits, OptionError, Options, Rule, Start, StopReason,
};
use session::Config;
use session::job_inputs::{JobInputs, new_tree};
use session::jobs::Worker;

/// A rule of alpha-beta that prunes by a margin that depends on the depth left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tested {
    Futility,
    ReverseFutility,
    Razoring,
}

impl Tested {
    pub const ALL: [Tested; 3] = [Tested::Futility, Tested::ReverseFutility, Tested::Razoring];

    pub fn rule(self) -> Rule {
        match self {
            Tested::Futility => Rule::Futility,
            Tested::ReverseFutility => Rule::ReverseFutility,
            Tested::Razoring => Rule::Razoring,
        }
    }

    /// Returns the rule's name, which is also the option that switches it on.
    pub fn name(self) -> &'static str {
        self.rule().name()
    }

    /// Returns the name of its option for the margin.
    pub fn margin_key(self) -> String {
        format!("{}-margin", self.name())
    }

    /// Returns the name of its option for the greatest depth left at which it prunes.
    pub fn depth_key(self) -> String {
        format!("{}-depth", self.name())
    }

    /// Returns +1 if the rule bets that the score does not rise by more than the margin, and -1 if it bets that the
    /// score does not fall by more.
    #[must_use]
    pub fn direction(self) -> f64 {
        match self {
            Tested::Futility | Tested::Razoring => 1.0,
            Tested::ReverseFutility => -1.0,
        }
    }

    /// Returns options of alpha-beta under which the rule prunes with this margin.
    ///
    /// # Errors
    /// If the margin's text is rejected.
    pub fn with_margin(self, options: &Options, margin: &Margin) -> Result<Options, OptionError> {
        let mut options = options.clone();
        options.set(self.name(), "on")?;
        options.set(&self.margin_key(), &margin.to_string())?;
        Ok(options)
    }
}

/// Returns the options under which changes of score are measured. They exclude the rules that prune by a margin or a
/// count, because those treat what they prune as unchanged. Null move and multi-cut, which search before they cut, and
/// reductions and extensions stay as they are: the margins are meant for the search that has them.
pub(super) fn unbiased(options: &Options) -> Options {
    let biased = RULES.iter().filter(|row| {
        let prunes = matches!(row.effect, Effect::CutsNode | Effect::SkipsMove);
        let searches = matches!(row.rule, Rule::NullMove | Rule::MultiCut);
        prunes && !searches && !is_in_quiescence(row.rule)
    });
    let mut options = options.clone();
    for row in biased {
        // A rule that the algorithm does not have is already off.
        let _ = options.set(row.name(), "off");
    }
    options
}

/// One family's margin, tried on all positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    pub margin: Margin,
    /// The nodes of all searches together, without audits.
    pub nodes: u64,
    /// The number of positions searched to their full depth; the others count with the nodes they took.
    pub finished: usize,
    /// The nodes saved, relative to those saved by the first family: 1 means equally many. `None` while unknown.
    pub saving: Option<f64>,
    /// The audits by rule and depth, of all rules and not only the tested one.
    pub audits: Vec<AuditRow>,
}

/// The cost and the audits of a trial's searches, over all positions.
#[derive(Debug, Default)]
pub(super) struct Sum {
    pub nodes: u64,
    /// The number of positions searched to their full depth.
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

/// Searches one position as `config` says; returns `None` if no further search may begin.
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

/// Returns the configuration of the searches of a trial.
pub(super) fn config(base: &Config, options: Options, limits: Limits) -> Config {
    Config {
        options,
        limits,
        ..base.clone()
    }
}

/// Seeks the scale at which a family takes a given number of nodes. A larger scale takes more nodes, but not smoothly,
/// because any decision can change the whole tree of a search.
#[derive(Debug)]
pub(super) struct Seek {
    /// The wanted number of nodes.
    target: f64,
    /// The distance from the target that is near enough.
    tolerance: f64,
    formula: Formula,
    /// The logarithm of the scale and the nodes, below and above the target.
    below: Option<(f64, f64)>,
    above: Option<(f64, f64)>,
    tried: usize,
}

impl Seek {
    /// More trials than this bring no improvement.
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

    /// Takes the number of nodes that the present margin took and moves on to the next margin. Returns false if it is
    /// near enough or will not get any nearer.
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
                // Interpolates between the two, but stays away from both ends, because those are known already.
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
            // Nine trials cannot get from one end of the range to the other.
            let far = (start / wanted).ln().abs() > 2.0;
            prop_assert!(off <= tolerance || far, "{last} for {target}");
        }
    }

    #[test]
    fn every_tested_rule_has_its_options() {
        let options = algorithms::Algorithm::AlphaBeta.default_options();
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
