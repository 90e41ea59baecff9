//! The one table from errors to HTTP.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, RETRY_AFTER};
use actix_web::{HttpRequest, HttpResponse, ResponseError, error};
use glasshouse_casino::{CasinoError, IdempotencyKeyError, LateCashOut, Refusal};
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::multiplier::MultiplierNumber;

mod answer;
mod code;
mod outage;
use answer::{
    Answer, FAULT, TRY_AGAIN_LATER_SECONDS, answer, fault_answer, rate_limited, refusal_answer,
};
use code::{ErrorCode, ServiceCode};
pub(crate) use outage::Outage;

/// What an answer other than 2xx carries.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// What to tell the user.
    message: String,
    code: ErrorCode,
    /// Why the account is banned; only then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<String>,
    /// The round that is in play; only where it stands in the way.
    #[serde(rename = "roundId", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    round_id: Option<i64>,
    /// How many milliseconds after the crash a call to leave the round arrived, by the house's
    /// clock; only where it came too late.
    #[serde(rename = "lateByMs", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    late_by_ms: Option<u64>,
    /// Where the round crashed; only where a cash-out came too late.
    #[serde(rename = "crashPoint", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    crash_point: Option<MultiplierNumber>,
    /// What that cash-out claimed.
    #[serde(rename = "claimedMultiplier", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    claimed_multiplier: Option<MultiplierNumber>,
}

/// Why a call is not answered with 2xx.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    #[error(transparent)]
    Casino(#[from] CasinoError),
    #[error("Not logged in")]
    NotSignedIn,
    #[error("You do not have permission to do this")]
    Forbidden,
    #[error("Please enter your password again to continue.")]
    StepUpRequired,
    #[error("Requests from another site are refused")]
    ForeignOrigin,
    #[error("This is not the house's address")]
    ForeignHost,
    #[error("{0}")]
    Malformed(String),
    #[error("The body does not have the field {0}, which this action needs")]
    FieldMissing(&'static str),
    #[error("cursor is of a list in another order")]
    CursorOfAnotherOrder,
    #[error("The body must be at most 16 KiB")]
    BodyTooLarge,
    #[error("The body took too long to arrive")]
    BodyTimeout,
    #[error("Too many connections are open from your network. Please close some of them.")]
    TooManyConnections,
    #[error("The body must be JSON with Content-Type: application/json")]
    NotJson,
    #[error("There is no such call")]
    UnknownCall,
    #[error("This call takes {0}")]
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
            Self::StepUpRequired => answer(StatusCode::FORBIDDEN, ServiceCode::StepUpRequired),
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

    /// Whether the connection is of no more use: the rest of a body is never read, and one
    /// connection too many goes.
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

    const fn late(&self) -> Option<&LateCashOut> {
        match self {
            Self::Casino(CasinoError::Refused(Refusal::LeftTooLate(late))) => Some(late),
            _ => None,
        }
    }

    fn message(&self, answer: &Answer) -> String {
        answer
            .message
            .map_or_else(|| self.to_string(), str::to_owned)
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
        if answer.status.is_server_error() {
            tracing::error!(error = %self, code = answer.code.as_str(), "a call failed");
        }
        let late = self.late();
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
            late_by_ms: late.map(|late| milliseconds(late.late_by)),
            crash_point: late.and_then(|late| late.crash_point).map(MultiplierNumber),
            claimed_multiplier: late.and_then(|late| late.claim).map(MultiplierNumber),
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
    let what = match error {
        error::QueryPayloadError::Deserialize(error) => error.to_string(),
        other => other.to_string(),
    };
    ApiError::Malformed(format!("Malformed query: {what}")).into()
}

/// A path whose variable part is no id names nothing that we have.
pub(crate) fn malformed_path(_: error::PathError, _: &HttpRequest) -> error::Error {
    ApiError::from(Refusal::NotFound).into()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod wire_tests;
