//! Records made at random.

use crate::header::{Class, Number, NumberUnit, Reason};
use crate::scratch::{NO_SEARCH, Scratch, told};
use crate::*;

/// Random choices, which a test shrinks to smaller ones.
pub(crate) struct Dice<'a>(pub &'a [u32]);

impl Dice<'_> {
    pub(crate) fn roll(&mut self, below: u32) -> u32 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        first % below
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.roll(3) > 0).then(|| make(self))
    }

    fn whole(&mut self) -> i64 {
        match self.roll(4) {
            0 => i64::from(self.roll(7)) - 3,
            1 => i64::from(self.roll(20_000)) - 10_000,
            2 => 32_000 - i64::from(self.roll(3)),
            _ => i64::from(self.roll(u32::MAX)) - (1 << 31) + 1,
        }
    }

    fn value(&mut self) -> Option<Value> {
        let whole = self.whole();
        match self.roll(12) {
            0 => None,
            // Something that the binary form has no number for.
            1 => Value::new(whole as f64 + 0.25),
            _ => Value::whole(whole),
        }
    }

    fn sure(&mut self) -> Option<Value> {
        self.value().or(Value::whole(0))
    }

    fn above(&mut self) -> Option<Value> {
        self.value().filter(|value| value.get() > 0.0)
    }

    fn window(&mut self, spec: &ValueSpec) -> Option<Window> {
        let (alpha, beta) = (self.value(), self.value());
        let window = Window::between(spec, alpha.map(Value::get), beta.map(Value::get));
        (!window.is_empty()).then_some(window)
    }

    fn depth(&mut self) -> Option<i16> {
        self.maybe(|dice| dice.roll(65_535) as i16)
            .filter(|depth| *depth != i16::MIN)
    }

    fn count(&mut self) -> u64 {
        let shift = self.roll(32);
        u64::from(self.roll(u32::MAX)) << shift
    }

    fn node(&mut self) -> NodeId {
        NodeId(match self.roll(2) {
            0 => self.roll(300),
            _ => self.roll(u32::MAX),
        })
    }

    fn m(&mut self, names: &Names) -> MoveId {
        match self.roll(6) {
            0 => MoveId::NONE,
            1 => names.intern(&format!("\"é\\{}\u{1b}", self.roll(50))),
            _ => names.intern(&format!("m{}", self.roll(3000))),
        }
    }

    fn share(&mut self) -> Share {
        Share(self.roll(65_536) as u16)
    }

    fn text(&mut self) -> String {
        let parts = [
            "a",
            "é ",
            "\n",
            "\u{1b}[2J",
            "\"",
            "\\",
            "棋",
            "\u{202e}",
            "{x}",
        ];
        let len = self.roll(10);
        let text: String = (0..len)
            .map(|_| parts[self.roll(parts.len() as u32) as usize])
            .collect();
        names::harmless(&text, limits::TEXT)
    }

    fn reason(&mut self, header: &Header, names: &Names, scratch: &mut Scratch) -> Told<'static> {
        scratch.numbers.clear();
        let reason = header
            .reasons
            .get(self.roll(header.reasons.len() as u32 + 1) as usize);
        let Some(reason) = reason else {
            let count = self.roll(9);
            scratch
                .numbers
                .extend((0..count).map(|i| Some(f64::from(i * i))));
            return told(77);
        };
        for number in &reason.numbers {
            let number = self.maybe(|dice| match number.unit {
                NumberUnit::Value | NumberUnit::Difference => dice.sure().map_or(0.0, Value::get),
                NumberUnit::Share => dice.share().get(),
                NumberUnit::Move => f64::from(dice.m(names).0),
                NumberUnit::Bound => f64::from(1 + dice.roll(3)),
                NumberUnit::Number => f64::from(dice.roll(1000)) / 8.0,
                _ => dice.whole() as f64,
            });
            scratch.numbers.push(number);
        }
        for (number, of) in scratch.numbers.iter_mut().zip(&reason.numbers) {
            if of.unit == NumberUnit::Move && *number == Some(0.0) {
                *number = None;
            }
        }
        told(reason.n)
    }

    /// A record, whose lists and texts are in the scratch.
    pub(crate) fn record(
        &mut self,
        header: &Header,
        names: &Names,
        scratch: &mut Scratch,
    ) -> Record<'static> {
        let kind = RecordKind::ALL[self.roll(RecordKind::ALL.len() as u32) as usize];
        match kind {
            RecordKind::Search => {
                scratch.search = SearchStart {
                    fen: self.maybe(Dice::text).map(|t| t.replace('\n', " ")),
                    root: self.maybe(Dice::text),
                    moves: (0..self.roll(4)).map(|i| format!("m{i}")).collect(),
                    side: self.side(),
                    limits: self.maybe(|dice| format!("nodes {}", dice.roll(100))),
                    options: (0..self.roll(3))
                        .map(|i| (format!("o{i}"), self.text()))
                        .collect(),
                    seed: self.maybe(|dice| dice.roll(1000).to_string()),
                    threads: self.maybe(|dice| dice.roll(9)),
                };
                Record::Search(&NO_SEARCH)
            }
            RecordKind::Iteration => Record::Iteration {
                depth: self.depth(),
            },
            RecordKind::IterationDone => Record::IterationDone {
                best: self.m(names),
                value: self.value(),
                depth: self.depth().filter(|depth| depth % 7 == 0),
            },
            RecordKind::Pass => Record::Pass {
                window: self.window(&header.value).unwrap_or_default(),
                depth: self.depth(),
            },
            RecordKind::PassDone => Record::PassDone {
                value: self.value(),
            },
            RecordKind::Enter => Record::Enter {
                m: self.m(names),
                window: self.window(&header.value),
                depth: self.depth(),
                ply: self.maybe(|dice| dice.roll(32_768) as u16),
                side: self.side(),
            },
            RecordKind::Leave => Record::Leave {
                value: self.value(),
                bound: self.maybe(|dice| Bound::ALL[dice.roll(3) as usize]),
                best: self.m(names),
                nodes: self.maybe(Dice::count).filter(|nodes| *nodes > 0),
            },
            RecordKind::Evaluate => Record::Evaluate {
                value: self.sure(),
                sd: self.above(),
            },
            RecordKind::Stand => Record::Stand { value: self.sure() },
            RecordKind::Moves => {
                scratch.moves.clear();
                let listed = self.roll(4);
                scratch.moves.extend((0..listed).map(|_| self.m(names)));
                Record::Moves {
                    count: if listed > 0 { listed } else { self.roll(5000) },
                    names: &[],
                }
            }
            RecordKind::Why => Record::Why(self.reason(header, names, scratch)),
            RecordKind::Prune => Record::Prune {
                m: self.m(names),
                why: self.reason(header, names, scratch),
            },
            RecordKind::Try => Record::Try(self.reason(header, names, scratch)),
            RecordKind::Tried => Record::Tried {
                value: self.value(),
            },
            RecordKind::DepthChange => Record::DepthChange {
                plies: self.depth().unwrap_or(-1),
                reason: self.roll(4) as u8,
            },
            RecordKind::BackUp => Record::BackUp {
                m: self.m(names),
                worth: self.sure(),
            },
            RecordKind::Unwind => Record::Unwind {
                open: self.roll(2000),
            },
            RecordKind::Expand => {
                scratch.children.clear();
                let has = (self.roll(2) > 0, self.roll(2) > 0);
                let count = self.roll(50);
                for _ in 0..count {
                    scratch.children.push(Child {
                        m: self.m(names),
                        prior: has.0.then(|| self.share()),
                        value: self.value().filter(|_| has.1),
                    });
                }
                Record::Expand {
                    node: self.node(),
                    first: self.node(),
                    children: &[],
                }
            }
            RecordKind::Visit => Record::Visit {
                node: self.node(),
                value: self.sure(),
                weight: self.roll(3),
            },
            RecordKind::Update => Record::Update {
                node: self.node(),
                visits: self.maybe(Dice::count),
                value: self.value(),
                prior: self.maybe(Dice::share),
                sd: self.above(),
                urgency: self.value(),
                nodes: self.maybe(Dice::count).unwrap_or(0),
            },
            RecordKind::At => Record::At { node: self.node() },
            RecordKind::Edge => Record::Edge {
                node: self.node(),
                m: self.m(names),
                to: self.node(),
            },
            RecordKind::Prove => Record::Prove {
                node: self.node(),
                lower: self.value(),
                upper: self.value(),
                plies: self.maybe(|dice| dice.roll(100) as u16),
            },
            RecordKind::BestChange => Record::BestChange { to: self.m(names) },
            RecordKind::End => {
                let stopped_by = self.maybe(Dice::text);
                let is_told = stopped_by.is_some();
                scratch.text = stopped_by.unwrap_or_default();
                Record::End(Reply {
                    nodes: self.maybe(Dice::count).filter(|nodes| *nodes > 0),
                    best: self.m(names),
                    value: self.value(),
                    stopped_by: is_told.then_some(""),
                })
            }
            RecordKind::Key => Record::Key(self.count()),
            RecordKind::Note => {
                scratch.text = self.text();
                Record::Note("")
            }
            RecordKind::Render => {
                let lines: Vec<String> = (0..self.roll(5)).map(|_| self.text()).collect();
                scratch.text = lines.join("\n").trim_end_matches('\n').to_owned();
                Record::Render("")
            }
            RecordKind::Skip => Record::Skip {
                events: self.count() >> 8,
                nodes: self.count(),
            },
            RecordKind::Mark => Record::Mark {
                n: 0,
                hash: None,
                waiting: self.roll(2) > 0,
            },
        }
    }

    fn side(&mut self) -> Option<Side> {
        self.maybe(|dice| Side::ALL[dice.roll(3) as usize])
    }
}

/// A header with a reason for each unit of numbers.
pub(crate) fn header() -> Header {
    let number = |unit: NumberUnit| Number {
        name: format!("a {}", unit.word()).into(),
        unit,
    };
    let reason = |n: u8, units: &[NumberUnit]| Reason {
        n,
        name: format!("reason {n}").into(),
        class: Class::Skip,
        numbers: units.iter().copied().map(number).collect(),
        text: "because".into(),
    };
    Header {
        engine: "made \u{fffd}".into(),
        game: "a game".into(),
        value: ValueSpec {
            unit: Unit::Named("points".into()),
            infinite: Value::whole(2_000_000_000).expect("a value"),
            win: Value::whole(32_000),
            step: 0.01,
            view: View::Parent,
            ..ValueSpec::default()
        },
        backup: Backup::Minimax,
        depth_step: 2,
        reasons: vec![
            reason(1, &NumberUnit::ALL),
            reason(2, &[]),
            reason(200, &[NumberUnit::Value, NumberUnit::Move]),
        ],
        control: true,
        ..Header::default()
    }
}
