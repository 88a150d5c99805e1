//! The `setup` block: the search that a lesson looks at.

use std::sync::Arc;

use super::Setup;
use super::read::{Block, Fault, Field};
use algorithms::{ALGORITHMS, Algorithm};
use game::load::{fen, toy_tree};
use game::{ChessPosition, Game as _, Situation, ToyPosition};
use games::{Document, samples};
use search::{Limits, quantity};
use session::{Config, Subject};

/// The size of the tree of a lesson's search, in bytes.
const MEMORY: u64 = 256 << 20;
/// The node limit for a search of a chess position without any other limit.
const NODES: u64 = 20_000;

pub(super) const KEYS: [&str; 13] = [
    "tree",
    "fen",
    "position",
    "sample",
    "entry",
    "ply",
    "moves",
    "algorithm",
    "set",
    "nodes",
    "depth",
    "seed",
    "playouts",
];

/// Parses the block; `tree` is a toy tree written out in the same step.
pub(super) fn read(block: &Block, tree: Option<&Block>) -> Result<Setup, Fault> {
    let (subject, title) = subject(block, tree)?;
    let mut config = Config {
        memory: MEMORY,
        ..Config::new(algorithm(block)?)
    };
    for set in block.all("set") {
        for pair in set.text.split_whitespace() {
            let done = config.options.set_pair(pair);
            done.map_err(|e| set.fault(pair, e.to_string()))?;
        }
    }
    config.limits = limits(block, &subject)?;
    if let Some(seed) = block.get("seed") {
        config.seed = seed.number()?;
    }
    Ok(Setup {
        line: block.line,
        subject,
        config,
        title,
    })
}

fn algorithm(block: &Block) -> Result<Algorithm, Fault> {
    let names = || {
        ALGORITHMS
            .iter()
            .map(|a| a.name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let expected = || format!("algorithm: one of {}", names());
    let Some(field) = block.get("algorithm") else {
        return Err(block.fault("no algorithm", expected()));
    };
    (field.text.parse()).map_err(|_| field.fault(&field.text, format!("one of {}", names())))
}

fn limits(block: &Block, subject: &Subject) -> Result<Limits, Fault> {
    let count = |key: &str| match block.get(key) {
        Some(field) => {
            let read = quantity::count(&field.text);
            let expected = "a number like 5000 or 100k";
            read.map(Some)
                .map_err(|_| field.fault(&field.text, expected.into()))
        }
        None => Ok(None),
    };
    let depth = count("depth")?.map(|d| u16::try_from(d).unwrap_or(u16::MAX));
    let (nodes, playouts) = (count("nodes")?, count("playouts")?);
    let is_finite = subject.position.height().is_some();
    let unlimited = nodes.is_none() && depth.is_none() && playouts.is_none();
    Ok(Limits {
        nodes: nodes.or((!is_finite && unlimited).then_some(NODES)),
        depth,
        playouts,
        ..Limits::default()
    })
}

fn subject(block: &Block, tree: Option<&Block>) -> Result<(Subject, String), Fault> {
    let sources = ["tree", "fen", "sample", "position"].map(|key| block.get(key));
    let named = sources.iter().flatten().count();
    if named + usize::from(tree.is_some()) > 1 {
        let expected = "one of tree, fen, position, sample and a tree written out";
        return Err(block.fault("several positions", expected.into()));
    }
    let (start, title) = match (sources, tree) {
        ([None, None, None, None], Some(tree)) => written_tree(tree)?,
        ([Some(field), ..], _) | ([_, _, Some(field), _], _) => sample(block, field)?,
        ([_, _, _, Some(field)], _) => written_position(field)?,
        ([_, Some(field), ..], _) => {
            let read = fen::parse(&field.text).map_err(|e| field.of_load(&e))?;
            let subject = Subject::from(Situation::new(read.position));
            (subject, "a position".to_owned())
        }
        _ => {
            let start = Situation::new(ChessPosition::default());
            (Subject::from(start), "the start position".to_owned())
        }
    };
    let Some(moves) = block.get("moves") else {
        return Ok((start, title));
    };
    let subject = start
        .play_text(&moves.text)
        .map_err(|e| moves.of_load(&e))?;
    Ok((subject, title))
}

/// Reads a position in one line, in the format of any game that has a file: the end of its moves if it is a game.
fn written_position(field: &Field) -> Result<(Subject, String), Fault> {
    let bytes = field.text.as_bytes().to_vec();
    // The name has no extension, so that the format is found by what the line says.
    let document = Document::from_bytes("position", bytes).map_err(|e| field.of_load(&e))?;
    if let Some(problem) = document.problems.first() {
        return Err(field.of_load(problem));
    }
    let entry = document.entry(0).map_err(|e| field.of_load(&e))?;
    if let Some(problem) = entry.problems.first() {
        return Err(field.of_load(problem));
    }
    let subject = entry.subject_at(entry.plies());
    Ok((subject, "a position".to_owned()))
}

fn written_tree(block: &Block) -> Result<(Subject, String), Fault> {
    let read = toy_tree::parse(&block.body).map_err(|e| block.of_load(&e))?;
    let position = ToyPosition::root(Arc::new(read.tree));
    let title = read.title.unwrap_or_else(|| "a toy tree".to_owned());
    Ok((Subject::from(Situation::new(position)), title))
}

fn sample(block: &Block, field: &Field) -> Result<(Subject, String), Fault> {
    let Some(sample) = samples::find(&field.text) else {
        let names: Vec<&str> = samples::all().iter().map(|s| s.name).collect();
        let expected = format!("one of {}", names.join(", "));
        return Err(field.fault(&field.text, expected));
    };
    let document: Document = sample.open().map_err(|e| field.of_load(&e))?;
    let at = match block.get("entry") {
        Some(entry) => {
            let number: u64 = entry.number()?;
            if number == 0 || number > document.len() as u64 {
                let expected = format!("1 to {}", document.len());
                return Err(entry.fault(&entry.text, expected));
            }
            number as usize - 1
        }
        None => 0,
    };
    let entry = document.entry(at).map_err(|e| field.of_load(&e))?;
    let subject = match block.get("ply") {
        Some(ply) => entry.subject_at(ply.number::<u32>()?),
        None => entry.subject_at(0),
    };
    Ok((subject, entry.title))
}
