//! Rounds of crash and stonks whose outcome a test knows before they start.

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

/// The random stream of the player's next round, which no player can know.
pub(crate) async fn next_stream(test: &Fixture, player: UserId) -> Stream {
    let seeds = test
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            Ok(queries::account_of(connection, player)?.seeds)
        })
        .await
        .unwrap();
    let keys = &test.database.keys().seeds;
    let server_seed = keys.server_seed(&seeds.commitment).unwrap();
    let server_seed = ServerSeed::from_text(server_seed).unwrap();
    let client_seed = ClientSeed::parse(&seeds.client_seed).unwrap();
    Stream::new(&server_seed, &client_seed, seeds.next_nonce)
}

/// Plays dice for a cent a round until the next round of the game satisfies `is_match`, and returns
/// it.
pub(crate) async fn prepare<R: GameRound>(
    test: &Fixture,
    player: UserId,
    next_bet: R::Bet,
    is_match: impl Fn(&R) -> bool,
) -> R {
    loop {
        let round = R::begin(next_bet, &mut next_stream(test, player).await);
        if is_match(&round) {
            return round;
        }
        let cent_bet = bet(1, 50, BetType::Over);
        place_dice_bet(&test.house, player, cent_bet, None)
            .await
            .unwrap();
    }
}

/// Matches rounds whose crash point is in `range`, in hundredths.
pub(crate) fn crashes_in(range: std::ops::Range<u32>) -> impl Fn(&crash::Round) -> bool {
    move |round| {
        round.crash_point() != crash::CrashPoint::Instant
            && range.contains(&round.crash_point().shown().hundredths())
    }
}

/// The player's balance, in US cents.
pub(crate) async fn balance(test: &Fixture, player: UserId) -> i64 {
    let account = test
        .database
        .read::<_, DatabaseError, _>(move |connection| queries::account_of(connection, player))
        .await
        .unwrap();
    account.wallet.balance().cents()
}
