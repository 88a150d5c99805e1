//! A running search: from `go` to `bestmove`.

use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::clock::{self, Circumstances};
use super::command::Go;
use super::info::{Info, UciScore};
use super::options::Settings;
use crate::engine::{Config, Next, NodeValue, Row, Session, State, Status, Subject, drop_aside};
use crate::game::{
    ChessKnowledge as _, ChessPosition, Game, MoveCode, Scale, Score, Situation, notation,
};
use crate::search::{Iteration, Reuse};
use crate::tree::{Family, Tree};

/// A search started by `go`.
#[derive(Debug)]
pub(super) struct Search {
    /// `None` if there is no legal move.
    session: Option<Session>,
    position: ChessPosition,
    /// The moves that may be played: all legal moves, or the requested ones.
    moves: Vec<MoveCode>,
    /// Whether the answer has to wait for `stop`.
    held: bool,
    /// A mate in at most this many moves ends the search.
    mate: Option<u16>,
    multi_pv: usize,
    /// The number of iterations (depth-first) or reports (best-first) sent so far.
    reports: u16,
    best_reported: MoveCode,
    /// For a best-first search: the nodes and the running time at which the next report is due.
    due: (u64, Duration),
    /// What the search reuses of the previous one; reported once.
    reused: Option<Reuse>,
}

/// A best-first search reports at least this often.
const EVERY: Duration = Duration::from_secs(1);
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
            moves: moves.len(),
            overhead: settings.overhead,
        };
        let mut limits = clock::limits(go, &here);
        let late = since.elapsed();
        for time in [&mut limits.time, &mut limits.soft].into_iter().flatten() {
            *time = time.saturating_sub(late).max(SHORTEST);
        }
        let config = Config {
            limits,
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
        Search {
            session,
            position,
            moves,
            held: go.waits_for_stop(),
            mate: go.mate,
            multi_pv: settings.multi_pv,
            reports: 0,
            best_reported: MoveCode::NONE,
            due: (0, Duration::ZERO),
            reused,
        }
    }

    /// Stops the search and allows it to be answered.
    pub fn stop(&mut self) {
        self.held = false;
        if let Some(session) = &self.session {
            session.stop();
        }
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
        let best_first = self
            .session
            .as_ref()
            .filter(|s| is_best_first(s) && !has_ended(s));
        best_first.map_or(Duration::from_secs(3600), |session| {
            let nap = session.status().elapsed / 8;
            nap.clamp(Duration::from_millis(2), EVERY / 10)
        })
    }

    /// Returns what there is to report since the last call.
    pub fn news(&mut self) -> Vec<String> {
        let Some(session) = &self.session else {
            return Vec::new();
        };
        let mut infos = Vec::new();
        let kept = self.reused.take();
        let kept = kept.map(|reuse| format!("info string {reuse}"));
        let mut lines: Vec<String> = kept.into_iter().collect();
        if is_best_first(session) {
            let status = session.status();
            if self.is_due(&status) {
                infos = self.report(&status);
            }
        } else {
            let finished = session.iterations_after(usize::from(self.reports));
            let last = finished.len().saturating_sub(1);
            for (i, iteration) in finished.iter().enumerate() {
                infos.extend(self.iteration(iteration, i == last));
            }
        }
        self.end_with_the_mate(&infos);
        lines.extend(infos.iter().map(Info::to_string));
        lines
    }

    /// Whether a best-first search is due to report: at the start, at each doubling of its nodes, once a second, and at
    /// its end.
    fn is_due(&self, status: &Status) -> bool {
        let nodes = status.totals.nodes;
        let ended = matches!(status.state, State::Finished(_));
        nodes >= self.due.0.max(1)
            || status.elapsed >= self.due.1.max(EVERY)
            || ended && (nodes > self.due.0 / 2 || self.reports == 0)
    }

    fn end_with_the_mate(&self, infos: &[Info]) {
        let wanted = self.mate.unwrap_or(0);
        if let Some(session) = &self.session
            && infos
                .iter()
                .any(|info| info.rank == 1 && info.score.is_mate_within(wanted))
        {
            session.stop();
        }
    }

    /// Returns an iteration's best line, and the others as well if the tree is still in the state in which the
    /// iteration left it.
    fn iteration(&mut self, iteration: &Iteration, is_last: bool) -> Vec<Info> {
        let Some(session) = &self.session else {
            return Vec::new();
        };
        self.reports += 1;
        self.best_reported = iteration.best;
        // The game is over although there are moves, so nothing was searched.
        let best = match iteration.best {
            MoveCode::NONE => self.fallback(),
            best => best,
        };
        let info = Info {
            depth: iteration.depth,
            selective_depth: iteration.selective_depth,
            rank: 1,
            score: UciScore::exact(iteration.score),
            nodes: iteration.nodes,
            table_hits: table_hits(session),
            elapsed: iteration.elapsed,
            full: fullness(session),
            line: session.expected_line(best),
        };
        let mut infos = vec![info];
        if is_last && self.multi_pv > 1 {
            let rows = session.reader().rows_best_first(Tree::ROOT);
            let others = rows.iter().filter(|row| row.move_code != best);
            infos.extend(self.ranked(session, others, 2, &infos[0]));
        }
        infos
    }

    /// Returns the lines of these root moves from `rank` on, as many as were requested and are known.
    fn ranked<'a>(
        &self,
        session: &Session,
        rows: impl Iterator<Item = &'a Row>,
        first: usize,
        like: &Info,
    ) -> Vec<Info> {
        let known = rows.filter_map(|row| Some((row, UciScore::of(&verdict(row))?)));
        let wanted = known.take((self.multi_pv + 1).saturating_sub(first));
        // The best move's value is the root's, of which the endgame tables may have proven more.
        let proof = session.tree().node(Tree::ROOT).proof();
        let held = |rank, score: UciScore| match rank {
            1 => UciScore {
                score: score.score.clamp(proof.lower, proof.upper.max(proof.lower)),
                ..score
            },
            _ => score,
        };
        let info = |(i, (row, score)): (usize, (&Row, UciScore))| Info {
            rank: first + i,
            score: held(first + i, score),
            line: session.expected_line(row.move_code),
            ..like.clone()
        };
        wanted.enumerate().map(info).collect()
    }

    /// Returns the current lines of a best-first search.
    fn report(&mut self, status: &Status) -> Vec<Info> {
        let Some(session) = &self.session else {
            return Vec::new();
        };
        let like = Info {
            depth: self.reports + 1,
            selective_depth: status.totals.selective_depth,
            rank: 1,
            score: UciScore::exact(Score::DRAW),
            nodes: status.totals.nodes,
            table_hits: table_hits(session),
            elapsed: status.elapsed,
            full: fullness(session),
            line: Vec::new(),
        };
        let rows = session.reader().rows_best_first(Tree::ROOT);
        let infos = self.ranked(session, rows.iter(), 1, &like);
        if let Some(best) = infos.first().and_then(|info| info.line.first()) {
            self.best_reported = best.code;
            self.reports = self.reports.saturating_add(1);
            self.due = (status.totals.nodes * 2, status.elapsed + EVERY);
        }
        infos
    }

    /// Returns the answer of a search that is over or is ended now.
    pub fn finish(mut self) -> Outcome {
        self.stop();
        if let Some(session) = &mut self.session {
            session.join();
        }
        let mut lines = self.news();
        let best = self.best();
        lines.extend(self.final_report(best).iter().map(Info::to_string));
        let decision = self.session.as_ref().and_then(Session::decision);
        lines.extend(decision.map(|why| format!("info string why no longer: {why}")));
        let failed = self.session.as_ref().is_some_and(|s| s.fault().is_some());
        if let (Some(best), Some(_)) = (best, &self.session) {
            lines.push(format!("bestmove {}", self.uci(best)));
        } else {
            lines.push(self.over());
            lines.push("bestmove (none)".to_owned());
        }
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

    /// Reports what the last lines did not yet say about the move that is played.
    fn final_report(&mut self, best: Option<MoveCode>) -> Vec<Info> {
        let (Some(session), Some(best)) = (&self.session, best) else {
            return Vec::new();
        };
        let status = session.status();
        if is_best_first(session) {
            // A best-first search reports at its end, unless it had just done so.
            return if best == self.best_reported {
                Vec::new()
            } else {
                self.report(&status)
            };
        }
        if best == self.best_reported || self.best_reported == MoveCode::NONE && self.reports > 0 {
            return Vec::new();
        }
        // The unfinished iteration had already found another move.
        let rows = session.reader().rows_best_first(Tree::ROOT);
        let like = Info {
            depth: self.reports + 1,
            selective_depth: status.totals.selective_depth,
            rank: 1,
            score: UciScore::exact(Score::DRAW),
            nodes: status.totals.nodes,
            table_hits: table_hits(session),
            elapsed: status.elapsed,
            full: fullness(session),
            line: Vec::new(),
        };
        let (row, others): (Vec<&Row>, Vec<&Row>) =
            rows.iter().partition(|row| row.move_code == best);
        let mut infos = self.ranked(session, row.into_iter(), 1, &like);
        infos.truncate(1);
        if !infos.is_empty() && self.multi_pv > 1 {
            infos.extend(self.ranked(session, others.into_iter(), 2, &like));
        }
        infos
    }

    /// Returns the move to play, always one of those allowed.
    fn best(&self) -> Option<MoveCode> {
        let found = self.session.as_ref().and_then(Session::best_to_play);
        let found = found.filter(|m| self.moves.contains(m));
        found.or_else(|| self.moves.first().copied())
    }

    /// Returns a move for a position in which the search has none to offer.
    fn fallback(&self) -> MoveCode {
        self.moves.first().copied().unwrap_or(MoveCode::NONE)
    }

    fn uci(&self, code: MoveCode) -> String {
        let m = self.position.decode(code);
        m.map_or_else(|| "(none)".to_owned(), |m| self.position.uci(m))
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

fn is_best_first(session: &Session) -> bool {
    session.tree().family() == Family::BestFirst
}

fn has_ended(session: &Session) -> bool {
    matches!(session.status().state, State::Finished(_))
}

/// From the view of the side that plays the move.
fn verdict(row: &Row) -> NodeValue {
    NodeValue::of(&row.view, Scale::Logistic)
}

/// `None` without endgame tables.
fn table_hits(session: &Session) -> Option<u64> {
    let asked = session.config().endgames.is_some();
    asked.then(|| session.status().totals.table_hits())
}

fn fullness(session: &Session) -> u16 {
    let tree = session.tree();
    if is_best_first(session) {
        let share = u64::from(tree.len()) * 1000 / u64::from(tree.capacity().max(1));
        share.min(1000) as u16
    } else {
        session.config().tables.as_ref().map_or(0, |t| t.permille())
    }
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
