//! The audit log as administrators read it, with the names of those it is about.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{AuditId, Timestamp};

use crate::admin::listing::{Named, limit, pattern};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;

/// Which records.
#[derive(Debug, Clone, Default)]
pub struct AuditQuery {
    /// Only those of this action.
    pub action: Option<String>,
    /// A part of the name of who did it, or to whom.
    pub search: Option<String>,
    /// Those older than this one.
    pub before: Option<AuditId>,
    /// How many at the most.
    pub limit: usize,
}

/// A record with names.
#[derive(Debug, Clone)]
pub struct AuditEntry {
    /// Its number.
    pub id: AuditId,
    /// Who did it; none for the operator at the command line.
    pub actor: Option<Named>,
    /// What was done, in underscored words.
    pub action: String,
    /// To whom.
    pub target: Option<Named>,
    /// What it was about, where it was not the user as such.
    pub subject: Option<String>,
    /// What was there before.
    pub old_value: Option<String>,
    /// What was put there.
    pub new_value: Option<String>,
    /// The network address the request came from.
    pub address: Option<String>,
    /// When.
    pub at: Timestamp,
    /// The chain's hash up to this record; none for records from before there was a chain.
    pub hash: Option<String>,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    actor_id: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    actor_username: Option<String>,
    #[diesel(sql_type = Text)]
    action: String,
    #[diesel(sql_type = Nullable<BigInt>)]
    target_user_id: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    target_username: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    subject: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    old_value: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    new_value: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    address: Option<String>,
    #[diesel(sql_type = BigInt)]
    created_at_micros: i64,
    #[diesel(sql_type = Nullable<Text>)]
    hash: Option<String>,
}

impl From<Row> for AuditEntry {
    fn from(row: Row) -> Self {
        Self {
            id: AuditId::new(row.id),
            actor: Named::joined(row.actor_id, row.actor_username),
            action: row.action,
            target: Named::joined(row.target_user_id, row.target_username),
            subject: row.subject,
            old_value: row.old_value,
            new_value: row.new_value,
            address: row.address,
            at: Timestamp::from_micros(row.created_at_micros),
            hash: row.hash,
        }
    }
}

/// A page of the audit log, newest first.
///
/// # Errors
/// If the database fails.
pub fn audit_page(
    connection: &mut AnyConnection,
    query: &AuditQuery,
) -> Result<Vec<AuditEntry>, DatabaseError> {
    let action = match query.action {
        None => "$1 = $1",
        Some(_) => "l.action = $1",
    };
    let rows: Vec<Row> = diesel::sql_query(format!(
        "SELECT l.id, l.actor_id, a.username AS actor_username, l.action, l.target_user_id,
            t.username AS target_username, l.subject, l.old_value, l.new_value, l.address, l.created_at_micros, l.hash
         FROM audit_log l LEFT JOIN users a ON a.id = l.actor_id
         LEFT JOIN users t ON t.id = l.target_user_id
         WHERE {action} AND l.id < $2
            AND ($3 = '' OR a.username_key LIKE $3 ESCAPE '\\' OR t.username_key LIKE $3 ESCAPE '\\')
         ORDER BY l.id DESC LIMIT $4"
    ))
    .bind::<Text, _>(query.action.as_deref().unwrap_or_default())
    .bind::<BigInt, _>(query.before.map_or(i64::MAX, AuditId::get))
    .bind::<Text, _>(pattern(query.search.as_deref()))
    .bind::<BigInt, _>(limit(query.limit))
    .load(connection)?;
    Ok(rows.into_iter().map(AuditEntry::from).collect())
}
