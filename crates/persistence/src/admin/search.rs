//! Finds records by a part of a text, without reading those of which it is no part.
//!
//! The table `search_suffixes` has every end of the texts that are searched, so that a part of a text is
//! the beginning of an end. The lists compare what is found here with the whole search text, and with
//! their other filters.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;

use crate::admin::listing::{ID_PREFIX, number};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::schema::{audit_log, deposits, payments, search_suffixes, withdrawals};

/// How many characters of an end of a text are kept.
const SUFFIX_LENGTH: usize = 12;

/// Follows all texts that begin with the text before it.
const LAST_CHARACTER: char = char::MAX;

/// How many records a search may find. If there are more, a list meets a match so often that it need not know
/// them all beforehand.
const MOST_FOUND: usize = 500;

/// The condition of the indexes on the audit log, which leaves them to the queries that name it.
const OF_INDEX: &str = "audit_log.action <> ''";

/// What is searched.
#[derive(Debug, Clone, Copy)]
enum Subject {
    User,
    Deposit,
    Withdrawal,
    Payment,
}

impl Subject {
    const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Deposit => "deposit",
            Self::Withdrawal => "withdrawal",
            Self::Payment => "payment",
        }
    }
}

/// The IDs that a search has found; `None` if there are more than [`MOST_FOUND`].
pub(crate) type Found<T = i64> = Option<Vec<T>>;

/// What `find` finds for a search; `None` also if nothing is searched for.
///
/// # Errors
/// If the database fails.
pub(crate) fn found_by<T>(
    connection: &mut AnyConnection,
    search: Option<&str>,
    find: impl FnOnce(&mut AnyConnection, &str) -> Result<Option<T>, DatabaseError>,
) -> Result<Option<T>, DatabaseError> {
    search.map_or(Ok(None), |search| find(connection, search))
}

/// The users with such a part in their names, and the one with this ID.
///
/// # Errors
/// If the database fails.
pub(crate) fn find_users(
    connection: &mut AnyConnection,
    search: &str,
) -> Result<Found, DatabaseError> {
    let mut found = ids_of(connection, Subject::User, search)?;
    if let Some(users) = &mut found {
        users.push(number(search));
    }
    Ok(found)
}

/// Declares the search for what belongs to a player: by a part of its own texts, its ID, or its player.
macro_rules! find_of_players {
    ($(#[$comment:meta])* $name:ident, $table:ident, $subject:expr) => {
        $(#[$comment])*
        ///
        /// # Errors
        /// If the database fails.
        pub(crate) fn $name(
            connection: &mut AnyConnection,
            search: &str,
        ) -> Result<Found, DatabaseError> {
            let Some(users) = find_users(connection, search)? else {
                return Ok(None);
            };
            let Some(mut found) = ids_of(connection, $subject, search)? else {
                return Ok(None);
            };
            let of_users: Vec<i64> = $table::table
                .filter($table::player_id.eq_any(users))
                .select($table::id)
                .limit(one_too_many())
                .load(connection)?;
            found.extend(of_users);
            found.push(number(search));
            Ok(Some(found).filter(|found| found.len() <= MOST_FOUND))
        }
    };
}

find_of_players! {
    /// The deposits with such a part in their order or invoice IDs.
    find_deposits, deposits, Subject::Deposit
}
find_of_players! {
    /// The withdrawals with such a part in their addresses.
    find_withdrawals, withdrawals, Subject::Withdrawal
}

/// The payments with such a part in their IDs or those of their deposits, and these deposits.
///
/// # Errors
/// If the database fails.
pub(crate) fn find_payments(
    connection: &mut AnyConnection,
    search: &str,
) -> Result<Option<FoundPayments>, DatabaseError> {
    let search = search.strip_prefix(ID_PREFIX).unwrap_or(search);
    let Some(deposits) = ids_of(connection, Subject::Deposit, search)? else {
        return Ok(None);
    };
    let Some(mut payments) = records_of(connection, Subject::Payment, search)? else {
        return Ok(None);
    };
    let of_deposits: Vec<String> = payments::table
        .filter(payments::deposit_id.eq_any(&deposits))
        .select(payments::id)
        .limit(one_too_many())
        .load(connection)?;
    payments.extend(of_deposits);
    payments.sort_unstable();
    payments.dedup();
    let found = FoundPayments { payments, deposits };
    Ok(Some(found).filter(|found| found.payments.len() <= MOST_FOUND))
}

/// The entries of the audit log by or about users with such a part in their names.
///
/// # Errors
/// If the database fails.
pub(crate) fn find_audit_entries(
    connection: &mut AnyConnection,
    search: &str,
) -> Result<Found, DatabaseError> {
    let Some(users) = ids_of(connection, Subject::User, search)? else {
        return Ok(None);
    };
    let mut found: Vec<i64> = audit_log::table
        .filter(audit_log::actor_id.eq_any(&users))
        .filter(sql::<Bool>(OF_INDEX))
        .select(audit_log::id)
        .limit(one_too_many())
        .load(connection)?;
    let about: Vec<i64> = audit_log::table
        .filter(audit_log::target_user_id.eq_any(&users))
        .filter(sql::<Bool>(OF_INDEX))
        .select(audit_log::id)
        .limit(one_too_many())
        .load(connection)?;
    found.extend(about);
    Ok(Some(found).filter(|found| found.len() <= MOST_FOUND))
}

/// What [`find_payments`] finds.
#[derive(Debug)]
pub(crate) struct FoundPayments {
    pub(crate) payments: Vec<String>,
    pub(crate) deposits: Vec<i64>,
}

fn ids_of(
    connection: &mut AnyConnection,
    subject: Subject,
    search: &str,
) -> Result<Found, DatabaseError> {
    let Some(records) = records_of(connection, subject, search)? else {
        return Ok(None);
    };
    let ids = records.iter().map(|record| {
        record
            .parse()
            .map_err(|_| DatabaseError::corrupt(format!("the search finds the ID {record}")))
    });
    Ok(Some(ids.collect::<Result<_, _>>()?))
}

fn records_of(
    connection: &mut AnyConnection,
    subject: Subject,
    search: &str,
) -> Result<Found<String>, DatabaseError> {
    let search = search.to_ascii_lowercase();
    let first: String = search.chars().take(SUFFIX_LENGTH).collect();
    let mut end = first.clone();
    end.push(LAST_CHARACTER);
    let mut records: Vec<String> = search_suffixes::table
        .filter(search_suffixes::subject.eq(subject.as_str()))
        .filter(search_suffixes::suffix.ge(first))
        .filter(search_suffixes::suffix.lt(end))
        .select(search_suffixes::record_id)
        .limit(one_too_many())
        .load(connection)?;
    if records.len() > MOST_FOUND {
        return Ok(None);
    }
    records.sort_unstable();
    records.dedup();
    Ok(Some(records))
}

fn one_too_many() -> i64 {
    crate::admin::listing::limit(MOST_FOUND + 1)
}
