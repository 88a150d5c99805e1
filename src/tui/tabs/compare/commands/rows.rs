//! Commands for the merged tree: rows, order, filter, differences.

use crate::component::{Handled, Request};
use crate::context::{Ask, Context, Level};
use crate::overlays::chooser::{Chooser, Item};
use crate::overlays::prompt::Prompt;
use crate::tabs::compare::{Compare, CompareTarget, filter_choices, letter, order_choices};
use game::MoveCode;
use screen::list::List;
use session::Subject;
use studies::compare::{Filter, Jump, Order};

impl Context {
    fn ask_line(&mut self) {
        let prompt = Prompt::new(
            "find",
            "a move beside the selected one, or a line: e4 e5 Nf3",
        );
        self.ask(prompt, |app, text| {
            app.tabs.compare.find_line(&mut app.cx, text)
        });
    }
}

impl Compare {
    /// Handles a request to the rows.
    pub(super) fn ask_rows(&mut self, cx: &mut Context, request: Request) -> Handled {
        match request {
            Request::Rows(_)
            | Request::Row(_)
            | Request::Pages(_)
            | Request::HalfPages(_)
            | Request::Centre => {
                self.with_view(|list, count| request.moves(list, count));
            }
            Request::Sibling(by) => self.outline_sibling(by),
            Request::Open(plies) => {
                self.with_outline(cx, |o, m| {
                    (0..plies.min(99)).for_each(|_| o.open_or_enter(m))
                });
            }
            Request::Close(plies) => {
                self.with_outline(cx, |o, m| {
                    (0..plies.min(99)).for_each(|_| o.close_or_leave(m))
                });
            }
            Request::Toggle => {
                self.with_outline(cx, |o, m| o.toggle(m));
            }
            Request::CloseAll => {
                self.with_outline(cx, |o, m| o.close_all(m));
            }
            Request::OpenBestLine => self.open_column_line(cx),
            Request::FollowBest(moves) => self.follow_column(cx, moves),
            Request::Find => cx.ask_line(),
            Request::FailedAudit(_) => {
                cx.say(Level::Info, "failed audits are looked for in Explore");
            }
            Request::Proof => cx.say(Level::Info, "proofs are shown in Explore"),
            Request::Threads(by) => self.change_column_threads(cx, by),
            Request::Cancel => self.cancel_column(cx),
            Request::FindAgain(_) | Request::Filter | Request::ShowOnBoard => return Handled::No,
        }
        Handled::Yes
    }

    /// Moves the selection or the viewport.
    pub(super) fn with_view<R>(&mut self, act: impl FnOnce(&mut List, usize) -> R) -> R {
        self.view.selected = self.outline.selected();
        let done = act(&mut self.view, self.outline.len());
        self.outline.select(self.view.selected);
        done
    }

    /// Goes to the next row of the same position.
    fn outline_sibling(&mut self, by: isize) {
        let outline = &mut self.outline;
        let own = outline.selected_path().to_vec();
        let Some((_, parent)) = own.split_last() else {
            return;
        };
        let step = by.signum();
        let mut left = by.unsigned_abs();
        let mut at = outline.selected();
        while left > 0 {
            let Some(next) = at.checked_add_signed(step).filter(|n| *n < outline.len()) else {
                break;
            };
            at = next;
            match outline.path(at) {
                Some(path) if path.len() < own.len() => break,
                Some(path) if path.len() == own.len() && path.starts_with(parent) => {
                    left -= 1;
                    outline.select(at);
                }
                _ => {}
            }
        }
    }

    /// Follows the focused column's principal variation: to its first move, or further along if the selected row is on
    /// it.
    fn follow_column(&mut self, cx: &mut Context, moves: usize) {
        let column = self.focus;
        let found = self.with_outline(cx, |outline, merged| {
            let line = merged.best_line(column, &[]);
            let here = outline.selected_path();
            let plies = if line.starts_with(here) {
                here.len()
            } else {
                0
            };
            let end = (plies + moves.max(1)).min(line.len());
            outline.reveal(merged, &line[..end])
        });
        if found == Some(false) {
            let what = format!("{} has no best move yet", letter(column));
            cx.say(Level::Info, what);
        }
    }

    /// Opens the focused column's principal variation.
    fn open_column_line(&mut self, cx: &mut Context) {
        let column = self.focus;
        self.with_outline(cx, |outline, merged| {
            let line = merged.best_line(column, &[]);
            outline.open_line(merged, &line);
        });
    }

    /// Goes to the next or previous row on which the columns differ, according to the filter, in the order of what the
    /// differences matter for the choice.
    pub fn next_difference(&mut self, cx: &mut Context, by: isize) {
        for _ in 0..by.unsigned_abs() {
            let jump = self.with_outline(cx, |outline, merged| outline.jump(merged, by < 0));
            match jump {
                Some(Jump::Found { rank, of, smaller }) => {
                    let none = if smaller {
                        "none is flagged; smaller "
                    } else {
                        ""
                    };
                    let what = format!(
                        "{none}difference {rank} of {of}, by what it matters for the choice"
                    );
                    cx.say(Level::Info, what);
                }
                Some(Jump::End) => {
                    cx.say(Level::Info, self.no_difference(by < 0));
                    return;
                }
                Some(Jump::Further) => {
                    cx.say(
                        Level::Info,
                        "none so far – Ctrl-n again looks at more of the trees",
                    );
                    return;
                }
                None => return,
            }
        }
    }

    /// Returns what to say where jumps end.
    fn no_difference(&self, back: bool) -> String {
        let outline = &self.outline;
        let what = match outline.filter() {
            Filter::All if outline.has_smaller_tour() => "difference",
            Filter::All | Filter::Flagged(_) => "flagged difference",
            Filter::Noted | Filter::Disagreement(_) => "difference",
        };
        match (outline.is_on_tour(), back) {
            (false, _) if what == "difference" => "no difference".to_owned(),
            (false, _) => format!("no {what} – f shows the smaller ones too"),
            (true, true) => format!("this is the first {what}"),
            (true, false) => format!("this is the last {what}"),
        }
    }

    pub fn ask_order(&mut self, cx: &mut Context) {
        let choices = order_choices(self.specs.len());
        let now = self.outline.order();
        let at = choices.iter().position(|(order, _)| *order == now);
        let (orders, items): (Vec<Order>, Vec<Item>) = choices.into_iter().unzip();
        let chooser = Chooser::new("order of the rows", items, at.unwrap_or(0));
        cx.choose(chooser, move |app, taken| {
            app.tabs.compare.outline.set_order(orders[taken]);
        });
    }

    pub fn ask_differences(&mut self, cx: &mut Context) {
        let choices = filter_choices();
        let now = self.outline.filter();
        let at = choices.iter().position(|(filter, _)| *filter == now);
        let (filters, items): (Vec<Filter>, Vec<Item>) = choices.into_iter().unzip();
        let chooser = Chooser::new("rows to show", items, at.unwrap_or(0));
        cx.choose(chooser, move |app, taken| {
            app.tabs.compare.filter_rows(&mut app.cx, filters[taken]);
        });
    }

    /// Sorts by the figure of a heading, or by disagreement if that is the order already.
    fn sort_rows(&mut self, order: Order) {
        let same = self.outline.order() == order;
        let order = if same { Order::Disagreement } else { order };
        self.outline.set_order(order);
    }

    /// Goes to a line from the root, or to a move of the position that the selected row belongs to.
    fn find_line(&mut self, cx: &mut Context, text: &str) -> Result<(), String> {
        let selected = self.outline.selected_path().to_vec();
        let before = &selected[..selected.len().saturating_sub(1)];
        let found = self.with_outline(cx, |outline, merged| {
            let read = |from: &[MoveCode]| {
                let line = merged.situation(from)?.read_line(text).ok()?;
                Some([from, &line.moves].concat())
            };
            let single = text.split_whitespace().count() == 1;
            let beside = single.then(|| read(before)).flatten();
            let path = beside.or_else(|| read(&[]));
            path.is_some_and(|path| outline.reveal(merged, &path))
        });
        if found == Some(true) {
            Ok(())
        } else {
            Err("not legal there".to_owned())
        }
    }

    fn filter_rows(&mut self, cx: &mut Context, filter: Filter) {
        self.outline.set_filter(filter);
        self.with_outline(cx, |outline, merged| outline.refresh(merged, false));
        if self.outline.is_empty() {
            cx.say(
                Level::Info,
                "no open row matches – Ctrl-n looks below, f shows all again",
            );
        }
    }

    /// Returns the position after the selected row's moves.
    pub(crate) fn outline_subject(&self, cx: &Context) -> Option<Subject> {
        let running = cx.columns.comparison()?;
        let merged = running.merged(None);
        merged.situation(self.outline.selected_path())
    }

    /// Returns the position before the selected row's last move, and that move.
    pub(crate) fn outline_last(&self, cx: &Context) -> Option<(Subject, MoveCode)> {
        let running = cx.columns.comparison()?;
        let (code, before) = self.outline.selected_path().split_last()?;
        Some((running.merged(None).situation(before)?, *code))
    }

    /// Returns the moves that lead to the selected row, in the usual notation.
    pub(crate) fn outline_line(&self, cx: &Context) -> String {
        let Some(running) = cx.columns.comparison() else {
            return String::new();
        };
        let line = running.merged(None).line(self.outline.selected_path());
        text::sanitise(&line)
    }

    pub(super) fn click_compare(&mut self, cx: &mut Context, spot: CompareTarget) {
        match spot {
            // A second click opens the row.
            CompareTarget::Row(row) => {
                if self.with_view(|list, _| list.click(row)) {
                    cx.asks.push(Ask::Request(Request::Toggle));
                }
            }
            CompareTarget::Mark(row) => {
                self.outline.select(row);
                cx.asks.push(Ask::Request(Request::Toggle));
            }
            CompareTarget::Column(column) => self.focus_column(column),
            CompareTarget::Heading(order) => self.sort_rows(order),
            CompareTarget::Panel(panel) => self.panel = panel,
        }
    }
}
