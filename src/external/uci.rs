//! Parses what a UCI engine says, line by line. Anything unknown is ignored, as the protocol demands.

use game::Sided;
use shakmaty::uci::UciMove;

use game::Score;
use text::sanitise;
use tree::Bound;

/// One line from the engine.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum UciMessage {
    Name(String),
    Option(Announced),
    UciOk,
    ReadyOk,
    /// The move as written.
    BestMove(String),
    Info(Info),
    /// lc0's verbose figures for one move of the root, or (`None`) for the root itself.
    Statistics(Option<String>, Statistics),
    Other,
}

/// An option that the engine has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Announced {
    pub name: String,
    /// The largest value of a numeric option.
    pub max: Option<u64>,
}

/// The figures of an `info` line; missing ones are `None` or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Info {
    pub depth: Option<u16>,
    pub selective_depth: Option<u16>,
    /// The rank of the line; 1 is the best.
    pub rank: Option<u16>,
    pub nodes: Option<u64>,
    /// The score, and how it relates to the true value.
    pub score: Option<(Score, Bound)>,
    pub outcomes: Option<Outcomes>,
    pub line: Vec<String>,
}

/// Shares of won, drawn and lost games, summing to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcomes {
    pub win: f32,
    pub draw: f32,
    pub loss: f32,
}

/// lc0's figures, from the view of the root's side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Statistics {
    pub visits: u64,
    /// The share of the network's policy.
    pub policy: Option<f32>,
    /// The expected score.
    pub value: Option<f32>,
    pub draws: Option<f32>,
    /// The network's own evaluation, an expected score.
    pub evaluation: Option<f32>,
}

impl Outcomes {
    /// Converts counts such as UCI's permille. Returns `None` if all counts are 0.
    fn of_counts([win, draw, loss]: [u32; 3]) -> Option<Outcomes> {
        let total = f64::from(win) + f64::from(draw) + f64::from(loss);
        let share = |count: u32| (f64::from(count) / total) as f32;
        (total > 0.0).then(|| Outcomes {
            win: share(win),
            draw: share(draw),
            loss: share(loss),
        })
    }

    /// Converts an expected score and the share of draws, reducing the latter if the two are inconsistent.
    fn of_value(value: f32, draw: f32) -> Outcomes {
        let draw = draw.min(1.0 - value.abs());
        let win = (1.0 - draw + value) / 2.0;
        Outcomes {
            win,
            draw,
            loss: 1.0 - draw - win,
        }
    }

    /// Returns the expected score.
    pub fn expected(self) -> f32 {
        self.win - self.loss
    }
}

impl Sided for Outcomes {
    fn turned(self) -> Outcomes {
        Outcomes {
            win: self.loss,
            draw: self.draw,
            loss: self.win,
        }
    }
}

impl Statistics {
    /// Returns the outcomes, or `None` if the engine reports no share of draws.
    pub fn outcomes(&self) -> Option<Outcomes> {
        Some(Outcomes::of_value(self.value?, self.draws?))
    }
}

/// Parses one line.
pub(super) fn read(line: &str) -> UciMessage {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("uciok") => UciMessage::UciOk,
        Some("readyok") => UciMessage::ReadyOk,
        Some("id") if words.next() == Some("name") => {
            UciMessage::Name(sanitise(&words.collect::<Vec<_>>().join(" ")))
        }
        Some("option") => option(words).map_or(UciMessage::Other, UciMessage::Option),
        Some("bestmove") => words
            .next()
            .map_or(UciMessage::Other, |m| UciMessage::BestMove(m.to_owned())),
        Some("info") => info(words),
        _ => UciMessage::Other,
    }
}

/// Parses an option such as `name Move Overhead type spin default 10 min 0 max 5000`.
fn option<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Announced> {
    words.find(|word| *word == "name")?;
    let name: Vec<&str> = words.by_ref().take_while(|word| *word != "type").collect();
    let max = words
        .find(|word| *word == "max")
        .and_then(|_| words.next()?.parse().ok());
    (!name.is_empty()).then(|| Announced {
        name: name.join(" "),
        max,
    })
}

fn info<'a>(words: impl Iterator<Item = &'a str>) -> UciMessage {
    let mut words = words.peekable();
    let mut info = Info::default();
    while let Some(word) = words.next() {
        match word {
            "string" => {
                let rest: Vec<&str> = words.collect();
                return statistics(&rest).unwrap_or(UciMessage::Info(info));
            }
            "depth" => info.depth = number(words.next()),
            "seldepth" => info.selective_depth = number(words.next()),
            "multipv" => info.rank = number(words.next()),
            "nodes" => info.nodes = words.next().and_then(|n| n.parse().ok()),
            "score" => {
                let unit = words.next();
                let score = words.next().and_then(|n| score(unit?, n));
                info.score = score.map(|s| (s, Bound::Exact));
            }
            // Stockfish writes these after the score, or after wdl.
            "lowerbound" => info.score = info.score.map(|(s, _)| (s, Bound::Lower)),
            "upperbound" => info.score = info.score.map(|(s, _)| (s, Bound::Upper)),
            "wdl" => {
                let mut count = || words.next()?.parse().ok();
                let counts = (count(), count(), count());
                if let (Some(win), Some(draw), Some(loss)) = counts {
                    info.outcomes = Outcomes::of_counts([win, draw, loss]);
                }
            }
            "pv" => {
                let moves = std::iter::from_fn(|| words.next_if(|word| is_move(word)));
                info.line = moves.map(str::to_owned).collect();
            }
            _ => {}
        }
    }
    UciMessage::Info(info)
}

fn is_move(word: &str) -> bool {
    UciMove::from_ascii(word.as_bytes()).is_ok()
}

/// Parses a number and limits it to the largest `u16`.
fn number(word: Option<&str>) -> Option<u16> {
    let number: u64 = word?.parse().ok()?;
    Some(number.min(u64::from(u16::MAX)) as u16)
}

/// Parses `cp 31` or `mate -3`; `mate 0` means already mated.
fn score(unit: &str, number: &str) -> Option<Score> {
    /// No mate needs more moves than this.
    const LONGEST: i64 = 900;
    let number: i64 = number.parse().ok()?;
    match unit {
        "cp" => Some(Score::new(number.clamp(-100_000, 100_000) as i32)),
        "mate" => {
            let moves = number.clamp(-LONGEST, LONGEST);
            Some(if moves > 0 {
                Score::win_in(2 * moves as u16 - 1)
            } else {
                Score::loss_in(2 * moves.unsigned_abs() as u16)
            })
        }
        _ => None,
    }
}

/// Parses `e2e4  (322 ) N:   12005 (+169) (P: 22.38%) (WL:  0.09480) (D: 0.326) (M:  7.4) (Q:  0.09480) (U: 0.01211)
/// …`. Returns `None` if the line is another remark.
fn statistics(words: &[&str]) -> Option<UciMessage> {
    let (first, rest) = words.split_first()?;
    let whose = match *first {
        "node" => None,
        word if is_move(word) => Some(word.to_owned()),
        _ => return None,
    };
    let rest = rest.join(" ").replace(['(', ')'], " ");
    let rest: Vec<&str> = rest.split_whitespace().collect();
    let figure = |name: &str| {
        let at = rest.iter().position(|word| *word == name)?;
        rest.get(at + 1).copied()
    };
    // Missing figures are written as "-.----".
    let share = |name: &str, unit: f32| {
        let number: f32 = figure(name)?.trim_end_matches('%').parse().ok()?;
        (number.is_finite()).then(|| (number * unit).clamp(-1.0, 1.0))
    };
    let visits = figure("N:")?.parse().ok()?;
    let statistics = Statistics {
        visits,
        policy: share("P:", 0.01).map(|p| p.max(0.0)),
        // A move without visits has its parent's value.
        value: share("WL:", 1.0)
            .or_else(|| share("Q:", 1.0))
            .filter(|_| visits > 0),
        draws: share("D:", 1.0).map(|d| d.max(0.0)),
        evaluation: share("V:", 1.0),
    };
    Some(UciMessage::Statistics(whose, statistics))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn info_of(line: &str) -> Info {
        match read(line) {
            UciMessage::Info(info) => info,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn stockfish_is_understood() {
        let line = "info depth 8 seldepth 9 multipv 3 score cp 14 wdl 19 977 4 upperbound nodes 20009 nps 238202 \
                    hashfull 6 tbhits 0 time 84 pv c2c4 g8f6";
        let info = info_of(line);
        assert_eq!(
            (info.depth, info.selective_depth, info.rank),
            (Some(8), Some(9), Some(3))
        );
        assert_eq!(info.nodes, Some(20009));
        assert_eq!(info.score, Some((Score::new(14), Bound::Upper)));
        assert_eq!(info.line, ["c2c4", "g8f6"]);
        let outcomes = info.outcomes.expect("wdl");
        assert!((outcomes.expected() - 0.015).abs() < 1e-6);
        let option = read("option name Clear Hash type button");
        let name = String::from("Clear Hash");
        assert_eq!(option, UciMessage::Option(Announced { name, max: None }));
        let option = read("option name MultiPV type spin default 1 min 1 max 500");
        let name = String::from("MultiPV");
        assert_eq!(
            option,
            UciMessage::Option(Announced {
                name,
                max: Some(500)
            })
        );
        assert_eq!(
            read("bestmove e2e4 ponder c7c5"),
            UciMessage::BestMove("e2e4".into())
        );
    }

    #[test]
    fn mates_are_counted_in_moves() {
        for (text, score) in [
            ("mate 1", Score::win_in(1)),
            ("mate 3", Score::win_in(5)),
            ("mate -2", Score::loss_in(4)),
            ("mate 0", Score::LOSS),
            ("mate -99999999", Score::loss_in(1800)),
            ("cp 999999", Score::new(30_000)),
        ] {
            let info = info_of(&format!("info score {text} depth 4"));
            assert_eq!(info.score, Some((score, Bound::Exact)), "{text}");
            assert_eq!(info.depth, Some(4));
        }
        assert_eq!(info_of("info depth 3 score cp x pv e2e4").score, None);
    }

    #[test]
    fn leelas_statistics_are_understood() {
        let line = "info string e2e4  (322 ) N:   12005 (+169) (P: 22.38%) (WL:  0.09480) (D: 0.326) (M:  7.4) \
                    (Q:  0.09480) (U: 0.01211) (S:  0.10691) (V:  0.0898) (T)";
        let UciMessage::Statistics(Some(whose), statistics) = read(line) else {
            panic!("statistics");
        };
        assert_eq!(whose, "e2e4");
        assert_eq!(statistics.visits, 12_005);
        assert_eq!(statistics.policy, Some(0.01 * 22.38));
        assert_eq!(statistics.evaluation, Some(0.0898));
        let outcomes = statistics.outcomes().expect("draws");
        assert!((outcomes.expected() - 0.0948).abs() < 1e-6);
        assert!((outcomes.draw - 0.326).abs() < 1e-6);
        let unvisited = "info string a2a3 (204 ) N: 0 (+ 0) (P: 0.50%) (WL: -.-----) (D: -.---) (M: -.-) (Q: 0.05)";
        let UciMessage::Statistics(_, statistics) = read(unvisited) else {
            panic!("statistics");
        };
        assert_eq!((statistics.visits, statistics.value), (0, None));
        assert!(matches!(
            read("info string node ( 20) N: 9 (+ 0)"),
            UciMessage::Statistics(None, _)
        ));
        assert_eq!(
            read("info string e2e4 is best"),
            UciMessage::Info(Info::default())
        );
    }

    /// The forms in which lc0 and its relatives have written the same figures over the years.
    #[test]
    fn statistics_of_other_versions_are_understood() {
        for line in [
            // With a move's moves left counted in its utility.
            "info string e2e4  (322 ) N:      96 (+ 0) (P: 24.51%) (WL: -0.40711) (D: 0.072) (M: 70.9) (Q: -0.40711) \
             (U: 0.14146) (UM: 0.00000) (S: -0.26583) (V: -0.9429) ",
            // With a weight and the spread of the visits.
            "info string e2e4  (322 ) N:      96 (+ 0) (P: 24.51%) (WGT:      96.000) (WL: -0.40711) (D: 0.072) (M: 70.9) \
             (STD: 0.00000) (STDF: 1.00000) (VS: 0.99996) (E: 0.00388) (Q: -0.40711) (U: 0.14146) (V: -0.9429)",
            // Wider columns and fewer digits, as Ceres writes them.
            "info string e2e4  (322 ) N:             96 (+    0) (P:     24.51%) (WL:    -0.4071) (D:    0.0720) (M:   70.9) \
             (Q:    -0.4071) (U:    0.1415) (V:   -0.9429)",
        ] {
            let UciMessage::Statistics(Some(whose), statistics) = read(line) else {
                panic!("{line}");
            };
            assert_eq!((whose.as_str(), statistics.visits), ("e2e4", 96));
            assert!(
                (statistics.value.expect("WL") + 0.4071).abs() < 1e-3,
                "{line}"
            );
            assert!(
                (statistics.policy.expect("P") - 0.2451).abs() < 1e-6,
                "{line}"
            );
            assert!(
                (statistics.draws.expect("D") - 0.072).abs() < 1e-6,
                "{line}"
            );
            assert_eq!(statistics.evaluation, Some(-0.9429), "{line}");
        }
        // The value alone, before it knew of draws; and a word behind the line.
        let line = "info string e2e4  (322 ) N:   15347 (+ 0) (V:  3.96%) (P: 10.09%) (Q:  0.03780) (U: 0.00707) (Q+U:  0.04487) ";
        let UciMessage::Statistics(_, statistics) = read(line) else {
            panic!("statistics");
        };
        assert_eq!((statistics.value, statistics.draws), (Some(0.0378), None));
        let line = "info depth 6 seldepth 12 time 100 nodes 531 score cp -11 tbhits 0 nps 5290 pv c7c5 g1f3  string M= 132";
        let info = info_of(line);
        assert_eq!((info.nodes, info.line.len()), (Some(531), 2));
    }

    #[test]
    fn shares_that_contradict_each_other_stay_shares() {
        let outcomes = Outcomes::of_value(0.9, 0.7);
        assert!((outcomes.expected() - 0.9).abs() < 1e-6 && outcomes.loss >= -1e-6);
        assert_eq!(info_of("info wdl 0 0 0").outcomes, None);
    }

    proptest! {
        #[test]
        fn nonsense_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&text::decode(&bytes));
        }

        #[test]
        fn almost_sense_never_panics(
            words in proptest::collection::vec(
                proptest::sample::select(vec![
                    "info", "string", "score", "cp", "mate", "wdl", "pv", "e2e4", "node", "N:", "(P:", "-1", "0",
                    "99999999999999999999", "nan", "(WL:", "inf)", "depth", "multipv", "lowerbound", "option",
                    "name", "type", "max", "id", "bestmove", "string", "(D:", "-0.5)",
                ]), 0..20)
        ) {
            let line = words.join(" ");
            for line in [line.clone(), format!("info {line}"), format!("info string e2e4 N: 3 {line}")] {
                if let UciMessage::Statistics(_, s) = read(&line) {
                    let sane = s.outcomes().is_none_or(|o| o.expected().abs() <= 1.0 && o.draw >= 0.0);
                    prop_assert!(sane);
                }
            }
        }
    }
}
