//! Talks to `plyscope serve`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    framed: bool,
    ids: u64,
    /// Answers that nobody has waited for yet.
    answers: Vec<Value>,
    /// What was said without being asked for.
    pub notices: Vec<Value>,
}

/// Reads the messages of a server, one a line or after headers.
fn next(out: &mut impl BufRead, framed: bool) -> Option<Value> {
    let mut line = String::new();
    if out.read_line(&mut line).ok()? == 0 {
        return None;
    }
    if !framed {
        return Some(serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}")));
    }
    let length = line.strip_prefix("Content-Length: ").expect("a header");
    let length: usize = length.trim().parse().expect("a length");
    line.clear();
    out.read_line(&mut line).ok()?;
    assert_eq!(line, "\r\n");
    let mut bytes = vec![0; length];
    out.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).expect("JSON"))
}

impl Client {
    /// Starts a server with little memory.
    pub fn start(arguments: &[&str]) -> Client {
        Client::with_framing(arguments, false)
    }

    pub fn with_framing(arguments: &[&str], framed: bool) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_plyscope"))
            .args(["serve", "--memory", "64M"])
            .args(arguments)
            .env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("an output"));
        let (send, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = next(&mut out, framed) {
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        Client {
            stdin: child.stdin.take(),
            child,
            messages,
            framed,
            ids: 0,
            answers: Vec::new(),
            notices: Vec::new(),
        }
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("an open input");
        stdin.write_all(bytes).expect("it listens");
        stdin.flush().expect("it listens");
    }

    /// Sends a message.
    pub fn say(&mut self, message: &Value) {
        let text = message.to_string();
        match self.framed {
            true => self.send(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes()),
            false => self.send(format!("{text}\n").as_bytes()),
        }
    }

    /// Returns its next message.
    pub fn hear(&mut self) -> Value {
        self.messages.recv_timeout(PATIENCE).expect("a message")
    }

    /// Sends a request and returns its id.
    pub fn ask(&mut self, method: &str, parameters: Value) -> u64 {
        self.ids += 1;
        let id = self.ids;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}));
        id
    }

    /// Waits for the answer to a request.
    pub fn answer(&mut self, id: u64) -> Result<Value, Value> {
        let is_it = |message: &Value| message.get("id") == Some(&json!(id));
        let known = self.answers.iter().position(is_it);
        let mut message = known.map(|at| self.answers.remove(at));
        while message.is_none() {
            let next = self.hear();
            assert_eq!(next["jsonrpc"], "2.0");
            if is_it(&next) {
                message = Some(next);
            } else if next.get("id").is_some() {
                self.answers.push(next);
            } else {
                self.notices.push(next);
            }
        }
        let mut message = message.expect("an answer");
        let both = message.get("result").is_some() && message.get("error").is_some();
        assert!(!both, "{message}");
        match message.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(message["result"].take()),
        }
    }

    /// Calls a method that is granted.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.ask(method, parameters.clone());
        let answer = self.answer(id);
        answer.unwrap_or_else(|error| panic!("{method} {parameters}: {error}"))
    }

    /// Calls a method that is refused; returns the code and the message.
    pub fn refused(&mut self, method: &str, parameters: Value) -> (i64, String) {
        let id = self.ask(method, parameters.clone());
        let error = self.answer(id).expect_err(method);
        let message = error["message"].as_str().expect("a message").to_owned();
        assert!(!message.chars().any(char::is_control), "{message:?}");
        (error["code"].as_i64().expect("a code"), message)
    }

    /// Waits for a message of this kind that nobody asked for.
    pub fn notice(&mut self, method: &str) -> Value {
        let is_it = |notice: &Value| notice["method"] == method;
        if let Some(at) = self.notices.iter().position(is_it) {
            return self.notices.remove(at);
        }
        loop {
            let message = self.hear();
            assert!(message.get("id").is_none(), "{message}");
            if is_it(&message) {
                return message;
            }
            self.notices.push(message);
        }
    }

    /// Closes its input and waits for its end; returns the exit status and its last messages.
    pub fn end(mut self) -> (Option<i32>, Vec<Value>) {
        drop(self.stdin.take());
        let mut rest = Vec::new();
        loop {
            match self.messages.recv_timeout(PATIENCE) {
                Ok(message) => rest.push(message),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it does not end"),
            }
        }
        (self.child.wait().expect("a status").code(), rest)
    }

    /// Stops listening to it and waits for its end.
    pub fn turn_away(mut self) -> Option<i32> {
        drop(std::mem::replace(&mut self.messages, channel().1));
        drop(self.stdin.take());
        self.child.wait().expect("a status").code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A failed test must not leave a process behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
