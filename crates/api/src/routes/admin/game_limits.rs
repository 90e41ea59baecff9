//! What the owners allow in each game, and what its rounds in play can win.

use actix_web::{get, post, web};
use glasshouse_casino::administration::set_game_limits;
use glasshouse_casino::operating::games_for_administrators;
use glasshouse_casino::{GameSettings, Refusal};
use glasshouse_domain::{Game, GameLimits, Money};
use glasshouse_games::game_round::GameKind;
use glasshouse_games::registry::{info, of_wire_name};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::responses::{AdministratorsOnly, RecordedAct};
use crate::routes::admin::context::AdminContext;
use crate::session::{Administrator, ChangeGames};
use crate::state::Application;
use crate::wire::money::AmountText;

/// A game with the owners' limits, in US dollars.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LimitedGame {
    /// The game's name in the rest of the API, such as `headsUp`.
    #[schema(example = "crash")]
    name: &'static str,
    /// The smallest stake at the start of a round, by the rules.
    #[schema(example = "1.00")]
    minimum_stake: String,
    /// The largest stake at the start of a round, by the rules.
    #[schema(example = "1000.00")]
    rules_maximum_stake: String,
    /// The largest stake that the owners allow; null if they leave it to the rules.
    #[schema(example = "500.00")]
    maximum_stake: Option<String>,
    /// The most that a round may be able to win; null for no limit.
    #[schema(example = "20000.00")]
    maximum_profit: Option<String>,
    /// The most that all rounds in play may be able to win together; null for no limit.
    #[schema(example = "100000.00")]
    maximum_exposure: Option<String>,
    /// What the rounds in play can win together now; null for a game whose rounds end when they start.
    #[schema(example = "1250.00")]
    exposure: Option<String>,
}

impl LimitedGame {
    fn new((game, settings, exposure): (Game, GameSettings, Money)) -> Self {
        let info = info(game);
        let text = |limit: Option<Money>| limit.map(|limit| limit.to_string());
        Self {
            name: info.wire_name,
            minimum_stake: info.stakes.start().to_string(),
            rules_maximum_stake: info.stakes.end().to_string(),
            maximum_stake: text(settings.limits.maximum_stake),
            maximum_profit: text(settings.limits.maximum_profit),
            maximum_exposure: text(settings.limits.maximum_exposure),
            exposure: (info.kind != GameKind::Instant).then(|| exposure.to_string()),
        }
    }
}

/// How the limits of a game are to be set. A limit that is absent or null is removed.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct GameLimitsChange {
    /// The largest stake at the start of a round, within the rules.
    maximum_stake: Option<AmountText>,
    /// The most that a round may be able to win.
    maximum_profit: Option<AmountText>,
    /// The most that all rounds in play may be able to win together. Not for games whose rounds end when they start.
    maximum_exposure: Option<AmountText>,
    /// The reason, recorded in the audit log. At most 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

/// The games with the owners' limits and what the rounds in play can win.
#[utoipa::path(
    tag = "administration",
    responses((status = 200, body = Vec<LimitedGame>), AdministratorsOnly)
)]
#[get("/api/admin/games")]
pub(crate) async fn limited_games(
    application: web::Data<Application>,
    _: Administrator,
) -> Result<web::Json<Vec<LimitedGame>>, ApiError> {
    all(&application).await
}

/// Sets the limits of a game on all servers, with an audit record, for rounds that start from then on. Returns all games.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("change_games"))),
    params(
        ("name" = String, Path, description = "The game, such as `headsUp`"),
        Idempotency
    ),
    responses(
        (status = 200, body = Vec<LimitedGame>),
        (status = 400, description = "A limit that no bet could keep, or that would never apply", body = ErrorBody),
        RecordedAct,
        (status = 422, description = "The reason is missing", body = ErrorBody),
    )
)]
#[post("/api/admin/games/{name}/limits")]
pub(crate) async fn change_game_limits(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<ChangeGames>,
    path: web::Path<String>,
    Json(change): Json<GameLimitsChange>,
) -> Result<web::Json<Vec<LimitedGame>>, ApiError> {
    let game = of_wire_name(&path).ok_or(Refusal::NotFound)?;
    let amount = |text: Option<AmountText>| text.map(|text| text.parse()).transpose();
    let limits = GameLimits {
        maximum_stake: amount(change.maximum_stake)?,
        maximum_profit: amount(change.maximum_profit)?,
        maximum_exposure: amount(change.maximum_exposure)?,
    };
    let limits_and_reason = (limits, change.reason.as_str());
    set_game_limits(&application.house, context, game, limits_and_reason).await?;
    all(&application).await
}

async fn all(application: &Application) -> Result<web::Json<Vec<LimitedGame>>, ApiError> {
    let games = games_for_administrators(&application.house).await?;
    Ok(web::Json(games.into_iter().map(LimitedGame::new).collect()))
}
