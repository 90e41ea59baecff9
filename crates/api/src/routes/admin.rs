//! The administrators' endpoints, one file for each tab of the panel.

pub(crate) mod alerts;
pub(crate) mod approval;
pub(crate) mod audit_log;
pub(crate) mod context;
pub(crate) mod csv;
pub(crate) mod deposits;
pub(crate) mod export;
pub(crate) mod figures;
pub(crate) mod game_limits;
pub(crate) mod game_status;
pub(crate) mod games;
pub(crate) mod lists;
pub(crate) mod payment_page;
pub(crate) mod payments;
pub(crate) mod payout_records;
pub(crate) mod payouts;
pub(crate) mod pending_work;
pub(crate) mod player_acts;
pub(crate) mod players;
pub(crate) mod proposal_view;
pub(crate) mod proposals;
pub(crate) mod provider_balance;
pub(crate) mod registration;
pub(crate) mod reports;
pub(crate) mod restrictions;
pub(crate) mod reviews;
pub(crate) mod roles;
pub(crate) mod round;
pub(crate) mod security_events;
pub(crate) mod step_up;
pub(crate) mod switches;
pub(crate) mod timeline;
pub(crate) mod users;
pub(crate) mod withdrawal_page;
pub(crate) mod withdrawals;

use std::str::FromStr;

use glasshouse_domain::UserId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::endpoints::Endpoints;
use crate::error::ApiError;
use crate::http::pagination::{parse_cursor, parse_limit};
use crate::routes::admin::registration::Registration;

pub(crate) const LISTS: [Registration; 8] = [
    Registration::of::<users::AdminUser>(),
    Registration::of::<withdrawals::AdminWithdrawal>(),
    Registration::of::<games::AdminGame>(),
    Registration::of::<deposits::AdminDeposit>(),
    Registration::of::<audit_log::AdminLog>(),
    Registration::of::<payments::active::PaymentStatus>(),
    Registration::of::<reviews::Review>(),
    Registration::of::<alerts::AdminAlert>(),
];

/// Registers the endpoints of all lists.
pub(crate) fn register_lists(endpoints: &mut Endpoints<'_>) {
    for list in LISTS {
        (list.register)(endpoints);
    }
}

/// The maximum page size.
const MAXIMUM_LIMIT: usize = 200;
/// The default page size.
const DEFAULT_LIMIT: usize = 100;

/// A reference to a user by ID and username.
#[derive(Serialize, ToSchema)]
pub(crate) struct UserRef {
    id: i64,
    username: String,
}

impl UserRef {
    pub(crate) fn new(id: UserId, username: String) -> Self {
        Self {
            id: id.get(),
            username,
        }
    }
}

impl From<glasshouse_casino::UserRef> for UserRef {
    fn from(user: glasshouse_casino::UserRef) -> Self {
        Self {
            id: user.id.get(),
            username: user.username,
        }
    }
}

pub(crate) fn malformed(message: &str) -> ApiError {
    ApiError::Malformed(message.to_owned())
}

pub(crate) fn limit(limit: Option<usize>) -> Result<usize, ApiError> {
    parse_limit(limit, DEFAULT_LIMIT, MAXIMUM_LIMIT)
}

pub(crate) fn cursor<I: FromStr>(text: Option<String>) -> Result<Option<I>, ApiError> {
    parse_cursor(text, |text| text.parse().ok())
}
