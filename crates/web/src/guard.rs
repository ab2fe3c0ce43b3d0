//! Who may talk to the server: whoever has the token of this run, under one of the server's own names.
//!
//! The token keeps other people and other pages out. The name in `Host` keeps out a page whose own name was made to lead
//! here, and `Origin` a page that guesses.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::errors;

#[derive(Clone, Debug)]
pub struct Guard {
    token: String,
    /// `127.0.0.1:4114`, `localhost:4114`; empty when any name will do.
    names: Vec<String>,
}

impl Guard {
    /// `host` is the address that the server listens on.
    pub fn new(token: String, host: std::net::IpAddr, port: u16) -> Guard {
        let names = match host.is_loopback() {
            true => ["127.0.0.1", "localhost", "[::1]"]
                .iter()
                .map(|it| format!("{it}:{port}"))
                .collect(),
            // Whoever opens the server to others knows which names it has; we do not.
            false => vec![],
        };
        Guard { token, names }
    }

    /// The address of the page, as a path.
    pub fn path(&self) -> String {
        format!("/{}/", self.token)
    }

    /// The rest of the path behind the token, if the request may pass.
    fn admit(&self, uri: &Uri, headers: &HeaderMap, method: &Method) -> Result<(), errors::Refusal> {
        let host = headers
            .get(header::HOST)
            .and_then(|it| it.to_str().ok())
            .unwrap_or("");
        if !self.names.is_empty() && !self.names.iter().any(|it| it == host) {
            return Err(errors::foreign_host(host));
        }
        let given = uri.path().split('/').nth(1).unwrap_or("");
        if !is_same(given.as_bytes(), self.token.as_bytes()) {
            return Err(errors::wrong_token());
        }
        let origin = headers.get(header::ORIGIN).and_then(|it| it.to_str().ok());
        match origin {
            Some(origin) if method != Method::GET && origin.split("//").nth(1) != Some(host) => {
                Err(errors::foreign_origin(origin))
            }
            _ => Ok(()),
        }
    }
}

/// Compares without telling by the time where two texts differ.
fn is_same(given: &[u8], token: &[u8]) -> bool {
    let differences = given.iter().zip(token).fold(0, |sum, (a, b)| sum | (a ^ b));
    given.len() == token.len() && differences == 0
}

/// 128 bits, as letters and digits.
pub fn fresh_token() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|it| std::io::Error::other(it.to_string()))?;
    Ok(bytes.iter().map(|it| format!("{it:02x}")).collect())
}

/// Whether a token that somebody chose can stand in an address.
pub fn is_token(text: &str) -> bool {
    text.len() >= 8
        && text
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'-' || it == b'_')
}

/// The middleware in front of everything.
pub async fn guarded(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let admitted = guard.admit(request.uri(), request.headers(), request.method());
    let mut response = match admitted {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    // Scripts only from here, and nothing goes out.
    const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                          connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    let headers = response.headers_mut();
    let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(path: &str, host: &str, origin: Option<&str>) -> Result<(), &'static str> {
        let guard = Guard::new("0123456789".into(), [127, 0, 0, 1].into(), 80);
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).expect("a host"));
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_str(origin).expect("an origin"));
        }
        let uri: Uri = path.parse().expect("a path");
        guard.admit(&uri, &headers, &Method::POST).map_err(|it| it.code)
    }

    #[test]
    fn only_the_token_opens() {
        assert_eq!(admit("/0123456789/", "localhost:80", None), Ok(()));
        assert_eq!(
            admit(
                "/0123456789/api/jobs",
                "127.0.0.1:80",
                Some("http://127.0.0.1:80")
            ),
            Ok(())
        );
        for path in [
            "/",
            "/0123456788/",
            "/012345678/",
            "/01234567890/",
            "//0123456789/",
            "/x/../0123456789/",
        ] {
            assert_eq!(admit(path, "localhost:80", None), Err("wrong-token"), "{path}");
        }
    }

    #[test]
    fn other_names_and_pages_stay_out() {
        assert_eq!(
            admit("/0123456789/", "evil.example:80", None),
            Err("foreign-host")
        );
        assert_eq!(
            admit("/0123456789/", "localhost:80", Some("http://evil.example")),
            Err("foreign-origin")
        );
        assert_eq!(
            admit("/0123456789/", "localhost:80", Some("null")),
            Err("foreign-origin")
        );
    }
}
