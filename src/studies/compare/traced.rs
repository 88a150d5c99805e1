//! An engine that sends a trace of its search: its column shows what it tells by UCI until the trace begins, and then the tree.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

use external::{External, Told};
use games::trace;
use search::Recorded;
use session::{Config, Subject};
use traced::{Came, Coming, Spooled};

/// The trace of a column's engine.
#[derive(Debug)]
pub(super) struct Traced {
    answer: Option<Receiver<Result<Arc<dyn Recorded>, String>>>,
    is_left: Arc<AtomicBool>,
    /// The engine, once the column shows its trace.
    pub engine: Option<Box<External>>,
}

impl Drop for Traced {
    fn drop(&mut self) {
        self.is_left.store(true, Relaxed);
    }
}

impl Traced {
    /// Waits for the trace of an engine's present search, in the background.
    pub fn of(external: &External, subject: &Subject) -> Traced {
        let is_left = Arc::new(AtomicBool::new(false));
        let (sender, answer) = sync_channel(1);
        let wait = {
            let (told, subject) = (external.told(), subject.clone());
            let is_left = Arc::clone(&is_left);
            move || {
                if let Some(came) = wait_for(&told, &subject, &is_left) {
                    let _ = sender.send(came);
                }
            }
        };
        // Without a thread the sender is dropped, which counts as an answer.
        let _ = std::thread::Builder::new().name("trace".into()).spawn(wait);
        Traced {
            answer: Some(answer),
            is_left,
            engine: None,
        }
    }

    /// Whether it is still to be seen whether a trace comes.
    pub fn is_awaited(&self) -> bool {
        self.answer.is_some()
    }

    /// Returns the search that its trace tells, or why none does; once.
    pub fn take(&mut self) -> Option<Result<Arc<dyn Recorded>, String>> {
        let came = match self.answer.as_ref()?.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err("it can't be waited for".to_owned()),
            Ok(came) => came,
        };
        self.answer = None;
        Some(came)
    }
}

/// Waits until a trace of a search has begun, or none will come any more. `None`: nobody waits.
fn wait_for(
    told: &Told,
    subject: &Subject,
    is_left: &AtomicBool,
) -> Option<Result<Arc<dyn Recorded>, String>> {
    const NAP: Duration = Duration::from_millis(5);
    /// What an engine sends after it has said its best move is not waited for any longer.
    const SETTLED: Duration = Duration::from_secs(1);
    let none = || Some(Err("it has sent no trace".to_owned()));
    let traced = loop {
        if is_left.load(Relaxed) {
            return None;
        }
        match told.traced() {
            Some(traced) => break traced,
            None if told.is_over() => return none(),
            None => std::thread::sleep(NAP),
        }
    };
    let said = told.clone();
    let source = Spooled::until(Arc::clone(&traced.log), move || said.is_over());
    let source = Arc::new(source);
    let mut coming = match Coming::of(source) {
        Ok(coming) => coming,
        Err(e) => return Some(Err(e.to_string())),
    };
    let mut over: Option<Instant> = None;
    while !is_left.load(Relaxed) {
        match coming.look() {
            Ok(Came::Search(recording)) if recording.search() < traced.search => {}
            Ok(Came::Search(recording)) => return Some(of_position(*recording, subject)),
            Ok(Came::End) => return none(),
            Ok(Came::Nothing) if told.is_over() => {
                let since = *over.get_or_insert_with(Instant::now);
                if since.elapsed() >= SETTLED {
                    return none();
                }
            }
            Ok(Came::Nothing) => {}
            Err(refused) => return Some(Err(format!("its trace: {refused}"))),
        }
    }
    None
}

/// Returns a search if it is one of this position.
fn of_position(
    recording: traced::Recording,
    subject: &Subject,
) -> Result<Arc<dyn Recorded>, String> {
    let checked = trace::check(recording.header(), &recording.start, subject);
    match checked {
        Ok(()) => Ok(Arc::new(recording)),
        Err(_) => Err("its trace is of another position".to_owned()),
    }
}

/// Returns the configuration of a session that reads a trace beside other columns. It does not share their cores: it waits for
/// an engine that does.
pub(super) fn config(recorded: Arc<dyn Recorded>, beside: Option<&Config>) -> Config {
    let base = beside.cloned();
    let base = base.unwrap_or_else(|| Config::new(algorithms::Algorithm::DEFAULT));
    Config {
        cores: None,
        endgames: None,
        ..base.reading(recorded)
    }
}
