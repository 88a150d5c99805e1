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
use crate::describe::Spot;
use crate::framing::{Framing, Heard, listen};
use crate::search::Search;
use session::{Config, Session};
use text::{nearest, quote};
use tree::Tree;

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

pub(super) struct Server<W> {
    pub(super) config: Config,
    pub(super) editor: Editor<W>,
    pub(super) launch: Option<Launch>,
    pub(super) search: Option<Search>,
    pub(super) breaks: Breaks,
    pub(super) variables: Variables,
    /// `None` while the search runs.
    pub(super) stack: Option<Stack>,
    pub(super) source: Source,
    /// How the editor counts lines and columns: from 0 or 1.
    pub(super) first_line: u64,
    /// Whether the editor believes that the search runs.
    pub(super) running: bool,
    /// The reason for the next stop.
    pub(super) asked: &'static str,
    /// When something last happened.
    pub(super) busy_since: Instant,
    pub(super) ends: bool,
}

/// What follows an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    Nothing,
    Initialized,
    Terminated,
}

pub(super) type Answer = Result<Value, String>;

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
        let mut remarks = launch::mistyped(arguments);
        remarks.extend(self.breaks.refused_at_launch());
        for remark in remarks {
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
        let config = launch.map_or(&self.config, |launch| &launch.config);
        format!("search ({})", config.name())
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

    pub(super) fn session(&self) -> Result<&Session, String> {
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
