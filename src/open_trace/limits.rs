//! The limits of a stream. What goes beyond them is cut or dropped, and counted.

/// The most threads. Their numbers are below it.
pub const THREADS: usize = 256;
/// The most numbers of a reason.
pub const NUMBERS: usize = 8;
/// The longest name of a move, a reason or a number, in bytes.
pub const NAME: usize = 64;
/// The longest text, such as a note, in bytes.
pub const TEXT: usize = 4096;
/// The longest line, and the longest payload of a chunk, in bytes.
pub const CHUNK: usize = 1 << 20;
/// The most lines of a position drawn as text.
pub const RENDER_LINES: usize = 64;
/// The most columns of a position drawn as text.
pub const RENDER_COLUMNS: usize = 128;
/// The deepest nesting of nodes that are entered and not yet left.
pub const OPEN_NODES: usize = 1024;
/// The most moves of a node that one record lists.
pub const MOVES: usize = 65_535;
/// The most moves that were played before the search.
pub const PLAYED: usize = 8192;
/// The most different names of moves. Further moves all have the name `…`.
pub const NAMES: usize = 1 << 20;
/// The most numbers from 65,536 on that a thread uses for its moves in the binary form.
pub const LARGE_NUMBERS: usize = 1 << 18;
/// The greatest depth or ply, in either direction.
pub const DEPTH: i64 = 32_767;
/// The greatest value in either direction, in units of the header's `step`.
pub const VALUE: f64 = 2_147_483_647.0;
