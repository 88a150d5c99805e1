//! Extended Position Description: a position with operations such as `bm Nf3; id "WAC.001";`.

use shakmaty::Move;

use super::{LoadError, fen};
use crate::{ChessPosition, Situation, notation};
use text::quote;

/// One line of an EPD (or FEN) file.
#[derive(Clone, Debug)]
pub struct Epd {
    pub position: ChessPosition,
    /// All operations, in the order of the line.
    pub operations: Vec<Operation>,
    /// What was corrected or ignored, one sentence each.
    pub warnings: Vec<String>,
}

/// An opcode with its operands; quotation marks around strings are removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    pub code: String,
    pub operands: Vec<String>,
}

impl Epd {
    /// Returns the first operation with this opcode.
    pub fn get(&self, code: &str) -> Option<&Operation> {
        self.operations.iter().find(|op| op.code == code)
    }

    /// Returns the operands of an opcode as one text: `id`, `c0` ... `c9`, and everything else made of words.
    pub fn text(&self, code: &str) -> Option<String> {
        self.get(code).map(|op| op.operands.join(" "))
    }

    /// The name of the position.
    pub fn id(&self) -> Option<String> {
        self.text("id")
    }

    /// The best moves: any of them solves the position.
    pub fn best_moves(&self) -> Vec<Move> {
        self.moves("bm")
    }

    /// The moves to avoid.
    pub fn avoid_moves(&self) -> Vec<Move> {
        self.moves("am")
    }

    /// Returns the number of full moves to mate, from the side to move's view (negative if it is mated).
    pub fn mate_in(&self) -> Option<i32> {
        self.number("dm")
    }

    /// Returns the evaluation in centipawns from the side to move's view.
    pub fn centipawns(&self) -> Option<i32> {
        self.number("ce")
    }

    /// Returns the number after an opcode (`acd`, `acn`, `acs`, `hmvc`, `fmvn`, ...).
    pub fn number(&self, code: &str) -> Option<i32> {
        self.get(code)?.operands.first()?.parse().ok()
    }

    /// Returns the predicted variation, up to the first illegal move.
    pub fn variation(&self) -> Vec<Move> {
        let mut situation = Situation::new(self.position.clone());
        let mut moves = Vec::new();
        for word in self.get("pv").iter().flat_map(|op| &op.operands) {
            let Some(m) = notation::parse_move(&situation.position, word) else {
                break;
            };
            situation.play(m);
            moves.push(m);
        }
        moves
    }

    /// Returns the legal moves among the operands. Reading the line has produced a warning for the others.
    fn moves(&self, code: &str) -> Vec<Move> {
        self.operations
            .iter()
            .filter(|op| op.code == code)
            .flat_map(|op| &op.operands)
            .filter_map(|word| notation::parse_move(&self.position, word))
            .collect()
    }
}

/// Parses one line: the four or six fields of a FEN, then operations separated by semicolons.
///
/// # Errors
/// Names the column and what was expected there. A move operand that is not legal only causes a warning.
pub fn parse(line: &str) -> Result<Epd, LoadError> {
    let read = fen::parse_prefix(line)?;
    let operations = operations(line, read.consumed)?;
    let mut warnings = read.warnings;
    let (operations, strange): (Vec<_>, Vec<_>) = operations
        .into_iter()
        .partition(|op: &Operation| op.code.starts_with(char::is_alphabetic) && !is_odd(&op.code));
    for op in strange {
        let text = format!("{} {}", op.code, op.operands.join(" "));
        warnings.push(format!("{} is not an EPD operation: ignored", quote(&text)));
    }
    let mut epd = Epd {
        position: read.position,
        operations,
        warnings,
    };
    epd.apply_counters();
    epd.check_moves();
    Ok(epd)
}

impl Epd {
    /// Uses `hmvc` and `fmvn` as the counters of the FEN.
    fn apply_counters(&mut self) {
        let half = self.number("hmvc").filter(|n| (0..=100).contains(n));
        let full = self.number("fmvn").filter(|n| (1..=9_999).contains(n));
        if half.is_none() && full.is_none() {
            return;
        }
        let text = self.position.fen();
        let mut fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
        if let (Some(half), Some(field)) = (half, fields.get_mut(4)) {
            *field = half.to_string();
        }
        if let (Some(full), Some(field)) = (full, fields.get_mut(5)) {
            *field = full.to_string();
        }
        if let Ok(read) = fen::parse(&fields.join(" ")) {
            self.position = read.position;
        }
    }

    fn check_moves(&mut self) {
        for op in &self.operations {
            if !matches!(op.code.as_str(), "bm" | "am" | "sm" | "pm") {
                continue;
            }
            for word in &op.operands {
                // Some collections write the sign of a check separately after the move.
                let sign = word.chars().all(|c| "+#!?".contains(c));
                if !sign && notation::parse_move(&self.position, word).is_none() {
                    let code = &op.code;
                    self.warnings
                        .push(format!("{} after {code} is not a legal move", quote(word)));
                }
            }
        }
    }
}

/// Parses the operations from byte `offset` on.
fn operations(line: &str, offset: usize) -> Result<Vec<Operation>, LoadError> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut rest = line[offset..].trim_start();
    loop {
        let at = line.len() - rest.len();
        match rest.chars().next() {
            None | Some(';') => {
                let mut all = std::mem::take(&mut words).into_iter();
                if let Some(code) = all.next() {
                    let operands = all.collect();
                    operations.push(Operation { code, operands });
                }
                if rest.is_empty() {
                    return Ok(operations);
                }
                rest = rest[1..].trim_start();
            }
            Some('"') => {
                let (text, length) = string(rest).ok_or_else(|| {
                    let column = 1 + line[..at].chars().count() as u32;
                    LoadError::new(quote(rest), "a closing quotation mark").at_column(column)
                })?;
                words.push(text);
                rest = rest[length..].trim_start();
            }
            Some(_) => {
                let end = rest
                    .find(|c: char| c.is_whitespace() || c == ';')
                    .unwrap_or(rest.len());
                words.push(rest[..end].to_owned());
                rest = rest[end..].trim_start();
            }
        }
    }
}

/// Parses a string in quotation marks, undoing `\"` and `\\`. Returns it with its length in bytes.
fn string(text: &str) -> Option<(String, usize)> {
    let mut unquoted = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((unquoted, at + 1)),
            '\\' => unquoted.push(chars.next()?.1),
            _ => unquoted.push(c),
        }
    }
    None
}

impl std::fmt::Display for Epd {
    /// Writes the line again: four fields, then all operations, with strings quoted where necessary.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let fen = self.position.fen();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        write!(f, "{}", fields.join(" "))?;
        for op in &self.operations {
            write!(f, " {}", op.code)?;
            for operand in &op.operands {
                if must_be_quoted(&op.code, operand) {
                    let escaped = operand.replace('\\', "\\\\").replace('"', "\\\"");
                    write!(f, " \"{escaped}\"")?;
                } else {
                    write!(f, " {operand}")?;
                }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

fn must_be_quoted(code: &str, operand: &str) -> bool {
    let comment =
        code.len() == 2 && code.starts_with('c') && code.ends_with(|c: char| c.is_ascii_digit());
    comment || code == "id" || operand.is_empty() || is_odd(operand)
}

/// Whether the word needs quotation marks.
fn is_odd(word: &str) -> bool {
    word.contains(|c: char| c.is_whitespace() || matches!(c, ';' | '"' | '\\'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game as _;

    #[test]
    fn operations_keep_their_order_and_operands() {
        let line = "rq2r1k1/5pp1/p7/4bNP1/1p2P2P/5Q2/PP4K1/5R1R w - - bm Nxg7; id \"BT-2630.1\"; \
                    ce 182; acs 0; acn 106652; pv Nxg7 Kxg7 Qxf7+ Kh8; c0 8";
        let epd = parse(line).expect("legal");
        let codes: Vec<&str> = epd.operations.iter().map(|op| op.code.as_str()).collect();
        assert_eq!(codes, ["bm", "id", "ce", "acs", "acn", "pv", "c0"]);
        assert_eq!(epd.id().as_deref(), Some("BT-2630.1"));
        assert_eq!(epd.centipawns(), Some(182));
        assert_eq!(epd.best_moves().len(), 1);
        assert_eq!(epd.variation().len(), 4);
        assert_eq!(epd.text("c0").as_deref(), Some("8"));
        assert!(epd.warnings.is_empty());
        assert_eq!(
            parse(&epd.to_string()).expect("again").operations,
            epd.operations
        );
    }

    #[test]
    fn strings_are_unescaped_and_semicolons_in_them_belong_to_them() {
        let epd = parse(r#"4k3/8/8/8/8/8/8/4K3 w - - a "foo\"bar";; ; b "x;\\";"#).expect("legal");
        assert_eq!(epd.text("a").as_deref(), Some("foo\"bar"));
        assert_eq!(epd.text("b").as_deref(), Some("x;\\"));
        assert_eq!(epd.operations.len(), 2);
        let error = parse("4k3/8/8/8/8/8/8/4K3 w - - id \"open").expect_err("no end");
        assert_eq!(
            error.to_string(),
            "column 30: found \"\"open\", expected a closing quotation mark"
        );
    }

    #[test]
    fn counters_may_be_fields_or_operations() {
        let six = parse("4k3/8/8/8/8/8/8/4K3 w - - 12 40 dm 3;").expect("legal");
        let four = parse("4k3/8/8/8/8/8/8/4K3 w - - hmvc 12; fmvn 40; dm 3;").expect("legal");
        assert_eq!(six.position.fen(), four.position.fen());
        assert_eq!(six.position.reversible_plies(), 12);
        assert_eq!(six.mate_in(), Some(3));
    }

    #[test]
    fn dashes_before_the_operations_are_ignored() {
        for dashes in ["-", "- -"] {
            let line = format!("4k3/8/8/8/8/8/8/4K3 w - - {dashes} bm Kd1; id \"x\";");
            let epd = parse(&line).expect("legal");
            assert_eq!(
                (epd.best_moves().len(), epd.id().as_deref()),
                (1, Some("x"))
            );
            assert_eq!(epd.warnings.len(), 1, "{:?}", epd.warnings);
        }
    }

    #[test]
    fn illegal_best_moves_are_warned_of() {
        let epd = parse("4k3/8/8/8/8/8/8/4K3 w - - bm Qd1 Kd1 + ;").expect("legal position");
        assert_eq!(epd.warnings, ["\"Qd1\" after bm is not a legal move"]);
        assert_eq!(epd.best_moves().len(), 1);
    }

    proptest::proptest! {
        #[test]
        fn written_operations_read_back(
            operations in proptest::collection::vec(
                ("[a-z][a-z0-9]{0,5}", proptest::collection::vec("[^\r\n]{0,12}", 0..4)),
                0..6,
            ),
        ) {
            let operations: Vec<Operation> = operations
                .into_iter()
                .map(|(code, operands)| Operation { code, operands })
                .collect();
            let epd = Epd {
                position: ChessPosition::default(),
                operations,
                warnings: Vec::new(),
            };
            let again = parse(&epd.to_string()).expect("the written line");
            proptest::prop_assert_eq!(again.operations, epd.operations);
        }
    }
}
