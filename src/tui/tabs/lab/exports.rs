//! What the Lab can write to a file: the results on the page. Those of playouts have a command of their own.

use crate::app::App;
use crate::exporting::{Offer, Work};
use crate::tabs::lab::LabPage;
use ::lab::searched::Known as Fitted;
use report::lab::{self, depths, spread};
use report::text::Style;

const MARGINS: Offer = Offer {
    label: "margins",
    detail: "how scores change with depth, and the margins fitted to that, as text",
    extension: "txt",
    make: |app| {
        with_margins(app, |results| {
            Ok(Work::Done(lab::text(results, style(app))))
        })
    },
};
const MARGINS_JSON: Offer = Offer {
    label: "margins figures",
    detail: "the same with all figures (JSON)",
    extension: "json",
    make: |app| with_margins(app, |results| json(&lab::whole(results))),
};
const DEPTHS: Offer = Offer {
    label: "depths",
    detail: "how far searches of each depth are off, and what was fitted, as text",
    extension: "txt",
    make: |app| {
        with_depths(app, |results| {
            Ok(Work::Done(depths::text(results, style(app))))
        })
    },
};
const DEPTHS_JSON: Offer = Offer {
    label: "depths figures",
    detail: "the same with all figures (JSON)",
    extension: "json",
    make: |app| with_depths(app, |results| json(&depths::json(results))),
};
const DEPTHS_CSV: Offer = Offer {
    label: "depths searches",
    detail: "what each search found, with the truth (CSV)",
    extension: "csv",
    make: |app| {
        let known = app.lab.depths.run.known.as_ref();
        let text = known.map(|known| depths::csv(&known.found));
        text.map(Work::Done).ok_or_else(nothing)
    },
};
const POPULATION: Offer = Offer {
    label: "spread",
    detail: "the spread of beliefs in toy trees, rule by rule, as text",
    extension: "txt",
    make: |app| {
        let complete = !app.lab.spread.population.is_running();
        let known = app.lab.spread.population.known.as_ref();
        let text = known.map(|found| spread::population_text(found, complete, style(app)));
        text.map(Work::Done).ok_or_else(nothing)
    },
};
const POPULATION_JSON: Offer = Offer {
    label: "spread figures",
    detail: "the same with all figures (JSON)",
    extension: "json",
    make: |app| {
        let complete = !app.lab.spread.population.is_running();
        let known = app
            .lab
            .spread
            .population
            .known
            .as_ref()
            .ok_or_else(nothing)?;
        json(&spread::population(known, complete))
    },
};

/// Returns what can be written of the page.
pub(super) fn offers(app: &App) -> Vec<Offer> {
    match app.lab.page {
        LabPage::Futility if app.lab.known.is_some() => vec![MARGINS, MARGINS_JSON],
        LabPage::Depths if app.lab.depths.run.known.is_some() => {
            vec![DEPTHS, DEPTHS_JSON, DEPTHS_CSV]
        }
        LabPage::Spread if app.lab.spread.population.known.is_some() => {
            vec![POPULATION, POPULATION_JSON]
        }
        _ => Vec::new(),
    }
}

fn nothing() -> String {
    "nothing has been measured yet".to_owned()
}

fn style(app: &App) -> Style {
    Style {
        ascii: app.looks.glyphs.ascii,
    }
}

fn json(value: &impl serde::Serialize) -> Result<Work, String> {
    let text = serde_json::to_string(value);
    let done = text.map(|text| Work::Done(text + "\n"));
    done.map_err(|e| e.to_string())
}

fn with_margins(
    app: &App,
    write: impl FnOnce(&lab::Results) -> Result<Work, String>,
) -> Result<Work, String> {
    let known = app.lab.known.as_ref().ok_or_else(nothing)?;
    let source = super::pages::source(app);
    write(&lab::Results {
        source: &source,
        findings: &known.findings,
    })
}

fn with_depths(
    app: &App,
    write: impl FnOnce(&depths::Results) -> Result<Work, String>,
) -> Result<Work, String> {
    let page = &app.lab.depths;
    let known: Option<&Fitted> = page.run.known.as_ref();
    let known = known.ok_or_else(nothing)?;
    let fitted = known.fitted.as_deref();
    let fitted = fitted.ok_or("too few positions have been searched for a fit")?;
    write(&depths::Results {
        source: &page.source,
        positions: page.count,
        complete: !page.run.is_running(),
        fitted,
    })
}
