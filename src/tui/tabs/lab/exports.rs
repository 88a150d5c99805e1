//! What the Lab can write to a file: the results on the page. Those of playouts have a command of their own.

use crate::context::Context;
use crate::exporting::{Offer, Work};
use crate::tabs::lab::{LabPage, LabTab};
use report::lab::{depths, futility, spread, sweep};
use report::sheet::Report;
use report::text::Style;

/// Returns what can be written of the page.
pub(super) fn offers(lab: &LabTab) -> Vec<Offer> {
    match lab.page {
        LabPage::Futility if lab.known.is_some() => both(
            ["margins", "margins figures"],
            "how scores change with depth, and the margins fitted to that, as text",
        ),
        LabPage::Depths if lab.depths.run.known.is_some() => {
            let mut offers = both(
                ["depths", "depths figures"],
                "how far searches of each depth are off, and what was fitted, as text",
            );
            offers.push(Offer {
                label: "depths searches",
                detail: "what each search found, with the truth (CSV)",
                extension: "csv",
                make: |app| {
                    let known = app.tabs.lab.depths.run.known.as_ref().ok_or_else(nothing)?;
                    Ok(Work::Done(depths::searches(&known.found).csv()))
                },
            });
            offers
        }
        LabPage::Spread if lab.spread.population.known.is_some() => both(
            ["spread", "spread figures"],
            "the spread of beliefs in toy trees, rule by rule, as text",
        ),
        LabPage::Sweep if lab.sweep.run.known.is_some() => both(
            ["sweep", "sweep figures"],
            "every variant beside what is built in, as text",
        ),
        LabPage::Questions if lab.questions.asking().answer.is_some() => both(
            ["answer", "answer figures"],
            "the question with its answer, as text",
        ),
        _ => Vec::new(),
    }
}

/// Returns the offers of the page's results as text and as JSON.
fn both(labels: [&'static str; 2], detail: &'static str) -> Vec<Offer> {
    let text = Offer {
        label: labels[0],
        detail,
        extension: "txt",
        make: |app| {
            let ascii = app.cx.looks.glyphs.ascii;
            let text = |report: &dyn Report| report.text(Style { ascii });
            with_results(&app.tabs.lab, &app.cx, text).map(Work::Done)
        },
    };
    let json = Offer {
        label: labels[1],
        detail: "the same with all figures (JSON)",
        extension: "json",
        make: |app| {
            with_results(&app.tabs.lab, &app.cx, |report| {
                format!("{}\n", report.object())
            })
            .map(Work::Done)
        },
    };
    vec![text, json]
}

fn nothing() -> String {
    "nothing has been measured yet".to_owned()
}

/// Writes the results on the page.
fn with_results<T>(
    lab: &LabTab,
    cx: &Context,
    write: impl FnOnce(&dyn Report) -> T,
) -> Result<T, String> {
    match lab.page {
        LabPage::Depths => {
            let known = lab.depths.run.known.as_ref().ok_or_else(nothing)?;
            let fitted = known.fitted.as_deref();
            Ok(write(&depths::Results {
                source: &lab.depths.source,
                positions: lab.depths.count,
                complete: !lab.depths.run.is_running(),
                fitted: fitted.ok_or("too few positions have been searched for a fit")?,
            }))
        }
        LabPage::Spread => Ok(write(&spread::Grown {
            complete: !lab.spread.population.is_running(),
            found: lab.spread.population.known.as_ref().ok_or_else(nothing)?,
        })),
        LabPage::Sweep => {
            let page = &lab.sweep;
            let found = page.run.known.as_ref().ok_or_else(nothing)?;
            let of = page.of.as_ref().ok_or_else(nothing)?;
            let control = of.columns.first().map(ToString::to_string);
            Ok(write(&sweep::Results {
                source: &of.source,
                algorithm: &text::sanitise(&control.unwrap_or_default()),
                swept: &of.tried.swept,
                over: &of.spec.over,
                wanted: of.wanted,
                budget: of.budget,
                threads: 1,
                seed: of.seed,
                found,
            }))
        }
        LabPage::Questions => {
            let answer = lab.questions.asking().answer.as_ref();
            Ok(write(answer.ok_or_else(nothing)?))
        }
        LabPage::Futility | LabPage::Differential => Ok(write(&futility::Results {
            source: &super::pages::source(lab, cx),
            findings: &lab.known.as_ref().ok_or_else(nothing)?.findings,
        })),
    }
}
