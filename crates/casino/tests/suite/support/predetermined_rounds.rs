//! Rounds of crash and stonks whose course a test chooses before they start.

use glasshouse_domain::{Money, Multiplier, UserId};
use glasshouse_games::dice::BetType;
use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use glasshouse_games::game_round::GameRound;
use glasshouse_games::{crash, stonks};
use glasshouse_persistence::{DatabaseError, queries};

use crate::support::games::place_dice_bet;
use crate::support::{Fixture, bet};

pub(crate) fn times(hundredths: u32) -> Multiplier {
    Multiplier::from_hundredths(hundredths)
}

pub(crate) fn crash_bet(cents: i64, auto_cashout: Option<u32>) -> crash::Bet {
    let auto_cashout = auto_cashout.map(times);
    crash::Bet::new(Money::from_cents(cents), auto_cashout, crash::Curve::Linear).unwrap()
}

pub(crate) fn stonks_bet(cents: i64, auto_sell: Option<i64>) -> stonks::Bet {
    stonks::Bet::new(Money::from_cents(cents), auto_sell.map(Money::from_cents)).unwrap()
}

/// The stream that the player's next round will have: what no player can know.
pub(crate) async fn next_stream(test: &Fixture, player: UserId) -> Stream {
    let seeds = test
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            Ok(queries::account_of(connection, player)?.seeds)
        })
        .await
        .unwrap();
    let server_seed = ServerSeed::from_text(seeds.server_seed).unwrap();
    let client_seed = ClientSeed::parse(&seeds.client_seed).unwrap();
    Stream::new(&server_seed, &client_seed, seeds.next_nonce)
}

/// Plays cents away at dice until the next round of crash is as wanted, and says what it will be.
pub(crate) async fn crash_plan(
    test: &Fixture,
    player: UserId,
    bet_to_be: crash::Bet,
    is_wanted: impl Fn(&crash::Round) -> bool,
) -> crash::Round {
    loop {
        let plan = crash::Round::begin(bet_to_be, &mut next_stream(test, player).await);
        if is_wanted(&plan) {
            return plan;
        }
        let cent = bet(1, 50, BetType::Over);
        place_dice_bet(&test.house, player, cent, None)
            .await
            .unwrap();
    }
}

/// The same for stonks.
pub(crate) async fn stonks_plan(
    test: &Fixture,
    player: UserId,
    bet_to_be: stonks::Bet,
    is_wanted: impl Fn(&stonks::Round) -> bool,
) -> stonks::Round {
    loop {
        let plan = stonks::Round::begin(bet_to_be, &mut next_stream(test, player).await);
        if is_wanted(&plan) {
            return plan;
        }
        let cent = bet(1, 50, BetType::Over);
        place_dice_bet(&test.house, player, cent, None)
            .await
            .unwrap();
    }
}

/// Crashes somewhere between so many and so many hundredths.
pub(crate) fn crashes_in(range: std::ops::Range<u32>) -> impl Fn(&crash::Round) -> bool {
    move |plan| {
        plan.crash_point() != crash::CrashPoint::Instant
            && range.contains(&plan.crash_point().shown().hundredths())
    }
}

pub(crate) async fn balance(test: &Fixture, player: UserId) -> i64 {
    let account = test
        .database
        .read::<_, DatabaseError, _>(move |connection| queries::account_of(connection, player))
        .await
        .unwrap();
    account.wallet.balance().cents()
}
