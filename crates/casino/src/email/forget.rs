//! What becomes of the e-mail address and the links of an account that is closed.

use glasshouse_domain::{Timestamp, UserId};
use glasshouse_persistence::Transaction;

use crate::error::CasinoError;

/// Removes the address of a locked user, and everything with which the account could still be changed by
/// mail: links that wait to be followed, and mails with links that wait to be sent. Notices are still
/// sent. The house remembers a removed address, so that an exclusion stays bound to it.
pub(crate) fn forget_email(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    at: Timestamp,
) -> Result<(), CasinoError> {
    transaction.withdraw_verification(user)?;
    transaction.withdraw_recovery(user)?;
    transaction.withdraw_mails_with_links(user)?;
    transaction.remove_verified_address(user, at)?;
    Ok(())
}
