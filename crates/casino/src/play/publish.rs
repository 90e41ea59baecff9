//! What is committed is told: to the schedule, to the player's streams and to the metrics.

use glasshouse_games::game_round::GameRound;
use glasshouse_persistence::rounds::DueRound;

use crate::error::{CasinoError, Fault};
use crate::house::House;
use crate::play::current::RoundSnapshot;
use crate::play::round_view::RoundView;

/// Tells everybody concerned that a round began or ended, after the commit.
pub(crate) fn publish_committed<R: GameRound>(
    house: &House,
    current: &RoundSnapshot<R>,
) -> RoundView<R> {
    if !current.round.is_open() {
        let game = current.round.game.as_str();
        metrics::counter!("glasshouse_rounds_ended_total", "game" => game).increment(1);
    }
    publish(house, current)
}

/// Tells the schedule and the player's streams how a round stands.
pub(crate) fn publish<R: GameRound>(house: &House, current: &RoundSnapshot<R>) -> RoundView<R> {
    let round = &current.round;
    if let Some(due) = DueRound::of(round) {
        if round.is_open() {
            house.schedule.add(&due);
        } else {
            house.schedule.remove(&due);
        }
    }
    let view = current.view();
    house.events.publish(round.player, &view.clone().into());
    view
}

/// Runs a change and the telling of it to the end, even where the caller went away in between: what
/// is committed must be told.
pub(crate) async fn run_detached<T: Send + 'static>(
    work: impl Future<Output = Result<T, CasinoError>> + Send + 'static,
) -> Result<T, CasinoError> {
    tokio::spawn(work)
        .await
        .map_err(|error| Fault::Interrupted(error.to_string()))?
}
