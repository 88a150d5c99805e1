//! Sessions come and go.

use serde::Serialize;
use serde_json::json;

use super::{Call, METHODS};
use crate::place::Place;
use crate::rpc::desk::{Desks, Outcome, answer};
use crate::rpc::message::RpcError;
use crate::search::Search;
use game::Game as _;
use report::algorithms::all;

pub fn methods(_: &mut Desks, _: &Call) -> Result<Outcome, RpcError> {
    answer(&METHODS)
}

pub fn algorithms(_: &mut Desks, _: &Call) -> Result<Outcome, RpcError> {
    answer(&all())
}

/// A session and its position.
#[derive(Serialize)]
pub struct OpenedReport<'a> {
    session: u64,
    title: Option<&'a str>,
    /// `null` for a toy tree.
    fen: Option<String>,
    /// Who moves.
    side: &'static str,
    /// The number of legal moves.
    moves: usize,
    warnings: &'a [String],
}

impl<'a> OpenedReport<'a> {
    pub fn new(session: u64, search: &'a Search, warnings: &'a [String]) -> OpenedReport<'a> {
        let position = &search.subject.position;
        OpenedReport {
            session,
            title: search.title.as_deref(),
            fen: position.fen(),
            side: position.side_name(position.turn()),
            moves: position.legal_moves().len(),
            warnings,
        }
    }
}

pub fn open(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let opened = Place::of(&call.parameters)?.open()?;
    let warnings = opened.warnings.clone();
    let number = desks.add(Search::new(opened));
    let search = &desks.desk(number)?.search;
    answer(&OpenedReport::new(number, search, &warnings))
}

pub fn sessions(desks: &mut Desks, _: &Call) -> Result<Outcome, RpcError> {
    let open = desks.open.iter();
    let all: Vec<OpenedReport> = open
        .map(|(number, desk)| OpenedReport::new(*number, &desk.search, &[]))
        .collect();
    answer(&all)
}

pub fn close(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    // What waits for it is told so by the server.
    desks.desk(call.session)?.search.pause();
    desks.closing.push(call.session);
    answer(&json!({}))
}

pub fn shutdown(_: &mut Desks, _: &Call) -> Result<Outcome, RpcError> {
    Ok(Outcome::End)
}
