//! The bar on standard error that shows how far a long run is.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of `length` steps after `template` (indicatif's language); hidden where it is not `wanted` or nobody sees it.
#[must_use]
pub fn bar(wanted: bool, length: u64, template: &str, ascii: bool) -> ProgressBar {
    let target = if wanted && io::stderr().is_terminal() {
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

/// Shows with `show` how far something in the background is until it `goes_on` no more; often at first, so that what is
/// short is not held up.
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
