//! The connection to an external engine: starting it, setting it up, and reading its answers in time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::select;

use super::engine_handle::EngineHandle;
use super::process::{self, Heard, Pipes, lock};
use super::uci::{Announced, UciMessage, read};
use game::{ChessPosition, Game as _, Situation};
use text::{quote, sanitise};

/// Why a connection ends.
#[derive(Debug)]
pub(super) enum Halt {
    /// The engine is no longer needed.
    Quit,
    /// The engine failed: what happened and what was expected, without the program's name.
    Fault(String),
}

/// A running engine that has completed the handshake.
#[derive(Debug)]
pub(super) struct UciConnection {
    engine: Arc<EngineHandle>,
    pipes: Pipes,
    options: Vec<Announced>,
    /// `UCI_Chess960` is on: castling is written as the king taking its own rook.
    chess960: bool,
}

impl UciConnection {
    /// Starts the program and sets it up.
    pub fn start(engine: Arc<EngineHandle>) -> Result<UciConnection, Halt> {
        let trace = engine.next_trace();
        let environment = trace
            .as_ref()
            .map_or_else(Vec::new, |trace| trace.environment());
        let command = &engine.spec.command;
        let started = process::start(command, &environment, &engine.process, &engine.tail);
        if engine.is_to_quit() {
            // The owner may have dropped the engine before its process existed.
            engine.process.kill();
            return Err(Halt::Quit);
        }
        let program = "a program that speaks UCI";
        let pipes = started.map_err(|e| Halt::Fault(cannot_start(&e, program)))?;
        let begun = trace.map_or(Ok(()), |trace| trace.begin());
        begun.map_err(|e| Halt::Fault(format!("can't be traced: {e}")))?;
        let mut connection = UciConnection {
            engine,
            pipes,
            options: Vec::new(),
            chess960: false,
        };
        connection.shake_hands()?;
        connection.set_up();
        Ok(connection)
    }

    fn shake_hands(&mut self) -> Result<(), Halt> {
        const AWAITED: &str = "uciok";
        self.send("uci");
        let late = Instant::now() + self.engine.spec.patience.ready;
        loop {
            match self.answer(AWAITED, "uci", late)? {
                UciMessage::UciOk => return Ok(()),
                UciMessage::Name(name) => *lock(&self.engine.name) = Some(name),
                UciMessage::Option(option) => self.options.push(option),
                _ => {}
            }
        }
    }

    /// Sets the engine's options: first those that make it show more of what it knows, then those given by the user.
    fn set_up(&mut self) {
        let engine = Arc::clone(&self.engine);
        let most = self.option("MultiPV").and_then(|o| o.max);
        let lines = u64::from(engine.spec.lines).min(most.unwrap_or(u64::MAX));
        if lines > 1 {
            self.set("MultiPV", &lines.to_string());
        }
        for shows in ["UCI_ShowWDL", "VerboseMoveStats", "LogLiveStats"] {
            self.set(shows, "true");
        }
        for (name, value) in &engine.spec.options {
            if !self.set(name, value) {
                let warning = format!("{} has no option {}", engine.spec.name, quote(name));
                lock(&engine.warnings).push(sanitise(&warning));
            }
        }
    }

    fn option(&self, name: &str) -> Option<&Announced> {
        self.options
            .iter()
            .find(|o| o.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option if the engine has it; a button has no value.
    fn set(&mut self, name: &str, value: &str) -> bool {
        let Some(option) = self.option(name) else {
            return false;
        };
        let mut line = format!("setoption name {}", option.name);
        if !value.is_empty() {
            line += &format!(" value {value}");
        }
        self.send(&line);
        true
    }

    /// Returns the number of its threads: 1 unless the user's options set another.
    pub fn threads(&self) -> usize {
        let options = self.engine.spec.options.iter();
        let mut threads = options.filter(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        let known = self.option("Threads").is_some();
        threads
            .next_back()
            .filter(|_| known)
            .and_then(|(_, value)| value.parse().ok())
            .unwrap_or(1)
    }

    /// Starts a new game, so that the engine knows nothing from earlier searches, and gives it this one with the moves that led
    /// here, so that it knows about repetitions.
    pub fn set_game(&mut self, game: &Situation<ChessPosition>) -> Result<(), Halt> {
        let position = &game.position;
        const AWAITED: &str = "readyok";
        let chess960 = position.castling_mode().is_chess960();
        if chess960 != self.chess960 && self.set("UCI_Chess960", &chess960.to_string()) {
            self.chess960 = chess960;
        }
        self.send("ucinewgame");
        self.send(&position_command(game));
        self.send("isready");
        let late = Instant::now() + self.engine.spec.patience.ready;
        while self.answer(AWAITED, "isready", late)? != UciMessage::ReadyOk {}
        Ok(())
    }

    /// Reads the next message, until the deadline `late`.
    fn answer(&mut self, awaited: &str, asked: &str, late: Instant) -> Result<UciMessage, Halt> {
        loop {
            if self.engine.is_to_quit() {
                return Err(Halt::Quit);
            }
            let left = late.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.silent(awaited, asked, self.engine.spec.patience.ready));
            }
            if let Some(line) = self.hear(left, awaited)? {
                return Ok(read(&line));
            }
        }
    }

    /// The failure of an engine that did not answer in time.
    pub fn silent(&self, awaited: &str, asked: &str, within: Duration) -> Halt {
        let within = within.as_secs_f32();
        Halt::Fault(format!(
            "does not answer {asked}: expected {awaited} within {within} s"
        ))
    }

    /// Reads the next line. `None` when `most` has passed, or when the driver was woken.
    pub fn hear(&mut self, most: Duration, awaited: &str) -> Result<Option<String>, Halt> {
        let heard = select! {
            recv(self.pipes.heard) -> heard => heard.unwrap_or(Heard::End),
            recv(self.engine.pokes) -> _ => return Ok(None),
            default(most) => return Ok(None),
        };
        match heard {
            Heard::Line(line) => Ok(Some(line)),
            Heard::Endless => Err(Halt::Fault(format!(
                "wrote more than 1 MiB without a line's end, expected {awaited}"
            ))),
            Heard::End => Err(self.gone(awaited)),
        }
    }

    /// Sends one line. A failure to send is not reported here: what the engine wrote before, and how it ended, says
    /// more.
    pub fn send(&mut self, line: &str) {
        let _ = self.pipes.send(line);
    }

    /// Returns how the connection ends after the engine has closed its output.
    fn gone(&self, awaited: &str) -> Halt {
        if self.engine.is_to_quit() {
            return Halt::Quit;
        }
        // The process may be about to end.
        let status = self.engine.process.reap(Duration::from_millis(500));
        Halt::Fault(match status {
            Some(status) => format!("ended ({status}), expected {awaited}"),
            None => format!("closed its output, expected {awaited}"),
        })
    }

    /// Waits for a line from the engine, or for a wake-up. Returns false if the engine has ended.
    pub fn idle(&mut self) -> bool {
        const LONG: Duration = Duration::from_secs(3600);
        self.hear(LONG, "quit").is_ok()
    }
}

/// Says why a program can't be started, without its name.
pub(super) fn cannot_start(error: &std::io::Error, expected: &str) -> String {
    use std::io::ErrorKind::{NotFound, PermissionDenied};
    let what = match error.kind() {
        NotFound => "is not found".to_owned(),
        PermissionDenied => "may not be run (permission denied)".to_owned(),
        _ => format!("can't be run ({error})"),
    };
    format!("{what}, expected {expected}")
}

/// The command `position` with the game's moves; only with the position itself where they are not known.
fn position_command(game: &Situation<ChessPosition>) -> String {
    let played = game.played();
    let mut at = played.start.clone();
    let mut moves = String::new();
    for &code in &played.moves {
        let Some(m) = at.decode(code) else { break };
        moves.push(' ');
        moves += &at.uci(m);
        at.play(m);
    }
    match moves.as_str() {
        moves if moves.is_empty() || at.key() != game.position.key() => {
            format!("position fen {}", game.position.fen())
        }
        moves => format!("position fen {} moves{moves}", played.start.fen()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_gets_the_moves_of_the_game() {
        let start = Situation::new(ChessPosition::default());
        let fen = start.position.fen();
        assert_eq!(position_command(&start), format!("position fen {fen}"));
        let later = start.play_text("e4 e5 Nf3 Nc6").expect("moves");
        let told = format!("position fen {fen} moves e2e4 e7e5 g1f3 b8c6");
        assert_eq!(position_command(&later), told);
        // Through the types of any game, and in two goes.
        let subject = search::Subject::from(start);
        let subject = subject.play_text("e4 e5").expect("moves");
        let subject = subject.play_text("Nf3 Nc6").expect("moves");
        let chess = subject.chess().expect("chess");
        assert_eq!(position_command(&chess), told);
        // What comes before a null move can't be told.
        let mut passed = later.clone();
        assert!(passed.follow(game::MoveCode::PASS));
        assert_eq!(
            position_command(&passed),
            format!("position fen {}", passed.position.fen())
        );
    }
}
