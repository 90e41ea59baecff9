//! The contact for reporting vulnerabilities (RFC 9116).

use std::time::Duration;

use actix_web::{HttpResponse, get, web};

use crate::state::Application;
use crate::wire::time::iso;

/// How long the file is valid; it is generated for each request.
const VALIDITY: Duration = Duration::from_hours(24 * 180);

/// The security.txt file, if the operator has configured a contact.
#[get("/.well-known/security.txt")]
pub(crate) async fn security_contact(application: web::Data<Application>) -> HttpResponse {
    let settings = &application.settings;
    let Some(contact) = &settings.security_contact else {
        return HttpResponse::NotFound().finish();
    };
    let expires = iso(application.house.now().saturating_add(VALIDITY));
    let own = settings.public_url.trim_end_matches('/');
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body(format!(
            "Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en\n\
             Canonical: {own}/.well-known/security.txt\n"
        ))
}
