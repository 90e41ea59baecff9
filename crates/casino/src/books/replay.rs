//! Replays one stored round from its seeds, for the check of the books and for administrators.

use glasshouse_domain::Spread;
use glasshouse_games::fairness::RoundSeeds;
use glasshouse_games::game_round::{GameRound, payout_in_cents};
use glasshouse_games::with_game;
use glasshouse_persistence::rounds::Round;
use glasshouse_transparency::Hash;

use crate::error::CasinoError;
use crate::play::round_view::{details_of, details_text};
use crate::statements::{amounts_of, round_entry};

/// What the replay of a round has found.
pub(crate) struct RoundReplay {
    /// What is stored otherwise than the seeds and the rules have it, in words; empty if nothing is.
    pub(crate) differences: Vec<&'static str>,
    /// The expected payout and its variance; zero for a round in play.
    pub(crate) spread: Spread,
    /// The leaf hash of the public entry; `None` for a round in play.
    pub(crate) entry: Option<Hash>,
}

impl RoundReplay {
    fn without_entry(differences: Vec<&'static str>) -> Self {
        Self {
            differences,
            spread: Spread::default(),
            entry: None,
        }
    }
}

/// Replays a round. A settled round must have ended at a time and in a way that its seeds allow, with the right payout and
/// details; an open round must have the right end time and details.
///
/// # Errors
/// If its stored details cannot be read, or the rules do not allow such a round.
pub(crate) fn replay(round: &Round, seeds: &RoundSeeds) -> Result<RoundReplay, CasinoError> {
    with_game!(round.game, R => replay_of::<R>(round, seeds))
}

fn replay_of<R: GameRound>(round: &Round, seeds: &RoundSeeds) -> Result<RoundReplay, CasinoError> {
    let details = details_of::<R>(round)?;
    let mut stream = seeds.stream();
    let game = R::restore(round.stake, details, &mut stream)
        .map_err(|error| CasinoError::corrupt(error.to_string()))?;
    let Some(ended_at) = round.ended_at else {
        let natural = game.natural_end();
        let due_at = natural
            .and_then(|end| end.after)
            .map(|after| round.started_at.saturating_add(after));
        return Ok(RoundReplay::without_entry(differences([
            ("state", !natural.is_some_and(|end| end.is_immediate())),
            ("end", round.due_at == due_at),
            ("stake", R::stake(&game.bet()) == round.stake),
            ("details", details_text(&game, None)? == round.details),
        ])));
    };
    let elapsed = ended_at.saturating_since(round.started_at);
    let Some(end) = game.end_as_stored(elapsed, round.multiplier) else {
        return Ok(RoundReplay::without_entry(vec!["end"]));
    };
    let stake = R::stake(&game.bet()).checked_add(end.added_stake);
    let payout = payout_in_cents(&end, round.rules, &mut stream);
    let found = differences([
        ("stake", stake == Some(round.stake)),
        ("payout", payout == round.payout),
        ("result", Some(end.result) == round.result),
        ("multiplier", end.multiplier == round.multiplier),
        ("details", details_text(&game, Some(&end))? == round.details),
    ]);
    if !found.is_empty() {
        return Ok(RoundReplay::without_entry(found));
    }
    let entry = round_entry(&game, &end, amounts_of(round), &mut stream, ended_at)?;
    Ok(RoundReplay {
        differences: found,
        spread: game.spread(&end),
        entry: Some(entry.hash),
    })
}

/// The names of what is not as it must be.
fn differences<const N: usize>(compared: [(&'static str, bool); N]) -> Vec<&'static str> {
    let wrong = compared.into_iter().filter(|(_, is_right)| !is_right);
    wrong.map(|(name, _)| name).collect()
}
