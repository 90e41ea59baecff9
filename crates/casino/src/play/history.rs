//! A player's history: pages of settled rounds, single rounds with their seeds, and totals.

use std::collections::BTreeMap;

use glasshouse_domain::{ClientSeedBy, Game, Money, Multiplier, RoundId, UserId};
use glasshouse_games::registry::info;
use glasshouse_games::with_game;
use glasshouse_persistence::rounds::{
    GameStatistics, HistoryCursor, HistoryQuery, Round, RoundWithSeeds,
};
use glasshouse_persistence::seeds::SeedKeys;
use glasshouse_persistence::{DatabaseError, Page, queries};

use crate::error::{CasinoError, Refusal};
use crate::fairness::seeds::seeds_read_with;
use crate::house::House;
use crate::play::current::restore;
use crate::play::round_view::{AnyRound, outcome_text};

/// A request for a page of a player's history.
#[derive(Debug, Clone)]
pub struct HistoryRequest {
    /// Only these games; all games if empty.
    pub games: Vec<Game>,
    /// Only rounds after this cursor; from the newest round if `None`.
    pub after: Option<HistoryCursor>,
    /// The maximum number of rounds.
    pub limit: usize,
    /// Search words, all of which a round must match.
    pub search: Option<String>,
}

/// A settled round with the data needed to verify it.
#[derive(Debug, Clone)]
pub struct VerifiableRound {
    /// The round, with everything that its game reveals after the end.
    pub round: AnyRound,
    /// The server seed's hash, which was published before the round.
    pub server_seed_hash: String,
    /// The server seed if its pair has been rotated; `None` before.
    pub revealed_server_seed: Option<String>,
    /// The client seed.
    pub client_seed: String,
    /// Who chose the client seed.
    pub client_seed_by: ClientSeedBy,
}

impl VerifiableRound {
    pub(crate) fn of(keys: &SeedKeys, found: RoundWithSeeds) -> Result<Self, CasinoError> {
        let seeds = seeds_read_with(keys, &found)?;
        let round = found.round;
        Ok(Self {
            round: with_game!(round.game, R => restore::<R>(round, &seeds)?.view().into()),
            server_seed_hash: found.server_seed_hash,
            revealed_server_seed: found.server_seed.revealed(),
            client_seed: found.client_seed,
            client_seed_by: found.client_seed_by,
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
) -> Result<Page<Round, HistoryCursor>, CasinoError> {
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
            queries::history_page(connection, &query)
        })
        .await
}

fn search_words(search: &str) -> Vec<String> {
    search.split_whitespace().map(str::to_lowercase).collect()
}

/// The text that a search matches: the row as displayed, and its number.
fn searchable(round: &Round) -> String {
    let ended_at = round.settled_at();
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
    let (name, outcome) = (info(*game).listed_name, outcome_text(round));
    format!("#{id} {name} {outcome} {stake} {payout} {date}").to_lowercase()
}

/// Reads one of the player's settled rounds with its seeds.
///
/// # Errors
/// [`Refusal::NotFound`] if there is no such settled round of this player; or a fault.
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
    // A round in play cannot be verified yet.
    let settled = found.filter(|found| found.round.ended_at.is_some());
    VerifiableRound::of(
        &house.database.keys().seeds,
        settled.ok_or(Refusal::NotFound)?,
    )
}

/// A player's totals over the games that the history lists under one name.
#[derive(Debug, Clone)]
pub struct ListedStatistics {
    /// The name in the history.
    pub listed_name: &'static str,
    /// The number of settled rounds.
    pub rounds: u64,
    /// The number of won rounds.
    pub wins: u64,
    /// The sum of all stakes.
    pub staked: Money,
    /// The sum of all payouts.
    pub paid: Money,
    /// The won round with the highest payout.
    pub biggest_win: Option<Round>,
    /// The mean cash-out multiplier, rounded down to a thousandth; `None` without a cash-out.
    pub average_multiplier: Option<Multiplier>,
    /// The highest cash-out multiplier.
    pub best_multiplier: Option<Multiplier>,
}

impl ListedStatistics {
    /// Adds up the games with one listed name.
    fn of(listed_name: &'static str, games: &[GameStatistics]) -> Self {
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
            listed_name,
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

/// Reads a player's totals by listed name, ordered by name. Reads a constant number of rows,
/// however many rounds there are.
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
        let name = info(game.game).listed_name;
        listed.entry(name).or_default().push(game);
    }
    let listed = listed.iter();
    Ok(listed
        .map(|(name, games)| ListedStatistics::of(name, games))
        .collect())
}
