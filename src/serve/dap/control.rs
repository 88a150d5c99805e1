//! Running, stepping and going back, and what the editor is told when the search has stopped.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::server::{After, Answer, Server};
use super::stack::Stack;
use crate::describe::NewsReport;
use crate::search::{Reason, Search, Stop};
use session::debug::{News, Step};

impl<W: Write> Server<W> {
    /// Starts the search, also anew.
    pub(super) fn begin(&mut self) -> Answer {
        let (Some(launch), Some(search)) = (&self.launch, &mut self.search) else {
            return Err("nothing is launched yet".into());
        };
        search.start(launch.config.clone(), true);
        let stops = launch.stop_on_entry;
        self.breaks.apply(Some(search));
        if !stops {
            search.run(false);
        }
        self.goes_on("entry");
        Ok(Value::Null)
    }

    /// The search runs, as far as the editor knows.
    fn goes_on(&mut self, asked: &'static str) {
        self.running = true;
        self.asked = asked;
        self.stack = None;
        self.variables.forget();
    }

    /// Goes on; a search that has ended is over then.
    pub(super) fn forward(&mut self, command: &str) -> Result<(Value, After), String> {
        let stop = self.search.as_ref().and_then(Search::stop);
        if stop.is_some_and(|stop| stop.reason == Reason::Ended) {
            return Ok((Value::Null, After::Terminated));
        }
        let step = match command {
            "next" => Step::Over,
            "stepOut" => Step::Out,
            _ => Step::Into,
        };
        match command {
            "continue" => {
                self.drive("breakpoint", |search| search.run(false))?;
                Ok((json!({"allThreadsContinued": true}), After::Nothing))
            }
            _ => {
                self.drive("step", |search| search.step(step, 1))?;
                Ok((Value::Null, After::Nothing))
            }
        }
    }

    pub(super) fn drive(&mut self, asked: &'static str, order: impl FnOnce(&mut Search)) -> Answer {
        self.session()?;
        if let Some(search) = &mut self.search {
            order(search);
        }
        self.goes_on(asked);
        Ok(Value::Null)
    }

    pub(super) fn pause(&mut self) -> Answer {
        if !self.running {
            return Ok(Value::Null);
        }
        self.drive("pause", |search| match search.is_under_way() {
            true => search.pause(),
            // So that it stops at an event.
            false => search.step(Step::Into, 1),
        })
    }

    /// Tells the editor where the search has stopped.
    pub(super) fn tick(&mut self) -> io::Result<()> {
        let Some(search) = &mut self.search else {
            return Ok(());
        };
        search.tend();
        let news = search.take_news().into_iter();
        let news: Vec<News> = news.filter(|n| *n != News::TreeReplaced).collect();
        let stop = search.stop().filter(|_| self.running);
        for what in news {
            self.editor.print(&NewsReport::from(what).text)?;
        }
        match stop {
            Some(stop) => self.arrive(&stop),
            None => Ok(()),
        }
    }

    fn arrive(&mut self, stop: &Stop) -> io::Result<()> {
        self.running = false;
        let Some(session) = self.search.as_ref().and_then(Search::session) else {
            return Ok(());
        };
        let fault = session.fault();
        let stack = Stack::new(session, stop);
        self.source.stops += 1;
        let mut body = json!({"threadId": 1, "allThreadsStopped": true});
        let (reason, description) = match stop.reason {
            Reason::Ended => {
                let why = stop.ended.map(|why| format!("{why:?}").to_lowercase());
                let why = fault.map_or(why, |fault| Some(fault.to_string()));
                (
                    "pause",
                    format!("the search has ended ({})", why.unwrap_or_default()),
                )
            }
            Reason::Beginning => ("entry", "the beginning of the search".to_owned()),
            Reason::Pause if stop.at == 0 => (self.asked, "before the first event".to_owned()),
            Reason::Breakpoint(number) => match self.breaks.hit(number) {
                Some((id, reason, text)) => {
                    body["hitBreakpointIds"] = json!([id]);
                    (reason, text)
                }
                None => ("breakpoint", String::new()),
            },
            Reason::Pause | Reason::Step | Reason::Arrived => (self.asked, String::new()),
        };
        let says = stack.sentence.clone();
        let said = says.as_deref().map(|says| format!("{}: {says}", stop.at));
        self.stack = Some(stack);
        body["reason"] = json!(reason);
        if !description.is_empty() {
            body["description"] = json!(description);
        }
        if let Some(says) = says {
            body["text"] = json!(says);
        }
        if let Some(said) = said {
            self.editor.print(&said)?;
        }
        if stop.reason == Reason::Ended {
            self.editor.print(&description)?;
            if self
                .launch
                .as_ref()
                .is_some_and(|launch| !launch.stop_on_end)
            {
                return self.terminated();
            }
        }
        self.editor.event("stopped", body)
    }

    /// Ends the search; the editor disconnects then.
    pub(super) fn terminated(&mut self) -> io::Result<()> {
        self.running = false;
        self.stack = None;
        self.variables.forget();
        if let Some(search) = &mut self.search {
            search.end();
        }
        self.editor.event("terminated", json!({}))?;
        self.editor.event("exited", json!({"exitCode": 0}))
    }
}
