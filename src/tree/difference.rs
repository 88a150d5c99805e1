//! Finds where two trees differ, for testing that a rewind is exact.

use std::fmt;

use super::{Family, Node, NodeId, Tree};

/// The first difference between two trees. It displays as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// `None` if the difference is not in a node but in the trees as a whole.
    pub node: Option<NodeId>,
    /// The name of the field that differs.
    pub what: &'static str,
    /// The value in the first tree.
    pub left: String,
    /// The value in the second tree.
    pub right: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node {
            Some(NodeId(id)) => write!(f, "node {id}: ")?,
            None => write!(f, "trees: ")?,
        }
        write!(f, "{} {} / {}", self.what, self.left, self.right)
    }
}

impl Tree {
    /// Returns the first difference from another tree: in the parameters of the trees, in the places handed out, then
    /// node by node in all fields (including the places of beliefs), and in the beliefs. How often a belief was written
    /// does not matter. `None` means that a search continued in either of them does the same.
    ///
    /// No thread may write to either tree meanwhile.
    pub fn difference(&self, other: &Tree) -> Option<Difference> {
        let whole = self.as_wholes().into_iter().zip(other.as_wholes());
        if let Some(found) = first_difference(None, whole) {
            return Some(found);
        }
        // Places skipped at the end of a chunk may be in one that was never created.
        self.ids()
            .filter(|&id| other.contains(id))
            .find_map(|id| self.difference_at(other, id))
    }

    fn as_wholes(&self) -> [(&'static str, String); 7] {
        [
            ("family", format!("{:?}", self.family)),
            ("scale", format!("{:?}", self.scale)),
            ("recorded plies", self.record_plies.to_string()),
            ("capacity", self.capacity().to_string()),
            ("places of nodes", format!("{:?}", self.nodes.used())),
            ("places of beliefs", format!("{:?}", self.beliefs.used())),
            ("places left behind", self.rerooting.to_string()),
        ]
    }

    fn difference_at(&self, other: &Tree, id: NodeId) -> Option<Difference> {
        let (left, right) = (self.node(id), other.node(id));
        if left.bits() != right.bits() {
            let pairs = fields(left, self.family)
                .into_iter()
                .zip(fields(right, self.family));
            // Two texts can be equal although the bits differ; then the bits are shown.
            let [left, right] = [left, right].map(|n| ("bits", format!("{:x?}", n.bits())));
            return first_difference(Some(id), pairs.chain([(left, right)]));
        }
        let place = self.belief_place(left);
        if place == 0 {
            return None;
        }
        let kept = |tree: &Tree| (tree.numbers(place), tree.optimal(place));
        if kept(self) != kept(other) {
            return Some(Difference {
                node: Some(id),
                what: "numbers",
                left: format!("{:?}", kept(self)),
                right: format!("{:?}", kept(other)),
            });
        }
        let belief = |tree: &Tree| tree.belief(id).map(|cdf| cdf.0);
        (belief(self) != belief(other)).then(|| Difference {
            node: Some(id),
            what: "belief",
            left: self.belief_text(id),
            right: other.belief_text(id),
        })
    }

    /// Mean, standard deviation and the whole CDF, because two beliefs may differ only in the last digit of the CDF.
    fn belief_text(&self, id: NodeId) -> String {
        self.belief(id).map_or_else(
            || String::from("not written"),
            |cdf| {
                format!(
                    "{:+.5} ± {:.5} {:?}",
                    cdf.mean(&self.grid),
                    cdf.sd(&self.grid),
                    cdf.0
                )
            },
        )
    }
}

type Field = (&'static str, String);

fn first_difference(
    node: Option<NodeId>,
    mut pairs: impl Iterator<Item = (Field, Field)>,
) -> Option<Difference> {
    pairs
        .find(|((_, left), (_, right))| left != right)
        .map(|((what, left), (_, right))| Difference {
            node,
            what,
            left,
            right,
        })
}

/// A node's fields with their names, the most informative ones first.
fn fields(node: &Node, family: Family) -> Vec<Field> {
    let own = match family {
        Family::DepthFirst => ("window", format!("{:?}", node.window())),
        Family::BestFirst => ("total", node.total().to_string()),
    };
    let extra = match family {
        Family::DepthFirst => {
            let again = node.is_searched_again();
            let (static_value, iteration) = node.static_and_iteration();
            (
                "static value, iteration, again",
                format!("{static_value:?}, {iteration}, {again}"),
            )
        }
        Family::BestFirst => match node.last_proof_numbers() {
            Some(numbers) => ("proof numbers", format!("{numbers:?}")),
            None => ("urgency", node.urgency().to_string()),
        },
    };
    vec![
        ("parent", node.parent().0.to_string()),
        ("move", format!("{:?}", node.move_code())),
        ("fate", format!("{:?}", node.fate())),
        ("visits", node.visits().to_string()),
        ("nodes", node.nodes().to_string()),
        own,
        ("proof", format!("{:?}", node.proof())),
        ("path-dependent", node.is_path_dependent().to_string()),
        ("expected", node.expected().to_string()),
        ("policy", node.policy().to_string()),
        extra,
        ("children", node.child_count().to_string()),
        ("first child", node.first_child().0.to_string()),
        ("next sibling", node.next_sibling().0.to_string()),
        ("place of the belief", node.belief().to_string()),
    ]
}
