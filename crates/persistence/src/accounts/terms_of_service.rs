//! The published versions of the Terms of Service, and who accepted which of them when.

use diesel::dsl::max;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{Timestamp, UserId};

use crate::accounts::account::Account;
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{accounts, terms_acceptances, terms_versions};

/// A published version of the Terms of Service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermsVersion {
    /// 1 for the first, and one more for each that follows.
    pub version: i64,
    /// Plain text, with headings in lines that begin with `# `.
    pub text: String,
    /// When it was published.
    pub published_at: Timestamp,
}

/// A user's acceptance of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermsAcceptance {
    /// The accepted version.
    pub version: i64,
    /// When the user accepted it.
    pub accepted_at: Timestamp,
}

/// The number of the newest published version; 0 if there is none.
///
/// # Errors
/// If the database fails.
pub fn terms_version(connection: &mut AnyConnection) -> Result<i64, DatabaseError> {
    let newest: Option<i64> = terms_versions::table
        .select(max(terms_versions::version))
        .first(connection)?;
    Ok(newest.unwrap_or(0))
}

/// The newest published version.
///
/// # Errors
/// If the database fails.
pub fn terms_in_force(
    connection: &mut AnyConnection,
) -> Result<Option<TermsVersion>, DatabaseError> {
    let row: Option<(i64, String, i64)> = terms_versions::table
        .order(terms_versions::version.desc())
        .first(connection)
        .optional()?;
    Ok(
        row.map(|(version, text, published_at_micros)| TermsVersion {
            version,
            text,
            published_at: Timestamp::from_micros(published_at_micros),
        }),
    )
}

/// The versions that a user has accepted, newest first, at most `limit`.
///
/// # Errors
/// If the database fails.
pub fn terms_accepted_by(
    connection: &mut AnyConnection,
    user: UserId,
    limit: i64,
) -> Result<Vec<TermsAcceptance>, DatabaseError> {
    let rows: Vec<(i64, i64)> = terms_acceptances::table
        .filter(terms_acceptances::user_id.eq(user.get()))
        .order(terms_acceptances::version.desc())
        .limit(limit)
        .select((
            terms_acceptances::version,
            terms_acceptances::accepted_at_micros,
        ))
        .load(connection)?;
    let acceptance = |(version, accepted_at_micros)| TermsAcceptance {
        version,
        accepted_at: Timestamp::from_micros(accepted_at_micros),
    };
    Ok(rows.into_iter().map(acceptance).collect())
}

impl Transaction<'_, '_> {
    /// The number of the newest published version; 0 if there is none.
    ///
    /// # Errors
    /// If the database fails.
    pub fn terms_version(&mut self) -> Result<i64, DatabaseError> {
        self.execute(terms_version)
    }

    /// Adds a version. Returns false if it exists.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_terms_version(&mut self, new: &TermsVersion) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let added = diesel::sql_query(
                "INSERT INTO terms_versions (version, text, published_at_micros)
                 VALUES ($1, $2, $3)
                 ON CONFLICT DO NOTHING",
            )
            .bind::<BigInt, _>(new.version)
            .bind::<Text, _>(&new.text)
            .bind::<BigInt, _>(new.published_at.as_micros())
            .execute(connection)?;
            Ok(added == 1)
        })
    }

    /// Records that a user accepts a version, which is the newest one, and saves the account with it.
    /// If the user has accepted it before, the earlier time stays.
    ///
    /// # Errors
    /// If the database fails.
    pub fn accept_terms(
        &mut self,
        mut account: Account,
        version: i64,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        let user = account.player;
        self.execute(|connection| {
            diesel::sql_query(
                "INSERT INTO terms_acceptances (user_id, version, accepted_at_micros)
                 VALUES ($1, $2, $3)
                 ON CONFLICT DO NOTHING",
            )
            .bind::<BigInt, _>(user.get())
            .bind::<BigInt, _>(version)
            .bind::<BigInt, _>(at.as_micros())
            .execute(connection)?;
            diesel::update(accounts::table.find(user.get()))
                .set(accounts::terms_version.eq(version))
                .execute(connection)?;
            Ok(())
        })?;
        account.terms_version = version;
        self.save_account(account);
        Ok(())
    }
}
