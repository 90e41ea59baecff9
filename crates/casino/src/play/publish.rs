//! Publishes committed changes of rounds to the schedule, the player's event streams and the
//! metrics.

use glasshouse_games::game_round::GameRound;
use glasshouse_persistence::rounds::DueRound;

use crate::error::{CasinoError, Fault};
use crate::house::House;
use crate::play::current::RoundSnapshot;
use crate::play::round_view::RoundView;

/// Publishes that a round started or ended, after the commit.
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

/// Publishes the state of a round to the schedule and to the player's event streams.
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
    let as_any_round = || view.clone().into();
    house.events.publish(round.player, as_any_round);
    view
}

/// Runs a change and its publication to completion even if the caller disconnects in between,
/// because committed changes must be published.
pub(crate) async fn run_detached<T: Send + 'static>(
    work: impl Future<Output = Result<T, CasinoError>> + Send + 'static,
) -> Result<T, CasinoError> {
    tokio::spawn(work)
        .await
        .map_err(|error| Fault::Interrupted(error.to_string()))?
}
