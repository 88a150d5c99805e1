//! Reads a session's tree: the position for which a node stands, and its figures from either side's view.

use super::node_belief::{NodeBelief, Source};
use crate::Subject;
use algorithms::Algorithm;
use belief::Cdf;
use game::{Game, MoveCode, Scale, Score, Side, Sided, notation};
use search::{
    AnyPosition, Explanation, Fitted, NamedNumbers, Options, Ranking, Reading, Term, Viewpoint,
};
use traced::uci_name;
use tree::{Bound, Family, Fate, NodeId, NodeView, Proof, Treatment, Tree, Window};

/// A tree together with the position from which it was grown. Cheap to create; reads the live tree at every call.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    pub tree: &'a Tree,
    /// The position at the tree's root.
    pub subject: &'a Subject,
    pub searcher: GrownBy<'a>,
}

/// What grew a tree.
#[derive(Clone, Copy, Debug)]
pub enum GrownBy<'a> {
    /// One of plyscope's algorithms with its options. They are needed because moves that were skipped by a rule are
    /// explained by the same rule.
    Own(Algorithm, &'a Options),
    /// An external engine; the tree shows what it reported.
    External,
}

impl GrownBy<'_> {
    /// Returns the algorithm's name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            GrownBy::Own(algorithm, _) => algorithm.name(),
            GrownBy::External => "engine",
        }
    }

    /// Returns the algorithm, or `None` for an external engine.
    pub fn algorithm(self) -> Option<Algorithm> {
        match self {
            GrownBy::Own(algorithm, _) => Some(algorithm),
            GrownBy::External => None,
        }
    }

    /// Returns the algorithm's options, or `None` for an external engine.
    pub fn options(&self) -> Option<&Options> {
        match self {
            GrownBy::Own(_, options) => Some(options),
            GrownBy::External => None,
        }
    }

    /// Whether it keeps a distribution at its nodes.
    pub fn has_beliefs(self) -> bool {
        match self {
            GrownBy::Own(algorithm, _) => algorithm.info().beliefs,
            GrownBy::External => false,
        }
    }
}

/// A move in the notations for people and for programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveName {
    pub code: MoveCode,
    /// SAN, or the toy child's name.
    pub san: String,
    /// UCI, or the toy child's name.
    pub uci: String,
}

impl<'a> Reader<'a> {
    pub fn scale(&self) -> Scale {
        self.tree.scale()
    }

    /// Returns the side to move at a node of the tree.
    pub fn turn(&self, id: NodeId) -> Side {
        let root = self.subject.position.turn();
        match self.tree.turns(id) % 2 {
            0 => root,
            _ => root.other(),
        }
    }

    /// Returns the position at a node with the game that led there, or `None` if the node is not in this tree.
    pub fn situation(&self, id: NodeId) -> Option<Subject> {
        if !self.tree.contains(id) {
            return None;
        }
        let moves = self.tree.moves_to(id);
        // Another program may have made illegal moves.
        let follow = match self.is_told() {
            true => |at: &mut Subject, code| at.follow(code),
            false => |at: &mut Subject, code| at.follow_known(code),
        };
        let mut at = self.subject.clone();
        moves
            .into_iter()
            .all(|code| follow(&mut at, code))
            .then_some(at)
    }

    /// Returns the names of consecutive moves played from a node on; shorter than `moves` if one of them is illegal
    /// there.
    pub fn names(&self, from: NodeId, moves: &[MoveCode]) -> Vec<MoveName> {
        let is_told = self.is_told();
        let mut position = self.situation(from).map(|s| s.position.clone());
        let mut names = Vec::with_capacity(moves.len());
        for &code in moves {
            let Some(name) = self.name_at(position.as_ref(), code) else {
                break;
            };
            names.push(name);
            position = position.and_then(|position| match is_told {
                true => position.after_checked(code),
                false => position.after(code),
            });
        }
        names
    }

    /// Returns the name of a move at a position: by its rules, or where they do not have it, as another program calls it. `None`
    /// for a position that cannot be reached, as after an illegal move.
    pub(crate) fn name_at(
        &self,
        position: Option<&AnyPosition>,
        code: MoveCode,
    ) -> Option<MoveName> {
        let by_rules = position.and_then(|position| name_of(position, code));
        by_rules.or_else(|| self.told_name(code))
    }

    /// Returns what another program calls a move that the rules do not have, or a rule of its own.
    fn told_name(&self, code: MoveCode) -> Option<MoveName> {
        if !self.is_told() {
            return None;
        }
        let told = self.tree.told_name(code).map(|name| name.to_string());
        let chess = || {
            let is_chess = self.subject.position.as_chess().is_some();
            is_chess.then(|| uci_name(code)).flatten()
        };
        let name = told.or_else(chess)?;
        Some(MoveName {
            code,
            san: name.clone(),
            uci: name,
        })
    }

    /// Whether the tree is that of another program's search, which may have illegal moves.
    pub fn is_told(&self) -> bool {
        self.searcher.algorithm().is_some_and(Algorithm::is_told)
    }

    /// Returns the number of legal moves at a node, told by a program or by the rules; `None` if neither knows it.
    pub fn move_count(&self, id: NodeId) -> Option<usize> {
        if let Some(told) = self.tree.told_moves(id) {
            return Some(told as usize);
        }
        let legal = self.situation(id)?.position.legal_moves().len();
        (legal > 0 || !self.is_told()).then_some(legal)
    }

    /// Returns the name of one move at a node, or the bare code if the move is illegal there.
    pub fn label(&self, at: NodeId, code: MoveCode) -> String {
        match self.names(at, &[code]).pop() {
            Some(name) => name.san,
            None => format!("{code:?}"),
        }
    }

    /// Returns the name of the endgame table that contains a node's position (`KRPvKR`).
    pub fn table_name(&self, at: NodeId) -> Option<String> {
        self.situation(at)?.position.table_name()
    }

    /// Returns a node's last move with its number (`14...Nf6`; only the name for a toy child). `None` at the root, to
    /// which no move of the search led.
    pub fn numbered(&self, id: NodeId) -> Option<String> {
        let parent = self.tree.node(id).parent();
        if parent.is_none() {
            return None;
        }
        self.numbered_move(parent, self.tree.node(id).move_code())
    }

    /// Returns a move at a node with its number, as in [`Reader::numbered`], or `None` if it is illegal there.
    pub fn numbered_move(&self, at: NodeId, code: MoveCode) -> Option<String> {
        self.situation(at)?.numbered_move(code)
    }

    /// Returns a node's figures from its own side to move's view. There are four differences from [`Tree::view`]. The
    /// root of a best-first search has the value of its best move. A value that the search has not
    /// finished yet (no bound is recorded with it) is not shown as a value. If a depth-first search took its value from
    /// the mean of a belief, the expected score is that mean, unrounded. Where visits choose the best move, the fate names the one
    /// of this moment.
    pub fn view(&self, id: NodeId) -> NodeView {
        let mut view = view(self.tree, id);
        // An external engine's shares of wins and losses are an expected score of their own, beside its centipawns.
        let told = matches!(self.searcher, GrownBy::External) && view.expected.is_some();
        if let Some(belief) = self.tree.belief(id).filter(|_| told) {
            view.expected = Some(belief.mean(self.tree.grid()));
        }
        if let Fate::Expanded { best, .. } = &mut view.fate
            && self.averages_visits()
        {
            *best = self.best_move(id).unwrap_or(*best);
        }
        view
    }

    /// Returns a node's figures as they are at this moment, also within a step of a depth-first search whose root and
    /// moves [`Reader::view`] shows as the last finished step left them.
    pub fn live(&self, id: NodeId) -> NodeView {
        live(self.tree, id)
    }

    /// Returns what the node's algorithm believes about it, from its own side to move's view.
    pub fn belief(&self, id: NodeId) -> Option<NodeBelief> {
        NodeBelief::of(self, &self.view(id))
    }

    /// Returns the belief that is justified at the root: the location of its own belief, with a width fitted to how far
    /// such searches are off. Without such a fit ([`Reader::fitted`]), or if it is switched off, this is the root's own
    /// belief.
    pub fn reported(&self) -> Option<NodeBelief> {
        let own = self.belief(Tree::ROOT)?;
        Some(match self.fitted().and_then(|fitted| fitted.belief) {
            Some(density) => own.calibrated(density, self.tree.grid()),
            None => own,
        })
    }

    /// Returns the root's belief as backed up from all its moves, for a best-first search that keeps beliefs; its mean
    /// is not that of any single move. `None` for other searches, before there is anything to back up, and where the root
    /// believes what its best move does.
    pub fn backed_up(&self) -> Option<NodeBelief> {
        let root = self.tree.node(Tree::ROOT);
        if !self.is_best_first() || root.first_child().is_none() {
            return None;
        }
        let own = self.belief(Tree::ROOT);
        let own = own.filter(|b| b.source == Source::Stored)?;
        let of_best = self.belief_of_best();
        let is_of_best = of_best.is_some_and(|best| best.density == own.density);
        (!is_of_best).then_some(own)
    }

    /// Returns the belief about the root's best move, from the root's own view.
    fn belief_of_best(&self) -> Option<NodeBelief> {
        let best = self.best_move(Tree::ROOT)?;
        let child = self.tree.child_by_move(Tree::ROOT, best)?;
        self.belief(child).turned()
    }

    /// Returns the highest mean that the belief about a single move of the root has, from the root's own view.
    pub fn best_single_mean(&self) -> Option<f32> {
        let mean = |child| {
            let stored = self.tree.belief(child).map(|b| b.mean(self.tree.grid()));
            stored.or_else(|| Some(self.moments(child)?.0))
        };
        let children = self.tree.children(Tree::ROOT);
        let means = children
            .filter(|c| !self.tree.node(*c).is_excluded())
            .filter_map(mean);
        means.map(|mean| mean.turned()).reduce(f32::max)
    }

    /// Returns the belief about the value of the root's best move, which is the root's value: the move's own, or that of the root,
    /// but not one about another value, as that of all moves or of all visits is.
    pub fn belief_about_best(&self) -> Option<NodeBelief> {
        let value = self.view(Tree::ROOT).expected?;
        let of_best = self.belief_of_best().into_iter();
        let mut beliefs = of_best.chain(self.belief(Tree::ROOT));
        beliefs.find(|belief| belief.is_distribution() && belief.is_about(value))
    }

    /// Whether a move has a value of its own beside its belief, which it is chosen by.
    pub(super) fn values_moves_beside_beliefs(&self) -> bool {
        self.searcher.algorithm() == Some(Algorithm::ProbBStar)
    }

    /// Whether the value of a node is the mean of what its visits have found.
    pub fn averages_visits(&self) -> bool {
        let algorithm = self.searcher.algorithm();
        self.is_best_first() && algorithm.is_some_and(|a| a.info().ranking == Ranking::Visits)
    }

    /// Returns the data from which one of plyscope's algorithms explains its nodes, or `None` for an external engine's
    /// tree.
    fn reading(&self, viewpoint: Viewpoint) -> Option<(Algorithm, Reading<'a>)> {
        let GrownBy::Own(algorithm, options) = self.searcher else {
            return None;
        };
        let reading = Reading {
            tree: self.tree,
            subject: self.subject,
            options,
            viewpoint,
            seed: None,
        };
        Some((algorithm, reading))
    }

    /// Returns the algorithm's explanation of a node, with numbers as seen from the viewpoint; `seed` is the search's,
    /// if it is known. Empty for an external engine's tree, and for a move without a node.
    pub fn explain(&self, id: NodeId, viewpoint: Viewpoint, seed: Option<u64>) -> Explanation {
        match self.reading(viewpoint) {
            Some((algorithm, reading)) if self.tree.contains(id) => {
                algorithm.explain(&Reading { seed, ..reading }, id)
            }
            _ => Explanation::default(),
        }
    }

    /// Returns the names of the figures that belong in the tree's columns; see [`Algorithm::columns`].
    pub fn columns(&self) -> &'static [&'static str] {
        self.reading(Viewpoint::Own)
            .map_or(&[], |(algorithm, _)| algorithm.columns())
    }

    /// Returns a number of a node that only its algorithm knows, by its name, from the node's own view.
    pub fn figure(&self, id: NodeId, name: &str) -> Option<f64> {
        let (algorithm, reading) = self.reading(Viewpoint::Own)?;
        algorithm.figure(&reading, id, name)
    }

    /// Returns the numbers that a node keeps instead of a distribution, with their names in JSON.
    pub fn kept(&self, id: NodeId, viewpoint: Viewpoint) -> Option<NamedNumbers> {
        let (algorithm, reading) = self.reading(viewpoint)?;
        algorithm.kept(&reading, id)
    }

    /// Returns the interval that a node keeps instead of a distribution, from its own view.
    pub fn interval(&self, id: NodeId) -> Option<(f32, f32)> {
        let GrownBy::Own(algorithm, _) = self.searcher else {
            return None;
        };
        algorithm.interval(self.tree, id)
    }

    /// Returns mean and standard deviation of the normal distribution that a node keeps, from its own view.
    pub fn moments(&self, id: NodeId) -> Option<(f32, f32)> {
        let GrownBy::Own(algorithm, _) = self.searcher else {
            return None;
        };
        algorithm.moments(self.tree, id)
    }

    /// Returns what a fit to earlier searches says about the root, with its basis even if the fit is not used.
    pub fn fitted(&self) -> Option<Fitted> {
        let (algorithm, reading) = self.reading(Viewpoint::Own)?;
        algorithm.fitted(&reading)
    }

    /// Returns the figure of a node by which a descent chooses: see [`Algorithm::urgency`].
    pub fn urgency(&self, view: &NodeView) -> Option<Term> {
        let (algorithm, reading) = self.reading(Viewpoint::Own)?;
        algorithm.urgency(reading.options, view)
    }

    /// Whether the search distinguishes nodes at which the side to move is getting better.
    pub fn tells_improving(&self) -> bool {
        let found = self.reading(Viewpoint::Own);
        found.is_some_and(|(algorithm, r)| algorithm.tells_improving(r.options, self.scale()))
    }

    /// Returns the evaluation of a node's position and what was added to it to obtain the static value: see
    /// [`Algorithm::correction`].
    pub fn correction(&self, id: NodeId, static_value: Score) -> Option<(Score, i32)> {
        let (algorithm, reading) = self.reading(Viewpoint::Own)?;
        algorithm.correction(&reading, id, static_value)
    }

    /// Whether the search is best-first, so that every legal move of an expanded node is in the tree.
    pub fn is_best_first(&self) -> bool {
        self.tree.family() == Family::BestFirst
    }
}

/// Which figures of the root and its moves are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Those that are shown: of the last finished step of a depth-first search, or as they are held for a frame.
    Shown,
    /// Those of this moment.
    Now,
}

impl At {
    fn view(self, tree: &Tree, id: NodeId) -> NodeView {
        match self {
            At::Shown => tree.view(id),
            At::Now => tree.live_view(id),
        }
    }

    fn belief(self, tree: &Tree, id: NodeId) -> Option<Cdf> {
        match self {
            At::Shown => tree.belief(id),
            At::Now => tree.live_belief(id),
        }
    }
}

/// Returns what [`Reader::view`] shows, for callers that have only the tree.
pub fn view(tree: &Tree, id: NodeId) -> NodeView {
    with_best(tree, id, At::Shown)
}

/// Returns the same of this moment, whatever is held.
pub fn now(tree: &Tree, id: NodeId) -> NodeView {
    with_best(tree, id, At::Now)
}

/// Returns a node as the search has written it, also within a step.
pub fn live(tree: &Tree, id: NodeId) -> NodeView {
    written(tree, id, At::Now)
}

fn with_best(tree: &Tree, id: NodeId, at: At) -> NodeView {
    let mut view = written(tree, id, at);
    if id == Tree::ROOT && !view.has_belief {
        view.expected = worth_of_best(tree, &view, at).or(view.expected);
    }
    if id == Tree::ROOT {
        // Stopped within the first iteration, the root is worth what the best of its moves so far is.
        if let Some(window) = &mut view.window
            && window.bound == Bound::Lower
            && let Some(best) = view.fate.best()
            && let Some(child) = tree.child_by_move(id, best)
            && let Some(own) = at.view(tree, child).window.one_ply_up()
            && own.value == window.value
        {
            window.bound = own.bound;
        }
    }
    view
}

fn written(tree: &Tree, id: NodeId, at: At) -> NodeView {
    let mut view = at.view(tree, id);
    // That a win or a loss is at least so many plies away does not bound the value; what another program tells is shown.
    let says_nothing = |w: Window| match w.bound {
        Bound::None => true,
        Bound::Upper => w.value.is_win() && !tree.is_told(),
        Bound::Lower => w.value.is_loss() && !tree.is_told(),
        Bound::Exact => false,
    };
    let unfinished = view.window.is_some_and(says_nothing);
    if unfinished && !view.proof.is_exact() {
        view.expected = None;
        view.score = None;
    } else if let Some(window) = view.window
        && !view.proof.is_exact()
        && let Some(belief) = at.belief(tree, id).filter(|_| view.expected.is_some())
    {
        // The belief's mean is more precise than the integer if the integer was taken from it. An exact value, however,
        // is not the centre of a bin, and the root has the value of its best move.
        let mean = belief.mean(tree.grid());
        if tree.scale().score(mean) == window.value && id != Tree::ROOT {
            view.expected = Some(mean);
        }
        if id == Tree::ROOT {
            view.expected = named_move(tree, &view, at).or(view.expected);
        }
    }
    if id == Tree::ROOT && view.has_belief {
        view.expected = worth_of_best(tree, &view, at).or(view.expected);
    }
    view
}

/// Returns the unrounded value of the root's best move, if that is the root's value.
fn named_move(tree: &Tree, root: &NodeView, at: At) -> Option<f32> {
    let best = tree.child_by_move(Tree::ROOT, root.fate.best()?)?;
    let child = written(tree, best, at);
    let same = child.score.map(Score::one_ply_up) == root.score;
    child.expected.filter(|_| same).turned()
}

/// Returns the value of a best-first root: that of its best move. The mean of its belief is a different number: that of
/// the best of all moves, which is not known yet and so is at least as much ([`Reader::backed_up`]); the mean of all
/// visits (MCTS) is less. `None` if the root's result is proven, and before a move is best.
fn worth_of_best(tree: &Tree, root: &NodeView, at: At) -> Option<f32> {
    if tree.family() != Family::BestFirst || root.proof.is_exact() {
        return None;
    }
    let best = tree.child_by_move(Tree::ROOT, root.fate.best()?)?;
    let (lower, upper) = (root.proof.lower, root.proof.upper);
    let scale = tree.scale();
    let worth = at.view(tree, best).expected?.turned();
    Some(worth.clamp(scale.expected(lower), scale.expected(upper)))
}

/// Returns the view of a move that has no node.
pub fn unrecorded_view(parent: NodeId, move_code: MoveCode, fate: Fate) -> NodeView {
    NodeView {
        id: NodeId::NONE,
        parent,
        move_code,
        fate,
        proof: Proof::OPEN.one_ply_up(),
        nodes: 0,
        visits: 0,
        expected: None,
        wide: None,
        score: None,
        policy: None,
        window: None,
        static_value: None,
        iteration: 0,
        improving: false,
        treatment: Treatment::default(),
        again: false,
        urgency: None,
        leaf_depth: 0,
        proof_numbers: None,
        children: 0,
        has_belief: false,
        same_side: false,
    }
}

/// Returns the name of a move, or of passing, or `None` if it is not possible.
pub fn name_of<G: Game>(position: &G, code: MoveCode) -> Option<MoveName> {
    if code == MoveCode::PASS {
        return position.pass().map(|_| name_of_pass());
    }
    position.decode(code).map(|m| name(position, m))
}

/// Returns a null move as PGN and as UCI write it.
pub fn name_of_pass() -> MoveName {
    MoveName {
        code: MoveCode::PASS,
        san: notation::PASS.into(),
        uci: "0000".into(),
    }
}

pub fn name<G: Game>(position: &G, m: G::Move) -> MoveName {
    MoveName {
        code: position.encode(m),
        san: position.label(m),
        uci: position.uci(m),
    }
}
