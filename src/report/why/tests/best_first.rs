//! Tests of the sentences about nodes of best-first searches.

use super::*;

#[test]
fn best_first_nodes_give_visits_policy_and_what_is_computed_for_the_allocation() {
    let stage = Stage::new(Family::BestFirst);
    let told = |allocation: &str, fate| {
        let mut options = Algorithm::Distress.default_options();
        options
            .set("allocation", allocation)
            .expect("an allocation");
        let reader = Reader {
            searcher: GrownBy::Own(Algorithm::Distress, &options),
            ..stage.reader()
        };
        stage.tree.node(stage.child).set_fate(fate);
        why_node(&reader, stage.child)
    };
    let node = stage.tree.node(stage.child);
    node.set_visits(12_345);
    node.set_expected(-0.126);
    node.set_policy(0.41);
    node.set_urgency(0.0123);
    let best = stage.reply("e5");
    let expanded = Fate::Expanded {
        best,
        searched: 12,
        skipped: 0,
        moves: 20,
        margin: 0,
    };
    for (allocation, figure) in [
        ("criticality", "urgency 0.012"),
        ("vpi", "urgency 0.012"),
        ("puct", "widest open leaf ±0.012"),
        ("ucb", "widest open leaf ±0.012"),
    ] {
        assert_eq!(
            told(allocation, expanded),
            format!(
                "Expanded: value −0.46 from 12.3k visits, best e5, chance to be best 41 %, {figure}; 12 of 20 moves visited (Black's view)."
            )
        );
        assert_eq!(
            told(allocation, Fate::Frontier),
            format!(
                "Evaluated, not expanded yet: value −0.46 after 12.3k visits, chance to be best 41 %, {figure} (Black's view)."
            )
        );
    }
    node.set_visits(0);
    assert!(
        stage
            .child_fate(Fate::Unvisited)
            .starts_with("Not visited yet")
    );
}

/// The root's sentence agrees with the tree: which move leads, by the policy; its value and what could overtake it; how many
/// moves were searched and are decided.
#[test]
fn the_root_says_what_leads_and_what_could_overtake_it() {
    for nodes in [2_000, 20_000] {
        let session = session::testing::searched(Algorithm::Distress, nodes);
        let reader = session.reader();
        let told = why_node(&reader, Tree::ROOT);
        let mut rows = reader.rows(Tree::ROOT);
        rows.sort_by(|a, b| b.view.policy.partial_cmp(&a.view.policy).expect("numbers"));
        let percent = |row: &Row| {
            let share = 100.0 * row.view.policy.expect("a policy");
            match share.round() {
                0.0 => "<1%".to_owned(),
                whole => format!("{whole}%"),
            }
        };
        let lead = format!(
            "{} is most likely the best move ({})",
            rows[0].label,
            percent(&rows[0])
        );
        assert!(told.starts_with(&lead), "{told}");
        let rivals = rows[1..]
            .iter()
            .filter(|r| r.view.policy >= Some(0.02))
            .count();
        let second = format!("{} ({})", rows[1].label, percent(&rows[1]));
        assert_eq!(told.contains(&second), rivals > 0, "{told}");
        if rivals > 2 {
            let others = format!("{} other", rivals - 2);
            assert!(told.contains(&others), "{told}");
        }
        let searched = rows.iter().filter(|r| r.view.visits > 0).count();
        assert_eq!(
            told.contains(&format!("All {searched} moves")),
            searched == rows.len(),
            "{told}"
        );
        let decided = rows.iter().any(|r| r.view.proof.is_certain());
        assert_eq!(told.contains("none is decided"), !decided, "{told}");
        // Nine tenths of the mass are between the two values.
        let belief = rows[0].belief.as_ref().expect("a belief");
        let grid = reader.tree.grid();
        for p in [0.05, 0.95] {
            let pawns = 3.6 * belief.quantile(p, grid).atanh();
            let text = format!("{pawns:+.2}").replace('-', "\u{2212}");
            assert!(told.contains(&text), "{text}: {told}");
        }
    }
}
