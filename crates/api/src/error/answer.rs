//! Each error's status and code.

use actix_web::http::StatusCode;
use glasshouse_casino::{Fault, Refusal, RefusalCode, RefusalKind, whole_seconds};

use super::Outage;
use super::code::{ErrorCode, ServiceCode};

pub(super) const TRY_AGAIN_SOON_SECONDS: u64 = 1;
pub(super) const TRY_AGAIN_LATER_SECONDS: u64 = 5;
pub(super) const TRY_AGAIN_MUCH_LATER_SECONDS: u64 = 60;
/// What a fault says on the wire, whatever its cause.
pub(super) const FAULT_MESSAGE: &str = "Something went wrong";
pub(super) const PROVIDER_UNAVAILABLE_MESSAGE: &str = "The payment provider cannot be reached right now. \
    Nothing was charged. Please try again in a few minutes.";
pub(super) const PROVIDER_UNCLEAR_MESSAGE: &str = "The payment provider gave no clear answer. Nothing was \
    charged. Please try again in a few minutes.";
pub(super) const BUSY_MESSAGE: &str = "The house is busy. Please try again in a moment.";

/// How one error is answered.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) code: ErrorCode,
    pub(super) retry_after_seconds: Option<u64>,
    /// What to tell the user where the error itself is not to be told.
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

/// What is broken is nobody's business; the log has it.
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

/// 400 is what is not of the form that the OpenAPI document describes; 422 is what has the form and is
/// against a rule.
const fn status(kind: RefusalKind) -> StatusCode {
    match kind {
        RefusalKind::Invalid => StatusCode::BAD_REQUEST,
        RefusalKind::Unauthorized => StatusCode::UNAUTHORIZED,
        RefusalKind::Forbidden => StatusCode::FORBIDDEN,
        RefusalKind::NotFound => StatusCode::NOT_FOUND,
        RefusalKind::Conflict => StatusCode::CONFLICT,
        RefusalKind::TooManyAttempts => StatusCode::TOO_MANY_REQUESTS,
        RefusalKind::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

pub(super) const fn refusal_answer(refusal: &Refusal) -> Answer {
    Answer {
        status: status(refusal.kind()),
        code: ErrorCode::Refused(refusal.code()),
        retry_after_seconds: match refusal {
            Refusal::TooManyAttempts(wait) => Some(whole_seconds(*wait)),
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
        Fault::Entropy(_) | Fault::Interrupted(_) | Fault::Hashing(_) | Fault::Corrupt(_) => FAULT,
    }
}
