//! The trainer: the value of each decision in a finished hand.

use actix_web::{get, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::play::analyse_round;
use glasshouse_domain::RoundId;
use glasshouse_games::with_game;

use crate::error::{ApiError, ErrorBody};
use crate::http::rate_limit::Limit;
use crate::routes::games::trainer::RoundAnalysis;
use crate::routes::games::wire::GameWire as _;
use crate::session::SignedIn;
use crate::state::Application;

/// The exact expected value of each decision in one of the player's hands. Only available once the
/// hand is over.
#[utoipa::path(
    tag = "poker",
    params(("round_id" = i64, Path)),
    responses(
        (status = 200, body = RoundAnalysis),
        (status = 401, body = ErrorBody),
        (status = 404, description = "Unknown hand, or it is still in play", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[get("/api/poker/analysis/{round_id}")]
pub(crate) async fn round_analysis(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    path: web::Path<String>,
) -> Result<web::Json<RoundAnalysis>, ApiError> {
    application.limits.check(Limit::Bet(user.id))?;
    let id: RoundId = path.parse().map_err(|_| Refusal::NotFound)?;
    let analysis = analyse_round(
        &application.house,
        user.id,
        id,
        |round| with_game!(round.round().game, R => R::analysis(&round.as_round_of::<R>()?)),
    );
    Ok(web::Json(analysis.await?))
}
