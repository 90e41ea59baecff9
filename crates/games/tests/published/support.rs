//! Rounds of all games, played by many strategies from fixed seeds.

use std::time::Duration;

use glasshouse_domain::{Game, Money, Multiplier, RulesVersion, Spread};
use glasshouse_games::fairness::{ClientSeed, RoundSeeds, ServerSeed, Stream};
use glasshouse_games::game_round::{End, GameRound, payout_in_cents};
use glasshouse_games::published::{Amounts, PublishedRound, publish};
use glasshouse_games::{crash, dice, heads_up, mines, stonks, video_poker};

/// A round that was played and published.
pub(crate) struct Played {
    pub(crate) published: PublishedRound<'static>,
    pub(crate) end: End,
    pub(crate) spread: Spread,
}

pub(crate) const RULES: [RulesVersion; 2] = [RulesVersion::RoundedDown, RulesVersion::FairCents];

pub(crate) fn money(cents: i64) -> Money {
    Money::from_cents(cents)
}

pub(crate) fn seeds(nonce: u64) -> RoundSeeds {
    RoundSeeds {
        server_seed: ServerSeed::from_text("0123456789abcdef".repeat(4)).unwrap(),
        client_seed: ClientSeed::parse("glasshouse").unwrap(),
        nonce,
    }
}

/// Plays a round with the given function, which returns its end, and publishes it.
pub(crate) fn play_by<R: GameRound>(
    nonce: u64,
    rules: RulesVersion,
    bet: R::Bet,
    strategy: impl FnOnce(&mut R) -> End,
) -> Played {
    let seeds = seeds(nonce);
    let mut stream: Stream = seeds.stream();
    let mut round = R::begin(bet, &mut stream);
    let end = strategy(&mut round);
    let stake = R::stake(&bet).checked_add(end.added_stake).unwrap();
    let payout = payout_in_cents(&end, rules, &mut seeds.stream());
    let amounts = Amounts {
        rules,
        stake,
        payout,
    };
    Played {
        published: publish(&round, &end, amounts, &mut stream).unwrap(),
        spread: round.spread(&end),
        end,
    }
}

/// The item of a list that belongs to a number; consecutive numbers get consecutive items.
pub(crate) fn pick<T: Copy>(number: u64, items: &[T]) -> T {
    items[usize::try_from(number).unwrap() % items.len()]
}

/// Plays a round of the game by a strategy that depends on the nonce.
pub(crate) fn play(game: Game, nonce: u64, rules: RulesVersion) -> Played {
    match game {
        Game::Dice => play_dice(nonce, rules),
        Game::Crash => play_crash(nonce, rules),
        Game::Stonks => play_stonks(nonce, rules),
        Game::VideoPoker => play_video_poker(nonce, rules),
        Game::HeadsUp => play_heads_up(nonce, rules),
        Game::Mines => play_mines(nonce, rules),
    }
}

pub(crate) fn dice_bet(cents: i64, target: i64, side: dice::BetType) -> dice::Bet {
    dice::Bet::new(money(cents), dice::Target::new(target).unwrap(), side).unwrap()
}

fn play_dice(nonce: u64, rules: RulesVersion) -> Played {
    let stake = pick(nonce, &[1, 7, 99, 101, 1_000, 100_000, 12_345]);
    let side = pick(nonce, &[dice::BetType::Over, dice::BetType::Under]);
    let target = i64::try_from(nonce % 98).unwrap() + 1;
    play_by::<dice::Round>(nonce, rules, dice_bet(stake, target, side), |round| {
        round.natural_end().unwrap()
    })
}

pub(crate) fn crash_bet(
    cents: i64,
    auto_hundredths: Option<u32>,
    curve: crash::Curve,
) -> crash::Bet {
    let auto = auto_hundredths.map(Multiplier::from_hundredths);
    crash::Bet::new(money(cents), auto, curve).unwrap()
}

/// Waits for the end, or leaves after some time, with a claim up to the multiplier shown.
fn play_crash(nonce: u64, rules: RulesVersion) -> Played {
    let stake = pick(nonce, &[100, 101, 133, 1_000, 99_999]);
    let autos = [
        None,
        Some(101),
        Some(150),
        Some(700),
        Some(10_000),
        Some(50_000),
        None,
    ];
    let curve = pick(nonce / 2, &crash::Curve::ALL);
    let bet = crash_bet(stake, pick(nonce, &autos), curve);
    let after = Duration::from_millis(nonce * 37 % 9_000);
    let claim = Multiplier::from_hundredths(pick(nonce / 3, &[100_000, 117, 100, 333]));
    play_by::<crash::Round>(nonce, rules, bet, |round| {
        let left = round.leave(after, claim).ok().filter(|_| nonce % 4 < 3);
        left.unwrap_or_else(|| round.ending())
    })
}

pub(crate) fn stonks_bet(cents: i64, auto_sell_cents: Option<i64>) -> stonks::Bet {
    stonks::Bet::new(money(cents), auto_sell_cents.map(money)).unwrap()
}

/// Waits for the end, or sells after some time.
fn play_stonks(nonce: u64, rules: RulesVersion) -> Played {
    let stake = pick(nonce, &[1, 3, 100, 777, 100_000]);
    let auto_sell = pick(
        nonce / 2,
        &[None, Some(stake + 1), Some(stake * 2), Some(stake * 90)],
    );
    let after = Duration::from_millis(500 + nonce * 333 % 20_000);
    play_by::<stonks::Round>(nonce, rules, stonks_bet(stake, auto_sell), |round| {
        let left = round.leave(after).ok().filter(|_| nonce % 4 < 3);
        left.unwrap_or_else(|| round.ending())
    })
}

/// Holds each of the 32 choices in turn, sometimes only after another one.
fn play_video_poker(nonce: u64, rules: RulesVersion) -> Played {
    let bet = video_poker::Bet::new(money(pick(nonce, &[100, 500, 1_000]))).unwrap();
    let holds = video_poker::Holds::all().nth(usize::try_from(nonce % 32).unwrap());
    let first = video_poker::Holds::of(&[1, 3]).unwrap();
    play_by::<video_poker::Round>(nonce, rules, bet, |round| {
        let stored = round.play(video_poker::Move::Hold(first), Duration::ZERO);
        assert_eq!(stored, Ok(None));
        let draw = video_poker::Move::Draw(holds.filter(|_| !nonce.is_multiple_of(5)));
        round.play(draw, Duration::ZERO).unwrap().unwrap()
    })
}

fn play_heads_up(nonce: u64, rules: RulesVersion) -> Played {
    let bet = heads_up::Bet::new(money(pick(nonce, &[500, 2_500, 100_000]))).unwrap();
    let action = pick(nonce / 3, &heads_up::Action::ALL);
    play_by::<heads_up::Round>(nonce, rules, bet, |round| {
        round.play(action, Duration::ZERO).unwrap().unwrap()
    })
}

/// Reveals up to a number of cells, starting at one and going in steps through the grid, and then
/// cashes out.
fn play_mines(nonce: u64, rules: RulesVersion) -> Played {
    let stake = pick(nonce, &[10, 11, 1_000, 99_999, 100_000]);
    let mines = pick(nonce / 2, &[1, 3, 2, 5, 8, 12, 16, 24]);
    let bet = mines::Bet::new(money(stake), mines).unwrap();
    let reveals = 1 + nonce * 3 % 24;
    play_by::<mines::Round>(nonce, rules, bet, |round| {
        for reveal in 0..reveals {
            let cell = mines::Cell::new(i64::try_from((nonce + 7 * reveal) % 25).unwrap()).unwrap();
            let revealed = round.play(mines::Move::Reveal(cell), Duration::ZERO);
            if let Some(end) = revealed.unwrap() {
                return end;
            }
        }
        let cashed_out = round.play(mines::Move::CashOut, Duration::ZERO);
        cashed_out.unwrap().unwrap()
    })
}
