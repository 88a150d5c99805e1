//! The server: receives commands, answers them, and reports on the running search.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, after, bounded, never, select};

use super::asides;
use super::command::{Command, Go, PositionCommand};
use super::options::Settings;
use super::reader::{self, InputLine};
use super::search::{Search, give_back};
use game::load::fen;
use game::{ChessPosition, Situation, notation};
use session::{Config, Session};
use shakmaty::CastlingMode;
use text::{quote, sanitise};

/// How the session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By `quit`, or at the end of the input.
    Quit,
    /// A search stopped because of a bug. Its `bestmove` was sent.
    SearchFailed,
}

/// Speaks UCI until `quit` or the end of the input. At the end of the input a search with a limit is still finished.
///
/// `config` gives the algorithm and its initial settings. `lists_all` says whether the options of all algorithms are listed, or only
/// those of the chosen one. Only UCI is written to `output`.
///
/// # Errors
/// If the output cannot be written to, or no thread can be started.
pub fn serve(
    config: Config,
    lists_all: bool,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> io::Result<End> {
    let input = reader::read(input)?;
    let waiting = input.clone();
    let (bell, news) = bounded(1);
    let mut settings = Settings::new(config);
    settings.lists_all = lists_all;
    let mut server = Server {
        settings,
        situation: Situation::new(ChessPosition::default()),
        search: None,
        before: None,
        bell,
        waiting,
        pending: VecDeque::new(),
        output,
    };
    let end = server.talk(input, &news);
    // The search must go before the program does, because its threads are joined.
    drop(server.search.take());
    end
}

struct Server<'a, W: Write> {
    settings: Settings,
    situation: Situation<ChessPosition>,
    search: Option<Search>,
    /// The previous search, whose tree the next one may reuse.
    before: Option<Session>,
    bell: Sender<()>,
    /// Commands that were not read yet.
    waiting: Receiver<InputLine>,
    /// Commands that came during work that only `stop` interrupts.
    pending: VecDeque<InputLine>,
    output: &'a mut W,
}

/// Work that is done before the next command, but for `stop`.
struct Interlude<'a> {
    input: &'a Receiver<InputLine>,
    heard: RefCell<Vec<InputLine>>,
}

impl<'a> Interlude<'a> {
    fn new(input: &'a Receiver<InputLine>) -> Self {
        Interlude {
            input,
            heard: RefCell::default(),
        }
    }

    /// Whether `stop` has not come yet.
    fn goes_on(&self) -> bool {
        while let Ok(line) = self.input.try_recv() {
            if Command::read(&line.line) == Command::Stop {
                return false;
            }
            self.heard.borrow_mut().push(line);
        }
        true
    }

    /// The commands that came meanwhile.
    fn heard(self) -> Vec<InputLine> {
        self.heard.into_inner()
    }
}

/// What a command leads to.
enum Next {
    GoOn,
    End,
}

impl<W: Write> Server<'_, W> {
    fn talk(&mut self, mut input: Receiver<InputLine>, news: &Receiver<()>) -> io::Result<End> {
        let mut open = true;
        while open || self.search.is_some() {
            if let Some(line) = self.pending.pop_front() {
                if let Next::End = self.obey(&line)? {
                    return Ok(End::Quit);
                }
                continue;
            }
            let nap = self.search.as_ref().map(Search::patience);
            let alarm = nap.map_or_else(never, after);
            select! {
                recv(input) -> line => match line {
                    Ok(line) => if let Next::End = self.obey(&line)? {
                        return Ok(End::Quit);
                    },
                    Err(_) => {
                        open = false;
                        input = never();
                        if let Some(search) = self.search.as_mut().filter(|s| s.is_held()) {
                            search.stop();
                        }
                    }
                },
                recv(news) -> _ => {}
                recv(alarm) -> _ => {}
            }
            if self.report_news()? {
                return Ok(End::SearchFailed);
            }
        }
        Ok(End::Quit)
    }

    /// Reports on the search, and answers when it ends. Returns whether it failed.
    fn report_news(&mut self) -> io::Result<bool> {
        let Some(search) = &mut self.search else {
            return Ok(false);
        };
        let lines = search.news();
        let over = search.is_over();
        self.say(&lines)?;
        if over { self.answer() } else { Ok(false) }
    }

    /// Ends the running search with its `bestmove`. Returns whether it failed.
    fn answer(&mut self) -> io::Result<bool> {
        let Some(search) = self.search.take() else {
            return Ok(false);
        };
        let outcome = search.finish();
        self.send_notices()?;
        self.before = outcome.ended;
        self.say(&outcome.lines)?;
        Ok(outcome.failed)
    }

    fn obey(&mut self, input: &InputLine) -> io::Result<Next> {
        match Command::read(&input.line) {
            Command::Uci => self.introduce()?,
            Command::IsReady => self.say(&["readyok".to_owned()])?,
            Command::NewGame => {
                self.settings.clear_tables();
                give_back(self.before.take());
            }
            Command::SetOption { name, value } => {
                if let Err(why) = self.settings.set(&name, &value) {
                    self.refuse("setoption", &why)?;
                }
                self.send_notices()?;
                let config = &self.settings.config;
                give_back(self.before.take_if(|s| !config.can_follow(s.config())));
            }
            Command::Position(position) => self.set_position(&position)?,
            Command::Go(go) => return self.go(&go, input.at),
            Command::Stop => {
                if let Some(search) = &mut self.search {
                    search.stop();
                }
            }
            Command::PonderHit => {
                if let Some(search) = &mut self.search {
                    search.ponder_hit(input.at);
                }
            }
            Command::Display => self.say(&asides::board(&self.situation.position))?,
            Command::Evaluate => {
                let options = &self.settings.config.options;
                let lines = asides::evaluate(&self.situation.position, options);
                self.say(&lines)?;
            }
            Command::Bench(nodes) => {
                let interlude = Interlude::new(&self.waiting);
                let lines = asides::bench(&self.settings.config, nodes, &|| interlude.goes_on());
                self.pending.extend(interlude.heard());
                self.say(&lines)?;
            }
            Command::Quit => {
                if self.search.as_ref().is_some_and(Search::owes_its_answer) {
                    self.answer()?;
                }
                return Ok(Next::End);
            }
            Command::Nothing => {}
            Command::Unknown(word) => self.refuse("unknown command", &quote(&word))?,
        }
        Ok(Next::GoOn)
    }

    fn introduce(&mut self) -> io::Result<()> {
        let mut lines = vec![
            format!(
                "id name plyscope {} ({})",
                env!("CARGO_PKG_VERSION"),
                self.settings.config.algorithm
            ),
            "id author the plyscope authors".to_owned(),
        ];
        lines.extend(self.settings.list());
        lines.push("uciok".to_owned());
        self.say(&lines)
    }

    /// Sets the position as far as it can be understood: an invalid FEN leaves the previous position, and moves are
    /// played up to the first illegal one.
    fn set_position(&mut self, command: &PositionCommand) -> io::Result<()> {
        let read = command.fen.as_deref().map(fen::parse).transpose();
        let chess960 = self.settings.chess960;
        let position = match read {
            Ok(None) => ChessPosition::default(),
            Ok(Some(read)) => {
                for warning in &read.warnings {
                    if !chess960 || warning != fen::IS_CHESS960 {
                        self.refuse("position fen", warning)?;
                    }
                }
                read.position
            }
            Err(error) => {
                let why = format!("{error}; the position stays");
                return self.refuse("position fen", &why);
            }
        };
        let mut situation = Situation::new(if chess960 {
            ChessPosition::new(position.chess().clone(), CastlingMode::Chess960)
        } else {
            position
        });
        let mut illegal = None;
        for (i, text) in command.moves.iter().enumerate() {
            let Some(m) = notation::parse_uci(&situation.position, text) else {
                illegal = Some((i + 1, text));
                break;
            };
            situation.play(m);
        }
        self.situation = situation;
        match illegal {
            None => Ok(()),
            Some((number, text)) => {
                let text = quote(text);
                let why = format!(
                    "move {number} {text}, expected a legal one: left out with those after it"
                );
                self.refuse("position", &why)
            }
        }
    }

    fn go(&mut self, go: &Go, since: Instant) -> io::Result<Next> {
        // Each `go` is answered, even if another one replaces it.
        if self.answer()? {
            return Ok(Next::End);
        }
        for number in &go.refused {
            self.refuse("go", &format!("{}, expected a whole number", quote(number)))?;
        }
        if !go.unknown.is_empty() {
            let words = go.unknown.join(" ");
            let why = format!(
                "{}, expected a limit such as nodes or movetime",
                quote(&words)
            );
            self.refuse("go", &why)?;
        }
        if go.is_misunderstood() {
            return Ok(Next::GoOn);
        }
        if let Some(depth) = go.perft {
            self.count(depth)?;
            return Ok(Next::GoOn);
        }
        for text in &go.search_moves {
            if notation::parse_uci(&self.situation.position, text).is_none() {
                let why = format!("searchmoves {}, expected legal moves", quote(text));
                self.refuse("go", &why)?;
            }
        }
        let (bell, before) = (self.bell.clone(), self.before.take());
        let search = Search::start(&self.situation, go, &self.settings, since, bell, before);
        self.search = Some(search);
        Ok(Next::GoOn)
    }

    /// Counts the lines of play, unless `stop` comes.
    fn count(&mut self, depth: u32) -> io::Result<()> {
        let interlude = Interlude::new(&self.waiting);
        let found = asides::divided(&self.situation.position, depth, &|| interlude.goes_on());
        self.pending.extend(interlude.heard());
        match found {
            Some(lines) => self.say(&lines),
            None => self.refuse("go perft", "stopped"),
        }
    }

    /// Reports problems on the side, such as endgame tables that cannot be read.
    fn send_notices(&mut self) -> io::Result<()> {
        let notices = self.settings.take_notices();
        notices
            .iter()
            .try_for_each(|what| self.refuse("SyzygyPath", what))
    }

    /// Reports why something was not done. The line never begins with a move, because some programs read such lines as
    /// search statistics.
    fn refuse(&mut self, what: &str, why: &str) -> io::Result<()> {
        self.say(&[format!("info string {what}: {}", sanitise(why))])
    }

    fn say(&mut self, lines: &[String]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        for line in lines {
            writeln!(self.output, "{line}")?;
        }
        self.output.flush()
    }
}
