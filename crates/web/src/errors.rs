//! What the server says when it cannot do what it was asked: a status, a code for the page, a sentence for the person.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub status: StatusCode,
    pub code: &'static str,
    pub message: String,
}

impl Refusal {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal {
            status,
            code,
            message: message.into(),
        }
    }

    /// As the page reads it, in a response or in a stream.
    pub fn json(&self) -> Value {
        json!({ "error": { "code": self.code, "message": self.message } })
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.json())).into_response()
    }
}

pub fn wrong_token() -> Refusal {
    Refusal::new(
        StatusCode::FORBIDDEN,
        "wrong-token",
        "this address lacks the token of this run: use the one that `babbage` printed when it started",
    )
}

pub fn foreign_host(host: &str) -> Refusal {
    Refusal::new(
        StatusCode::FORBIDDEN,
        "foreign-host",
        format!("this server does not answer to the name `{host}`"),
    )
}

pub fn foreign_origin(origin: &str) -> Refusal {
    Refusal::new(
        StatusCode::FORBIDDEN,
        "foreign-origin",
        format!("a page of `{origin}` may not use this server"),
    )
}

pub fn not_here(path: &str) -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "not-found",
        format!("there is nothing at `{path}`"),
    )
}

pub fn too_large(bytes_max: usize) -> Refusal {
    Refusal::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "too-large",
        format!("a request may have {} KiB at most", bytes_max / 1024),
    )
}

pub fn not_json(why: &str) -> Refusal {
    Refusal::new(
        StatusCode::BAD_REQUEST,
        "not-json",
        format!("the body of the request is not what was expected: {why}"),
    )
}

pub fn slow_body() -> Refusal {
    Refusal::new(
        StatusCode::REQUEST_TIMEOUT,
        "slow-request",
        "the request did not arrive in time",
    )
}

pub fn no_session() -> Refusal {
    Refusal::new(
        StatusCode::GONE,
        "no-session",
        "this session has ended: it was idle for too long, or its page was closed",
    )
}

pub fn too_many(what: &str, n_max: usize) -> Refusal {
    Refusal::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "too-many",
        format!("{n_max} {what} are open already: close one, or wait for one to end"),
    )
}

pub fn out_of_time(seconds: f64) -> Refusal {
    Refusal::new(
        StatusCode::GATEWAY_TIMEOUT,
        "out-of-time",
        format!("this took longer than {seconds} s and was stopped"),
    )
}

pub fn out_of_memory(bytes: u64) -> Refusal {
    Refusal::new(
        StatusCode::INSUFFICIENT_STORAGE,
        "out-of-memory",
        format!(
            "this needed more than {} MiB of memory and was stopped",
            bytes >> 20
        ),
    )
}

/// The worker ended in a way that neither a specification nor a limit explains.
pub fn own_bug(message: &str) -> Refusal {
    Refusal::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "bug",
        format!(
            "this is a bug of babbage {}, not of your specification: {message}",
            env!("CARGO_PKG_VERSION")
        ),
    )
}
