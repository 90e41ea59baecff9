//! Checks what a user typed as the second factor, and uses it up.

use std::sync::Arc;

use glasshouse_domain::{SecurityEventKind, Timestamp, TypedSecondFactor, UserId};
use glasshouse_persistence::accounts::RequestOrigin;
use glasshouse_persistence::{HouseKeys, Scope, Transaction};

use crate::accounts::second_factor::authenticator::matching_step;
use crate::accounts::second_factor::recovery_codes::hash_of;
use crate::accounts::second_factor::throttle::CodeFailures;
use crate::accounts::security_events::{add_event, count_event, record_failure};
use crate::error::{AccountRefusal, CasinoError};
use crate::house::House;

/// A typed second factor.
#[derive(Clone)]
pub struct SecondFactorAttempt {
    /// What was typed, as it was typed.
    pub text: String,
    /// Whether wrong codes of all unknown devices for the account are limited together. Known devices
    /// and sessions are exempt.
    pub is_limited: bool,
    /// Where the request comes from.
    pub origin: RequestOrigin,
}

/// What was found out about a typed second factor.
enum Outcome {
    Right,
    RightRecoveryCode,
    Wrong,
}

/// Checks a second factor and uses it up. A wrong one is recorded as an event of the given kind.
///
/// # Errors
/// [`AccountRefusal::InvalidSecondFactor`] if it is wrong, was used before or is older than the last one
/// that was used; [`crate::Refusal::TooManyAttempts`]; or a fault.
pub(crate) async fn check_second_factor(
    house: &House,
    user: UserId,
    attempt: SecondFactorAttempt,
    failure: SecurityEventKind,
) -> Result<(), CasinoError> {
    let typed = TypedSecondFactor::parse(&attempt.text);
    let (origin, is_limited) = (attempt.origin.clone(), attempt.is_limited);
    let at = house.now();
    // A wrong code is no error in here, because the failure must be committed.
    let outcome = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            transaction.lock_user(user)?;
            let failures = is_limited
                .then(|| CodeFailures::lock(transaction, user, at))
                .transpose()?;
            let outcome = use_up(transaction, user, typed.as_ref(), at)?;
            if let Some(failures) = failures {
                failures.note(transaction, !matches!(outcome, Outcome::Wrong), at)?;
            }
            if matches!(outcome, Outcome::RightRecoveryCode) {
                let kind = SecurityEventKind::RecoveryCodeUsed;
                add_event(transaction, user, kind, &origin, at)?;
            }
            Ok(outcome)
        })
        .await?;
    match outcome {
        Outcome::Right => Ok(()),
        Outcome::RightRecoveryCode => {
            count_event(SecurityEventKind::RecoveryCodeUsed);
            Ok(())
        }
        Outcome::Wrong => {
            record_failure(house, user, failure, attempt.origin);
            Err(AccountRefusal::InvalidSecondFactor.into())
        }
    }
}

fn use_up(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    typed: Option<&TypedSecondFactor>,
    at: Timestamp,
) -> Result<Outcome, CasinoError> {
    match typed {
        None => Ok(Outcome::Wrong),
        Some(TypedSecondFactor::Code(code)) => use_up_code(transaction, user, code, at),
        Some(TypedSecondFactor::RecoveryCode(code)) => {
            let is_right = transaction.use_recovery_code(user, &hash_of(code), at)?;
            Ok(if is_right {
                Outcome::RightRecoveryCode
            } else {
                Outcome::Wrong
            })
        }
    }
}

fn use_up_code(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    code: &str,
    at: Timestamp,
) -> Result<Outcome, CasinoError> {
    let Some(own) = transaction.authenticator(user)? else {
        return Ok(Outcome::Wrong);
    };
    let keys: Arc<HouseKeys> = transaction.keys();
    let secret = keys.factors.open(user, &own.secret)?;
    match matching_step(&secret, code, at)? {
        Some(step) if step > own.last_step => {
            transaction.set_last_step(user, step)?;
            Ok(Outcome::Right)
        }
        _ => Ok(Outcome::Wrong),
    }
}
