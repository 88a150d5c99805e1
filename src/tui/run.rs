//! The event loop: it takes keys, mouse events, changed files and signals, and draws frames.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, bounded, never, select, unbounded};
use crossterm::event::{Event, KeyEventKind, MouseEventKind};
use games::Document;

use super::config::{self, Preferences};
use super::recent::{Recent, RecentBreakpoints, RecentLens};
use super::saving::Autosave;
use super::watch::{Watcher, concerns};
use super::{fault, views};
use crate::app::{App, Setup};
use crate::context::{Context, Effect, Level};
use crate::overlays::chooser::Choosing;
use crate::tabs::Tab;
use crate::tabs::lab::differential;
use crate::tabs::lab::runs::Runs;
use crate::tabs::learn::progress::Progress;
use external::{EngineSpec, ProgramSpec, installed};
use screen::input::{Arrival, Input, TerminalInput};
use screen::keys::Key;
use screen::terminal::{Screen, give_back};
use screen::theme::{Depth, ThemeStore};
use search::Recorded;
use session::Config;

/// How the workbench is started.
#[derive(Debug)]
pub struct Launch {
    /// The document to open; at least one of its entries can be opened.
    pub document: Document,
    /// Moves to play first.
    pub moves: Option<String>,
    /// A saved session to open.
    pub session: Option<PathBuf>,
    /// The user's own lesson to begin with.
    pub lesson: Option<PathBuf>,
    /// The folder of the course whose lessons take the place of the built-in ones.
    pub course: Option<PathBuf>,
    /// A program to start, whose search is shown.
    pub program: Option<ProgramSpec>,
    /// Searches of the document's first position to begin with side by side, in the Compare tab.
    pub beside: Vec<Arc<dyn Recorded>>,
    /// Whether to begin with the start screen, before anything is searched.
    pub pick: bool,
    /// The first search's algorithm, options, threads and memory.
    pub config: Config,
    /// The user's configuration, or what is wrong with it, in which case the defaults are used.
    pub preferences: Result<Preferences, String>,
    /// Engines named on the command line; they come before those of the configuration.
    pub engines: Vec<EngineSpec>,
    /// Whether to begin with the presenter's view, whatever the configuration says.
    pub presenter: bool,
    /// A theme's name or file; `None` for the configured one or the default.
    pub theme: Option<String>,
    pub ascii: bool,
    /// Set by `NO_COLOR`, which the caller looks up.
    pub no_color: bool,
}

/// The shortest time between two frames.
const FRAME: Duration = Duration::from_micros(16_667);
/// How often figures are drawn while a search runs: often enough to look live, rarely enough to leave the cores to the
/// search.
const TICK: Duration = Duration::from_millis(50);
/// How often to check whether a step is done: the check takes microseconds, and keys repeat.
const STEP: Duration = Duration::from_millis(4);

/// Requests from the system.
enum Signal {
    End,
    /// The terminal has a new size.
    Resized,
    Interrupt,
    Suspend,
    /// The program was stopped and continues; other programs may have used the terminal in the meantime.
    Continued,
}

/// Runs the workbench until the user leaves it.
///
/// # Errors
/// If nothing in the document can be searched or the moves cannot be played (before the screen is touched), if there is
/// no terminal, or if writing to it fails.
pub fn run(launch: Launch) -> Result<(), RunError> {
    let entry = launch
        .document
        .first_entry()
        .map_err(|e| RunError::Input(e.to_string()))?;
    let depth = if launch.no_color {
        Depth::None
    } else {
        Depth::of_environment(|name| std::env::var(name).ok())
    };
    let (preferences, fault) = match launch.preferences {
        Ok(preferences) => (preferences, None),
        Err(what) => (Preferences::default(), Some(what)),
    };
    let presenter = launch.presenter || preferences.presenter;
    let chosen = launch.theme.is_some();
    let theme = launch.theme.or_else(|| preferences.theme.clone());
    let mut app = App::new(Setup {
        document: launch.document,
        entry,
        config: launch.config,
        theme: theme.unwrap_or_else(|| ThemeStore::DEFAULT.to_owned()),
        themes: ThemeStore::of_environment(),
        depth,
        ascii: launch.ascii,
    });
    app.tabs.lab.differential.folder = differential::folder();
    let (runs, fault_of_runs) = Runs::open(differential::folder());
    app.tabs.lab.runs = runs;
    let (progress, fault_of_progress) = Progress::open(differential::folder());
    app.tabs.learn.progress = progress;
    app.cx.autosave = Autosave::open(differential::folder());
    app.cx.recent = Recent::open(differential::folder());
    app.cx.explore.debug.recent = RecentBreakpoints::open(differential::folder());
    if let Some(path) = app.cx.document.path.clone() {
        app.cx.recent.note(&path);
    }
    app.cx.keep_lens(RecentLens::open(differential::folder()));
    app.cx.bring_engines(launch.engines, installed());
    app.cx.prefer(preferences, false);
    app.cx.presenting = presenter;
    if let Some(what) = fault {
        app.cx.say(Level::Error, format!("defaults used: {what}"));
    }
    for what in [fault_of_progress, fault_of_runs].into_iter().flatten() {
        app.cx.say(Level::Warning, what);
    }
    app.tabs.compare.put_all_beside(&app.cx, launch.beside);
    if let Some(moves) = &launch.moves {
        app.cx.play_line(moves).map_err(RunError::Input)?;
    }
    let faults = fault::watch(differential::folder());
    let mut screen = Screen::take()?;
    // The screen shows something before anything is set up.
    show(&mut screen, &mut app)?;
    if let Some(path) = &launch.session {
        app.cx.wait_to_search();
        app.open_path(path);
    } else if let Some(spec) = launch.program {
        app.cx.wait_to_search();
        app.attach(spec);
    } else if launch.pick {
        app.cx.wait_to_search();
        app.cx.ask_start();
    } else if launch.course.is_some() {
        // Lessons bring searches of their own.
        app.cx.wait_to_search();
    } else {
        app.begin();
        if !app.tabs.compare.beside.is_empty() {
            app.show_tab(Tab::Compare);
        }
    }
    if let Some(folder) = &launch.course {
        app.open_course(folder).map_err(RunError::Input)?;
    }
    if let Some(path) = &launch.lesson {
        app.open_own_lesson(path).map_err(RunError::Input)?;
    }
    let mut events = Loop::new(faults, config::path(), !chosen);
    let result = events.run(&mut screen, &mut app);
    // From here on the shell's terminal is as it was, and what is typed waits there for the shell.
    drop(screen);
    app.keep_at_end(&|| events.is_interrupted());
    app.cx.stop_comparison();
    app.cx.stop_search();
    match result {
        Err(e) if is_gone(&e) => Ok(()),
        Err(e) if e.kind() == io::ErrorKind::Interrupted => Err(RunError::Interrupted),
        other => Ok(other?),
    }
}

/// Whether the terminal is gone, which is an ordinary end.
fn is_gone(error: &io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) {
        return true;
    }
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Why the workbench could not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The input to open is wrong, in one line.
    #[error("{0}")]
    Input(String),
    /// A signal ended it.
    #[error("interrupted")]
    Interrupted,
    #[error("the terminal: {0}")]
    Terminal(#[from] io::Error),
}

struct Loop {
    input: TerminalInput,
    changes: Receiver<Vec<PathBuf>>,
    signals: Receiver<Signal>,
    /// The panics of the program's other threads.
    faults: Receiver<String>,
    watcher: Watcher,
    drawn: Instant,
    config_file: Option<PathBuf>,
    /// Whether the theme is the configured one, because none was given on the command line.
    theme_by_config: bool,
}

impl Loop {
    fn new(faults: Receiver<String>, config_file: Option<PathBuf>, theme_by_config: bool) -> Loop {
        let (changed, changes) = unbounded();
        Loop {
            input: TerminalInput::open(),
            changes,
            signals: catch_signals(),
            faults,
            watcher: Watcher::new(changed),
            drawn: Instant::now(),
            config_file,
            theme_by_config,
        }
    }

    fn run(&mut self, screen: &mut Screen, app: &mut App) -> io::Result<()> {
        let mut ran = false;
        loop {
            app.tend();
            self.effects(screen, app)?;
            if app.cx.leaving {
                return Ok(());
            }
            let since = self.drawn.elapsed();
            if app.cx.dirty && since >= FRAME {
                // A frame that shows a running search asks for another one after its end, however soon.
                ran |= app.is_running();
                show(screen, app)?;
                self.drawn = Instant::now();
                continue;
            }
            // When to look again although nothing arrives: never, if nothing runs and nothing changed.
            let running = app.is_running();
            let stepping = app.is_stepping();
            app.tick(Instant::now());
            let alarm = if app.cx.dirty {
                after(FRAME - since.min(FRAME))
            } else if stepping {
                after(STEP)
            } else if running {
                after(TICK.checked_sub(since).unwrap_or(TICK))
            } else if let Some(at) = app.deadline() {
                after(at.saturating_duration_since(Instant::now()))
            } else {
                never()
            };
            // One more frame after the end of a search.
            if ran && !running && !stepping {
                app.cx.dirty = true;
                app.cx.explore.tree.touch();
                app.tabs.compare.outline.touch();
                ran = false;
                continue;
            }
            ran |= running || stepping;
            let arrivals = self.input.arrivals();
            select! {
                recv(arrivals) -> arrival => self.input.note(arrival.unwrap_or(Arrival::Gone)),
                recv(self.changes) -> changed => {
                    if let Ok(paths) = changed {
                        reload(app, &paths);
                        self.reconfigure(app, &paths);
                    }
                },
                recv(self.signals) -> signal => match signal {
                    Ok(Signal::Suspend) => suspend(screen, &mut app.cx)?,
                    Ok(Signal::Continued) => take_again(screen, &mut app.cx)?,
                    Ok(Signal::End) => return Ok(()),
                    // Also if the size is the old one again, since the content may have been clipped in between.
                    Ok(Signal::Resized) => app.cx.effects.push(Effect::Redraw),
                    Ok(Signal::Interrupt) => return Err(io::ErrorKind::Interrupted.into()),
                    Err(_) => self.signals = never(),
                },
                recv(self.faults) -> fault => match fault {
                    Ok(what) => app.cx.say(Level::Error, what),
                    Err(_) => self.faults = never(),
                },
                recv(alarm) -> _ => {
                    let due = (running && app.has_news()) || stepping;
                    app.cx.dirty |= due && self.drawn.elapsed() >= TICK;
                }
            }
            // Everything that arrived in the meantime costs one frame, not one each. What was typed after the key that
            // gives the terminal back is left to the shell.
            while !gives_back(app)
                && let Some(input) = self.input.read()
            {
                match input {
                    Input::Event(event) => handle(app, event),
                    Input::Closed => return Ok(()),
                }
            }
        }
    }

    /// Whether a signal asks the program to end at once.
    fn is_interrupted(&self) -> bool {
        let ends = |signal| matches!(signal, Signal::Interrupt | Signal::End);
        self.signals.try_iter().any(ends)
    }

    /// Reads the configuration again after it changed; if it is broken, the old one stays.
    fn reconfigure(&self, app: &mut App, changed: &[PathBuf]) {
        let Some(file) = self.config_file.as_ref().filter(|f| concerns(changed, f)) else {
            return;
        };
        match config::load(file) {
            Ok(preferences) => app.cx.prefer(preferences, self.theme_by_config),
            Err(what) => app
                .cx
                .say(Level::Error, format!("{what} (the old is kept)")),
        }
    }

    fn effects(&mut self, screen: &mut Screen, app: &mut App) -> io::Result<()> {
        for effect in std::mem::take(&mut app.cx.effects) {
            match effect {
                Effect::Copy(text) => screen.copy(&text)?,
                Effect::Suspend if no_shell_waits() => {
                    app.cx.say(
                        Level::Info,
                        "no shell waits for this program: nothing could call it back",
                    );
                }
                Effect::Suspend => suspend(screen, &mut app.cx)?,
                Effect::Redraw => {
                    screen.forget()?;
                    app.cx.dirty = true;
                }
                Effect::Watch => {
                    let mut files = app.cx.looks.files.clone();
                    files.extend(app.cx.document.path.clone());
                    files.extend(app.cx.reading.playing.as_ref().and_then(|p| p.path.clone()));
                    files.extend(app.tabs.learn.course_file());
                    files.extend(self.config_file.clone());
                    let widened = self.watcher.watch(&files, app.cx.looks.themes.folders());
                    // It may have been saved between its reading and now: a first frame over a slow line takes long.
                    if widened && app.cx.document.is_outdated() {
                        app.reload();
                    }
                }
            }
        }
        Ok(())
    }
}

fn show(screen: &mut Screen, app: &mut App) -> io::Result<()> {
    app.cx.dirty = false;
    screen.draw(|buffer| views::frame(app, buffer))
}

/// Whether the user wants to leave the program or suspend it.
fn gives_back(app: &App) -> bool {
    let suspends = |effect: &Effect| matches!(effect, Effect::Suspend);
    app.cx.leaving || app.cx.effects.iter().any(suspends)
}

fn handle(app: &mut App, event: Event) {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => app.key(Key::of(key)),
        // Motion events are frequent and have no meaning here.
        Event::Mouse(mouse) if mouse.kind != MouseEventKind::Moved => app.mouse(mouse),
        Event::Resize(..) => app.cx.effects.push(Effect::Redraw),
        Event::Paste(text) => app.paste(&text),
        _ => {}
    }
}

/// Reads the changed files of the theme, the document and the lesson again.
fn reload(app: &mut App, changed: &[PathBuf]) {
    if app
        .cx
        .document
        .path
        .as_ref()
        .is_some_and(|p| concerns(changed, p))
    {
        app.reload();
    }
    let lesson = app
        .cx
        .reading
        .playing
        .as_ref()
        .and_then(|p| p.path.as_ref());
    if lesson.is_some_and(|p| concerns(changed, p)) {
        app.cx.reload_lesson();
    }
    let course = app.tabs.learn.course_file();
    if course.is_some_and(|file| concerns(changed, &file)) {
        app.reload_course();
    }
    let theme = app.cx.looks.files.iter().any(|f| concerns(changed, f));
    // A theme that was built in may now exist as a file.
    let file = format!("{}.toml", app.cx.looks.name);
    let appeared = changed
        .iter()
        .any(|c| c.file_name().is_some_and(|n| n == file.as_str()));
    let overlay = app.cx.overlay.as_ref();
    let previewing = overlay.is_some_and(|overlay| overlay.of::<Choosing>().is_some());
    if theme || (appeared && !previewing) {
        let name = app.cx.looks.name.clone();
        app.cx.set_theme(&name);
    }
}

/// Suspends the program until the shell resumes it; the searches pause in the meantime.
#[cfg(unix)]
fn suspend(screen: &mut Screen, cx: &mut Context) -> io::Result<()> {
    let held = cx.hold();
    give_back();
    let stopped = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
    take_again(screen, cx)?;
    cx.release(held);
    stopped
}

#[cfg(not(unix))]
fn suspend(_: &mut Screen, cx: &mut Context) -> io::Result<()> {
    cx.say(Level::Info, "this system can't suspend a program");
    Ok(())
}

fn take_again(screen: &mut Screen, cx: &mut Context) -> io::Result<()> {
    cx.dirty = true;
    screen.take_again()
}

/// Whether the program itself leads the terminal's session: nobody could resume it after a stop.
fn no_shell_waits() -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{getpid, getsid};
        getsid(None).is_ok_and(|session| session == getpid())
    }
    #[cfg(not(unix))]
    false
}

#[cfg(unix)]
fn catch_signals() -> Receiver<Signal> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    let (sender, receiver): (Sender<Signal>, _) = bounded(8);
    let caught = [SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGWINCH];
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(caught) {
        let wait = move || {
            for signal in signals.forever() {
                let signal = match signal {
                    SIGTSTP => Signal::Suspend,
                    SIGCONT => Signal::Continued,
                    SIGWINCH => Signal::Resized,
                    SIGINT => Signal::Interrupt,
                    _ => Signal::End,
                };
                if sender.send(signal).is_err() {
                    return;
                }
            }
        };
        let _ = std::thread::Builder::new()
            .name("signals".into())
            .spawn(wait);
        receiver
    } else {
        never()
    }
}

#[cfg(not(unix))]
fn catch_signals() -> Receiver<Signal> {
    never()
}
