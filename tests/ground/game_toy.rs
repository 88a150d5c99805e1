//! Toy trees: what is accepted, what is refused and how, and that writing and reading are inverse.

use game::load::toy_tree::parse;
use game::notation::line_text;
use game::toy::ToyTree;
use game::{Scale, Side, Situation, ToyPosition};
use proptest::prelude::*;

const FIGURE: &str = "# Title\n# Hint,\n# two lines\nmax   # White\nC\n  A\n    x 1.2 ± 1\n    y -5.0+-1\n  z 4\nD 0.5\n  w 1.3\n";

#[test]
fn a_tree_is_read() {
    let read = parse(FIGURE).expect("a tree");
    assert_eq!(read.title.as_deref(), Some("Title"));
    assert_eq!(read.hint.as_deref(), Some("Hint, two lines"));
    let tree = read.tree;
    assert_eq!(tree.root_side, Side::White);
    assert_eq!(tree.height, 3);
    let names: Vec<&str> = tree.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["root", "C", "A", "x", "y", "z", "D", "w"]);
    assert_eq!(tree.nodes[0].children, [1, 6]);
    assert_eq!(tree.nodes[2].children, [3, 4]);
    assert_eq!(
        (tree.nodes[3].value, tree.nodes[3].spread),
        (Some(1.2), 1.0)
    );
    assert_eq!(
        (tree.nodes[4].value, tree.nodes[4].spread),
        (Some(-5.0), 1.0)
    );
    // An inner node's own value is kept; only leaves enter the mean.
    assert_eq!(tree.nodes[6].value, Some(0.5));
    assert!((tree.leaf_mean - (1.2 - 5.0 + 4.0 + 1.3) / 4.0).abs() < 1e-6);
}

fn scale(text: &str) -> (f32, f32) {
    match parse(text).expect(text).tree.scale {
        Scale::Linear(axis) => (10_f32.powi(axis.decimals() as i32), axis.range()),
        Scale::Logistic => panic!("a toy tree's scale is linear"),
    }
}

#[test]
fn the_scale_makes_integers_of_values() {
    // Largest 14: w = 0.5, since 31 * 0.5 = 15.5 >= 14.
    assert_eq!(scale("max\na 14\nb 2\n"), (1.0, 15.75));
    // 5 + 4 * 1 = 9 <= 31 * 0.5, and 31 * 0.2 is too small.
    assert_eq!(scale("max\na 1.2\nb -5 ± 1\n"), (10.0, 15.75));
    assert_eq!(scale("max\na 0.25\n"), (100.0, 0.315));
    // All zeros: any axis will do.
    let (per_unit, range) = scale("min\na 0\n");
    assert!(per_unit == 1.0 && range > 0.0);
}

#[test]
fn what_is_no_tree_is_refused_with_its_place() {
    let many: String = (0..201).map(|i| format!("n{i} 1\n")).collect();
    let cases = [
        (
            "",
            "found no tree, expected \"max\" or \"min\" (who moves at the root), then one node per line",
        ),
        (
            "# only\n",
            "found no tree, expected \"max\" or \"min\" (who moves at the root), then one node per line",
        ),
        (
            "max\n",
            "found a root without children, expected at least one node below it",
        ),
        (
            "maximum\na 1",
            "line 1, column 1: found \"maximum\", expected \"max\" or \"min\": who moves at the root",
        ),
        (
            "max\nA\n  x 1\n\ty 2\n",
            "line 4, column 1: found a tab, expected spaces, as in the lines before",
        ),
        (
            "max\nA\n\tx 1\n\t y 2\n",
            "line 4, column 2: found a space, expected tabs, as in the lines before",
        ),
        (
            "max\nA\n  B\n      x 1\n",
            "line 4, column 7: found an indentation of 6, expected at most 4 (2 a level)",
        ),
        (
            "max\nA\n    x 1\n  y 2\n",
            "line 4, column 3: found an indentation of 2, expected that of a node above, such as 4",
        ),
        (
            "max\nA\nB 1\n",
            "line 2: found the leaf \"A\" without a value, expected its value, or nodes below it",
        ),
        (
            "max\nA 1\nA 2\n",
            "line 3, column 1: found \"A\", expected another name: line 2 has this one under the same parent",
        ),
        (
            "max\nA nan\n",
            "line 2, column 3: found \"nan\", expected a value that is a finite number",
        ),
        (
            "max\nA inf\n",
            "line 2, column 3: found \"inf\", expected a value that is a finite number",
        ),
        (
            "max\nA 1e99\n",
            "line 2, column 3: found \"1e99\", expected a value that is a finite number",
        ),
        (
            "max\nA 3e38\n",
            "line 2, column 3: found \"3e38\", expected a value within ±1e30",
        ),
        (
            "max\nA x\n",
            "line 2, column 3: found \"x\", expected a value (a number)",
        ),
        (
            "max\nA 1 2\n",
            "line 2, column 3: found \"1 2\", expected a value (a number)",
        ),
        (
            "max\nA 1 ± -2\n",
            "line 2, column 7: found \"-2\", expected a spread of 0 or more",
        ),
        (
            "max\nA 1 ±\n",
            "line 2, column 6: found nothing, expected a spread (a number)",
        ),
    ];
    for (text, message) in cases {
        let error = parse(text).expect_err(text);
        assert_eq!(error.to_string(), message, "{text:?}");
    }
    // More values than there are scores for them.
    let mut values = String::new();
    for i in 0..200 {
        values += &format!("n{i}\n");
        for j in 0..160 {
            values += &format!(" m{j} 7{i:03}.{j:03}\n");
        }
    }
    let error = parse(&format!("max\n{values}")).expect_err("too many values");
    assert_eq!(
        error.to_string(),
        "found 32000 values that differ in size, expected at most 29999"
    );
    let error = parse(&format!("max\n{many}")).expect_err("too many");
    assert_eq!(
        error.to_string(),
        "line 202: found one child too many, expected at most 200 children of one node"
    );
}

#[test]
fn a_way_through_the_tree_is_written_and_read() {
    let tree = std::sync::Arc::new(parse(FIGURE).expect("a tree").tree);
    let root = Situation::new(ToyPosition::root(tree));
    let end = root.play_text("C › A › y").expect("a way to a leaf");
    assert_eq!(end.position.node().name, "y");
    assert_eq!(line_text(&root.position, &[0, 0, 1]), "C › A › y");
    for (way, message) in [
        ("C X", "column 3: found \"X\", expected one of A, z"),
        (
            "C A y y",
            "column 7: found \"y\", expected no move: this is a leaf",
        ),
    ] {
        assert_eq!(root.play_text(way).expect_err(way).to_string(), message);
    }
}

/// Nested lists of leaves form a tree of any shape; values have up to two decimals.
#[derive(Clone, Debug)]
enum Shape {
    Leaf(i32, u8),
    Inner(Option<i32>, Vec<Shape>),
}

fn shape() -> impl Strategy<Value = Shape> {
    let leaf = (-29_999..30_000_i32, 0..3_u8).prop_map(|(v, s)| Shape::Leaf(v, s));
    leaf.prop_recursive(5, 60, 6, |inner| {
        (
            prop::option::of(-100..100_i32),
            prop::collection::vec(inner, 1..6),
        )
            .prop_map(|(v, c)| Shape::Inner(v, c))
    })
}

fn write(shape: &Shape, name: &str, depth: usize, text: &mut String) {
    let indent = "\t".repeat(depth);
    let value = |v: i32| f64::from(v) / 100.0;
    match shape {
        Shape::Leaf(v, 0) => *text += &format!("{indent}{name} {}\n", value(*v)),
        Shape::Leaf(v, s) => {
            *text += &format!("{indent}{name} {} +- {}\n", value(*v), value(i32::from(*s)))
        }
        Shape::Inner(own, children) => {
            let own = own.map_or(String::new(), |v| format!(" {}", value(v)));
            *text += &format!("{indent}{name}{own}\n");
            for (i, child) in children.iter().enumerate() {
                write(child, &format!("{name}{i}"), depth + 1, text);
            }
        }
    }
}

proptest! {
    #[test]
    fn written_trees_read_back(root in shape(), max in any::<bool>()) {
        let mut text = if max { "max\n".to_owned() } else { "min\n".to_owned() };
        write(&root, "n", 0, &mut text);
        let tree: ToyTree = parse(&text).expect("a tree").tree;
        let again = parse(&tree.to_text()).expect("the written tree").tree;
        prop_assert_eq!(&again, &tree);
        let Scale::Linear(axis) = tree.scale else { unreachable!("linear") };
        for node in &tree.nodes {
            if let Some(value) = node.value {
                prop_assert_eq!(axis.value(axis.score(value)), value);
                prop_assert!(value.abs() + 4.0 * node.spread <= axis.range());
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>(), lines in prop::collection::vec("[ \t]{0,4}[a-c#]{0,2} ?[-±+.0-9e]{0,4}", 0..12)) {
        let _ = parse(&text);
        let _ = parse(&format!("max\n{}", lines.join("\n")));
    }
}
