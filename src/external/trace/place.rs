//! Where a program connects to send its trace: a socket in a private folder, or a port of this machine with a token.

use std::collections::hash_map::RandomState;
#[cfg(unix)]
use std::fs;
use std::hash::BuildHasher as _;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
#[cfg(unix)]
use std::os::unix::net::{UnixListener, UnixStream};
#[cfg(unix)]
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The value of `PLYSCOPE_TRACE`, and the listener behind it. Dropping it removes the socket.
#[derive(Debug)]
pub(super) struct Place {
    address: String,
    listener: Listener,
}

#[derive(Debug)]
enum Listener {
    #[cfg(unix)]
    Unix {
        listener: UnixListener,
        /// Removed with the place.
        _folder: Folder,
    },
    Tcp {
        listener: TcpListener,
        token: String,
        /// Connections that have not sent their token yet.
        guests: Vec<Guest>,
    },
}

/// A private folder, removed with what is in it.
#[cfg(unix)]
#[derive(Debug)]
struct Folder(PathBuf);

#[cfg(unix)]
impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A connection that has not proven yet that it comes from the program.
#[derive(Debug)]
struct Guest {
    stream: TcpStream,
    said: Vec<u8>,
    late: Instant,
}

/// The connection to a program: its stream comes in, control goes out.
#[derive(Debug)]
pub(super) enum Wire {
    #[cfg(unix)]
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Place {
    /// Opens a socket in a private folder; where that is not possible, a port with a token.
    pub fn open() -> io::Result<Place> {
        #[cfg(unix)]
        if let Ok(place) = Place::unix() {
            return Ok(place);
        }
        Place::tcp()
    }

    /// Opens a socket in a folder that only this user can enter.
    #[cfg(unix)]
    fn unix() -> io::Result<Place> {
        /// A longer path does not fit into the address of a socket everywhere.
        const LONGEST: usize = 100;
        let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        let places = [runtime, Some(std::env::temp_dir()), Some("/tmp".into())];
        let mut error = io::Error::other("no folder for a socket");
        for parent in places.into_iter().flatten() {
            let name = format!("plyscope-{}-{:08x}", std::process::id(), random() as u32);
            let path = parent.join(name);
            let socket = path.join("trace");
            let fits = socket.as_os_str().len() < LONGEST;
            let Some(name) = socket.to_str().filter(|_| fits && parent.is_absolute()) else {
                continue;
            };
            match create_private(&path).and_then(|folder| {
                let listener = UnixListener::bind(&socket)?;
                listener.set_nonblocking(true)?;
                Ok(Listener::Unix {
                    listener,
                    _folder: folder,
                })
            }) {
                Ok(listener) => {
                    return Ok(Place {
                        address: format!("unix:{name}"),
                        listener,
                    });
                }
                Err(e) => error = e,
            }
        }
        Err(error)
    }

    /// Opens a port that only this machine reaches. As everybody on it does, the first line must be the token.
    pub fn tcp() -> io::Result<Place> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let token = format!("{:016x}{:016x}", random(), random());
        Ok(Place {
            address: format!("tcp:127.0.0.1:{port}/{token}"),
            listener: Listener::Tcp {
                listener,
                token,
                guests: Vec::new(),
            },
        })
    }

    /// Returns the value of `PLYSCOPE_TRACE`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the program's connection, if it has come. Never waits.
    ///
    /// # Errors
    /// If nothing can connect any more.
    pub fn accept(&mut self) -> io::Result<Option<Wire>> {
        match &mut self.listener {
            #[cfg(unix)]
            Listener::Unix { listener, .. } => {
                let Some((stream, _)) = unless_waiting(listener.accept())? else {
                    return Ok(None);
                };
                stream.set_nonblocking(false)?;
                Ok(Some(Wire::Unix(stream)))
            }
            Listener::Tcp {
                listener,
                token,
                guests,
            } => {
                while let Some((stream, from)) = unless_waiting(listener.accept())? {
                    if from.ip().is_loopback() && guests.len() < Guest::MOST {
                        guests.extend(Guest::new(stream));
                    }
                }
                let known = guests.iter_mut().position(|guest| guest.knows(token));
                if let Some(known) = known {
                    let stream = guests.swap_remove(known).stream;
                    stream.set_nonblocking(false)?;
                    return Ok(Some(Wire::Tcp(stream)));
                }
                guests.retain(|guest| !guest.is_out());
                Ok(None)
            }
        }
    }
}

impl Guest {
    /// More connections than these are closed until one of them is decided on.
    const MOST: usize = 16;
    const PATIENCE: Duration = Duration::from_secs(2);

    fn new(stream: TcpStream) -> Option<Guest> {
        stream.set_nonblocking(true).ok()?;
        // Control lines are short, and the program waits for them.
        let _ = stream.set_nodelay(true);
        Some(Guest {
            stream,
            said: Vec::new(),
            late: Instant::now() + Self::PATIENCE,
        })
    }

    /// Reads no more than the first line, and returns whether it is the token. Who said something else is out.
    fn knows(&mut self, token: &str) -> bool {
        let mut byte = [0];
        while self.said.len() <= token.len() {
            match unless_waiting(self.stream.read(&mut byte)) {
                Ok(None) => return false,
                Ok(Some(1)) if byte == *b"\n" => break,
                Ok(Some(1)) => self.said.push(byte[0]),
                Ok(_) | Err(_) => {
                    self.late = Instant::now();
                    return false;
                }
            }
        }
        let line = self.said.strip_suffix(b"\r").unwrap_or(&self.said);
        let is_right = is_equal(line, token.as_bytes());
        if !is_right {
            self.late = Instant::now();
        }
        is_right
    }

    fn is_out(&self) -> bool {
        Instant::now() >= self.late
    }
}

/// Compares in a time that does not tell how far two texts agree.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && differences == 0
}

impl Wire {
    /// Returns the same connection for another thread.
    pub fn again(&self) -> io::Result<Wire> {
        Ok(match self {
            #[cfg(unix)]
            Wire::Unix(stream) => Wire::Unix(stream.try_clone()?),
            Wire::Tcp(stream) => Wire::Tcp(stream.try_clone()?),
        })
    }

    /// Sets how long a read waits at most.
    pub fn set_patience(&self, most: Duration) -> io::Result<()> {
        match self {
            #[cfg(unix)]
            Wire::Unix(stream) => stream.set_read_timeout(Some(most)),
            Wire::Tcp(stream) => stream.set_read_timeout(Some(most)),
        }
    }

    /// Closes the connection for all threads: who reads from it or writes to it stops waiting.
    pub fn close(&self) {
        let _ = match self {
            #[cfg(unix)]
            Wire::Unix(stream) => stream.shutdown(Shutdown::Both),
            Wire::Tcp(stream) => stream.shutdown(Shutdown::Both),
        };
    }
}

impl Read for Wire {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Wire::Unix(stream) => stream.read(into),
            Wire::Tcp(stream) => stream.read(into),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Wire::Unix(stream) => stream.write(bytes),
            Wire::Tcp(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Turns "would wait" into `None`.
pub(super) fn unless_waiting<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    use io::ErrorKind::{ConnectionAborted, Interrupted, TimedOut, WouldBlock};
    match result {
        Ok(value) => Ok(Some(value)),
        // A connection may be given up before it is accepted.
        Err(e)
            if matches!(
                e.kind(),
                WouldBlock | TimedOut | Interrupted | ConnectionAborted
            ) =>
        {
            Ok(None)
        }
        Err(e) => Err(e),
    }
}

/// Returns 64 bits that nobody can guess: each hasher has a key of its own, which the system's randomness is the source of.
fn random() -> u64 {
    RandomState::new().hash_one(Instant::now())
}

#[cfg(unix)]
fn create_private(path: &Path) -> io::Result<Folder> {
    use std::os::unix::fs::DirBuilderExt as _;
    // It fails if the folder is there already, so it is ours.
    fs::DirBuilder::new().mode(0o700).create(path)?;
    Ok(Folder(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(place: &mut Place) -> Option<Wire> {
        let late = Instant::now() + Duration::from_secs(5);
        while Instant::now() < late {
            if let Some(wire) = place.accept().expect("listens") {
                return Some(wire);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        None
    }

    #[cfg(unix)]
    #[test]
    fn a_socket_lies_in_a_private_folder_and_vanishes() {
        use std::os::unix::fs::PermissionsExt as _;
        let mut place = Place::unix().expect("a socket");
        let path = place.address().strip_prefix("unix:").expect("a path");
        let path = PathBuf::from(path);
        assert!(path.as_os_str().len() < 100);
        let folder = path.parent().expect("a folder").to_owned();
        let mode = fs::metadata(&folder).expect("a folder").permissions();
        assert_eq!(mode.mode() & 0o777, 0o700);
        assert!(place.accept().expect("listens").is_none());
        let mut program = UnixStream::connect(&path).expect("connects");
        let mut wire = accepted(&mut place).expect("a connection");
        drop(place);
        assert!(!folder.exists());
        program.write_all(b"x").expect("still connected");
        assert_eq!(wire.read(&mut [0; 8]).expect("read"), 1);
    }

    #[test]
    fn a_port_wants_the_token_and_takes_nothing_else() {
        let mut place = Place::tcp().expect("a port");
        let address = place.address().to_owned();
        let (host, token) = address
            .strip_prefix("tcp:")
            .and_then(|rest| rest.split_once('/'))
            .expect("a host and a token");
        assert!(host.starts_with("127.0.0.1:"));
        assert_eq!(token.len(), 32);
        let connect = |first: &str| {
            let mut stream = TcpStream::connect(host).expect("connects");
            stream.write_all(first.as_bytes()).expect("written");
            stream
        };
        let wrong = format!("{}x\n", &token[..31]);
        let longer = format!("{token}{token}\n");
        let strangers = ["\n", "hello\n", &wrong, &longer, "silent"].map(connect);
        for _ in 0..50 {
            assert!(place.accept().expect("listens").is_none());
            std::thread::sleep(Duration::from_millis(1));
        }
        // All but the one that may still say something are closed.
        for mut stranger in strangers.into_iter().take(4) {
            let patience = Some(Duration::from_secs(5));
            stranger.set_read_timeout(patience).expect("a time");
            let read = stranger.read(&mut [0; 8]);
            assert!(
                matches!(read, Ok(0))
                    || read.is_err_and(|e| e.kind() == io::ErrorKind::ConnectionReset)
            );
        }
        let mut program = connect(&format!("{token}\n{{"));
        let mut wire = accepted(&mut place).expect("a connection");
        drop(place);
        program.write_all(b"}").expect("written");
        drop(program);
        let mut rest = String::new();
        wire.read_to_string(&mut rest).expect("read");
        assert_eq!(rest, "{}");
    }

    #[test]
    fn tokens_differ() {
        let some: std::collections::BTreeSet<u64> = (0..1_000).map(|_| random()).collect();
        assert_eq!(some.len(), 1_000);
    }
}
