//! What a search reports while it runs and at its end.

use std::cmp::Reverse;
use std::time::Duration;

use super::info::{Info, UciScore};
use super::mates::{Mates, effort};
use super::wdl::Shares;
use super::{glance, statistics};
use game::{ChessPosition, Game, MoveCode, Scale, Score, Situation};
use search::{Iteration, RootLine};
use session::{NodeValue, Row, Session, State, Status};
use tree::{Family, Fate, Proof, Tree};

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
    situation: Situation<ChessPosition>,
    /// The moves that may be played.
    moves: Vec<MoveCode>,
    /// Whether a clock or a time limits the search.
    timed: bool,
    mates: Mates,
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
    pub fn new(
        wishes: Wishes,
        situation: Situation<ChessPosition>,
        moves: Vec<MoveCode>,
        timed: bool,
    ) -> Reporter {
        Reporter {
            wishes,
            situation,
            moves,
            timed,
            mates: Mates::default(),
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
                infos = self.estimates(session, &status, None, false);
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
        let position = &self.situation.position;
        let m = position.decode(code)?;
        Some(format!(
            "info depth {} currmove {} currmovenumber {number}",
            self.count + 1,
            position.uci(m)
        ))
    }

    /// Returns the lines of an iteration, with exact values.
    fn iteration(&mut self, session: &Session, iteration: &Iteration) -> Vec<Info> {
        self.count += 1;
        // If the game is over although there are moves, nothing was searched.
        let line = |line: &RootLine| Line {
            recorded: Some(line.moves.clone()),
            ..Line::searched(line.moves[0], UciScore::exact(line.score))
        };
        let lines = iteration.lines.iter().map(line).collect();
        let like = Info {
            depth: iteration.depth,
            selective_depth: iteration.selective_depth,
            nodes: iteration.nodes,
            elapsed: iteration.elapsed,
            ..self.blank(session, &session.status())
        };
        self.last = self.written(session, lines, &like, false);
        self.last.clone()
    }

    /// Returns the current lines of a best-first search, that of `best` first. Before any move was searched there are
    /// none, unless they are the last; and the last are left out if nothing in them is new.
    fn estimates(
        &mut self,
        session: &Session,
        status: &Status,
        best: Option<MoveCode>,
        is_last: bool,
    ) -> Vec<Info> {
        let rows = session.reader().rows_best_first(Tree::ROOT);
        let mut lines: Vec<Line> = rows.iter().filter_map(Line::of).collect();
        let nothing = lines.is_empty() && !is_last && !self.is_drawn(session);
        if nothing && matches!(status.state, State::Running) {
            return Vec::new();
        }
        if let Some(best) = best {
            let at = lines.iter().position(|line| line.code == best);
            let line = at.map_or_else(
                || self.at_a_glance(session, &rows, best),
                |at| lines.remove(at),
            );
            lines.insert(0, line);
        }
        // The best move's value is the root's, of which the endgame tables may have proven more.
        let proof = session.tree().node(Tree::ROOT).proof();
        if let Some(first) = lines.first_mut() {
            let score = &mut first.score.score;
            *score = (*score).clamp(proof.lower, proof.upper.max(proof.lower));
        }
        let like = Info {
            depth: self.count + 1,
            ..self.blank(session, status)
        };
        let infos = self.written(session, lines, &like, is_last);
        let is_known = |(new, old): (&Info, &Info)| {
            (new.score, new.code(), new.nodes) == (old.score, old.code(), old.nodes)
        };
        let as_many = infos.len() == self.last.len();
        if is_last && as_many && infos.iter().zip(&self.last).all(is_known) {
            return Vec::new();
        }
        self.count = self.count.saturating_add(1);
        self.due = (status.totals.nodes * 2, status.elapsed + EVERY);
        self.last.clone_from(&infos);
        infos
    }

    /// Whether the game is drawn at the root, although there are moves. A depth-first search goes on behind a repetition.
    fn is_drawn(&self, session: &Session) -> bool {
        let repeats = || {
            matches!(
                session.tree().node(Tree::ROOT).fate(),
                Fate::Repetition { .. }
            )
        };
        glance::is_over(&self.situation.position) || repeats()
    }

    /// Returns the value of a move that was not searched.
    fn at_a_glance(&self, session: &Session, rows: &[Row], code: MoveCode) -> Line {
        let row = rows.iter().find(|row| row.move_code == code);
        let own = row.map_or(Proof::OPEN, |row| row.view.proof);
        let root = session.tree().node(Tree::ROOT).proof();
        let proof = Proof {
            upper: own.upper.min(root.upper),
            ..own
        };
        let score = glance::value(session, &self.situation, code, proof);
        Line {
            code,
            score,
            is_searched: false,
            recorded: None,
        }
    }

    /// Returns the lines as they are reported: those that are known, the best first, and if more are wanted, the other
    /// moves at a glance.
    fn written(
        &mut self,
        session: &Session,
        lines: Vec<Line>,
        like: &Info,
        is_last: bool,
    ) -> Vec<Info> {
        let is_drawn = self.is_drawn(session);
        let lines = self.filled(session, lines, is_drawn);
        let timed = self.timed.then_some(like.elapsed);
        let mut effort = effort(timed, is_last);
        let (situation, mates) = (&self.situation, &mut self.mates);
        let info = |(i, line): (usize, Line)| {
            let claim = glance::mate(situation, line.code).unwrap_or(line.score);
            let recorded = line.recorded;
            let recorded = recorded.unwrap_or_else(|| session.recorded_line(line.code));
            let (score, moves) = mates.shown(session, recorded, claim, is_last, &mut effort);
            Info {
                rank: i + 1,
                score,
                claim,
                is_searched: line.is_searched,
                line: moves,
                ..like.clone()
            }
        };
        let mut infos: Vec<Info> = lines.into_iter().enumerate().map(info).collect();
        for info in infos.iter_mut().filter(|_| self.wishes.wdl) {
            let score = info.claim.score;
            info.wdl = match () {
                () if is_drawn => Some(Shares::DRAWN),
                () if info.is_searched => self.shares(session, info.code(), score, info.depth),
                () => Shares::proven(score),
            };
        }
        infos
    }

    /// Returns as many lines as are wanted and possible. Of those added, wins come first and losses last.
    fn filled(&self, session: &Session, lines: Vec<Line>, is_drawn: bool) -> Vec<Line> {
        let wanted = self.wishes.lines.min(self.moves.len());
        let mut lines = lines;
        lines.retain(|line| self.moves.contains(&line.code));
        lines.truncate(wanted);
        if is_drawn {
            let drawn = |code| Line::searched(code, UciScore::exact(Score::DRAW));
            let first = lines.first().map(|line| line.code);
            let others = self.moves.iter().copied().filter(|&m| Some(m) != first);
            return first
                .into_iter()
                .chain(others)
                .map(drawn)
                .take(wanted)
                .collect();
        }
        if lines.len() == wanted {
            return lines;
        }
        let rows = session.reader().rows_best_first(Tree::ROOT);
        let is_new = |code: &MoveCode| lines.iter().all(|line| line.code != *code);
        let known: Vec<Line> = rows.iter().filter_map(Line::of).collect();
        let known = |code| known.iter().find(|line| line.code == code).cloned();
        let more = self.moves.iter().copied().filter(is_new);
        let mut more: Vec<Line> = more
            .map(|code| known(code).unwrap_or_else(|| self.at_a_glance(session, &rows, code)))
            .collect();
        // Where nothing was searched, the value at a glance decides which move is played.
        more.sort_by_key(|line| {
            (
                !line.score.score.is_win(),
                line.score.score.is_loss(),
                !line.is_searched,
                Reverse(line.score.score),
            )
        });
        lines.extend(more);
        lines.truncate(wanted);
        lines
    }

    /// Returns what the last lines did not yet say about the move that is played, and the final counts. From then on
    /// [`Reporter::best_move`] is known. `best`: what the search would play, if it knows a move.
    pub fn closing(&mut self, session: &Session, best: Option<MoveCode>) -> Vec<String> {
        let status = session.status();
        let reported = self.last.first();
        let best = best.or_else(|| reported.map(Info::code));
        let names_best = reported.is_some_and(|i| Some(i.code()) == best);
        let is_new = reported.is_none_or(|i| i.nodes < status.totals.nodes);
        let is_short = self.last.iter().any(Info::is_short);
        let infos = match () {
            // What it proved last may have come after its last node was counted.
            () if is_best_first(session) => self.estimates(session, &status, best, true),
            () if names_best && !is_new && !is_short => Vec::new(),
            () if names_best => self.again(session, &status),
            () => self.unfinished(session, best, &status),
        };
        let mut lines: Vec<String> = infos.iter().map(Info::to_string).collect();
        if self.wishes.statistics || self.wishes.live_statistics {
            lines.extend(statistics::lines(session));
        }
        lines
    }

    /// The move to play, the first of the last report, and the reply that is expected, the second.
    pub fn best_move(&self) -> String {
        let line = self.last.first().map_or(&[][..], |info| &info.line);
        let name = line.first().map_or("(none)", |m| &m.uci);
        match line.get(1) {
            Some(reply) => format!("bestmove {name} ponder {}", reply.uci),
            None => format!("bestmove {name}"),
        }
    }

    /// The lines reported last with the present counts. What was missing of a mate is looked for again.
    fn again(&mut self, session: &Session, status: &Status) -> Vec<Info> {
        let now = self.blank(session, status);
        let mut effort = effort(self.timed.then_some(now.elapsed), true);
        for info in &mut self.last {
            if info.is_short() {
                let mates = &mut self.mates;
                let (recorded, claim) = (session.recorded_line(info.code()), info.claim);
                (info.score, info.line) = mates.shown(session, recorded, claim, true, &mut effort);
            }
            info.selective_depth = now.selective_depth;
            info.nodes = now.nodes;
            info.elapsed = now.elapsed;
            info.full = now.full;
            info.table_hits = now.table_hits;
        }
        self.last.clone()
    }

    /// The lines of an iteration that was stopped after it had found another best move, or before it had found any.
    fn unfinished(
        &mut self,
        session: &Session,
        best: Option<MoveCode>,
        status: &Status,
    ) -> Vec<Info> {
        let like = Info {
            depth: self.count + 1,
            ..self.blank(session, status)
        };
        let rows = session.reader().rows_best_first(Tree::ROOT);
        let known = |code| {
            rows.iter()
                .filter(|row| row.move_code == code)
                .find_map(Line::of)
        };
        let first =
            best.map(|code| known(code).unwrap_or_else(|| self.at_a_glance(session, &rows, code)));
        let before = self.again(session, status);
        let others = before.iter().filter(|info| Some(info.code()) != best);
        let lines = first.into_iter().chain(others.map(Line::again)).collect();
        self.last = self.written(session, lines, &like, true);
        for info in self.last.iter_mut().skip(1) {
            // Its line is the one that goes with its score.
            if let Some(known) = before.iter().find(|known| known.code() == info.code()) {
                let rank = info.rank;
                *info = Info {
                    rank,
                    ..known.clone()
                };
            }
        }
        self.last.clone()
    }

    /// The figures that all lines share.
    fn blank(&self, session: &Session, status: &Status) -> Info {
        Info {
            depth: 0,
            selective_depth: status.totals.selective_depth,
            rank: 1,
            score: UciScore::exact(Score::DRAW),
            claim: UciScore::exact(Score::DRAW),
            is_searched: true,
            wdl: None,
            nodes: status.totals.nodes,
            table_hits: table_hits(session),
            elapsed: status.elapsed,
            full: fullness(session),
            line: Vec::new(),
        }
    }

    /// The shares of won, drawn and lost after a move, where the search knows them.
    fn shares(
        &self,
        session: &Session,
        code: MoveCode,
        score: Score,
        depth: u16,
    ) -> Option<Shares> {
        Shares::proven(score).or_else(|| match is_best_first(session) || keeps_beliefs(session) {
            true => statistics::shares_of_move(session, code),
            false => Shares::of_depth(session, &self.situation.position, score, depth),
        })
    }
}

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
struct Line {
    code: MoveCode,
    score: UciScore,
    is_searched: bool,
    /// The line that goes with the score, if it is not the one that the tree contains now.
    recorded: Option<Vec<MoveCode>>,
}

impl Line {
    fn searched(code: MoveCode, score: UciScore) -> Line {
        Line {
            code,
            score,
            is_searched: true,
            recorded: None,
        }
    }

    /// What was reported of a move.
    fn again(info: &Info) -> Line {
        Line {
            code: info.code(),
            score: info.claim,
            is_searched: info.is_searched,
            recorded: None,
        }
    }

    /// `None` if the search knows nothing.
    fn of(row: &Row) -> Option<Line> {
        let verdict = NodeValue::of(&row.view, Scale::Logistic);
        Some(Line::searched(row.move_code, UciScore::of(&verdict)?))
    }
}

pub(super) fn is_best_first(session: &Session) -> bool {
    session.tree().family() == Family::BestFirst
}

fn keeps_beliefs(session: &Session) -> bool {
    session.config().algorithm.info().beliefs
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
