//! The single mapping from errors to HTTP responses.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, RETRY_AFTER};
use actix_web::{HttpRequest, HttpResponse, ResponseError, error};
use glasshouse_casino::{CasinoError, IdempotencyKeyError, LateCashOut, Refusal, current_request};
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::multiplier::MultiplierNumber;
use crate::wire::time::iso;

mod answer;
mod code;
mod outage;
use answer::{
    Answer, FAULT, FAULT_MESSAGE, TRY_AGAIN_LATER_SECONDS, answer, fault_answer, rate_limited,
    refusal_answer,
};
pub(crate) use code::ErrorCode;
use code::ServiceCode;
pub(crate) use outage::Outage;

/// The body of every error response.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// The message to show to the user.
    message: String,
    code: ErrorCode,
    /// The ban reason; only present if the account is banned.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<String>,
    /// The ID of the round; only present if a round in play prevents the request, or if a cash-out
    /// was too late.
    #[serde(rename = "roundId", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    round_id: Option<i64>,
    /// How many milliseconds after the crash the cash-out request arrived, by the server's clock;
    /// only
    /// present if it was too late.
    #[serde(rename = "lateByMs", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    late_by_ms: Option<u64>,
    /// The crash point; only present if a cash-out was too late.
    #[serde(rename = "crashPoint", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    crash_point: Option<MultiplierNumber>,
    /// The multiplier that the late cash-out claimed.
    #[serde(rename = "claimedMultiplier", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    claimed_multiplier: Option<MultiplierNumber>,
    /// When the period of a limit, an exclusion or a wait ends that the player has chosen; only present
    /// if that prevents the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "date-time", nullable = false)]
    until: Option<String>,
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    #[error(transparent)]
    Casino(#[from] CasinoError),
    #[error("Not logged in")]
    NotSignedIn,
    #[error("You do not have permission to do this")]
    Forbidden,
    #[error("Your role does not permit this.")]
    RoleForbidden,
    #[error("Please confirm that it is you to continue.")]
    StepUpRequired,
    #[error("Please choose a password of your own first.")]
    PasswordChangeRequired,
    #[error("Administrators need a second factor. Please set one up first.")]
    SecondFactorEnrolmentRequired,
    #[error("Cross-site requests are not allowed")]
    ForeignOrigin,
    #[error("Unknown host name")]
    ForeignHost,
    #[error("{0}")]
    Malformed(String),
    #[error("The field {0} is required for this action")]
    FieldMissing(&'static str),
    #[error("Invalid cursor: it belongs to a different sort order")]
    CursorOfAnotherOrder,
    #[error("The body must be at most 16 KiB")]
    BodyTooLarge,
    #[error("The body took too long to arrive")]
    BodyTimeout,
    #[error("Too many connections are open from your network. Please close some of them.")]
    TooManyConnections,
    #[error("The body must be JSON with Content-Type: application/json")]
    NotJson,
    #[error("Unknown endpoint")]
    UnknownCall,
    #[error("Method not allowed; use {0}")]
    OtherMethod(&'static str),
    #[error("Too many requests. Please try again in {retry_after_seconds} s.")]
    RateLimited { retry_after_seconds: u64 },
    #[error("session: {0}")]
    Session(String),
    #[error("{0:?}")]
    Outage(Outage),
    #[error("export: {0}")]
    Export(String),
}

impl ApiError {
    fn answer(&self) -> Answer {
        match self {
            Self::Casino(CasinoError::Refused(refusal)) => refusal_answer(refusal),
            Self::Casino(CasinoError::Fault(fault)) => fault_answer(fault),
            Self::NotSignedIn => answer(StatusCode::UNAUTHORIZED, ServiceCode::NotSignedIn),
            Self::Forbidden => answer(StatusCode::FORBIDDEN, ServiceCode::Forbidden),
            Self::RoleForbidden => answer(StatusCode::FORBIDDEN, ServiceCode::RoleForbidden),
            Self::StepUpRequired => answer(StatusCode::FORBIDDEN, ServiceCode::StepUpRequired),
            Self::PasswordChangeRequired => {
                answer(StatusCode::FORBIDDEN, ServiceCode::PasswordChangeRequired)
            }
            Self::SecondFactorEnrolmentRequired => answer(
                StatusCode::FORBIDDEN,
                ServiceCode::SecondFactorEnrolmentRequired,
            ),
            Self::ForeignOrigin => answer(StatusCode::FORBIDDEN, ServiceCode::ForeignOrigin),
            Self::ForeignHost => answer(StatusCode::MISDIRECTED_REQUEST, ServiceCode::ForeignHost),
            Self::Malformed(_) => answer(StatusCode::BAD_REQUEST, ServiceCode::MalformedRequest),
            Self::FieldMissing(_) => {
                answer(StatusCode::UNPROCESSABLE_ENTITY, ServiceCode::FieldMissing)
            }
            Self::CursorOfAnotherOrder => answer(
                StatusCode::UNPROCESSABLE_ENTITY,
                ServiceCode::CursorOfAnotherOrder,
            ),
            Self::BodyTooLarge => answer(StatusCode::PAYLOAD_TOO_LARGE, ServiceCode::BodyTooLarge),
            Self::BodyTimeout => answer(StatusCode::REQUEST_TIMEOUT, ServiceCode::BodyTimeout),
            Self::TooManyConnections => Answer {
                retry_after_seconds: Some(TRY_AGAIN_LATER_SECONDS),
                ..answer(
                    StatusCode::TOO_MANY_REQUESTS,
                    ServiceCode::TooManyConnections,
                )
            },
            Self::NotJson => answer(StatusCode::UNSUPPORTED_MEDIA_TYPE, ServiceCode::NotJson),
            Self::UnknownCall => answer(StatusCode::NOT_FOUND, ServiceCode::UnknownCall),
            Self::OtherMethod(_) => {
                answer(StatusCode::METHOD_NOT_ALLOWED, ServiceCode::OtherMethod)
            }
            Self::RateLimited {
                retry_after_seconds,
            } => rate_limited(*retry_after_seconds),
            Self::Outage(outage) => outage.answer(),
            Self::Session(_) | Self::Export(_) => FAULT,
        }
    }

    /// Whether the connection must be closed: the rest of a timed-out body is never read, and a
    /// connection above the limit must not stay open.
    const fn closes_connection(&self) -> bool {
        matches!(self, Self::BodyTimeout | Self::TooManyConnections)
    }

    fn reason(&self) -> Option<String> {
        match self {
            Self::Casino(CasinoError::Refused(Refusal::Banned { reason })) => Some(reason.clone()),
            _ => None,
        }
    }

    const fn round_id(&self) -> Option<i64> {
        match self {
            Self::Casino(CasinoError::Refused(Refusal::RoundOpen { id })) => Some(id.get()),
            Self::Casino(CasinoError::Refused(Refusal::LeftTooLate(late))) => {
                Some(late.round.get())
            }
            _ => None,
        }
    }

    const fn late_cash_out(&self) -> Option<&LateCashOut> {
        match self {
            Self::Casino(CasinoError::Refused(Refusal::LeftTooLate(late))) => Some(late),
            _ => None,
        }
    }

    fn until(&self) -> Option<String> {
        let Self::Casino(CasinoError::Refused(refusal)) = self else {
            return None;
        };
        match refusal {
            Refusal::Limits(refusal) => refusal.until().map(iso),
            _ => None,
        }
    }

    /// A fault, which says nothing of its cause, is found in the log by the ID in its message.
    fn message(&self, answer: &Answer) -> String {
        match (answer.message, current_request()) {
            (Some(FAULT_MESSAGE), Some(id)) => format!("{FAULT_MESSAGE} (reference {id})"),
            (Some(message), _) => message.to_owned(),
            (None, _) => self.to_string(),
        }
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.answer().status
    }

    fn error_response(&self) -> HttpResponse {
        let answer = self.answer();
        // A refusal is no failure, whatever its status.
        let is_refusal = matches!(answer.code, ErrorCode::Refused(_));
        if answer.status.is_server_error() && !is_refusal {
            tracing::error!(error = %self, code = answer.code.as_str(), "request failed");
        }
        let late_cash_out = self.late_cash_out();
        let mut response = HttpResponse::build(answer.status);
        if let Some(seconds) = answer.retry_after_seconds {
            response.insert_header((RETRY_AFTER, seconds.to_string()));
        }
        if let Self::OtherMethod(methods) = self {
            response.insert_header((ALLOW, *methods));
        }
        if self.closes_connection() {
            response.force_close();
        }
        response.json(ErrorBody {
            message: self.message(&answer),
            code: answer.code,
            reason: self.reason(),
            round_id: self.round_id(),
            late_by_ms: late_cash_out.map(|late| milliseconds(late.late_by)),
            crash_point: late_cash_out
                .and_then(|late| late.crash_point)
                .map(MultiplierNumber),
            claimed_multiplier: late_cash_out
                .and_then(|late| late.claim)
                .map(MultiplierNumber),
            until: self.until(),
        })
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        Self::Casino(refusal.into())
    }
}

impl From<IdempotencyKeyError> for ApiError {
    fn from(error: IdempotencyKeyError) -> Self {
        Self::Malformed(error.to_string())
    }
}

pub(crate) fn malformed_query(error: error::QueryPayloadError, _: &HttpRequest) -> error::Error {
    let reason = match error {
        error::QueryPayloadError::Deserialize(error) => error.to_string(),
        other => other.to_string(),
    };
    ApiError::Malformed(format!("Malformed query: {reason}")).into()
}

/// A path parameter that cannot be parsed as an ID cannot match any resource.
pub(crate) fn malformed_path(_: error::PathError, _: &HttpRequest) -> error::Error {
    ApiError::from(Refusal::NotFound).into()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod wire_tests;
