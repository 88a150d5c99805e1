//! The quiz: on any position and algorithm, the search stops at an event and plyscope asks what happens next. As in
//! lessons, the answers are read from the search.

use super::Outcome;
use game::Game as _;
use search::Event;
use session::breakpoint::Breakpoint;
use session::{Session, Subject};
use studies::lesson::answer::Guess;
use studies::lesson::script::Script;
use studies::lesson::{Question, Run, Target};
use tree::{Family, NodeId, Tree};

/// A quiz on the search that Explore shows.
#[derive(Debug, Default)]
pub struct Quiz {
    pub question: Option<Question>,
    pub outcome: Option<Outcome>,
    pub guess: Option<Guess>,
    pub script: Script,
    pub settled: bool,
    pub asked: usize,
    pub right: usize,
    /// The number of stops without a question since the last question.
    pub tries: u32,
    /// The largest number of occasions to skip; halved if the search ends before.
    reach: u32,
    random: Option<fastrand::Rng>,
}

/// The largest number of stops to try before giving up.
const TRIES: u32 = 40;

/// Returns the breakpoint at events that may be worth a question.
fn stop(family: Family) -> &'static str {
    match family {
        Family::DepthFirst => "on enter when ply >= 1 and ply <= 4 and depth >= 1",
        Family::BestFirst => "(on expand when ply <= 3) or at root on enter",
    }
}

impl Quiz {
    /// Creates a quiz; with the same seed, the same search asks the same questions.
    pub fn new(seed: u64) -> Quiz {
        Quiz {
            reach: 12,
            random: Some(fastrand::Rng::with_seed(seed)),
            ..Quiz::default()
        }
    }

    /// Starts a run to the next stop.
    pub fn seek(&mut self, family: Family, subject: &Subject) {
        self.question = None;
        self.outcome = None;
        self.guess = None;
        self.settled = false;
        let most = self.reach.max(1);
        let times = self.random.as_mut().map_or(1, |r| r.u32(1..=most));
        let stop = Breakpoint::parse(stop(family), subject).ok();
        let run = stop.map(|stop| Run {
            line: 0,
            to: Target::Break(stop, times),
        });
        self.script = Script::new(run);
    }

    /// Called when the search ended on the way to a stop: the next way is shorter. Returns false if there is nothing
    /// to ask.
    pub fn missed(&mut self) -> bool {
        self.question = None;
        self.guess = None;
        let shorter = self.reach > 1;
        self.reach /= 2;
        shorter
    }

    /// Called when a question was answered: later runs may again skip some occasions.
    pub fn judged(&mut self) {
        self.reach = self.reach.max(4);
    }

    /// Asks a question at a stop, or skips the stop. Returns false if there is nothing more to ask.
    pub fn ask(&mut self, session: &Session) -> bool {
        let Some(standing) = session.standing() else {
            return false;
        };
        self.question = self.question_at(session, &standing.event);
        self.settled = self.question.is_some();
        if self.settled {
            self.tries = 0;
            return true;
        }
        self.tries += 1;
        self.tries <= TRIES
    }

    fn question_at(&mut self, session: &Session, event: &Event) -> Option<Question> {
        let reader = session.reader();
        let node = event.node();
        let moves = reader.rows(node).len();
        let place = place(session, node);
        let below = session.tree().ply(node) + 1;
        let name = match reader.numbered(node) {
            Some(name) => format!("`{name}`"),
            None => "the root".into(),
        };
        let which = |what: &str| {
            format!("ask: {what}\nreveal: on enter under {place} when ply = {below}\nrow: next")
        };
        let first = self.random.as_mut().is_some_and(|r| r.bool());
        let is_finite = session.subject().position.height().is_some();
        let text = match event {
            // In a game, a node may be finished before any move is tried, or begin with a null move.
            Event::Enter { .. } if !reader.is_best_first() && is_finite && first && moves > 1 => {
                which(&format!(
                    "The search is at {name}. Which move does it try first there?"
                ))
            }
            Event::Enter { .. } if !reader.is_best_first() => format!(
                "ask: The search has come to {name} with that window. How will its value come out for the side to move there?\n\
                 reveal: on leave at {place}\n\
                 - at least beta: the rest is cut off :: value of {place} >= beta of {place}\n\
                 - at most alpha: it changes nothing above :: value of {place} <= alpha of {place}\n\
                 - between them: it is exact :: value of {place} > alpha of {place} and value of {place} < beta of {place}"
            ),
            Event::Expand { .. } if moves > 1 => which(&format!(
                "{name} has just been expanded. Which of its moves is visited first?"
            )),
            Event::Enter { .. } if moves > 1 && node == Tree::ROOT => {
                which("The next descent begins at the root. Which move does it choose?")
            }
            _ => return None,
        };
        Question::of_text(&text, session.subject()).ok()
    }
}

/// Returns a node as a place in the breakpoint language.
fn place(session: &Session, node: NodeId) -> String {
    let codes = session.tree().moves_to(node);
    let line = session.subject().line_of(&codes);
    if line.is_empty() {
        "root".into()
    } else {
        format!("\"{line}\"")
    }
}
