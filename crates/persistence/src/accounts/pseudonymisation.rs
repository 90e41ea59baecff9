//! Removes everything personal from accounts that were closed long ago.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool};
use glasshouse_domain::{Pseudonym, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{
    attempt_counters, authenticator_enrolments, authenticators, daily_play_time, declined_notices,
    email_verifications, mails, passkey_ceremonies, passkeys, password_recoveries, reality_checks,
    recovery_codes, security_events, sessions, users, withdrawal_addresses,
};

/// The password hash of a pseudonymised user: no password has it.
const NO_PASSWORD: &str = "!";

/// A closed account, and its place in the order of the closures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosedAccount {
    /// When it was closed.
    pub closed_at: Timestamp,
    /// Its user.
    pub user: UserId,
}

#[derive(QueryableByName)]
struct ClosedRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = BigInt)]
    closed_at_micros: i64,
}

/// The first two conditions are literally those of a partial index.
const TO_PSEUDONYMISE: &str = "SELECT id, closed_at_micros FROM users
    WHERE closed_at_micros IS NOT NULL AND pseudonymised_at_micros IS NULL
        AND closed_at_micros <= $1 AND (closed_at_micros, id) > ($2, $3)
    ORDER BY closed_at_micros, id LIMIT $4";

/// The accounts that were closed at `closed_until` or before and still have their names, the one that was
/// closed first at the top: those behind `after`, if given.
///
/// # Errors
/// If the database fails.
pub fn accounts_to_pseudonymise(
    connection: &mut AnyConnection,
    closed_until: Timestamp,
    after: Option<ClosedAccount>,
    limit: usize,
) -> Result<Vec<ClosedAccount>, DatabaseError> {
    let (after_micros, after_id) = after.map_or((i64::MIN, i64::MIN), |account| {
        (account.closed_at.as_micros(), account.user.get())
    });
    let rows: Vec<ClosedRow> = diesel::sql_query(TO_PSEUDONYMISE)
        .bind::<BigInt, _>(closed_until.as_micros())
        .bind::<BigInt, _>(after_micros)
        .bind::<BigInt, _>(after_id)
        .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX))
        .load(connection)?;
    let account = |row: ClosedRow| ClosedAccount {
        closed_at: Timestamp::from_micros(row.closed_at_micros),
        user: UserId::new(row.id),
    };
    Ok(rows.into_iter().map(account).collect())
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Bool)]
    value: bool,
}

const HAS_OPEN_REVIEW: &str = "SELECT EXISTS (
    SELECT 1 FROM deposits d JOIN reviews r ON r.deposit_id = d.id
    WHERE d.player_id = $1 AND r.resolved_at_micros IS NULL) AS value";

/// Deletes the rows of a user from these tables.
macro_rules! delete_of_user {
    ($connection:expr, $user:expr, $($table:ident.$owner:ident),+ $(,)?) => {$(
        diesel::delete($table::table.filter($table::$owner.eq($user))).execute($connection)?;
    )+};
}

impl Transaction<'_, '_> {
    /// Whether everything personal of a user was removed.
    ///
    /// # Errors
    /// If the database fails.
    pub fn is_pseudonymised(&mut self, id: UserId) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let at: Option<Option<i64>> = users::table
                .find(id.get())
                .select(users::pseudonymised_at_micros)
                .get_result(connection)
                .optional()?;
            Ok(at.flatten().is_some())
        })
    }

    /// Whether a payment of one of the player's deposits waits for its review.
    ///
    /// # Errors
    /// If the database fails.
    pub fn has_open_review(&mut self, player: UserId) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let found: Found = diesel::sql_query(HAS_OPEN_REVIEW)
                .bind::<BigInt, _>(player.get())
                .get_result(connection)?;
            Ok(found.value)
        })
    }

    /// Deletes what identifies a locked user or describes their habits, in all tables but `users` and
    /// `email_addresses`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn delete_personal_rows(&mut self, id: UserId) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            delete_of_user!(
                connection,
                id.get(),
                sessions.user_id,
                security_events.user_id,
                mails.user_id,
                declined_notices.user_id,
                email_verifications.user_id,
                password_recoveries.user_id,
                authenticators.user_id,
                authenticator_enrolments.user_id,
                recovery_codes.user_id,
                passkeys.user_id,
                passkey_ceremonies.user_id,
                withdrawal_addresses.player_id,
                reality_checks.player_id,
                daily_play_time.player_id,
            );
            Ok(())
        })
    }

    /// Deletes all addresses of a user, unless the user is excluded: then they are needed to recognise
    /// the person.
    ///
    /// # Errors
    /// If the database fails.
    pub fn delete_addresses(&mut self, id: UserId, now: Timestamp) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::sql_query(
                "DELETE FROM email_addresses WHERE user_id = $1 AND NOT EXISTS (
                    SELECT 1 FROM exclusions e WHERE e.player_id = $1 AND e.until_micros > $2)",
            )
            .bind::<BigInt, _>(id.get())
            .bind::<BigInt, _>(now.as_micros())
            .execute(connection)?;
            Ok(())
        })
    }

    /// Deletes counters of attempts.
    ///
    /// # Errors
    /// If the database fails.
    pub fn delete_attempts(&mut self, subjects: &[String]) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            for subject in subjects {
                diesel::delete(attempt_counters::table.find(subject)).execute(connection)?;
            }
            Ok(())
        })
    }

    /// Replaces the name of a locked user of a closed account by the pseudonym, and empties what else the
    /// row has of the person. The role, a ban and the times of registration and closure stay.
    ///
    /// # Errors
    /// If the database fails.
    pub fn pseudonymise_user(&mut self, id: UserId, at: Timestamp) -> Result<(), DatabaseError> {
        let pseudonym = Pseudonym::of(id).to_string();
        self.execute(|connection| {
            diesel::update(users::table.find(id.get()))
                .set((
                    users::username.eq(&pseudonym),
                    users::username_key.eq(&pseudonym),
                    users::password_hash.eq(NO_PASSWORD),
                    users::shows_name.eq(0),
                    users::password_changed_at_micros.eq(None::<i64>),
                    users::one_time_password_until_micros.eq(None::<i64>),
                    users::has_second_factor.eq(0),
                    users::second_factor_changed_at_micros.eq(None::<i64>),
                    users::pseudonymised_at_micros.eq(at.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plans_of;

    #[test]
    fn a_page_reads_one_range_of_the_partial_index() {
        let now = Timestamp::from_micros(2);
        let after = ClosedAccount {
            closed_at: Timestamp::from_micros(1),
            user: UserId::new(1),
        };
        for after in [None, Some(after)] {
            let plans = plans_of(|connection| {
                accounts_to_pseudonymise(connection, now, after, 20).unwrap();
            });
            let expected = "SEARCH users USING INDEX users_to_pseudonymise";
            assert_eq!(plans.len(), 1, "{plans:?}");
            assert!(plans[0].starts_with(expected), "{plans:?}");
            assert!(!plans[0].contains("TEMP B-TREE"), "{plans:?}");
        }
    }
}
