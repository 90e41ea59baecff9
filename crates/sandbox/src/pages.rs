//! The pages: one to pay an invoice on, and one over all invoices, callbacks and injected faults.
//! Plain HTML with forms; no script runs on them.

mod house;
mod html;
mod pay;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::LOCATION;
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse, get, web};
use maud::html;

use crate::error::SandboxError;
use html::page;

/// Adds the pages.
pub(crate) fn configure(config: &mut web::ServiceConfig) {
    config
        .service(style)
        .service(home)
        .service(pay::show)
        .service(pay::open)
        .service(pay::act)
        .service(house::show)
        .service(house::inject_fault);
}

/// A form of another site must not pay here: browsers say where a form comes from.
pub(crate) async fn refuse_other_sites(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let site = request.headers().get("sec-fetch-site");
    let is_ours = site.is_none_or(|site| site == "same-origin" || site == "none");
    if *request.method() == Method::POST && !is_ours {
        let refused = HttpResponse::Forbidden().body("Forms of other sites are refused");
        return Ok(request.into_response(refused));
    }
    next.call(request).await
}

#[get("/sandbox/style.css")]
async fn style() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/css; charset=utf-8")
        .body(include_str!("pages/style.css"))
}

#[get("/")]
async fn home() -> HttpResponse {
    redirect("/sandbox")
}

fn redirect(path: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((LOCATION, path))
        .finish()
}

fn answer(status: StatusCode, body: String) -> HttpResponse {
    HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .body(body)
}

/// A page that tells what went wrong, with a way back.
fn error_page(error: &SandboxError, back: &str) -> HttpResponse {
    let status = match error {
        SandboxError::UnknownInvoice | SandboxError::UnknownPayment => StatusCode::NOT_FOUND,
        SandboxError::NotPossible(_) => StatusCode::UNPROCESSABLE_ENTITY,
        SandboxError::Listening { .. } | SandboxError::Machine(_) | SandboxError::StillAtWork => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
    };
    let content = html! {
        p.alert role="alert" { (error) }
        p { a href=(back) { "Back" } }
    };
    answer(status, page("That did not work", None, &content))
}
