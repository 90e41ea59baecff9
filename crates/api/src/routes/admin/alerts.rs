//! Alerts: what the operator was alerted to, who was told, and who takes care of it.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::administration::acknowledge_alert;
use glasshouse_casino::alerts::{alert_text, round_of_alert};
use glasshouse_casino::{AlertEntry, AlertQuery, DeliveryEntry, Refusal};
use glasshouse_domain::{AlertChannel, AlertId, AlertKind, AlertMessage, RoundId};
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{Object, Type};
use utoipa::{IntoParams, ToSchema};

use crate::endpoints::Endpoints;
use crate::error::{ApiError, ErrorBody};
use crate::http::filters::parse_period;
use crate::http::idempotency_key::Idempotency;
use crate::http::responses::{AdministratorsOnly, Malformed, NotFound};
use crate::routes::admin::context::{AdminContext, Reader};
use crate::routes::admin::lists::{List, respond};
use crate::routes::admin::{UserRef, cursor, limit, malformed};
use crate::session::AcknowledgeAlerts;
use crate::state::Application;
use crate::wire::cell::Cell;
use crate::wire::time::iso;

/// An alert.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminAlert {
    id: i64,
    /// What it is about.
    #[schema(schema_with = kind_name)]
    kind: &'static str,
    /// What it says, in plain English. It can change between versions.
    #[schema(example = "alice (#42) has won $19,800.00 in round 1234 of dice.")]
    text: String,
    /// Whom it is about.
    user: Option<UserRef>,
    /// The round that it is about.
    round_id: Option<i64>,
    /// Whether it holds until it is resolved. Otherwise it has happened, and is never resolved.
    is_condition: bool,
    #[schema(format = "date-time")]
    raised_at: String,
    /// When it was found not to hold any more.
    #[schema(format = "date-time")]
    resolved_at: Option<String>,
    #[schema(format = "date-time")]
    acknowledged_at: Option<String>,
    /// The administrator who has acknowledged it.
    acknowledged_by: Option<UserRef>,
    /// What the operator's receivers were told about it. Empty until a server has looked at it, which takes seconds,
    /// and if there are no receivers.
    deliveries: Vec<AlertDelivery>,
}

/// What a receiver was told about an alert.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AlertDelivery {
    /// That it was raised, or that it was resolved.
    #[schema(schema_with = message_name)]
    message: &'static str,
    #[schema(schema_with = channel_name)]
    channel: &'static str,
    /// The address of a mail; null for the webhook.
    recipient: Option<String>,
    state: DeliveryState,
    /// How often it was tried.
    attempts: i64,
    #[schema(format = "date-time")]
    delivered_at: Option<String>,
    /// Why the last attempt failed.
    #[schema(example = "it answered 500")]
    problem: Option<String>,
}

/// Whether a receiver was told.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AlertDeliveryState)]
pub(crate) enum DeliveryState {
    /// It will be tried, or tried again.
    Waiting,
    Delivered,
    /// It will not be tried again.
    GivenUp,
}

fn names(all: impl Iterator<Item = &'static str>) -> Object {
    Object::builder()
        .schema_type(Type::String)
        .enum_values(Some(all))
        .build()
}

fn kind_name() -> Object {
    names(AlertKind::ALL.iter().map(|kind| kind.as_str()))
}

fn message_name() -> Object {
    names(AlertMessage::ALL.iter().map(|message| message.as_str()))
}

fn channel_name() -> Object {
    names(AlertChannel::ALL.iter().map(|channel| channel.as_str()))
}

impl From<AlertEntry> for AdminAlert {
    fn from(entry: AlertEntry) -> Self {
        let alert = entry.alert;
        Self {
            id: alert.id.get(),
            kind: alert.kind.as_str(),
            text: alert_text(&alert),
            round_id: round_of_alert(&alert).map(RoundId::get),
            is_condition: alert.is_condition,
            raised_at: iso(alert.raised_at),
            resolved_at: alert.resolved_at.map(iso),
            user: alert.user.map(|(id, username)| UserRef::new(id, username)),
            acknowledged_at: entry.acknowledged_at.map(iso),
            acknowledged_by: entry.acknowledged_by.map(UserRef::from),
            deliveries: entry.deliveries.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<DeliveryEntry> for AlertDelivery {
    fn from(delivery: DeliveryEntry) -> Self {
        let state = match delivery.delivered_at {
            Some(_) => DeliveryState::Delivered,
            None if delivery.is_waiting => DeliveryState::Waiting,
            None => DeliveryState::GivenUp,
        };
        let is_mail = delivery.channel == AlertChannel::Mail;
        Self {
            message: delivery.message.as_str(),
            channel: delivery.channel.as_str(),
            recipient: is_mail.then_some(delivery.recipient),
            state,
            attempts: delivery.attempts,
            delivered_at: delivery.delivered_at.map(iso),
            problem: delivery.problem,
        }
    }
}

/// Filters the alerts and selects a page.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct AlertParameters {
    /// Only alerts of this kind.
    #[param(schema_with = kind_name)]
    kind: Option<String>,
    /// Only alerts that somebody has acknowledged, or only those that nobody has.
    acknowledged: Option<bool>,
    /// Only alerts that were raised from this time on, such as `2026-11-26T12:00:00Z`.
    #[param(format = "date-time")]
    from: Option<String>,
    /// Only alerts that were raised before this time.
    #[param(format = "date-time")]
    to: Option<String>,
    /// The page size, from 1 to 200; the default is 100.
    limit: Option<usize>,
    /// The `Next-Cursor` of the previous page.
    #[param(pattern = "^[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

impl TryFrom<AlertParameters> for AlertQuery {
    type Error = ApiError;

    fn try_from(parameters: AlertParameters) -> Result<Self, ApiError> {
        let unknown = || malformed("kind must be the kind of an alert, such as large_win");
        let kind = parameters.kind.filter(|kind| !kind.is_empty());
        Ok(Self {
            kind: kind
                .map(|kind| AlertKind::parse(&kind).ok_or_else(unknown))
                .transpose()?,
            is_acknowledged: parameters.acknowledged,
            period: parse_period(parameters.from, parameters.to)?,
            before: cursor(parameters.cursor)?,
            limit: limit(parameters.limit)?,
        })
    }
}

/// A row of the CSV export, with the numbers of receivers that were told, are being told, and could not be told.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AlertRow {
    id: i64,
    kind: Cell,
    text: Cell,
    user_id: Option<i64>,
    username: Option<Cell>,
    round_id: Option<i64>,
    is_condition: bool,
    raised_at: Cell,
    resolved_at: Option<Cell>,
    acknowledged_at: Option<Cell>,
    acknowledged_by: Option<Cell>,
    delivered: usize,
    waiting: usize,
    given_up: usize,
}

impl From<AdminAlert> for AlertRow {
    fn from(alert: AdminAlert) -> Self {
        let count = |state| {
            let deliveries = alert.deliveries.iter();
            deliveries
                .filter(|delivery| delivery.state == state)
                .count()
        };
        let (delivered, waiting, given_up) = (
            count(DeliveryState::Delivered),
            count(DeliveryState::Waiting),
            count(DeliveryState::GivenUp),
        );
        let (user_id, username) = alert.user.map(|user| (user.id, user.username)).unzip();
        Self {
            id: alert.id,
            kind: alert.kind.into(),
            text: alert.text.into(),
            user_id,
            username: username.map(Cell::from),
            round_id: alert.round_id,
            is_condition: alert.is_condition,
            raised_at: alert.raised_at.into(),
            resolved_at: alert.resolved_at.map(Cell::from),
            acknowledged_at: alert.acknowledged_at.map(Cell::from),
            acknowledged_by: alert.acknowledged_by.map(|by| by.username.into()),
            delivered,
            waiting,
            given_up,
        }
    }
}

impl List for AdminAlert {
    const NAME: &'static str = "alerts";
    type Parameters = AlertParameters;
    type Query = AlertQuery;
    type Row = AlertRow;

    fn cursor(cursor: AlertId) -> String {
        cursor.to_string()
    }

    fn person(&self) -> Option<i64> {
        self.user.as_ref().map(|user| user.id)
    }

    fn register(endpoints: &mut Endpoints<'_>) {
        endpoints.service(all_alerts);
    }
}

/// The alerts of the last year, newest first. If there may be more, the `Next-Cursor` header contains the cursor of the
/// next page.
#[utoipa::path(
    tag = "administration",
    params(AlertParameters),
    responses(
        (status = 200, body = Vec<AdminAlert>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/alerts")]
pub(crate) async fn all_alerts(
    application: web::Data<Application>,
    reader: Reader,
    parameters: web::Query<AlertParameters>,
) -> Result<HttpResponse, ApiError> {
    respond::<AdminAlert>(&application.house, reader, parameters).await
}

/// Acknowledges an alert, so that others see who takes care of it. It changes nothing of what the alert is about.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("acknowledge_alerts"))),
    params(("alertId" = i64, Path), Idempotency),
    responses(
        (status = 200, body = AdminAlert),
        Malformed,
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an administrator, the role does not permit it, or the session must be confirmed again", body = ErrorBody),
        NotFound,
        (status = 409, description = "Somebody has acknowledged the alert before", body = ErrorBody),
    )
)]
#[post("/api/admin/alerts/{alertId}/acknowledge")]
pub(crate) async fn acknowledge(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<AcknowledgeAlerts>,
    path: web::Path<String>,
) -> Result<web::Json<AdminAlert>, ApiError> {
    let id: AlertId = path.parse().map_err(|_| Refusal::NotFound)?;
    let entry = acknowledge_alert(&application.house, context, id).await?;
    Ok(web::Json(entry.into()))
}
