//! A pseudo-terminal with a program running in it, and what its screen shows.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

pub struct Terminal {
    pub screen: Arc<Mutex<vt100::Parser>>,
    /// The last part of the program's output, a few MiB.
    pub raw: Arc<Mutex<Vec<u8>>>,
    /// How often the whole screen was cleared.
    pub cleared: Arc<AtomicUsize>,
    pub keys: Box<dyn Write + Send>,
    pub child: Box<dyn Child + Send + Sync>,
    pub master: Box<dyn MasterPty + Send>,
}

pub fn sample(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("sample-positions")
        .join(name)
}

impl Terminal {
    pub fn start(arguments: &[&str], environment: &[(&str, &str)], folder: &PathBuf) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_plyscope"));
        command.args(arguments);
        command.args(["--memory", "64M"]);
        Terminal::run(command, environment, folder)
    }

    /// Starts any program in a terminal of its own.
    pub fn run(
        mut command: CommandBuilder,
        environment: &[(&str, &str)],
        folder: &PathBuf,
    ) -> Terminal {
        let (rows, cols) = (50, 160);
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system()
            .openpty(size)
            .expect("a pseudo-terminal");
        command.cwd(folder);
        command.env("TERM", "xterm-256color");
        command.env("XDG_CONFIG_HOME", folder);
        command.env("XDG_STATE_HOME", folder);
        command.env_remove("NO_COLOR");
        for (name, value) in environment {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the program");
        drop(pair.slave);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, cols, 0)));
        let raw = Arc::new(Mutex::new(Vec::new()));
        let mut output = pair.master.try_clone_reader().expect("its output");
        let keys = pair.master.take_writer().expect("its input");
        let cleared = Arc::new(AtomicUsize::new(0));
        let (to_screen, to_raw, clears) = (screen.clone(), raw.clone(), cleared.clone());
        std::thread::spawn(move || {
            const KEPT: usize = 8 << 20;
            const CLEAR: &[u8] = b"\x1b[2J";
            let mut buffer = [0; 8192];
            let mut written = Vec::new();
            while let Ok(n @ 1..) = output.read(&mut buffer) {
                written.extend_from_slice(&buffer[..n]);
                let whole: Vec<u8> = written.drain(..whole_frames(&written)).collect();
                draw(&mut to_screen.lock().expect("the screen"), &whole);
                let mut raw = to_raw.lock().expect("the output");
                // The end of what was read may cut a sequence in two.
                let from = raw.len().saturating_sub(CLEAR.len() - 1);
                raw.extend_from_slice(&buffer[..n]);
                let found = raw[from..].windows(CLEAR.len()).filter(|w| *w == CLEAR);
                clears.fetch_add(found.count(), Relaxed);
                if raw.len() > KEPT {
                    raw.drain(..KEPT / 2);
                }
            }
            draw(&mut to_screen.lock().expect("the screen"), &written);
        });
        Terminal {
            screen,
            raw,
            cleared,
            keys,
            child,
            master: pair.master,
        }
    }

    pub fn text(&self) -> String {
        self.screen.lock().expect("the screen").screen().contents()
    }

    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("keys");
        self.keys.flush().expect("keys");
    }

    /// Waits until the screen is as wanted.
    pub fn until(&self, what: &str, wanted: impl Fn(&str) -> bool) {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(30) {
            if wanted(&self.text()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("not seen: {what}\n{}", self.text());
    }

    pub fn shows(&self, part: &str) {
        self.until(part, |text| text.contains(part));
    }

    /// Waits for the end and returns the exit status.
    pub fn end(&mut self) -> u32 {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(20) {
            if let Some(status) = self.child.try_wait().expect("its end") {
                std::thread::sleep(Duration::from_millis(100));
                return status.exit_code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        panic!("it did not end\n{}", self.text());
    }

    /// Checks that the alternate screen was left, the cursor is visible, and mouse and paste modes are as before.
    pub fn assert_given_back(&self) {
        let parser = self.screen.lock().expect("the screen");
        let screen = parser.screen();
        assert!(!screen.alternate_screen(), "still on the alternate screen");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert!(!screen.bracketed_paste(), "pasting is bracketed");
    }
}

/// How much of what was written can be shown: a frame only as a whole, as in a terminal that knows synchronized output.
fn whole_frames(written: &[u8]) -> usize {
    const BEGIN: &[u8] = b"\x1b[?2026h";
    const END: &[u8] = b"\x1b[?2026l";
    let begin = memchr::memmem::rfind(written, BEGIN);
    if let Some(begin) = begin.filter(|&at| memchr::memmem::find(&written[at..], END).is_none()) {
        return begin;
    }
    // The end may be the beginning of a beginning.
    let cut = (1..BEGIN.len())
        .rev()
        .find(|&n| written.ends_with(&BEGIN[..n]));
    written.len() - cut.unwrap_or(0)
}

/// Shows what was written. In terminals of one or two columns vt100 (0.16) counts below zero; the old content is then
/// lost.
fn draw(screen: &mut vt100::Parser, written: &[u8]) {
    let drawn = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| screen.process(written)));
    if drawn.is_err() {
        let (rows, cols) = screen.screen().size();
        *screen = vt100::Parser::new(rows, cols, 0);
    }
}

pub fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("plyscope-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}
