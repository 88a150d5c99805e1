//! Messages of the Debug Adapter Protocol.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::framing::{Framing, Speaker};
use text::sanitise;

/// A request of the client.
#[derive(Clone, Debug)]
pub struct Request {
    pub seq: u64,
    pub command: String,
    pub arguments: Map<String, Value>,
}

/// Reads a request; `None` for an answer to a request of the server, which sends none.
///
/// # Errors
/// What was found and what was expected.
pub fn read(bytes: &[u8]) -> Result<Option<Request>, String> {
    let message: Value = serde_json::from_slice(bytes)
        .map_err(|e| format!("found no JSON ({e}), expected a request"))?;
    let Value::Object(mut message) = message else {
        return Err("found no object, expected a request".into());
    };
    match message.get("type").and_then(Value::as_str) {
        Some("request") => {}
        Some("response" | "event") => return Ok(None),
        _ => return Err("type: expected \"request\"".into()),
    }
    let command = message.get("command").and_then(Value::as_str);
    let command = command.ok_or("command: expected a text")?.to_owned();
    let arguments = match message.remove("arguments") {
        Some(Value::Object(arguments)) => arguments,
        None | Some(Value::Null) => Map::new(),
        Some(_) => return Err("arguments: expected an object".into()),
    };
    Ok(Some(Request {
        seq: message.get("seq").and_then(Value::as_u64).unwrap_or(0),
        command,
        arguments,
    }))
}

/// Sends answers and events, numbered from 1.
#[derive(Debug)]
pub struct Editor<W> {
    speaker: Speaker<W>,
    sent: u64,
}

impl<W: Write> Editor<W> {
    pub fn new(output: W) -> Self {
        Editor {
            speaker: Speaker::new(output, Framing::Headers),
            sent: 0,
        }
    }

    fn send(&mut self, mut message: Value) -> io::Result<()> {
        self.sent += 1;
        message["seq"] = json!(self.sent);
        self.speaker.send(&message)
    }

    /// Answers a request.
    ///
    /// # Errors
    /// If the output can't be written to.
    pub fn answer(&mut self, request: &Request, answer: Result<Value, String>) -> io::Result<()> {
        let mut message = json!({
            "type": "response",
            "request_seq": request.seq,
            "command": request.command,
            "success": answer.is_ok(),
        });
        match answer {
            Ok(Value::Null) => {}
            Ok(body) => message["body"] = body,
            Err(why) => {
                let why = sanitise(&why);
                message["message"] = json!(why);
                // Braces would be read as names of variables.
                let format = why.replace('{', "(").replace('}', ")");
                message["body"] = json!({"error": {"id": 1, "format": format, "showUser": true}});
            }
        }
        self.send(message)
    }

    /// # Errors
    /// If the output can't be written to.
    pub fn event(&mut self, name: &str, body: Value) -> io::Result<()> {
        let mut message = json!({"type": "event", "event": name});
        if !body.is_null() {
            message["body"] = body;
        }
        self.send(message)
    }

    /// Writes a line to the editor's console.
    ///
    /// # Errors
    /// If the output can't be written to.
    pub fn print(&mut self, text: &str) -> io::Result<()> {
        let line = format!("{}\n", sanitise(text));
        self.event("output", json!({"category": "console", "output": line}))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn requests_are_read_and_everything_else_is_refused_or_passed_over() {
        let read = |text: &str| super::read(text.as_bytes());
        let request = read(r#"{"seq":3,"type":"request","command":"next","arguments":{"a":1}}"#);
        let request = request.expect("a message").expect("a request");
        assert_eq!((request.seq, request.command.as_str()), (3, "next"));
        assert_eq!(request.arguments["a"], 1);
        let bare = read(r#"{"type":"request","command":"threads"}"#).expect("a message");
        assert_eq!(bare.expect("a request").seq, 0);
        assert!(read(r#"{"seq":1,"type":"event","event":"x"}"#).is_ok_and(|r| r.is_none()));
        for wrong in [
            "",
            "[]",
            "{}",
            r#"{"type":"request"}"#,
            r#"{"type":"request","command":"next","arguments":[]}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
