//! What is wrong in a student's search, as a sentence.

use crate::number;
use crate::why::plural;
use studies::grade::{Choice, Fault, Finding};
use text::{quote, sanitise};

/// Returns what is wrong in one sentence, beginning with the line to the node. Values are in the program's unit and from its own
/// view.
pub fn sentence(finding: &Finding) -> String {
    let line: Vec<String> = finding.line.iter().map(|m| sanitise(m)).collect();
    let line = line.join(" ");
    let place = Place(&line);
    let text = said(&finding.fault, place);
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().collect::<String>());
    first.unwrap_or_default() + letters.as_str()
}

/// The moves to the node that a sentence is about; empty at the root.
#[derive(Clone, Copy)]
struct Place<'a>(&'a str);

impl Place<'_> {
    /// "after a b" or "at the root".
    fn after(self) -> String {
        match self.0 {
            "" => "at the root".to_owned(),
            line => format!("after {line}"),
        }
    }

    /// "the node after a b" or "the root".
    fn node(self) -> String {
        match self.0 {
            "" => "the root".to_owned(),
            line => format!("the node after {line}"),
        }
    }
}

fn n(value: f64) -> String {
    number::told(value)
}

fn m(name: &str) -> String {
    match sanitise(name) {
        name if name.is_empty() => "a move without a name".to_owned(),
        name => name,
    }
}

/// A few of some names.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let names: Vec<String> = names.iter().map(|name| m(name)).collect();
    match names.len() {
        0 => "none".to_owned(),
        n if n > SHOWN => format!("{} and {} more", names[..SHOWN].join(" "), n - SHOWN),
        _ => names.join(" "),
    }
}

fn end(value: f64) -> String {
    match value.is_infinite() {
        true if value < 0.0 => "−∞".to_owned(),
        true => "+∞".to_owned(),
        false => n(value),
    }
}

fn window([alpha, beta]: [f64; 2]) -> String {
    format!("({}, {})", end(alpha), end(beta))
}

/// "1 simulation" or "1,234 simulations".
fn counted(n: u64, what: &str) -> String {
    match n {
        0..=999 => plural(n, what),
        n => plural(n, what).replacen(&n.to_string(), &text::thousands(n), 1),
    }
}

/// Two numbers with as many decimals as it takes to tell them apart.
fn apart(one: f64, other: f64) -> [String; 2] {
    const MOST: usize = 9;
    let short = [n(one), n(other)];
    if short[0] != short[1] {
        return short;
    }
    let with = |decimals| [one, other].map(|value| number::minus(&format!("{value:.decimals$}")));
    let longer = (5..=MOST).map(with).find(|[one, other]| one != other);
    longer.unwrap_or(short)
}

fn said(fault: &Fault, place: Place) -> String {
    match fault {
        Fault::Nothing => "nothing was searched yet: the trace has a search, but no node or simulation in it – write the \
             search, and tell each node or simulation as the skeleton says"
            .to_owned(),
        Fault::Troubled { what } => format!("the trace is damaged: {}", sanitise(what)),
        Fault::NoEnd { .. }
        | Fault::CutShort
        | Fault::Unfinished { .. }
        | Fault::NotLeft { .. }
        | Fault::NoneOpen
        | Fault::AfterRoot { .. }
        | Fault::RootMove { .. }
        | Fault::NoVisits
        | Fault::NotExpanded { .. }
        | Fault::NotTold { .. }
        | Fault::Unchecked { .. } => of_the_trace(fault, place),
        Fault::Illegal { .. }
        | Fault::Twice { .. }
        | Fault::BeyondEnd { .. }
        | Fault::TooDeep { .. }
        | Fault::StoppedShort { .. }
        | Fault::WrongDepth { .. } => of_moves(fault, place),
        Fault::NoValue
        | Fault::LeafValue { .. }
        | Fault::Value { .. }
        | Fault::Uncut { .. }
        | Fault::LeftOut { .. }
        | Fault::Window { .. } => of_values(fault, place),
        Fault::AnswerValue { told, wanted } => {
            format!("the value of the root is {}, the search answered {}", n(*wanted), n(*told))
        }
        Fault::AnswerMove { told, right } => {
            format!("the search answered the move {}, right is {}", m(told), some(right))
        }
        Fault::AnswerUnvisited { told } => format!(
            "the search answered the move {}, but no simulation went to a legal move of the root",
            m(told)
        ),
        Fault::Extra { m: name } => format!(
            "{}, the search looked at {}, which the reference did not look at",
            place.after(),
            m(name)
        ),
        Fault::Missing { m: name } => format!(
            "{}, the search did not look at {}, which the reference did look at",
            place.after(),
            m(name)
        ),
        Fault::Differs { told, reference } => format!(
            "{} is worth {} in the search, {} in the reference",
            place.node(),
            n(*told),
            n(*reference)
        ),
        Fault::VisitsDiffer { told, reference } => format!(
            "{} has {} in the search, {} in the reference",
            place.node(),
            counted(*told, "visit"),
            text::thousands(*reference)
        ),
        other => of_simulations(other, place),
    }
}

fn of_the_trace(fault: &Fault, place: Place) -> String {
    match fault {
        Fault::NoEnd { cut_at } => {
            let place = match place.0 {
                "" => String::new(),
                _ => format!(", inside {}", place.node()),
            };
            match cut_at {
                None => format!(
                    "the trace has no end: the program stopped before it had finished{place}"
                ),
                Some(cut_at) => format!(
                    "the trace has no end: it stops in the middle of a record ({}){place}, as the program stopped before it \
                     had finished or the file was cut off",
                    sanitise(cut_at)
                ),
            }
        }
        Fault::CutShort => {
            "nothing wrong was found, but the trace stops before the search is over".to_owned()
        }
        Fault::Unfinished { open } => format!(
            "{}, the search did not leave {}: it was interrupted, or returned without a leave",
            place.after(),
            counted(*open as u64, "node")
        ),
        Fault::NotLeft { next } => format!(
            "{} was not left before {} was entered – leave every node, also a leaf, where the search returns from it",
            place.node(),
            m(next)
        ),
        Fault::NoneOpen => "a node was left although none was open: one before it was left twice – leave every node once, where \
             the search returns from it"
            .to_owned(),
        Fault::AfterRoot { m: name } => format!(
            "{} was entered after the root was left: a node before it was left twice, or the root too soon – leave every node \
             once, where the search returns from it",
            m(name)
        ),
        Fault::RootMove { m: name } => format!(
            "the first node that was entered has the move {}; the root comes first and has no move",
            m(name)
        ),
        Fault::NoVisits => "the trace has the figures of nodes (update) but no simulation, so that none can be checked – tell each \
             simulation where it ends (visit)"
            .to_owned(),
        Fault::NotExpanded { visits, node } => format!(
            "{} ended at nodes that the trace does not know, first at node {node} – tell the moves of a node when it gets \
             children (expand)",
            counted(*visits, "simulation")
        ),
        Fault::NotTold { what } => {
            format!("the trace tells no {what}, so that it cannot be checked – tell it as the skeleton does")
        }
        Fault::Unchecked { what, why } => format!("no {what} could be checked: {why}"),
        _ => String::new(),
    }
}

fn of_moves(fault: &Fault, place: Place) -> String {
    let after = place.after();
    match fault {
        Fault::Illegal { m: name, legal } => format!(
            "{after}, the search made the move {}, which the position does not have; legal: {}",
            quote(name),
            some(legal)
        ),
        Fault::Twice { m: name } => {
            format!("{after}, the search looked at {} a second time", m(name))
        }
        Fault::BeyondEnd { m: name } => format!(
            "{after}, the search went on to {} although the game is over there",
            m(name)
        ),
        Fault::TooDeep { m: name, depth } => format!(
            "{after}, the search went on to {} although {} made: the depth asked for is {depth}",
            m(name),
            match depth {
                1 => "1 ply was".to_owned(),
                _ => format!("{depth} plies were"),
            }
        ),
        Fault::StoppedShort { moves, depth } => {
            let moves = match moves {
                1 => "is 1 move".to_owned(),
                n => format!("are {n} moves"),
            };
            let goal = match depth {
                Some(depth) => format!("the depth asked for, {depth}, is not reached"),
                None => "the game goes on".to_owned(),
            };
            format!("{after}, the search looked at no move, although there {moves} and {goal}")
        }
        Fault::WrongDepth { found, expected } => {
            format!("the last iteration was of depth {found}, the assignment asks for {expected}")
        }
        _ => String::new(),
    }
}

fn of_values(fault: &Fault, place: Place) -> String {
    match fault {
        Fault::NoValue => format!("{} was left without a value", place.node()),
        Fault::LeafValue {
            told,
            wanted,
            is_over,
        } => {
            let why = if *is_over {
                "by the game"
            } else {
                "by the evaluation"
            };
            format!(
                "{} is worth {} {why}, the search gave it {}",
                place.node(),
                n(*wanted),
                n(*told)
            )
        }
        Fault::Value { told, wanted, best } => format!(
            "{} was left with {}, its best move, {}, makes it {}",
            place.node(),
            n(*told),
            m(best),
            n(*wanted)
        ),
        Fault::Uncut {
            m: name,
            by,
            worth,
            bound,
        } => {
            let relation = if worth == bound {
                "reaches"
            } else {
                "is beyond"
            };
            format!(
                "{}, the search looked at {} although {} had already cut it off: its value {} {relation} the bound {}",
                place.after(),
                m(name),
                m(by),
                n(*worth),
                n(*bound)
            )
        }
        Fault::LeftOut { moves, cut } => {
            let why = match cut {
                Some((best, bound)) => format!(
                    "the best value was {} and the bound {}",
                    n(*best),
                    n(*bound)
                ),
                None => "no value can cut off anything there".to_owned(),
            };
            format!(
                "{}, the search did not look at {} although nothing had cut off what is left: {why}",
                place.after(),
                some(moves)
            )
        }
        Fault::Window { told, wanted } => format!(
            "{} was entered with the window {}, the right one is {}",
            place.node(),
            window(*told),
            window(*wanted)
        ),
        _ => String::new(),
    }
}

fn of_simulations(fault: &Fault, place: Place) -> String {
    let after = place.after();
    let thousands = text::thousands;
    match fault {
        Fault::Simulations { found, expected } => format!(
            "the search made {}, the assignment asks for {}",
            counted(*found, "simulation"),
            thousands(*expected)
        ),
        Fault::EndedInside { simulation } => format!(
            "{after}, simulation {} ended although there were moves to choose from",
            thousands(*simulation)
        ),
        Fault::NeverExpanded { visits } => format!(
            "{after}, {} ended, and the node got no children",
            counted(*visits, "simulation")
        ),
        Fault::Playout { told, possible } => {
            let possible: Vec<String> = possible.iter().map(|x| n(*x)).collect();
            format!(
                "{after}, a simulation ended with {}, but a playout from there ends with one of {}",
                n(*told),
                possible.join(" ")
            )
        }
        Fault::Unvisited {
            simulation,
            chosen,
            unvisited,
        } => format!(
            "{after}, simulation {} chose {} although {} was not visited yet",
            thousands(*simulation),
            m(chosen),
            m(unvisited)
        ),
        Fault::Chosen {
            simulation,
            chosen,
            best,
            visits,
            constant,
        } => {
            let [own, greatest] = apart(chosen.uct, best.uct);
            let of = |choice: &Choice| {
                format!("mean {}, n = {}", n(choice.mean), thousands(choice.visits))
            };
            format!(
                "{after}, simulation {} chose {} with UCT value {own} ({}) although {} has {greatest} ({}), with N = {} and c = {}",
                thousands(*simulation),
                m(&chosen.m),
                of(chosen),
                m(&best.m),
                of(best),
                thousands(*visits),
                n(*constant)
            )
        }
        Fault::Visits {
            told,
            counted: made,
        } => format!(
            "{} was told to have {}, but {} went through it",
            place.node(),
            counted(*told, "visit"),
            counted(*made, "simulation")
        ),
        Fault::Mean {
            told,
            counted: mean,
        } => format!(
            "{} was told to have the mean value {}, but that of what was backed up is {}",
            place.node(),
            n(*told),
            n(*mean)
        ),
        _ => String::new(),
    }
}
