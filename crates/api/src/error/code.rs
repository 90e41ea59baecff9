//! The codes by which clients distinguish errors.

use std::borrow::Cow;

use glasshouse_casino::RefusalCode;
use glasshouse_domain::codes;
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

codes! {
    /// Error codes of the service itself, independent of the use case.
    pub(crate) enum ServiceCode {
        NotSignedIn = "not_signed_in",
        Forbidden = "forbidden",
        RoleForbidden = "role_forbidden",
        StepUpRequired = "step_up_required",
        PasswordChangeRequired = "password_change_required",
        SecondFactorEnrolmentRequired = "second_factor_enrolment_required",
        ForeignOrigin = "foreign_origin",
        ForeignHost = "foreign_host",
        MalformedRequest = "malformed_request",
        FieldMissing = "field_missing",
        CursorOfAnotherOrder = "cursor_of_another_order",
        BodyTooLarge = "body_too_large",
        BodyTimeout = "body_timeout",
        TooManyConnections = "too_many_connections",
        NotJson = "not_json",
        UnknownCall = "unknown_call",
        OtherMethod = "other_method",
        Fault = "fault",
        Overloaded = "overloaded",
        PaymentsUnclear = "payments_unclear",
        PaymentsUnavailable = "payments_unavailable",
        DatabaseUnavailable = "database_unavailable",
        StorageFull = "storage_full",
        OutcomeUnknown = "outcome_unknown",
        PublicLogUnavailable = "public_log_unavailable",
    }
}

/// A stable code that identifies the kind of error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorCode {
    Refused(RefusalCode),
    Service(ServiceCode),
}

impl ErrorCode {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Refused(code) => code.as_str(),
            Self::Service(code) => code.as_str(),
        }
    }

    /// All codes.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let refusals = RefusalCode::ALL.iter().copied().map(Self::Refused);
        refusals.chain(ServiceCode::ALL.iter().copied().map(Self::Service))
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl PartialSchema for ErrorCode {
    fn schema() -> RefOr<Schema> {
        Object::builder()
            .schema_type(Type::String)
            .description(Some("A stable code that identifies the kind of error."))
            .enum_values(Some(Self::all().map(Self::as_str)))
            .into()
    }
}

impl ToSchema for ErrorCode {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("ErrorCode")
    }
}
