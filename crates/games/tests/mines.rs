//! Mines: the RTP for every number of mines and of reveals, draws and payouts compared with another
//! implementation, and every refusal.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::time::Duration;

use glasshouse_domain::{Money, RoundResult, RulesVersion};
use glasshouse_games::bet::BetError;
use glasshouse_games::fairness::{ClientSeed, RoundSeeds, ServerSeed, Stream};
use glasshouse_games::game_round::{End, GameRound, MoveError, payout_in_cents};
use glasshouse_games::mines::{
    Bet, CELLS, Cell, Details, MAXIMUM_PAYOUT, MAXIMUM_STAKE, MINIMUM_STAKE, Move, Round,
};

const SEED: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

fn bet(cents: i64, mines: i64) -> Bet {
    Bet::new(Money::from_cents(cents), mines).unwrap()
}

fn cell(number: i64) -> Cell {
    Cell::new(number).unwrap()
}

fn seeds(server_seed: &str, client_seed: &str, nonce: u64) -> RoundSeeds {
    RoundSeeds {
        server_seed: ServerSeed::from_text(server_seed.to_owned()).unwrap(),
        client_seed: ClientSeed::parse(client_seed).unwrap(),
        nonce,
    }
}

fn stream(nonce: u64) -> Stream {
    seeds(SEED, "glasshouse", nonce).stream()
}

fn reveal(round: &mut Round, number: i64) -> Option<End> {
    round
        .play(Move::Reveal(cell(number)), Duration::ZERO)
        .unwrap()
}

fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

/// The probability of k safe reveals times their payout is 99/100 of the stake, for all 300 pairs.
#[test]
fn the_rtp_is_99_percent_for_every_number_of_mines_and_reveals() {
    let mut pairs = 0;
    for mines in 1..=24 {
        let bet = bet(100, mines);
        let (mut chance, mut total) = (1_u128, 1_u128);
        for k in 1..=bet.safe_cells() {
            chance *= u128::from(bet.safe_cells() - (k - 1));
            total *= u128::from(CELLS - (k - 1));
            let divisor = greatest_common_divisor(chance, total);
            (chance, total) = (chance / divisor, total / divisor);
            let (numerator, denominator) = bet.odds(k);
            let (paid, staked) = (
                chance * u128::from(numerator),
                total * u128::from(denominator),
            );
            assert_eq!(paid * 100, staked * 99, "{mines} mines, {k} cells");
            pairs += 1;
        }
    }
    assert_eq!(pairs, 300);
}

/// Counts, among all layouts of three mines, those whose first k cells are safe.
#[test]
fn the_odds_match_an_enumeration_of_every_layout() {
    let bet = bet(100, 3);
    let mut layouts = 0_u32;
    let mut safe_layouts = [0_u32; 26];
    for a in 0..CELLS {
        for b in a + 1..CELLS {
            for _ in b + 1..CELLS {
                layouts += 1;
                for count in &mut safe_layouts[..=usize::from(a)] {
                    *count += 1;
                }
            }
        }
    }
    for k in 1..=bet.safe_cells() {
        let (numerator, denominator) = bet.odds(k);
        let (paid, staked) = (
            u64::from(numerator) * u64::from(safe_layouts[usize::from(k)]),
            u64::from(denominator) * u64::from(layouts),
        );
        assert_eq!(paid * 100, staked * 99, "{k}");
    }
}

/// The expected values were computed by another implementation, in Python.
#[test]
fn draws_and_payouts_match_another_implementation() {
    let draws: [(&str, &str, u64, [i64; 24]); 3] = [
        (
            SEED,
            "glasshouse",
            0,
            [
                14, 1, 5, 8, 6, 7, 9, 23, 4, 21, 17, 16, 24, 0, 19, 15, 11, 10, 2, 22, 20, 13, 3,
                18,
            ],
        ),
        (
            SEED,
            "glasshouse",
            41,
            [
                11, 15, 24, 9, 5, 14, 19, 3, 21, 8, 18, 22, 0, 12, 17, 20, 13, 7, 1, 16, 4, 23, 10,
                2,
            ],
        ),
        (
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            "lamp-7_x",
            7,
            [
                6, 7, 9, 10, 0, 12, 16, 15, 5, 22, 3, 20, 1, 19, 2, 17, 14, 11, 23, 4, 21, 24, 18,
                8,
            ],
        ),
    ];
    for (server_seed, client_seed, nonce, cells) in draws {
        for mines in [1_usize, 3, 24] {
            let bet = bet(100, i64::try_from(mines).unwrap());
            let round = Round::begin(bet, &mut seeds(server_seed, client_seed, nonce).stream());
            let expected: Vec<Cell> = cells[..mines].iter().map(|number| cell(*number)).collect();
            assert_eq!(round.mines(), expected);
        }
    }
    let hundredths = [
        (1, 1, 103),
        (1, 24, 2_475),
        (3, 4, 171),
        (3, 22, 227_700),
        (12, 12, 39_602_284),
        (24, 1, 2_475),
        (20, 5, 5_259_870),
        (2, 23, 29_700),
    ];
    for (mines, k, expected) in hundredths {
        assert_eq!(
            bet(100, mines).multiplier(k).hundredths(),
            expected,
            "{mines} {k}"
        );
    }
    let payouts = [
        (0, 1_000, 3, 4, 1_713),
        (0, 10, 3, 1, 12),
        (2, 10, 3, 1, 11),
        (3, 1_999, 5, 3, 3_993),
        (4, 777, 7, 2, 1_509),
        (5, 100_000, 3, 11, 625_550),
        (6, 33, 24, 1, 817),
    ];
    for (nonce, cents, mines, k, expected) in payouts {
        let payout = bet(cents, mines).payout(k);
        let paid = payout.in_cents(RulesVersion::FairCents, || stream(nonce).cent_word());
        assert_eq!(paid.cents(), expected, "{nonce} {cents} {mines} {k}");
    }
}

#[test]
fn a_mine_loses_the_round_and_a_cash_out_pays_for_the_safe_cells() {
    // The mines for nonce 0 are in cells 14, 1 and 5.
    let mut round = Round::begin(bet(1_000, 3), &mut stream(0));
    for number in [0, 24, 7] {
        assert_eq!(reveal(&mut round, number), None);
    }
    let mut left = round.clone();
    let end = left.play(Move::CashOut, Duration::ZERO).unwrap().unwrap();
    assert_eq!(
        (end.result, end.multiplier),
        (RoundResult::Win, Some(bet(1_000, 3).multiplier(3)))
    );
    assert_eq!(end.payout, bet(1_000, 3).payout(3));
    let lost = reveal(&mut round, 5).unwrap();
    assert_eq!(
        (lost.result, lost.multiplier, lost.payout.rounded_up()),
        (RoundResult::Loss, None, Money::ZERO)
    );
    let view = round.view(Some(&lost));
    assert_eq!((view.safe, view.hit), (3, Some(cell(5))));
    assert_eq!(view.mines, Some(vec![cell(14), cell(1), cell(5)]));
}

#[test]
fn a_round_in_play_does_not_reveal_its_mines() {
    for nonce in 0..50 {
        let mut round = Round::begin(bet(1_000, 5), &mut stream(nonce));
        let safe = (0..25)
            .find(|number| !round.mines().contains(&cell(*number)))
            .unwrap();
        assert_eq!(reveal(&mut round, safe), None);
        let view = round.view(None);
        assert_eq!((view.mines, view.hit, view.safe), (None, None, 1));
        let stored = serde_json::to_string(&round.details(None)).unwrap();
        assert_eq!(stored, format!("{{\"mines\":5,\"revealed\":[{safe}]}}"));
    }
}

#[test]
fn revealing_a_cell_twice_changes_nothing() {
    let mut round = Round::begin(bet(1_000, 3), &mut stream(0));
    assert_eq!(reveal(&mut round, 7), None);
    let before = round.clone();
    assert_eq!(reveal(&mut round, 7), None);
    assert_eq!(round, before);
}

#[test]
fn cashing_out_before_the_first_reveal_is_refused() {
    let mut round = Round::begin(bet(1_000, 3), &mut stream(0));
    let refused = round.play(Move::CashOut, Duration::ZERO);
    assert_eq!(
        refused,
        Err(MoveError::TooEarly("Reveal a cell before you cash out"))
    );
    assert_eq!(round.end_as_stored(Duration::ZERO, None), None);
}

#[test]
fn revealing_the_last_safe_cell_cashes_out() {
    // With these numbers of mines, the smallest stake never reaches the maximum payout.
    for mines in (1..=7).chain(18..=24) {
        let terms = bet(10, mines);
        let mut round = Round::begin(terms, &mut stream(3));
        let safe: Vec<i64> = (0..25)
            .filter(|number| !round.mines().contains(&cell(*number)))
            .collect();
        let (last, before) = safe.split_last().unwrap();
        for number in before {
            assert_eq!(reveal(&mut round, *number), None, "{mines}");
        }
        let end = reveal(&mut round, *last).unwrap();
        assert_eq!(end.payout, terms.payout(terms.safe_cells()), "{mines}");
    }
}

/// A stake of 1,000 dollars with twelve mines would be worth over 100,000 after a few cells.
#[test]
fn a_round_is_cashed_out_before_a_reveal_that_could_exceed_the_maximum() {
    let mut capped = 0;
    for mines in 1..=24 {
        let terms = Bet::new(MAXIMUM_STAKE, mines).unwrap();
        let mut round = Round::begin(terms, &mut stream(4));
        let safe: Vec<i64> = (0..25)
            .filter(|number| !round.mines().contains(&cell(*number)))
            .collect();
        let (end, revealed) = safe
            .iter()
            .zip(1_u8..)
            .find_map(|(number, revealed)| Some((reveal(&mut round, *number)?, revealed)))
            .unwrap();
        assert!(end.payout.rounded_up() <= MAXIMUM_PAYOUT, "{mines}");
        assert_eq!(end.payout, terms.payout(revealed));
        if revealed < terms.safe_cells() {
            assert!(
                terms.payout(revealed + 1).rounded_up() > MAXIMUM_PAYOUT,
                "{mines}"
            );
            capped += 1;
        }
    }
    assert!(capped >= 20, "{capped}");
    // At the smallest stake, only rounds with 8 to 17 mines reach the maximum payout.
    for mines in 1..=24 {
        let terms = Bet::new(MINIMUM_STAKE, mines).unwrap();
        let offered = (0..terms.safe_cells())
            .take_while(|k| terms.offers_another(*k))
            .count();
        let is_whole = offered == usize::from(terms.safe_cells());
        assert!(is_whole || (8..=17).contains(&mines), "{mines}: {offered}");
    }
}

#[test]
fn a_stored_round_is_restored_with_its_end() {
    let round_seeds = seeds(SEED, "glasshouse", 0);
    let mut round = Round::begin(bet(1_000, 3), &mut round_seeds.stream());
    for number in [0, 24, 7, 12] {
        assert_eq!(reveal(&mut round, number), None);
    }
    let stored = |round: &Round| round.details(None);
    let restore = |details: Details| {
        Round::restore(Money::from_cents(1_000), details, &mut round_seeds.stream())
    };
    assert_eq!(restore(stored(&round)).unwrap(), round);
    let end = round.end_as_stored(Duration::ZERO, None).unwrap();
    assert_eq!(
        payout_in_cents(&end, RulesVersion::FairCents, &mut round_seeds.stream()).cents(),
        1_713
    );
    assert!(round.was_ended_by(&Move::CashOut) && round.was_ended_by(&Move::Reveal(cell(12))));
    assert!(!round.was_ended_by(&Move::Reveal(cell(7))));
    reveal(&mut round, 5).unwrap();
    let restored = restore(stored(&round)).unwrap();
    assert_eq!(
        restored.end_as_stored(Duration::ZERO, None).unwrap().result,
        RoundResult::Loss
    );
    assert!(!restored.was_ended_by(&Move::CashOut));
    for broken in [vec![0, 0], vec![25], vec![5, 0]] {
        let details = Details {
            mines: 3,
            revealed: broken,
        };
        assert!(restore(details.clone()).is_err(), "{details:?}");
    }
    assert!(
        restore(Details {
            mines: 0,
            revealed: Vec::new()
        })
        .is_err()
    );
}

#[test]
fn invalid_bets_and_cells_are_refused() {
    let stake = Money::from_cents(1_000);
    for mines in [i64::MIN, -1, 0, 25, i64::MAX] {
        let refused = Bet::new(stake, mines).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "The number of mines must be between 1 and 24"
        );
    }
    assert_eq!(
        Bet::new(Money::from_cents(9), 3),
        Err(BetError::StakeBelowMinimum(MINIMUM_STAKE))
    );
    assert_eq!(
        Bet::new(Money::from_cents(100_001), 3),
        Err(BetError::StakeAboveMaximum(MAXIMUM_STAKE))
    );
    assert_eq!(Bet::new(Money::ZERO, 3), Err(BetError::StakeNotPositive));
    for number in [i64::MIN, -1, 25, i64::MAX] {
        assert!(Cell::new(number).is_err());
    }
    let numbers: BTreeSet<u8> = Cell::all().map(Cell::get).collect();
    assert_eq!(numbers.len(), usize::from(CELLS));
}
