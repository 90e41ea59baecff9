//! Second factors: authenticators, those that are being set up, and recovery codes. Passkeys are beside
//! them. Whoever changes them locks the user's row first.

use diesel::prelude::*;
use glasshouse_domain::{Timestamp, UserId};

use crate::accounts::factor_keys::SealedSecret;
use crate::accounts::passkeys::{Passkey, passkeys_of};
use crate::accounts::users::note_second_factor;
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{authenticator_enrolments, authenticators, passkeys, recovery_codes};

/// A user's authenticator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authenticator {
    /// The secret.
    pub secret: SealedSecret,
    /// The time step of the last accepted code.
    pub last_step: i64,
}

/// A user's second factor as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondFactorStatus {
    /// Since when the user has the authenticator; `None` without one.
    pub authenticator_since: Option<Timestamp>,
    /// The passkeys, those that were added first at the top.
    pub passkeys: Vec<Passkey>,
    /// How many recovery codes can still be used.
    pub recovery_codes_left: i64,
}

/// Reads the state of a user's second factor.
///
/// # Errors
/// If the database fails.
pub fn second_factor_status(
    connection: &mut AnyConnection,
    user: UserId,
) -> Result<SecondFactorStatus, DatabaseError> {
    let since: Option<i64> = authenticators::table
        .find(user.get())
        .select(authenticators::created_at_micros)
        .get_result(connection)
        .optional()?;
    let left = recovery_codes::table
        .filter(recovery_codes::user_id.eq(user.get()))
        .filter(recovery_codes::used_at_micros.is_null())
        .count()
        .get_result(connection)?;
    Ok(SecondFactorStatus {
        authenticator_since: since.map(Timestamp::from_micros),
        passkeys: passkeys_of(connection, user)?,
        recovery_codes_left: left,
    })
}

impl Transaction<'_, '_> {
    /// Reads a user's authenticator.
    ///
    /// # Errors
    /// If the database fails.
    pub fn authenticator(&mut self, user: UserId) -> Result<Option<Authenticator>, DatabaseError> {
        self.execute(|connection| {
            let row: Option<(String, String, i64)> = authenticators::table
                .find(user.get())
                .select((
                    authenticators::key_id,
                    authenticators::sealed_secret,
                    authenticators::last_step,
                ))
                .get_result(connection)
                .optional()?;
            Ok(row.map(|(key_id, text, last_step)| Authenticator {
                secret: SealedSecret { key_id, text },
                last_step,
            }))
        })
    }

    /// Stores the time step of an accepted code.
    ///
    /// # Errors
    /// If the database fails.
    pub fn set_last_step(&mut self, user: UserId, step: i64) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(authenticators::table.find(user.get()))
                .set(authenticators::last_step.eq(step))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Stores the secret of an authenticator that is being set up, in place of any earlier one.
    ///
    /// # Errors
    /// If the database fails.
    pub fn begin_enrolment(
        &mut self,
        user: UserId,
        secret: &SealedSecret,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::delete(authenticator_enrolments::table.find(user.get())).execute(connection)?;
            diesel::insert_into(authenticator_enrolments::table)
                .values((
                    authenticator_enrolments::user_id.eq(user.get()),
                    authenticator_enrolments::key_id.eq(&secret.key_id),
                    authenticator_enrolments::sealed_secret.eq(&secret.text),
                    authenticator_enrolments::created_at_micros.eq(at.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// The secret of the authenticator that a user is setting up since after `since`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn enrolment(
        &mut self,
        user: UserId,
        since: Timestamp,
    ) -> Result<Option<SealedSecret>, DatabaseError> {
        self.execute(|connection| {
            let row: Option<(String, String)> = authenticator_enrolments::table
                .find(user.get())
                .filter(authenticator_enrolments::created_at_micros.gt(since.as_micros()))
                .select((
                    authenticator_enrolments::key_id,
                    authenticator_enrolments::sealed_secret,
                ))
                .get_result(connection)
                .optional()?;
            Ok(row.map(|(key_id, text)| SealedSecret { key_id, text }))
        })
    }

    /// Makes this secret the user's authenticator, in place of any earlier one, after a code of this
    /// time step.
    ///
    /// # Errors
    /// If the database fails.
    pub fn enable_authenticator(
        &mut self,
        user: UserId,
        (secret, step): (&SealedSecret, i64),
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::delete(authenticator_enrolments::table.find(user.get())).execute(connection)?;
            diesel::delete(authenticators::table.find(user.get())).execute(connection)?;
            diesel::insert_into(authenticators::table)
                .values((
                    authenticators::user_id.eq(user.get()),
                    authenticators::key_id.eq(&secret.key_id),
                    authenticators::sealed_secret.eq(&secret.text),
                    authenticators::last_step.eq(step),
                    authenticators::created_at_micros.eq(at.as_micros()),
                ))
                .execute(connection)?;
            note_second_factor(connection, user, true, at)
        })
    }

    /// Removes a user's authenticator, and one that is being set up.
    ///
    /// # Errors
    /// If the database fails.
    pub fn remove_authenticator(&mut self, user: UserId) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::delete(authenticator_enrolments::table.find(user.get())).execute(connection)?;
            diesel::delete(authenticators::table.find(user.get())).execute(connection)?;
            Ok(())
        })
    }

    /// Stores that one of several second factors was removed. The recovery codes stay.
    ///
    /// # Errors
    /// If the database fails.
    pub fn note_removed_factor(
        &mut self,
        user: UserId,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| note_second_factor(connection, user, true, at))
    }

    /// Removes everything that a user has as the second factor: authenticator, passkeys and recovery
    /// codes.
    ///
    /// # Errors
    /// If the database fails.
    pub fn remove_second_factor(
        &mut self,
        user: UserId,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.remove_authenticator(user)?;
        self.execute(|connection| {
            let own = passkeys::table.filter(passkeys::user_id.eq(user.get()));
            diesel::delete(own).execute(connection)?;
            let codes = recovery_codes::table.filter(recovery_codes::user_id.eq(user.get()));
            diesel::delete(codes).execute(connection)?;
            note_second_factor(connection, user, false, at)
        })
    }

    /// Replaces a user's recovery codes by those with these hashes.
    ///
    /// # Errors
    /// If the database fails.
    pub fn replace_recovery_codes(
        &mut self,
        user: UserId,
        hashes: &[String],
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let old = recovery_codes::table.filter(recovery_codes::user_id.eq(user.get()));
            diesel::delete(old).execute(connection)?;
            for hash in hashes {
                diesel::insert_into(recovery_codes::table)
                    .values((
                        recovery_codes::user_id.eq(user.get()),
                        recovery_codes::code_hash.eq(hash),
                    ))
                    .execute(connection)?;
            }
            Ok(())
        })
    }

    /// Uses up a user's recovery code. Returns false if there is no unused one with this hash.
    ///
    /// # Errors
    /// If the database fails.
    pub fn use_recovery_code(
        &mut self,
        user: UserId,
        hash: &str,
        at: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let count = diesel::update(recovery_codes::table.find((user.get(), hash)))
                .filter(recovery_codes::used_at_micros.is_null())
                .set(recovery_codes::used_at_micros.eq(at.as_micros()))
                .execute(connection)?;
            Ok(count > 0)
        })
    }
}
