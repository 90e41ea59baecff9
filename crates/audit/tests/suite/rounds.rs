//! Rounds of all games, played with known seeds, and their public entries.

use std::time::Duration;

use glasshouse_domain::{Money, Multiplier, RulesVersion};
use glasshouse_games::fairness::{ClientSeed, RoundSeeds, ServerSeed};
use glasshouse_games::game_round::{GameRound, payout_in_cents};
use glasshouse_games::published::{Amounts, publish};
use glasshouse_games::{crash, dice, heads_up, mines, stonks, video_poker};
use glasshouse_transparency::entry::{Entry, Round, Terms};
use serde_json::value::RawValue;

use crate::honest::SECOND;

pub(crate) const CLIENT_SEED: &str = "suite";

/// A settled round.
pub(crate) struct Played {
    pub(crate) nonce: u64,
    pub(crate) stake: i64,
    pub(crate) payout: i64,
    pub(crate) line: String,
}

/// The seeds of all rounds.
pub(crate) fn seeds(nonce: u64) -> RoundSeeds {
    RoundSeeds {
        server_seed: ServerSeed::from_bytes([7; 32]),
        client_seed: ClientSeed::parse(CLIENT_SEED).unwrap(),
        nonce,
    }
}

/// Plays a round to its natural end, or by the given moves.
fn play<R: GameRound>(nonce: u64, bet: R::Bet, moves: &[R::Move]) -> Played {
    let mut stream = seeds(nonce).stream();
    let mut round = R::begin(bet, &mut stream);
    let mut end = round.natural_end();
    for play in moves {
        if end.is_none() {
            end = round.play(play.clone(), Duration::ZERO).unwrap();
        }
    }
    let end = end.expect("the moves end the round");
    let rules = RulesVersion::CURRENT;
    let stake = Money::from_cents(R::stake(&bet).cents() + end.added_stake.cents());
    let payout = payout_in_cents(&end, rules, &mut stream);
    let amounts = Amounts {
        rules,
        stake,
        payout,
    };
    let published = publish(&round, &end, amounts, &mut stream).unwrap();
    let terms = RawValue::from_string(published.terms.into_owned()).unwrap();
    let entry = Entry::Round(Round {
        game: published.game.as_str().to_owned(),
        rules: rules.number().into(),
        stake: stake.cents(),
        payout: payout.cents(),
        terms: Terms::new(&terms).unwrap(),
        words: published.blocks.into_owned(),
        second: SECOND,
    });
    Played {
        nonce,
        stake: stake.cents(),
        payout: payout.cents(),
        line: entry.to_line().unwrap(),
    }
}

/// Rounds of all games, won and lost, each with a nonce of its own; `count` of each game.
pub(crate) fn play_all(count: i64) -> Vec<Played> {
    let mut nonces = 0..;
    let mut rounds = Vec::new();
    let cents = Money::from_cents;
    let multiplier = Some(Multiplier::from_hundredths(200));
    for number in 0..count {
        let mut nonce = || nonces.next().unwrap();
        rounds.push(play_dice(nonce()));
        let bet = crash::Bet::new(cents(100 + number), multiplier, crash::Curve::Linear).unwrap();
        rounds.push(play::<crash::Round>(nonce(), bet, &[]));
        let bet = stonks::Bet::new(cents(100), Some(cents(120))).unwrap();
        rounds.push(play::<stonks::Round>(nonce(), bet, &[]));
        let bet = video_poker::Bet::new(cents(500)).unwrap();
        let draw = [video_poker::Move::Draw(None)];
        rounds.push(play::<video_poker::Round>(nonce(), bet, &draw));
        let bet = heads_up::Bet::new(cents(500)).unwrap();
        let moves = [heads_up::Action::Call];
        rounds.push(play::<heads_up::Round>(nonce(), bet, &moves));
        let bet = mines::Bet::new(cents(1_001), 12).unwrap();
        let cell = mines::Cell::new(12).unwrap();
        let moves = [mines::Move::Reveal(cell), mines::Move::CashOut];
        rounds.push(play::<mines::Round>(nonce(), bet, &moves));
    }
    rounds
}

/// A round of dice.
pub(crate) fn play_dice(nonce: u64) -> Played {
    let number = i64::try_from(nonce % 40).unwrap();
    let target = dice::Target::new(30 + number).unwrap();
    let stake = Money::from_cents(100 + number);
    let bet = dice::Bet::new(stake, target, dice::BetType::Over).unwrap();
    play::<dice::Round>(nonce, bet, &[])
}
