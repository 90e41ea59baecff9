//! The audit log.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::administration::list_audit_log;
use glasshouse_casino::{AuditEntry, AuditQuery};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::http::pagination::page;
use crate::http::pagination::parse_search as search;
use crate::routes::admin::{cursor, limit, malformed};
use crate::session::Administrator;
use crate::state::Application;
use crate::wire::time::iso;

/// A record of the audit log.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminLog {
    pub(in crate::routes) id: i64,
    /// Who did it; null for the operator at the command line.
    pub(in crate::routes) admin_id: Option<i64>,
    pub(in crate::routes) admin_username: Option<String>,
    /// In underscored words.
    #[schema(example = "balance_override")]
    pub(in crate::routes) action: String,
    pub(in crate::routes) target_user_id: Option<i64>,
    pub(in crate::routes) target_username: Option<String>,
    /// What it was about, where it was not the user as such.
    #[schema(example = "withdrawal 7 of 50.00")]
    pub(in crate::routes) subject: Option<String>,
    /// All of it in one line.
    #[schema(example = "withdrawal 7 of 50.00: pending → approved")]
    pub(in crate::routes) details: String,
    pub(in crate::routes) old_value: Option<String>,
    pub(in crate::routes) new_value: Option<String>,
    /// The network address that the request came from.
    pub(in crate::routes) address: Option<String>,
    #[schema(format = "date-time")]
    pub(in crate::routes) created_at: String,
    /// The hash over all records up to this one, in hexadecimal: `glasshouse check` says the newest.
    pub(in crate::routes) hash: Option<String>,
}

impl From<AuditEntry> for AdminLog {
    fn from(entry: AuditEntry) -> Self {
        let change = match (&entry.old_value, &entry.new_value) {
            (Some(old), Some(new)) => format!("{old} → {new}"),
            (None, Some(new)) => new.clone(),
            (Some(old), None) => format!("was: {old}"),
            (None, None) => String::new(),
        };
        let details = match &entry.subject {
            Some(subject) => format!("{subject}: {change}"),
            None => change,
        };
        let (admin_id, admin_username) = entry
            .actor
            .map(|actor| (actor.id.get(), actor.username))
            .unzip();
        let (target_user_id, target_username) = entry
            .target
            .map(|target| (target.id.get(), target.username))
            .unzip();
        Self {
            id: entry.id.get(),
            admin_id,
            admin_username,
            action: entry.action,
            target_user_id,
            target_username,
            subject: entry.subject,
            details,
            old_value: entry.old_value,
            new_value: entry.new_value,
            address: entry.address,
            created_at: iso(entry.at),
            hash: entry.hash,
        }
    }
}

/// Which records.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LogParameters {
    /// Only those of this action.
    #[param(pattern = "^[a-z_]{0,40}$")]
    action: Option<String>,
    /// A part of the name of who did it or to whom.
    search: Option<String>,
    /// From 1 to 200; 100 if not given.
    limit: Option<usize>,
    /// The `Next-Cursor` of the page before.
    #[param(pattern = "^[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

impl LogParameters {
    pub(in crate::routes) fn parse(self) -> Result<AuditQuery, ApiError> {
        Ok(AuditQuery {
            action: action(self.action)?,
            search: search(self.search)?,
            before: cursor(self.cursor)?,
            limit: limit(self.limit)?,
        })
    }
}

/// The longest name of an action.
const MAXIMUM_ACTION_CHARACTERS: usize = 40;

/// The name of an action; none where all are asked for.
fn action(text: Option<String>) -> Result<Option<String>, ApiError> {
    let text = text.filter(|text| !text.is_empty());
    let is_name = |text: &String| {
        let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
        text.len() <= MAXIMUM_ACTION_CHARACTERS && text.bytes().all(is_allowed)
    };
    match text {
        Some(text) if !is_name(&text) => Err(malformed(
            "action must be the name of an action, such as user_banned",
        )),
        text => Ok(text),
    }
}

/// The audit log, newest first. Where there may be more, the header `Next-Cursor` says where to go
/// on.
#[utoipa::path(
    tag = "administration",
    params(LogParameters),
    responses(
        (status = 200, body = Vec<AdminLog>,
            headers(("Next-Cursor" = Option<String>, description = "where to go on"))),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/admin/logs")]
pub(crate) async fn audit_log(
    application: web::Data<Application>,
    _: Administrator,
    parameters: web::Query<LogParameters>,
) -> Result<HttpResponse, ApiError> {
    let query = parameters.into_inner().parse()?;
    let found = list_audit_log(&application.house, query).await?;
    let records: Vec<_> = found.entries.into_iter().map(AdminLog::from).collect();
    Ok(page(&records, found.next))
}
