//! Searches in files.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::opening::OpenedReport;
use super::{Call, needed};
use crate::describe::NewsReport;
use crate::rpc::desk::{Desks, Outcome, answer};
use crate::rpc::message::RpcError;
use crate::search::Search;
use session::saved::{self, Kept, Progress, SavedSearch};
use session::{Config, Session};
use text::sanitise;

/// How long the threads of a search may take to come to rest.
const REST: Duration = Duration::from_secs(60);

/// The file that is named.
fn file(call: &Call) -> Result<String, RpcError> {
    needed(call.parameters.text("file")?, "file", "the name of a file")
}

pub fn save(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let file = file(call)?;
    let desk = desks.desk(call.session)?;
    if desk.search.session().is_some() && desk.search.stop().is_none() {
        return Err(RpcError::refused("the search is running: pause stops it"));
    }
    let session = desks.session(call)?;
    let kept = Kept::from(at_rest(session)?);
    let written = saved::write(Path::new(&file), &kept, &Progress::default());
    drop(kept);
    session.go_on();
    written.map_err(|e| RpcError::refused(format!("{file}: {e}")))?;
    answer(&json!({ "file": sanitise(&file) }))
}

/// Returns the state of a search that has stopped.
fn at_rest(session: &mut Session) -> Result<SavedSearch, RpcError> {
    let deadline = Instant::now() + REST;
    loop {
        session.go_on();
        let state = session.snapshot();
        if let Some(state) = state.map_err(|news| RpcError::refused(NewsReport::from(news).text))? {
            return Ok(state);
        }
        if Instant::now() > deadline {
            return Err(RpcError::refused(
                "the search has not come to rest: try again",
            ));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

pub fn restore(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let file = file(call)?;
    let read = saved::read(Path::new(&file), &Progress::default());
    let Kept { searches, .. } =
        read.map_err(|e| RpcError::parameter("file", format!("{file}: {e}")))?;
    let endgames = desks.config.endgames.clone();
    let mut numbers = Vec::new();
    for search in searches {
        let endgames = endgames.clone().filter(|_| search.has_probed());
        let search = search.with_config(|config| Config { endgames, ..config });
        numbers.push(desks.add(Search::showing(Session::restore(search))));
    }
    let desks = &*desks;
    let shown = numbers
        .iter()
        .filter_map(|n| Some((*n, desks.open.get(n)?)));
    let all: Vec<OpenedReport> = shown
        .map(|(number, desk)| OpenedReport::new(number, &desk.search, &[]))
        .collect();
    answer(&all)
}
