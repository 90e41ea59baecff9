//! The switches of the house.

use actix_web::{get, post, web};
use glasshouse_casino::administration::{SwitchChange, set_switch, switches};
use glasshouse_casino::{Refusal, SwitchEntry};
use glasshouse_domain::HouseSwitch;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::responses::{AdministratorsOnly, RecordedAct};
use crate::routes::admin::UserRef;
use crate::routes::admin::context::AdminContext;
use crate::session::{Administrator, StopHouse};
use crate::state::Application;
use crate::wire::time::iso;

/// The name of a switch.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SwitchName {
    Maintenance,
    Deposits,
    Withdrawals,
    Registration,
}

impl From<HouseSwitch> for SwitchName {
    fn from(switch: HouseSwitch) -> Self {
        match switch {
            HouseSwitch::Maintenance => Self::Maintenance,
            HouseSwitch::Deposits => Self::Deposits,
            HouseSwitch::Withdrawals => Self::Withdrawals,
            HouseSwitch::Registration => Self::Registration,
        }
    }
}

/// A switch of the house with its last change.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Switch {
    name: SwitchName,
    is_on: bool,
    /// Whether it stops something: maintenance while it is on, the others while they are off.
    is_stopping: bool,
    /// The reason of the last change; null if there was none.
    reason: Option<String>,
    /// When it was last changed.
    #[schema(format = "date-time")]
    changed_at: Option<String>,
    /// The administrator who changed it; null if it was the operator.
    changed_by: Option<UserRef>,
}

impl From<SwitchEntry> for Switch {
    fn from(entry: SwitchEntry) -> Self {
        let SwitchEntry { switch, state, .. } = entry;
        Self {
            name: switch.into(),
            is_on: state.is_on,
            is_stopping: state.is_on != switch.is_normally_on(),
            reason: state.reason,
            changed_at: entry.changed_at.map(iso),
            changed_by: entry
                .changed_by
                .map(|(id, username)| UserRef::new(id, username)),
        }
    }
}

/// How a switch is to be set.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = SwitchChange)]
pub(crate) struct Change {
    /// Whether it is to be on.
    is_on: bool,
    /// The reason. Players are shown it while the switch stops something. At most 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

/// The switches of the house.
#[utoipa::path(
    tag = "administration",
    responses((status = 200, body = Vec<Switch>), AdministratorsOnly)
)]
#[get("/api/admin/switches")]
pub(crate) async fn switch_list(
    application: web::Data<Application>,
    _: Administrator,
) -> Result<web::Json<Vec<Switch>>, ApiError> {
    all(&application).await
}

/// Sets a switch on all servers, with an audit record. Whoever may stop something may not always allow it
/// again, which needs the permission `resume_house`. Returns all switches.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("stop_house"))),
    params(
        ("switch" = SwitchName, Path, description = "The switch"),
        Idempotency
    ),
    responses(
        (status = 200, body = Vec<Switch>),
        (status = 400, body = ErrorBody),
        RecordedAct,
        (status = 422, description = "The reason is missing", body = ErrorBody),
    )
)]
#[post("/api/admin/switches/{switch}")]
pub(crate) async fn change_switch(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<StopHouse>,
    path: web::Path<String>,
    Json(change): Json<Change>,
) -> Result<web::Json<Vec<Switch>>, ApiError> {
    let change = SwitchChange {
        switch: HouseSwitch::parse(&path).ok_or(Refusal::NotFound)?,
        is_on: change.is_on,
        reason: change.reason,
    };
    set_switch(&application.house, context, change).await?;
    all(&application).await
}

async fn all(application: &Application) -> Result<web::Json<Vec<Switch>>, ApiError> {
    let entries = switches(&application.house).await?;
    Ok(web::Json(entries.into_iter().map(Switch::from).collect()))
}
