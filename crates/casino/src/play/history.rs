//! A player looks back: pages of history, one round with its seeds, totals.

use std::collections::BTreeMap;

use glasshouse_domain::{Game, Money, Multiplier, RoundId, UserId};
use glasshouse_games::registry::info;
use glasshouse_games::with_game;
use glasshouse_persistence::rounds::{
    GameStatistics, HistoryCursor, HistoryQuery, Round, RoundWithSeeds,
};
use glasshouse_persistence::{DatabaseError, queries};

use crate::error::{CasinoError, Refusal};
use crate::fairness::seeds::round_seeds;
use crate::house::House;
use crate::play::current::restore;
use crate::play::round_view::{AnyRound, outcome_text};

/// Which page of a player's history.
#[derive(Debug, Clone)]
pub struct HistoryRequest {
    /// Only these games, or all where there are none.
    pub games: Vec<Game>,
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
#[derive(Debug, Clone)]
pub struct VerifiableRound {
    /// The round, with all that its game shows of one that is over.
    pub round: AnyRound,
    /// The hash that was shown before the round.
    pub server_seed_hash: String,
    /// The server seed, once its pair has been rotated away; none before.
    pub revealed_server_seed: Option<String>,
    /// The player's part.
    pub client_seed: String,
}

impl VerifiableRound {
    fn of(found: RoundWithSeeds) -> Result<Self, CasinoError> {
        let round = found.round;
        let seeds = round_seeds(&found.server_seed, &found.client_seed, round.nonce)?;
        Ok(Self {
            round: with_game!(round.game, R => restore::<R>(round, &seeds)?.view().into()),
            server_seed_hash: found.server_seed_hash,
            revealed_server_seed: found.is_revealed.then_some(found.server_seed),
            client_seed: found.client_seed,
        })
    }
}

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
                games: &request.games,
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
        stake,
        payout,
        ..
    } = round;
    let (name, outcome) = (info(*game).listed_as, outcome_text(round));
    format!("#{id} {name} {outcome} {stake} {payout} {date}").to_lowercase()
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
    VerifiableRound::of(settled.ok_or(Refusal::NotFound)?)
}

/// A player's totals in the games that the history lists under one name.
#[derive(Debug, Clone)]
pub struct ListedStatistics {
    /// The name.
    pub listed_as: &'static str,
    /// Settled rounds.
    pub rounds: u64,
    /// Rounds that were won.
    pub wins: u64,
    /// The sum of the stakes.
    pub staked: Money,
    /// The sum of the payouts.
    pub paid: Money,
    /// The won round that paid most.
    pub biggest_win: Option<Round>,
    /// The mean of the multipliers that the player left with, rounded down to a thousandth; none
    /// without any.
    pub average_multiplier: Option<Multiplier>,
    /// The best of them.
    pub best_multiplier: Option<Multiplier>,
}

impl ListedStatistics {
    /// Adds up the games of one name.
    fn of(listed_as: &'static str, games: &[GameStatistics]) -> Self {
        let sum = |value: fn(&GameStatistics) -> u64| games.iter().map(value).sum::<u64>();
        let cents = |value: fn(&GameStatistics) -> Money| {
            let cents = games.iter().map(|game| value(game).cents());
            Money::from_cents(cents.fold(0, i64::saturating_add))
        };
        let biggest = games.iter().filter_map(|game| game.biggest_win.as_ref());
        let mean = sum(|game| game.multiplier_thousandths_total)
            .checked_div(sum(|game| game.cash_outs))
            .and_then(|thousandths| u32::try_from(thousandths).ok());
        Self {
            listed_as,
            rounds: sum(|game| game.rounds),
            wins: sum(|game| game.wins),
            staked: cents(|game| game.staked),
            paid: cents(|game| game.paid),
            biggest_win: biggest.max_by_key(|round| round.payout).cloned(),
            average_multiplier: mean.map(Multiplier::from_thousandths),
            best_multiplier: games.iter().filter_map(|game| game.best_multiplier).max(),
        }
    }
}

/// Reads a player's totals by the games' listed names, in the order of the names: a constant number
/// of rows however many rounds there are.
///
/// # Errors
/// On a fault.
pub async fn read_statistics(
    house: &House,
    player: UserId,
) -> Result<Vec<ListedStatistics>, CasinoError> {
    let games: Vec<GameStatistics> = house
        .database
        .read::<_, DatabaseError, _>(move |connection| queries::statistics(connection, player))
        .await?;
    let mut listed = BTreeMap::<&'static str, Vec<GameStatistics>>::new();
    for game in games {
        let name = info(game.game).listed_as;
        listed.entry(name).or_default().push(game);
    }
    let listed = listed.iter();
    Ok(listed
        .map(|(name, games)| ListedStatistics::of(name, games))
        .collect())
}
