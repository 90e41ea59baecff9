//! A player looks back: pages of history, one round with its seeds, totals.

use std::sync::Arc;

use glasshouse_domain::{Game, RoundId, UserId};
use glasshouse_persistence::queries;
use glasshouse_persistence::rounds::{
    GameStatistics, HistoryCursor, HistoryQuery, Round, RoundWithSeeds,
};

use crate::error::{CasinoError, Refusal};
use crate::fairness::seeds::stream;
use crate::house::House;
use crate::play::dice::DiceDetails;
use crate::play::heads_up_hand::HeadsUpView;
use crate::play::timed::crash::CrashRoundView;
use crate::play::timed::stonks::{self as stonks_round, StonksRoundView};
use crate::play::video_poker_hand::PokerHandView;

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
#[derive(Debug, Clone)]
pub struct VerifiableRound {
    /// The round.
    pub round: Round,
    /// What the game itself keeps of it.
    pub game: VerifiableGame,
    /// The hash that was shown before the round.
    pub server_seed_hash: String,
    /// The server seed, once its pair has been rotated away; none before.
    pub revealed_server_seed: Option<String>,
    /// The player's part.
    pub client_seed: String,
}

/// The terms and the result of a round.
#[derive(Debug, Clone)]
pub enum VerifiableGame {
    /// Of dice.
    Dice(DiceDetails),
    /// Of crash.
    Crash(CrashRoundView),
    /// Of stonks, with its whole path.
    Stonks(StonksRoundView),
    /// Of video poker.
    Poker(PokerHandView),
    /// Of heads-up hold'em.
    HeadsUp(HeadsUpView),
}

impl VerifiableRound {
    fn of(found: RoundWithSeeds) -> Result<Self, CasinoError> {
        let RoundWithSeeds {
            round,
            server_seed,
            is_revealed,
            ..
        } = &found;
        let game = match round.game {
            Game::Dice => VerifiableGame::Dice(DiceDetails::of(round)?),
            Game::Crash => VerifiableGame::Crash(CrashRoundView::of(round.clone())?),
            Game::Stonks => {
                let mut stream = stream(server_seed, &found.client_seed, round.nonce)?;
                let plan = Arc::new(stonks_round::plan(round, &mut stream)?);
                VerifiableGame::Stonks(StonksRoundView::new(round.clone(), plan)?)
            }
            Game::Poker => {
                let mut stream = stream(server_seed, &found.client_seed, round.nonce)?;
                VerifiableGame::Poker(PokerHandView::restore(round.clone(), &mut stream)?)
            }
            Game::HeadsUp => {
                let mut stream = stream(server_seed, &found.client_seed, round.nonce)?;
                VerifiableGame::HeadsUp(HeadsUpView::restore(round.clone(), &mut stream)?)
            }
        };
        Ok(Self {
            game,
            server_seed_hash: found.server_seed_hash.clone(),
            revealed_server_seed: is_revealed.then(|| server_seed.clone()),
            client_seed: found.client_seed.clone(),
            round: found.round,
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
    VerifiableRound::of(settled.ok_or(Refusal::NotFound)?)
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

/// Reads a settled round of stonks of the player's.
///
/// # Errors
/// [`Refusal::NotFound`] if there is none, or it is somebody else's; or a fault.
pub async fn read_stonks_round(
    house: &House,
    player: UserId,
    id: RoundId,
) -> Result<StonksRoundView, CasinoError> {
    match read_round(house, player, id).await?.game {
        VerifiableGame::Stonks(view) => Ok(view),
        VerifiableGame::Dice(_)
        | VerifiableGame::Crash(_)
        | VerifiableGame::Poker(_)
        | VerifiableGame::HeadsUp(_) => Err(Refusal::NotFound.into()),
    }
}
