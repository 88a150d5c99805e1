//! A program that is run again in the background: for what a filter left out below a node, or to go back beyond what was kept of
//! its trace. The marks of both runs say whether it is the same search.

mod coming;
mod run;

use std::sync::{Arc, OnceLock};

use crossbeam_channel::{Receiver, TryRecvError, bounded};

pub(crate) use run::Rerun;

use coming::{Arrived, Seen};
use run::parted_words;

use super::App;
use super::attach::{Awaits, Wanted, wait_for_search};
use crate::context::{Context, Explored, Level, Opened};
use crate::panes::tree::SavedSelection;
use crate::source::Source;
use external::{Difference, Filters, Program, ProgramState, Repeat};
use game::MoveCode;
use games::{Document, Entry};
use open_trace::{Names, Order};
use search::Recorded;
use session::{Reader, Session, State, drop_aside};
use text::thousands;
use tree::{NodeId, Tree};

/// What a program is run again for.
#[derive(Clone, Debug)]
enum Purpose {
    /// All below the node to which these moves lead, by their names: the same move may have another code in another stream.
    Below(Vec<String>),
    /// The search as it was after this event.
    At(u64),
}

/// A run that is under way, until what it is for has come.
#[derive(Debug)]
pub(crate) struct Again {
    run: Rerun,
    purpose: Purpose,
    coming: Receiver<Result<Opened, String>>,
    _awaits: Awaits,
    /// The search, once it has begun.
    begun: Option<Begun>,
}

#[derive(Debug)]
struct Begun {
    document: Document,
    entry: Entry,
    session: Box<Session>,
}

impl Context {
    /// Whether a filter left out all the moves that were searched at a node: they are seen by running the program again.
    pub(crate) fn is_left_out(reader: Reader, node: NodeId) -> bool {
        let tree = reader.tree;
        let was_sent = |child: NodeId| {
            let child = tree.node(child);
            child.visits() > 0 && !child.move_code().stays()
        };
        let left_out = !node.is_none() && tree.left_out(node).is_some_and(|left| left.nodes > 0);
        left_out && !tree.children(node).any(was_sent)
    }

    /// Opens the selected row by running the program again, if a filter left out all the moves that were searched there; says why
    /// if that is not possible. Returns false for other rows.
    pub(crate) fn open_left_out(&mut self) -> bool {
        let is_closed = |node| !self.explore.tree.is_open(node);
        let left_out = self.selected().is_some_and(|(row, reader)| {
            is_closed(row.node) && Self::is_left_out(reader, row.node)
        });
        // The rules that were tried there have rows all the same.
        left_out && self.run_again_below()
    }

    /// Runs the program again for all that is below the selected row, whatever it has there.
    pub fn ask_run_again(&mut self) {
        self.run_again_below();
    }

    /// Runs the program again for all that is below the selected row. Returns whether it does.
    fn run_again_below(&mut self) -> bool {
        let Some((row, reader)) = self.selected() else {
            return false;
        };
        if row.node.is_none() {
            let what = "the program did not search this move: there is nothing below it";
            self.say(Level::Info, what);
            return false;
        }
        let codes = reader.tree.moves_to(row.node);
        let names: Vec<String> = { reader.names(Tree::ROOT, &codes).into_iter() }
            .map(|name| name.uci)
            .collect();
        let iteration = reader.tree.node(row.node).static_and_iteration().1;
        let left_out = reader.tree.left_out(row.node);
        let of_rules = codes.iter().zip(&names);
        let path = of_rules.filter(|(code, _)| !code.stays());
        let path: Vec<String> = path.map(|(_, name)| name.clone()).collect();
        if names.len() < codes.len() {
            self.say(Level::Info, "the way there can't be named to the program");
            return false;
        }
        let is_root = codes.is_empty();
        let started = self.traced_program().and_then(|(program, recorded)| {
            let header = recorded.header();
            let filters = match header.order {
                Order::DepthFirst => Filters {
                    path,
                    from: (iteration > 0 && iteration < u8::MAX && !is_root)
                        .then(|| u32::from(iteration) * u32::from(header.depth_step.max(1))),
                    ..Filters::default()
                },
                // It obeys no filter that leads to a node.
                Order::BestFirst => Filters::default(),
            };
            Ok((program.rerun(filters, None)?, recorded.search()))
        });
        let name = match is_root {
            true => "as a whole".to_owned(),
            false => format!("below {}", self.row_line()),
        };
        match started {
            Ok(started) => self.begin_again(started, name, Purpose::Below(names)),
            Err(why) => {
                let nodes = left_out.map_or_else(String::new, |left| {
                    format!("{} nodes below it were not sent: ", thousands(left.nodes))
                });
                self.say(Level::Warning, nodes + &why);
                false
            }
        }
    }

    /// Runs the program again up to an event before which its trace was not kept. Returns false if the beginning of the trace is
    /// still there, so that it can be read again.
    pub(crate) fn run_again_to(&mut self, event: u64) -> bool {
        let event = event.max(1);
        self.run_forgotten_again(Some(event))
    }

    /// Runs the program again from the beginning where that of its trace was not kept. Returns false if it is still there.
    pub(crate) fn run_again_whole(&mut self) -> bool {
        self.run_forgotten_again(None)
    }

    fn run_forgotten_again(&mut self, until: Option<u64>) -> bool {
        let config = self.session.as_ref().map(Source::config);
        let recorded = config.and_then(|config| config.recorded.as_deref());
        if recorded.is_none_or(Recorded::is_whole) {
            return false;
        }
        let started = self.traced_program().and_then(|(program, recorded)| {
            let tracing = program.spec().engine.trace.clone();
            let filters = tracing.map(|tracing| tracing.filters).unwrap_or_default();
            Ok((program.rerun(filters, until)?, recorded.search()))
        });
        match started {
            Ok(started) => {
                let (name, purpose) = match until {
                    Some(event) => (
                        format!("up to event {}", thousands(event)),
                        Purpose::At(event),
                    ),
                    None => ("as a whole".to_owned(), Purpose::Below(Vec::new())),
                };
                self.begin_again(started, name, purpose);
            }
            Err(why) => {
                let what = "the beginning of the trace was forgotten (--trace-log keeps more), and";
                self.say(Level::Warning, format!("{what} {why}"));
            }
        }
        true
    }

    /// Returns the program whose search is shown, to be run again, and that search.
    fn traced_program(&self) -> Result<(&Program, &dyn Recorded), String> {
        let config = self.session.as_ref().map(Source::config);
        let Some(recorded) = config.and_then(|config| config.recorded.as_deref()) else {
            return Err("only a program that was started here can be run again".to_owned());
        };
        let attached = self.attached.as_ref();
        let sender = attached.and_then(|a| Some((a, a.sender(recorded.names())?)));
        let Some((attached, program)) = sender else {
            return Err(
                "this trace is recorded: start the program here (plyscope attach, or Ctrl-a) to open what was left out"
                    .to_owned(),
            );
        };
        if !recorded.header().control {
            return Err(format!(
                "{} has no control channel: it can't be asked for a part of its search",
                attached.name
            ));
        }
        Ok((program, recorded))
    }

    /// Copies the command that runs the program under gdb and stops it in its own source at the event shown.
    pub fn copy_trap(&mut self) {
        let Some(source) = self.session.as_ref() else {
            return;
        };
        let event = source.place().now;
        let Some(recorded) = source.config().recorded.as_deref().filter(|_| event > 0) else {
            let what = "gdb stops at an event of another program's trace: none is shown";
            return self.say(Level::Info, what);
        };
        let search = match recorded.search() {
            0 => String::new(),
            number => format!("{}:", number + 1),
        };
        let attached = self.attached.as_ref();
        let sender = attached.and_then(|attached| attached.sender(recorded.names()));
        let spec = sender.map(Program::spec);
        let command = spec.map(|spec| spec.engine.command_line());
        let note = match spec {
            None => " · put your program in place of ./engine",
            Some(spec) if spec.search.is_some() => " · then give it the same position, and go",
            Some(_) => "",
        };
        // Sets in the order of their hashes have the order that they had here.
        let seed = match &command {
            Some(command) if command.contains("py") => "PYTHONHASHSEED=0 ",
            _ => "",
        };
        let command = command.unwrap_or_else(|| "./engine".to_owned());
        self.copy(format!(
            "{seed}PLYSCOPE_TRACE=/dev/null PLYSCOPE_TRACE_TRAP={search}{event} gdb -ex run --args {command}"
        ));
        if !note.is_empty() {
            let copied = self.messages.all.last().map(|message| message.text.clone());
            self.say(Level::Info, copied.unwrap_or_default() + note);
        }
    }

    /// Waits for the search with this number of a program that was started again. Returns whether it does.
    fn begin_again(
        &mut self,
        (program, search): (Program, u32),
        name: String,
        purpose: Purpose,
    ) -> bool {
        let Some(attached) = &mut self.attached else {
            return false;
        };
        let awaits = Awaits::default();
        let names = Arc::new(OnceLock::new());
        let (sender, coming) = bounded(1);
        let Some(source) = program.source() else {
            let what = format!("{} can't be run again: it can't be traced", attached.name);
            self.say(Level::Error, what);
            return false;
        };
        let title = format!("{} {name}", attached.name);
        let wait = {
            let (title, is_left) = (title.clone(), awaits.is_left());
            let wanted = Wanted {
                source,
                search,
                names: Arc::clone(&names),
            };
            move || wait_for_search(&title, &wanted, &is_left, &sender)
        };
        let thread = std::thread::Builder::new().name("run-again".into());
        if let Err(e) = thread.spawn(wait) {
            self.say(Level::Error, format!("{title}: no thread: {e}"));
            return false;
        }
        let before = attached.program.status();
        attached.again = Some(Again {
            run: Rerun {
                program,
                name: name.clone(),
                names,
                events: before.events,
                before_is_over: before.state.is_over(),
                is_judged: false,
            },
            purpose,
            coming,
            _awaits: awaits,
            begun: None,
        });
        let what = format!("running {} again {name}", attached.name);
        let key = crate::views::bar::key_of_command(self, "cancel");
        self.say(Level::Info, format!("{what} · {key} cancels"));
        true
    }

    /// Gives up a run that is under way. Returns false if there is none.
    pub(crate) fn cancel_again(&mut self) -> bool {
        let attached = self.attached.as_mut();
        let given_up =
            attached.and_then(|attached| Some((attached.name.clone(), attached.again.take()?)));
        let Some((name, again)) = given_up else {
            return false;
        };
        let what = format!("{name} is not run again {}", again.run.name);
        drop_aside(again);
        self.say(Level::Info, what);
        true
    }

    /// How far a run is that is under way, from 0 to 1 of the events that the run before it has made.
    pub(crate) fn again_share(&self) -> Option<f64> {
        let run = &self.attached.as_ref()?.again.as_ref()?.run;
        let made = run.program.status().events as f64;
        Some((made / run.events.max(1) as f64).min(1.0))
    }

    /// Whether what is shown is the search of a program that was run again.
    pub(crate) fn is_again_shown(&self) -> bool {
        let config = self.session.as_ref().map(Source::config);
        let recorded = config.and_then(|config| config.recorded.as_deref());
        let attached = self.attached.as_ref();
        let (Some(recorded), Some(attached)) = (recorded, attached) else {
            return false;
        };
        let mut runs = attached.reruns.iter();
        runs.any(|run| run.is_of(recorded.names()))
    }

    /// Says of runs that are shown whether they are the same search, as soon as that is known. Returns whether the one that is on
    /// the screen is not.
    fn judge_reruns(&mut self) -> bool {
        let Some(attached) = &mut self.attached else {
            return false;
        };
        let name = attached.name.clone();
        let shown = self.session.as_ref().map(Source::config);
        let shown = shown.and_then(|config| config.recorded.as_deref());
        let mut words = Vec::new();
        let mut is_wrong = false;
        for run in attached.reruns.iter_mut().filter(|run| !run.is_judged) {
            if let Some(difference) = run.parted() {
                run.is_judged = true;
                is_wrong |= shown.is_some_and(|shown| run.is_of(shown.names()));
                words.push((Level::Error, parted_words(&name, difference)));
            } else if run.is_compared() {
                run.is_judged = true;
                let (level, what) = run.verdict();
                words.push((level, format!("{name}, run again {}: {what}", run.name)));
            }
        }
        for (level, what) in words {
            self.say(level, what);
        }
        is_wrong
    }

    /// Looks after the run that is under way. Returns what is to be shown when it has come.
    fn tend_again(&mut self) -> Option<Arrived> {
        let is_shown = self.traced_program().is_ok();
        let attached = self.attached.as_mut()?;
        let again = attached.again.as_mut()?;
        let name = attached.name.clone();
        let what = match again.look(&self.config) {
            Seen::NotYet => return None,
            Seen::There(codes) if is_shown => {
                let again = attached.again.take()?;
                return again.arrive(codes);
            }
            Seen::There(_) => {
                let why = "another search is on the screen by now";
                format!("{name}, run again {}, is not shown: {why}", again.run.name)
            }
            Seen::Parted(difference) => parted_words(&name, difference),
            Seen::Nothing(why) => format!("{name}, run again {}: {why}", again.run.name),
        };
        drop_aside(attached.again.take());
        self.say(Level::Error, what);
        None
    }
}

impl App {
    /// Shows what a program was run again for, when it has come; goes back from what turns out to be another search.
    pub(super) fn tend_reruns(&mut self) {
        if let Some(arrived) = self.cx.tend_again() {
            self.show_again(arrived);
        }
        if self.cx.judge_reruns() {
            let said = self.cx.messages.all.last().cloned();
            self.go_back(1);
            // Why is more important than where.
            if let Some(said) = said {
                self.cx.say(said.level, said.text);
            }
        }
    }

    fn show_again(&mut self, arrived: Arrived) {
        let Arrived {
            mut run,
            begun,
            line,
            is_stopped,
        } = arrived;
        let Begun {
            document,
            entry,
            session,
        } = begun;
        self.cx.leave_text();
        self.cx.leave_for_another();
        self.cx.own_instead = None;
        self.cx.explore.debug.shown |= is_stopped;
        let explored = Explored {
            subject: entry.subject(),
            config: self.cx.config.clone(),
            detour: None,
            document,
            opened: self.cx.roots.opened + 1,
            entry: (0, entry),
            node: 0,
            ply: 0,
            source: Some(Source::Live(session)),
            selection: (!line.is_empty()).then(|| SavedSelection::of_line(line)),
            runs: !is_stopped,
            searched: true,
        };
        self.restore(explored);
        let back = crate::views::bar::key_of_command(&self.cx, "go-back");
        let name = self
            .cx
            .attached
            .as_ref()
            .map_or("", |attached| &attached.name);
        let mut what = format!("{name}, run again {}", run.name);
        let mut level = Level::Info;
        if run.is_compared() {
            run.is_judged = true;
            let (of, verdict) = run.verdict();
            level = of;
            what += &format!(": {verdict}");
        }
        what += &format!(" · {back} goes back");
        self.cx.say(level, what);
        if let Some(attached) = &mut self.cx.attached {
            // A few can be gone back to; each may be a process.
            const KEPT: usize = 8;
            attached.reruns.push(run);
            let surplus = attached.reruns.len().saturating_sub(KEPT);
            attached.reruns.drain(..surplus).for_each(drop_aside);
        }
    }
}
