//! Settled rounds as anyone can check them without their seeds: what was staked, chosen and paid,
//! and the blocks of the stream that decided the round (`docs/games.md#published`).

use std::borrow::Cow;
use std::io::{self, Write};

use glasshouse_domain::{Game, Money, Multiplier, RoundResult, RulesVersion, Spread};
use serde::Serialize;

use crate::fairness::{Block, Stream, WrongBlocks};
use crate::game_round::{BrokenRound, End, GameRound, payout_in_cents};
use crate::with_game;

/// A settled round without its seeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedRound<'a> {
    /// The game.
    pub game: Game,
    /// The version of the rules that the round was played by.
    pub rules: RulesVersion,
    /// The total stake.
    pub stake: Money,
    /// The amount credited.
    pub payout: Money,
    /// The player's choices, the game's [`GameRound::Terms`], as JSON without spaces.
    pub terms: Cow<'a, str>,
    /// The blocks of the stream that decided the round, in the order in which they were drawn. The
    /// block that decided about a fraction of a cent is the last one, if there was a fraction.
    pub blocks: Cow<'a, [Block]>,
}

/// What follows from a published round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Replay {
    /// The result.
    pub result: RoundResult,
    /// The multiplier that the player left with, in a game that can be left.
    pub multiplier: Option<Multiplier>,
    /// The expected payout of the round and its variance.
    pub spread: Spread,
}

/// Why a published round cannot be true.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The terms are not the game's.
    #[error("invalid terms: {0}")]
    Terms(#[from] serde_json::Error),
    /// The rules do not allow such a round.
    #[error("impossible round: {0}")]
    Impossible(#[from] BrokenRound),
    /// The terms are not the text that is published of such a round.
    #[error("the terms are not in their canonical form")]
    NotCanonical,
    /// The number of blocks is wrong.
    #[error("wrong number of blocks: {0}")]
    Blocks(#[from] WrongBlocks),
    /// The total stake does not match the terms.
    #[error("${published} is published as the stake, but ${computed} was staked")]
    Stake {
        /// The published amount.
        published: Money,
        /// The amount that follows from the terms.
        computed: Money,
    },
    /// The payout does not follow from blocks and terms.
    #[error("${published} is published as the payout, but ${computed} is right")]
    Payout {
        /// The published amount.
        published: Money,
        /// The amount that follows from blocks and terms.
        computed: Money,
    },
}

/// What a settled round has staked and paid, and by which rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amounts {
    /// The version of the rules that the round was played by.
    pub rules: RulesVersion,
    /// The total stake.
    pub stake: Money,
    /// The amount credited.
    pub payout: Money,
}

/// Publishes a settled round. `stream` is the stream that the round was begun or restored with.
///
/// # Errors
/// If the terms cannot be written as JSON, which no game's terms cause.
pub fn publish<R: GameRound>(
    round: &R,
    end: &End,
    amounts: Amounts,
    stream: &mut Stream,
) -> Result<PublishedRound<'static>, serde_json::Error> {
    // The cent block is among the stream's blocks once the payout was computed.
    let _ = payout_in_cents(end, amounts.rules, stream);
    Ok(PublishedRound {
        game: R::INFO.game,
        rules: amounts.rules,
        stake: amounts.stake,
        payout: amounts.payout,
        terms: Cow::Owned(serde_json::to_string(&round.terms(end))?),
        blocks: Cow::Owned(stream.blocks()),
    })
}

/// Replays a published round from its blocks.
///
/// # Errors
/// If the round contradicts its rules, its terms or its blocks.
pub fn verify(published: &PublishedRound<'_>) -> Result<Replay, ReplayError> {
    with_game!(published.game, R => verify_as::<R>(published))
}

fn verify_as<R: GameRound>(published: &PublishedRound<'_>) -> Result<Replay, ReplayError> {
    let terms: R::Terms = serde_json::from_str(&published.terms)?;
    let mut stream = Stream::from_blocks(published.blocks.to_vec());
    let replayed = R::replay(published.stake, terms, &mut stream);
    // With a block missing, the replay is not that of the round, so this is the better reason.
    if stream.check_published() == Err(WrongBlocks::Missing) {
        return Err(WrongBlocks::Missing.into());
    }
    let (round, end) = replayed?;
    if !is_written_as(&round.terms(&end), &published.terms) {
        return Err(ReplayError::NotCanonical);
    }
    let payout = payout_in_cents(&end, published.rules, &mut stream);
    stream.check_published()?;
    let opening = R::stake(&round.bet()).cents();
    let stake = Money::from_cents(opening.saturating_add(end.added_stake.cents()));
    if stake != published.stake {
        return Err(ReplayError::Stake {
            published: published.stake,
            computed: stake,
        });
    }
    if payout != published.payout {
        return Err(ReplayError::Payout {
            published: published.payout,
            computed: payout,
        });
    }
    Ok(Replay {
        result: end.result,
        multiplier: end.multiplier,
        spread: round.spread(&end),
    })
}

/// Whether the terms' JSON is exactly this text.
fn is_written_as(terms: &impl Serialize, text: &str) -> bool {
    let mut rest = Expected(text.as_bytes());
    serde_json::to_writer(&mut rest, terms).is_ok() && rest.0.is_empty()
}

/// Accepts only these bytes.
struct Expected<'a>(&'a [u8]);

impl Write for Expected<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.strip_prefix(bytes) {
            Some(rest) => {
                self.0 = rest;
                Ok(bytes.len())
            }
            None => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
