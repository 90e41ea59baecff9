//! The audit log.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::{AuditEntry, AuditQuery};
use glasshouse_domain::{AuditAction, AuditId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{Object, Type};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::ApiError;
use crate::http::pagination::parse_search as search;
use crate::http::responses::{AdministratorsOnly, Malformed};
use crate::routes::admin::csv::Cell;
use crate::routes::admin::lists::{List, answer};
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
    /// What was done.
    #[schema(schema_with = action_name)]
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
        let record = entry.record;
        let change = match (&record.old_value, &record.new_value) {
            (Some(old), Some(new)) => format!("{old} → {new}"),
            (None, Some(new)) => new.clone(),
            (Some(old), None) => format!("was: {old}"),
            (None, None) => String::new(),
        };
        let details = match &record.subject {
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
            id: record.id,
            admin_id,
            admin_username,
            action: record.action,
            target_user_id,
            target_username,
            subject: record.subject,
            details,
            old_value: record.old_value,
            new_value: record.new_value,
            address: record.address,
            created_at: iso(Timestamp::from_micros(record.created_at_micros)),
            hash: record.hash,
        }
    }
}

/// Which records.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LogParameters {
    /// Only those of this action.
    #[param(schema_with = action_name)]
    action: Option<String>,
    /// A part of the name of who did it or to whom.
    search: Option<String>,
    /// From 1 to 200; 100 if not given.
    limit: Option<usize>,
    /// The `Next-Cursor` of the page before.
    #[param(pattern = "^[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

impl TryFrom<LogParameters> for AuditQuery {
    type Error = ApiError;

    fn try_from(wanted: LogParameters) -> Result<Self, ApiError> {
        Ok(Self {
            action: action(wanted.action)?,
            search: search(wanted.search)?,
            before: cursor(wanted.cursor)?,
            limit: limit(wanted.limit)?,
        })
    }
}

/// The action of that name; none where all are asked for.
fn action(text: Option<String>) -> Result<Option<AuditAction>, ApiError> {
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let unknown = || malformed("action must be the name of an action, such as user_banned");
    AuditAction::parse(&text).map(Some).ok_or_else(unknown)
}

/// The names of all actions.
fn action_name() -> Object {
    let names = AuditAction::ALL.iter().map(|action| action.as_str());
    Object::builder()
        .schema_type(Type::String)
        .enum_values(Some(names))
        .examples(["balance_override"])
        .build()
}

/// A row of their CSV.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LogRow {
    id: i64,
    admin_id: Option<i64>,
    admin_username: Option<Cell>,
    action: Cell,
    target_user_id: Option<i64>,
    target_username: Option<Cell>,
    subject: Option<Cell>,
    old_value: Option<Cell>,
    new_value: Option<Cell>,
    address: Option<Cell>,
    created_at: Cell,
    hash: Option<Cell>,
}

impl From<AdminLog> for LogRow {
    fn from(entry: AdminLog) -> Self {
        Self {
            id: entry.id,
            admin_id: entry.admin_id,
            admin_username: entry.admin_username.map(Cell::from),
            action: entry.action.into(),
            target_user_id: entry.target_user_id,
            target_username: entry.target_username.map(Cell::from),
            subject: entry.subject.map(Cell::from),
            old_value: entry.old_value.map(Cell::from),
            new_value: entry.new_value.map(Cell::from),
            address: entry.address.map(Cell::from),
            created_at: entry.created_at.into(),
            hash: entry.hash.map(Cell::from),
        }
    }
}

impl List for AdminLog {
    const NAME: &'static str = "logs";
    type Parameters = LogParameters;
    type Query = AuditQuery;
    type Row = LogRow;

    fn cursor(place: AuditId) -> String {
        place.to_string()
    }

    fn register(config: &mut ServiceConfig<'_>) {
        config.service(audit_log);
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
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/logs")]
pub(crate) async fn audit_log(
    application: web::Data<Application>,
    _: Administrator,
    parameters: web::Query<LogParameters>,
) -> Result<HttpResponse, ApiError> {
    answer::<AdminLog>(&application.house, parameters).await
}
