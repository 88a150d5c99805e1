//! The bench's figures as text.

use std::fmt::Write as _;

use super::measure::{Report, Speed, Unit};
use report::number;

/// Formats one algorithm's figures.
pub(super) fn text(report: &Report, ascii: bool) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}: signature {} · {} nodes",
        report.algorithm, report.signature, report.nodes
    );
    for p in &report.positions {
        let _ = writeln!(
            out,
            "  {:<12} {:>9} nodes  {:<6} {}",
            p.name,
            p.nodes,
            p.best.as_deref().unwrap_or("–"),
            p.expected.map_or_else(|| "–".into(), number::expected)
        );
    }
    let _ = writeln!(
        out,
        "  {:<12} {:<28} {:>14} {:>8}",
        "speed", "", "measured", "floor"
    );
    for speed in &report.speeds {
        let floor = speed
            .floor
            .map_or_else(String::new, |f| figure(f, speed.unit));
        let _ = writeln!(
            out,
            "  {:<12} {:<28} {:>14} {floor:>8}  {}",
            speed.position,
            speed.what,
            figure(speed.measured, speed.unit),
            verdict(speed)
        );
    }
    out.push('\n');
    let trimmed: String = out.lines().map(|l| format!("{}\n", l.trim_end())).collect();
    if ascii {
        number::ascii(&trimmed)
    } else {
        trimmed
    }
}

fn figure(value: f64, unit: Unit) -> String {
    match unit {
        Unit::PerSecond => format!("{}/s", number::count(value as u64)),
        Unit::PerCpuSecond => format!("{}/CPU s", number::count(value as u64)),
        Unit::Ratio => format!("{value:.2}"),
    }
}

fn verdict(speed: &Speed) -> &'static str {
    match speed.floor {
        Some(floor) if speed.measured >= floor => "reached",
        Some(_) => "below",
        None => "",
    }
}
