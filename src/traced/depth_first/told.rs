//! What a program says of a node or a move: reasons, the searches of its rules, changes of depth, worths.

use super::*;

impl<G: Game, P: Probe> Search<'_, G, P> {
    pub(super) fn prune(&mut self, m: MoveId, why: &Told) {
        let Some(at) = self.frames.len().checked_sub(1) else {
            return self.told(What::Unused);
        };
        let code = self.code_below(at, m);
        let frame = &self.frames[at];
        let (parent, ply, place) = (frame.node, frame.tree_ply + 1, frame.place());
        let child = self.pen.child(parent, frame.last_child, code, ply);
        let before = match child.is_none() {
            true => Fate::default(),
            false => self.pen.tree.node(child).fate(),
        };
        let fate = self.fate(before, why, place);
        if !child.is_none() {
            self.pen.tree.node(child).set_fate(fate);
            self.frames[at].last_child = child;
        } else if m.is_none() && !parent.is_none() {
            let node = self.pen.tree.node(parent);
            self.pen.tree.set_later((parent, node), fate);
        }
        self.pen.worker.count_fate(fate);
        self.pen.emit(|_| Event::Prune {
            parent,
            m: code,
            fate,
        });
    }

    /// The fate for a reason at the innermost open node.
    pub(super) fn fate(&mut self, before: Fate, why: &Told, place: Place) -> Fate {
        let at = self.frames.len().saturating_sub(1);
        let way = self.way_at(at);
        let codes = self.pen.move_numbers(way, self.at(), why);
        let (tree, values) = (self.pen.tree, &self.pen.values);
        match self.pen.reasons.get(why.reason) {
            Some(reason) => reason.fate(tree, before, why, values, place, codes),
            None => tree.told_fate(before, tree::ReasonId::UNKNOWN, &[]),
        }
    }

    pub(super) fn why(&mut self, why: &Told) {
        let (node, place) = (self.at(), self.place());
        let before = match self.here() {
            Some(node) => self.pen.tree.node(node).fate(),
            None => Fate::default(),
        };
        let fate = self.fate(before, why, place);
        let class = self.pen.reasons.get(why.reason).map(|reason| reason.class);
        let decides = match class {
            // It is about a move, which this does not name.
            Some(Class::Skip) => false,
            // What plyscope's own searches make of a node says more than that its moves were searched.
            Some(Class::Info | Class::Try) => !matches!(fate, Fate::Told { .. }),
            _ => true,
        };
        if let Some(frame) = self.frames.last_mut().filter(|_| decides) {
            frame.why = Some(fate);
        }
        self.pen.emit(|_| match class {
            Some(Class::Cut | Class::Cutoff) => Event::Cut { node, fate },
            Some(Class::Known) if matches!(fate, Fate::TableHit { .. }) => {
                Event::TableHit { node, fate }
            }
            _ => Event::Told {
                node,
                what: What::Reason { fate },
            },
        });
    }

    pub(super) fn begin_trial(&mut self, why: &Told) {
        let Some(at) = self.frames.len().checked_sub(1) else {
            return self.told(What::Unused);
        };
        let place = self.frames[at].place();
        let is_apart = self.trials_are_apart();
        let code = MoveCode::trial(why.reason);
        let from = &mut self.frames[at];
        let mut frame = Frame::below(from, Kind::Trial, MoveId::NONE, code, None);
        (frame.alpha, frame.beta, frame.depth) = (from.alpha, from.beta, from.depth);
        frame.window = from.window;
        frame.node = match is_apart {
            true => self
                .pen
                .child(from.node, NodeId::NONE, code, frame.tree_ply),
            false => from.node,
        };
        if !is_apart {
            frame.tree_ply = from.tree_ply;
        }
        frame.nodes_before = self.pen.worker.nodes();
        frame.worths_from = self.worths.len() as u32;
        let node = from.node;
        if !frame.node.is_none() && is_apart {
            let node = self.pen.tree.node(frame.node);
            self.pen.tree.set_same_side(node);
        }
        let before = match frame.node.is_none() {
            true => Fate::default(),
            false => self.pen.tree.node(frame.node).fate(),
        };
        let fate = self.fate(before, why, place);
        frame.why = Some(fate);
        let reason = self.pen.reasons.get(why.reason);
        let rule = reason.and_then(|reason| reason.rule);
        let number = |name| reason.and_then(|reason| reason.number(why, name));
        let asked = number("bound").and_then(Value::new);
        let beta = match asked.map(|bound| self.pen.values.own(bound, place.sides)) {
            Some(own) => self.pen.values.score(own, place.ply),
            None => frame.window.1,
        };
        let depth = number("depth").map_or(frame.plies(), |depth| depth as i8);
        self.frames.push(frame);
        self.pen.emit(|_| match rule {
            Some(rule) => Event::Try {
                node,
                rule,
                bound: beta,
                depth,
            },
            None => Event::Told {
                node,
                what: What::Try { fate },
            },
        });
    }

    pub(super) fn tried(&mut self, value: Option<Value>) {
        if !self
            .frames
            .last()
            .is_some_and(|frame| frame.kind == Kind::Trial)
        {
            return self.told(What::Unused);
        }
        let own = self.own_here(value);
        let score = own.map(|own| self.score_here(own));
        self.pop(own, None, MoveId::NONE);
        self.told(What::Tried { value: score });
    }

    /// Whether what a rule searches hangs below the rule.
    pub(super) fn trials_are_apart(&self) -> bool {
        self.pen.header.trials == Trials::Below
    }

    /// Proven bounds of the innermost open node.
    pub(super) fn prove(&mut self, lower: Option<Value>, upper: Option<Value>, plies: Option<u16>) {
        let (place, node) = (self.place(), self.here());
        let Some(node) = node.or(self.frames.is_empty().then_some(Tree::ROOT)) else {
            return self.told(What::Unused);
        };
        let proof = self.pen.values.proof((lower, upper), plies, place);
        let proof = super::super::pen::prove(self.pen.tree.node(node), proof);
        self.pen.emit(|_| Event::Prove { node, proof });
    }

    pub(super) fn moves(&mut self, count: u32, names: &[MoveId]) {
        let node = self.at();
        if let Some(at) = self.frames.len().checked_sub(1) {
            self.frames[at].moves = Some(count);
            // Where plyscope has no rules, it knows a move that was not searched by its name alone.
            if !self.pen.has_rules() {
                for id in names {
                    let code = self.code_below(at, *id);
                    let frame = &self.frames[at];
                    let (parent, ply) = (frame.node, frame.tree_ply + 1);
                    self.pen.child(parent, NodeId::NONE, code, ply);
                }
            }
            if !node.is_none() && names.is_empty() {
                self.pen.tree.set_told_moves(node, count);
            }
        }
        let moves = count.min(u32::from(u16::MAX)) as u16;
        self.pen.emit(|_| Event::Expand { node, moves });
    }

    pub(super) fn change_depth(&mut self, plies: i16, reason: u8) {
        let plies = f64::from(plies) / f64::from(self.pen.header.depth_step);
        let size = plies.abs().ceil().min(15.0) as u8;
        let name = self
            .pen
            .reasons
            .get(reason)
            .map_or("", |reason| &reason.name);
        let number = self.frames.last().map_or(0, |frame| frame.searched + 1);
        self.change = if plies < 0.0 {
            DepthChange::Reduced {
                plies: size,
                number: number.min(255) as u8,
                again: false,
            }
        } else if name.contains("check") && size == 1 {
            DepthChange::Check
        } else {
            DepthChange::Singular { plies: size }
        };
        let (node, change) = (self.at(), self.change);
        self.pen.emit(|_| Event::Depth { node, change });
    }

    pub(super) fn back_up(&mut self, m: MoveId, worth: Option<Value>) {
        let own = self.own_here(worth);
        let Some(at) = self.frames.len().checked_sub(1).filter(|_| own.is_some()) else {
            return self.told(What::Unused);
        };
        let own = own.unwrap_or_default();
        let code = self.code_below(at, m);
        let before = self.frames[at].gives(&self.worths);
        self.set_worth(at, m, code, own);
        let node = self.frames[at].node;
        let values = &self.pen.values;
        let estimate = |own: f64| search::Estimate::point(values.expected(own));
        let (worth, before) = (estimate(own), before.map(estimate));
        let after = before.filter(|b| b.mean > worth.mean).unwrap_or(worth);
        self.pen.emit(|tree| Event::BackUp {
            node,
            child: match node.is_none() {
                true => NodeId::NONE,
                false => tree.child_by_move(node, code).unwrap_or(NodeId::NONE),
            },
            worth: Some(worth.mean),
            before,
            after,
        });
    }
}
