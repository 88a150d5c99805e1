//! What the mean of both evaluations says of the positions that the network is trained on, and of walks from them, for
//! `network/train.py --teacher`.
//!
//! ```text
//! cargo run --release --features examples --example teacher -- CACHE [WEIGHTS.bin]
//! ```
//!
//! Reads `train.boards` and `test.boards` of the cache, as `network/prepare.py` writes them: 64 bytes a position for the squares from
//! a1 to h8, seen by the side to move (0 empty, 1 to 6 an own pawn to king, 7 to 12 the other side's), the rights to castle (bits: own
//! short and long, the other side's), and the square behind a pawn that just made two steps, or 255. Writes `NAME.taught` (16 bits
//! a position, little-endian: centipawns for the side to move), and `walks.boards` with `walks.taught`: two walks of one to three random
//! moves, half of them captures where there are any, from every training position. The network of the mean is that of the file,
//! or the one that comes with plyscope.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use eval::network::Network;
use eval::{ChessEvaluator, Evaluation, Evaluator};
use fastrand::Rng;
use game::ChessPosition;
use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Role,
    Setup, Square,
};

/// The bytes of a position.
const BYTES: usize = 66;
const NO_SQUARE: u8 = 255;
const WALKS: usize = 2;
const LONGEST_WALK: usize = 3;

/// The sides' rights to castle in the order of their bits, the mover's first.
fn rights(us: Color) -> [(Color, CastlingSide); 4] {
    let of = |color| CastlingSide::ALL.map(|side| (color, side));
    let [a, b] = of(us);
    let [c, d] = of(!us);
    [a, b, c, d]
}

/// Reads a position; White moves.
fn read(bytes: &[u8]) -> Option<Chess> {
    let mut setup = Setup::empty();
    for square in Square::ALL {
        let code = bytes[usize::from(square)];
        if let Some(kind) = code.checked_sub(1) {
            let color = Color::from_white(kind < 6);
            let of_side = if kind < 6 { kind } else { kind - 6 };
            let role = *Role::ALL.get(usize::from(of_side))?;
            setup.board.set_piece_at(square, Piece { color, role });
        }
    }
    for (bit, (color, side)) in rights(Color::White).into_iter().enumerate() {
        if bytes[64] >> bit & 1 == 1 {
            let file = shakmaty::File::new(if side.is_king_side() { 7 } else { 0 });
            let rook = Square::from_coords(file, color.backrank());
            setup.castling_rights.add(rook);
        }
    }
    setup.ep_square = match bytes[65] {
        NO_SQUARE => None,
        square => Some(Square::try_from(square).ok()?),
    };
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

fn written(chess: &Chess) -> [u8; BYTES] {
    let us = chess.turn();
    let flip = us.fold_wb(0, 56);
    let mut bytes = [0; BYTES];
    for (square, piece) in chess.board().iter() {
        let side = if piece.color == us { 0 } else { 6 };
        bytes[usize::from(square) ^ flip] = piece.role as u8 + side;
    }
    let castles = chess.castles();
    for (bit, (color, side)) in rights(us).into_iter().enumerate() {
        bytes[64] |= u8::from(castles.has(color, side)) << bit;
    }
    let passed = chess.ep_square(EnPassantMode::Legal);
    bytes[65] = passed.map_or(NO_SQUARE, |square| (usize::from(square) ^ flip) as u8);
    bytes
}

/// Returns where some random moves lead; `None` if the game ends there.
fn walk(mut chess: Chess, rng: &mut Rng) -> Option<Chess> {
    for _ in 0..rng.usize(1..=LONGEST_WALK) {
        let mut moves = chess.legal_moves();
        if moves.iter().any(|m| m.is_capture()) && rng.bool() {
            moves.retain(|m| m.is_capture());
        }
        let m = *rng.choice(&moves)?;
        chess.play_unchecked(m);
    }
    (!chess.is_game_over()).then_some(chess)
}

fn value(both: &ChessEvaluator, chess: Chess) -> [u8; 2] {
    let position = ChessPosition::new(chess, CastlingMode::Standard);
    let value = both.value(&both.start(&position), &position);
    value.raw().to_le_bytes()
}

fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    std::fs::read(path).map_err(|e| io::Error::other(format!("{}: {e}", path.display())))
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let cache = arguments.next().ok_or_else(|| {
        io::Error::other("expected the cache of network/prepare.py, as in: teacher CACHE")
    })?;
    if let Some(path) = arguments.next() {
        let network = Network::from_bytes(&bytes_of(&path)?).map_err(io::Error::other)?;
        network
            .put_in_use()
            .map_err(|_| io::Error::other("another network is in use"))?;
    }
    let both = ChessEvaluator::new(Evaluation::Both);
    let create = |name: &str| Ok::<_, io::Error>(BufWriter::new(File::create(cache.join(name))?));
    let (mut walks, mut of_walks) = (create("walks.boards")?, create("walks.taught")?);
    let mut rng = Rng::with_seed(1);
    for name in ["test", "train"] {
        let path = cache.join(format!("{name}.boards"));
        let mut taught = create(&format!("{name}.taught"))?;
        for (number, bytes) in bytes_of(&path)?.chunks(BYTES).enumerate() {
            let chess = Some(bytes)
                .filter(|bytes| bytes.len() == BYTES)
                .and_then(read);
            let chess = chess.ok_or_else(|| {
                io::Error::other(format!(
                    "{}: position {} is none, expected {BYTES} bytes as network/prepare.py writes them",
                    path.display(),
                    number + 1
                ))
            })?;
            taught.write_all(&value(&both, chess.clone()))?;
            for _ in 0..if name == "train" { WALKS } else { 0 } {
                if let Some(end) = walk(chess.clone(), &mut rng) {
                    walks.write_all(&written(&end))?;
                    of_walks.write_all(&value(&both, end))?;
                }
            }
        }
        taught.flush()?;
    }
    walks.flush()?;
    of_walks.flush()
}
