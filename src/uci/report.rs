//! What a search reports while it runs and at its end.

use std::time::Duration;

use super::info::{Info, UciScore};
use super::statistics;
use super::wdl::Shares;
use game::{ChessPosition, Game, MoveCode, Scale, Score};
use search::Iteration;
use session::{NodeValue, Row, Session, State, Status};
use tree::{Family, Tree};

/// A best-first search reports at least this often.
const EVERY: Duration = Duration::from_secs(1);
/// From when on a depth-first search names the move that it searches at the root: earlier it would flood the other program.
const NAMES_MOVES: Duration = Duration::from_secs(3);

/// What the other program wants to be told.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wishes {
    /// How many lines.
    pub lines: usize,
    /// Shares of won, drawn and lost.
    pub wdl: bool,
    /// Statistics of each root move at the end.
    pub statistics: bool,
    /// The same with each report.
    pub live_statistics: bool,
}

/// What was reported so far.
#[derive(Debug)]
pub(super) struct Reporter {
    wishes: Wishes,
    position: ChessPosition,
    /// The number of iterations (depth-first) or reports (best-first) so far.
    count: u16,
    /// The lines reported last, the best first.
    last: Vec<Info>,
    /// For a best-first search: the nodes and the running time at which the next report is due.
    due: (u64, Duration),
    /// The move of the root that was named last, and its number.
    named: (MoveCode, u16),
}

impl Reporter {
    pub fn new(wishes: Wishes, position: ChessPosition) -> Reporter {
        Reporter {
            wishes,
            position,
            count: 0,
            last: Vec::new(),
            due: (0, Duration::ZERO),
            named: (MoveCode::NONE, 0),
        }
    }

    /// How long there will be nothing to report, if the search does not ring.
    pub fn patience(&self, session: &Session) -> Duration {
        let elapsed = session.status().elapsed;
        if is_best_first(session) {
            (elapsed / 8).clamp(Duration::from_millis(2), EVERY / 10)
        } else if elapsed < NAMES_MOVES {
            NAMES_MOVES - elapsed + Duration::from_millis(1)
        } else {
            EVERY / 5
        }
    }

    /// Returns what there is to report since the last call, and the new `info` lines among it.
    pub fn news(&mut self, session: &Session) -> (Vec<String>, Vec<Info>) {
        let mut infos = Vec::new();
        let status = session.status();
        if is_best_first(session) {
            if self.is_due(&status) {
                infos = self.estimates(session, &status);
            }
        } else {
            for iteration in session.iterations_after(usize::from(self.count)) {
                infos.extend(self.iteration(session, &iteration));
            }
        }
        let mut lines: Vec<String> = infos.iter().map(Info::to_string).collect();
        if self.wishes.live_statistics && !infos.is_empty() {
            lines.extend(statistics::lines(session));
        }
        lines.extend(self.root_move(session, &status));
        (lines, infos)
    }

    /// Whether a best-first search is due to report: at the start, at each doubling of its nodes, once a second, and at
    /// its end.
    fn is_due(&self, status: &Status) -> bool {
        let nodes = status.totals.nodes;
        let ended = matches!(status.state, State::Finished(_));
        nodes >= self.due.0.max(1)
            || status.elapsed >= self.due.1.max(EVERY)
            || ended && (nodes > self.due.0 / 2 || self.count == 0)
    }

    /// Names the move that a depth-first search is at, if it is another one.
    fn root_move(&mut self, session: &Session, status: &Status) -> Option<String> {
        let running = status.elapsed >= NAMES_MOVES && matches!(status.state, State::Running);
        let at = session
            .root_move()
            .filter(|at| running && *at != self.named)?;
        self.named = at;
        let (code, number) = at;
        let m = self.position.decode(code)?;
        Some(format!(
            "info depth {} currmove {} currmovenumber {number}",
            self.count + 1,
            self.position.uci(m)
        ))
    }

    /// Returns the lines of an iteration, with exact values.
    fn iteration(&mut self, session: &Session, iteration: &Iteration) -> Vec<Info> {
        self.count += 1;
        // The game is over although there are moves, so nothing was searched.
        let best = match iteration.best {
            MoveCode::NONE => self.first_move(),
            best => best,
        };
        let others = iteration.lines.iter().filter(|(code, _)| *code != best);
        let lines = [(best, iteration.score)].into_iter().chain(others.copied());
        let status = session.status();
        let lines = lines
            .take(self.wishes.lines)
            .enumerate()
            .map(|(i, (code, score))| Info {
                depth: iteration.depth,
                selective_depth: iteration.selective_depth,
                nodes: iteration.nodes,
                elapsed: iteration.elapsed,
                rank: i + 1,
                score: UciScore::exact(score),
                wdl: self.shares(session, code, score, iteration.depth),
                line: session.expected_line(code),
                ..self.blank(session, &status)
            });
        self.last = lines.collect();
        self.last.clone()
    }

    /// Returns the current lines of a best-first search.
    fn estimates(&mut self, session: &Session, status: &Status) -> Vec<Info> {
        let like = Info {
            depth: self.count + 1,
            ..self.blank(session, status)
        };
        let rows = session.reader().rows_best_first(Tree::ROOT);
        let infos = self.ranked(session, rows.iter(), 1, &like);
        if !infos.is_empty() {
            self.count = self.count.saturating_add(1);
            self.due = (status.totals.nodes * 2, status.elapsed + EVERY);
            self.last.clone_from(&infos);
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
        let wanted = known.take((self.wishes.lines + 1).saturating_sub(first));
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
            wdl: self.shares(session, row.move_code, score.score, like.depth),
            line: session.expected_line(row.move_code),
            ..like.clone()
        };
        wanted.enumerate().map(info).collect()
    }

    /// Returns what the last lines did not yet say about the move that is played, and the final counts.
    pub fn closing(&mut self, session: &Session, best: MoveCode) -> Vec<String> {
        let status = session.status();
        let reported = self.last.first();
        let names_best = reported.is_some_and(|i| i.line.first().is_some_and(|m| m.code == best));
        let is_new = reported.is_none_or(|i| i.nodes < status.totals.nodes);
        let infos = match () {
            () if names_best && !is_new => Vec::new(),
            () if is_best_first(session) => self.estimates(session, &status),
            () if names_best || self.count > 0 && reported.is_none() => {
                self.again(session, &status)
            }
            () => self.unfinished(session, best, &status),
        };
        let mut lines: Vec<String> = infos.iter().map(Info::to_string).collect();
        if self.wishes.statistics || self.wishes.live_statistics {
            lines.extend(statistics::lines(session));
        }
        lines
    }

    /// The lines reported last with the present counts.
    fn again(&self, session: &Session, status: &Status) -> Vec<Info> {
        let now = self.blank(session, status);
        let infos = self.last.iter().cloned().map(|info| Info {
            selective_depth: now.selective_depth,
            nodes: now.nodes,
            elapsed: now.elapsed,
            full: now.full,
            table_hits: now.table_hits,
            ..info
        });
        infos.collect()
    }

    /// The lines of an iteration that was stopped after it had found another best move.
    fn unfinished(&self, session: &Session, best: MoveCode, status: &Status) -> Vec<Info> {
        let like = Info {
            depth: self.count + 1,
            ..self.blank(session, status)
        };
        let rows = session.reader().rows_best_first(Tree::ROOT);
        let row = rows.iter().filter(|row| row.move_code == best);
        let mut infos = self.ranked(session, row, 1, &like);
        infos.truncate(1);
        if !infos.is_empty() {
            let others = self.again(session, status).into_iter();
            let others = others.filter(|i| i.line.first().is_some_and(|m| m.code != best));
            let others = others.take(self.wishes.lines.saturating_sub(1));
            infos.extend(others.enumerate().map(|(i, info)| Info {
                rank: i + 2,
                ..info
            }));
        }
        infos
    }

    /// The figures that all lines share.
    fn blank(&self, session: &Session, status: &Status) -> Info {
        Info {
            depth: 0,
            selective_depth: status.totals.selective_depth,
            rank: 1,
            score: UciScore::exact(Score::DRAW),
            wdl: None,
            nodes: status.totals.nodes,
            table_hits: table_hits(session),
            elapsed: status.elapsed,
            full: fullness(session),
            line: Vec::new(),
        }
    }

    /// The shares of won, drawn and lost after a move, where they are wanted and the search knows them.
    fn shares(
        &self,
        session: &Session,
        code: MoveCode,
        score: Score,
        depth: u16,
    ) -> Option<Shares> {
        if !self.wishes.wdl {
            return None;
        }
        Shares::proven(score).or_else(|| match is_best_first(session) || keeps_beliefs(session) {
            true => statistics::shares_of_move(session, code),
            false => Shares::of_depth(session, &self.position, score, depth),
        })
    }

    /// Returns a move for a position in which the search has none to offer.
    fn first_move(&self) -> MoveCode {
        let first = self.position.legal_moves().into_iter().next();
        first.map_or(MoveCode::NONE, |m| self.position.encode(m))
    }
}

pub(super) fn is_best_first(session: &Session) -> bool {
    session.tree().family() == Family::BestFirst
}

fn keeps_beliefs(session: &Session) -> bool {
    session.config().algorithm.info().beliefs
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

/// How full the transposition table is, or in a best-first search the tree, in permille.
fn fullness(session: &Session) -> u16 {
    let tree = session.tree();
    if is_best_first(session) {
        let share = u64::from(tree.len()) * 1000 / u64::from(tree.capacity().max(1));
        share.min(1000) as u16
    } else {
        session.config().tables.as_ref().map_or(0, |t| t.permille())
    }
}
