use super::*;
use crate::{Class, Declaration, Family, TreeSpec};
use game::Scale;

fn small() -> Tree {
    Tree::new(TreeSpec {
        family: Family::DepthFirst,
        scale: Scale::Logistic,
        beliefs: false,
        budget: 0,
        record_plies: u16::MAX,
    })
}

fn reason() -> ReasonId {
    let declaration = Declaration {
        name: "crowded".into(),
        class: Class::Known,
        numbers: vec![("count".into(), DeclaredUnit::Number)],
        text: None,
    };
    declaration.kept()
}

#[test]
fn numbers_have_their_share_of_the_memory_and_no_more() {
    let tree = small();
    let reason = reason();
    let most = tree.capacity() as usize * NUMBERS_A_NODE;
    let fates: Vec<Fate> = (0..most + 10)
        .map(|i| tree.told_fate(Fate::default(), reason, &[i as f64]))
        .collect();
    let number = |fate| tree.number_of(fate, "count");
    assert_eq!(
        number(fates[most - 1]),
        Some(Value::Number((most - 1) as f64))
    );
    assert_eq!(number(fates[most]), None, "the reason alone");
    assert!(tree.bytes() <= (most * 8 + (2 << 20)) as u64);
    // What is told again has its place.
    let again = tree.told_fate(fates[7], reason, &[-1.5]);
    assert_eq!(again, fates[7]);
    assert_eq!(number(again), Some(Value::Number(-1.5)));
    let copy = tree.copy();
    assert_eq!(copy.number_of(again, "count"), Some(Value::Number(-1.5)));
}

#[test]
fn marks_are_no_part_of_a_count_of_nodes() {
    let tree = small();
    let (id, node) = (Tree::ROOT, tree.node(Tree::ROOT));
    node.set_nodes(7);
    tree.set_same_side(node);
    tree.set_later((id, node), Fate::Excluded);
    tree.set_wide((id, node), Some(1e9));
    node.set_nodes(node.nodes() + 1);
    node.add_nodes(2);
    assert_eq!(node.nodes(), 10);
    let copy = tree.copy();
    for tree in [&tree, &copy] {
        assert!(tree.is_same_side(id));
        assert_eq!(tree.later(id), Some(Fate::Excluded));
        assert_eq!(tree.wide(id), Some(1e9));
        assert_eq!(tree.unexplained(id), None);
    }
    tree.forget_later(node);
    tree.set_wide((id, node), None);
    assert_eq!((tree.later(id), tree.wide(id)), (None, None));
    assert_eq!(node.nodes(), 10);
    tree.set_told_moves(id, 0);
    assert_eq!((tree.told_moves(id), copy.told_moves(id)), (Some(0), None));
}
