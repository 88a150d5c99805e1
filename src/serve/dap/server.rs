//! The adapter: takes an editor's requests in turn, and tells it where the search has stopped.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};
use serde_json::{Map, Value, json};

use super::breaks::{self, Breaks, Kind};
use super::evaluate::evaluate;
use super::launch::{self, Launch};
use super::protocol::{self, Editor, Request};
use super::stack::{Source, Stack};
use super::variables::Variables;
use crate::engine::debug::{News, Step};
use crate::engine::{Config, Session};
use crate::game::text::{nearest, quote};
use crate::serve::describe::{NewsReport, Spot};
use crate::serve::framing::{Framing, Heard, listen};
use crate::serve::search::{Reason, Search, Stop};
use crate::tree::Tree;

/// Speaks the Debug Adapter Protocol until `disconnect` or the end of the input.
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
        config,
        editor: Editor::new(output),
        launch: None,
        search: None,
        breaks: Breaks::default(),
        variables: Variables::default(),
        stack: None,
        source: Source {
            file: None,
            stops: 0,
        },
        first_line: 1,
        running: false,
        asked: "entry",
        busy_since: Instant::now(),
        ends: false,
    };
    server.talk(&input)
}

struct Server<W> {
    config: Config,
    editor: Editor<W>,
    launch: Option<Launch>,
    search: Option<Search>,
    breaks: Breaks,
    variables: Variables,
    /// `None` while the search runs.
    stack: Option<Stack>,
    source: Source,
    /// How the editor counts lines and columns: from 0 or 1.
    first_line: u64,
    /// Whether the editor believes that the search runs.
    running: bool,
    /// The reason for the next stop.
    asked: &'static str,
    /// When something last happened.
    busy_since: Instant,
    ends: bool,
}

/// What follows an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Nothing,
    Initialized,
    Terminated,
}

type Answer = Result<Value, String>;

impl<W: Write> Server<W> {
    fn talk(&mut self, input: &Receiver<(Framing, Heard)>) -> io::Result<()> {
        while !self.ends {
            let heard = match self.patience() {
                None => input.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(nap) => input.recv_timeout(nap),
            };
            match heard {
                Ok((_, Heard::Broken(why))) => self.editor.print(&why)?,
                Ok((_, Heard::Message(bytes))) => match protocol::read(&bytes) {
                    Ok(Some(request)) => self.handle(&request)?,
                    Ok(None) => {}
                    Err(why) => self.editor.print(&why)?,
                },
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.tick()?;
        }
        Ok(())
    }

    /// How long nothing needs to be looked at; `None`: until the next message.
    fn patience(&self) -> Option<Duration> {
        const OFTEN: Duration = Duration::from_micros(100);
        const SELDOM: Duration = Duration::from_millis(10);
        let nap = self.busy_since.elapsed() / 16;
        self.running.then(|| nap.clamp(OFTEN, SELDOM))
    }

    fn handle(&mut self, request: &Request) -> io::Result<()> {
        self.busy_since = Instant::now();
        let (answer, after) = match self.answer(request) {
            Ok((body, after)) => (Ok(body), after),
            Err(why) => (Err(why), After::Nothing),
        };
        self.editor.answer(request, answer)?;
        match after {
            After::Nothing => Ok(()),
            After::Initialized => {
                self.introduce(&request.arguments)?;
                self.editor.event("initialized", Value::Null)
            }
            After::Terminated => self.terminated(),
        }
    }

    fn answer(&mut self, request: &Request) -> Result<(Value, After), String> {
        let arguments = &request.arguments;
        let body = match request.command.as_str() {
            "initialize" => self.initialize(arguments),
            "launch" => return Ok((self.launch(arguments)?, After::Initialized)),
            "attach" => Err("nothing runs that could be attached to, expected launch".into()),
            "configurationDone" | "restart" => self.begin(),
            "setBreakpoints" => {
                let file = self.source.file.as_ref().map(|(path, _)| path.as_str());
                let search = self.search.as_ref();
                let read = breaks::of_lines(arguments, search, file, self.first_line);
                Ok(self.set(Kind::Line, read))
            }
            "setFunctionBreakpoints" => Ok(self.set(Kind::Expression, breaks::of_names(arguments))),
            "setExceptionBreakpoints" => Ok(self.set(Kind::Event, breaks::of_events(arguments))),
            "setDataBreakpoints" => Ok(self.set(Kind::Data, breaks::of_data(arguments))),
            "dataBreakpointInfo" => self.data_info(arguments),
            "threads" => Ok(json!({"threads": [{"id": 1, "name": self.name()}]})),
            "stackTrace" => self.stack_trace(arguments),
            "scopes" => self.scopes(arguments),
            "variables" => self.open(arguments),
            "evaluate" => self.evaluate(arguments),
            "source" => self.text(),
            "continue" | "next" | "stepIn" | "stepOut" => return self.forward(&request.command),
            "stepBack" => self.drive("step", |search| search.step_back(1)),
            "reverseContinue" => self.drive("step", Search::back_to_breakpoint),
            "pause" => self.pause(),
            "terminate" => return Ok((Value::Null, After::Terminated)),
            "disconnect" => {
                self.ends = true;
                Ok(Value::Null)
            }
            other => Err(unknown(other)),
        };
        Ok((body?, After::Nothing))
    }

    fn initialize(&mut self, arguments: &Map<String, Value>) -> Answer {
        let from_one = arguments.get("linesStartAt1").and_then(Value::as_bool);
        self.first_line = u64::from(from_one.unwrap_or(true));
        Ok(json!({
            "supportsConfigurationDoneRequest": true,
            "supportsFunctionBreakpoints": true,
            "supportsConditionalBreakpoints": true,
            "supportsDataBreakpoints": true,
            "exceptionBreakpointFilters": breaks::filters(),
            "supportsEvaluateForHovers": true,
            "supportsStepBack": true,
            "supportsRestartRequest": true,
            "supportsTerminateRequest": true,
            "supportTerminateDebuggee": false,
        }))
    }

    fn launch(&mut self, arguments: &Map<String, Value>) -> Answer {
        let (launch, opened) =
            launch::read(arguments, &self.config).map_err(|error| error.message)?;
        let path = launch.file.as_deref().filter(|_| !opened.lines.is_empty());
        let full = |path: &str| std::path::absolute(path).ok();
        let file = path.map(|path| {
            let full = full(path).map(|p| p.to_string_lossy().into_owned());
            (
                full.unwrap_or_else(|| path.to_owned()),
                opened.lines.clone(),
            )
        });
        self.source.file = file;
        self.search = Some(Search::new(opened));
        let further = launch
            .breakpoints
            .iter()
            .map(|text| (Ok(text.clone()), None));
        let further = further.collect();
        self.launch = Some(launch);
        self.set(Kind::Launch, further);
        Ok(Value::Null)
    }

    /// Says what is searched, and what was odd about the arguments.
    fn introduce(&mut self, arguments: &Map<String, Value>) -> io::Result<()> {
        for remark in launch::mistyped(arguments) {
            self.editor.print(&remark)?;
        }
        let search = self.search.as_ref();
        let title = search.and_then(|search| search.title.clone());
        let name = self.name();
        match title {
            Some(title) => self.editor.print(&format!("{name} · {title}")),
            None => self.editor.print(&name),
        }
    }

    fn name(&self) -> String {
        let launch = self.launch.as_ref();
        let algorithm = launch.map_or(self.config.algorithm, |launch| launch.config.algorithm);
        format!("search ({algorithm})")
    }

    /// Starts the search, also anew.
    fn begin(&mut self) -> Answer {
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

    fn set(&mut self, kind: Kind, read: Vec<breaks::Read>) -> Value {
        let before = self.breaks.is_empty();
        let report = self.breaks.set(kind, read, self.search.as_mut());
        // A search that ran freely is followed from now on.
        if before
            && !self.breaks.is_empty()
            && self.running
            && self.asked == "breakpoint"
            && let Some(search) = &mut self.search
        {
            search.run(false);
        }
        report
    }

    fn data_info(&self, arguments: &Map<String, Value>) -> Answer {
        let name = arguments
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let reference = arguments.get("variablesReference").and_then(Value::as_u64);
        let session = self.session()?;
        let line = reference.and_then(|r| self.variables.line_of(session, r, name));
        Ok(match line {
            Some(line) => json!({
                "dataId": line,
                "description": format!("the figures of {line}"),
                "accessTypes": ["write"],
            }),
            None => json!({"dataId": null, "description": "only nodes can be watched"}),
        })
    }

    fn session(&self) -> Result<&Session, String> {
        let session = self.search.as_ref().and_then(Search::session);
        session.ok_or_else(|| "nothing is searched yet".into())
    }

    fn stopped(&self) -> Result<&Stack, String> {
        let stack = self.stack.as_ref();
        stack.ok_or_else(|| "the search is running: pause stops it".into())
    }

    fn stack_trace(&self, arguments: &Map<String, Value>) -> Answer {
        let stack = self.stopped()?;
        let frames = stack.describe(self.session()?, &self.source, self.first_line);
        let whole = |name: &str| arguments.get(name).and_then(Value::as_u64);
        let first = whole("startFrame").unwrap_or(0) as usize;
        let levels = whole("levels").filter(|n| *n > 0).unwrap_or(u64::MAX);
        let levels = usize::try_from(levels).unwrap_or(usize::MAX);
        let shown: Vec<&Value> = frames.iter().skip(first).take(levels).collect();
        Ok(json!({"stackFrames": shown, "totalFrames": frames.len()}))
    }

    fn frame(&self, arguments: &Map<String, Value>) -> Result<Option<Spot>, String> {
        let Some(number) = arguments.get("frameId").and_then(Value::as_u64) else {
            return Ok(None);
        };
        let frame = self.stopped()?.frame(number);
        let unknown = || format!("frameId: found {number}, which is no frame of the stack");
        frame.map(Some).ok_or_else(unknown)
    }

    fn scopes(&mut self, arguments: &Map<String, Value>) -> Answer {
        let frame = self.frame(arguments)?;
        let spot = frame.unwrap_or(self.stopped()?.innermost());
        Ok(self.variables.scopes(spot))
    }

    fn open(&mut self, arguments: &Map<String, Value>) -> Answer {
        let reference = arguments.get("variablesReference").and_then(Value::as_u64);
        let session = self.search.as_ref().and_then(Search::session);
        let session = session.ok_or("nothing is searched yet")?;
        let opened = self.variables.open(session, reference.unwrap_or(0));
        opened.ok_or_else(|| "the search has gone on since: ask for the scopes anew".into())
    }

    fn evaluate(&mut self, arguments: &Map<String, Value>) -> Answer {
        let at = match self.frame(arguments)? {
            Some(spot) => spot,
            None => match &self.stack {
                Some(stack) => stack.innermost(),
                None => Spot::Node(Tree::ROOT),
            },
        };
        let text = arguments.get("expression").and_then(Value::as_str);
        let text = text.ok_or("expression: expected a text")?;
        let session = self.search.as_ref().and_then(Search::session);
        let session = session.ok_or("nothing is searched yet")?;
        let answer = evaluate(session, at, text, &mut self.variables)?;
        Ok(json!({"result": answer.text, "variablesReference": answer.reference}))
    }

    fn text(&self) -> Answer {
        let text = self.stopped()?.text(self.session()?);
        Ok(json!({"content": text, "mimeType": "text/plain"}))
    }

    /// Goes on; a search that has ended is over then.
    fn forward(&mut self, command: &str) -> Result<(Value, After), String> {
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

    fn drive(&mut self, asked: &'static str, order: impl FnOnce(&mut Search)) -> Answer {
        self.session()?;
        if let Some(search) = &mut self.search {
            order(search);
        }
        self.goes_on(asked);
        Ok(Value::Null)
    }

    fn pause(&mut self) -> Answer {
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
    fn tick(&mut self) -> io::Result<()> {
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
            Reason::Pause if stop.at == 0 => ("entry", "before the first event".to_owned()),
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
    fn terminated(&mut self) -> io::Result<()> {
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

/// Every command that is answered.
const COMMANDS: [&str; 24] = [
    "initialize",
    "launch",
    "configurationDone",
    "restart",
    "setBreakpoints",
    "setFunctionBreakpoints",
    "setExceptionBreakpoints",
    "setDataBreakpoints",
    "dataBreakpointInfo",
    "threads",
    "stackTrace",
    "scopes",
    "variables",
    "evaluate",
    "source",
    "continue",
    "next",
    "stepIn",
    "stepOut",
    "stepBack",
    "reverseContinue",
    "pause",
    "terminate",
    "disconnect",
];

fn unknown(command: &str) -> String {
    let meant = nearest(command, COMMANDS);
    let meant = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
    format!("unknown command {}{meant}", quote(command))
}
