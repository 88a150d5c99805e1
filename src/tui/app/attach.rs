//! A program that sends its search while it searches: started, waited for, and watched.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use crossbeam_channel::{Sender, bounded};

use super::App;
use super::run_again::{Again, Rerun};
use crate::context::{Context, Level, Opened, Opening, Purpose};
use crate::overlays::prompt::Prompt;
use external::{EngineSpec, Program, ProgramSpec, ProgramState, ProgramStatus, Remark};
use games::Document;
use open_trace::Names;
use search::Recorded as _;
use session::saved::Progress;
use text::sanitise;
use traced::{Came, Coming, Source};

/// The program that was started, and what was said of it.
#[derive(Debug)]
pub(crate) struct Attached {
    pub(super) program: Program,
    pub(super) name: String,
    said: Option<ProgramState>,
    remarks: Vec<Remark>,
    /// The names of its stream, by which its searches are known.
    names: Arc<OnceLock<Arc<Names>>>,
    /// The run of it that is under way, and those that are shown.
    pub(super) again: Option<Again>,
    pub(super) reruns: Vec<Rerun>,
    _awaits: Awaits,
}

impl Attached {
    /// Returns the run of the program that sends a stream with these names.
    pub(super) fn sender(&self, names: &Arc<Names>) -> Option<&Program> {
        let is_own = self.names.get().is_some_and(|own| Arc::ptr_eq(own, names));
        let mut runs = self.reruns.iter();
        match is_own {
            true => Some(&self.program),
            false => runs.find(|run| run.is_of(names)).map(|run| &run.program),
        }
    }
}

/// Somebody waits for a search. The thread that does it for him ends when this is dropped.
#[derive(Debug, Default)]
pub(super) struct Awaits(Arc<AtomicBool>);

impl Awaits {
    pub fn is_left(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for Awaits {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

impl App {
    /// Starts a program, and opens its search as soon as it sends one.
    pub fn attach(&mut self, spec: ProgramSpec) {
        let name = sanitise(&spec.engine.name);
        let program = Program::start(spec);
        let awaits = Awaits::default();
        let is_left = awaits.is_left();
        let names = Arc::new(OnceLock::new());
        let (sender, answer) = bounded(1);
        let source = program.source();
        self.cx.attached = Some(Attached {
            program,
            name: name.clone(),
            said: None,
            remarks: Vec::new(),
            names: Arc::clone(&names),
            again: None,
            reruns: Vec::new(),
            _awaits: awaits,
        });
        let Some(source) = source else {
            return self.cx.tend_attached();
        };
        let wait = {
            let name = name.clone();
            let wanted = Wanted {
                source,
                search: 0,
                names,
            };
            move || wait_for_search(&name, &wanted, &is_left, &sender)
        };
        if let Err(e) = std::thread::Builder::new()
            .name("attach".into())
            .spawn(wait)
        {
            return self.cx.say(Level::Error, format!("{name}: no thread: {e}"));
        }
        self.cx
            .say(Level::Info, format!("{name} is being started …"));
        self.cx.opening = Some(Opening {
            path: Path::new(&name).to_owned(),
            purpose: Purpose::Open,
            answer,
            progress: Arc::new(Progress::default()),
        });
    }
}

/// Which search is waited for.
pub(super) struct Wanted {
    pub source: Arc<dyn Source>,
    /// Its number in the stream, from 0.
    pub search: u32,
    /// The names of the stream, once it has come.
    pub names: Arc<OnceLock<Arc<Names>>>,
}

/// Waits for a search of a stream and sends it as a document; ends when nobody waits any more.
pub(super) fn wait_for_search(
    name: &str,
    wanted: &Wanted,
    is_left: &AtomicBool,
    sender: &Sender<Result<Opened, String>>,
) {
    let came = || -> Result<Option<Document>, String> {
        let failed = |e: String| format!("{name}: {e}");
        let source = Arc::clone(&wanted.source);
        let mut coming = Coming::of(source).map_err(|e| failed(e.to_string()))?;
        while !is_left.load(Relaxed) {
            match coming.look().map_err(|e| failed(e.to_string()))? {
                Came::Search(recording) if recording.search() < wanted.search => {}
                Came::Search(recording) => {
                    wanted.names.get_or_init(|| Arc::clone(recording.names()));
                    return Ok(Some(Document::traced(name, *recording)));
                }
                Came::Nothing => {}
                Came::End => return Err(failed("it has ended without a search".to_owned())),
            }
        }
        Ok(None)
    };
    let read = came().transpose();
    if let Some(read) = read {
        let _ = sender.send(read.map(Opened::Document));
    }
}

impl Context {
    /// Asks for the command of a program.
    pub fn ask_attach(&mut self) {
        let prompt = Prompt::new(
            "attach a program",
            "a command: its search is shown as it sends it (plyscope emitter prints what it needs)",
        );
        self.ask(prompt, |app, text| match EngineSpec::parse(text.trim()) {
            Ok(engine) => {
                app.attach(ProgramSpec {
                    engine,
                    search: None,
                });
                Ok(())
            }
            Err(error) => Err(error.to_string()),
        });
    }

    /// Says what became of the program.
    pub(crate) fn tend_attached(&mut self) {
        let Some(attached) = &mut self.attached else {
            return;
        };
        let ProgramStatus {
            state,
            remarks,
            last_lines,
            ..
        } = attached.program.status();
        let mut words = Vec::new();
        let over = state.is_over();
        if attached.said.as_ref() != Some(&state) && over {
            words.extend(said(&state));
            if let Some(last) = last_lines
                .last()
                .filter(|_| !matches!(state, ProgramState::Finished))
            {
                words.push((Level::Info, format!("it wrote last: {last}")));
            }
        }
        attached.said = Some(state);
        for remark in &remarks {
            if !attached.remarks.iter().any(|said| said.is_like(remark)) {
                words.push((Level::Warning, remark.to_string()));
            }
        }
        attached.remarks = remarks;
        let name = attached.name.clone();
        for (level, what) in words {
            let says_who = what.starts_with(&name);
            self.say(
                level,
                if says_who {
                    what
                } else {
                    format!("{name}: {what}")
                },
            );
        }
    }

    /// Whether the program, or a run of it, may still send something.
    pub(crate) fn is_attached(&self) -> bool {
        self.attached.as_ref().is_some_and(|attached| {
            let is_over = attached.said.as_ref().is_some_and(ProgramState::is_over);
            !is_over || attached.again.is_some() || attached.reruns.iter().any(Rerun::is_awaited)
        })
    }
}

/// What is to be said of a state in which nothing more comes.
fn said(state: &ProgramState) -> Option<(Level, String)> {
    match state {
        ProgramState::Ended {
            is_success: true, ..
        } => Some((Level::Info, "it has ended".to_owned())),
        ProgramState::Ended { how, .. } => Some((Level::Error, format!("it has ended: {how}"))),
        ProgramState::Trouble(trouble) => Some((Level::Error, trouble.message.clone())),
        ProgramState::Finished
        | ProgramState::Starting
        | ProgramState::Running
        | ProgramState::Waiting(_) => None,
    }
}
