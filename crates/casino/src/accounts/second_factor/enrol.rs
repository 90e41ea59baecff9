//! Sets an authenticator up, the first or another one.

use std::time::Duration;

use glasshouse_domain::{SecurityEventKind, TypedSecondFactor};
use glasshouse_persistence::Scope;
use glasshouse_persistence::accounts::{RequestOrigin, User};

use crate::accounts::second_factor::authenticator::{Enrolment, SECRET_BYTES, matching_step};
use crate::accounts::second_factor::recovery_codes::RecoveryCodes;
use crate::accounts::security_events::{add_event, count_event};
use crate::accounts::session_key::SessionKeyHash;
use crate::error::{AccountRefusal, CasinoError, Refusal};
use crate::house::House;
use crate::randomness;

/// How long a user may take until the first code.
const VALIDITY: Duration = Duration::from_mins(30);

/// Begins to set an authenticator up. It counts for nothing until [`confirm_authenticator`]; an
/// authenticator that the user has already counts until then.
///
/// # Errors
/// On a fault.
pub async fn enrol_authenticator(house: &House, user: &User) -> Result<Enrolment, CasinoError> {
    let secret: [u8; SECRET_BYTES] = randomness::bytes()?;
    let enrolment = Enrolment::of(&secret, &user.username)?;
    let id = user.id;
    let keys = house.database.keys();
    let sealed = keys.factors.seal(id, &secret, randomness::bytes()?)?;
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            transaction.lock_user(id)?.ok_or(Refusal::NotFound)?;
            Ok(transaction.begin_enrolment(id, &sealed, at)?)
        })
        .await?;
    Ok(enrolment)
}

/// Makes the authenticator that a user is setting up their second factor, after its first right code.
/// All other sessions end. Returns new recovery codes; earlier ones are no longer valid.
///
/// # Errors
/// [`AccountRefusal::InvalidSecondFactor`], [`AccountRefusal::EnrolmentExpired`] if none is being set
/// up, [`AccountRefusal::SessionEnded`]; or a fault.
pub async fn confirm_authenticator(
    house: &House,
    session: &SessionKeyHash,
    user: &User,
    code: &str,
    origin: RequestOrigin,
) -> Result<Vec<String>, CasinoError> {
    let Some(TypedSecondFactor::Code(code)) = TypedSecondFactor::parse(code) else {
        return Err(AccountRefusal::InvalidSecondFactor.into());
    };
    let id = user.id;
    let session = session.clone();
    let new = RecoveryCodes::generate()?;
    let hashes = new.hashes();
    let kind = SecurityEventKind::AuthenticatorEnabled;
    let at = house.now();
    let ended = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            transaction.lock_user(id)?.ok_or(Refusal::NotFound)?;
            let sealed = transaction
                .enrolment(id, at.saturating_sub(VALIDITY))?
                .ok_or(AccountRefusal::EnrolmentExpired)?;
            let secret = transaction.keys().factors.open(id, &sealed)?;
            let step = matching_step(&secret, &code, at)?;
            let step = step.ok_or(AccountRefusal::InvalidSecondFactor)?;
            // The session may have been ended from another device in the meantime.
            if !transaction.confirm_session(session.as_str(), at)? {
                return Err(AccountRefusal::SessionEnded.into());
            }
            transaction.enable_authenticator(id, (&sealed, step), at)?;
            transaction.replace_recovery_codes(id, &hashes)?;
            // They were opened without this factor, perhaps with the one that it replaces.
            let ended = transaction.end_other_sessions(id, session.as_str())?;
            add_event(transaction, id, kind, &origin, at)?;
            Ok(ended)
        })
        .await?;
    count_event(kind);
    house.events.close_ended(ended);
    Ok(new.into_texts())
}
