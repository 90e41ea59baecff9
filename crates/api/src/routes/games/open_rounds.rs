//! The player's rounds in play.

use actix_web::{get, web};
use glasshouse_casino::play::timed::{OpenRound, RoundEvent, open_rounds};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::routes::games::crash::CrashRound;
use crate::routes::games::heads_up::HeadsUpHand;
use crate::routes::games::stonks::StonksRound;
use crate::routes::games::timed::milliseconds;
use crate::routes::games::video_poker::PokerHand;
use crate::session::SignedInPassively;
use crate::state::Application;

/// The player's rounds in play.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenRounds {
    server_time_ms: i64,
    crash: Option<CrashRound>,
    stonks: Option<StonksRound>,
    poker: Option<PokerHand>,
    heads_up: Option<HeadsUpHand>,
}

/// The player's rounds in play, so that a browser can go on after a reload. Asking is no activity of
/// the player's own: browsers do it by themselves.
#[utoipa::path(
    tag = "live",
    responses((status = 200, body = OpenRounds), (status = 401, body = ErrorBody))
)]
#[get("/api/open-rounds")]
pub(crate) async fn rounds_in_play(
    application: web::Data<Application>,
    SignedInPassively(user): SignedInPassively,
) -> Result<web::Json<OpenRounds>, ApiError> {
    let house = &application.house;
    let rounds = open_rounds(house, user.id).await?;
    let now = house.now();
    let mut open = OpenRounds {
        server_time_ms: milliseconds(now),
        crash: None,
        stonks: None,
        poker: None,
        heads_up: None,
    };
    for round in &rounds {
        match round {
            OpenRound::Live(RoundEvent::Crash(view)) => {
                open.crash = Some(CrashRound::new(view, now));
            }
            OpenRound::Live(RoundEvent::Stonks(view)) => {
                open.stonks = Some(StonksRound::new(view, house));
            }
            OpenRound::Poker(view) => open.poker = Some(view.into()),
            OpenRound::HeadsUp(view) => open.heads_up = Some(view.into()),
        }
    }
    Ok(web::Json(open))
}
