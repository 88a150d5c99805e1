//! Audits: what a cut in doubt claims, that the node is worth at least beta, is asked of a deeper alpha-beta, outside the score.

use super::ProbAlphaBeta;
use super::moves::Site;
use crate::alpha_beta::leaf::LeafSearch;
use eval::Evaluator;
use game::{Game, Score};
use search::common::auditor::Auditor;
use search::common::leaf::Leaf;
use search::{Interrupt, Job, Probe};
use tree::{Fate, Treatment};

/// Who says whether a cut was right: an alpha-beta of its own, with all its rules.
#[derive(Debug)]
pub(super) struct Judge<'a, E> {
    search: LeafSearch<'a, E>,
    /// Which cuts it is asked about.
    sample: Auditor,
    /// How many plies deeper than the node that was cut off it looks.
    deeper: u8,
}

impl<'a, E> Judge<'a, E> {
    /// Returns the judge where cuts are audited. The leaves of a finite toy tree are all there is to know about it, so nothing
    /// deeper could tell.
    pub fn new<G: Game>(job: &Job<'a, G, E>, thread: usize) -> Option<Self>
    where
        E: Evaluator<G>,
    {
        let every = job.options.integer("audit") as u64;
        if every == 0 || job.situation.position.height().is_some() {
            return None;
        }
        Some(Judge {
            search: LeafSearch::new(job, thread),
            sample: Auditor::new(every, job.seed + thread as u64),
            deeper: job.options.integer("audit-plies") as u8,
        })
    }
}

impl<E, P: Probe> ProbAlphaBeta<'_, E, P> {
    /// Audits a cut that was left just now, if it is one of the sample.
    ///
    /// # Errors
    /// [`Interrupt`] in the middle of it.
    pub(super) fn audit<G: Game>(
        &mut self,
        site: &Site<G, E::State>,
        fate: Fate,
    ) -> Result<(), Interrupt>
    where
        E: Evaluator<G>,
    {
        let Some(judge) = &mut self.judge else {
            return Ok(());
        };
        let visit = &site.visit;
        if !visit.node.is_none() {
            // What was found at an earlier visit says nothing about this cut.
            self.tree
                .node(visit.node)
                .set_treatment(Treatment::default());
        }
        let is_certain = matches!(fate, Fate::ProbabilisticCutoff { probability, .. } if probability == u16::MAX);
        // Without doubt anywhere, cuts are those of alpha-beta: the control.
        if is_certain && !self.certain || !judge.sample.draw() {
            return Ok(());
        }
        let history = self.context.history.clone();
        let leaf = Leaf {
            position: site.position,
            state: site.state,
            history: &history,
            before: [1, 2].map(|back| self.line.before(visit.ply, back)),
            ply: usize::from(visit.ply),
            depth: (visit.depth.max(0) as u8).saturating_add(judge.deeper),
            window: (Score::from_raw(visit.beta.raw() - 1), visit.beta),
        };
        let aside = self.context.begin_audit();
        let value = judge.search.value(&mut self.context, &leaf);
        let nodes = self.context.end_audit(aside);
        self.context.audited_node(visit, fate, value?, nodes);
        Ok(())
    }
}
