//! Writes a whole tree to a file and reads it back: the same nodes and beliefs at the same places, and the same free
//! places.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use super::arena::Stored;
use super::binary::{self, Damaged, Goes};
use super::numbers::NumbersSlot;
use super::rerooting::Places;
use super::{BeliefSlot, Family, Node, NodeId, Tree, TreeSpec};
use belief::BINS;
use game::{Axis, Scale};

impl Tree {
    /// The version of the format: to be increased whenever the meaning of a node's bits changes.
    pub const FORMAT: u32 = if BINS == 63 { 3 } else { 1003 };

    /// Writes the tree. No thread may write to it meanwhile.
    ///
    /// # Errors
    /// If it cannot be written, or if `goes` says that it shall not go on ([`io::ErrorKind::Interrupted`]).
    pub fn write(&self, out: &mut dyn Write, goes: &Goes) -> io::Result<()> {
        let axis = match self.scale {
            Scale::Logistic => Vec::new(),
            Scale::Linear(axis) => axis.to_words(),
        };
        let head = [
            u32::from(self.family == Family::BestFirst),
            u32::from(self.keeps_beliefs),
            u32::from(self.record_plies),
            self.capacity(),
        ];
        binary::write_words(out, &head)?;
        binary::write_list(out, axis.into_iter())?;
        self.nodes.write(out, goes)?;
        self.beliefs.write(out, goes)?;
        self.numbers.write(out, goes)?;
        let failures = self.noted_failures();
        binary::write_list(out, failures.iter().map(|id| id.0))?;
        let places = self.rerooting.places();
        binary::write_words(out, &[u32::from(places.refused)])?;
        for pairs in [&places.two_folds, &places.unsorted] {
            binary::write_list(out, pairs.iter().flat_map(|&(one, other)| [one, other]))?;
        }
        for stretches in [&places.nodes, &places.beliefs] {
            let pairs = stretches.iter().flat_map(|(&length, firsts)| {
                let pair = move |&first| [u32::from(length), first];
                firsts.iter().flat_map(pair)
            });
            binary::write_list(out, pairs)?;
        }
        self.write_step(out)
    }

    /// The bytes that [`Tree::write`] writes, but for a few.
    pub fn bytes_to_write(&self) -> u64 {
        let elements = self.nodes.bytes_to_write() + self.beliefs.bytes_to_write();
        elements + self.numbers.bytes_to_write()
    }

    /// Reads a tree that [`Tree::write`] has written.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or does not fit into the memory of the machine.
    pub fn read(input: &mut dyn Read, goes: &Goes) -> io::Result<Tree> {
        let [best_first, beliefs, plies, capacity] = binary::read_words::<4>(input)?;
        let axis = binary::read_list(input)?;
        let scale = match axis[..] {
            [] => Scale::Logistic,
            _ => Scale::Linear(Axis::from_words(&axis).ok_or(Damaged("the scale"))?.kept()),
        };
        let family = match best_first {
            0 => Family::DepthFirst,
            _ => Family::BestFirst,
        };
        let spec = TreeSpec {
            family,
            scale,
            beliefs: beliefs != 0,
            budget: 0,
            record_plies: u16::try_from(plies).map_err(|_| Damaged("recorded plies"))?,
        };
        let mut tree = Tree::with_capacity(
            spec,
            binary::within(capacity, 1..=u32::MAX / 2, "capacity")?,
        );
        tree.nodes.read(input, goes)?;
        tree.beliefs.read(input, goes)?;
        tree.numbers.read(input, goes)?;
        let failures = binary::read_list(input)?.into_iter().map(NodeId).collect();
        tree.note_failures(failures);
        let [refused] = binary::read_words::<1>(input)?;
        let pairs = |input: &mut dyn Read| -> io::Result<Vec<(u32, u32)>> {
            let list = binary::read_list(input)?;
            Ok(list.chunks_exact(2).map(|two| (two[0], two[1])).collect())
        };
        let (two_folds, unsorted) = (pairs(input)?, pairs(input)?);
        let stretches = |pairs: Vec<(u32, u32)>| -> io::Result<BTreeMap<u16, Vec<u32>>> {
            let mut stretches: BTreeMap<u16, Vec<u32>> = BTreeMap::new();
            for (length, first) in pairs {
                let length = u16::try_from(length).map_err(|_| Damaged("free places"))?;
                stretches.entry(length).or_default().push(first);
            }
            Ok(stretches)
        };
        let places = Places {
            two_folds,
            unsorted,
            nodes: stretches(pairs(input)?)?,
            beliefs: stretches(pairs(input)?)?,
            refused: refused != 0,
        };
        tree.check_links(&places)?;
        tree.rerooting.set_places(places);
        tree.read_step(input)?;
        Ok(tree)
    }

    /// Makes sure that whoever walks through the tree finds nodes, and comes to an end.
    fn check_links(&self, places: &Places) -> io::Result<()> {
        let bad = || Err(Damaged("links of nodes").into());
        let node_or_none = |id: NodeId| id.is_none() || self.contains(id);
        let blocks = places.unsorted.iter().copied();
        let free = places.nodes.iter();
        let free = free.flat_map(|(&length, firsts)| {
            firsts.iter().map(move |&first| (first, u32::from(length)))
        });
        if !self.contains(Self::ROOT)
            || !blocks
                .chain(free)
                .all(|(first, count)| self.is_block(first, count))
            || !places
                .two_folds
                .iter()
                .all(|&(one, other)| node_or_none(NodeId(one)) && node_or_none(NodeId(other)))
        {
            return bad();
        }
        let [main, kept] = self.nodes.used();
        let mut seen = vec![0u64; main.end.max(kept.end) as usize / 64 + 1];
        let mut meet = |id: NodeId| {
            let (word, bit) = (id.0 as usize / 64, 1 << (id.0 % 64));
            let first = seen[word] & bit == 0;
            seen[word] |= bit;
            first
        };
        let mut open = vec![Self::ROOT];
        meet(Self::ROOT);
        while let Some(id) = open.pop() {
            let node = self.node(id);
            let belief = self.belief_place(node);
            if belief != 0 && !self.beliefs.contains(belief) {
                return bad();
            }
            let first = node.first_child();
            if self.family == Family::BestFirst
                && !first.is_none()
                && !self.is_block(first.0, u32::from(node.child_count()))
            {
                return bad();
            }
            let mut child = first;
            while !child.is_none() {
                if !self.contains(child) || !meet(child) || self.node(child).parent() != id {
                    return bad();
                }
                open.push(child);
                child = self.node(child).next_sibling();
            }
        }
        Ok(())
    }

    /// Whether these are neighbouring places of one chunk that were handed out.
    fn is_block(&self, first: u32, count: u32) -> bool {
        let Some(last) = first.checked_add(count.max(1) - 1) else {
            return false;
        };
        let node = |at: u32| at != 0 && self.contains(NodeId(at));
        node(first) && node(last) && super::arena::share_a_chunk(first, last)
    }
}

impl Stored for Node {
    const WORDS: usize = 16;

    fn to_words(&self, words: &mut [u32]) {
        let bits = self.bits();
        let (short, long) = bits.split_at(10);
        for (word, bits) in words.iter_mut().zip(short) {
            *word = *bits as u32;
        }
        for (pair, bits) in words[10..].chunks_exact_mut(2).zip(long) {
            pair[0] = *bits as u32;
            pair[1] = (*bits >> 32) as u32;
        }
    }

    fn of_words(words: &[u32]) -> Node {
        Node::of_bits(std::array::from_fn(|i| match i {
            0..10 => u64::from(words[i]),
            _ => joined(&words[10 + 2 * (i - 10)..]),
        }))
    }
}

impl Stored for BeliefSlot {
    const WORDS: usize = 2 * BeliefSlot::LONGS;

    fn to_words(&self, words: &mut [u32]) {
        for (pair, bits) in words.chunks_exact_mut(2).zip(self.bits()) {
            pair[0] = bits as u32;
            pair[1] = (bits >> 32) as u32;
        }
    }

    fn of_words(words: &[u32]) -> BeliefSlot {
        BeliefSlot::of_bits(std::array::from_fn(|i| joined(&words[2 * i..])))
    }
}

impl Stored for NumbersSlot {
    const WORDS: usize = 2 * NumbersSlot::LONGS;

    fn to_words(&self, words: &mut [u32]) {
        for (pair, bits) in words.chunks_exact_mut(2).zip(self.bits()) {
            pair[0] = bits as u32;
            pair[1] = (bits >> 32) as u32;
        }
    }

    fn of_words(words: &[u32]) -> NumbersSlot {
        NumbersSlot::of_bits(std::array::from_fn(|i| joined(&words[2 * i..])))
    }
}

fn joined(words: &[u32]) -> u64 {
    u64::from(words[0]) | u64::from(words[1]) << 32
}
