//! The server: where it listens, what it answers.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::assets::asset;
use crate::errors::{self, Refusal};
use crate::folder::Folder;
use crate::gallery::{Cards, card};
use crate::guard::{Guard, fresh_token, guarded, is_token};
use crate::jobs::{Jobs, raw};
use crate::process::{Limits, Workers};
use crate::sessions::Sessions;

pub struct Options {
    pub host: IpAddr,
    /// 0 lets the system choose.
    pub port: u16,
    /// A fresh one when absent.
    pub token: Option<String>,
    /// The specification to show first.
    pub folder: Option<Folder>,
    /// A specification of the gallery to show first.
    pub show: Option<String>,
    /// This program, and the arguments that make a worker of it.
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub limits: Limits,
}

#[derive(Clone)]
struct Server {
    sessions: Sessions,
    jobs: Jobs,
    cards: Cards,
    folder: Option<Arc<Folder>>,
    show: Option<String>,
    limits: Limits,
}

/// Serves until it is told to stop. `ready` gets the address of the page.
pub fn serve(options: Options, ready: impl FnOnce(&str)) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(run(options, ready))
}

async fn run(options: Options, ready: impl FnOnce(&str)) -> std::io::Result<()> {
    let token = match options.token {
        Some(token) if is_token(&token) => token,
        Some(_) => {
            let wrong = "a token has at least 8 letters, digits, `-` or `_`";
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, wrong));
        }
        None => fresh_token()?,
    };
    let listener = TcpListener::bind(SocketAddr::new(options.host, options.port)).await?;
    let address = listener.local_addr()?;
    let guard = Guard::new(token, options.host, address.port());
    let mut arguments = options.arguments;
    if let Some(folder) = &options.folder {
        arguments.extend(["--folder".to_string(), folder.path.to_string_lossy().into_owned()]);
    }
    let workers = Workers {
        program: options.program,
        arguments,
        limits: options.limits.clone(),
    };
    let jobs = Jobs::new(workers.clone());
    let server = Server {
        sessions: Sessions::new(workers),
        cards: Cards::new(jobs.clone()),
        jobs,
        folder: options.folder.map(Arc::new),
        show: options.show,
        limits: options.limits,
    };
    tokio::spawn(server.sessions.clone().expire());
    let cards = server.cards.clone();
    tokio::spawn(async move { cards.pictures().await.is_object() });
    ready(&format!("http://{address}{}", guard.path()));
    axum::serve(listener, router(server, guard))
        .with_graceful_shutdown(async {
            let _ = tokio::signal::ctrl_c().await;
        })
        .await
}

fn router(server: Server, guard: Guard) -> Router {
    // The body is read, and its size and time limited, by `Body` below.
    Router::new()
        .route("/{token}/api/gallery", get(gallery))
        .route("/{token}/api/pictures", get(pictures))
        .route("/{token}/api/sessions", post(start))
        .route("/{token}/api/sessions/{name}", post(ask))
        .route("/{token}/api/sessions/{name}/alive", get(alive))
        .route("/{token}/api/sessions/{name}/end", post(end))
        .route("/{token}/api/jobs", post(job))
        .route("/{token}/", get(page))
        .route("/{token}/{file}", get(file))
        .fallback(nothing)
        .method_not_allowed_fallback(nothing)
        .layer(DefaultBodyLimit::disable())
        .layer(axum::middleware::from_fn_with_state(guard, guarded))
        .with_state(server)
}

/// A request as JSON, not larger and not slower than the limits say. It is an object, and that is all that the server wants to know.
struct Body(Box<RawValue>);

impl FromRequest<Server> for Body {
    type Rejection = Refusal;

    async fn from_request(request: Request, server: &Server) -> Result<Body, Refusal> {
        let bytes_max = server.limits.body_bytes;
        let declared = request.headers().get("content-length");
        let declared = declared.and_then(|it| it.to_str().ok()?.parse::<usize>().ok());
        if declared.is_some_and(|it| it > bytes_max) {
            return Err(errors::too_large(bytes_max));
        }
        let read = axum::body::to_bytes(request.into_body(), bytes_max);
        let bytes: Bytes = tokio::time::timeout(server.limits.request, read)
            .await
            .map_err(|_| errors::slow_body())?
            .map_err(|_| errors::too_large(bytes_max))?;
        let value: Box<RawValue> =
            serde_json::from_slice(&bytes).map_err(|it| errors::not_json(&it.to_string()))?;
        match value.get().starts_with('{') {
            true => Ok(Body(value)),
            false => Err(errors::not_json("an object is needed")),
        }
    }
}

async fn page(headers: HeaderMap) -> Result<Response, Refusal> {
    asset("", &headers).ok_or_else(|| errors::not_here("/"))
}

async fn file(Path((_, file)): Path<(String, String)>, headers: HeaderMap) -> Result<Response, Refusal> {
    asset(&file, &headers).ok_or_else(|| errors::not_here(&file))
}

async fn nothing(request: Request) -> Refusal {
    let path = request
        .uri()
        .path()
        .splitn(3, '/')
        .nth(2)
        .unwrap_or("")
        .to_string();
    errors::not_here(&path)
}

async fn gallery(State(server): State<Server>) -> Result<Response, Refusal> {
    let own = match &server.folder {
        Some(folder) => folder.entry().map_err(|it| errors::not_json(&it.to_string()))?,
        None => Value::Null,
    };
    let answer = json!({
        "cards": workbench::gallery().iter().map(card).collect::<Vec<_>>(),
        "own": own,
        "show": server.show,
        "version": env!("CARGO_PKG_VERSION"),
    });
    Ok(axum::Json(answer).into_response())
}

/// The pictures of the cards come when they are ready, so that nobody waits for them.
async fn pictures(State(server): State<Server>) -> Response {
    axum::Json(server.cards.pictures().await).into_response()
}

/// A session that was started, with its first answer.
#[derive(Serialize)]
struct Started {
    session: String,
    answer: Box<RawValue>,
}

async fn start(State(server): State<Server>, Body(request): Body) -> Result<Response, Refusal> {
    let (name, answer) = server.sessions.start(&request).await?;
    Ok(axum::Json(Started {
        session: name,
        answer,
    })
    .into_response())
}

async fn ask(
    State(server): State<Server>,
    Path((_, name)): Path<(String, String)>,
    Body(request): Body,
) -> Result<Response, Refusal> {
    let answer = server.sessions.ask(&name, &request).await?;
    Ok(axum::Json(answer).into_response())
}

async fn end(State(server): State<Server>, Path((_, name)): Path<(String, String)>) -> StatusCode {
    server.sessions.end(&name).await;
    StatusCode::NO_CONTENT
}

async fn job(State(server): State<Server>, Body(request): Body) -> Result<Response, Refusal> {
    let mut request: Value =
        serde_json::from_str(request.get()).map_err(|it| errors::not_json(&it.to_string()))?;
    request["seconds"] = json!(server.limits.job.as_secs_f64());
    Ok(server.jobs.start(&raw(&request)?).await?.into_response())
}

/// The page is still there. No connection is held for this: a browser has six for all tabs together.
async fn alive(
    State(server): State<Server>,
    Path((_, name)): Path<(String, String)>,
) -> Result<StatusCode, Refusal> {
    match server.sessions.see(&name).await {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(errors::no_session()),
    }
}
