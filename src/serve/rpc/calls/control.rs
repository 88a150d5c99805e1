//! Running, stepping, going back, breakpoints.

use std::time::Duration;

use serde::Serialize;

use super::{Call, needed, not_started};
use crate::rpc::desk::{Desk, Desks, Outcome, Until, answer};
use crate::rpc::message::RpcError;
use crate::search::Search;
use session::breakpoint::{Breakpoint, BreakpointError};
use session::debug::Step;

/// How long a call may wait, in seconds.
const LONGEST_WAIT: f64 = 3600.0;
/// How long a call that ends with a stop waits unless told otherwise.
const USUAL_WAIT: Duration = Duration::from_secs(60);

impl Call {
    /// How long the call waits for a stop.
    pub(super) fn patience(&self, usual: Duration) -> Result<Duration, RpcError> {
        let wait = self.parameters.seconds("wait", LONGEST_WAIT)?;
        Ok(wait.unwrap_or(usual))
    }
}

/// Drives a search that was started, and waits for it to stop.
fn drive(
    desks: &mut Desks,
    call: &Call,
    usual_wait: Duration,
    order: impl FnOnce(&mut Search),
) -> Result<Outcome, RpcError> {
    let wait = call.patience(usual_wait)?;
    let desk = started(desks, call)?;
    order(&mut desk.search);
    desk.ran = true;
    Ok(Outcome::Wait(Until::Stopped, wait))
}

pub(super) fn started<'a>(desks: &'a mut Desks, call: &Call) -> Result<&'a mut Desk, RpcError> {
    let desk = desks.desk(call.session)?;
    match desk.search.session() {
        Some(_) => Ok(desk),
        None => Err(not_started()),
    }
}

pub fn run(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let freely = call.parameters.flag("freely")?;
    let nodes = call.parameters.count("nodes")?;
    drive(desks, call, Duration::ZERO, |search| {
        if let Some(session) = search.session_mut() {
            session.set_pause_after(nodes);
        }
        search.run(freely || nodes.is_some());
    })
}

pub fn pause(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    drive(desks, call, USUAL_WAIT, Search::pause)
}

pub fn wait(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    drive(desks, call, USUAL_WAIT, |_| {})
}

/// The kinds of steps by their names.
const STEPS: [(&str, Step); 4] = [
    ("into", Step::Into),
    ("over", Step::Over),
    ("out", Step::Out),
    ("to-break", Step::ToBreak),
];

pub fn step(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let step = call.parameters.word("kind", &STEPS)?.unwrap_or(Step::Into);
    let times = call.parameters.whole("times", 1, u32::MAX.into())?;
    let times = times.map_or(1, |n| n as u32);
    drive(desks, call, USUAL_WAIT, |search| search.step(step, times))
}

pub fn back(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let events = call.parameters.whole("events", 1, u64::MAX)?;
    let to_breakpoint = call.parameters.flag("to_breakpoint")?;
    if events.is_some() && to_breakpoint {
        let why = "found events and to_breakpoint, expected one of them";
        return Err(RpcError::parameter("to_breakpoint", why));
    }
    drive(desks, call, USUAL_WAIT, |search| match to_breakpoint {
        true => search.back_to_breakpoint(),
        false => search.step_back(events.unwrap_or(1)),
    })
}

pub fn go_to(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let event = call.parameters.whole("event", 0, u64::MAX)?;
    let event = needed(event, "event", "the number of an event")?;
    drive(desks, call, USUAL_WAIT, |search| search.go_to(event))
}

/// A breakpoint, or why it was not understood.
#[derive(Serialize, Default)]
struct BreakpointReport {
    text: String,
    /// `null` if it was not understood.
    number: Option<usize>,
    canonical: Option<String>,
    /// Why the search never stops there, if that is certain.
    never: Option<String>,
    error: Option<BreakpointProblem>,
}

#[derive(Serialize)]
struct BreakpointProblem {
    message: String,
    /// In characters, from 1.
    column: u32,
    found: String,
    expected: String,
    meant: Option<String>,
}

impl From<BreakpointError> for BreakpointProblem {
    fn from(error: BreakpointError) -> BreakpointProblem {
        BreakpointProblem {
            message: error.to_string(),
            column: error.column,
            found: error.found,
            expected: error.expected,
            meant: error.meant,
        }
    }
}

pub fn breakpoints(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let set = call.parameters.texts("set")?;
    let search = &mut desks.desk(call.session)?.search;
    type Parsed = (String, Result<(usize, Breakpoint), BreakpointError>);
    let outcomes: Vec<Parsed> = match set {
        Some(texts) => {
            let outcomes = search.set_breakpoints(&texts);
            texts.into_iter().zip(outcomes).collect()
        }
        None => {
            let known = search.breakpoints().iter().enumerate();
            known
                .map(|(i, b)| (b.text().to_owned(), Ok((i + 1, b.clone()))))
                .collect()
        }
    };
    let config = search.session().map(|session| session.config());
    let report = |(text, outcome): Parsed| match outcome {
        Ok((number, breakpoint)) => BreakpointReport {
            text,
            number: Some(number),
            canonical: Some(breakpoint.canonical()),
            never: config.and_then(|config| breakpoint.never_under(config)),
            error: None,
        },
        Err(error) => BreakpointReport {
            text,
            error: Some(error.into()),
            ..BreakpointReport::default()
        },
    };
    let all: Vec<BreakpointReport> = outcomes.into_iter().map(report).collect();
    answer(&all)
}

#[derive(Serialize)]
struct SubscriptionReport {
    stops: bool,
    progress: f64,
    events: bool,
}

pub fn subscribe(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    const OFTEN: f64 = 100.0;
    let given = &call.parameters;
    let rate = given.number("progress", 0.0, OFTEN)?;
    let (stops, events) = (
        given.optional_flag("stops")?,
        given.optional_flag("events")?,
    );
    let subscription = &mut desks.desk(call.session)?.subscription;
    if let Some(rate) = rate {
        subscription.progress = (rate > 0.0).then(|| Duration::from_secs_f64(1.0 / rate));
    }
    subscription.stops = stops.unwrap_or(subscription.stops);
    subscription.events = events.unwrap_or(subscription.events);
    let every = subscription.progress;
    answer(&SubscriptionReport {
        stops: subscription.stops,
        progress: every.map_or(0.0, |every| 1.0 / every.as_secs_f64()),
        events: subscription.events,
    })
}
