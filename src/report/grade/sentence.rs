//! What is wrong in a student's search, as a sentence.

use crate::number;
use studies::grade::{Fault, Finding};
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

fn end(value: Option<f64>, open: &str) -> String {
    value.map_or_else(|| open.to_owned(), n)
}

fn window([alpha, beta]: [Option<f64>; 2]) -> String {
    format!("({}, {})", end(alpha, "−∞"), end(beta, "+∞"))
}

fn said(fault: &Fault, place: Place) -> String {
    match fault {
        Fault::Nothing => "nothing was searched yet: the trace has a search, but no node or simulation in it – write the \
             search, and tell each node or simulation as the skeleton says"
            .to_owned(),
        Fault::Troubled { what } => format!("the trace is damaged: {}", sanitise(what)),
        Fault::Unfinished { open } => {
            let nodes = if *open == 1 { "1 node" } else { &format!("{open} nodes") };
            format!(
                "{}, the search did not leave {nodes}: it crashed, was stopped, or returned without a leave",
                place.after()
            )
        }
        Fault::NotTold { what } => {
            format!("the trace tells no {what}, so that it cannot be checked – tell it as the skeleton does")
        }
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
            "{} has {} visits in the search, {} in the reference",
            place.node(),
            text::thousands(*told),
            text::thousands(*reference)
        ),
        other => of_simulations(other, place),
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
            "{after}, the search went on to {} although {depth} plies were made: the depth asked for is {depth}",
            m(name)
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
            "the search made {} simulations, the assignment asks for {}",
            thousands(*found),
            thousands(*expected)
        ),
        Fault::EndedInside { simulation } => format!(
            "{after}, simulation {} ended although there were moves to choose from",
            thousands(*simulation)
        ),
        Fault::NeverExpanded { visits } => format!(
            "{after}, {} simulations ended, and the node got no children",
            thousands(*visits)
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
            chosen_by: [mean, by],
            best,
            best_by: [best_mean, best_by],
            constant,
        } => format!(
            "{after}, simulation {} chose {} with UCT value {} (mean {}) although {} has {} (mean {}), with c = {}",
            thousands(*simulation),
            m(chosen),
            n(*by),
            n(*mean),
            m(best),
            n(*best_by),
            n(*best_mean),
            n(*constant)
        ),
        Fault::Visits { told, counted } => format!(
            "{} was told to have {} visits, but {} simulations went through it",
            place.node(),
            thousands(*told),
            thousands(*counted)
        ),
        Fault::Mean { told, counted } => format!(
            "{} was told to have the mean value {}, but that of what was backed up is {}",
            place.node(),
            n(*told),
            n(*counted)
        ),
        _ => String::new(),
    }
}
