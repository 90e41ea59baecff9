//! A player looks back: pages of history, one round with its seeds, totals.

use glasshouse_domain::{Game, RoundId, UserId};
use glasshouse_persistence::{
    GameStatistics, HistoryCursor, HistoryQuery, Round, RoundWithSeeds, queries,
};

use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Which page of a player's history.
#[derive(Debug, Clone)]
pub struct HistoryRequest {
    /// Only this game, or all.
    pub game: Option<Game>,
    /// Only rounds after this place, or from the newest on.
    pub after: Option<HistoryCursor>,
    /// How many at the most.
    pub limit: usize,
    /// Words that a round must all match.
    pub search: Option<String>,
}

/// A page of history.
#[derive(Debug, Clone)]
pub struct HistoryPage {
    /// Newest first.
    pub rounds: Vec<Round>,
    /// Where to go on, if there may be more. A search looks at a bounded stretch at a time.
    pub next: Option<HistoryCursor>,
}

/// A round with what is needed to verify it.
pub type VerifiableRound = RoundWithSeeds;

/// Reads a page of a player's settled rounds, newest first.
///
/// # Errors
/// On a fault.
pub async fn read_history(
    house: &House,
    player: UserId,
    request: HistoryRequest,
) -> Result<HistoryPage, CasinoError> {
    house
        .database
        .read(move |connection| {
            let words = request.search.as_deref().map(search_words);
            let matches = |round: &Round| {
                let text = searchable(round);
                words
                    .iter()
                    .flatten()
                    .all(|word| text.contains(word.as_str()))
            };
            let query = HistoryQuery {
                player,
                game: request.game,
                after: request.after,
                limit: request.limit,
                matches: words.is_some().then_some(&matches),
            };
            let (rounds, next) = queries::history_page(connection, &query)?;
            Ok(HistoryPage { rounds, next })
        })
        .await
}

fn search_words(search: &str) -> Vec<String> {
    search.split_whitespace().map(str::to_lowercase).collect()
}

/// What a search looks in: the row as it is shown, and its number.
fn searchable(round: &Round) -> String {
    let ended_at = round.ended_at.unwrap_or(round.started_at);
    let date = jiff::Timestamp::from_microsecond(ended_at.as_micros())
        .map(|moment| moment.strftime("%Y-%m-%d %H:%M %B %-d").to_string())
        .unwrap_or_default();
    let Round {
        id,
        game,
        outcome,
        stake,
        payout,
        ..
    } = round;
    format!("#{id} {} {outcome} {stake} {payout} {date}", game.as_str()).to_lowercase()
}

/// Reads a settled round of the player's with its seeds.
///
/// # Errors
/// [`Refusal::NotFound`] if there is none, or it is somebody else's; or a fault.
pub async fn read_round(
    house: &House,
    player: UserId,
    id: RoundId,
) -> Result<VerifiableRound, CasinoError> {
    let found: Option<RoundWithSeeds> = house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            queries::round_with_seeds(connection, player, id)
        })
        .await?;
    // What is still in play has no past to verify.
    let settled = found.filter(|found| found.round.ended_at.is_some());
    Ok(settled.ok_or(Refusal::NotFound)?)
}

/// Reads a player's totals, a constant number of rows however many rounds there are.
///
/// # Errors
/// On a fault.
pub async fn read_statistics(
    house: &House,
    player: UserId,
) -> Result<Vec<GameStatistics>, CasinoError> {
    house
        .database
        .read(move |connection| queries::statistics(connection, player))
        .await
}
