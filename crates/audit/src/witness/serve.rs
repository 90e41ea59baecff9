//! Serves a witness over HTTP.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use actix_web::http::StatusCode;
use actix_web::http::header::ContentType;
use actix_web::rt::time::timeout;
use actix_web::{App, HttpResponse, HttpServer, web};
use glasshouse_transparency::origin::Origin;
use glasshouse_transparency::witness::{ADD_CHECKPOINT_PATH, Answer, SIZE_CONTENT_TYPE};

use crate::fault::Fault;
use crate::witness::cosign::Witness;

/// The largest request: a proof of 63 hashes and a note with many signatures.
const MAXIMUM_BODY: usize = 100_000;
const BODY_TIMEOUT: Duration = Duration::from_secs(10);
const SHUTDOWN_SECONDS: u64 = 5;
const MAXIMUM_CONNECTIONS: usize = 1_000;

/// What to witness, and where.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address to listen on.
    pub bind: SocketAddr,
    /// The folder with the key and the checkpoints.
    pub folder: PathBuf,
    /// The verifier keys of the logs.
    pub logs: Vec<String>,
    /// The name of the witness, which a new key gets and an existing one must have.
    pub name: Option<String>,
}

/// What to tell whoever has started the witness.
#[derive(Debug, Clone)]
pub struct Started {
    /// The verifier key of the witness.
    pub key: String,
    /// The address that it listens on.
    pub address: SocketAddr,
    /// The logs, with the size of the largest cosigned checkpoint of each.
    pub logs: Vec<(Origin, u64)>,
}

/// Runs a witness until the process is asked to stop. `tell` is called once it accepts requests.
///
/// # Errors
/// If it cannot be started.
pub fn run(options: &Options, tell: impl FnOnce(&Started)) -> Result<(), Fault> {
    let witness = web::Data::new(open(options)?);
    actix_web::rt::System::new().block_on(async {
        let shared = witness.clone();
        let server = HttpServer::new(move || App::new().app_data(shared.clone()).configure(routes))
            .workers(1)
            .max_connections(MAXIMUM_CONNECTIONS)
            .shutdown_timeout(SHUTDOWN_SECONDS)
            .bind(options.bind)
            .map_err(|error| Fault::Usage(format!("Cannot listen on {}: {error}", options.bind)))?;
        let address = server.addrs().first().copied().unwrap_or(options.bind);
        // Starts before the message, so that a signal after it stops the server gracefully.
        let serving = actix_web::rt::spawn(server.run());
        actix_web::rt::task::yield_now().await;
        tell(&Started {
            key: witness.public_key().to_string(),
            address,
            logs: witness
                .latest()
                .map(|(origin, latest)| (origin.clone(), latest.size))
                .collect(),
        });
        serving
            .await
            .map_err(Fault::interrupted)?
            .map_err(Fault::interrupted)
    })
}

fn open(options: &Options) -> Result<Witness, Fault> {
    let parse = |name: &str| {
        Origin::parse(name)
            .map_err(|error| Fault::Usage(format!("{name} is not the name of a witness: {error}")))
    };
    let asked = options.name.as_deref().map(parse).transpose()?;
    let default = parse(&format!("{}/glasshouse-witness", options.bind))?;
    Witness::open(&options.folder, &options.logs, asked.as_ref(), &default)
}

fn routes(config: &mut web::ServiceConfig) {
    config
        .route("/", web::get().to(describe))
        .route(ADD_CHECKPOINT_PATH, web::post().to(add_checkpoint));
}

/// The verifier key in the first line, and the sizes of the logs below.
async fn describe(witness: web::Data<Witness>) -> HttpResponse {
    let mut text = format!("{}\n", witness.public_key());
    for (origin, latest) in witness.latest() {
        text.push('\n');
        text.push_str(&latest.body(origin));
    }
    HttpResponse::Ok()
        .content_type(ContentType::plaintext())
        .body(text)
}

async fn add_checkpoint(witness: web::Data<Witness>, body: web::Payload) -> HttpResponse {
    let body = match timeout(BODY_TIMEOUT, body.to_bytes_limited(MAXIMUM_BODY)).await {
        Ok(Ok(Ok(body))) => body,
        Ok(Ok(Err(_))) => return HttpResponse::BadRequest().finish(),
        Ok(Err(_)) => return HttpResponse::PayloadTooLarge().finish(),
        Err(_) => return HttpResponse::RequestTimeout().finish(),
    };
    // Storing a checkpoint waits for the disk.
    let answer = web::block(move || witness.add_checkpoint(&body, now())).await;
    match answer.map_err(Fault::interrupted).flatten() {
        Ok(answer) => response(&answer),
        Err(fault) => {
            tracing::error!(%fault, "a checkpoint could not be cosigned");
            HttpResponse::InternalServerError().finish()
        }
    }
}

fn response(answer: &Answer) -> HttpResponse {
    let status = StatusCode::from_u16(answer.status());
    let content_type = match answer {
        Answer::Conflict { .. } => SIZE_CONTENT_TYPE,
        _ => "text/plain; charset=utf-8",
    };
    HttpResponse::build(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR))
        .content_type(content_type)
        .body(answer.body())
}

/// The time in seconds since 1970.
fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}
