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
