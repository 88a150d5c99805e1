//! Chooses what is drawn of a game's tree, reads no more than that, and keeps it where it is while the search runs.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::content::{Content, Lines};
use super::detail::{lay_out, levels_in};
use super::{Drawing, Figures, Plan, codes};
use crate::context::same_place;
use crate::panes::tree::RowKey;
use game::{Game, MoveCode};
use report::drawing::{Candidate, Extent, Lines as Chosen, Part, Sketch, Stub};
use session::{Reader, Subject};
use tree::{NodeId, Tree};

/// How long what is drawn stays while the search runs: values change every frame, nodes come at most twice a second.
const SETTLED: Duration = Duration::from_millis(500);

/// From the most to the least that is drawn unasked: the root's moves, those beside the best along the best line, and the
/// plies of the other moves' lines. What fits is drawn.
const EXTENTS: [(usize, usize, usize); 10] = [
    (6, 2, 4),
    (5, 2, 4),
    (5, 1, 4),
    (4, 1, 4),
    (4, 1, 3),
    (4, 1, 2),
    (3, 1, 2),
    (3, 0, 2),
    (3, 0, 1),
    (2, 0, 1),
];

/// The longest best line that is drawn unasked, in plies.
const LONGEST: usize = 12;

/// What was chosen, and when.
#[derive(Debug, Default)]
pub(super) struct Choice {
    chosen: Chosen,
    /// The position at the root, the nodes spent and the extent when it was chosen; `None` before.
    made: Option<Made>,
    /// When the drawing was last brought up to date, and the nodes spent then; `None` if the user changed something since.
    sketched: Option<(Instant, u64)>,
    names: HashMap<Vec<MoveCode>, String>,
}

#[derive(Debug)]
struct Made {
    subject: Subject,
    nodes: u64,
    extent: Extent,
}

impl Choice {
    /// Requests that the drawing be brought up to date before the next frame.
    pub fn touch(&mut self) {
        self.sketched = None;
    }

    pub fn set_open(&mut self, path: &[MoveCode], open: bool) {
        self.chosen.set_open(path, open);
        self.touch();
    }

    pub fn open_part(&mut self, path: &[MoveCode], stub: &Stub) {
        self.chosen.open_part(path, stub);
        self.touch();
    }

    pub fn close_part(&mut self, path: &[MoveCode], part: Part) -> bool {
        let closed = self.chosen.close_part(path, part);
        self.touch();
        closed
    }

    pub fn close_all(&mut self) {
        self.chosen.close_all();
        self.touch();
    }
}

impl Drawing {
    /// Adapts what is drawn of a game's tree: at once after a key, if the selected row is not drawn, and when the room
    /// changed; otherwise (`live`) twice a second. The moves are chosen again when the work has doubled, so that the first
    /// glance does not decide what is drawn and later ones change little.
    pub fn prepare_lines(
        &mut self,
        reader: Reader,
        live: bool,
        figures: Figures,
        room: (u16, u16),
        key: RowKey,
    ) {
        let selected = codes(reader.tree, key);
        let drawn = |plan: &&Plan| {
            let Content::Lines(lines) = &plan.content else {
                return false;
            };
            let fits = plan.room == room && plan.figures == figures;
            fits && lines.sketch.find(&selected).is_some()
        };
        let same = |made: &&Made| same_place(&made.subject, reader.subject);
        let made = self.choice.made.as_ref().filter(same);
        let fits = self.plan.as_ref().filter(drawn).is_some();
        let nodes = reader.view(Tree::ROOT).nodes;
        let settled = self.choice.sketched.is_some_and(|(at, seen)| match live {
            true => at.elapsed() < SETTLED,
            // Stepping changes the tree without running, and the end of a search is not to be missed.
            false => seen == nodes,
        });
        if made.is_some() && fits && settled {
            return;
        }
        if made.is_none() {
            self.choice = Choice::default();
            self.stub = None;
            self.seen = None;
        }
        if let Some((path, _)) = &self.stub
            && *path != selected
        {
            self.stub = None;
        }
        self.choice.chosen.uncover(&selected);
        let resized = self.plan.as_ref().is_none_or(|plan| plan.room != room);
        let made = self.choice.made.as_ref();
        let grown = |made: &Made| {
            // Where nothing moves of itself, the choice may be a little fresher.
            let least = if live {
                made.nodes.saturating_mul(2)
            } else {
                made.nodes / 4 * 5
            };
            nodes >= least.max(1)
        };
        let anew = resized || made.is_none_or(grown);
        let mut source = Source::new(reader);
        if anew {
            let extent = self.fitting(&mut source, figures, room);
            self.choice.made = Some(Made {
                subject: reader.subject.clone(),
                nodes,
                extent,
            });
        }
        let Some(extent) = self.choice.made.as_ref().map(|made| made.extent) else {
            return;
        };
        let sketch = self
            .choice
            .chosen
            .sketch(extent, &selected, anew, |path| source.moves(path));
        let lines = self.named(&source, sketch);
        let (detail, layout) = lay_out(&lines, figures, room, GAP);
        self.plan = Some(Plan {
            content: Content::Lines(Box::new(lines)),
            figures,
            room,
            detail,
            layout,
        });
        self.choice.sketched = Some((Instant::now(), nodes));
        self.clamp();
    }

    /// Returns the most that fits into the room, without what the user opened.
    fn fitting(&mut self, source: &mut Source, figures: Figures, room: (u16, u16)) -> Extent {
        let levels = usize::from(levels_in(room.1, 1)).saturating_sub(1);
        let line = levels.clamp(2, LONGEST);
        let mut extent = Extent {
            moves: 2,
            beside: 0,
            line,
            lines: 1,
        };
        for (moves, beside, lines) in EXTENTS {
            extent = Extent {
                moves,
                beside,
                line,
                lines: lines.min(line),
            };
            let sketch = Chosen::default().sketch(extent, &[], true, |path| source.moves(path));
            let lines = self.named(source, sketch);
            let (_, layout) = lay_out(&lines, figures, room, GAP);
            if layout.width <= i32::from(room.0) {
                break;
            }
        }
        extent
    }

    /// Adds the names of the drawn moves.
    fn named(&mut self, source: &Source, sketch: Sketch) -> Lines {
        let names = (0..sketch.branches.len() as u32).map(|node| {
            let branch = &sketch.branches[node as usize];
            if branch.parent.is_none() || branch.stub.is_some() {
                return String::new();
            }
            let path = sketch.path(node);
            if let Some(name) = self.choice.names.get(&path) {
                return name.clone();
            }
            let name = source.name(&path);
            self.choice.names.insert(path, name.clone());
            name
        });
        Lines {
            turn: source.reader.subject.position.turn(),
            names: names.collect(),
            sketch,
        }
    }
}

/// The free columns between neighbours.
const GAP: u16 = 2;

/// Reads the moves at nodes, each node once.
struct Source<'a> {
    reader: Reader<'a>,
    read: HashMap<Vec<MoveCode>, Vec<Candidate>>,
}

impl<'a> Source<'a> {
    fn new(reader: Reader<'a>) -> Source<'a> {
        Source {
            reader,
            read: HashMap::new(),
        }
    }

    fn node(&self, path: &[MoveCode]) -> Option<NodeId> {
        let tree = self.reader.tree;
        path.iter()
            .try_fold(Tree::ROOT, |at, code| tree.child_by_move(at, *code))
    }

    fn moves(&mut self, path: &[MoveCode]) -> Vec<Candidate> {
        if let Some(known) = self.read.get(path) {
            return known.clone();
        }
        let Some(node) = self.node(path) else {
            return Vec::new();
        };
        let standings = self.reader.standings(node).into_iter();
        let moves = standings.map(|standing| Candidate {
            code: standing.view.move_code,
            is_best: standing.is_best,
            share: standing.share.unwrap_or(0.0),
            fate: standing.view.fate,
            replies: u32::from(standing.view.children),
        });
        let moves: Vec<Candidate> = moves.collect();
        self.read.insert(path.to_vec(), moves.clone());
        moves
    }

    fn name(&self, path: &[MoveCode]) -> String {
        let Some((code, before)) = path.split_last() else {
            return String::new();
        };
        let node = self.node(before).unwrap_or(Tree::ROOT);
        text::sanitise(&self.reader.label(node, *code))
    }
}
