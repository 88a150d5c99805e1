//! The progress bar on standard error for long runs.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output;

/// Returns a bar of `length` steps with indicatif's `template`. It is hidden if it is not `wanted` or if standard error
/// is not a terminal.
pub fn bar(wanted: bool, length: u64, template: &str, ascii: bool) -> ProgressBar {
    let target = if wanted && !output::is_quiet() && io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        let marks = if ascii { "=> " } else { "█▌░" };
        bar.set_style(style.progress_chars(marks));
    }
    bar
}

/// Calls `show` with the bar from time to time while `goes_on` returns true. At first it checks often, so that short
/// runs are not delayed.
pub fn follow(
    bar: &ProgressBar,
    mut goes_on: impl FnMut() -> bool,
    mut show: impl FnMut(&ProgressBar),
) {
    let mut nap = Duration::from_millis(1);
    while goes_on() {
        show(bar);
        std::thread::sleep(nap);
        nap = (nap * 2).min(Duration::from_millis(50));
    }
    bar.finish_and_clear();
}
