//! What Compare can write to a file.

use crate::context::Context;
use crate::exporting::{Offer, Work};
use report::compare::{self, CsvWriter, Position};
use report::text::Style;

const TABLE: Offer = Offer {
    label: "comparison",
    detail: "the columns, their moves and where they disagree, as text",
    extension: "txt",
    make: |app| {
        let ascii = app.cx.looks.glyphs.ascii;
        with_position(&app.cx, |position| {
            Ok(compare::text(
                position,
                true,
                app.cx.lens,
                Style { ascii },
                None,
            ))
        })
    },
};
const FIGURES: Offer = Offer {
    label: "comparison figures",
    detail: "all figures of the columns (JSON)",
    extension: "json",
    make: |app| {
        with_position(&app.cx, |position| {
            let text = serde_json::to_string(&compare::json(position));
            text.map(|text| text + "\n").map_err(|e| e.to_string())
        })
    },
};
const LINES: Offer = Offer {
    label: "comparison lines",
    detail: "a line for each column: best move, score, nodes (CSV)",
    extension: "csv",
    make: |app| {
        with_position(&app.cx, |position| {
            let mut text = Vec::new();
            let mut writer = CsvWriter::new(&mut text);
            writer.write(position).map_err(|e| e.to_string())?;
            drop(writer);
            String::from_utf8(text).map_err(|e| e.to_string())
        })
    },
};

/// Returns what can be written of the columns.
pub(super) fn offers(cx: &Context) -> Vec<Offer> {
    match cx.columns.comparison() {
        Some(_) => vec![TABLE, FIGURES, LINES],
        None => Vec::new(),
    }
}

fn with_position(
    cx: &Context,
    write: impl FnOnce(&Position) -> Result<String, String>,
) -> Result<Work, String> {
    /// As many as the command line writes unless told otherwise.
    const DIFFERENCES: usize = 10;
    if cx.columns.lent_column().is_some() {
        return Err("a column is open in Explore: 2 takes it back first".to_owned());
    }
    let comparison = cx.columns.comparison().ok_or("there are no columns")?;
    let columns = comparison.columns().iter();
    let names: Vec<String> = columns.map(|column| column.spec.to_string()).collect();
    let title = cx.current.title.clone();
    write(&Position::read(1, title, comparison, &names, DIFFERENCES)).map(Work::Done)
}
