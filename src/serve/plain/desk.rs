//! What each word does.

use std::path::Path;
use std::time::Duration;

use super::say;
use super::words::{WORDS, Word};
use crate::place::{Opened, Place, reading};
use crate::search::{Search, Stop};
use ::search::{Limits, Value, quantity};
use ::tree::{NodeId, Tree};
use algorithms::Algorithm;
use game::Game as _;
use session::debug::Step;
use session::saved::{self, Progress};
use session::{Config, Row, Session, Subject};
use text::quote;

/// What a word says, sentence by sentence, or why it can't be done.
pub(super) type Answer = Result<Vec<String>, String>;

/// How many moves are said unless asked for more.
const MOVES: usize = 10;

/// The position, its search, and where in its tree the user is.
#[derive(Debug)]
pub struct Desk {
    pub(super) search: Search,
    /// With what the next search begins.
    config: Config,
    at: NodeId,
    /// Whether the search was sent on its way, and where it stops has not been said.
    pub(super) awaited: bool,
    pub(super) ends: bool,
}

impl Desk {
    /// Whether a position of chess is open.
    pub fn is_chess(&self) -> bool {
        self.search.subject.position.as_chess().is_some()
    }

    /// Starts with a search, or with a position that has none yet.
    pub fn new(search: Search, config: Config) -> Desk {
        Desk {
            awaited: search.session().is_some(),
            search,
            config,
            at: Tree::ROOT,
            ends: false,
        }
    }

    /// Does what a line says.
    pub fn answer(&mut self, line: &str) -> Answer {
        let line = line.trim();
        let (name, after) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if name.is_empty() {
            return Ok(Vec::new());
        }
        let word = Word::named(name)?;
        if word.needs_search && self.search.session().is_none() {
            return Err("Nothing has been searched yet: search begins.".into());
        }
        (word.run)(self, after.trim())
    }

    /// What is said where the search has stopped.
    pub fn stopped(&mut self, stop: &Stop) -> Vec<String> {
        let news = self.search.take_news();
        self.at_home();
        say::stop(&self.search, stop, news)
    }

    /// Goes to the root if the node is not in this tree any more.
    fn at_home(&mut self) {
        let tree = self.search.session().map(Session::tree);
        if !tree.is_some_and(|tree| tree.contains(self.at)) {
            self.at = Tree::ROOT;
        }
    }

    fn session(&mut self) -> Result<&Session, String> {
        self.at_home();
        self.search
            .session()
            .ok_or_else(|| "Nothing has been searched yet: search begins.".to_owned())
    }

    /// The position at the node, or of which there is no search yet.
    fn situation(&mut self) -> Option<Subject> {
        self.at_home();
        match self.search.session() {
            Some(session) => session.situation(self.at),
            None => Some(self.search.subject.clone()),
        }
    }

    /// Opens something else; the search ends.
    fn open(&mut self, opened: Opened) -> Answer {
        let warnings = opened.warnings.clone();
        // Nobody waits for the search that this ends.
        *self = Desk::new(Search::new(opened), self.config.clone());
        let mut said = say::position(&self.search);
        said.extend(warnings);
        Ok(said)
    }

    fn begin(&mut self, after: &str, paused: bool) -> Answer {
        let mut config = self.config.clone();
        let asked = take_algorithm(after, &mut config)?;
        if config.limits == Limits::default() {
            config.limits.nodes = Some(NODES);
        }
        self.config = config.clone();
        let recorded = self.search.recorded.as_ref();
        let config = reading(recorded, &self.search.subject, config, asked);
        let config = config.map_err(|e| e.message)?;
        let name = config.name().to_owned();
        self.search.start(config, paused);
        self.at = Tree::ROOT;
        self.awaited = true;
        Ok(vec![match paused {
            true => format!("{name} waits before its first event."),
            false => format!("{name} searches."),
        }])
    }

    /// Sends the search on its way.
    fn send(&mut self, order: impl FnOnce(&mut Search)) -> Answer {
        order(&mut self.search);
        self.awaited = true;
        Ok(Vec::new())
    }
}

/// The nodes of a search that has no limit.
const NODES: u64 = 100_000;

/// Reads an algorithm and a limit in any order. Returns whether an algorithm was named.
fn take_algorithm(text: &str, config: &mut Config) -> Result<bool, String> {
    let (mut asked, mut limits) = (false, Limits::default());
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        if let Ok(algorithm) = word.parse::<Algorithm>() {
            asked = true;
            if algorithm != config.algorithm {
                config.algorithm = algorithm;
                config.options = algorithm.default_options();
            }
        } else if word == "depth" {
            limits.depth = Some(number(words.next().unwrap_or_default(), 200)? as u16);
        } else if let Ok(nodes) = quantity::count(word) {
            limits.nodes = Some(nodes);
        } else if let Ok(time) = quantity::duration(word) {
            limits.time = Some(time).filter(|time| *time > Duration::ZERO);
        } else {
            let expected = "an algorithm, a number of nodes, a time such as 10s, or depth N";
            return Err(format!("Found {}, expected {expected}.", quote(word)));
        }
    }
    if limits != Limits::default() {
        config.limits = limits;
    }
    Ok(asked)
}

/// Reads a number from 1 on.
fn number(text: &str, most: u64) -> Result<u64, String> {
    let read = text.parse().ok();
    read.filter(|n| (1..=most).contains(n)).ok_or_else(|| {
        let found = match text {
            "" => "nothing".to_owned(),
            text => quote(text),
        };
        match most {
            u64::MAX => format!("Found {found}, expected a number from 1 on."),
            most => format!("Found {found}, expected a number from 1 to {most}."),
        }
    })
}

/// Reads a number that may be left out.
fn number_or(text: &str, usual: u64) -> Result<u64, String> {
    match text {
        "" => Ok(usual),
        text => number(text, u64::MAX),
    }
}

pub fn help(_: &mut Desk, after: &str) -> Answer {
    let said = |word: &Word| format!("{}: {}.", word.usage(), word.summary);
    if !after.is_empty() {
        return Ok(vec![said(Word::named(after)?)]);
    }
    let first = "Each word may be shortened; s is search, m is moves. Values are given from one side's view, which is named.";
    let words = WORDS.iter().map(said);
    Ok(std::iter::once(first.to_owned()).chain(words).collect())
}

pub fn board(desk: &mut Desk, _: &str) -> Answer {
    Ok(desk.situation().map_or_else(Vec::new, |at| say::board(&at)))
}

pub fn search(desk: &mut Desk, after: &str) -> Answer {
    desk.begin(after, false)
}

pub fn debug(desk: &mut Desk, after: &str) -> Answer {
    desk.config.threads = 1;
    desk.begin(after, true)
}

pub fn moves(desk: &mut Desk, after: &str) -> Answer {
    let most = match after {
        "all" => usize::MAX,
        text => number_or(text, MOVES as u64)? as usize,
    };
    let at = desk.at;
    Ok(say::moves(desk.session()?, at, most))
}

pub fn here(desk: &mut Desk, _: &str) -> Answer {
    let at = desk.at;
    Ok(say::node(desk.session()?, at))
}

pub fn go(desk: &mut Desk, after: &str) -> Answer {
    if after.is_empty() {
        return Err("Found nothing, expected moves: go e4 e5, or go 1 for the best.".into());
    }
    let at = desk.at;
    let session = desk.session()?;
    let place: Option<usize> = after.parse().ok();
    let row = match place {
        Some(place) => row_at(session, at, place),
        None => None,
    };
    let next = match row {
        Some(row) => row.id.node().ok_or_else(|| say::no_node(session, &row))?,
        None => match session.reader().row_named(at, after) {
            Some(row) if row.id.node().is_none() => return Err(say::no_node(session, &row)),
            _ => session.reader().follow(at, after).map_err(say::sentence)?,
        },
    };
    let said = say::node(session, next);
    desk.at = next;
    Ok(said)
}

/// The row at a place of the list of moves, from 1.
fn row_at(session: &Session, at: NodeId, place: usize) -> Option<Row> {
    let rows = session.reader().rows_best_first(at);
    rows.into_iter().nth(place.checked_sub(1)?)
}

pub fn up(desk: &mut Desk, after: &str) -> Answer {
    let plies = number_or(after, 1)?;
    let mut at = desk.at;
    let session = desk.session()?;
    if at == Tree::ROOT {
        return Err("This is the root.".into());
    }
    for _ in 0..plies {
        match session.tree().node(at).parent() {
            NodeId::NONE => break,
            parent => at = parent,
        }
    }
    let said = say::node(session, at);
    desk.at = at;
    Ok(said)
}

pub fn top(desk: &mut Desk, _: &str) -> Answer {
    desk.at = Tree::ROOT;
    here(desk, "")
}

pub fn line(desk: &mut Desk, _: &str) -> Answer {
    let at = desk.at;
    Ok(say::line(desk.session()?, at))
}

pub fn why(desk: &mut Desk, after: &str) -> Answer {
    let at = desk.at;
    let session = desk.session()?;
    if after.is_empty() {
        return Ok(say::explanation(session, at));
    }
    let name = after.strip_prefix("not ").unwrap_or(after).trim();
    let row = match name.parse() {
        Ok(place) => row_at(session, at, place),
        Err(_) => session.reader().row_named(at, name),
    };
    match row {
        Some(row) => Ok(say::answer(session, at, &row)),
        None => Err(format!(
            "Found {}, expected a move here; moves all says them.",
            quote(name)
        )),
    }
}

pub fn result(desk: &mut Desk, _: &str) -> Answer {
    Ok(say::result(desk.session()?))
}

pub fn stop(desk: &mut Desk, _: &str) -> Answer {
    if desk.search.stop().is_some() {
        return Err("It does not run.".into());
    }
    desk.send(Search::pause)
}

pub fn resume(desk: &mut Desk, _: &str) -> Answer {
    if let Some(Stop { ended: Some(_), .. }) = desk.search.stop() {
        return Err("The search has ended; back and event go back into it.".into());
    }
    desk.send(|search| search.run(false))
}

pub fn step(desk: &mut Desk, after: &str) -> Answer {
    let (kind, times) = match after.split_once(' ').unwrap_or((after, "")) {
        ("over", times) => (Step::Over, times),
        ("out", times) => (Step::Out, times),
        ("into", times) => (Step::Into, times),
        (times, "") => (Step::Into, times),
        (other, _) => return Err(format!("Found {}, expected over or out.", quote(other))),
    };
    let times = number_or(times.trim(), 1)?;
    let times = u32::try_from(times).unwrap_or(u32::MAX);
    desk.send(|search| search.step(kind, times))
}

pub fn back(desk: &mut Desk, after: &str) -> Answer {
    let events = number_or(after, 1)?;
    desk.send(|search| search.step_back(events))
}

pub fn event(desk: &mut Desk, after: &str) -> Answer {
    let event = match after {
        "0" => 0,
        text => number(text, u64::MAX)?,
    };
    desk.send(|search| search.go_to(event))
}

pub fn breakpoint(desk: &mut Desk, after: &str) -> Answer {
    let known = desk.search.breakpoints().iter();
    let mut texts: Vec<String> = known.map(|b| b.text().to_owned()).collect();
    match after {
        "" if texts.is_empty() => return Ok(vec!["There is no breakpoint.".into()]),
        "" => {
            let said = texts.iter().enumerate();
            return Ok(said
                .map(|(i, text)| format!("{}: {text}.", i + 1))
                .collect());
        }
        "off" => texts.clear(),
        text => texts.push(text.to_owned()),
    }
    let set = desk.search.set_breakpoints(&texts);
    match set.into_iter().next_back() {
        Some(Err(error)) => Err(say::sentence(error.to_string())),
        Some(Ok((number, breakpoint))) => Ok(vec![format!(
            "Breakpoint {number}: {}.",
            breakpoint.canonical()
        )]),
        None => Ok(vec!["There is no breakpoint.".into()]),
    }
}

pub fn set(desk: &mut Desk, after: &str) -> Answer {
    let options = &mut desk.config.options;
    if !after.is_empty() {
        options
            .set_pairs(after)
            .map_err(|e| say::sentence(e.to_string()))?;
    }
    let changed: Vec<String> = options
        .iter()
        .filter(|(spec, value)| spec.parse(spec.default).is_ok_and(|usual| usual != **value))
        .map(|(spec, value): (_, &Value)| format!("{} is {value}.", spec.key))
        .collect();
    let name = desk.config.algorithm.name();
    Ok(match changed.is_empty() {
        true => vec![format!("All options of {name} have their defaults.")],
        false => changed,
    })
}

pub fn play(desk: &mut Desk, after: &str) -> Answer {
    if after.is_empty() {
        return Err("Found nothing, expected moves.".into());
    }
    let next = desk.search.subject.play_text(after);
    let subject = next.map_err(|e| say::sentence(e.to_string()))?;
    desk.open(Opened::of(subject))
}

pub fn open(desk: &mut Desk, after: &str) -> Answer {
    if after.is_empty() {
        return Err("Found nothing, expected the name of a file.".into());
    }
    if saved::is_saved(Path::new(after)) {
        let search = restored(Path::new(after)).map_err(say::sentence)?;
        *desk = Desk::new(search, desk.config.clone());
        return Ok(say::position(&desk.search));
    }
    // A number at the end is the entry, unless a file is called so.
    let numbered = after
        .rsplit_once(' ')
        .filter(|_| !Path::new(after).exists());
    let numbered = numbered.and_then(|(file, n)| Some((file.trim(), n.parse().ok()?)));
    let (file, game) = match numbered {
        Some((file, game)) => (file, Some(game)),
        None => (after, None),
    };
    let place = Place {
        file: Some(file.to_owned()),
        game,
        ..Place::default()
    };
    let opened = place.open().map_err(|e| say::sentence(e.to_string()))?;
    desk.open(opened)
}

/// Opens a search that was saved; of several the first.
///
/// # Errors
/// If the file can't be read, or has none.
pub fn restored(file: &Path) -> Result<Search, String> {
    let read = saved::read(file, &Progress::default());
    let kept = read.map_err(|e| format!("{}: {e}", file.display()))?;
    let first = kept.searches.into_iter().next();
    let search = first.ok_or_else(|| format!("{}: found no search", file.display()))?;
    Ok(Search::showing(Session::restore(search)))
}

pub fn fen(desk: &mut Desk, after: &str) -> Answer {
    if after.is_empty() {
        let fen = desk.situation().and_then(|at| at.position.fen());
        return fen.map(|fen| vec![fen]).ok_or_else(|| {
            let game = desk.search.subject.position.game_name();
            format!("A position of {game} has no text of this kind.")
        });
    }
    let place = Place {
        fen: Some(after.to_owned()),
        ..Place::default()
    };
    let opened = place.open().map_err(|e| say::sentence(e.to_string()))?;
    desk.open(opened)
}

pub fn quit(desk: &mut Desk, _: &str) -> Answer {
    desk.ends = true;
    Ok(Vec::new())
}
