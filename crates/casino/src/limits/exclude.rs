//! Excludes a player at the player's own request, until a time that nobody can bring forward.

use glasshouse_domain::{Exclusion, ExclusionDuration, UserId};
use glasshouse_persistence::{DatabaseError, Scope, queries};

use crate::error::{CasinoError, LimitRefusal};
use crate::house::House;
use crate::limits::rules::rewrite_rules;

/// The most exclusions that are listed.
const LISTED_EXCLUSIONS: i64 = 100;

/// Excludes a player from new rounds and new deposits. No round starts once this has returned. Open
/// rounds can be finished, and withdrawals stay possible. The caller has checked the password.
///
/// # Errors
/// [`LimitRefusal::AlreadyExcluded`] unless this exclusion ends later than the one in force, or a
/// fault.
pub async fn exclude(
    house: &House,
    player: UserId,
    duration: ExclusionDuration,
) -> Result<Exclusion, CasinoError> {
    let now = house.now();
    let exclusion = Exclusion::starting(duration, now);
    house
        .database
        .write(Scope::player(player), move |transaction| {
            let account = transaction.account(player)?;
            let rules = account.play_rules.as_deref();
            if let Some(until) = rules.and_then(|rules| rules.excluded_until)
                && until >= exclusion.until
            {
                return Err(CasinoError::from(LimitRefusal::AlreadyExcluded(until)));
            }
            transaction.add_exclusion(player, &exclusion)?;
            rewrite_rules(transaction, player, now)
        })
        .await?;
    Ok(exclusion)
}

/// A player's newest exclusions, newest first.
///
/// # Errors
/// On a fault.
pub async fn read_exclusions(house: &House, player: UserId) -> Result<Vec<Exclusion>, CasinoError> {
    Ok(house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::exclusions_of(connection, player, LISTED_EXCLUSIONS)
        })
        .await?)
}
