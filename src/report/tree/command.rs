//! The command that writes a tree again.

use super::Export;
use super::export::Format;
use game::{Game as _, Scale};
use search::StopReason;
use session::State;
use tree::Tree;

impl Export<'_> {
    /// Returns the command line that makes this document: the same position, search and part of its tree. With one thread the
    /// tree is the same.
    pub fn command(&self, format: Format) -> String {
        let config = self.session.config();
        let mut words: Vec<String> = Vec::new();
        let mut add = |name: &str, value: &str| words.extend([name.to_owned(), quoted(value)]);
        add("plyscope", "tree");
        add("-a", config.algorithm.name());
        let (position, moves) = self.position();
        match &position {
            Some(fen) => add("--fen", fen),
            // The game has no notation in a line.
            None => add("--", self.file.unwrap_or("FILE")),
        }
        if let Some(moves) = moves {
            add("--moves", &moves);
        }
        let defaults = config.algorithm.default_options();
        let changed = config.options.iter().zip(defaults.iter());
        for ((spec, value), _) in changed.filter(|((_, value), (_, default))| value != default) {
            add("--set", &format!("{}={value}", spec.key));
        }
        let status = self.session.summary().status;
        let nodes = status.totals.nodes;
        let limits = &config.limits;
        match (status.state, limits.depth, limits.nodes) {
            (State::Finished(StopReason::Depth), Some(depth), _) => {
                add("--depth", &depth.to_string());
            }
            (State::Finished(StopReason::Nodes), _, Some(nodes)) => {
                add("--nodes", &nodes.to_string());
            }
            (
                State::Finished(StopReason::Time | StopReason::User | StopReason::Memory)
                | State::Running
                | State::Paused,
                ..,
            ) => add("--nodes", &nodes.to_string()),
            // It ended by itself, as it will before this limit.
            (_, _, Some(limit)) if limit >= nodes => add("--nodes", &limit.to_string()),
            _ => add("--nodes", &(2 * nodes).max(1000).to_string()),
        }
        add("--threads", &config.threads.to_string());
        add("--seed", &config.seed.to_string());
        if self.from != Tree::ROOT {
            add("--from", self.after);
        }
        add("--max-nodes", &self.extent.max_nodes.to_string());
        add("--max-ply", &self.extent.max_ply.to_string());
        let name = Format::ALL.iter().find(|(_, f)| *f == format);
        add("--format", name.map_or("text", |(name, _)| name));
        if format != Format::Json && self.session.tree().scale() == Scale::Logistic {
            add("--unit", self.lens.unit.id());
            add("--view", self.lens.viewpoint.id());
        }
        // A file stands without the name of an option.
        words.retain(|word| word != "--");
        words.join(" ")
    }

    /// Returns where the game began, if that can be written in a line, and the moves since.
    fn position(&self) -> (Option<String>, Option<String>) {
        let subject = self.session.subject();
        let played = subject.played();
        let mut position = played.start.clone();
        let mut line = Vec::new();
        for &code in &played.moves {
            let next = position.decode(code).zip(position.after(code));
            let Some((m, next)) = next else {
                // What came before can't be written as moves.
                return (subject.position.fen(), None);
            };
            line.push(position.label(m));
            position = next;
        }
        let moves = (!line.is_empty()).then(|| line.join(" "));
        (played.start.fen(), moves)
    }
}

/// Returns a word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
