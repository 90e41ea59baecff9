//! Where to report a weakness (RFC 9116).

use std::time::Duration;

use actix_web::{HttpResponse, get, web};

use crate::state::Application;
use crate::wire::time::iso;

/// What the file says holds for so long: it is written anew for each request.
const HOLDS_FOR: Duration = Duration::from_hours(24 * 180);

/// The house's security.txt, if its operator has named a contact.
#[get("/.well-known/security.txt")]
pub(crate) async fn security_contact(application: web::Data<Application>) -> HttpResponse {
    let settings = &application.settings;
    let Some(contact) = &settings.security_contact else {
        return HttpResponse::NotFound().finish();
    };
    let expires = iso(application.house.now().saturating_add(HOLDS_FOR));
    let own = settings.public_url.trim_end_matches('/');
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body(format!(
            "Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en\n\
             Canonical: {own}/.well-known/security.txt\n"
        ))
}
