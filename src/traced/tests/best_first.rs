//! Best-first streams.

use super::*;

/// Lines of a best-first search, after the header.
fn best_first(more: &str, lines: &str) -> Grown {
    let header = format!(
        r#"{{"plyscope-trace":1,"game":"toy","order":"best-first","value":{{"unit":"expected"{more}}}}}"#
    );
    grow(&format!("{header}\n{lines}"))
}

#[test]
fn visits_are_backed_up_as_means() {
    let grown = best_first(
        "",
        r#"{"kind":"search"}
{"kind":"expand","node":0,"first":1,"moves":["a","b"],"priors":[0.75,0.25]}
{"kind":"visit","node":1,"value":-0.5}
{"kind":"visit","node":2,"value":0.25}
{"kind":"expand","node":1,"first":3,"moves":["c"]}
{"kind":"visit","node":3,"value":0.5}
"#,
    );
    let root = grown.tree.node(Tree::ROOT);
    assert_eq!(root.visits(), 3);
    // 0.5, −0.25 and 0.5 for the side to move at the root.
    assert!((root.expected() - 0.25).abs() < 1e-6);
    let a = grown.view("a");
    assert_eq!(a.visits, 2);
    assert!((a.policy.unwrap_or(0.0) - 0.75).abs() < 1e-4);
    assert!((a.expected.unwrap_or(0.0) + 0.5).abs() < 1e-6);
    assert_eq!(
        crate::most_visited(&grown.tree, Tree::ROOT),
        Some(a.move_code)
    );
    assert_eq!(grown.events.len(), 5);
}

#[test]
fn figures_that_a_program_tells_stand_as_it_tells_them() {
    let grown = best_first(
        r#","view":"parent""#,
        r#"{"kind":"expand","node":0,"first":1,"moves":["a","b"]}
{"kind":"update","node":1,"visits":12,"value":0.5,"sd":0.25}
{"kind":"prove","node":2,"lower":1,"upper":1,"plies":3}
{"kind":"edge","node":1,"move":"x","to":2}
"#,
    );
    let a = grown.view("a");
    assert_eq!((a.visits, a.expected), (12, Some(-0.5)));
    assert_eq!(grown.tree.node(a.id).second(), 0.25);
    assert!(grown.view("b").proof.is_exact());
    assert_eq!(grown.tree.same_as(grown.node("a x")), Some(grown.node("b")));
}

#[test]
fn a_told_value_that_changes_is_a_back_up_and_the_named_move_is_best() {
    let grown = best_first(
        "",
        r#"{"kind":"expand","node":0,"first":1,"moves":["a","b"]}
{"kind":"update","node":1,"visits":5,"value":0.5,"nodes":40}
{"kind":"update","node":1,"visits":9,"value":0.25}
{"kind":"update","node":2,"visits":3,"value":0.75}
{"kind":"best-change","to":"b"}
"#,
    );
    let changed = |event: &Event| match *event {
        Event::BackUp { before, after, .. } => Some((before.map(|b| b.mean), after.mean)),
        _ => None,
    };
    let back_ups: Vec<_> = grown.events.iter().filter_map(changed).collect();
    assert_eq!(back_ups, [(Some(0.5), 0.25)]);
    let b = grown.view("b").move_code;
    assert_eq!(grown.start.best, b);
    assert_eq!(grown.view("a").nodes, 40);
}

#[test]
fn a_prior_that_is_not_told_is_none() {
    let grown = best_first(
        "",
        r#"{"kind":"expand","node":0,"first":1,"moves":["a","b"]}
{"kind":"expand","node":1,"first":3,"moves":["c","d"],"priors":[0,1]}
{"kind":"update","node":2,"prior":0.25}
{"kind":"edge","node":2,"move":"e","to":1}
"#,
    );
    let policy = |moves: &str| grown.view(moves).policy;
    assert_eq!((policy("a"), policy("b e")), (None, None));
    assert_eq!((policy("a c"), policy("a d")), (Some(0.0), Some(1.0)));
    assert!(policy("b").is_some_and(|prior| (prior - 0.25).abs() < 1e-4));
}
