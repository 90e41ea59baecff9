//! The audit log.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::{AuditEntry, AuditQuery};
use glasshouse_domain::{AuditAction, AuditId, AuditSubject, Timestamp};
use glasshouse_games::registry::info;
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{Object, Type};
use utoipa::{IntoParams, ToSchema};

use crate::endpoints::Endpoints;
use crate::error::ApiError;
use crate::http::filters::parse_period;
use crate::http::pagination::parse_search as search;
use crate::http::responses::{AdministratorsOnly, Malformed};
use crate::routes::admin::context::Reader;
use crate::routes::admin::lists::{List, respond};
use crate::routes::admin::{cursor, limit, malformed};
use crate::state::Application;
use crate::wire::cell::Cell;
use crate::wire::time::iso;

/// A record of the audit log.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminLog {
    id: i64,
    /// The acting administrator; null for the operator at the command line, and for a refused sign-in,
    /// which may be anybody's.
    admin_id: Option<i64>,
    admin_username: Option<String>,
    /// The action performed.
    #[schema(schema_with = action_name)]
    action: String,
    target_user_id: Option<i64>,
    target_username: Option<String>,
    /// The object of the action, if it is not the user account as such.
    #[schema(example = "withdrawal 7 of 50.00")]
    subject: Option<String>,
    /// What kind of object the subject is.
    subject_kind: Option<AuditSubjectKind>,
    /// The ID or name of the subject.
    #[schema(example = "7")]
    subject_id: Option<String>,
    /// The subject and the change in one line.
    #[schema(example = "withdrawal 7 of 50.00: pending → approved")]
    details: String,
    old_value: Option<String>,
    new_value: Option<String>,
    /// The IP address that the request came from.
    address: Option<String>,
    #[schema(format = "date-time")]
    created_at: String,
    /// The hash over all records up to this one, in hexadecimal. `glasshouse check` prints the
    /// newest.
    hash: Option<String>,
}

/// The kind of an action's object.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AuditSubjectKind {
    Withdrawal,
    Payment,
    Invoice,
    Review,
    Alert,
    List,
    Game,
    Switch,
    Proposal,
    Reason,
}

/// The kind and the ID of a subject.
fn kind_and_id(subject: AuditSubject) -> (AuditSubjectKind, String) {
    match subject {
        AuditSubject::Withdrawal { id, .. } => (AuditSubjectKind::Withdrawal, id.to_string()),
        AuditSubject::Payment(id) => (AuditSubjectKind::Payment, id),
        AuditSubject::Invoice(id) => (AuditSubjectKind::Invoice, id),
        AuditSubject::Review { id, .. } => (AuditSubjectKind::Review, id.to_string()),
        AuditSubject::Alert { id, .. } => (AuditSubjectKind::Alert, id.to_string()),
        AuditSubject::Proposal(id) => (AuditSubjectKind::Proposal, id.to_string()),
        AuditSubject::Reason(reason) => (AuditSubjectKind::Reason, reason),
        AuditSubject::List(name) => (AuditSubjectKind::List, name),
        AuditSubject::Switch { switch, .. } => {
            (AuditSubjectKind::Switch, switch.as_str().to_owned())
        }
        AuditSubject::Game { game, .. } => {
            (AuditSubjectKind::Game, info(game).wire_name.to_owned())
        }
    }
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
            Some(subject) if change.is_empty() => subject.clone(),
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
        let (subject_kind, subject_id) = record.subject().map(kind_and_id).unzip();
        Self {
            id: record.id,
            admin_id,
            admin_username,
            action: record.action,
            target_user_id,
            target_username,
            subject: record.subject,
            subject_kind,
            subject_id,
            details,
            old_value: record.old_value,
            new_value: record.new_value,
            address: record.address,
            created_at: iso(Timestamp::from_micros(record.created_at_micros)),
            hash: record.hash,
        }
    }
}

/// Filters the audit log and selects a page.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LogParameters {
    /// Only records of this action.
    #[param(schema_with = action_name)]
    action: Option<String>,
    /// Part of the username of the acting administrator or the affected user.
    search: Option<String>,
    /// Only records from this time on, such as `2026-11-26T12:00:00Z`.
    #[param(format = "date-time")]
    from: Option<String>,
    /// Only records before this time.
    #[param(format = "date-time")]
    to: Option<String>,
    /// The page size, from 1 to 200; the default is 100.
    limit: Option<usize>,
    /// The `Next-Cursor` of the previous page.
    #[param(pattern = "^[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

impl TryFrom<LogParameters> for AuditQuery {
    type Error = ApiError;

    fn try_from(parameters: LogParameters) -> Result<Self, ApiError> {
        Ok(Self {
            action: action(parameters.action)?,
            search: search(parameters.search)?,
            period: parse_period(parameters.from, parameters.to)?,
            before: cursor(parameters.cursor)?,
            limit: limit(parameters.limit)?,
        })
    }
}

/// Parses the action filter; `None` if all actions are requested.
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

/// A row of the CSV export.
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

    fn cursor(cursor: AuditId) -> String {
        cursor.to_string()
    }

    fn person(&self) -> Option<i64> {
        None
    }

    fn register(endpoints: &mut Endpoints<'_>) {
        endpoints.service(audit_log);
    }
}

/// The audit log, newest first. If there may be more, the `Next-Cursor` header contains the cursor
/// of the next page.
#[utoipa::path(
    tag = "administration",
    params(LogParameters),
    responses(
        (status = 200, body = Vec<AdminLog>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/logs")]
pub(crate) async fn audit_log(
    application: web::Data<Application>,
    reader: Reader,
    parameters: web::Query<LogParameters>,
) -> Result<HttpResponse, ApiError> {
    respond::<AdminLog>(&application.house, reader, parameters).await
}
