//! The terminal: taken over at the start, and given back whatever happens.

use std::io::{self, IsTerminal, Stdout, Write};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(not(unix))]
use crossterm::event::EnableMouseCapture;
use crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste};
#[cfg(unix)]
use crossterm::style::Print;
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Position, Rect};

/// Whether the program has taken over the terminal, so that it is given back only once.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while the workbench uses it; dropping it gives the terminal back.
pub struct Screen {
    /// Never dropped: if the terminal is gone, its `drop` would report on standard error that it cannot show the
    /// cursor, and panic if standard error is gone too.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
}

impl std::fmt::Debug for Screen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Screen")
    }
}

impl Screen {
    /// Takes the terminal over: alternate screen, raw keys, mouse, bracketed paste.
    ///
    /// # Errors
    /// If standard output is not a terminal, or one that cannot place its cursor.
    pub fn take() -> io::Result<Screen> {
        if !io::stdout().is_terminal() {
            return Err(io::Error::other(
                "the workbench needs one; `plyscope --plain` and `plyscope search` do without",
            ));
        }
        if std::env::var_os("TERM").is_some_and(|name| name == "dumb") {
            return Err(io::Error::other(
                "it cannot place its cursor (TERM is dumb); `plyscope --plain` does without",
            ));
        }
        // A theme without colours obeys NO_COLOR; crossterm's own way would disable bold and reverse too.
        crossterm::style::force_color_output(true);
        let screen = enter().and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        match screen {
            Ok(terminal) => Ok(Screen {
                terminal: ManuallyDrop::new(terminal),
            }),
            Err(e) => {
                give_back();
                Err(e)
            }
        }
    }

    /// Draws one frame as one update.
    ///
    /// # Errors
    /// If writing to the terminal fails.
    pub fn draw(&mut self, f: impl FnOnce(&mut ratatui::buffer::Buffer)) -> io::Result<()> {
        let _whole = Synchronized::begin()?;
        self.terminal.draw(|frame| f(frame.buffer_mut()))?;
        Ok(())
    }

    /// Forgets what is on the screen, so that the next frame draws all of it. Unlike [`Terminal::clear`], which asks
    /// for the cursor, it does not query the terminal: the answer would go to the thread that reads the keys.
    ///
    /// # Errors
    /// If writing to the terminal fails.
    pub fn forget(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::from((Position::ORIGIN, size)))
    }

    /// Takes the terminal over again, whatever state other programs left it in.
    ///
    /// # Errors
    /// If writing to the terminal fails.
    pub fn take_again(&mut self) -> io::Result<()> {
        // The mode that was saved as the terminal's own is the one that another program left.
        let _ = disable_raw_mode();
        enter()?;
        self.forget()
    }

    /// Puts a text into the user's clipboard (OSC 52), which also works over SSH.
    ///
    /// # Errors
    /// If writing to the terminal fails.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        let mut out = io::stdout();
        write!(out, "\x1b]52;c;{}\x07", base64(text.as_bytes()))?;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Asks for presses, drags and the wheel, with coordinates of any size, but not for every motion of the mouse: the program
/// has no use for these, and one that comes while the terminal is given back would be left to the shell as if typed.
#[cfg(unix)]
const MOUSE: Print<&str> = Print("\x1b[?1000h\x1b[?1002h\x1b[?1006h");
#[cfg(not(unix))]
const MOUSE: EnableMouseCapture = EnableMouseCapture;

fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    execute!(
        io::stdout(),
        EnterAlternateScreen,
        EnableBracketedPaste,
        MOUSE
    )
}

/// A synchronized update: the terminal shows what is written only when the update ends.
struct Synchronized;

impl Synchronized {
    fn begin() -> io::Result<Synchronized> {
        queue!(io::stdout(), BeginSynchronizedUpdate)?;
        Ok(Synchronized)
    }
}

impl Drop for Synchronized {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), EndSynchronizedUpdate);
    }
}

/// Undoes everything that [`Screen::take`] did, once.
pub fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = execute!(
        io::stdout(),
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        crossterm::cursor::Show
    );
    let _ = disable_raw_mode();
}

/// Encodes bytes as Base64 with padding (RFC 4648), for the clipboard.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= three.len() {
                char::from(digit)
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_as_in_the_standard() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }
}
