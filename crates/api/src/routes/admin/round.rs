//! One round with its replay.

use actix_web::{get, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::books::{InspectedRound, ReplayFinding, inspect_round};
use glasshouse_casino::play::outcome_text;
use glasshouse_domain::RoundId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::http::responses::{AdministratorsOnly, NotFound};
use crate::routes::admin::UserRef;
use crate::routes::admin::context::Reader;
use crate::routes::fairness::ClientSeedBy;
use crate::routes::fairness::verifiable_round::RoundDetails;
use crate::routes::games::wire::GameType;
use crate::state::Application;
use crate::wire::time::iso;

/// The name in the audit log.
const ROUND: &str = "round";

/// What the server's replay of a round has found.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum RoundReplay {
    /// The round is in play, and its outcome is nobody's business yet.
    InPlay,
    /// What is stored is what the seeds and the rules determine.
    Same,
    /// Something is stored otherwise.
    Different,
    /// The round cannot be replayed: its seed key is missing, or its stored data cannot be read.
    Impossible,
}

/// A round of any player. While it is in play, it contains nothing that its player does not see.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminRound {
    id: i64,
    user: UserRef,
    game_type: GameType,
    #[schema(format = "date-time")]
    started_at: String,
    /// Null while the round is in play.
    #[schema(format = "date-time")]
    ended_at: Option<String>,
    /// The stake so far.
    #[schema(example = "10.00")]
    bet_amount: String,
    /// Null while the round is in play.
    #[schema(example = "19.80")]
    win_amount: Option<String>,
    /// Starts with `win` for wins; null while the round is in play.
    #[schema(example = "win")]
    outcome: Option<String>,
    /// The balance after the last change by the round.
    #[schema(example = "109.80")]
    balance_after: String,
    /// The most that the round could win when it started; null if it ended when it started.
    #[schema(example = "990.00")]
    maximum_profit: Option<String>,
    server_seed_hash: String,
    /// Null until the player has rotated the seed pair: until then, nobody is shown it.
    server_seed: Option<String>,
    client_seed: String,
    client_seed_by: ClientSeedBy,
    nonce: u64,
    replay: RoundReplay,
    /// What is stored otherwise than the seeds and the rules have it.
    differences: Vec<&'static str>,
    /// What anybody needs to verify it; null unless the replay agrees.
    details: Option<RoundDetails>,
}

impl TryFrom<InspectedRound> for AdminRound {
    type Error = ApiError;

    fn try_from(found: InspectedRound) -> Result<Self, ApiError> {
        let round = &found.round;
        let is_settled = !round.is_open();
        let (replay, differences) = match found.replay {
            ReplayFinding::InPlay => (RoundReplay::InPlay, Vec::new()),
            ReplayFinding::Same => (RoundReplay::Same, Vec::new()),
            ReplayFinding::Different(differences) => (RoundReplay::Different, differences),
            ReplayFinding::Impossible => (RoundReplay::Impossible, Vec::new()),
        };
        let details = found.verifiable.map(RoundDetails::try_from).transpose()?;
        Ok(Self {
            id: round.id.get(),
            user: UserRef::new(round.player, found.username),
            game_type: GameType::of(round.game),
            started_at: iso(round.started_at),
            ended_at: round.ended_at.map(iso),
            bet_amount: round.stake.to_string(),
            win_amount: is_settled.then(|| round.payout.to_string()),
            outcome: is_settled.then(|| outcome_text(round)),
            balance_after: round.balance_after.to_string(),
            maximum_profit: round.exposure.map(|profit| profit.to_string()),
            server_seed_hash: found.server_seed_hash,
            server_seed: found.revealed_server_seed,
            client_seed: found.client_seed,
            client_seed_by: found.client_seed_by.into(),
            nonce: round.nonce,
            replay,
            differences,
            details,
        })
    }
}

/// A round of any player, replayed by the server. While it is in play, or while its server seed is in use, nothing is
/// shown from which an outcome could be told.
#[utoipa::path(
    tag = "administration",
    params(("roundId" = i64, Path)),
    responses((status = 200, body = AdminRound), AdministratorsOnly, NotFound)
)]
#[get("/api/admin/rounds/{roundId}")]
pub(crate) async fn inspected_round(
    application: web::Data<Application>,
    reader: Reader,
    path: web::Path<String>,
) -> Result<web::Json<AdminRound>, ApiError> {
    let id: RoundId = path.parse().map_err(|_| Refusal::NotFound)?;
    let found = inspect_round(&application.house, id).await?;
    let player = found.round.player;
    let shown = AdminRound::try_from(found)?;
    reader
        .record(&application.house, ROUND, Some(player))
        .await?;
    Ok(web::Json(shown))
}
