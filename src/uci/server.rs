//! The server: hears commands, answers them, and tells of the search under way.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, after, bounded, never, select};

use super::command::{Command, Go, PositionCommand};
use super::options::Settings;
use super::reader::{self, Heard};
use super::search::{Search, give_back};
use crate::engine::{Config, Session};
use crate::game::load::fen;
use crate::game::text::{quote, sanitise};
use crate::game::{ChessPosition, Situation, notation};
use shakmaty::CastlingMode;

/// How the talk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// `quit`, or the end of the input.
    Quit,
    /// A search broke off by a mistake of the program. Its `bestmove` was sent.
    SearchFailed,
}

/// Speaks UCI until `quit` or the end of the input; a search with a limit is finished at the input's end.
///
/// `config` gives the algorithm and what it begins with. Nothing but UCI is written to `output`.
///
/// # Errors
/// Where the output can't be written to, or no thread can be started.
pub fn serve(
    config: Config,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> io::Result<End> {
    let heard = reader::read(input)?;
    let (bell, news) = bounded(1);
    let mut server = Server {
        settings: Settings::new(config),
        situation: Situation::new(ChessPosition::default()),
        search: None,
        before: None,
        bell,
        output,
    };
    let end = server.talk(heard, &news);
    // The search goes before the program does: its threads are joined.
    drop(server.search.take());
    end
}

struct Server<'a, W: Write> {
    settings: Settings,
    situation: Situation<ChessPosition>,
    search: Option<Search>,
    /// The last search, which the next one may begin on.
    before: Option<Session>,
    bell: Sender<()>,
    output: &'a mut W,
}

/// What follows from a command.
enum Next {
    GoOn,
    End,
}

impl<W: Write> Server<'_, W> {
    fn talk(&mut self, mut heard: Receiver<Heard>, news: &Receiver<()>) -> io::Result<End> {
        let mut open = true;
        while open || self.search.is_some() {
            let nap = self.search.as_ref().map(Search::patience);
            let alarm = nap.map_or_else(never, after);
            select! {
                recv(heard) -> line => match line {
                    Ok(line) => if let Next::End = self.obey(&line)? {
                        return Ok(End::Quit);
                    },
                    Err(_) => {
                        open = false;
                        heard = never();
                        if let Some(search) = self.search.as_mut().filter(|s| s.is_held()) {
                            search.stop();
                        }
                    }
                },
                recv(news) -> _ => {}
                recv(alarm) -> _ => {}
            }
            if self.tend()? {
                return Ok(End::SearchFailed);
            }
        }
        Ok(End::Quit)
    }

    /// Tells the news of the search, and its end. Answers whether it failed.
    fn tend(&mut self) -> io::Result<bool> {
        let Some(search) = &mut self.search else {
            return Ok(false);
        };
        let lines = search.news();
        let over = search.is_over();
        self.say(&lines)?;
        if over { self.answer() } else { Ok(false) }
    }

    /// Ends the search under way with its `bestmove`. Answers whether it failed.
    fn answer(&mut self) -> io::Result<bool> {
        let Some(search) = self.search.take() else {
            return Ok(false);
        };
        let outcome = search.finish();
        self.before = outcome.ended;
        self.tell_notices()?;
        self.say(&outcome.lines)?;
        Ok(outcome.failed)
    }

    fn obey(&mut self, heard: &Heard) -> io::Result<Next> {
        match Command::read(&heard.line) {
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
                let config = &self.settings.config;
                give_back(self.before.take_if(|s| !config.can_follow(s.config())));
                self.tell_notices()?;
            }
            Command::Position(position) => self.set_position(&position)?,
            Command::Go(go) => return self.go(&go, heard.at),
            Command::Stop | Command::PonderHit => {
                if let Some(search) = &mut self.search {
                    search.stop();
                }
            }
            Command::Quit => return Ok(Next::End),
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

    /// The position, as far as it can be understood: a FEN that can't leaves the one before, moves are played up to the
    /// first that is not legal.
    fn set_position(&mut self, command: &PositionCommand) -> io::Result<()> {
        let read = command.fen.as_deref().map(fen::parse).transpose();
        let position = match read {
            Ok(read) => read.map_or_else(ChessPosition::default, |read| read.position),
            Err(error) => return self.refuse("position", &error.to_string()),
        };
        let mut situation = Situation::new(if self.settings.chess960 {
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
                    "move {number} {text}, expected a legal one: left out with those behind it"
                );
                self.refuse("position", &why)
            }
        }
    }

    fn go(&mut self, go: &Go, since: Instant) -> io::Result<Next> {
        // Each `go` is answered, also one that another takes the place of.
        if self.answer()? {
            return Ok(Next::End);
        }
        for number in &go.refused {
            self.refuse("go", &format!("{}, expected a whole number", quote(number)))?;
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

    /// Tells what went wrong beside: endgame tables that can't be read.
    fn tell_notices(&mut self) -> io::Result<()> {
        let notices = self.settings.take_notices();
        notices
            .iter()
            .try_for_each(|what| self.refuse("SyzygyPath", what))
    }

    /// Says why something was not done. Never begins with a move: such lines are taken for figures of the search.
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
