//! What is searched: starting, following the game, taking moves out, searching one node more.

use std::time::Duration;

use serde_json::json;

use super::control::started;
use super::{Call, needed};
use crate::place::reading;
use crate::rpc::desk::{Desks, Outcome, Until, answer};
use crate::rpc::message::RpcError;
use crate::rpc::parameters::Parameters;
use crate::search::Search;
use algorithms::Algorithm;
use search::{Limits, OptionError};
use session::debug::{CantExclude, OnlyShown};
use session::{Config, Session};

/// How long a change may take.
const CHANGE: Duration = Duration::from_secs(60);

impl From<OptionError> for RpcError {
    fn from(error: OptionError) -> RpcError {
        RpcError::parameter("options", error.to_string())
    }
}

/// Returns the configuration that is asked for; what is not mentioned is as in `base`.
///
/// # Errors
/// If a parameter is not what it should be.
pub fn config(given: &Parameters, base: &Config) -> Result<Config, RpcError> {
    let mut config = base.clone();
    if let Some(name) = given.text("algorithm")? {
        let algorithm: Algorithm = name
            .parse()
            .map_err(|e| RpcError::parameter("algorithm", format!("{e}")))?;
        if algorithm != config.algorithm {
            config.algorithm = algorithm;
            config.options = algorithm.default_options();
        }
    }
    for (key, value) in given.settings("options")?.unwrap_or_default() {
        config.options.set(&key, &value)?;
    }
    let limits = Limits {
        nodes: given.count("nodes")?,
        time: given.duration("time")?,
        depth: given.whole("depth", 1, 200)?.map(|n| n as u16),
        ..Limits::default()
    };
    if limits != Limits::default() {
        config.limits = limits;
    }
    if let Some(threads) = given.whole("threads", 1, 256)? {
        config.threads = threads as usize;
    }
    if let Some(seed) = given.whole("seed", 0, u64::MAX)? {
        config.seed = seed;
    }
    Ok(match given.size("memory")? {
        Some(bytes) => config.within(bytes),
        None => config,
    })
}

pub fn start(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let config = config(&call.parameters, &desks.config)?;
    let paused = call.parameters.flag("paused")?;
    let wait = call.patience(if paused { CHANGE } else { Duration::ZERO })?;
    let is_asked = call.parameters.has("algorithm");
    let desk = desks.desk(call.session)?;
    let search = &mut desk.search;
    let config = reading(search.recorded.as_ref(), &search.subject, config, is_asked)?;
    search.start(config, paused);
    desk.begin();
    Ok(Outcome::Wait(Until::Stopped, wait))
}

pub fn follow(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let moves = needed(call.parameters.line("moves")?, "moves", "moves to play")?;
    let paused = call.parameters.flag("paused")?;
    let desk = started(desks, call)?;
    let shown = desk.search.session().and_then(Session::only_shown);
    if let Some(shown @ OnlyShown::Program) = shown {
        return Err(RpcError::refused(shown.to_string()));
    }
    let subject = desk.search.subject.play_text(&moves)?;
    let kept = desk.search.follow(subject, paused);
    desk.begin();
    answer(&json!({
        "fen": desk.search.subject.position.fen(),
        "kept": kept,
    }))
}

pub fn exclude(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let moves = call.parameters.texts("moves")?;
    let moves = needed(moves, "moves", "a list of moves")?;
    let until = until(desks, call)?;
    let session = desks.session(call)?;
    let spot = call.spot(session)?;
    let node = spot.node().ok_or_else(no_node)?;
    let at = session.situation(node).ok_or_else(no_node)?;
    let codes = moves.iter().map(|text| {
        let line = at.read_line(text)?.moves;
        match line.as_slice() {
            [code] => Ok(*code),
            _ => Err(RpcError::parameter(
                "moves",
                "expected one move in each text",
            )),
        }
    });
    let codes = codes.collect::<Result<Vec<_>, RpcError>>()?;
    session.set_excluded(node, &codes).map_err(|why| {
        RpcError::refused(match why {
            CantExclude::OnlyShown(OnlyShown::Leaf) => {
                "a leaf's search is shown as it was".to_owned()
            }
            other => other.to_string(),
        })
    })?;
    desks.desk(call.session)?.ran = true;
    Ok(Outcome::Wait(until, CHANGE))
}

/// What a change of the search waits for: if it had stopped, it will stop again.
fn until(desks: &mut Desks, call: &Call) -> Result<Until, RpcError> {
    let stopped = started(desks, call)?.search.stop().is_some();
    Ok(match stopped {
        true => Until::Stopped,
        false => Until::Changed,
    })
}

fn no_node() -> RpcError {
    RpcError::parameter("line", "found a move without a node, expected a node")
}

pub fn search_more(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    const NODES: u64 = 10_000;
    let nodes = call.parameters.count("nodes")?.unwrap_or(NODES);
    let wait = call.patience(CHANGE)?;
    let until = until(desks, call)?;
    let session = desks.session(call)?;
    let node = call.spot(session)?.node().ok_or_else(no_node)?;
    session.search_more(node, nodes);
    desks.desk(call.session)?.ran = true;
    Ok(Outcome::Wait(until, wait))
}

pub fn search_again(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let session = desks.session(call)?;
    let node = call.spot(session)?.node().ok_or_else(no_node)?;
    let can = session.can_search_again(node);
    if can {
        session.search_again(node);
    }
    // Running on waits for the re-search.
    answer(&json!({ "started": can }))
}

pub fn leaf(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let session = desks.session(call)?;
    let node = call.spot(session)?.node().ok_or_else(no_node)?;
    let leaf = session.open_leaf(node, true);
    let leaf = leaf.map_err(|why| RpcError::refused(why.to_string()))?;
    let number = desks.add(Search::showing(leaf));
    desks.desk(number)?.ran = true;
    answer(&json!({ "session": number }))
}
