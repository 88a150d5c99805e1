//! The numbers behind a value in JSON, each calculated again from other numbers that were printed: back-ups of beliefs,
//! conspiracies, budgets, and what decided a fate.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::cli_support::plyscope;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn json(arguments: &[&str]) -> Value {
    let run = plyscope(arguments);
    serde_json::from_str(&run.clean().out).expect("JSON")
}

fn tree(arguments: &[&str]) -> Value {
    json(&[&["tree", "--format", "json"], arguments].concat())
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is not a number"))
}

fn numbers(value: &Value) -> Vec<f64> {
    let all = value.as_array().expect("an array");
    all.iter().map(number).collect()
}

fn children(node: &Value) -> &[Value] {
    node["children"].as_array().expect("children")
}

fn name(node: &Value) -> &str {
    node["move"]["san"].as_str().expect("a name")
}

/// Calls `visit` with every node, its parent and its ply.
fn nodes<'a>(root: &'a Value, visit: &mut impl FnMut(&'a Value, Option<&'a Value>, usize)) {
    fn below<'a>(
        node: &'a Value,
        parent: Option<&'a Value>,
        ply: usize,
        visit: &mut impl FnMut(&'a Value, Option<&'a Value>, usize),
    ) {
        visit(node, parent, ply);
        for child in children(node) {
            below(child, Some(node), ply + 1, visit);
        }
    }
    below(root, None, 0, visit);
}

fn near(found: f64, expected: f64, by: f64, what: &str) {
    assert!(
        (found - expected).abs() <= by,
        "{what}: {found}, not {expected}"
    );
}

/// Entropy, effective number and blend follow from the policy, s from the u, and these from the beliefs of the moves.
#[test]
fn what_went_into_a_back_up_follows_from_the_moves() {
    type Blend = fn(f64, f64) -> Option<f64>;
    let rules: [(&str, Blend); 6] = [
        ("entropy", |h, n| Some(h / n.ln())),
        ("inverse-effective", |h, _| Some(1.0 - (-h).exp())),
        ("effective-share", |h, n| Some((h.exp() - 1.0) / (n - 1.0))),
        ("exp:0.5", |h, _| Some(1.0 - (-0.5 * h).exp())),
        ("constant:0.3", |_, _| Some(0.3)),
        ("gumbel:2", |_, _| None),
    ];
    for (rule, blend) in rules {
        let set = format!("backup={rule}");
        let whole = tree(&[
            "-a",
            "distress",
            "--fen",
            KIWIPETE,
            "--nodes",
            "3000",
            "--max-nodes",
            "300",
            "--beliefs",
            "--set",
            &set,
            "--threads",
            "1",
        ]);
        let edges = numbers(&whole["edges"]);
        let middle: Vec<f64> = edges.windows(2).map(|e| (e[0] + e[1]) / 2.0).collect();
        let mut checked = 0;
        nodes(&whole["root"], &mut |node, _, ply| {
            let back_up = &node["back_up"];
            assert_eq!(back_up.is_null(), node["recorded"] == 0, "{rule}: {node}");
            if back_up.is_null() {
                return;
            }
            let moves = back_up["moves"].as_array().expect("moves");
            let column = |key: &str| moves.iter().map(|m| number(&m[key])).collect::<Vec<f64>>();
            let (policy, u) = (column("policy"), column("u"));
            let n = policy.len() as f64;
            near(policy.iter().sum(), 1.0, 1e-3, "policies");
            let h: f64 = policy
                .iter()
                .filter(|p| **p > 0.0)
                .map(|p| -p * p.ln())
                .sum();
            near(number(&back_up["entropy"]), h, 1e-3, "entropy");
            near(number(&back_up["n_eff"]), h.exp(), 1e-2, "n_eff");
            near(number(&back_up["s"]), u.iter().sum(), 1e-4, "s");
            match blend(h, n).filter(|_| n > 1.0) {
                Some(b) => near(number(&back_up["blend"]), b, 2e-3, rule),
                None => assert!(back_up["blend"].is_null(), "{rule}"),
            }
            // The same from the beliefs of the moves, where they were written.
            let belief = |m: &Value| {
                let of = |c: &&Value| c["move"]["san"] == m["move"] && !c["pmf"].is_null();
                children(node).iter().find(of).map(|c| numbers(&c["pmf"]))
            };
            let beliefs: Option<Vec<Vec<f64>>> = moves.iter().map(belief).collect();
            let Some(beliefs) = beliefs else {
                return;
            };
            checked += 1;
            let cumulated: Vec<Vec<f64>> = beliefs
                .iter()
                .map(|pmf| {
                    pmf.iter()
                        .scan(0.0, |q, p| {
                            *q += p;
                            Some(*q)
                        })
                        .collect()
                })
                .collect();
            let product = |bin: usize, without: usize| -> f64 {
                let others = cumulated.iter().enumerate().filter(|(k, _)| *k != without);
                others.map(|(_, q)| q[bin]).product()
            };
            for (i, (pmf, told)) in beliefs.iter().zip(&u).enumerate() {
                let sum = pmf.iter().enumerate().map(|(bin, p)| p * product(bin, i));
                near(*told, sum.sum(), 1e-3, "u");
            }
            // From the side that plays the node's move; at the root, from the side to move.
            let sign = if ply == 0 { 1.0 } else { -1.0 };
            let mean = |pmf: &[f64]| -> f64 { pmf.iter().zip(&middle).map(|(p, x)| p * x).sum() };
            let picked = beliefs.iter().zip(&policy).map(|(pmf, p)| p * mean(pmf));
            near(
                number(&back_up["r_pick"]["mean"]),
                sign * picked.sum::<f64>(),
                0.02,
                "r_pick",
            );
            let best: Vec<f64> = (0..middle.len())
                .map(|bin| product(bin, usize::MAX))
                .collect();
            let best: Vec<f64> = (0..best.len())
                .map(|bin| best[bin] - if bin > 0 { best[bin - 1] } else { 0.0 })
                .collect();
            near(
                number(&back_up["r_opt"]["mean"]),
                sign * mean(&best),
                0.02,
                "r_opt",
            );
        });
        assert!(checked >= 4, "{rule}: {checked}");
    }
}

#[test]
fn the_result_of_a_search_has_the_back_up_of_its_root() {
    let arguments = ["-a", "distress", "--nodes", "2000", "--threads", "1"];
    let result = json(&[&["search", "--json"], &arguments[..]].concat());
    let whole = tree(&[&arguments[..], &["--max-nodes", "0"]].concat());
    assert_eq!(result["back_up"], whole["root"]["back_up"]);
    assert!(number(&result["back_up"]["s"]) >= 0.99);
    assert!(result["conspiracies"].is_null());
    for other in ["mcts", "alpha-beta"] {
        let result = json(&["search", "--json", "-a", other, "--nodes", "500"]);
        assert!(result["back_up"].is_null(), "{other}");
    }
}

/// Every inner node has its belief, and the quantiles are those of it.
#[test]
fn beliefs_of_all_nodes_are_written_on_demand() {
    let given = ["-a", "distress", "--nodes", "2000", "--threads", "1"];
    let whole = tree(&[&given[..], &["--beliefs"]].concat());
    let edges = numbers(&whole["edges"]);
    let mut inner = 0;
    nodes(&whole["root"], &mut |node, _, _| {
        if node["pmf"].is_null() {
            assert!(
                node["sd"].is_null() && node["quantiles"].is_null(),
                "{node}"
            );
            return;
        }
        inner += usize::from(node["recorded"] != 0);
        let pmf = numbers(&node["pmf"]);
        assert_eq!(pmf.len() + 1, edges.len());
        near(pmf.iter().sum(), 1.0, 1e-3, "mass");
        let below = |edge: f64| -> f64 {
            let bins = pmf.iter().zip(edges.windows(2));
            bins.filter(|(_, e)| e[1] <= edge + 1e-6)
                .map(|(p, _)| p)
                .sum()
        };
        for (quantile, p) in numbers(&node["quantiles"]).iter().zip([0.05, 0.5, 0.95]) {
            let bin = edges
                .windows(2)
                .find(|e| e[0] - 1e-6 <= *quantile && *quantile <= e[1] + 1e-6);
            let bin = bin.expect("inside the grid");
            let (low, high) = (below(bin[0]), below(bin[1]));
            assert!(low - 1e-3 <= p && p <= high + 1e-3, "{p}: {low} to {high}");
        }
    });
    assert!(inner > 3, "{inner}");
    let without = tree(&given);
    assert!(without["edges"].is_null());
    nodes(&without["root"], &mut |node, _, _| {
        assert!(node["pmf"].is_null())
    });
    assert_eq!(whole["root"]["quantiles"], without["root"]["quantiles"]);
    plyscope(&["tree", "--beliefs", "--nodes", "100"]).refused(2);
}

/// A node of a toy tree, with values as the side to move at the root sees them.
struct Toy {
    value: f64,
    children: Vec<Toy>,
    leaves: usize,
}

impl Toy {
    fn of(node: &Value, ply: usize) -> Toy {
        let seen = number(&node["expected"]);
        let children: Vec<Toy> = children(node).iter().map(|c| Toy::of(c, ply + 1)).collect();
        Toy {
            value: if ply == 0 || ply % 2 == 1 {
                seen
            } else {
                -seen
            },
            leaves: children.iter().map(|c| c.leaves).sum::<usize>().max(1),
            children,
        }
    }

    /// The value if the leaves of a set, one bit each, are worth `changed`.
    fn with(&self, maximises: bool, set: u32, changed: f64) -> f64 {
        if self.children.is_empty() {
            return if set & 1 == 1 { changed } else { self.value };
        }
        let mut rest = set;
        let values = self.children.iter().map(|child| {
            let value = child.with(!maximises, rest, changed);
            rest >>= child.leaves;
            value
        });
        match maximises {
            true => values.fold(f64::NEG_INFINITY, f64::max),
            false => values.fold(f64::INFINITY, f64::min),
        }
    }

    /// For ever more leaves the furthest value that a set of so many can bring about.
    fn staircase(&self, maximises: bool, up: bool) -> Vec<(u64, f64)> {
        let changed = if up { f64::INFINITY } else { f64::NEG_INFINITY };
        let beyond = |a: f64, b: f64| if up { a > b } else { a < b };
        let mut furthest = vec![self.value; self.leaves + 1];
        for set in 0..1u32 << self.leaves {
            let value = self.with(maximises, set, changed);
            let size = set.count_ones() as usize;
            if beyond(value, furthest[size]) {
                furthest[size] = value;
            }
        }
        let mut steps: Vec<(u64, f64)> = Vec::new();
        let mut last = self.value;
        for (size, value) in furthest.into_iter().enumerate() {
            if beyond(value, last) {
                steps.push((size as u64, value));
                last = value;
            }
        }
        steps
    }
}

/// McAllester's definition, by all sets of leaves.
#[test]
fn the_staircase_is_what_sets_of_leaves_can_bring_about() {
    let file = format!(
        "{}/sample-positions/textbook.tree",
        env!("CARGO_MANIFEST_DIR")
    );
    let arguments = [&file, "-a", "conspiracy", "--set", "conspirators=all"];
    let whole = tree(&arguments);
    let mut inner = 0;
    nodes(&whole["root"], &mut |node, _, ply| {
        let toy = Toy::of(node, ply);
        inner += usize::from(!toy.children.is_empty());
        let of_root = ply == 0 || ply % 2 == 1;
        for (key, up) in [("raise", true), ("lower", false)] {
            let told = node["conspiracies"][key].as_array().expect("steps");
            let expected = toy.staircase(ply % 2 == 0, up == of_root);
            assert_eq!(told.len(), expected.len(), "{key}: {node}");
            for (told, (leaves, to)) in told.iter().zip(expected) {
                assert_eq!(told["leaves"], leaves, "{key}: {node}");
                match to.is_finite() {
                    true => near(
                        number(&told["to"]),
                        if of_root { to } else { -to },
                        1e-5,
                        key,
                    ),
                    false => assert!(told["to"].is_null(), "{key}: {node}"),
                }
            }
        }
    });
    assert_eq!(inner, 4, "the whole tree was grown");
    let result = json(&[&["search", "--json"], &arguments[..]].concat());
    assert_eq!(result["conspiracies"], whole["root"]["conspiracies"]);
    assert_eq!(
        result["conspiracies"]["raise"].as_array().map(Vec::len),
        Some(3)
    );
}

/// The parts of a budget sum to it, and are what is spent: each visit of a move takes one.
#[test]
fn a_budget_is_divided_as_its_event_says() {
    let run = plyscope(&[
        "trace",
        "-a",
        "distress",
        "--nodes",
        "6000",
        "--set",
        "descent=budget-visits",
        "--set",
        "leaf=quiescence",
    ]);
    let out = run.clean().out;
    let lines = out.lines();
    let events: Vec<Value> = lines
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect();
    let mut handed: Option<BTreeMap<String, u64>> = None;
    let (mut budgets, mut divided, mut below, mut last) = (0, 0, 0, 0);
    for event in &events {
        if event["kind"] == "budget" {
            let parts = event["parts"].as_array().expect("parts");
            let sizes: Vec<u64> = parts.iter().filter_map(|p| p["part"].as_u64()).collect();
            let total = event["total"].as_u64().expect("a total");
            assert_eq!(sizes.iter().sum::<u64>(), total);
            assert!(sizes.is_sorted_by(|a, b| a >= b), "the largest first");
            assert_eq!(event["unit"], "visits");
            let listed: Vec<String> = parts
                .iter()
                .map(|p| format!("{} {}", p["move"].as_str().expect("a move"), p["part"]))
                .collect();
            let text = event["text"].as_str().expect("a sentence");
            let visits = if total == 1 { "visit" } else { "visits" };
            assert!(
                text.ends_with(&format!(
                    "hands out {total} {visits}: {}.",
                    listed.join(", ")
                )),
                "{text}"
            );
            if event["ply"] != 0 {
                below += 1;
                continue;
            }
            // All of the chunk before was spent, and this one is twice as large, or it is the rest or a new call's first.
            let left = handed.take().unwrap_or_default();
            assert!(
                left.values().all(|part| *part == 0),
                "{left:?} before {text}"
            );
            assert!(total == 1 || total <= 2 * last, "{total} after {last}");
            last = total;
            budgets += 1;
            divided += usize::from(parts.len() > 1);
            let each = parts
                .iter()
                .filter_map(|p| Some((p["move"].as_str()?.to_owned(), p["part"].as_u64()?)));
            handed = Some(each.collect());
        } else if event["kind"] == "enter"
            && event["ply"] == 1
            && let Some(handed) = &mut handed
        {
            let name = event["line"][0].as_str().expect("a move");
            let left = handed
                .get_mut(name)
                .unwrap_or_else(|| panic!("{name} got nothing"));
            *left = left
                .checked_sub(1)
                .unwrap_or_else(|| panic!("{name} got less"));
        }
    }
    assert!(
        budgets > 10 && divided > 3 && below > 10,
        "{budgets} {divided} {below}"
    );
}

/// A fate's numbers fit its rule.
#[test]
fn the_numbers_of_a_fate_fit_its_rule() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for algorithm in ["alpha-beta", "prob-alpha-beta", "distress"] {
        let whole = tree(&[
            "-a",
            algorithm,
            "--fen",
            KIWIPETE,
            "--nodes",
            "30000",
            "--threads",
            "1",
            "--max-nodes",
            "3000",
        ]);
        nodes(&whole["root"], &mut |node, parent, _| {
            let fate = &node["decided"];
            assert_eq!(fate["name"], node["fate"]);
            let of = |key: &str| number(&fate[key]);
            let fits = match fate["name"].as_str().expect("a name") {
                "futility" | "delta-pruning" => of("static") + of("margin") <= of("alpha"),
                "reverse-futility" => of("static") - of("margin") >= of("beta"),
                "stand-pat" => of("static") >= of("beta"),
                "beta-cutoff" => {
                    let by = children(node).iter().any(|c| name(c) == fate["by"]);
                    of("value") >= of("beta")
                        && of("searched") >= 1.0
                        && (by || children(node).is_empty())
                }
                "sibling-cutoff" => {
                    let siblings = children(parent.expect("a parent"));
                    of("value") >= of("beta") && siblings.iter().any(|c| name(c) == fate["by"])
                }
                "expanded" => of("searched") + of("skipped") <= of("moves"),
                "probabilistic-cutoff" | "sibling-probabilistic-cutoff" => {
                    of("probability") >= of("confidence")
                }
                "null-move" => of("value") >= of("beta"),
                "leaf-fails-low" => of("value") <= of("limit"),
                "leaf-fails-high" => of("value") >= of("limit"),
                _ => return,
            };
            assert!(fits, "{algorithm}: {fate}");
            *counts
                .entry(node["fate"].as_str().expect("a name").to_owned())
                .or_default() += 1;
        });
    }
    for fate in [
        "futility",
        "reverse-futility",
        "stand-pat",
        "beta-cutoff",
        "sibling-cutoff",
        "expanded",
        "probabilistic-cutoff",
        "leaf-fails-low",
    ] {
        assert!(counts.contains_key(fate), "{fate}: {counts:?}");
    }
}
