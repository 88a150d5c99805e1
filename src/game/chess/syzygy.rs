//! Syzygy endgame tables on disk, read by shakmaty-syzygy.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use shakmaty::{Chess, Color, Position, Role};
use shakmaty_syzygy::{AmbiguousWdl, Dtz, MaybeRounded, ProbeError, SyzygyError, Tablebase};

use super::ChessPosition;
use crate::{Drawn, Game, History, MoveCode, Situation, TableHit, TableResult};

/// The extensions of Syzygy table files: results and distances.
const EXTENSIONS: [&str; 2] = ["rtbw", "rtbz"];

/// Endgame tables, shared by all threads and searches. A file is opened when it is first used.
pub struct EndgameTables {
    tables: Tablebase<Chess>,
    files: usize,
    /// The path as it was given.
    path: PathBuf,
    /// Whether any table could not be read; from then on every look-up checks whether it needs one of those.
    any_damaged: AtomicBool,
    damaged: Mutex<Vec<Damaged>>,
}

/// A table that could not be read. It is not used again.
struct Damaged {
    /// The name as [`table_name`] gives it.
    name: String,
    message: String,
}

/// Why no tables were opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TablesError {
    #[error("{}: can't be read: {why}, expected a folder of Syzygy tables", .path.display())]
    Unreadable { path: PathBuf, why: String },
    #[error("{}: no tables found, expected Syzygy files such as KRvK.rtbw", .path.display())]
    Empty { path: PathBuf },
}

impl TablesError {
    /// What was expected, and why the place does not fit: for a message that already names the place.
    pub fn expected(&self) -> String {
        match self {
            TablesError::Unreadable { why, .. } => {
                format!("a folder of Syzygy tables, can't be read: {why}")
            }
            TablesError::Empty { .. } => {
                "a folder with Syzygy files such as KRvK.rtbw, found none".to_owned()
            }
        }
    }
}

impl fmt::Debug for EndgameTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EndgameTables")
            .field("path", &self.path)
            .field("files", &self.files)
            .field("men", &self.men())
            .finish_non_exhaustive()
    }
}

impl EndgameTables {
    /// Finds the tables in a folder, or in several folders separated as in `PATH`. Also returns the files that were
    /// passed over, one line each.
    ///
    /// # Errors
    /// If a folder cannot be read, or none of them contains a table.
    pub fn open(path: &Path) -> Result<(EndgameTables, Vec<String>), TablesError> {
        let mut tables = Tablebase::new();
        let mut files = 0;
        let mut passed_over = Vec::new();
        for folder in std::env::split_paths(path) {
            let unreadable = |e: io::Error| TablesError::Unreadable {
                path: folder.clone(),
                why: reason(&e),
            };
            let entries = std::fs::read_dir(&folder).map_err(unreadable)?;
            for entry in entries {
                let file = entry.map_err(unreadable)?.path();
                let extension = file.extension().and_then(OsStr::to_str);
                if !extension.is_some_and(|e| EXTENSIONS.contains(&e)) {
                    continue;
                }
                match tables.add_file(&file) {
                    Ok(()) => files += 1,
                    Err(e) => passed_over.push(format!("{}: {}", file.display(), wrong(&e))),
                }
            }
        }
        if files == 0 && passed_over.is_empty() {
            return Err(TablesError::Empty {
                path: path.to_owned(),
            });
        }
        passed_over.sort_unstable();
        let found = EndgameTables {
            tables,
            files,
            path: path.to_owned(),
            any_damaged: AtomicBool::new(false),
            damaged: Mutex::default(),
        };
        Ok((found, passed_over))
    }

    /// The path where the tables were searched for.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of files, of results and of distances.
    pub fn files(&self) -> usize {
        self.files
    }

    /// The largest number of pieces, kings included, that any table has.
    pub fn men(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// The tables that turned out to be damaged so far, one line each.
    pub fn problems(&self) -> Vec<String> {
        let damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        damaged.iter().map(|d| d.message.clone()).collect()
    }

    /// What the tables say about a position; see [`ChessKnowledge::look_up`](crate::ChessKnowledge::look_up).
    pub(super) fn look_up(&self, position: &ChessPosition, by_distance: bool) -> Option<TableHit> {
        let chess = position.chess();
        let clock = position.reversible_plies();
        if clock > 0 && !by_distance || !self.covers(chess) || is_over(position) {
            return None;
        }
        let hit = if clock == 0 {
            let wdl = self.ask(self.tables.probe_wdl_after_zeroing(chess))?;
            TableHit {
                result: result(AmbiguousWdl::from(wdl)),
                dtz: None,
                clock: 0,
            }
        } else {
            let dtz = self.ask(self.tables.probe_dtz(chess))?;
            hit_of(dtz, clock)
        };
        Some(hit)
    }

    /// See [`ChessKnowledge::look_up_moves`](crate::ChessKnowledge::look_up_moves).
    pub(super) fn look_up_moves(
        &self,
        situation: &Situation<ChessPosition>,
    ) -> Option<Vec<(MoveCode, TableHit)>> {
        let position = &situation.position;
        if !self.covers(position.chess()) {
            return None;
        }
        let repeats = !Drawn::of(situation).is_empty();
        let mut history = situation.history.clone();
        history.push(position.key());
        let moves = position.legal_moves();
        let known = moves.iter().map(|&m| {
            let mut next = position.clone();
            next.play(m);
            let mut hit = self.look_up_move(&next, &history, position.reversible_plies())?;
            // On the way to the next capture or pawn move, a third occurrence may make the game a draw.
            if repeats && next.reversible_plies() > 0 && !next.chess().is_checkmate() {
                hit.result = hit.result.in_doubt();
            }
            Some((position.encode(m), hit))
        });
        known.collect()
    }

    /// What the tables say about the move that led to `next`, from the view of its mover; `history` ends with the
    /// position before.
    fn look_up_move(
        &self,
        next: &ChessPosition,
        history: &History,
        clock: u32,
    ) -> Option<TableHit> {
        let chess = next.chess();
        let told = |result, dtz| {
            Some(TableHit {
                result,
                dtz: Some(dtz),
                clock: clock.min(255) as u8,
            })
        };
        if chess.is_checkmate() {
            return told(TableResult::Win, 1);
        }
        let repeated = history.repetitions(next.key(), next.reversible_plies());
        if repeated.times >= 2 || is_over(next) {
            return told(TableResult::Draw, 0);
        }
        if next.reversible_plies() == 0 {
            let wdl = -self.ask(self.tables.probe_wdl_after_zeroing(chess))?;
            let dtz = Dtz::before_zeroing(wdl);
            return told(result(AmbiguousWdl::from(wdl)), distance(dtz));
        }
        let dtz = -self.ask(self.tables.probe_dtz(chess))?;
        let dtz = dtz.add_plies_saturating(1);
        Some(hit_of(dtz, clock))
    }

    /// Whether the position has few enough men, no castling rights, and no damaged table.
    fn covers(&self, chess: &Chess) -> bool {
        let men = chess.board().occupied().count();
        men <= self.tables.max_pieces() && !chess.castles().any() && !self.is_damaged(chess)
    }

    fn is_damaged(&self, chess: &Chess) -> bool {
        self.any_damaged.load(Relaxed) && self.is_one_of_the_damaged(chess)
    }

    #[cold]
    fn is_one_of_the_damaged(&self, chess: &Chess) -> bool {
        let name = table_name(chess);
        let damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        let (strong, weak) = name.split_once('v').unwrap_or_default();
        let flipped = format!("{weak}v{strong}");
        damaged.iter().any(|d| d.name == name || d.name == flipped)
    }

    /// The answer, or `None` where a table is missing or damaged; a damaged one is remembered.
    fn ask<T>(&self, answer: Result<T, SyzygyError>) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.remember(error);
                None
            }
        }
    }

    #[cold]
    fn remember(&self, error: SyzygyError) {
        let SyzygyError::ProbeFailed {
            metric,
            material,
            error,
        } = error
        else {
            return;
        };
        let what = match *error {
            ProbeError::Read { error } => format!("can't be read: {error}"),
            ProbeError::Magic { magic } => {
                format!("begins with {magic:02x?}, expected the mark of a Syzygy table")
            }
            _ => "is damaged, or cut off".to_owned(),
        };
        let name = material.to_string();
        let message = format!("endgame table {name} ({metric}) {what}: not used");
        let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        if !damaged.iter().any(|d| d.name == name) {
            damaged.push(Damaged { name, message });
        }
        self.any_damaged.store(true, Relaxed);
    }
}

/// Whether the game is over by mate, stalemate, the fifty moves or insufficient material: there the rules decide, not
/// the tables.
fn is_over(position: &ChessPosition) -> bool {
    let has_moves = !position.legal_moves().is_empty();
    position.ending(has_moves).is_some()
}

fn result(wdl: AmbiguousWdl) -> TableResult {
    match wdl {
        AmbiguousWdl::Loss => TableResult::Loss,
        AmbiguousWdl::MaybeLoss => TableResult::MaybeLoss,
        AmbiguousWdl::BlessedLoss => TableResult::BlessedLoss,
        AmbiguousWdl::Draw => TableResult::Draw,
        AmbiguousWdl::CursedWin => TableResult::CursedWin,
        AmbiguousWdl::MaybeWin => TableResult::MaybeWin,
        AmbiguousWdl::Win => TableResult::Win,
    }
}

/// The result of a distance with this many plies on the clock.
fn hit_of(dtz: MaybeRounded<Dtz>, clock: u32) -> TableHit {
    TableHit {
        result: result(AmbiguousWdl::from_dtz_and_halfmoves(dtz, clock)),
        dtz: Some(distance(dtz.ignore_rounding())),
        clock: clock.min(255) as u8,
    }
}

fn distance(dtz: Dtz) -> i16 {
    dtz.0.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::NotADirectory => "it is no folder".to_owned(),
        _ => error.to_string(),
    }
}

/// Says why a file was passed over.
fn wrong(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::InvalidInput => {
            "passed over: no name of a table, expected one as KRPvKR".to_owned()
        }
        io::ErrorKind::InvalidData => {
            "passed over: its size is not that of a table, it is damaged or cut off".to_owned()
        }
        _ => format!("passed over: can't be read: {error}"),
    }
}

/// The name of a table, with the stronger side's pieces first: `KRPvKR`.
pub(super) fn table_name(chess: &Chess) -> String {
    const ORDER: [Role; 6] = [
        Role::King,
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    let side = |color: Color| {
        let counts =
            ORDER.map(|role| (chess.board().by_color(color) & chess.board().by_role(role)).count());
        let letters = ORDER.iter().zip(counts);
        let name: String = letters
            .map(|(role, n)| role.upper_char().to_string().repeat(n))
            .collect();
        (counts.iter().sum::<usize>(), counts, name)
    };
    let (white, black) = (side(Color::White), side(Color::Black));
    let (strong, weak) = if (white.0, white.1) >= (black.0, black.1) {
        (white, black)
    } else {
        (black, white)
    };
    format!("{}v{}", strong.2, weak.2)
}
