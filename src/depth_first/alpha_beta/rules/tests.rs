//! Tests of each rule on its own.

use std::collections::BTreeSet;

use super::*;
use crate::alpha_beta::default_options;
use tree::{FATES, Fate};

fn rules() -> Rules {
    Rules::from_options(&default_options())
}

fn seen(depth: i32, static_value: i32) -> NodeInputs {
    NodeInputs {
        alpha: Score::new(100),
        beta: Score::new(101),
        depth,
        static_value: Score::new(static_value),
        improving: true,
    }
}

#[test]
fn the_table_stands_in_the_enums_order() {
    for (i, row) in RULES.iter().enumerate() {
        assert_eq!(row.rule as usize, i);
    }
}

#[test]
fn a_rule_that_prunes_and_its_fate_have_one_name() {
    let prunes = |row: &&RuleInfo| matches!(row.effect, Effect::CutsNode | Effect::SkipsMove);
    let rules: BTreeSet<&str> = RULES.iter().filter(prunes).map(RuleInfo::name).collect();
    let fates: BTreeSet<&str> = FATES.iter().filter(|f| f.by_rule).map(|f| f.name).collect();
    assert_eq!(rules, fates);
}

#[test]
fn every_rule_can_be_switched_off_by_its_name() {
    // A rule may be off by default.
    let mut all = default_options();
    for row in &RULES {
        all.set(row.name(), "on").expect("a switch");
    }
    let plain = without_rules(&all);
    for row in &RULES {
        assert_eq!(
            plain.switch(row.name()),
            is_in_quiescence(row.rule),
            "{}",
            row.name()
        );
        assert_eq!(row.options[0].key, row.name());
    }
}

#[test]
fn futility_asks_for_static_value_and_margin_up_to_alpha() {
    let futility = rules().futility;
    let margin = futility.margin.at(2);
    assert!(futility.skip(&seen(2, 100 - margin)).is_some());
    assert!(futility.skip(&seen(2, 101 - margin)).is_none());
    assert!(
        futility
            .skip(&seen(futility.max_depth + 1, -3_000))
            .is_none()
    );
    let mate = NodeInputs {
        alpha: Score::loss_in(4),
        ..seen(1, -3_000)
    };
    assert!(futility.skip(&mate).is_none());
}

#[test]
fn reverse_futility_claims_no_more_than_its_margin_leaves() {
    let rule = rules().reverse_futility;
    let margin = rule.margin.at(2);
    // Improving: the margin is one ply smaller than at this depth.
    let (value, fate) = rule.cut(&seen(3, 101 + margin)).expect("just enough");
    assert_eq!(value, Score::new(101));
    assert!(matches!(fate, Fate::ReverseFutility { depth: 3, .. }));
    assert!(rule.cut(&seen(3, 100 + margin)).is_none());
}

#[test]
fn late_moves_get_more_room_with_depth_and_when_improving() {
    let rule = rules().late_move_pruning;
    let limit = |depth, improving| {
        rule.limit(&NodeInputs {
            improving,
            ..seen(depth, 0)
        })
    };
    assert!(limit(1, true) < limit(2, true) && limit(2, true) < limit(4, true));
    assert!(limit(4, false) < limit(4, true));
    assert_eq!(limit(rule.max_depth + 1, true), None);
}

#[test]
fn reduction_grows_with_number_and_depth_and_leaves_a_ply() {
    let rule = rules().late_move_reduction;
    let late = Late {
        depth: 8,
        number: 10,
        open_window: false,
        improving: true,
        quiet: true,
        history: 0,
        gives_check: false,
    };
    let plies = |late: Late| rule.plies(&late);
    assert!(plies(late) >= 1);
    assert!(plies(Late { number: 30, ..late }) >= plies(late));
    assert!(plies(Late { depth: 20, ..late }) > plies(late));
    assert!(
        plies(Late {
            history: 20_000,
            ..late
        }) < plies(late)
    );
    assert!(
        plies(Late {
            open_window: true,
            ..late
        }) < plies(late)
    );
    assert_eq!(plies(Late { number: 0, ..late }), 0);
    for depth in 1..12 {
        for number in 0..60 {
            let reduced = plies(Late {
                depth,
                number,
                improving: false,
                history: -30_000,
                ..late
            });
            assert!(
                (0..=(depth - 2).max(0)).contains(&reduced),
                "{depth} {number}"
            );
        }
    }
}

/// A condition takes the place of the depths of the rule's own option, and a word says those.
#[test]
fn a_rule_applies_where_its_condition_holds() {
    let rules = |pairs: &[&str]| {
        let mut options = default_options();
        for pair in pairs {
            options.set_pair(pair).expect(pair);
        }
        Rules::from_options(&options)
    };
    let deep = NodeInputs {
        depth: 9,
        ..seen(9, -3000)
    };
    assert!(rules(&[]).futility.skip(&deep).is_none(), "deeper than 6");
    let anywhere = rules(&["futility-when=depth < 20 and static < alpha - 1000"]);
    assert!(anywhere.futility.skip(&deep).is_some());
    let near = NodeInputs {
        static_value: Score::new(-900),
        ..seen(2, -900)
    };
    assert!(
        anywhere.futility.skip(&near).is_none(),
        "not 1000 below alpha"
    );
    assert!(rules(&[]).futility.skip(&near).is_some());
    // Static value 500 is above beta, 101.
    let above = seen(2, 500);
    let passes = |pairs: &[&str]| rules(pairs).null_move.reduction(&above).is_some();
    assert!(!passes(&[]) && passes(&["null-move-when=depth >= 2"]));
    assert!(
        !passes(&["null-move-when=improving = 0"]) && passes(&["null-move-when=improving = 1"])
    );
    let cut = |pairs: &[&str]| rules(pairs).reverse_futility.cut(&above).is_some();
    assert!(cut(&[]) && !cut(&["reverse-futility-when=beta > 150"]));
    let none = rules(&["reverse-futility-when=static > sqrt(0 - 1)"]);
    assert!(
        none.reverse_futility.cut(&above).is_some(),
        "where it has no value: by depth"
    );
    assert_eq!((none.take_undefined(), none.take_undefined()), (1, 0));
}

#[test]
fn what_is_no_condition_is_refused() {
    for (text, said) in [
        ("depth", "expected a condition, not a number"),
        ("depth < static", "in centipawns, expected plies"),
        ("move < 3", "found \"move\""),
        ("sometimes", "found \"sometimes\""),
    ] {
        let mut options = default_options();
        let error = options
            .set("futility-when", text)
            .expect_err(text)
            .to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
}
