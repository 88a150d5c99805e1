//! The commands of the other program, parsed line by line. Unknown words are skipped, as the protocol requires.

use std::time::Duration;

/// One command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        /// Empty if the command gives none.
        value: String,
    },
    Position(PositionCommand),
    Go(Go),
    Stop,
    PonderHit,
    Quit,
    /// `d`: show the board.
    Display,
    /// `eval`: evaluate the position without a search.
    Evaluate,
    /// `bench`: measure the speed, with this many nodes for each position.
    Bench(Option<u64>),
    /// A known command that needs no action: an empty line, `debug`, `register`.
    Nothing,
    /// An unknown command, with its first word.
    Unknown(String),
}

/// `position`: where the game began, and the moves played since.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PositionCommand {
    /// `None` for the start position.
    pub fen: Option<String>,
    pub moves: Vec<String>,
}

/// `go`: what ends the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub nodes: Option<u64>,
    pub depth: Option<u16>,
    pub move_time: Option<Duration>,
    /// White's and Black's time in milliseconds; negative if a clock has run out.
    pub time: [Option<i64>; 2],
    pub increment: [Option<i64>; 2],
    pub moves_to_go: Option<u32>,
    /// Stop when a mate in this many moves is found.
    pub mate: Option<u16>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search until `ponderhit` or `stop`.
    pub ponder: bool,
    /// The only moves to consider; all moves if empty.
    pub search_moves: Vec<String>,
    /// Values that are not numbers, with the word before them.
    pub refused: Vec<String>,
    /// Words that `go` does not know.
    pub unknown: Vec<String>,
    /// Count the moves to this depth in place of a search.
    pub perft: Option<u32>,
}

impl Command {
    /// Parses one line. Words before the first known command are skipped.
    pub fn read(line: &str) -> Command {
        let mut words = line.split_whitespace();
        let first = words.clone().next();
        while let Some(word) = words.next() {
            let command = match word {
                "uci" => Command::Uci,
                "isready" => Command::IsReady,
                "ucinewgame" => Command::NewGame,
                "setoption" => set_option(words),
                "position" => Command::Position(PositionCommand::read(words)),
                "go" => Command::Go(Go::read(words)),
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit,
                "quit" => Command::Quit,
                "d" => Command::Display,
                "eval" => Command::Evaluate,
                "bench" => Command::Bench(words.next().and_then(|word| word.parse().ok())),
                "debug" | "register" => Command::Nothing,
                _ => continue,
            };
            return command;
        }
        first.map_or(Command::Nothing, |word| Command::Unknown(word.to_owned()))
    }
}

/// Parses for example `name Move Overhead value 30`.
fn set_option<'a>(words: impl Iterator<Item = &'a str>) -> Command {
    let words: Vec<&str> = words.skip_while(|word| *word == "name").collect();
    let border = words.iter().position(|word| *word == "value");
    let (name, value) = words.split_at(border.unwrap_or(words.len()));
    Command::SetOption {
        name: name.join(" "),
        value: value.get(1..).unwrap_or(&[]).join(" "),
    }
}

impl PositionCommand {
    /// Parses `startpos moves e2e4` or `fen … moves …`; a FEN without the word `fen` is accepted too.
    fn read<'a>(words: impl Iterator<Item = &'a str>) -> PositionCommand {
        let words: Vec<&str> = words.collect();
        let border = words.iter().position(|word| *word == "moves");
        let (place, moves) = words.split_at(border.unwrap_or(words.len()));
        let fen = match place {
            [] | ["startpos", ..] => None,
            ["fen", fen @ ..] | fen => Some(fen.join(" ")),
        };
        PositionCommand {
            fen,
            moves: moves.iter().skip(1).map(|&m| m.to_owned()).collect(),
        }
    }
}

impl Go {
    fn read<'a>(words: impl Iterator<Item = &'a str>) -> Go {
        let mut go = Go::default();
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    let moves = std::iter::from_fn(|| words.next_if(|w| !is_keyword(w)));
                    go.search_moves.extend(moves.map(str::to_owned));
                }
                _ if is_keyword(word) => {
                    let found = words.next_if(|w| !is_keyword(w)).unwrap_or("nothing");
                    match found.parse() {
                        Ok(number) => go.set(word, number),
                        Err(_) => go.refused.push(format!("{word} {found}")),
                    }
                }
                _ => go.unknown.push(word.to_owned()),
            }
        }
        go
    }

    fn set(&mut self, word: &str, number: i64) {
        let positive = number.max(0).unsigned_abs();
        let small = u16::try_from(positive).unwrap_or(u16::MAX);
        match word {
            "nodes" => self.nodes = Some(positive.max(1)),
            "depth" => self.depth = Some(small.max(1)),
            "mate" => self.mate = Some(small.max(1)),
            "movetime" => self.move_time = Some(Duration::from_millis(positive)),
            "wtime" => self.time[0] = Some(number),
            "btime" => self.time[1] = Some(number),
            "winc" => self.increment[0] = Some(number),
            "binc" => self.increment[1] = Some(number),
            "perft" => self.perft = Some(small.max(1).into()),
            "movestogo" => self.moves_to_go = u32::try_from(number).ok().filter(|n| *n > 0),
            _ => {}
        }
    }

    /// Whether the search goes on until `stop`, whatever it finds.
    pub fn waits_for_stop(&self) -> bool {
        self.infinite || self.ponder || self.limits_nothing()
    }

    /// Whether it names nothing that ends the search.
    fn limits_nothing(&self) -> bool {
        *self
            == Go {
                search_moves: self.search_moves.clone(),
                refused: self.refused.clone(),
                unknown: self.unknown.clone(),
                ..Go::default()
            }
    }

    /// Whether nothing of it was understood, so that a search would have no end that was meant.
    pub fn is_misunderstood(&self) -> bool {
        let all_lost = self.limits_nothing() && self.search_moves.is_empty();
        all_lost && !(self.refused.is_empty() && self.unknown.is_empty())
    }
}

fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 13] = [
        "perft",
        "searchmoves",
        "ponder",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "movetime",
        "infinite",
    ];
    KEYWORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn go(line: &str) -> Go {
        match Command::read(line) {
            Command::Go(go) => go,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_form_of_go() {
        let clock = go("go wtime 1000 btime -5 winc 10 binc 20 movestogo 3");
        assert_eq!(clock.time, [Some(1000), Some(-5)]);
        assert_eq!(clock.increment, [Some(10), Some(20)]);
        assert_eq!(clock.moves_to_go, Some(3));
        assert!(!clock.waits_for_stop());
        assert_eq!(
            go("go movetime 250").move_time,
            Some(Duration::from_millis(250))
        );
        assert_eq!(go("go depth 7 nodes 99").depth, Some(7));
        assert_eq!(go("go nodes 99 depth 7").nodes, Some(99));
        assert_eq!(go("go mate 2").mate, Some(2));
        let moves = go("go searchmoves e2e4 d2d4 depth 3");
        assert_eq!(moves.search_moves, ["e2e4", "d2d4"]);
        assert_eq!(moves.depth, Some(3));
        for endless in [
            "go",
            "go infinite",
            "go ponder wtime 9 btime 9",
            "go searchmoves e2e4",
        ] {
            assert!(go(endless).waits_for_stop(), "{endless}");
        }
    }

    #[test]
    fn what_is_no_number_is_told_and_the_rest_counts() {
        let read = go("go nodes many depth movetime 5 banana 7");
        assert_eq!(read.refused, ["nodes many", "depth nothing"]);
        assert_eq!(read.unknown, ["banana", "7"]);
        assert!(!read.is_misunderstood());
        assert!(go("go depth many").is_misunderstood() && go("go banana").is_misunderstood());
        assert!(!go("go").is_misunderstood() && !go("go infinite banana").is_misunderstood());
        assert_eq!(go("go perft 5").perft, Some(5));
        assert_eq!(read.move_time, Some(Duration::from_millis(5)));
        assert_eq!(go("go depth 99999999").depth, Some(u16::MAX));
    }

    #[test]
    fn options_have_spaces_in_names_and_values() {
        let read = |line: &str| match Command::read(line) {
            Command::SetOption { name, value } => (name, value),
            other => panic!("{other:?}"),
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            read("setoption name Move Overhead value 30"),
            pair("Move Overhead", "30")
        );
        assert_eq!(read("setoption name X value a  b c"), pair("X", "a b c"));
        assert_eq!(read("setoption name Clear Hash"), pair("Clear Hash", ""));
        assert_eq!(read("setoption"), pair("", ""));
    }

    #[test]
    fn positions() {
        let read = |line: &str| match Command::read(line) {
            Command::Position(p) => p,
            other => panic!("{other:?}"),
        };
        let start = read("position startpos moves e2e4 e7e5");
        assert_eq!((start.fen, start.moves.len()), (None, 2));
        let fen = read("position fen 8/8/8/8/8/4k3/8/4K2R w K - 0 1 moves e1g1");
        assert_eq!(fen.fen.as_deref(), Some("8/8/8/8/8/4k3/8/4K2R w K - 0 1"));
        assert_eq!(fen.moves, ["e1g1"]);
        assert_eq!(read("position"), PositionCommand::default());
    }

    #[test]
    fn words_before_a_command_are_passed_over() {
        assert_eq!(Command::read("  joho isready"), Command::IsReady);
        assert_eq!(Command::read("joho"), Command::Unknown("joho".into()));
        assert_eq!(Command::read(" \t"), Command::Nothing);
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(
            words in proptest::collection::vec(
                prop_oneof![
                    "go|position|setoption|name|value|moves|fen|depth|wtime|searchmoves|-?[0-9]{1,25}",
                    "\\PC{0,6}",
                ],
                0..12,
            )
        ) {
            let _ = Command::read(&words.join(" "));
        }
    }
}
