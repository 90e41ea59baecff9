//! A player's profit over time.

use actix_web::{get, web};
use glasshouse_casino::ProfitBucket as Bucket;
use glasshouse_casino::play::{ProfitRange as Range, read_profit};
use glasshouse_domain::{Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::http::responses::{Malformed, PlayersOnly};
use crate::routes::games::wire::GameType;
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::time::iso;

/// The time over which a profit is shown, up to now.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ProfitRange {
    Day,
    Week,
    Month,
    Year,
    All,
}

impl From<ProfitRange> for Range {
    fn from(range: ProfitRange) -> Self {
        match range {
            ProfitRange::Day => Self::Day,
            ProfitRange::Week => Self::Week,
            ProfitRange::Month => Self::Month,
            ProfitRange::Year => Self::Year,
            ProfitRange::All => Self::All,
        }
    }
}

/// Selects totals over time.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ProfitParameters {
    /// Only rounds of this game.
    #[param(inline)]
    game_type: Option<GameType>,
    /// `day` and `week`: the last 24 or 168 hours, by hour. `month`, `year` and `all`: the last 30 or
    /// 365 days, or since the first round, by day in UTC.
    #[param(inline)]
    range: ProfitRange,
}

/// A player's totals over time.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProfitOverTime {
    /// Oldest first; only hours or days with rounds.
    buckets: Vec<ProfitBucket>,
    /// The start of the first hour or day of the range.
    #[schema(format = "date-time")]
    from: String,
    /// The time of the response.
    #[schema(format = "date-time")]
    to: String,
}

/// The totals of the rounds that ended within an hour or a day.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProfitBucket {
    #[schema(format = "date-time")]
    started_at: String,
    rounds: u64,
    #[schema(example = "120.00")]
    staked: String,
    #[schema(example = "118.80")]
    paid: String,
    /// Payouts less stakes; negative for a loss.
    #[schema(example = "-1.20")]
    profit: String,
}

impl From<&Bucket> for ProfitBucket {
    fn from(bucket: &Bucket) -> Self {
        let profit_cents = bucket.paid.cents().saturating_sub(bucket.staked.cents());
        Self {
            started_at: iso(Timestamp::start_of_hour(bucket.first_hour)),
            rounds: bucket.rounds,
            staked: bucket.staked.to_string(),
            paid: bucket.paid.to_string(),
            profit: Money::from_cents(profit_cents).to_string(),
        }
    }
}

/// The player's stakes, payouts and profit over time.
#[utoipa::path(
    tag = "history",
    params(ProfitParameters),
    responses((status = 200, body = ProfitOverTime), Malformed, PlayersOnly)
)]
#[get("/api/statistics/profit")]
pub(crate) async fn profit(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    parameters: web::Query<ProfitParameters>,
) -> Result<web::Json<ProfitOverTime>, ApiError> {
    let ProfitParameters { game_type, range } = parameters.into_inner();
    let games = game_type.map(GameType::games).unwrap_or_default();
    let profit = read_profit(&application.house, user.id, games, range.into()).await?;
    Ok(web::Json(ProfitOverTime {
        buckets: profit.buckets.iter().map(ProfitBucket::from).collect(),
        from: iso(profit.from),
        to: iso(profit.to),
    }))
}
