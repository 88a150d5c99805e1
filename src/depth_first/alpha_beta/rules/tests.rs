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
