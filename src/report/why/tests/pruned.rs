//! Tests of what rules pruned, reduced and extended, and of its audits.

use super::*;
use crate::number;

/// Returns nodes that a rule cut off before their moves.
fn cut_before_moves(stage: &Stage) -> [Fate; 9] {
    let by = stage.reply("d5");
    let above = Fate::ReverseFutility {
        static_value: CP(310),
        margin: 150,
        beta: CP(35),
        depth: 2,
    };
    let razored = Fate::Razoring {
        static_value: CP(-510),
        margin: 250,
        value: CP(-480),
        depth: 1,
    };
    let passed = |value, reduction, verified| Fate::NullMove {
        value,
        beta: CP(35),
        reduction,
        verified,
    };
    let raised = |value, depth| Fate::ProbCut {
        by,
        value,
        raised: CP(215),
        depth,
    };
    [
        above,
        razored,
        passed(CP(60), 4, true),
        passed(CP(35), 1, false),
        raised(CP(240), 3),
        raised(Score::win_in(5), 0),
        Fate::MultiCut {
            value: CP(55),
            beta: CP(35),
            depth: 4,
        },
        Fate::ReverseFutility {
            static_value: CP(110),
            margin: 75,
            beta: CP(35),
            depth: 1,
        },
        Fate::Razoring {
            static_value: CP(-595),
            margin: 500,
            value: CP(-600),
            depth: 2,
        },
    ]
}

/// Returns the sentence and then the short form of fates whose text does not depend on the searches' figures.
fn both_forms(stage: &Stage, fates: &[Fate]) -> String {
    let both = |&fate: &Fate| format!("{}\n  {}\n", stage.child_fate(fate), brief_of(fate));
    fates.iter().map(both).collect()
}

#[test]
fn nodes_cut_off_before_their_moves_give_all_numbers() {
    let stage = Stage::depth_first();
    insta::assert_snapshot!(both_forms(&stage, &cut_before_moves(&stage)));
}

#[test]
fn skipped_moves_name_the_limit() {
    let stage = Stage::depth_first();
    let fates = [
        Fate::LateMovePruning {
            searched: 7,
            depth: 2,
        },
        Fate::LosingMoves {
            threshold: -120,
            depth: 2,
        },
        Fate::LosingCaptures,
        Fate::DeltaPruning {
            static_value: CP(-310),
            margin: 142,
            alpha: CP(-95),
        },
    ];
    insta::assert_snapshot!(both_forms(&stage, &fates));
    let root = stage.tree.node(Tree::ROOT);
    root.set_improving();
    let late = stage.child_fate(fates[0]);
    assert_eq!(
        late,
        "Not searched: 7 moves came before it in vain, the limit with 2 plies left."
    );
    // The sentence of an event depends on the event alone.
    let told =
        Teller::new(Lens::OWN, &stage.reader(), stage.reader().view(stage.child)).tell_fate();
    assert_eq!(told, late);
}

#[test]
fn audits_say_who_was_right() {
    let stage = Stage::depth_first();
    let mut told = String::new();
    let alpha = Fate::Futility {
        static_value: CP(-310),
        margin: 142,
        alpha: CP(-95),
        depth: 2,
    };
    let late = Fate::LateMovePruning {
        searched: 7,
        depth: 2,
    };
    let [above, razored, passed, ..] = cut_before_moves(&stage);
    let mate = Score::win_in(7);
    for (fate, value, failed) in [
        (alpha, CP(-120), false),
        (alpha, CP(35), true),
        (alpha, mate, true),
        (late, CP(35), true),
        (above, CP(90), false),
        (above, CP(-20), true),
        (above, Score::loss_in(4), true),
        (razored, CP(-300), false),
        (razored, CP(20), true),
        (passed, CP(35), false),
    ] {
        stage.tree.set_audit(stage.child, Audit { value, failed });
        stage.tree.node(stage.child).set_fate(fate);
        let view = stage.reader().view(stage.child);
        told += &format!("{}\n", why_node(&stage.reader(), stage.child));
        told += &format!("  {}\n", brief(&view, Scale::Logistic));
        assert_eq!(stage.tree.failed_audits().is_empty(), !failed);
    }
    insta::assert_snapshot!(told);
    // The move has been searched since, so the audit no longer applies.
    stage.tree.set_audit(
        stage.child,
        Audit {
            value: CP(35),
            failed: true,
        },
    );
    let text = stage.child_fate(Fate::Interrupted);
    assert_eq!(text, "The search was stopped in the middle of this node.");
    assert!(stage.tree.failed_audits().is_empty());
}

#[test]
fn depths_that_were_changed_say_how() {
    let stage = Stage::depth_first();
    let fate = Fate::Expanded {
        best: stage.reply("c5"),
        searched: 20,
        skipped: 0,
        moves: 20,
        margin: 0,
    };
    let reduced = |again| DepthChange::Reduced {
        plies: 2,
        number: 14,
        again,
    };
    let mut told = String::new();
    for change in [
        reduced(false),
        reduced(true),
        DepthChange::Check,
        DepthChange::Singular { plies: 1 },
        DepthChange::None,
    ] {
        let treatment = tree::Treatment {
            depth: change,
            audit: None,
        };
        stage.tree.node(stage.child).set_treatment(treatment);
        told += &format!("{}\n", stage.child_fate(fate));
        let words = depth_words(&stage.reader().view(stage.child));
        told += &format!("  {}\n", words.unwrap_or_default());
    }
    insta::assert_snapshot!(told);
    // The move was once searched less deeply and is now skipped, so that no longer applies.
    let text = stage.child_fate(Fate::LosingCaptures);
    assert!(!text.contains("less deeply"), "{text}");
}

#[test]
fn corrected_static_values_name_the_evaluation() {
    let stage = Stage::depth_first();
    let options = Algorithm::AlphaBeta.default_options();
    let reader = Reader {
        searcher: GrownBy::Own(Algorithm::AlphaBeta, &options),
        ..stage.reader()
    };
    let (evaluation, by) = reader
        .correction(stage.child, CP(2_000))
        .expect("not the evaluation");
    assert_eq!(i32::from(evaluation.raw()) + by, 2_000);
    assert_eq!(reader.correction(stage.child, evaluation), None);
    stage.tree.node(stage.child).set_fate(Fate::Horizon {
        static_value: Score::new(i32::from(evaluation.raw()) + 12),
    });
    let text = why_node(&reader, stage.child);
    let said = format!(
        "The evaluation is {}; correction history adds 0.12 (Black's view).",
        number::score(Scale::Logistic, evaluation)
    );
    assert!(text.ends_with(&said), "{text}");
}
