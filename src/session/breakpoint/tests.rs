//! Tests of parsing, writing and completing breakpoints.

use proptest::prelude::*;

use super::condition::{Condition, Kinds, Number, Quantity};
use super::place::NamedNode;
use super::words::FIGURES;
use super::*;
use crate::legality::Rules;
use formula::{Comparison, Sign};
use game::{ChessPosition, Situation};

fn start() -> Subject {
    Subject::from(Situation::new(ChessPosition::default()))
}

fn condition(text: &str) -> Result<Condition, BreakpointError> {
    parse::Parser::new(text, &start()).read()
}

fn any_place() -> impl Strategy<Value = NamedNode> {
    let lines = vec!["", "e4", "e4 e5", "e2e4 e7e5 Nf3", "1.d4 d5 2.c4"];
    prop::sample::select(lines).prop_map(|moves| {
        let line = start().read_line(moves).expect("legal moves");
        NamedNode {
            moves: line.moves.into(),
            text: line.text,
            slot: 0,
        }
    })
}

fn any_number() -> impl Strategy<Value = Number> {
    let constant = (0u32..100_000).prop_map(|n| Number::Constant(f64::from(n) / 100.0));
    let figure =
        prop::sample::select(&FIGURES[..]).prop_map(|f| Number::Named(Quantity::Figure(f.figure)));
    let negative = (1u32..1000).prop_map(|n| Number::Constant(-f64::from(n)));
    prop_oneof![constant, figure, negative].prop_recursive(3, 12, 2, |inner| {
        let sign = prop::sample::select(&Sign::ALL[..]);
        let join = (inner.clone(), sign, inner.clone());
        prop_oneof![
            join.prop_map(|(a, s, b)| Number::Join(Box::new(a), s, Box::new(b))),
            inner
                .clone()
                .prop_filter("a constant is negative by itself", |n| {
                    !matches!(n, Number::Constant(_))
                })
                .prop_map(|n| Number::Negated(Box::new(n))),
            inner.prop_map(|n| Number::Absolute(Box::new(n))),
        ]
    })
}

fn any_condition() -> impl Strategy<Value = Condition> {
    let words = prop::sample::subsequence(KINDS.clone(), 1..4);
    let on = words.prop_map(|words| {
        let mut kinds = Kinds::default();
        let rules = || Rules::of(&start().position);
        words.iter().for_each(|w| kinds.add(w, rules));
        Condition::On(kinds)
    });
    let comparison = prop::sample::select(&Comparison::ALL[..]);
    let leaf = prop_oneof![
        on,
        any_place().prop_map(Condition::At),
        any_place().prop_map(Condition::Under),
        any_place().prop_map(Condition::Changes),
        Just(Condition::Flag(Figure::Proven)),
        (any_number(), comparison, any_number()).prop_map(|(a, c, b)| Condition::Compare(a, c, b)),
    ];
    leaf.prop_recursive(4, 20, 3, |inner| {
        let several = || prop::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            several().prop_map(Condition::all),
            several().prop_map(Condition::any),
            inner.clone().prop_map(|c| Condition::Not(Box::new(c))),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_the_same(written in any_condition()) {
        let text = written.to_string();
        let read = condition(&text);
        prop_assert_eq!(read.as_ref(), Ok(&written), "{}", text);
    }

    /// Any text, even one made of the language's own words, is either parsed or rejected with a column within it.
    #[test]
    fn nothing_typed_is_too_odd(
        words in prop::collection::vec(prop_oneof![
            prop::sample::select(vec![
                "on", "at", "under", "when", "changes", "not", "and", "or", "(", ")", "|", "-", "<=", "=", ",", "\"",
                "e4", "root", "visits", "before", "cutoff", "1.", "10k", "…", "'", " ",
            ]).prop_map(String::from),
            ".{0,4}",
        ], 0..12),
        cursor in 0..40usize,
    ) {
        let text = words.join(" ");
        let subject = start();
        if let Err(error) = Breakpoint::parse(&text, &subject) {
            prop_assert!(error.column as usize <= text.chars().count() + 1);
            prop_assert!(!error.to_string().contains('\n'));
        }
        for completion in complete(&text, cursor, &subject) {
            prop_assert!(completion.start <= cursor);
        }
    }

    /// A completion is valid: with it the text is correct, or only its end is missing.
    #[test]
    fn completions_can_be_taken(example in prop::sample::select(&EXAMPLES[..]), cut in 0..60usize) {
        let subject = start();
        let cursor = cut.min(example.0.chars().count());
        for completion in complete(example.0, cursor, &subject) {
            let before: String = example.0.chars().take(completion.start).collect();
            let text = before + &completion.text;
            if let Err(error) = Breakpoint::parse(&text, &subject) {
                let end = error.column as usize > text.chars().count();
                let open = error.found == "the end" || error.expected.contains("quotation");
                prop_assert!(end && open, "{}: {}", text, error);
            }
        }
    }
}

#[test]
fn a_minus_is_one_as_it_is_printed_too() {
    for text in ["when value < -0.5", "when value - static < -|sd| - 1"] {
        let printed = text.replace('-', "−");
        assert_eq!(condition(&printed), condition(text), "{printed}");
    }
}

#[test]
fn the_examples_are_right() {
    let issue = [
        "on cutoff",
        "on futility",
        "on prove",
        "on best-change",
        "on iteration",
        "at \"1.e4 e5 2.Nf3\"",
        "under \"1.e4 e5 2.Nf3\"",
        "when visits >= 1000",
        "when |expected - before| > 0.2",
        "when sd < 0.05",
        "on cutoff under \"1.e4\" when depth >= 4",
        "(on prove or on cutoff) at \"e4\"",
        "changes \"1.e4\"",
    ];
    for text in issue.into_iter().chain(EXAMPLES.iter().map(|e| e.0)) {
        let breakpoint = Breakpoint::parse(text, &start()).expect(text);
        assert_eq!(breakpoint.text(), text);
        assert_eq!(
            condition(&breakpoint.canonical()),
            condition(text),
            "{text}"
        );
    }
}

#[test]
fn several_spellings_mean_the_same() {
    for (a, b) in [
        ("on cutoff,prove", "ON Cutoff , Prove"),
        ("at \"1.e4 e5\"", "at 'e2e4 e7e5'"),
        ("at e4", "at \"1. e4\""),
        ("at root", "at \"\""),
        ("at \"root\"", "at ''"),
        ("on prove at e4", "on prove and at e4"),
        ("when visits >= 10_000", "when visits ≥ 10k"),
        ("when expected != -0.5", "when (expected) ≠ -(.5)"),
        ("when visits > 1 and sd < 2", "when visits > 1 when sd < 2"),
        (
            "when (visits > 1) or proven at e4",
            "(when visits > 1 or when proven) and at e4",
        ),
        (
            "when proven or on prove at e4",
            "when proven or (on prove at e4)",
        ),
        (
            "when not proven and ply = 2",
            "when (not proven) when ply = 2",
        ),
        (
            "not when proven and ply = 2",
            "not (when proven when ply = 2)",
        ),
        (
            "when 1 - 2 - 3 < 2 * (3 + 4)",
            "when (1 - 2) - 3 < 2 * (3 + 4)",
        ),
        ("when ||ply| - |sd|| > 0", "when |(|ply|) - (|sd|)| > 0"),
    ] {
        assert_eq!(condition(a).expect(a), condition(b).expect(b), "{a} / {b}");
    }
}

#[test]
fn a_wrong_one_is_refused_with_what_was_expected() {
    let clauses = "on, at, under, when, changes, not, (";
    for (text, message) in [
        ("", format!("column 1: found the end, expected one of: {clauses}")),
        (
            "brake on cutoff",
            format!("column 1: found \"brake\", expected one of: {clauses}"),
        ),
        (
            "whne visits > 3",
            "column 1: found \"whne\", did you mean when? Expected one of: when, on, at, under, changes, not, (".into(),
        ),
        (
            "on prove foo",
            "column 10: found \"foo\", expected one of: ,, and, on, at, under, when, changes, not, (, or, the end".into(),
        ),
        (
            "at \"1.e4 Qh5\"",
            "column 10: found \"Qh5\", expected a legal move for Black (there are 20)".into(),
        ),
        (
            "at 1.e5",
            "column 6: found \"e5\", expected a legal move for White (there are 20)".into(),
        ),
        ("at", "column 3: found the end, expected moves in quotes, one move, or root".into()),
        ("at \"e4", "column 7: found the end, expected a closing quotation mark".into()),
        (
            "when visits",
            "column 12: found the end, expected one of: *, /, +, -, <, <=, >, >=, =, !=".into(),
        ),
        (
            "when visits > 3 + (ply > 2)",
            "column 19: found \"(ply > 2)\", expected a number, not a condition".into(),
        ),
        ("(on prove", "column 10: found the end, expected one of: ,, and, on, at, under, when, changes, not, (, or, )".into()),
    ] {
        let error = condition(text).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
    let near = condition("on cutof").expect_err("no kind").to_string();
    assert!(
        near.starts_with(
            "column 4: found \"cutof\", did you mean cutoff? Expected one of: cutoff, iteration, "
        ),
        "{near}"
    );
    let figure = condition("when vists > 3")
        .expect_err("no figure")
        .to_string();
    assert!(
        figure.starts_with(
            "column 6: found \"vists\", did you mean visits? Expected one of: visits, "
        ),
        "{figure}"
    );
    // No event reports this fate.
    assert!(condition("on unvisited").is_err());
    for number in ["1e5", "1.2.3", "12kk", "0x10", "k"] {
        assert!(
            condition(&format!("when visits > {number}")).is_err(),
            "{number}"
        );
    }
    let deep = "(".repeat(3000);
    assert!(
        condition(&deep)
            .expect_err("deep")
            .to_string()
            .contains("at most 50")
    );
    let long = "on prove ".repeat(1000);
    assert!(
        condition(&long)
            .expect_err("long")
            .to_string()
            .contains("at most 4000")
    );
}

fn completed(text: &str) -> Vec<String> {
    let found = complete(text, text.chars().count(), &start());
    found.into_iter().map(|c| c.text).collect()
}

#[test]
fn completion_knows_what_may_follow() {
    assert_eq!(completed("")[..3], ["on", "at", "under"]);
    assert_eq!(completed("w"), ["when"]);
    assert_eq!(
        completed("on cut"),
        [
            "cutoff",
            "beta-cutoff",
            "probabilistic-cutoff",
            "prob-cut",
            "multi-cut"
        ]
    );
    assert_eq!(completed("on prove,best-c"), ["best-change"]);
    assert!(completed("on prove ").contains(&"under".to_owned()));
    assert_eq!(completed("when vis"), ["visits"]);
    assert_eq!(completed("when |expected-bef"), ["before"]);
    assert!(completed("when visits ").contains(&">=".to_owned()));
    let joined = completed("when visits > 3 or ");
    assert!(joined.contains(&"sd".to_owned()) && joined.contains(&"on".to_owned()));
    assert_eq!(completed("at \"1.e4 e"), ["e6", "e5"]);
    assert_eq!(completed("at \"1.e4 e5 2.Nf"), ["Nf3"]);
    assert_eq!(completed("at ro"), ["root"]);
    assert_eq!(completed("at \"").len(), 20);
    assert_eq!(completed("at ").len(), 21, "moves and root");
    assert!(completed("on foo when ").is_empty());
    let at = complete("at \"1.e4 e5\" on prove", 7, &start());
    assert_eq!((at[0].text.as_str(), at[0].start), ("e3", 6));
    assert_eq!(at[0].summary, "e2e3");
}
