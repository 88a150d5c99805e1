//! The built-in samples: positions, games and toy trees worth looking at, from `sample-positions/`.

use include_dir::{Dir, include_dir};

use super::{Document, Format};
use game::load::LoadError;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sample-positions");

/// The order in which the samples are offered: small trees to check by hand, then chess from calm to sharp to drawn.
/// Samples that are not listed here follow in order of their names.
const ORDER: &[&str] = &[
    "figure1.tree",
    "figure1-exact.tree",
    "textbook.tree",
    "sixteen-leaves.tree",
    "conspiracy.tree",
    "wide-and-narrow.tree",
    "tic-tac-toe.ttt",
    "connect-four.c4",
    "go.sgf",
    "start.fen",
    "quiet-middlegame.fen",
    "opera-game.pgn",
    "tactics.epd",
    "mate-in-three.epd",
    "smothered-mate.epd",
    "saavedra.epd",
    "pawn-endings.epd",
    "draws.epd",
    "repetition.pgn",
    "kiwipete.fen",
    "chess960.fen",
];

/// One built-in file.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The name of the file.
    pub name: &'static str,
    pub format: &'static Format,
    pub title: String,
    /// A hint about what to look for.
    pub hint: String,
    bytes: &'static [u8],
}

impl Sample {
    /// Opens it like a file of this name.
    ///
    /// # Errors
    /// None for the built-in samples (a test opens them all).
    pub fn open(&self) -> Result<Document, LoadError> {
        Document::from_bytes(self.name, self.bytes.to_vec())
    }

    /// Returns the bytes of the file, for saving it as one's own.
    pub fn bytes(&self) -> &'static [u8] {
        self.bytes
    }
}

/// Returns all samples in the order in which they are offered.
pub fn all() -> Vec<Sample> {
    let mut samples: Vec<Sample> = FILES
        .files()
        .filter_map(|file| {
            let name = file.path().to_str()?;
            let bytes = file.contents();
            let document = Document::from_bytes(name, bytes.to_vec()).ok()?;
            let (title, hint) = document.caption();
            Some(Sample {
                name,
                format: document.format,
                title,
                hint: hint.unwrap_or_default(),
                bytes,
            })
        })
        .collect();
    let place = |name: &str| ORDER.iter().position(|n| *n == name).unwrap_or(ORDER.len());
    samples.sort_by_key(|sample| (place(sample.name), sample.name));
    samples
}

/// Returns the built-in labelled positions, as [`game::load::labels`] reads them.
pub fn labels() -> &'static str {
    let file = FILES.get_file("labels/sample.tsv");
    file.and_then(|f| f.contents_utf8()).unwrap_or_default()
}

/// Returns the sample with this name, with or without its extension.
pub fn find(name: &str) -> Option<Sample> {
    let stem = |full: &str| full.rsplit_once('.').map(|(stem, _)| stem.to_owned());
    all()
        .into_iter()
        .find(|s| s.name == name || stem(s.name).as_deref() == Some(name))
}
