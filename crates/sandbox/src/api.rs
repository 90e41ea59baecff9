//! The provider's API.

mod calls;
mod failure;
mod listing;
mod payouts;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::RETRY_AFTER;
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, HttpResponse, web};
use glasshouse_payments::provider_code;

use crate::fault_injection::Answer;
use crate::shared::Shared;
use failure::ApiFailure;

const API_KEY: &str = "x-api-key";
const BASE: &str = "/v1";

/// Registers the endpoints of the API and those that control the sandbox.
pub(crate) fn configure(config: &mut web::ServiceConfig) {
    config
        .service(
            web::scope(BASE)
                .wrap(from_fn(require_key))
                .wrap(from_fn(inject_fault))
                .service(calls::status)
                .service(calls::currencies)
                .service(calls::min_amount)
                .service(calls::estimate)
                .service(calls::create_invoice)
                .service(listing::auth)
                .service(listing::payments)
                .service(calls::payment)
                .service(payouts::create)
                .service(payouts::list_all)
                .service(payouts::verify)
                .service(payouts::show)
                .service(payouts::balance)
                .default_service(web::to(unknown_endpoint)),
        )
        .service(
            web::scope("/sandbox/control")
                .wrap(from_fn(require_key))
                .service(calls::callbacks),
        )
        .service(
            web::resource("/sandbox/inject_fault")
                .wrap(from_fn(require_key))
                .route(web::post().to(calls::inject_fault)),
        );
}

async fn unknown_endpoint() -> Result<HttpResponse, ApiFailure> {
    Err(ApiFailure::not_found("Unknown endpoint"))
}

/// Requires the API key for everything but the status.
async fn require_key(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let is_valid = request
        .app_data::<web::Data<Shared>>()
        .is_some_and(|shared| {
            let key = request.headers().get(API_KEY);
            key.is_some_and(|key| key.as_bytes() == shared.options.api_key.as_bytes())
        });
    if !is_valid && request.path() != "/v1/status" {
        return Err(ApiFailure::wrong_key().into());
    }
    next.call(request).await
}

/// Answers with the injected fault, if one is set, instead of normally.
async fn inject_fault(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(shared) = request.app_data::<web::Data<Shared>>().cloned() else {
        return next.call(request).await;
    };
    shared.count_call();
    let path = request.path().strip_prefix(BASE).unwrap_or_default();
    let fault = shared
        .switches()
        .for_answer(request.method().as_str(), path);
    match fault {
        None => next.call(request).await,
        Some((Answer::Fault, _)) => Err(ApiFailure::fault().into()),
        Some((Answer::TooManyRequests, seconds)) => {
            let mut response = ApiFailure::too_many().response();
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
            Ok(request.into_response(response))
        }
        Some((Answer::Hang, _)) => {
            tokio::time::sleep(shared.options.hang).await;
            Err(ApiFailure::fault().into())
        }
        Some((Answer::DoneMoved, _)) => {
            let done = next.call(request).await?;
            Ok(done.into_response(HttpResponse::Found().finish()))
        }
        Some((Answer::DoneRefused, _)) => {
            let done = next.call(request).await?;
            Ok(done.into_response(ApiFailure::bad_request("Refused, but carried out").response()))
        }
        Some((Answer::DoneBusy, seconds)) => {
            let done = next.call(request).await?;
            let mut response = ApiFailure::too_many().response();
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
            Ok(done.into_response(response))
        }
        Some((Answer::Lost, _)) => {
            let answer = next.call(request).await;
            tokio::time::sleep(shared.options.hang).await;
            answer
        }
    }
}

/// A response with a JSON body.
fn json(status: actix_web::http::StatusCode, body: String) -> HttpResponse {
    HttpResponse::build(status)
        .content_type("application/json; charset=utf-8")
        .body(body)
}

/// The provider's codes of all coins that the sandbox supports.
fn codes() -> Vec<&'static str> {
    let supported = glasshouse_domain::Currency::ALL.map(provider_code);
    // Includes some that the house does not support.
    supported
        .into_iter()
        .chain(["ada", "bnbmainnet", "trx"])
        .collect()
}
