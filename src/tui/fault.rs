//! Internal errors: each is written to a report that the user can send. If another thread than the screen's panics, the
//! screen stays.

use std::backtrace::Backtrace;
use std::io::{self, Write};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::{fs, thread};

use crossbeam_channel::{Receiver, unbounded};

use screen::terminal::give_back;
use text::sanitise;

/// Writes a report in `folder` for every panic from now on. A panic of this thread, the screen's, gives the terminal
/// back before it is printed to standard error; a panic of any other thread is sent through the channel as one line.
pub fn watch(folder: Option<PathBuf>) -> Receiver<String> {
    let (sender, faults) = unbounded();
    let screen = thread::current().id();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let report = folder.as_deref().and_then(|folder| put_down(folder, info));
        let where_to = report.map_or_else(String::new, |p| format!("; report: {}", p.display()));
        if thread::current().id() != screen {
            // After the workbench has ended, nobody receives it.
            let _ = sender.send(format!("{}{where_to}", in_a_line(info)));
            return;
        }
        give_back();
        before(info);
        if !where_to.is_empty() {
            let _ = writeln!(io::stderr(), "{}", &where_to[2..]);
        }
    }));
    faults
}

fn in_a_line(info: &PanicHookInfo) -> String {
    let thread = thread::current();
    let name = thread.name().unwrap_or("without a name").to_owned();
    let place = info
        .location()
        .map_or_else(String::new, |at| format!(" ({at})"));
    let what = info.payload_as_str().unwrap_or("unknown");
    sanitise(&format!(
        "thread {name} broke off by a mistake of plyscope: {what}{place}"
    ))
}

/// Writes a report; returns `None` if that fails.
fn put_down(folder: &Path, info: &PanicHookInfo) -> Option<PathBuf> {
    let program = concat!("plyscope ", env!("CARGO_PKG_VERSION"));
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    let trace = Backtrace::force_capture();
    let text = format!(
        "{program}, {system}, {machine}\n{}\n\n{trace}",
        in_a_line(info)
    );
    fs::create_dir_all(folder).ok()?;
    let path = folder.join(format!("fault-{}.txt", std::process::id()));
    fs::write(&path, text).ok()?;
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_breaks_off_is_told_and_put_down() {
        let folder = std::env::temp_dir().join(format!("plyscope-fault-{}", std::process::id()));
        let faults = watch(Some(folder.clone()));
        let thread = thread::Builder::new().name("search-0".into());
        let broken = thread.spawn(|| panic!("no such \u{1b}[2J node"));
        assert!(broken.expect("a thread").join().is_err());
        let _ = std::panic::take_hook();
        let told: Vec<String> = faults.try_iter().collect();
        let told = told.iter().find(|t| t.contains("search-0")).expect("told");
        assert!(told.starts_with("thread search-0 broke off by a mistake of plyscope: no such ␛[2J node (src/tui/fault.rs:"));
        let path = told.split("; report: ").nth(1).expect("a report");
        let report = fs::read_to_string(path).expect("the report");
        assert!(report.starts_with(concat!("plyscope ", env!("CARGO_PKG_VERSION"))));
        assert!(report.contains("no such ␛[2J node") && report.lines().count() > 5);
        fs::remove_dir_all(folder).expect("removed");
    }
}
