//! The pages: one for paying an invoice, one with all invoices, payouts, callbacks and injected
//! faults, and one with the house's mails.
//! Plain HTML with forms, without scripts.

mod house;
mod html;
mod mails;
mod pay;
mod payouts;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::LOCATION;
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse, get, web};
use maud::html;

use crate::error::SandboxError;
use html::page;

/// Registers the pages.
pub(crate) fn configure(config: &mut web::ServiceConfig) {
    config
        .service(style)
        .service(home)
        .service(pay::show)
        .service(pay::open)
        .service(pay::act)
        .service(house::show)
        .service(house::inject_fault)
        .service(mails::show);
}

/// Rejects forms of other sites, which must not pay here; browsers send the origin of a form.
pub(crate) async fn refuse_cross_site_forms(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let site = request.headers().get("sec-fetch-site");
    let is_same_site = site.is_none_or(|site| site == "same-origin" || site == "none");
    if *request.method() == Method::POST && !is_same_site {
        let refused = HttpResponse::Forbidden().body("Cross-site requests are not allowed");
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

fn respond(status: StatusCode, body: String) -> HttpResponse {
    HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .body(body)
}

/// A page with an error message and a link back.
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
    respond(status, page("Error", None, &content))
}
