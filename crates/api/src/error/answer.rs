//! The status and code of each error.

use actix_web::http::StatusCode;
use glasshouse_casino::{Fault, Refusal, RefusalCode, RefusalKind, whole_seconds};

use super::Outage;
use super::code::{ErrorCode, ServiceCode};

pub(super) const TRY_AGAIN_SOON_SECONDS: u64 = 1;
pub(super) const TRY_AGAIN_LATER_SECONDS: u64 = 5;
pub(super) const TRY_AGAIN_MUCH_LATER_SECONDS: u64 = 60;
/// The message sent to the client for every fault, whatever its cause.
pub(super) const FAULT_MESSAGE: &str = "Something went wrong";
pub(super) const PROVIDER_UNAVAILABLE_MESSAGE: &str = "The payment provider cannot be reached right now. \
    Nothing was charged. Please try again in a few minutes.";
pub(super) const PROVIDER_UNCLEAR_MESSAGE: &str = "The payment provider's response was unclear. Nothing \
    was charged. Please try again in a few minutes.";
pub(super) const PUBLIC_LOG_UNAVAILABLE_MESSAGE: &str = "No bets are accepted at the moment, because the \
    public log cannot be written. Nothing was charged. Please try again in a few seconds.";
pub(super) const BUSY_MESSAGE: &str = "The house is busy. Please try again in a moment.";

/// The response to an error.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) code: ErrorCode,
    pub(super) retry_after_seconds: Option<u64>,
    /// The message to send instead of the error's own text, if that must not be shown to users.
    pub(super) message: Option<&'static str>,
}

pub(super) const fn answer(status: StatusCode, code: ServiceCode) -> Answer {
    Answer {
        status,
        code: ErrorCode::Service(code),
        retry_after_seconds: None,
        message: None,
    }
}

/// Details of a fault are only logged, never sent to the client.
pub(super) const FAULT: Answer = Answer {
    status: StatusCode::INTERNAL_SERVER_ERROR,
    code: ErrorCode::Service(ServiceCode::Fault),
    retry_after_seconds: None,
    message: Some(FAULT_MESSAGE),
};

pub(super) const fn unavailable(
    code: ServiceCode,
    retry_after_seconds: u64,
    message: &'static str,
) -> Answer {
    Answer {
        retry_after_seconds: Some(retry_after_seconds),
        message: Some(message),
        ..answer(StatusCode::SERVICE_UNAVAILABLE, code)
    }
}

pub(super) const fn rate_limited(retry_after_seconds: u64) -> Answer {
    Answer {
        status: StatusCode::TOO_MANY_REQUESTS,
        code: ErrorCode::Refused(RefusalCode::RateLimited),
        retry_after_seconds: Some(retry_after_seconds),
        message: None,
    }
}

pub(super) const fn busy(retry_after_seconds: u64) -> Answer {
    unavailable(ServiceCode::Overloaded, retry_after_seconds, BUSY_MESSAGE)
}

/// 400 means that the request does not have the form described in the OpenAPI document; 422 means
/// that it is well formed but violates a rule.
const fn status(kind: RefusalKind) -> StatusCode {
    match kind {
        RefusalKind::Invalid => StatusCode::BAD_REQUEST,
        RefusalKind::Unauthorized => StatusCode::UNAUTHORIZED,
        RefusalKind::Forbidden => StatusCode::FORBIDDEN,
        RefusalKind::NotFound => StatusCode::NOT_FOUND,
        RefusalKind::Conflict => StatusCode::CONFLICT,
        RefusalKind::TooManyAttempts => StatusCode::TOO_MANY_REQUESTS,
        RefusalKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        RefusalKind::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

pub(super) const fn refusal_answer(refusal: &Refusal) -> Answer {
    Answer {
        status: status(refusal.kind()),
        code: ErrorCode::Refused(refusal.code()),
        retry_after_seconds: match refusal {
            Refusal::TooManyAttempts(wait) => Some(whole_seconds(*wait)),
            _ if matches!(refusal.kind(), RefusalKind::Unavailable) => {
                Some(TRY_AGAIN_MUCH_LATER_SECONDS)
            }
            _ => None,
        },
        message: None,
    }
}

pub(super) const fn fault_answer(fault: &Fault) -> Answer {
    match fault {
        Fault::Overloaded => busy(TRY_AGAIN_SOON_SECONDS),
        Fault::Provider(error) if error.may_have_been_done() => unavailable(
            ServiceCode::PaymentsUnclear,
            TRY_AGAIN_MUCH_LATER_SECONDS,
            PROVIDER_UNCLEAR_MESSAGE,
        ),
        Fault::Provider(_) => unavailable(
            ServiceCode::PaymentsUnavailable,
            TRY_AGAIN_MUCH_LATER_SECONDS,
            PROVIDER_UNAVAILABLE_MESSAGE,
        ),
        Fault::Database(error) => match Outage::of(error) {
            Some(outage) => outage.answer(),
            None => FAULT,
        },
        Fault::PublicLogUnavailable => unavailable(
            ServiceCode::PublicLogUnavailable,
            TRY_AGAIN_LATER_SECONDS,
            PUBLIC_LOG_UNAVAILABLE_MESSAGE,
        ),
        Fault::Entropy(_)
        | Fault::Interrupted(_)
        | Fault::Hashing(_)
        | Fault::Corrupt(_)
        | Fault::PublicLog(_) => FAULT,
    }
}
