//! Results and trees as whole documents.

use std::path::Path;

use serde_json::json;

use super::{Call, needed};
use crate::rpc::desk::{Desks, Outcome, answer};
use crate::rpc::message::RpcError;
use report::json::SearchResult;
use report::lens::{Lens, Unit, Viewpoint};
use report::proof;
use report::text::Style;
use report::tree::{Export, Extent, Format};
use text::save::save;

pub fn result(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let title = desks.desk(call.session)?.search.title.clone();
    answer(&SearchResult::of_session(desks.session(call)?, title))
}

/// What can be written: a tree, or (`None`) the proof of a result.
fn formats() -> Vec<(&'static str, Option<Format>)> {
    let trees = Format::ALL
        .iter()
        .map(|(name, format)| (*name, Some(*format)));
    trees.chain([("proof", None)]).collect()
}

pub fn export(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let given = &call.parameters;
    let format = needed(
        given.word("format", &formats())?,
        "format",
        "a format such as json",
    )?;
    let most = u64::from(u32::MAX);
    let extent = Extent {
        max_nodes: given.whole("max_nodes", 1, most)?.unwrap_or(500) as usize,
        max_ply: given.whole("max_ply", 0, u16::MAX.into())?.unwrap_or(64) as u16,
    };
    let beliefs = given.flag("beliefs")?;
    let units = Unit::ALL.map(|unit| (unit.id(), unit));
    let views = Viewpoint::SHOWN.map(|view| (view.id(), view));
    let lens = Lens {
        unit: given.word("unit", &units)?.unwrap_or_default(),
        viewpoint: given.word("view", &views)?.unwrap_or_default(),
    };
    let file = given.text("file")?;
    let after = given.line("line")?.unwrap_or_default();
    let title = desks.desk(call.session)?.search.title.clone();
    let session = desks.session(call)?;
    let from = call.spot(session)?.node();
    let from = from.ok_or_else(|| {
        RpcError::parameter("line", "found a move without a node, expected a node")
    })?;
    let export = Export {
        session,
        title: title.as_deref(),
        file: None,
        from,
        after: &after,
        extent,
        style: Style::default(),
        lens,
        beliefs,
    };
    let text = match format {
        Some(format) => {
            let document = export.document(format);
            let document = document.map_err(|e| RpcError::refused(e.to_string()))?;
            document.ok_or_else(|| RpcError::parameter("format", format.other_game()))?
        }
        None => {
            let reader = session.reader();
            let at = reader.situation(from).and_then(|at| at.chess());
            at.and_then(|at| proof::pgn(&reader, from, &at, extent.max_nodes))
                .ok_or_else(|| {
                    RpcError::refused(
                        "found no proof, expected a result proven by a best-first search of chess",
                    )
                })?
        }
    };
    let Some(file) = file else {
        return answer(&json!({ "text": text }));
    };
    let written = save(Path::new(&file), |out| out.write_all(text.as_bytes()));
    written.map_err(|e| RpcError::refused(format!("{file}: {e}")))?;
    answer(&json!({ "file": file, "bytes": text.len() }))
}
