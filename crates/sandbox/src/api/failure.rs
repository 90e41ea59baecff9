//! Error responses in the provider's format.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};

use crate::error::SandboxError;
use crate::json::{Form, Object};

/// A request that is answered with an error.
#[derive(Debug)]
pub(super) struct ApiFailure {
    status: StatusCode,
    code: &'static str,
    message: String,
}

impl ApiFailure {
    fn new(status: StatusCode, code: &'static str, message: &str) -> Self {
        let message = message.to_owned();
        Self {
            status,
            code,
            message,
        }
    }

    pub(super) fn wrong_key() -> Self {
        Self::new(StatusCode::FORBIDDEN, "INVALID_API_KEY", "Invalid api key")
    }

    pub(super) fn wrong_token() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "AUTH_REQUIRED",
            "Authorization header is empty (Bearer JWTtoken is required)",
        )
    }

    pub(super) fn wrong_account() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "ACCESS_DENIED",
            "Wrong email or password",
        )
    }

    pub(super) fn bad_request(message: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "INVALID_REQUEST_PARAMS", message)
    }

    pub(super) fn not_found(message: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "NOT_FOUND", message)
    }

    pub(super) fn too_many() -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "TOO_MANY_REQUESTS",
            "Too many requests",
        )
    }

    pub(super) fn fault() -> Self {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Self::new(status, "INTERNAL_ERROR", "Internal server error")
    }

    pub(super) fn response(&self) -> HttpResponse {
        let body = Object::new(Form::Numbers)
            .literal("status", "false")
            .literal("statusCode", self.status.as_str())
            .text("code", self.code)
            .text("message", &self.message)
            .finish();
        super::json(self.status, body)
    }
}

impl fmt::Display for ApiFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl ResponseError for ApiFailure {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        self.response()
    }
}

impl From<SandboxError> for ApiFailure {
    fn from(error: SandboxError) -> Self {
        match error {
            SandboxError::UnknownInvoice | SandboxError::UnknownPayment => {
                Self::not_found(&error.to_string())
            }
            SandboxError::NotPossible(reason) => Self::bad_request(reason),
            SandboxError::Listening { .. }
            | SandboxError::Machine(_)
            | SandboxError::StillAtWork => {
                tracing::error!(%error, "request failed");
                Self::fault()
            }
        }
    }
}
