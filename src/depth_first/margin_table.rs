//! The margins of a rule by the plies left: those of a family ([`super::margin`]), or of a formula that somebody wrote.

use super::margin::{EXPECTS, Margin};
use formula::{Formula, Name, Scope, Unit};
use game::Score;
use search::{FormulaRange, Options};

/// The greatest depth with a margin of its own; beyond it the margin stays constant.
pub const DEEPEST: usize = 32;

/// Margins in centipawns by depth. To look one up costs the same whatever the formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarginTable([i16; DEEPEST + 1]);

/// The formulas of margins.
pub static MARGIN: FormulaRange = FormulaRange {
    is_word: Margin::is_word,
    words: EXPECTS,
    scope: Scope {
        names: &[Name {
            name: "depth",
            unit: Unit::PLIES,
            summary: "plies left, 1 or more",
        }],
        each: &[],
        result: Unit::CENTIPAWNS,
    },
    is_condition: false,
    check,
    written: |word| word.parse::<Margin>().ok().map(|m| m.formula().written()),
};

impl MarginTable {
    /// The margins that a function gives, rounded to centipawns.
    pub fn of(value: impl Fn(f64) -> f64) -> MarginTable {
        let limit = f64::from(Score::LIMIT);
        let at = |depth: usize| match depth {
            0 => 0,
            _ => value(depth as f64).round().clamp(0.0, limit) as i16,
        };
        MarginTable(std::array::from_fn(at))
    }

    /// The margins that an option asks for; its table has checked the text.
    pub(super) fn of_option(options: &Options, key: &str) -> MarginTable {
        let text = options.word(key);
        if let Ok(margin) = text.parse::<Margin>() {
            return margin.table();
        }
        let formula = MARGIN.of(text);
        MarginTable::of(|depth| formula.value(&[depth]).unwrap_or(0.0))
    }

    /// The margin with `depth` plies remaining, in centipawns: 0 at depth 0 and below, at most [`Score::LIMIT`], and
    /// constant beyond [`DEEPEST`].
    #[inline]
    pub fn at(&self, depth: i32) -> i32 {
        i32::from(self.0[depth.clamp(0, DEEPEST as i32) as usize])
    }
}

/// Refuses a formula that gives no margin at some depth.
fn check(formula: &Formula) -> Result<(), String> {
    for depth in 1..=DEEPEST {
        let found = match formula.value(&[depth as f64]) {
            Some(margin) if margin >= 0.0 => continue,
            Some(margin) => format!("{margin:.0} centipawns"),
            None => "no finite number".to_owned(),
        };
        return Err(format!(
            "found {found} at depth {depth}, expected a margin of 0 or more"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::margin::FAMILIES;
    use search::{OptionSpec, Range};

    const SPEC: OptionSpec = OptionSpec {
        key: "margin",
        default: "linear:130",
        range: Range::Formula(&MARGIN),
        summary: "",
    };

    fn table(text: &str) -> Result<MarginTable, String> {
        static SPECS: [OptionSpec; 1] = [SPEC];
        let mut options = Options::defaults("test", &SPECS);
        options.set("margin", text).map_err(|e| e.to_string())?;
        Ok(MarginTable::of_option(&options, "margin"))
    }

    /// What is built in is the formula that it is shown as, to the centipawn.
    #[test]
    fn a_family_is_the_formula_that_it_stands_for() {
        let words = FAMILIES.iter().map(|f| f.example.to_string());
        let others = ["linear:75", "root:0", "quadratic:85", "probability:30,3,.1"];
        for word in words.chain(others.map(str::to_owned)) {
            let built_in = table(&word).expect("a margin");
            let written = (MARGIN.written)(&word).expect("a formula");
            let by_formula = table(&written).unwrap_or_else(|e| panic!("{word}: {e}"));
            for depth in 0..=DEEPEST as i32 {
                assert_eq!(
                    built_in.at(depth),
                    by_formula.at(depth),
                    "{word} {written} {depth}"
                );
            }
        }
    }

    /// By hand: 100 + 50 sqrt 4 = 200; at depth 9, 3 * 9 * 9 = 243 is cut at 240.
    #[test]
    fn a_formula_is_a_margin() {
        assert_eq!(table("100 + 50*sqrt(depth)").expect("a margin").at(4), 200);
        let cut = table("min(3*depth*depth, 240)").expect("a margin");
        assert_eq!([0, 1, 2, 9, 40].map(|d| cut.at(d)), [0, 3, 12, 240, 240]);
        let steps = table("if(depth <= 2, 60, 200)").expect("a margin");
        assert_eq!([1, 2, 3].map(|d| steps.at(d)), [60, 60, 200]);
        let most = table("1M*depth").expect("a margin");
        assert_eq!(most.at(1), i32::from(Score::LIMIT));
    }

    #[test]
    fn what_is_no_margin_is_refused_with_the_reason() {
        for (text, said) in [
            (
                "130*dept",
                "margin = \"130*dept\", column 5: found \"dept\", did you mean depth?",
            ),
            ("depth", "found \"depth\" in plies, expected centipawns"),
            (
                "100/(depth - 3)",
                "found -50 centipawns at depth 1, expected a margin of 0 or more",
            ),
            (
                "100*(depth-1)/(depth-1)",
                "found no finite number at depth 1",
            ),
            ("200 - 10*depth", "found -10 centipawns at depth 21"),
            (
                "linear:abc",
                "expected a formula of depth in centipawns, or linear:CP",
            ),
            ("", "column 1: found the end"),
        ] {
            let error = table(text).expect_err(text);
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
