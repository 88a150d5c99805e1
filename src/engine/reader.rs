//! Reading a session's tree: which position a node stands for, and its figures from either side's view.

use super::node_belief::{NodeBelief, Source};
use crate::engine::Subject;
use crate::game::{Game, MoveCode, Scale, Score, notation};
use crate::search::{
    Algorithm, Explanation, Fitted, NamedNumbers, Options, Reading, Term, Viewpoint,
};
use crate::tree::{Bound, Family, Fate, NodeId, NodeView, Proof, Treatment, Tree, Window};

/// A tree together with the position it was grown from. Cheap to make; reads the live tree at every call.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    pub tree: &'a Tree,
    /// What stands at the tree's root.
    pub subject: &'a Subject,
    pub searcher: GrownBy<'a>,
}

/// Who grew a tree.
#[derive(Clone, Copy, Debug)]
pub enum GrownBy<'a> {
    /// One of plyscope's algorithms. With its options: what was skipped by rule is told by the same rule.
    Own(Algorithm, &'a Options),
    /// Another program, of which the tree shows what it told.
    External,
}

impl GrownBy<'_> {
    /// The algorithm's name, as on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            GrownBy::Own(algorithm, _) => algorithm.name(),
            GrownBy::External => "engine",
        }
    }

    /// Whether it keeps a distribution at its nodes.
    #[must_use]
    pub fn has_beliefs(self) -> bool {
        match self {
            GrownBy::Own(algorithm, _) => algorithm.info().beliefs,
            GrownBy::External => false,
        }
    }
}

/// A move as people and as machines write it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveName {
    pub code: MoveCode,
    /// SAN, or the toy child's name.
    pub san: String,
    /// UCI, or the toy child's name.
    pub uci: String,
}

impl<'a> Reader<'a> {
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.tree.scale()
    }

    /// The position at a node with the game that led there. `None` if the node is not of this tree.
    #[must_use]
    pub fn situation(&self, id: NodeId) -> Option<Subject> {
        if !self.tree.contains(id) {
            return None;
        }
        let moves = self.tree.moves_to(id);
        replay(self.subject, &moves)
    }

    /// The names of consecutive moves played from a node on; shorter than `moves` if one of them is not legal there.
    #[must_use]
    pub fn names(&self, from: NodeId, moves: &[MoveCode]) -> Vec<MoveName> {
        match self.situation(from) {
            Some(s) => name_line(s.position, moves),
            None => Vec::new(),
        }
    }

    /// The name of one move at a node; the bare code where it is not legal there.
    #[must_use]
    pub fn label(&self, at: NodeId, code: MoveCode) -> String {
        match self.names(at, &[code]).pop() {
            Some(name) => name.san,
            None => format!("{code:?}"),
        }
    }

    /// The name of the endgame table that a node's position is in (`KRPvKR`).
    #[must_use]
    pub fn table_name(&self, at: NodeId) -> Option<String> {
        self.situation(at)?.position.table_name()
    }

    /// A node's last move with its number (`14...Nf6`; a toy child's bare name). `None` at the root, which no move of
    /// the search led to.
    #[must_use]
    pub fn numbered(&self, id: NodeId) -> Option<String> {
        let parent = self.tree.node(id).parent();
        if parent.is_none() {
            return None;
        }
        self.numbered_move(parent, self.tree.node(id).move_code())
    }

    /// A move at a node with its number, as in [`Reader::numbered`]; `None` where it is not legal there.
    #[must_use]
    pub fn numbered_move(&self, at: NodeId, code: MoveCode) -> Option<String> {
        self.situation(at)?.numbered_move(code)
    }

    /// A node's figures from its own side to move's view. As [`Tree::view`], but the root of a best-first search that keeps
    /// beliefs is worth what its best move is; a value that the search has not finished yet (no bound recorded with it) is not
    /// shown as one; and where a depth-first search took its value from the mean of a belief, the expected score is that mean,
    /// unrounded.
    #[must_use]
    pub fn view(&self, id: NodeId) -> NodeView {
        let mut view = view(self.tree, id);
        // Another program's shares of wins and losses are an expected score of their own beside its centipawns.
        let told = matches!(self.searcher, GrownBy::External) && view.expected.is_some();
        if let Some(belief) = self.tree.belief(id).filter(|_| told) {
            view.expected = Some(belief.mean(self.tree.grid()));
        }
        view
    }

    /// What the node's algorithm believes of it, from its own side to move's view.
    #[must_use]
    pub fn belief(&self, id: NodeId) -> Option<NodeBelief> {
        NodeBelief::of(self, &self.view(id))
    }

    /// What may be believed of the root: the place of its own belief with a width that was fitted to how far such searches are
    /// off, where there is such a fit ([`Reader::fitted`]) and it was not switched off; else its own belief.
    #[must_use]
    pub fn reported(&self) -> Option<NodeBelief> {
        let own = self.belief(Tree::ROOT)?;
        Some(match self.fitted().and_then(|fitted| fitted.belief) {
            Some(density) => own.calibrated(density, self.tree.grid()),
            None => own,
        })
    }

    /// The root's belief as it was backed up from all its moves, for a best-first search that keeps beliefs: its mean is no
    /// move's. `None` for other searches, and before there is anything to back up.
    #[must_use]
    pub fn backed_up(&self) -> Option<NodeBelief> {
        let root = self.tree.node(Tree::ROOT);
        if !self.is_best_first() || root.first_child().is_none() {
            return None;
        }
        self.belief(Tree::ROOT)
            .filter(|b| b.source == Source::Stored)
    }

    /// What an algorithm of our own explains its nodes from; `None` for another program's tree.
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

    /// What the algorithm has to say of a node, with numbers as seen from the viewpoint; `seed` is the search's, where it is
    /// known. Empty for another program's tree, and for a move without a node.
    #[must_use]
    pub fn explain(&self, id: NodeId, viewpoint: Viewpoint, seed: Option<u64>) -> Explanation {
        match self.reading(viewpoint) {
            Some((algorithm, reading)) if self.tree.contains(id) => {
                algorithm.explain(&Reading { seed, ..reading }, id)
            }
            _ => Explanation::default(),
        }
    }

    /// A number of a node that only its algorithm knows, by its name, from the node's own view.
    #[must_use]
    pub fn figure(&self, id: NodeId, name: &str) -> Option<f64> {
        let (algorithm, reading) = self.reading(Viewpoint::Own)?;
        algorithm.figure(&reading, id, name)
    }

    /// The numbers that a node keeps instead of a distribution, with their names in JSON.
    #[must_use]
    pub fn kept(&self, id: NodeId, viewpoint: Viewpoint) -> Option<NamedNumbers> {
        let (algorithm, reading) = self.reading(viewpoint)?;
        algorithm.kept(&reading, id)
    }

    /// What a fit to earlier searches says of the root; its basis also where the fit is not used.
    #[must_use]
    pub fn fitted(&self) -> Option<Fitted> {
        let (algorithm, reading) = self.reading(Viewpoint::Own)?;
        algorithm.fitted(&reading)
    }

    /// The figure of a node by which a descent chooses: see [`Algorithm::urgency`].
    #[must_use]
    pub fn urgency(&self, view: &NodeView) -> Option<Term> {
        let (algorithm, reading) = self.reading(Viewpoint::Own)?;
        algorithm.urgency(reading.options, view)
    }

    /// Whether the search distinguishes nodes at which the side to move is getting better.
    #[must_use]
    pub fn tells_improving(&self) -> bool {
        let found = self.reading(Viewpoint::Own);
        found.is_some_and(|(algorithm, r)| algorithm.tells_improving(r.options, self.scale()))
    }

    /// The evaluation of a node's position and what was added to it to make the static value: see [`Algorithm::correction`].
    #[must_use]
    pub fn correction(&self, id: NodeId, static_value: Score) -> Option<(Score, i32)> {
        let (algorithm, reading) = self.reading(Viewpoint::Own)?;
        algorithm.correction(&reading, id, static_value)
    }

    /// Whether best-first: then every legal move of an expanded node stands in the tree.
    #[must_use]
    pub fn is_best_first(&self) -> bool {
        self.tree.family() == Family::BestFirst
    }
}

/// What [`Reader::view`] shows, for those who have only the tree.
pub(super) fn view(tree: &Tree, id: NodeId) -> NodeView {
    let mut view = tree.view(id);
    // That a win is no sooner than so many plies away, or a loss no later, bounds no value.
    let says_nothing = |w: Window| match w.bound {
        Bound::None => true,
        Bound::Upper => w.value.is_win(),
        Bound::Lower => w.value.is_loss(),
        Bound::Exact => false,
    };
    let unfinished = view.window.is_some_and(says_nothing);
    if unfinished && !view.proof.is_exact() {
        view.expected = None;
        view.score = None;
    } else if let Some(window) = view.window
        && !view.proof.is_exact()
        && let Some(belief) = tree.belief(id).filter(|_| view.expected.is_some())
    {
        // The belief's mean is finer than the integer, where the integer was taken from it; an exact value is no bin's centre,
        // and a root is worth what its best move is.
        let mean = belief.mean(tree.grid());
        if tree.scale().score(mean) == window.value && id != Tree::ROOT {
            view.expected = Some(mean);
        }
        if id == Tree::ROOT {
            view.expected = named_move(tree, &view).or(view.expected);
        }
    }
    if id == Tree::ROOT {
        view.expected = worth_of_best(tree, &view).or(view.expected);
    }
    view
}

/// What the root's best move is worth, unrounded, where that is the root's value.
fn named_move(tree: &Tree, root: &NodeView) -> Option<f32> {
    let best = tree.child_by_move(Tree::ROOT, root.fate.best()?)?;
    let child = view(tree, best);
    let same = child.score.map(Score::one_ply_up) == root.score;
    child.expected.filter(|_| same).map(|e| -e)
}

/// What a best-first root with a belief is worth: its best move. The mean of its belief is another number, that of the best
/// of all moves, which is not known yet and so at least as much ([`Reader::backed_up`]). `None` where the root's result is
/// proven, and for trees without such beliefs.
fn worth_of_best(tree: &Tree, root: &NodeView) -> Option<f32> {
    if tree.family() != Family::BestFirst || !root.has_belief || root.proof.is_exact() {
        return None;
    }
    let best = tree.child_by_move(Tree::ROOT, root.fate.best()?)?;
    let (lower, upper) = (root.proof.lower, root.proof.upper);
    let scale = tree.scale();
    let worth = -tree.view(best).expected?;
    Some(worth.clamp(scale.expected(lower), scale.expected(upper)))
}

/// A node's figures from the view of the side that moved there: what the move is worth to the one who plays it.
/// Scores are negated, bounds change place and proofs count one ply more. The fate keeps its own view (see
/// [`Fate`]).
#[must_use]
pub fn seen_by_mover(view: &NodeView) -> NodeView {
    NodeView {
        proof: view.proof.one_ply_up(),
        expected: view.expected.map(|e| -e),
        score: view.score.map(|s| s.one_ply_up()),
        window: view.window.map(|w| Window {
            alpha: -w.beta,
            beta: -w.alpha,
            depth: w.depth,
            value: w.value.one_ply_up(),
            bound: other_side(w.bound),
        }),
        static_value: view.static_value.map(|s| -s),
        ..*view
    }
}

/// A bound from the other side's view.
#[must_use]
pub fn other_side(bound: Bound) -> Bound {
    match bound {
        Bound::Lower => Bound::Upper,
        Bound::Upper => Bound::Lower,
        other => other,
    }
}

/// The view of a move that has no node.
#[must_use]
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
    }
}

/// Plays moves that the tree has, and so are legal, one after the other; `None` at one that can't be one of them.
fn replay(start: &Subject, moves: &[MoveCode]) -> Option<Subject> {
    let mut situation = start.clone();
    for &code in moves {
        if !situation.follow(code) {
            return None;
        }
    }
    Some(situation)
}

fn name_line<G: Game>(mut position: G, moves: &[MoveCode]) -> Vec<MoveName> {
    let mut names = Vec::with_capacity(moves.len());
    for &code in moves {
        let (Some(name), Some(next)) = (name_of(&position, code), position.after(code)) else {
            break;
        };
        names.push(name);
        position = next;
    }
    names
}

/// The name of a move, or of passing; `None` where it can't be done.
pub(super) fn name_of<G: Game>(position: &G, code: MoveCode) -> Option<MoveName> {
    if code == MoveCode::PASS {
        return position.pass().map(|_| name_of_pass());
    }
    position.decode(code).map(|m| name(position, m))
}

/// A null move, as PGN writes it and as UCI does.
pub(super) fn name_of_pass() -> MoveName {
    MoveName {
        code: MoveCode::PASS,
        san: notation::PASS.into(),
        uci: "0000".into(),
    }
}

pub(super) fn name<G: Game>(position: &G, m: G::Move) -> MoveName {
    MoveName {
        code: position.encode(m),
        san: position.label(m),
        uci: position.uci(m),
    }
}
