//! The figures that a program tells of its tree, and its answer, when the trace has ended.

use super::*;

impl BestFirst<'_> {
    /// Ends the checks, when the trace has ended. `has_end` says whether the program told that the search is over.
    pub fn finish(&mut self, (event, has_end): (u64, bool), ledger: &mut Ledger) -> Ending {
        let ending = self.ending();
        if self.simulation == 0 {
            match &ending.lost {
                Some(lost) => ledger.all_wrong(|| lost.clone()),
                None if self.has_updates => ledger.all_wrong(|| Fault::NoVisits),
                None if has_end => ledger.all_wrong(|| Fault::Nothing),
                None => {}
            }
            return ending;
        }
        self.counts.leaves = self
            .nodes
            .iter()
            .flatten()
            .filter(|node| node.ended > 0)
            .count() as u64;
        self.judge_followed(ledger);
        let (found, expected) = (self.simulation, self.task.simulations);
        if let Some(expected) = expected.filter(|&expected| expected != found) {
            ledger.wrong(Check::Simulations, event, || {
                (Vec::new(), Fault::Simulations { found, expected })
            });
        }
        self.judge_told(ledger);
        if has_end || ending.is_over {
            self.judge_answer(event, ledger);
        }
        ending
    }

    /// How the search ended. Where nobody says how many simulations it makes, it may be over after each.
    fn ending(&self) -> Ending {
        let has_begun = self.simulation > 0 || self.has_updates || self.lost.0 > 0;
        let is_over = match self.task.simulations {
            Some(expected) => self.simulation >= expected,
            None => !self.task.is_strict,
        };
        Ending {
            has_begun,
            is_over,
            line: Vec::new(),
            lost: match self.lost {
                (0, _) => None,
                (visits, node) => Some(Fault::NotExpanded { visits, node }),
            },
        }
    }

    /// What a check looks at has to be told, if it gives points.
    pub fn ask_for_what_is_missing(&self, ledger: &mut Ledger) {
        let figures = |what| match self.has_updates {
            false => Fault::NotTold { what },
            true => Fault::Unchecked {
                what,
                why: "no update is of a node that simulations went through",
            },
        };
        ledger.ask_for(Check::Visits, figures("number of visits"));
        ledger.ask_for(Check::Means, figures("mean value"));
        let choice = Fault::Unchecked {
            what: "choice among visited moves",
            why: "no simulation came to a node whose moves had all been visited",
        };
        ledger.ask_for(Check::Selection, choice);
    }

    /// Compares the figures that the program told last of each node with those counted.
    fn judge_told(&self, ledger: &mut Ledger) {
        for (number, node) in (0..).zip(&self.nodes) {
            let Some((node, (event, visits, own))) =
                node.as_ref().and_then(|n| n.told.map(|told| (n, told)))
            else {
                continue;
            };
            if let Some(told) = visits {
                let fault = (told != node.visits).then_some(Fault::Visits {
                    told,
                    counted: node.visits,
                });
                ledger.note(
                    Check::Visits,
                    event,
                    fault.map(|fault| || (self.line(number), fault)),
                );
            }
            if let Some(own) = own.filter(|_| node.visits > 0) {
                let mean = node.sum / node.visits as f64;
                let sides = self.sides(number);
                let fault = (!self.judge.is_near(own, mean)).then(|| Fault::Mean {
                    told: self.judge.told(own, sides),
                    counted: self.judge.told(mean, sides),
                });
                ledger.note(
                    Check::Means,
                    event,
                    fault.map(|fault| || (self.line(number), fault)),
                );
            }
        }
    }

    fn judge_answer(&self, event: u64, ledger: &mut Ledger) {
        if self.told_best.is_none() {
            let fault = Fault::NotTold { what: "best move" };
            let found = self.task.is_strict.then_some(|| (Vec::new(), fault));
            return ledger.note(Check::Answer, event, found);
        }
        let top = self.node(0).map_or(&[][..], |node| &node.children);
        let moves = || {
            top.iter()
                .filter_map(|&number| self.node(number))
                .filter(|node| node.visits > 0 && node.code.is_some())
        };
        let most = moves().map(|node| node.visits).max();
        let mean = |node: &Node| (node.sum / node.visits as f64).turned();
        let greatest = moves().map(mean).fold(f64::NEG_INFINITY, f64::max);
        let by_visits = |node: &Node| Some(node.visits) == most;
        let by_value = |node: &Node| self.judge.is_same(mean(node), greatest);
        let is_right = |node: &&Node| match self.task.rules.answer {
            Chosen::Visits => by_visits(node),
            Chosen::Value => by_value(node),
            Chosen::Either => by_visits(node) || by_value(node),
        };
        let right: Vec<&Node> = moves().filter(is_right).collect();
        let told = self.names.text(self.told_best).to_owned();
        let names = right.iter().map(|node| self.names.text(node.m).to_owned());
        let fault = match right.is_empty() {
            true => Some(Fault::AnswerUnvisited { told }),
            false if right.iter().any(|node| node.m == self.told_best) => None,
            false => Some(Fault::AnswerMove {
                told,
                right: names.collect(),
            }),
        };
        ledger.note(
            Check::Answer,
            event,
            fault.map(|fault| || (Vec::new(), fault)),
        );
    }
}
