//! A run whose search has not come yet: what a look at it shows.

use super::*;

/// What a look at a run has shown.
pub(super) enum Seen {
    NotYet,
    /// What it is for is there; the moves to the node, in its own codes.
    There(Vec<MoveCode>),
    Parted(Difference),
    /// Nothing will come any more.
    Nothing(String),
}

/// A run whose search is to be shown.
pub(super) struct Arrived {
    pub run: Rerun,
    pub begun: Begun,
    pub line: Vec<MoveCode>,
    pub is_stopped: bool,
}

impl Again {
    pub(super) fn look(&mut self, config: &session::Config) -> Seen {
        if let Some(difference) = self.run.parted() {
            return Seen::Parted(difference);
        }
        let Some(begun) = &mut self.begun else {
            return self.begin(config);
        };
        begun.session.tend();
        let is_over = matches!(begun.session.status().state, State::Finished(_));
        match &self.purpose {
            Purpose::At(_) if begun.session.standing().is_some() || is_over => {
                Seen::There(Vec::new())
            }
            Purpose::At(_) => Seen::NotYet,
            Purpose::Below(names) => match found(begun.session.reader(), names) {
                Some(line) => Seen::There(line),
                None if is_over => Seen::Nothing("nothing came of what is below it".to_owned()),
                None => Seen::NotYet,
            },
        }
    }

    /// Begins to read the search as soon as it comes.
    fn begin(&mut self, config: &session::Config) -> Seen {
        let document = match self.coming.try_recv() {
            Ok(Ok(Opened::Document(document))) => document,
            Ok(Err(why)) => return Seen::Nothing(self.trouble().unwrap_or(why)),
            Err(TryRecvError::Empty) => return Seen::NotYet,
            Ok(Ok(_)) | Err(TryRecvError::Disconnected) => {
                return Seen::Nothing("no search came".to_owned());
            }
        };
        let (_, entry) = match document.first_entry() {
            Ok(first) => first,
            Err(why) => return Seen::Nothing(why.to_string()),
        };
        let Some(recorded) = entry.recorded.clone() else {
            return Seen::Nothing("no search came".to_owned());
        };
        let config = config.reading(recorded);
        let mut session = Box::new(Session::start_paused(entry.subject(), config));
        match self.purpose {
            Purpose::Below(_) => session.resume(),
            Purpose::At(event) => session.go_to(event),
        }
        self.begun = Some(Begun {
            document,
            entry,
            session,
        });
        Seen::NotYet
    }

    fn trouble(&self) -> Option<String> {
        match self.run.program.status().state {
            ProgramState::Trouble(trouble) => Some(trouble.message),
            _ => None,
        }
    }

    pub(super) fn arrive(self, line: Vec<MoveCode>) -> Option<Arrived> {
        Some(Arrived {
            begun: self.begun?,
            run: self.run,
            line,
            is_stopped: matches!(self.purpose, Purpose::At(_)),
        })
    }
}

/// Returns the line with these names in a tree, if something is below its end.
fn found(reader: Reader, names: &[String]) -> Option<Vec<MoveCode>> {
    let (mut at, mut line) = (Tree::ROOT, Vec::new());
    for name in names {
        let named = |&child: &NodeId| {
            let code = reader.tree.node(child).move_code();
            let own = reader.names(at, &[code]).pop();
            own.is_some_and(|own| own.uci == *name)
        };
        at = reader.tree.children(at).find(named)?;
        line.push(reader.tree.node(at).move_code());
    }
    (reader.tree.node(at).child_count() > 0).then_some(line)
}
