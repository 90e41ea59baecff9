//! The trainer on the wire: what each decision in a hand was worth, once it is over.

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

/// What each decision in a hand of the player's own was worth, exactly. Only once it is over.
#[utoipa::path(
    tag = "poker",
    params(("round_id" = i64, Path)),
    responses(
        (status = 200, body = RoundAnalysis),
        (status = 401, body = ErrorBody),
        (status = 404, description = "No such hand, or it is in play", body = ErrorBody),
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
