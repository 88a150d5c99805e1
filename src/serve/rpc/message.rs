//! Requests, answers and notifications of JSON-RPC 2.0.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use game::load::LoadError;
use text::{quote, sanitise};

/// No JSON.
pub const NO_JSON: i32 = -32700;
/// JSON, but no request.
pub const NO_REQUEST: i32 = -32600;
pub const NO_METHOD: i32 = -32601;
pub const WRONG_PARAMETERS: i32 = -32602;
/// The request is in order, but can't be granted as things are.
pub const REFUSED: i32 = -32000;

/// Why a request is not granted.
#[derive(Clone, Debug, Serialize)]
pub struct RpcError {
    pub code: i32,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl RpcError {
    pub fn new(code: i32, message: impl AsRef<str>) -> RpcError {
        RpcError {
            code,
            message: sanitise(message.as_ref()),
            data: None,
        }
    }

    /// A parameter is not what it should be: `nodes: found "many", expected a count`.
    pub fn parameter(name: &str, why: impl AsRef<str>) -> RpcError {
        RpcError::new(WRONG_PARAMETERS, format!("{name}: {}", why.as_ref()))
    }

    pub fn refused(why: impl AsRef<str>) -> RpcError {
        RpcError::new(REFUSED, why)
    }
}

impl From<LoadError> for RpcError {
    fn from(error: LoadError) -> RpcError {
        let data = json!({
            "file": error.file,
            "line": error.line,
            "column": error.column,
            "game": error.game,
            "found": error.found,
            "expected": error.expected,
        });
        RpcError {
            data: Some(data),
            ..RpcError::new(WRONG_PARAMETERS, error.to_string())
        }
    }
}

/// A request, or a notification if it has no id.
#[derive(Clone, Debug)]
pub struct Request {
    pub id: Option<Value>,
    pub method: String,
    pub parameters: Map<String, Value>,
}

/// What a message contains.
#[derive(Debug)]
pub enum Message {
    One(Result<Request, Refused>),
    Batch(Vec<Result<Request, Refused>>),
}

/// A request that can't be understood, with its id as far as it has one.
#[derive(Debug)]
pub struct Refused {
    pub id: Value,
    pub error: RpcError,
}

impl Refused {
    pub fn new(code: i32, why: &str) -> Refused {
        Refused {
            id: Value::Null,
            error: RpcError::new(code, why),
        }
    }
}

/// Reads a message.
pub fn read(bytes: &[u8]) -> Message {
    match serde_json::from_slice(bytes) {
        Err(e) => {
            let why = format!("found no JSON ({e}), expected a request");
            Message::One(Err(Refused::new(NO_JSON, &why)))
        }
        Ok(Value::Array(list)) if list.is_empty() => {
            let why = "found an empty list, expected at least one request";
            Message::One(Err(Refused::new(NO_REQUEST, why)))
        }
        Ok(Value::Array(list)) => Message::Batch(list.into_iter().map(request).collect()),
        Ok(one) => Message::One(request(one)),
    }
}

fn request(value: Value) -> Result<Request, Refused> {
    let Value::Object(mut object) = value else {
        let why = format!("found {}, expected an object", kind(&value));
        return Err(Refused::new(NO_REQUEST, &why));
    };
    let id = object.remove("id");
    let known = match &id {
        Some(id @ (Value::String(_) | Value::Number(_))) => id.clone(),
        _ => Value::Null,
    };
    let refuse = |why: &str| Refused {
        id: known.clone(),
        error: RpcError::new(NO_REQUEST, why),
    };
    if let Some(other @ (Value::Bool(_) | Value::Array(_) | Value::Object(_))) = &id {
        let why = format!("id: found {}, expected a text or a number", kind(other));
        return Err(refuse(&why));
    }
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(refuse("jsonrpc: expected \"2.0\""));
    }
    let method = match object.remove("method") {
        Some(Value::String(method)) => method,
        Some(other) => {
            let why = format!("method: found {}, expected its name", kind(&other));
            return Err(refuse(&why));
        }
        None => return Err(refuse("found no method, expected its name")),
    };
    let parameters = match object.remove("params") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(map)) => map,
        Some(other) => {
            let why = format!("params: found {}, expected an object", kind(&other));
            return Err(Refused {
                id: known,
                error: RpcError::new(WRONG_PARAMETERS, why),
            });
        }
    };
    Ok(Request {
        id,
        method,
        parameters,
    })
}

/// Describes a value for a message: short texts and numbers as they are, everything else by its kind.
pub fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => quote(text),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
    }
}

/// The answer to a request.
#[derive(Serialize, Debug)]
pub struct Response {
    jsonrpc: &'static str,
    id: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<RpcError>,
}

impl Response {
    pub fn new(id: Value, answer: Result<Box<RawValue>, RpcError>) -> Response {
        let (result, error) = match answer {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        Response {
            jsonrpc: "2.0",
            id,
            result,
            error,
        }
    }
}

/// A message that is not asked for.
#[derive(Serialize, Debug)]
pub struct Notification<T> {
    jsonrpc: &'static str,
    method: &'static str,
    params: T,
}

impl<T: Serialize> Notification<T> {
    pub fn new(method: &'static str, params: T) -> Notification<T> {
        Notification {
            jsonrpc: "2.0",
            method,
            params,
        }
    }
}
