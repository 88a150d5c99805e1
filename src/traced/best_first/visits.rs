//! What simulations bring: visits backed up from a leaf, and figures that the program tells as they are.

use super::*;
use tree::Counted;

impl<G: Game, P: Probe> Search<'_, G, P> {
    /// Takes up what was kept back, as far as its nodes are known now.
    pub(super) fn take_up_late(&mut self) {
        if self.late.is_empty() {
            return;
        }
        let late = std::mem::take(&mut self.late);
        for record in late {
            match self.known(record.node) {
                Some(_) => self.back_up(record.node, record.value, record.weight),
                None => self.late.push(record),
            }
        }
    }

    pub(super) fn visit(&mut self, id: ToldId, value: Option<Value>, weight: u32) {
        self.at = id.0;
        let before = self.known(id).and_then(|known| self.estimate(&known));
        match self.known(id) {
            Some(_) => self.back_up(id, value, weight),
            None if self.late.len() < LATE => self.late.push(Late {
                node: id,
                value,
                weight,
            }),
            None => {}
        }
        self.pen.worker.playouts += u64::from(weight);
        self.pen.worker.back_ups += 1;
        let Some(known) = self.known(id) else {
            return self.told(id, What::Unused);
        };
        let after = self.estimate(&known);
        let worth = value.map(|value| {
            let own = self.pen.values.own(value, known.place.sides);
            self.pen.values.expected(own)
        });
        let node = if known.node.is_none() {
            Tree::ROOT
        } else {
            known.node
        };
        match after {
            Some(after) => self.pen.emit(|_| Event::BackUp {
                node,
                child: NodeId::NONE,
                worth,
                before,
                after,
            }),
            None => self.pen.emit(|_| Event::Told {
                node,
                what: What::Visit {
                    value: worth,
                    weight,
                },
            }),
        }
    }

    pub(super) fn estimate(&self, known: &Known) -> Option<Estimate> {
        let node = (!known.node.is_none()).then(|| self.pen.tree.node(known.node))?;
        (node.visits() > 0).then(|| Estimate::point(node.expected()))
    }

    /// Counts a visit at a node and at all above it.
    pub(super) fn back_up(&mut self, id: ToldId, value: Option<Value>, weight: u32) {
        let Some(leaf) = self.known(id) else {
            return;
        };
        let mut own = value.map(|value| self.pen.values.own(value, leaf.place.sides));
        let mut at = Some(id.0);
        let mut depth = 0;
        while let Some(number) = at
            && depth < open_trace::limits::OPEN_NODES
        {
            depth += 1;
            let Some(known) = self.nodes[number as usize].as_mut() else {
                return;
            };
            if let Some(own) = own {
                known.sum += own * f64::from(weight);
                known.weight += u64::from(weight);
            }
            let known = *known;
            self.write_visit(&known, number == id.0, own, weight);
            own = own.map(|own| match known.place.sides.parent {
                Some(parent) if parent != known.place.sides.node => 0.0 - own,
                _ => own,
            });
            at = known.parent;
        }
    }

    pub(super) fn write_visit(&self, known: &Known, is_leaf: bool, own: Option<f64>, weight: u32) {
        if known.node.is_none() {
            return;
        }
        let tree = self.pen.tree;
        let node = tree.node(known.node);
        if node.visits() == 0 {
            count_searched(tree, node.parent());
        }
        node.set_visits(node.visits().saturating_add(weight));
        node.set_nodes(node.nodes() + 1);
        if is_leaf && matches!(node.fate(), Fate::Unvisited) {
            node.set_fate(Fate::Frontier);
        }
        let expected = match self.pen.header.backup {
            Backup::Mean if known.weight > 0 => {
                Some(self.pen.values.expected(known.sum / known.weight as f64))
            }
            Backup::Minimax => match is_leaf && node.first_child().is_none() {
                true => own.map(|own| self.pen.values.expected(own)),
                false => self.best_child(known.node),
            },
            Backup::Mean | Backup::None => None,
        };
        if let Some(expected) = expected {
            node.set_expected(expected);
        }
    }

    /// What the best child is worth, from the node's view.
    pub(super) fn best_child(&self, id: NodeId) -> Option<f32> {
        let tree = self.pen.tree;
        let visited = tree
            .children(id)
            .filter(|&child| tree.node(child).visits() > 0);
        let worth = visited.map(|child| match tree.is_same_side(child) {
            true => tree.node(child).expected(),
            false => -tree.node(child).expected(),
        });
        worth.max_by(f32::total_cmp)
    }

    pub(super) fn update(
        &mut self,
        id: ToldId,
        (visits, value, prior): (Option<u64>, Option<Value>, Option<Share>),
        (sd, urgency): (Option<Value>, Option<Value>),
        nodes: u64,
    ) {
        self.at = id.0;
        let Some(known) = self.known(id) else {
            return self.told(id, What::Unused);
        };
        let before = self.estimate(&known);
        let own = value.map(|value| self.pen.values.own(value, known.place.sides));
        let expected = own.map(|own| self.pen.values.expected(own));
        if !known.node.is_none() {
            let node = self.pen.tree.node(known.node);
            if node.visits() == 0 && visits.is_some_and(|visits| visits > 0) {
                count_searched(self.pen.tree, node.parent());
            }
            if known.weight > 0 && (visits.is_some() || expected.is_some()) {
                let mean = known.sum / known.weight as f64;
                let counted = Counted {
                    visits: known.weight,
                    mean: self.pen.values.expected(mean),
                };
                self.pen.tree.set_counted(known.node, counted);
            }
            if let Some(visits) = visits {
                let visits = visits.min(u64::from(u32::MAX)) as u32;
                node.set_visits(visits);
                node.set_nodes(node.nodes().max(u64::from(visits)));
            }
            if nodes > 0 {
                node.set_nodes(nodes);
            }
            if let Some(expected) = expected {
                node.set_expected(expected);
                node.set_visits(node.visits().max(1));
            }
            if let Some(prior) = prior {
                node.set_policy(prior.get() as f32);
            }
            if let Some(sd) = sd {
                let spread = self.pen.values.expected(sd.get()).abs();
                node.set_second(spread);
            }
            if let Some(urgency) = urgency {
                node.set_urgency(self.pen.values.in_unit(urgency.get()) as f32);
            }
            if matches!(node.fate(), Fate::Unvisited) && node.visits() > 0 {
                node.set_fate(Fate::Frontier);
            }
        }
        let changed = before.zip(expected);
        match changed.filter(|(before, after)| before.mean != *after) {
            Some((before, after)) => self.pen.emit(|_| Event::BackUp {
                node: known.node,
                child: NodeId::NONE,
                worth: None,
                before: Some(before),
                after: Estimate::point(after),
            }),
            None => self.told(
                id,
                What::Update {
                    value: expected,
                    visits,
                },
            ),
        }
    }
}

/// Counts one more move that was searched at a node.
fn count_searched(tree: &Tree, parent: NodeId) {
    if parent.is_none() {
        return;
    }
    let node = tree.node(parent);
    if let Fate::Expanded {
        best,
        searched,
        skipped,
        moves,
        margin,
    } = node.fate()
    {
        let searched = searched.saturating_add(1);
        node.set_fate(Fate::Expanded {
            best,
            searched,
            skipped,
            moves,
            margin,
        });
    }
}
