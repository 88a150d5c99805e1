//! A running search: from `go` to `bestmove`.

use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::clock::{self, Circumstances};
use super::command::Go;
use super::info::Info;
use super::options::Settings;
use super::report::Reporter;
use game::{ChessKnowledge as _, ChessPosition, Game, MoveCode, Situation, notation};
use search::{Limits, Reuse, StopReason};
use session::{Config, Next, Session, State, Subject, drop_aside};

/// A search started by `go`.
#[derive(Debug)]
pub(super) struct Search {
    /// `None` if there is no legal move.
    session: Option<Session>,
    position: ChessPosition,
    /// The moves that may be played: all legal moves, or the requested ones.
    moves: Vec<MoveCode>,
    /// Whether the answer has to wait for `stop` or `ponderhit`.
    held: bool,
    /// Whether `stop` has come, so that the answer is owed whatever comes next.
    told_to_stop: bool,
    /// Whether it was said that memory has ended the search.
    has_said_full: bool,
    /// What limits a search that ponders once the expected move is made; `None` otherwise.
    pondering: Option<Limits>,
    /// When a search that pondered ends, and from when on it begins nothing new.
    ends: Option<Instant>,
    winds_up: Option<Instant>,
    /// A mate in at most this many moves ends the search.
    mate: Option<u16>,
    reporter: Reporter,
    /// What the search reuses of the previous one; reported once.
    reused: Option<Reuse>,
}

/// The shortest time for a search, whatever the clock says.
const SHORTEST: Duration = Duration::from_micros(500);
/// A tree of at least this many bytes is freed in the background.
const LARGE: u64 = 16 << 20;

/// The result of a finished search.
pub(super) struct Outcome {
    /// The last reports, followed by `bestmove`.
    pub lines: Vec<String>,
    /// Whether a search thread stopped because of a bug.
    pub failed: bool,
    /// The finished session; the next search may reuse its tree after the game has moved on.
    pub ended: Option<Session>,
}

impl Search {
    /// Starts the search requested by `go`, which arrived at `since`. `bell` is rung when there is something to report.
    /// The search of the previous position, `before`, may have left a tree to reuse.
    pub fn start(
        situation: &Situation<ChessPosition>,
        go: &Go,
        settings: &Settings,
        since: Instant,
        bell: Sender<()>,
        before: Option<Session>,
    ) -> Search {
        let position = situation.position.clone();
        let legal: Vec<MoveCode> = codes(&position);
        let wanted = go.search_moves.iter();
        let wanted = wanted.filter_map(|text| notation::parse_uci(&position, text));
        let wanted: Vec<MoveCode> = wanted.map(|m| position.encode(m)).collect();
        let moves = if wanted.is_empty() {
            legal.clone()
        } else {
            wanted
        };
        let out: Vec<MoveCode> = legal.into_iter().filter(|m| !moves.contains(m)).collect();
        let here = Circumstances {
            turn: position.turn(),
            family: settings.config.algorithm.info().family,
            // Whoever analyses wants the value of an only move, too.
            has_choice: moves.len() > 1 || settings.analyses,
            ends_early: !settings.analyses,
            overhead: settings.overhead,
        };
        let mut limits = clock::limits(go, &here);
        let late = since.elapsed();
        for time in [&mut limits.time, &mut limits.soft].into_iter().flatten() {
            *time = time.saturating_sub(late).max(SHORTEST);
        }
        let config = Config {
            limits,
            options: settings.options_for(moves.len()),
            // The root's moves are needed for the reports even without a recorded tree.
            record_plies: if settings.tree { u16::MAX } else { 1 },
            bell: Some(bell),
            ..settings.config.clone()
        };
        let subject = Subject::from(situation.clone());
        let (session, reused) = if moves.is_empty() {
            give_back(before);
            (None, None)
        } else {
            let (session, reuse) = begin(before, subject, config, out);
            (Some(session), reuse)
        };
        let after_ponderhit = Go {
            ponder: false,
            ..go.clone()
        };
        Search {
            session,
            reporter: Reporter::new(
                settings.wishes,
                situation.clone(),
                moves.clone(),
                go.move_time.is_some() || go.time.iter().any(Option::is_some),
            ),
            position,
            moves,
            held: go.waits_for_stop(),
            told_to_stop: false,
            has_said_full: false,
            pondering: go.ponder.then(|| clock::limits(&after_ponderhit, &here)),
            ends: None,
            winds_up: None,
            mate: go.mate,
            reused,
        }
    }

    /// Stops the search and allows it to be answered.
    pub fn stop(&mut self) {
        self.told_to_stop = true;
        self.held = false;
        if let Some(session) = &self.session {
            session.stop();
        }
    }

    /// The expected move was made: from now on a search that ponders has the time that its clock allows. What it has
    /// found by then stays. Without a clock it is answered at once.
    pub fn ponder_hit(&mut self, now: Instant) {
        let Some(limits) = self.pondering.take() else {
            return;
        };
        let has_limits = limits.time.is_some() || limits.nodes.is_some() || limits.depth.is_some();
        if !has_limits {
            self.stop();
            return;
        }
        self.held = false;
        self.ends = limits.time.map(|time| now + time);
        self.winds_up = limits.soft.map(|time| now + time);
    }

    /// Whether `stop` was obeyed and not yet answered.
    pub fn owes_its_answer(&self) -> bool {
        self.told_to_stop
    }

    /// Whether the search goes on until it is stopped.
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// Whether the search is finished and can be answered now.
    pub fn is_over(&self) -> bool {
        !self.held && self.session.as_ref().is_none_or(has_ended)
    }

    /// Returns how long the server may sleep if nothing happens.
    pub fn patience(&self) -> Duration {
        const UNTIL_WOKEN: Duration = Duration::from_secs(3600);
        let running = self.session.as_ref().filter(|s| !has_ended(s));
        let nap = running.map_or(UNTIL_WOKEN, |session| self.reporter.patience(session));
        let left = self
            .ends
            .map(|ends| ends.saturating_duration_since(Instant::now()));
        left.map_or(nap, |left| nap.min(left))
            .max(Duration::from_micros(100))
    }

    /// Returns what there is to report since the last call.
    pub fn news(&mut self) -> Vec<String> {
        let Some(session) = &self.session else {
            return Vec::new();
        };
        let kept = self.reused.take();
        let kept = kept.map(|reuse| format!("info string {reuse}"));
        let mut lines: Vec<String> = kept.into_iter().collect();
        let (news, infos) = self.reporter.news(session);
        lines.extend(news);
        // Whoever waits for more would wait in vain.
        let status = session.status();
        if status.state == State::Finished(StopReason::Memory) && !self.has_said_full {
            self.has_said_full = true;
            let bytes = text::bytes(session.config().memory);
            lines.push(format!(
                "info string why no longer: the tree is full ({bytes}); Tree Memory gives it more"
            ));
        }
        let now = Instant::now();
        let is_late = self.ends.is_some_and(|ends| now >= ends);
        // What a depth-first search begins now would be stopped before it ends.
        let winds_up = !infos.is_empty() && self.winds_up.is_some_and(|at| now >= at);
        if is_late || winds_up || self.has_the_mate(&infos) {
            session.stop();
        }
        lines
    }

    fn has_the_mate(&self, infos: &[Info]) -> bool {
        let wanted = self.mate.unwrap_or(0);
        let best = infos.iter().filter(|info| info.rank == 1);
        best.map(|info| info.claim)
            .any(|s| s.is_mate_within(wanted))
    }

    /// Returns the answer of a search that is over or is ended now.
    pub fn finish(mut self) -> Outcome {
        self.stop();
        if let Some(session) = &mut self.session {
            session.join();
        }
        let mut lines = self.news();
        if let Some(session) = &self.session {
            let best = session.best_to_play();
            let best = best.filter(|m| self.moves.contains(m));
            lines.extend(self.reporter.closing(session, best));
            let decision = session.decision();
            lines.extend(decision.map(|why| format!("info string why no longer: {why}")));
            lines.push(self.reporter.best_move());
        } else {
            lines.push(self.over());
            lines.push("bestmove (none)".to_owned());
        }
        let failed = self.session.as_ref().is_some_and(|s| s.fault().is_some());
        let mut ended = self.session.take();
        if failed || !ended.as_ref().is_some_and(Session::can_be_followed) {
            give_back(ended.take());
        }
        Outcome {
            lines,
            failed,
            ended,
        }
    }

    /// Returns the report for a position without moves.
    fn over(&self) -> String {
        let score = if self.position.is_check() {
            "mate 0"
        } else {
            "cp 0"
        };
        format!("info depth 0 score {score}")
    }
}

fn codes(position: &ChessPosition) -> Vec<MoveCode> {
    let moves = position.legal_moves();
    moves.into_iter().map(|m| position.encode(m)).collect()
}

fn has_ended(session: &Session) -> bool {
    matches!(session.status().state, State::Finished(_))
}

/// Reuses what is left of the previous search if the game moved on from there.
fn begin(
    before: Option<Session>,
    subject: Subject,
    config: Config,
    without: Vec<MoveCode>,
) -> (Session, Option<Reuse>) {
    match before {
        Some(before) => {
            let next = Next {
                without,
                ..Next::default()
            };
            Session::start_after(before, subject, config, next)
        }
        None => (Session::start_without(subject, config, &without), None),
    }
}

/// The other program has its answer, so it need not wait until the memory is freed.
pub(super) fn give_back(session: Option<Session>) {
    let large = session.filter(|s| s.status().tree_bytes >= LARGE);
    if large.is_some() {
        drop_aside(large);
    }
}
