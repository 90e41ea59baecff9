//! How database errors are reported to clients.

use glasshouse_casino::DatabaseError;

use super::*;

#[test]
fn temporary_database_errors_get_503_with_their_own_code() {
    let text = String::new;
    for (error, code, retry_after) in [
        (DatabaseError::Overloaded, "overloaded", "1"),
        (DatabaseError::Contended(text()), "overloaded", "5"),
        (
            DatabaseError::Unavailable(text()),
            "database_unavailable",
            "5",
        ),
        (DatabaseError::StorageFull(text()), "storage_full", "60"),
        (
            DatabaseError::OutcomeUnknown(text()),
            "outcome_unknown",
            "1",
        ),
    ] {
        let error = ApiError::from(CasinoError::from(error));
        assert_eq!(error.answer().code.as_str(), code);
        let response = error.error_response();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE, "{code}");
        let header = response.headers().get(RETRY_AFTER).unwrap();
        assert_eq!(header, retry_after, "{code}");
    }
    let unknown = Outage::OutcomeUnknown.answer();
    assert!(
        unknown
            .message
            .unwrap_or_default()
            .contains("same Idempotency-Key")
    );
    assert_eq!(unknown.code.as_str(), "outcome_unknown");
    let fault = ApiError::from(CasinoError::from(DatabaseError::WorkerStopped));
    assert_eq!(fault.status_code(), StatusCode::INTERNAL_SERVER_ERROR);
}
