//! Adding, removing and changing columns and their budget.

use std::path::Path;
use std::sync::Arc;

use crate::context::{Context, Level};
use crate::overlays::chooser::{Choice, Chooser, Item};
use crate::overlays::options::Editor;
use crate::overlays::prompt::Prompt;
use crate::tabs::compare::{Beside, Compare, MOST, letter};
use algorithms::{ALGORITHMS, Algorithm};
use external::find_engine;
use games::trace::{self, TRACE};
use search::{Options, Recorded};
use session::{Budget, Config};
use studies::compare::ColumnSpec;

impl Context {
    /// Parses the text of a column.
    pub(crate) fn read_column(&self, text: &str) -> Result<ColumnSpec, String> {
        let base = self.column_base();
        let name = text.split(':').next().unwrap_or("").trim();
        let own = ALGORITHMS.iter().any(|a| a.name == name);
        if own && !self.engines.iter().any(|e| e.name == text.trim()) {
            return ColumnSpec::parse(text, &base).map_err(|e| e.to_string());
        }
        let engine = find_engine(text, &self.engines).map_err(|e| e.to_string())?;
        Ok(ColumnSpec::External(engine))
    }

    /// Returns the part of the workbench's configuration that a new column takes.
    fn column_base(&self) -> Config {
        Config {
            threads: 1,
            limits: search::Limits::default(),
            ..self.config.clone()
        }
    }
}

impl Compare {
    /// Moves the focus to the next column.
    pub fn next_column(&mut self, by: isize) {
        let columns = self.specs.len().max(1) as isize;
        self.focus = (self.focus as isize + by).rem_euclid(columns) as usize;
    }

    pub fn focus_column(&mut self, column: usize) {
        self.focus = column.min(self.specs.len().saturating_sub(1));
    }

    pub fn ask_column(&mut self, cx: &mut Context) {
        let mut items: Vec<Item> = ALGORITHMS
            .iter()
            .map(|a| Item::new(a.name, a.summary))
            .collect();
        items.extend(cx.engines.iter().map(|engine| {
            Item::new(
                text::sanitise(&engine.name),
                text::sanitise(&engine.command.join(" ")),
            )
        }));
        items.push(Item {
            label: "other …".to_owned(),
            detail:
                "distress:backup=gumbel:2, a command that speaks UCI, or a trace: search.plytrace"
                    .to_owned(),
            fixed: true,
            ..Item::default()
        });
        let title = if self.specs.len() < MOST {
            "add a column"
        } else {
            "replace the focused column: four are the most"
        };
        let chooser = Chooser::new(title, items, 0);
        cx.choose_while(chooser, |app, chooser, choice| {
            if let Choice::Taken(taken) = choice {
                let compare = &mut app.tabs.compare;
                compare.take_column(&mut app.cx, taken, &chooser.query);
            }
            choice == Choice::Moved
        });
    }

    /// Adds the column that was chosen from the list.
    fn take_column(&mut self, cx: &mut Context, chosen: usize, query: &str) {
        let engine = chosen.checked_sub(ALGORITHMS.len());
        match (
            ALGORITHMS.get(chosen),
            engine.and_then(|i| cx.engines.get(i)),
        ) {
            (Some(info), _) => {
                let column = Config {
                    algorithm: info.algorithm,
                    options: cx.own_options.of(info.algorithm),
                    ..cx.column_base()
                };
                self.add_column(cx, ColumnSpec::Own(column));
            }
            (None, Some(engine)) => self.add_column(cx, ColumnSpec::External(engine.clone())),
            (None, None) => {
                let prompt = Prompt::new("column", "mcts:cpuct=2, a command, or search.plytrace")
                    .with_text(query);
                cx.ask(prompt, |app, text| {
                    app.tabs.compare.typed_column(&mut app.cx, text)
                });
            }
        }
    }

    /// Adds a column that was typed: an algorithm with options, the name of a known engine, a command, or the file of a trace.
    fn typed_column(&mut self, cx: &mut Context, text: &str) -> Result<(), String> {
        let file = Path::new(text.trim());
        let spec = match file.extension().is_some_and(|ext| ext == TRACE.extension) {
            true => self.put_beside(cx, file)?,
            false => cx.read_column(text)?,
        };
        self.add_column(cx, spec);
        Ok(())
    }

    /// Takes searches that are to be shown beside the present place.
    pub(crate) fn put_all_beside(&mut self, cx: &Context, all: Vec<Arc<dyn Recorded>>) {
        let root = &cx.subject;
        let beside = |recorded| Beside {
            recorded,
            root: root.clone(),
        };
        self.beside.extend(all.into_iter().map(beside));
    }

    /// Reads the search of a trace, to be put beside the present place.
    fn put_beside(&mut self, cx: &Context, file: &Path) -> Result<ColumnSpec, String> {
        let root = cx.subject.clone();
        let recorded = trace::first_in(file, &root).map_err(|error| error.to_string())?;
        let beside = Beside { recorded, root };
        let column = beside.column(&cx.config);
        self.beside.push(beside);
        Ok(ColumnSpec::Own(column))
    }

    /// Adds a column, which replaces the focused one if there are as many as fit.
    fn add_column(&mut self, cx: &mut Context, spec: ColumnSpec) {
        if self.specs.len() < MOST {
            self.specs.push(spec);
            self.focus = self.specs.len() - 1;
        } else if let Some(focused) = self.specs.get_mut(self.focus) {
            *focused = spec;
        }
        self.start_comparison(cx);
    }

    pub fn remove_column(&mut self, cx: &mut Context) {
        if self.specs.len() <= 1 {
            cx.say(Level::Info, "the last column stays");
            return;
        }
        let column = self.focus;
        let name = format!("remove {}: {}", letter(column), self.specs[column]);
        let lost = "its search is lost, and the other columns restart";
        let yes = Item::new(text::sanitise(&name), lost);
        cx.confirm("remove a column", yes, move |app| {
            let compare = &mut app.tabs.compare;
            if column < compare.specs.len() {
                compare.specs.remove(column);
                compare.focus_column(column);
                compare.start_comparison(&mut app.cx);
            }
        });
    }

    /// Opens the editor for the focused column's algorithm and options.
    pub fn edit_column(&mut self, cx: &mut Context) {
        let column = self.focus;
        match self.specs.get(column) {
            Some(ColumnSpec::Own(config)) => {
                let own = cx.own_options.clone();
                cx.open(Editor::new(config, &own, move |app, algorithm, options| {
                    let compare = &mut app.tabs.compare;
                    compare.column_edited(&mut app.cx, column, algorithm, options);
                }));
            }
            Some(ColumnSpec::External(engine)) => {
                let what = format!(
                    "{} is another program: its options are in the configuration · A adds a column · Delete removes this one",
                    engine.name
                );
                cx.say(Level::Info, what);
            }
            None => {}
        }
    }

    /// Applies the choice made in the editor.
    fn column_edited(
        &mut self,
        cx: &mut Context,
        column: usize,
        algorithm: Algorithm,
        options: &Options,
    ) {
        let Some(ColumnSpec::Own(config)) = self.specs.get_mut(column) else {
            return;
        };
        config.algorithm = algorithm;
        config.options = options.clone();
        let what = format!("{}: {}", letter(column), self.specs[column]);
        cx.say(Level::Info, what);
        self.start_comparison(cx);
    }

    /// Gives the focused column more or fewer threads.
    pub(super) fn change_column_threads(&mut self, cx: &mut Context, by: isize) {
        let most = std::thread::available_parallelism().map_or(1, usize::from) * 2;
        let column = self.focus;
        let Some(ColumnSpec::Own(config)) = self.specs.get_mut(column) else {
            cx.say(
                Level::Info,
                "another program's threads are an option of its own",
            );
            return;
        };
        let threads = config.threads.saturating_add_signed(by).clamp(1, most);
        if threads == config.threads {
            return;
        }
        config.threads = threads;
        let what = match threads {
            1 => format!("{}: 1 thread", letter(column)),
            n => format!("{}: {n} threads", letter(column)),
        };
        cx.say(Level::Info, what);
        self.start_comparison(cx);
    }

    pub fn ask_budget(&mut self, cx: &mut Context) {
        let text = self.budget.to_string();
        let prompt = Prompt::new("each column may spend", "100k nodes, 5s, depth 8 or none")
            .with_text(&text);
        cx.ask(prompt, |app, text| {
            app.tabs.compare.typed_budget(&mut app.cx, text)
        });
    }

    fn typed_budget(&mut self, cx: &mut Context, text: &str) -> Result<(), String> {
        let budget: Budget = text
            .parse()
            .map_err(|e: session::BudgetError| e.to_string())?;
        if budget != self.budget {
            self.budget = budget;
            self.start_comparison(cx);
        }
        Ok(())
    }
}
