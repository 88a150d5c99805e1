//! What is checked, and what came of it.

use super::fault::Fault;

/// Declares the checks: name, what a right search does.
macro_rules! checks {
    ($($(#[$doc:meta])* $variant:ident $name:literal $rule:literal),* $(,)?) => {
        /// One check of a search. Each has points of its own.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub enum Check { $($(#[$doc])* $variant),* }

        impl Check {
            /// All checks, in the order in which they are shown.
            pub const ALL: [Check; [$($name),*].len()] = [$(Check::$variant),*];

            /// Returns its name in assignments, JSON and JUnit.
            pub fn name(self) -> &'static str {
                match self { $(Check::$variant => $name),* }
            }

            /// Returns what a search does that passes it.
            pub fn rule(self) -> &'static str {
                match self { $(Check::$variant => $rule),* }
            }
        }
    };
}

checks! {
    /// Of any search.
    Trace "trace" "the trace is complete and well-formed",
    Moves "moves" "every move is legal, and searched once",
    /// Of depth-first searches.
    Leaves "leaves" "the search goes on to the end of the game or to the depth asked for, and no further",
    /// Also of best-first searches: of what simulations end with.
    LeafValues "leaf-values" "leaves have the values that the game gives them",
    Complete "complete" "every move is searched that nothing has cut off",
    Values "values" "a node is worth as much as its best move",
    /// Of alpha-beta.
    Cuts "cuts" "nothing is searched that was cut off",
    Windows "windows" "windows are handed down and turned round",
    /// Of best-first searches.
    Simulations "simulations" "as many simulations as asked for, each to a new or finished position",
    Selection "selection" "each simulation follows the greatest UCT value",
    Visits "visits" "the visits told are those made",
    Means "means" "the mean values told are those of what was backed up",
    /// Of any search.
    Answer "answer" "best move and value at the root are right",
    Reference "reference" "the same nodes and values as the reference",
}

impl Check {
    /// Returns the check with this name.
    pub fn named(name: &str) -> Option<Check> {
        Check::ALL.into_iter().find(|check| check.name() == name)
    }
}

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The number of the event at which it shows, or 0 if it shows at no event.
    pub event: u64,
    /// The moves from the root to the node that it is about.
    pub line: Vec<String>,
    pub fault: Fault,
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    pub check: Check,
    /// How many points it is worth.
    pub points: f64,
    /// How often there was something to check.
    pub occasions: u64,
    /// How often it was wrong.
    pub wrong: u64,
    /// Whether nothing was wrong so far, but the trace stops before the search is over.
    pub is_cut_short: bool,
    /// The first thing that was wrong, or that the check was cut short.
    pub first: Option<Finding>,
}

impl Checked {
    /// Whether there was something to check.
    pub fn is_made(&self) -> bool {
        self.occasions > 0
    }

    /// Whether nothing was wrong in the whole search.
    pub fn is_passed(&self) -> bool {
        self.wrong == 0 && !self.is_cut_short
    }

    /// Returns the points that it gives: all or nothing. What there was nothing to check of gives none.
    pub fn earned(&self) -> f64 {
        match self.is_passed() && self.is_made() {
            true => self.points,
            false => 0.0,
        }
    }
}

/// The checks of a search while it is read.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    rows: Vec<Checked>,
}

impl Ledger {
    /// Begins with these checks and their points.
    pub fn new(checks: &[(Check, f64)]) -> Ledger {
        let row = |&(check, points): &(Check, f64)| Checked {
            check,
            points,
            occasions: 0,
            wrong: 0,
            is_cut_short: false,
            first: None,
        };
        Ledger {
            rows: checks.iter().map(row).collect(),
        }
    }

    fn row(&mut self, check: Check) -> Option<&mut Checked> {
        self.rows.iter_mut().find(|row| row.check == check)
    }

    /// Counts something that was checked. `found` is what is wrong about it, with the line to its node.
    pub fn note(&mut self, check: Check, event: u64, found: Option<impl FnOnce() -> Found>) {
        let Some(row) = self.row(check) else {
            return;
        };
        row.occasions += 1;
        let Some(found) = found else {
            return;
        };
        row.wrong += 1;
        if row.first.is_none() {
            let (line, fault) = found();
            row.first = Some(Finding { event, line, fault });
        }
    }

    /// Counts something that was right.
    pub fn right(&mut self, check: Check) {
        self.note(check, 0, None::<fn() -> Found>);
    }

    /// Counts something that was wrong.
    pub fn wrong(&mut self, check: Check, event: u64, found: impl FnOnce() -> Found) {
        self.note(check, event, Some(found));
    }

    /// Counts so many things that were right.
    pub fn many(&mut self, check: Check, count: u64) {
        if let Some(row) = self.row(check) {
            row.occasions += count;
        }
    }

    /// Fails all checks but that of the trace, for one reason.
    pub fn all_wrong(&mut self, fault: impl Fn() -> Fault) {
        for check in Check::ALL.into_iter().filter(|c| *c != Check::Trace) {
            self.wrong(check, 0, || (Vec::new(), fault()));
        }
    }

    /// Fails a check that there was nothing to check of.
    pub fn ask_for(&mut self, check: Check, fault: Fault) {
        let row = self.rows.iter().find(|row| row.check == check);
        if row.is_some_and(|row| row.is_passed() && !row.is_made()) {
            self.wrong(check, u64::MAX, || (Vec::new(), fault));
        }
    }

    /// Fails the checks that found nothing wrong so far, as they did not see the whole search; those that nothing could be checked
    /// of only if `all` of them are concerned.
    pub fn cut_short(&mut self, all: bool) {
        for row in &mut self.rows {
            if row.check != Check::Trace && row.is_passed() && (all || row.is_made()) {
                row.is_cut_short = true;
                row.first = Some(Finding {
                    event: u64::MAX,
                    line: Vec::new(),
                    fault: Fault::CutShort,
                });
            }
        }
    }

    /// Ends the checks. Unless they are all asked for, one of which there was nothing to check is worth nothing.
    pub fn finish(mut self, is_strict: bool) -> Vec<Checked> {
        for row in &mut self.rows {
            if !is_strict && !row.is_made() {
                row.points = 0.0;
            }
        }
        self.rows
    }
}

/// What is wrong, with the moves to the node that it is about.
pub(super) type Found = (Vec<String>, Fault);
