//! What administrators can do, one file for each tab of their panel.

pub(crate) mod audit_log;
pub(crate) mod context;
pub(crate) mod csv;
pub(crate) mod deposits;
pub(crate) mod export;
pub(crate) mod game_status;
pub(crate) mod games;
pub(crate) mod lists;
pub(crate) mod payments;
pub(crate) mod registration;
pub(crate) mod reports;
pub(crate) mod reviews;
pub(crate) mod step_up;
pub(crate) mod users;
pub(crate) mod withdrawals;

use std::str::FromStr;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::ApiError;
use crate::http::pagination::{parse_cursor, parse_limit};
use crate::routes::admin::registration::Registration;

/// All lists.
pub(in crate::routes) const LISTS: [Registration; 7] = [
    Registration::of::<users::AdminUser>(),
    Registration::of::<withdrawals::AdminWithdrawal>(),
    Registration::of::<games::AdminGame>(),
    Registration::of::<deposits::AdminDeposit>(),
    Registration::of::<audit_log::AdminLog>(),
    Registration::of::<payments::active::PaymentStatus>(),
    Registration::of::<reviews::Review>(),
];

/// Adds the calls of all lists.
pub(crate) fn register_lists(config: &mut ServiceConfig<'_>) {
    for list in LISTS {
        (list.register)(config);
    }
}

/// The most entries of a list in one answer.
const MAXIMUM_LIMIT: usize = 200;
/// How many there are unless told otherwise.
const USUAL_LIMIT: usize = 100;

/// A user by number and name.
#[derive(Serialize, ToSchema)]
pub(crate) struct UserRef {
    id: i64,
    username: String,
}

impl From<glasshouse_casino::UserRef> for UserRef {
    fn from(user: glasshouse_casino::UserRef) -> Self {
        Self {
            id: user.id.get(),
            username: user.username,
        }
    }
}

pub(in crate::routes) fn malformed(what: &str) -> ApiError {
    ApiError::Malformed(what.to_owned())
}

pub(in crate::routes) fn limit(wanted: Option<usize>) -> Result<usize, ApiError> {
    parse_limit(wanted, USUAL_LIMIT, MAXIMUM_LIMIT)
}

pub(in crate::routes) fn cursor<I: FromStr>(text: Option<String>) -> Result<Option<I>, ApiError> {
    parse_cursor(text, |text| text.parse().ok())
}
