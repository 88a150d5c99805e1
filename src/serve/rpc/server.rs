//! The server: takes requests, answers them in order, and looks after the searches in between.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::calls::{Call, METHODS, Method};
use super::desk::{Desks, Outcome, Parked, Queued, Ticket, Until};
use super::message::{self, Message, NO_JSON, NO_METHOD, Refused, Request, Response, RpcError};
use super::notices;
use super::parameters::Parameters;
use crate::describe;
use crate::framing::{Framing, Heard, Speaker, listen};
use session::Config;
use text::{nearest, quote};

/// The calls of one session that may wait for those before them.
const MOST_QUEUED: usize = 10_000;
/// How often searches that nobody waits for are looked at.
const TICK: Duration = Duration::from_millis(20);

/// Speaks JSON-RPC until `shutdown` or the end of the input. What came before the end of the input is still answered.
///
/// # Errors
/// If the output can't be written to, or no thread can be started.
pub fn serve(
    config: Config,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let input = listen(input)?;
    let mut server = Server {
        desks: Desks::new(config),
        speaker: Speaker::new(output, Framing::Lines),
        has_spoken: false,
        batches: HashMap::new(),
        batches_begun: 0,
        busy_since: Instant::now(),
        ends: false,
    };
    server.talk(&input)
}

/// A batch of which not all requests have been answered.
#[derive(Default)]
struct Batch {
    left: usize,
    answers: Vec<Response>,
}

struct Server<W> {
    desks: Desks,
    speaker: Speaker<W>,
    /// Whether the client's way to separate messages is known.
    has_spoken: bool,
    batches: HashMap<u64, Batch>,
    batches_begun: u64,
    /// When something last happened.
    busy_since: Instant,
    ends: bool,
}

impl<W: Write> Server<W> {
    fn talk(&mut self, input: &Receiver<(Framing, Heard)>) -> io::Result<()> {
        let mut open = true;
        while !self.ends && (open || self.somebody_waits()) {
            let heard = match self.patience() {
                None if open => input.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(nap) if open => input.recv_timeout(nap),
                nap => {
                    std::thread::sleep(nap.unwrap_or(TICK));
                    Err(RecvTimeoutError::Timeout)
                }
            };
            match heard {
                Ok((framing, heard)) => self.hear(framing, heard)?,
                Err(RecvTimeoutError::Disconnected) => open = false,
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.tick()?;
        }
        self.give_up_all()
    }

    fn somebody_waits(&self) -> bool {
        let waits = |desk: &super::desk::Desk| !desk.parked.is_empty() || !desk.queue.is_empty();
        self.desks.open.values().any(waits)
    }

    /// How long nothing needs to be looked at; `None`: until the next message.
    fn patience(&self) -> Option<Duration> {
        const OFTEN: Duration = Duration::from_micros(100);
        let desks = || self.desks.open.values();
        if self.somebody_waits() || desks().any(|desk| desk.search.is_under_way()) {
            let nap = self.busy_since.elapsed() / 16;
            return Some(nap.clamp(OFTEN, TICK));
        }
        desks().any(|desk| desk.ran).then_some(TICK)
    }

    fn hear(&mut self, framing: Framing, heard: Heard) -> io::Result<()> {
        self.busy_since = Instant::now();
        if !self.has_spoken {
            self.speaker.framing = framing;
            self.has_spoken = true;
        }
        let one = Ticket {
            id: None,
            batch: None,
        };
        match heard {
            Heard::Broken(why) => self.take(one, Err(Refused::new(NO_JSON, &why))),
            Heard::Message(bytes) => match message::read(&bytes) {
                Message::One(request) => self.take(one, request),
                Message::Batch(list) => {
                    self.batches_begun += 1;
                    let number = self.batches_begun;
                    let batch = Batch {
                        left: list.len(),
                        answers: Vec::new(),
                    };
                    self.batches.insert(number, batch);
                    list.into_iter().try_for_each(|request| {
                        let ticket = Ticket {
                            batch: Some(number),
                            ..one.clone()
                        };
                        self.take(ticket, request)
                    })
                }
            },
        }
    }

    fn take(&mut self, ticket: Ticket, request: Result<Request, Refused>) -> io::Result<()> {
        match request {
            Ok(request) => {
                let ticket = Ticket {
                    id: request.id.clone(),
                    ..ticket
                };
                match self.find(request) {
                    Ok((method, call)) => self.queue(ticket, method, call),
                    Err(error) => self.answer(&ticket, Err(error)),
                }
            }
            Err(refused) => {
                let id = Some(refused.id);
                self.answer(&Ticket { id, ..ticket }, Err(refused.error))
            }
        }
    }

    fn find(&self, request: Request) -> Result<(&'static Method, Call), RpcError> {
        let names = || METHODS.iter().map(|method| method.name);
        let method = METHODS.iter().find(|m| m.name == request.method);
        let method = method.ok_or_else(|| {
            let meant = nearest(&request.method, names());
            let meant = meant.map_or_else(String::new, |m| format!(" (did you mean {m}?)"));
            let all = names().collect::<Vec<_>>().join(", ");
            let found = quote(&request.method);
            let why = format!("unknown method {found}{meant}, expected one of: {all}");
            RpcError::new(NO_METHOD, why)
        })?;
        let parameters = Parameters::new(request.parameters, method.parameters)?;
        let session = match method.has_session() {
            true => self
                .desks
                .number(parameters.whole("session", 0, u64::MAX)?)?,
            false => 0,
        };
        Ok((
            method,
            Call {
                parameters,
                session,
            },
        ))
    }

    /// Runs a call, after those before it that wait for the same search.
    fn queue(&mut self, ticket: Ticket, method: &'static Method, call: Call) -> io::Result<()> {
        if let Some(desk) = self.desks.open.get_mut(&call.session)
            && !method.at_once
            && (!desk.parked.is_empty() || !desk.queue.is_empty())
        {
            if desk.queue.len() < MOST_QUEUED {
                let queued = Queued {
                    ticket,
                    method,
                    call,
                };
                desk.queue.push_back(queued);
                return Ok(());
            }
            let why = format!("{MOST_QUEUED} calls of this session wait already");
            return self.answer(&ticket, Err(RpcError::refused(why)));
        }
        self.run(ticket, method, &call)
    }

    fn run(&mut self, ticket: Ticket, method: &Method, call: &Call) -> io::Result<()> {
        match (method.run)(&mut self.desks, call) {
            Ok(Outcome::Answer(raw)) => self.answer(&ticket, Ok(raw))?,
            Ok(Outcome::End) => {
                self.ends = true;
                self.answer(&ticket, Ok(raw(&Value::Null)?))?;
            }
            Ok(Outcome::Wait(until, limit)) => {
                if let Some(desk) = self.desks.open.get_mut(&call.session) {
                    let deadline = Instant::now() + limit;
                    desk.parked.push(Parked {
                        ticket,
                        until,
                        deadline,
                    });
                }
                self.settle(call.session)?;
            }
            Err(error) => self.answer(&ticket, Err(error))?,
        }
        for number in std::mem::take(&mut self.desks.closing) {
            self.give_up(number, "the session was closed")?;
            self.desks.open.remove(&number);
        }
        Ok(())
    }

    /// Answers those who wait for a search, as far as it has come.
    fn settle(&mut self, number: u64) -> io::Result<()> {
        let Some(desk) = self.desks.open.get_mut(&number) else {
            return Ok(());
        };
        desk.search.tend();
        if desk.parked.is_empty() {
            return Ok(());
        }
        let stop = desk.search.stop();
        let changes = desk.search.is_under_way();
        let now = Instant::now();
        let is_done = |parked: &mut Parked| match parked.until {
            Until::Stopped => stop.is_some() || parked.deadline <= now,
            Until::Changed => !changes || parked.deadline <= now,
        };
        let done: Vec<Parked> = desk.parked.extract_if(.., is_done).collect();
        if !done.is_empty() && stop.is_some() {
            desk.ran = false;
        }
        let mut answers = Vec::new();
        for parked in done {
            let news = desk.search.take_news();
            let report = describe::stop(number, &desk.search, stop.as_ref(), news);
            answers.push((parked.ticket, raw(&report)?));
        }
        for (ticket, report) in answers {
            self.answer(&ticket, Ok(report))?;
        }
        Ok(())
    }

    /// Looks after all searches.
    fn tick(&mut self) -> io::Result<()> {
        let numbers: Vec<u64> = self.desks.open.keys().copied().collect();
        for number in numbers {
            self.settle(number)?;
            while let Some(desk) = self.desks.open.get_mut(&number)
                && desk.parked.is_empty()
                && let Some(next) = desk.queue.pop_front()
            {
                self.busy_since = Instant::now();
                self.run(next.ticket, next.method, &next.call)?;
            }
            if let Some(desk) = self.desks.open.get_mut(&number) {
                notices::tell(number, desk, &mut self.speaker)?;
            }
        }
        Ok(())
    }

    fn answer(
        &mut self,
        ticket: &Ticket,
        answer: Result<Box<RawValue>, RpcError>,
    ) -> io::Result<()> {
        let response = ticket.id.clone().map(|id| Response::new(id, answer));
        let Some(number) = ticket.batch else {
            return response.map_or(Ok(()), |response| self.speaker.send(&response));
        };
        let Some(batch) = self.batches.get_mut(&number) else {
            return Ok(());
        };
        batch.left -= 1;
        batch.answers.extend(response);
        if batch.left > 0 {
            return Ok(());
        }
        let done = self.batches.remove(&number).unwrap_or_default();
        // A batch of notifications has no answer.
        match done.answers.is_empty() {
            true => Ok(()),
            false => self.speaker.send(&done.answers),
        }
    }

    /// Answers all that wait for a session that there is nothing to wait for any more.
    fn give_up(&mut self, number: u64, why: &str) -> io::Result<()> {
        let Some(desk) = self.desks.open.get_mut(&number) else {
            return Ok(());
        };
        let parked = desk.parked.drain(..).map(|parked| parked.ticket);
        let queued = desk.queue.drain(..).map(|queued| queued.ticket);
        let tickets: Vec<Ticket> = parked.chain(queued).collect();
        for ticket in tickets {
            self.answer(&ticket, Err(RpcError::refused(why)))?;
        }
        Ok(())
    }

    fn give_up_all(&mut self) -> io::Result<()> {
        let numbers: Vec<u64> = self.desks.open.keys().copied().collect();
        for number in numbers {
            self.give_up(number, "the server ends")?;
        }
        Ok(())
    }
}

fn raw(value: &impl serde::Serialize) -> io::Result<Box<RawValue>> {
    Ok(to_raw_value(value)?)
}
