//! A tree for Graphviz.

use std::fmt::Write as _;

use super::item::{Item, colour};
use crate::number;
use tree::FateRole;

/// Returns the rows as a graph in the DOT language: moves at the edges, figures and fates in the nodes, reasons as tool tips.
/// Moves that were not searched are dashed.
pub fn dot(items: &[Item], title: &str) -> String {
    let mut out = format!(
        "digraph tree {{\n  label={};\n  labelloc=t;\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n  \
         edge [fontname=\"sans-serif\", fontsize=10, arrowsize=0.6];\n",
        quoted(title)
    );
    for (i, item) in items.iter().enumerate() {
        let mut label = format!("{}\n{}  {}", item.figures(), item.letter, item.brief);
        if let Some(window) = &item.window {
            let _ = write!(label, "\n{window}");
        }
        let style = match item.role {
            FateRole::Skipped => "dashed",
            FateRole::Proven => "bold",
            _ => "solid",
        };
        let _ = writeln!(
            out,
            "  n{i} [label={}, tooltip={}, color=\"{}\", style={style}];",
            quoted(&label),
            quoted(&item.why),
            colour(item.role),
        );
        if let Some(parent) = item.parent {
            // Thicker where more was searched.
            let work = items[parent].nodes.max(1) as f64;
            let width = 1.0 + 3.0 * (item.nodes as f64 / work).clamp(0.0, 1.0);
            let nodes = number::count(item.nodes);
            let _ = writeln!(
                out,
                "  n{parent} -> n{i} [label={}, penwidth={width:.2}, style={style}, tooltip={}];",
                quoted(&item.name),
                quoted(&format!("{nodes} nodes")),
            );
        }
    }
    out.push_str("}\n");
    out
}

/// Returns a text in quotation marks, with line breaks as DOT writes them.
fn quoted(text: &str) -> String {
    let text = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_and_line_breaks_are_written_as_dot_has_them() {
        assert_eq!(quoted("a \"b\"\n\\c"), "\"a \\\"b\\\"\\n\\\\c\"");
    }
}
