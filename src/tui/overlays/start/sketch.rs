//! A toy tree as a small drawing: the root on top, the leaves with their values below.

use game::toy::{ToyNode, ToyTree};
use screen::glyphs::Glyphs;
use screen::pen::Line;
use screen::theme::Role;

/// A line of characters being drawn.
type Row = Vec<(char, Role)>;

/// Returns a drawing of a tree in at most so many columns and rows; `None` if it does not fit.
pub(super) fn of(
    tree: &ToyTree,
    width: usize,
    height: usize,
    glyphs: &Glyphs,
) -> Option<Vec<Line>> {
    let rows = 2 * usize::from(tree.height) + 1;
    let leaves = tree.nodes.iter().filter(|node| node.children.is_empty());
    let widest = leaves
        .clone()
        .map(|leaf| text::width(&leaf_words(leaf)))
        .max()?;
    let count = leaves.count();
    // A blank between the leaves, and more where there is room.
    let pitch = (width / count.max(1)).min(widest + 4);
    if rows > height || pitch < widest + 1 {
        return None;
    }
    let mut drawing = Drawing {
        tree,
        glyphs,
        pitch,
        rows: vec![vec![(' ', Role::Text); count * pitch]; rows],
        next: 0,
    };
    drawing.lay(0, 0);
    let lines = drawing.rows.into_iter().map(|row| {
        let cells = row.into_iter().map(|(c, role)| (c.to_string(), role));
        cells.collect()
    });
    Some(lines.collect())
}

fn leaf_words(leaf: &ToyNode) -> String {
    let value = leaf.value.unwrap_or_default();
    format!("{value}")
}

struct Drawing<'a> {
    tree: &'a ToyTree,
    glyphs: &'a Glyphs,
    /// The columns of a leaf.
    pitch: usize,
    rows: Vec<Row>,
    /// The number of leaves drawn.
    next: usize,
}

impl Drawing<'_> {
    /// Draws a node and what is below it; returns the column of its middle.
    fn lay(&mut self, node: u32, ply: usize) -> usize {
        let found = &self.tree.nodes[node as usize];
        let row = 2 * ply;
        if found.children.is_empty() {
            let at = self.next * self.pitch + self.pitch / 2;
            self.next += 1;
            self.put(row, at, &leaf_words(found), Role::Count);
            return at;
        }
        let below: Vec<usize> = found
            .children
            .iter()
            .map(|&child| self.lay(child, ply + 1))
            .collect();
        let (first, last) = (below[0], below[below.len() - 1]);
        let at = usize::midpoint(first, last);
        self.connect(row + 1, at, &below);
        let name = match (node, found.name.as_str()) {
            (0, "") => "root".to_owned(),
            (_, name) => text::sanitise(name),
        };
        self.put(row, at, &name, Role::Move);
        at
    }

    fn put(&mut self, row: usize, middle: usize, words: &str, role: Role) {
        let words = self.glyphs.text(words);
        let from = middle.saturating_sub(text::width(&words).saturating_sub(1) / 2);
        for (i, c) in words.chars().enumerate() {
            self.set(row, from + i, c, role);
        }
    }

    fn set(&mut self, row: usize, column: usize, c: char, role: Role) {
        if let Some(cell) = self.rows.get_mut(row).and_then(|row| row.get_mut(column)) {
            *cell = (c, role);
        }
    }

    /// Draws the lines from a node to its children.
    fn connect(&mut self, row: usize, at: usize, below: &[usize]) {
        let (first, last) = (below[0], below[below.len() - 1]);
        for column in first..=last {
            let child = below.contains(&column);
            let c = match (self.glyphs.ascii, column == at, child) {
                (true, false, false) => '-',
                (true, ..) => '+',
                (_, true, true) if first == last => '│',
                (_, true, true) => '┼',
                (_, true, false) => '┴',
                (_, false, true) if column == first => '╭',
                (_, false, true) if column == last => '╮',
                (_, false, true) => '┬',
                (_, false, false) => '─',
            };
            self.set(row, column, c, Role::Border);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::samples;

    #[test]
    fn every_sample_that_fits_has_its_leaves_in_order() {
        let glyphs = Glyphs::of(false);
        let mut drawn = 0;
        for sample in samples::all() {
            let document = sample.open().expect("a sample");
            let (_, entry) = document.first_entry().expect("an entry");
            let subject = entry.subject();
            let Some(toy) = subject.position.as_toy() else {
                continue;
            };
            assert!(of(toy.tree(), 10, 3, glyphs).is_none(), "{}", sample.name);
            let Some(lines) = of(toy.tree(), 90, 20, glyphs) else {
                continue;
            };
            drawn += 1;
            let rows: Vec<String> = lines
                .iter()
                .map(|line| line.iter().map(|(word, _)| word.as_str()).collect())
                .collect();
            assert!(rows.iter().all(|row| text::width(row) <= 90), "{rows:?}");
            let leaves = toy.tree().nodes.iter().filter(|n| n.children.is_empty());
            for leaf in leaves {
                let value = leaf_words(leaf);
                assert!(
                    rows.iter().any(|row| row.contains(&value)),
                    "{value}: {rows:?}"
                );
            }
        }
        assert!(drawn > 3, "{drawn}");
    }
}
