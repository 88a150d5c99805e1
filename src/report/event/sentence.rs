//! One plain sentence per event.

use super::figures::Figures;
use crate::lens::Lens;
use crate::number;
use crate::why::sentence::{bound_words, plural, with_view};
use crate::why::treated;
use crate::why::words as told_words;
use crate::why::{left_out_by, proven_in_full, why_fate};
use game::{MoveCode, Scale, Score};
use search::{Estimate, Event, Rule, Told};
use session::{GrownBy, Reader};
use tree::{Bound, NodeId, Proof, Tree, Window};

/// Describes an event in one sentence with the numbers (`14...Nf6: cut off after 1 of 31 moves: Bg5 scored +0.42, at
/// least beta +0.35 (White's view).`). It begins with the node's last move and its number; the root is `Root`. Names
/// are read from the tree and all figures from the event, so the sentence can be made at any time after the event.
///
/// Scores are from the view of the side to move at the node, which the sentence names; for a move that was not
/// searched, from the view of the side that could have played it.
pub fn sentence(reader: &Reader, event: &Event) -> String {
    Lens::OWN.event(reader, event)
}

impl Lens {
    /// Describes an event like [`sentence()`], with scores as seen through the lens.
    pub fn event(self, reader: &Reader, event: &Event) -> String {
        Sentence(self.figures_of(reader, event)).tell(event)
    }
}

/// Returns what a rule's search was about.
fn question(rule: Rule) -> String {
    match rule {
        Rule::NullMove => "passing".into(),
        Rule::ProbCut => "the best capture".into(),
        Rule::SingularExtension => "the best of the others".into(),
        Rule::Razoring => "quiescence".into(),
        _ => words(rule.name()),
    }
}

/// Returns a name from the tables as words: `null move`.
pub(super) fn words(name: &str) -> String {
    name.replace('-', " ")
}

fn sign(order: std::cmp::Ordering) -> char {
    match order {
        std::cmp::Ordering::Less => '<',
        std::cmp::Ordering::Equal => '=',
        std::cmp::Ordering::Greater => '>',
    }
}

struct Sentence<'a>(Figures<'a>);

impl Sentence<'_> {
    fn tell(&self, event: &Event) -> String {
        match *event {
            Event::Iteration { depth } => {
                if self.0.best_first {
                    "The search begins.".into()
                } else {
                    format!("Iteration {depth} begins.")
                }
            }
            Event::IterationDone { depth, best, score } => self.done(depth, best, score),
            Event::Best { from, to } => self.best(from, to),
            Event::Pass { number, beta, .. } => self.pass(number, beta),
            Event::PassDone { number, low, high } => self.pass_done(number, low, high),
            Event::Aim(aim) => self.scored(aim.node, &self.0.aim(&aim)),
            Event::Budget { node, ref budget } => {
                let unit = match budget.total() {
                    1 => budget.unit.singular(),
                    _ => budget.unit.name(),
                };
                let total = number::count(budget.total());
                let parts = self.0.parts(budget, usize::MAX);
                self.plain(node, &format!("hands out {total} {unit}: {parts}."))
            }
            Event::Enter {
                node,
                alpha,
                beta,
                depth,
            } => self.enter(node, alpha, beta, depth),
            Event::Evaluate {
                node,
                value,
                mean,
                sd,
            } => self.evaluate(node, value, Estimate { mean, sd }),
            Event::Ask {
                node,
                alpha,
                beta,
                depth,
            } => {
                let question = self.0.question(alpha, beta);
                self.scored(
                    node,
                    &format!("alpha-beta to depth {depth} is asked {question}."),
                )
            }
            Event::Answer {
                node,
                value,
                bound,
                nodes,
            } => {
                let value = self.0.scores.score(value);
                let answer = match self.0.scores.seen(bound) {
                    Bound::Upper => format!("at most {value}"),
                    Bound::Lower => format!("at least {value}"),
                    _ => value,
                };
                self.scored(
                    node,
                    &format!("the answer is {answer}, after {}.", plural(nodes, "node")),
                )
            }
            Event::Expand { node, moves } => {
                let moves = plural(moves, "move");
                if self.0.best_first {
                    self.plain(node, &format!("expanded, {moves}."))
                } else {
                    self.plain(node, &format!("{moves} to search."))
                }
            }
            Event::BackUp {
                node,
                child,
                worth,
                before,
                after,
            } => {
                let change = self.change(before, after);
                let through = self.through(child, worth, after);
                self.scored(node, &format!("{change}{through}."))
            }
            Event::Prove { node, proof } => self.scored(node, &self.proven(proof)),
            Event::Leave { node, score, bound } => self.leave(node, score, bound),
            Event::Prune {
                parent, m, fate, ..
            } => {
                let name = self.0.reader.numbered_move(parent, m);
                let why = why_fate(self.0.lens, self.0.reader, self.0.fated(event, fate));
                after_name(name, &why)
            }
            Event::Try {
                node,
                rule,
                bound,
                depth,
            } => self.scored(node, &self.trial(rule, bound, depth)),
            Event::Tried {
                node,
                rule,
                bound,
                value,
            } => {
                let (of, to) = self.0.scores.word((value, bound), (bound, value));
                let order = of.cmp(&to);
                let (value, sign) = (self.0.value(value), sign(order));
                let bound = self.0.value(bound);
                self.scored(
                    node,
                    &format!("{} brings {value} {sign} {bound}.", self.question(rule)),
                )
            }
            Event::Depth { node, change } => {
                let parent = self.0.reader.tree.node(node).parent();
                let alpha = self.0.lens.of_moves(self.0.reader, parent).alpha();
                self.plain(node, &treated(change, alpha))
            }
            Event::Audit {
                node,
                m,
                fate,
                value,
                failed,
            } => {
                let what = format!(
                    "audit of {}: searched all the same, outside the score, it is worth {}: the {} was {}.",
                    words(fate.name()),
                    self.0.value(value),
                    left_out_by(fate),
                    if failed { "wrong" } else { "right" }
                );
                if m == MoveCode::NONE {
                    self.scored(node, &what)
                } else {
                    let text = after_name(self.0.reader.numbered_move(node, m), &what);
                    with_view(self.0.reader, &self.0.scores, text)
                }
            }
            Event::Told { node, what } => self.told(event, node, what),
            Event::TableHit { node, fate }
            | Event::End { node, fate, .. }
            | Event::Cut { node, fate } => {
                let why = why_fate(self.0.lens, self.0.reader, self.0.fated(event, fate));
                self.plain(node, &why)
            }
        }
    }

    /// Says what another program tells.
    fn told(&self, event: &Event, node: NodeId, what: Told) -> String {
        let value = |value: Option<Score>| match value {
            Some(value) => self.0.scores.score(value),
            None => "no value".to_owned(),
        };
        let mean = |value: Option<f32>| match value {
            Some(value) => self.0.mean(Estimate::point(value)),
            None => "no value".to_owned(),
        };
        match what {
            Told::Stand { value: v } => self.scored(
                node,
                &format!("stands at {} unless a move is better.", value(v)),
            ),
            Told::Reason { fate } => {
                let why = why_fate(self.0.lens, self.0.reader, self.0.fated(event, fate));
                self.plain(node, &why)
            }
            Told::Try { fate } => {
                let at = self.0.fated(event, fate).id;
                let words = told_words(self.0.reader, fate, at, &self.0.scores);
                self.scored(node, &format!("a rule searches: {words}."))
            }
            Told::Tried { value: v } => {
                self.scored(node, &format!("the rule's search brings {}.", value(v)))
            }
            Told::Visit { value, weight } => {
                let visits = plural(weight, "visit");
                self.scored(node, &format!("{visits} with {}.", mean(value)))
            }
            Told::Update { value, visits } => {
                let visits = visits.map_or_else(String::new, |visits| {
                    format!(" after {} visits", number::count(visits))
                });
                self.scored(node, &format!("stands at {}{visits}.", mean(value)))
            }
            Told::At => self.plain(node, "the program speaks of this node."),
            Told::Edge { to } => {
                let moves = self.0.reader.tree.moves_to(to);
                let line = self.0.reader.names(Tree::ROOT, &moves);
                let line: Vec<String> = line.into_iter().map(|name| name.san).collect();
                let to = if line.is_empty() {
                    "the root".to_owned()
                } else {
                    line.join(" ")
                };
                self.plain(node, &format!("a move leads to the position after {to}."))
            }
            Told::Unwind { open } => {
                format!("The search leaves all nodes but {open} at once.")
            }
            Told::End => "The program's search is over.".to_owned(),
            Told::Unused => self.plain(node, "an event that says nothing here."),
        }
    }

    /// Returns what a rule's search was about.
    fn question(&self, rule: Rule) -> String {
        match rule {
            Rule::ProbCut if self.by_percentile() => "the shallower search".into(),
            _ => question(rule),
        }
    }

    /// Whether ProbCut searches the node itself instead of its captures.
    fn by_percentile(&self) -> bool {
        matches!(self.0.reader.searcher, GrownBy::Own(_, options)
            if options.is("prob-cut-by", "percentile"))
    }

    /// Describes the beginning of a rule's search.
    fn trial(&self, rule: Rule, bound: Score, depth: i8) -> String {
        let bound = self.0.value(bound);
        let left = to_go(self.0.scale, depth);
        match rule {
            Rule::Razoring => {
                let (below, alpha) = (self.0.scores.below(), self.0.scores.alpha());
                format!("far {below} {alpha}: quiescence is tried against {bound}.")
            }
            Rule::NullMove => format!("passing is tried against {bound}{left}."),
            Rule::ProbCut if self.by_percentile() => {
                format!("a shallower search is tried against {bound}{left}.")
            }
            Rule::ProbCut => format!("captures are tried against {bound}{left}."),
            Rule::SingularExtension => {
                format!("all moves but the first are tried against {bound}{left}.")
            }
            _ => format!("{} asks for {bound}{left}.", words(rule.name())),
        }
    }

    /// Returns a statement about a node.
    fn plain(&self, node: NodeId, what: &str) -> String {
        after_name(self.0.reader.numbered(node), what)
    }

    /// Returns a statement about a node that contains scores.
    fn scored(&self, node: NodeId, what: &str) -> String {
        with_view(self.0.reader, &self.0.scores, self.plain(node, what))
    }

    fn done(&self, depth: u16, best: MoveCode, score: Score) -> String {
        let begin = if self.0.best_first {
            "The search ends".to_owned()
        } else {
            format!("Iteration {depth} is finished")
        };
        let found = match self.0.name(Tree::ROOT, best) {
            Some(name) => format!("best move {name}, {}", self.0.noun()),
            None => format!("no best move, {}", self.0.noun()),
        };
        let text = format!("{begin}: {found} {}.", self.0.value(score));
        with_view(self.0.reader, &self.0.scores, text)
    }

    fn pass(&self, number: u16, beta: Score) -> String {
        let question = self.0.pass_question(beta);
        let text = format!("Pass {number} asks {question}.");
        with_view(self.0.reader, &self.0.scores, text)
    }

    fn pass_done(&self, number: u16, low: Score, high: Score) -> String {
        let known = self.0.between(low, high);
        let text = format!("Pass {number} is finished: the value is {known}.");
        with_view(self.0.reader, &self.0.scores, text)
    }

    fn best(&self, from: MoveCode, to: MoveCode) -> String {
        let name = |code| self.0.name(Tree::ROOT, code);
        match (name(from), name(to)) {
            (None, Some(to)) => format!("The best move is {to}, the first one found."),
            (Some(from), Some(to)) => format!("The best move is now {to}, no longer {from}."),
            (Some(from), None) => format!("The best move is no longer {from}, and no other yet."),
            (None, None) => "There is no best move yet.".into(),
        }
    }

    fn enter(&self, node: NodeId, alpha: Score, beta: Score, depth: i8) -> String {
        if self.0.best_first {
            let (alpha, beta) = self.0.relevant(alpha, beta);
            if self.0.is_open(alpha, beta) {
                return self.plain(node, "entered.");
            }
            let window = self.0.scores.window(alpha, beta, " and ");
            return self.scored(
                node,
                &format!("entered; only a proof between {window} would matter."),
            );
        }
        let window = self.0.scores.window(alpha, beta, ", beta ");
        let left = to_go(self.0.scale, depth);
        let text = format!("entered with alpha {window}{left}.");
        if self.0.is_open(alpha, beta) {
            self.plain(node, &text)
        } else {
            self.scored(node, &text)
        }
    }

    fn evaluate(&self, node: NodeId, value: Score, estimate: Estimate) -> String {
        if !self.0.best_first && estimate.sd.is_none() {
            let score = self.0.scores.score(value);
            return self.scored(node, &format!("static value {score}."));
        }
        let belief = self.0.estimate(estimate, " ± ");
        self.scored(node, &format!("evaluated as {belief}."))
    }

    fn change(&self, before: Option<Estimate>, after: Estimate) -> String {
        let noun = match after.sd {
            Some(_) => "belief",
            None => self.0.noun(),
        };
        let now = self.0.estimate(after, " ± ");
        match before.map(|b| self.0.estimate(b, " ± ")) {
            Some(before) if before == now => format!("{noun} stays {now}"),
            Some(before) => format!("{noun} {before} → {now}"),
            None => format!("first {noun} {now}"),
        }
    }

    /// Names the child that was searched, and its present value if that differs from the node's own.
    fn through(&self, child: NodeId, worth: Option<f32>, after: Estimate) -> String {
        let Some(child) = self.0.node_name(child) else {
            return String::new();
        };
        let mean = |mean| self.0.estimate(Estimate::point(mean), "");
        match worth.map(mean) {
            Some(worth) if worth != mean(after.mean) => {
                format!(", its child {child} is worth {worth}")
            }
            _ => format!(" through {child}"),
        }
    }

    fn proven(&self, proof: Proof) -> String {
        if proof.upper == Score::LOSS {
            let won = self.0.scores.word("lost", "won");
            let how = match self.0.reader.subject.position.as_chess() {
                Some(_) => "checkmate",
                None => "the game is over",
            };
            return format!("proven {won}: {how}.");
        }
        let words = proven_in_full(proof, &self.0.scores);
        if words != "open" {
            return format!("proven {words}.");
        }
        // Leaves out bounds that say only that the game goes on: being mated now, and winning with the next move.
        let least = |score: Score, what, nothing| {
            let plies_off = score.mate_plies().map_or(0, i16::unsigned_abs);
            (plies_off > nothing).then(|| format!("no {what} in fewer than {}", plies(plies_off)))
        };
        let (loss, win) = self.0.scores.word(("loss", "win"), ("win", "loss"));
        let bounds = [least(proof.lower, loss, 0), least(proof.upper, win, 1)];
        let bounds: Vec<String> = bounds.into_iter().flatten().collect();
        format!("proven: {}.", bounds.join(", "))
    }

    fn leave(&self, node: NodeId, score: Score, bound: Bound) -> String {
        let bound = match bound {
            Bound::Lower | Bound::Upper => {
                format!("{} ", bound_words(self.0.scores.seen(bound)))
            }
            Bound::Exact | Bound::None => String::new(),
        };
        // In the tree as it is then, another program's large value has all its digits.
        let wide = self.0.reader.tree.wide(node);
        let wide = wide.filter(|&wide| self.0.reader.tree.nearest(wide) == score);
        let exact = wide.and_then(|wide| self.0.scores.wide(wide));
        let value = exact.unwrap_or_else(|| self.0.value(score));
        self.scored(
            node,
            &format!("left with {} {bound}{value}.", self.0.noun()),
        )
    }
}

/// Returns how deep a depth-first search still goes: `, 3 plies to go`, `, in quiescence`; nothing if it is not told.
pub fn to_go(scale: Scale, depth: i8) -> String {
    match (depth, scale) {
        (Window::UNTOLD, _) => String::new(),
        (..=0, Scale::Logistic) => ", in quiescence".to_owned(),
        (n, _) => format!(", {} to go", plies(n.max(0).unsigned_abs().into())),
    }
}

fn plies(n: u16) -> String {
    if n == 1 {
        "1 ply".into()
    } else {
        format!("{n} plies")
    }
}

/// Returns `name: what`, with the first letter of the sentence in lower case.
pub fn after_name(name: Option<String>, what: &str) -> String {
    let mut letters = what.chars();
    let first = letters.next().map(|c| c.to_ascii_lowercase());
    format!(
        "{}: {}{}",
        name.as_deref().unwrap_or("Root"),
        first.map_or_else(String::new, String::from),
        letters.as_str()
    )
}
