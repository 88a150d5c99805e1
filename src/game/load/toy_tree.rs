//! Toy trees as text (`.tree` files): one node per line, with the depth given by indentation and `name value ± spread`
//! at leaves.

use std::fmt::Write as _;

use super::LoadError;
use crate::toy::{self, ToyNode, ToyTree};
use crate::{Axis, Scale, Score, Side};
use text::{quote, sanitise};

/// The most children of one node, limited by what move codes and move lists can hold.
pub const MAX_CHILDREN: usize = 200;

/// The most nodes of a file, far beyond what anyone checks by hand.
const MAX_NODES: usize = 1_000_000;

/// The largest size of a value or a spread, from which those that are computed are finite.
const LARGEST: f32 = 1e30;

/// A toy tree, with the title and the hint from its comments.
#[derive(Debug)]
pub struct ReadTree {
    pub tree: ToyTree,
    /// The first `#` line before the tree.
    pub title: Option<String>,
    /// The other `#` lines before the tree, joined by spaces.
    pub hint: Option<String>,
    /// The line of each node, from 1; for the root that which says who moves.
    pub lines: Vec<u32>,
}

/// Parses a toy tree.
///
/// The first line that is not a comment says who moves at the root: `max` or `min`. Each further line is a node.
/// Children are indented more deeply than their parent (with spaces or tabs, not both); lines of the smallest
/// indentation are the root's children. A leaf needs a value; an inner node may have one (its static value). `± 0.5` or
/// `+- 0.5` after a value is its standard deviation.
///
/// # Errors
/// Names the line, the column and what was expected there.
pub fn parse(text: &str) -> Result<ReadTree, LoadError> {
    let mut comments: Vec<String> = Vec::new();
    let mut reader: Option<Reader> = None;
    for (i, raw) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let number = i as u32 + 1;
        let (line, comment) = raw.split_once('#').unwrap_or((raw, ""));
        if line.trim().is_empty() {
            if reader.is_none() && !comment.trim().is_empty() {
                comments.push(comment.trim().to_owned());
            }
            continue;
        }
        match &mut reader {
            None => reader = Some(Reader::new(first_line(line, number)?, number)),
            Some(reader) => reader.node(line, number)?,
        }
    }
    let Some(reader) = reader else {
        return Err(LoadError::new(
            "no tree",
            "\"max\" or \"min\" (who moves at the root), then one node per line",
        ));
    };
    let (tree, lines) = reader.finish()?;
    let mut comments = comments.into_iter();
    let title = comments.next();
    let hint = comments.collect::<Vec<_>>().join(" ");
    Ok(ReadTree {
        tree,
        title,
        hint: (!hint.is_empty()).then_some(hint),
        lines,
    })
}

fn first_line(line: &str, number: u32) -> Result<Side, LoadError> {
    match line.trim() {
        "max" | "Max" | "MAX" => Ok(Side::White),
        "min" | "Min" | "MIN" => Ok(Side::Black),
        other => Err(
            LoadError::new(quote(other), "\"max\" or \"min\": who moves at the root")
                .at(number, 1 + indentation(line).chars().count() as u32),
        ),
    }
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The nodes read so far, with the open path from the root to the last of them.
struct Reader {
    side: Side,
    nodes: Vec<ToyNode>,
    /// The line of each node.
    lines: Vec<u32>,
    /// The indentation and node of the last node's ancestors and of that node itself; the root is not included.
    path: Vec<(usize, u32)>,
    /// The character that this file uses for indentation.
    indent: Option<char>,
    /// The indentation of one level.
    step: Option<usize>,
}

impl Reader {
    fn new(side: Side, line: u32) -> Reader {
        let root = ToyNode {
            name: "root".to_owned(),
            value: None,
            spread: 0.0,
            children: Vec::new(),
            parent: None,
        };
        Reader {
            side,
            nodes: vec![root],
            lines: vec![line],
            path: Vec::new(),
            indent: None,
            step: None,
        }
    }

    fn node(&mut self, line: &str, number: u32) -> Result<(), LoadError> {
        let depth = self.depth(line, number)?;
        let parent = self.parent(number, depth)?;
        let fields = Fields::read(line, number)?;
        let siblings = &self.nodes[parent as usize].children;
        if siblings.len() >= MAX_CHILDREN {
            let expected = format!("at most {MAX_CHILDREN} children of one node");
            return Err(LoadError::new("one child too many", expected).at_line(number));
        }
        let twin = siblings
            .iter()
            .find(|&&s| self.nodes[s as usize].name == fields.name);
        if let Some(&twin) = twin {
            let expected = format!(
                "another name: line {} has this one under the same parent",
                self.lines[twin as usize]
            );
            return Err(LoadError::new(quote(&fields.name), expected).at(number, fields.column));
        }
        if self.nodes.len() >= MAX_NODES {
            let expected = format!("at most {MAX_NODES} nodes");
            return Err(LoadError::new("one node too many", expected).at_line(number));
        }
        let id = self.nodes.len() as u32;
        self.nodes[parent as usize].children.push(id);
        self.nodes.push(ToyNode {
            name: fields.name,
            value: fields.value,
            spread: fields.spread,
            children: Vec::new(),
            parent: Some(parent),
        });
        self.lines.push(number);
        self.path.push((depth, id));
        Ok(())
    }

    /// Returns the number of characters by which the line is indented.
    fn depth(&mut self, line: &str, number: u32) -> Result<usize, LoadError> {
        let indentation = indentation(line);
        for (i, c) in indentation.chars().enumerate() {
            if *self.indent.get_or_insert(c) != c {
                let (found, expected) = match c {
                    '\t' => ("a tab", "spaces, as in the lines before"),
                    _ => ("a space", "tabs, as in the lines before"),
                };
                return Err(LoadError::new(found, expected).at(number, i as u32 + 1));
            }
        }
        Ok(indentation.len())
    }

    /// Closes the nodes at this depth and deeper. The last node left open is the parent.
    fn parent(&mut self, number: u32, depth: usize) -> Result<u32, LoadError> {
        let wrong = |expected: String| {
            let found = format!("an indentation of {depth}");
            Err(LoadError::new(found, expected).at(number, depth as u32 + 1))
        };
        let mut sibling = None;
        while let Some(&(indent, _)) = self.path.last()
            && indent >= depth
        {
            sibling = Some(indent);
            self.path.pop();
        }
        match (sibling, self.path.last()) {
            (Some(indent), _) if indent != depth => {
                wrong(format!("that of a node above, such as {indent}"))
            }
            // More deeply indented than the previous line: by the step that the whole file uses.
            (None, Some(&(indent, id))) => {
                let step = *self.step.get_or_insert(depth - indent);
                if depth - indent == step {
                    Ok(id)
                } else {
                    wrong(format!("at most {} ({step} a level)", indent + step))
                }
            }
            (_, parent) => Ok(parent.map_or(0, |&(_, id)| id)),
        }
    }

    fn finish(self) -> Result<(ToyTree, Vec<u32>), LoadError> {
        if self.nodes.len() == 1 {
            return Err(LoadError::new(
                "a root without children",
                "at least one node below it",
            ));
        }
        for (node, &line) in self.nodes.iter().zip(&self.lines).skip(1) {
            if node.children.is_empty() && node.value.is_none() {
                let found = format!("the leaf {} without a value", quote(&node.name));
                return Err(LoadError::new(found, "its value, or nodes below it").at_line(line));
            }
        }
        let tree = ToyTree::build(self.nodes, self.side)?;
        Ok((tree, self.lines))
    }
}

/// The name, value and spread on a line.
struct Fields {
    name: String,
    value: Option<f32>,
    spread: f32,
    column: u32,
}

impl Fields {
    fn read(line: &str, number: u32) -> Result<Fields, LoadError> {
        let at = |offset: usize| 1 + line[..offset].chars().count() as u32;
        // `1.2±0.5` is clear without spaces, too.
        let mut words = line
            .split_whitespace()
            .map(|word| (word.as_ptr() as usize - line.as_ptr() as usize, word));
        let (offset, name) = words.next().unwrap_or((0, ""));
        let column = at(offset);
        let mut rest = line[offset + name.len()..].trim();
        let mut fields = Fields {
            name: sanitise(name),
            value: None,
            spread: 0.0,
            column,
        };
        if rest.is_empty() {
            return Ok(fields);
        }
        let offset = |part: &str| part.as_ptr() as usize - line.as_ptr() as usize;
        let mut spread = None;
        for sign in ["±", "+-", "+/-"] {
            if let Some((value, width)) = rest.split_once(sign) {
                (rest, spread) = (value.trim(), Some(width.trim()));
                break;
            }
        }
        fields.value =
            Some(number_in(rest, "a value").map_err(|e| e.at(number, at(offset(rest))))?);
        if let Some(width) = spread {
            let place = at(offset(width));
            fields.spread = number_in(width, "a spread").map_err(|e| e.at(number, place))?;
            if fields.spread < 0.0 {
                return Err(LoadError::new(quote(width), "a spread of 0 or more").at(number, place));
            }
        }
        Ok(fields)
    }
}

fn number_in(text: &str, what: &str) -> Result<f32, LoadError> {
    let plain = text.replace('−', "-");
    match plain.parse::<f32>() {
        Ok(value) if value.abs() <= LARGEST => Ok(value),
        Ok(value) if value.is_finite() => Err(LoadError::new(
            quote(text),
            format!("{what} within ±{LARGEST:e}"),
        )),
        Ok(_) => Err(LoadError::new(
            quote(text),
            format!("{what} that is a finite number"),
        )),
        Err(_) if text.is_empty() => Err(LoadError::new("nothing", format!("{what} (a number)"))),
        Err(_) => Err(LoadError::new(quote(text), format!("{what} (a number)"))),
    }
}

impl ToyTree {
    /// Builds a tree from its nodes in file order; computes the height, the scale, and the leaves' mean and spread.
    ///
    /// # Errors
    /// If the nodes do not make a tree that can be searched.
    pub fn build(nodes: Vec<ToyNode>, root_side: Side) -> Result<ToyTree, LoadError> {
        let mut depths = vec![0_u16; nodes.len()];
        for (i, node) in nodes.iter().enumerate().skip(1) {
            let parent = node.parent.map_or(0, |p| p as usize);
            depths[i] = depths[parent.min(i)].saturating_add(1);
        }
        let height = depths.iter().copied().max().unwrap_or(0);
        if height > 1_000 {
            return Err(LoadError::new(
                format!("a tree {height} plies high"),
                "at most 1000 plies",
            ));
        }
        let largest = nodes
            .iter()
            .filter_map(|n| n.value)
            .fold(0.0, |a: f32, v| a.max(v.abs()));
        let spread = nodes.iter().map(|n| n.spread).fold(0.0, f32::max);
        let leaves: Vec<f64> = nodes
            .iter()
            .filter(|n| n.children.is_empty())
            .filter_map(|n| n.value)
            .map(f64::from)
            .collect();
        let count = leaves.len().max(1) as f64;
        let mean = leaves.iter().sum::<f64>() / count;
        let variance = leaves.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
        let values = nodes.iter().filter_map(|n| n.value);
        let axis = Axis::of_values(values, range(largest, spread)).ok_or_else(|| {
            let mut sizes: Vec<u32> = nodes
                .iter()
                .filter_map(|n| n.value)
                .map(|v| v.abs().to_bits())
                .collect();
            sizes.sort_unstable();
            sizes.dedup();
            LoadError::new(
                format!("{} values that differ in size", sizes.len()),
                format!("at most {}", Score::LIMIT - 1),
            )
        })?;
        let mut tree = ToyTree {
            nodes,
            root_side,
            scale: Scale::Logistic,
            height,
            leaf_mean: mean as f32,
            leaf_sd: variance.sqrt() as f32,
        };
        let points = toy::points(&tree, axis.range());
        tree.scale = Scale::Linear(axis.with_points(points).kept());
        Ok(tree)
    }

    /// Returns the tree as the text of a file, which reads back as the same tree.
    pub fn to_text(&self) -> String {
        let mut text = match self.root_side {
            Side::White => "max\n".to_owned(),
            Side::Black => "min\n".to_owned(),
        };
        let mut open: Vec<(u32, usize)> = self.nodes.first().map_or(Vec::new(), |root| {
            root.children.iter().rev().map(|&c| (c, 0)).collect()
        });
        while let Some((id, depth)) = open.pop() {
            let node = &self.nodes[id as usize];
            let _ = write!(text, "{:width$}{}", "", node.name, width = 2 * depth);
            if let Some(value) = node.value {
                let _ = write!(text, " {value}");
                if node.spread > 0.0 {
                    let _ = write!(text, " ± {}", node.spread);
                }
            }
            text.push('\n');
            open.extend(node.children.iter().rev().map(|&c| (c, depth + 1)));
        }
        text
    }
}

/// Returns half the width of the axis in the file's unit: 31.5 w, where w is 1, 2 or 5 times a power of ten such that 31 w
/// holds the largest value and four spreads.
fn range(largest: f32, spread: f32) -> f32 {
    let need = f64::from(largest) + 4.0 * f64::from(spread);
    let need = if need > 0.0 { need } else { 1.0 };
    let mut width = 10_f64.powi((need / 31.0).log10().floor() as i32);
    for factor in [1.0, 2.0, 5.0, 10.0] {
        // The tolerance allows for 0.1 not having an exact binary form.
        if 31.0 * width * factor >= need * (1.0 - 1e-6) {
            width *= factor;
            break;
        }
    }
    (31.5 * width) as f32
}
