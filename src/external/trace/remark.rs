//! What is unusual about a program that sends a trace.

use std::fmt;
use std::mem::discriminant;
use std::time::Duration;

use text::{bytes, duration, thousands};

/// Something unusual, as it is at present; written without the program's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// It has not connected for so long.
    NotConnected(Duration),
    /// It has sent nothing for so long, and need not wait.
    Silent(Duration),
    /// So many bytes of its trace were not read yet: it waits until they are.
    NotRead(u64),
    /// It was asked to wait at an event, or where it was, and has gone on to another.
    DoesNotWait { asked: Option<u64>, at: u64 },
    /// It can't be asked to wait.
    ControlClosed,
    /// It has closed its trace so long ago, but goes on.
    TraceClosed(Duration),
    /// It has ended, as the system says it, but another process holds its connection.
    HeldByAnother(String),
    /// Something of its setup has failed.
    Setup(String),
}

impl Remark {
    /// Whether another remark is about the same thing, though its numbers may differ.
    pub fn is_like(&self, other: &Remark) -> bool {
        match (self, other) {
            (Remark::Setup(one), Remark::Setup(other)) => one == other,
            _ => discriminant(self) == discriminant(other),
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::NotConnected(time) => write!(
                f,
                "has not connected for {}: does it contain the emitter? PLYSCOPE_TRACE was set",
                duration(*time)
            ),
            Remark::Silent(time) => write!(f, "has sent nothing for {}", duration(*time)),
            Remark::NotRead(count) => write!(
                f,
                "waits because {} of its trace were not read yet",
                bytes(*count)
            ),
            Remark::DoesNotWait { asked, at } => {
                let asked = asked.map_or_else(
                    || "and is at event".to_owned(),
                    |event| format!("at event {} and is at", thousands(event)),
                );
                write!(
                    f,
                    "does not wait: it was asked to {asked} {}; stepping works all the same, on what it has sent",
                    thousands(*at)
                )
            }
            Remark::ControlClosed => {
                f.write_str("has closed its control channel: it can't be asked to wait")
            }
            Remark::TraceClosed(time) => {
                write!(
                    f,
                    "has closed its trace {} ago, but goes on",
                    duration(*time)
                )
            }
            Remark::HeldByAnother(how) => write!(
                f,
                "has ended ({how}), but another process holds its connection"
            ),
            Remark::Setup(what) => f.write_str(what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_of_one_kind_are_alike() {
        let silent = |s| Remark::Silent(Duration::from_secs(s));
        assert!(silent(3).is_like(&silent(4)));
        assert!(!silent(3).is_like(&Remark::ControlClosed));
        let setup = |what: &str| Remark::Setup(what.to_owned());
        assert!(setup("a").is_like(&setup("a")) && !setup("a").is_like(&setup("b")));
    }
}
