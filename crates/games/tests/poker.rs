//! Cards: every hand of five and of seven, the paytable, and heads-up by its exact counts.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use glasshouse_domain::Money;
use glasshouse_games::bet::BetError;
use glasshouse_games::cards::{Card, CardSet, draw};
use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use glasshouse_games::hand_rank::{Category, HandRank};
use glasshouse_games::heads_up::{self, Action, Equity, Showdown};
use glasshouse_games::video_poker::{Bet, Deal, Holds, HoldsError, PaidRank};

fn cards(text: &str) -> Vec<Card> {
    text.split(' ')
        .map(|card| Card::parse(card).unwrap())
        .collect()
}

fn set(text: &str) -> CardSet {
    cards(text).into_iter().collect()
}

fn stream(nonce: u64) -> Stream {
    let client_seed = ClientSeed::parse("cards").unwrap();
    Stream::new(&ServerSeed::from_bytes([3; 32]), &client_seed, nonce)
}

/// Visits every combination of `count` cards.
fn every(count: usize, visit: &mut impl FnMut(CardSet)) {
    fn go(deck: &[Card], hand: CardSet, missing: usize, visit: &mut impl FnMut(CardSet)) {
        if missing == 0 {
            visit(hand);
            return;
        }
        for (index, card) in deck.iter().enumerate() {
            if deck.len() - index >= missing {
                go(&deck[index + 1..], hand.with(*card), missing - 1, visit);
            }
        }
    }
    let deck: Vec<Card> = Card::deck().collect();
    go(&deck, CardSet::EMPTY, count, visit);
}

/// An evaluator without bit masks: it groups and sorts the ranks, and tries every five of the
/// cards.
fn naive(hand: &[Card]) -> (usize, Vec<u8>) {
    if hand.len() > 5 {
        return (0..hand.len())
            .map(|left_out| {
                let mut fewer = hand.to_vec();
                fewer.remove(left_out);
                naive(&fewer)
            })
            .max()
            .unwrap();
    }
    let mut ranks: Vec<u8> = hand.iter().map(|card| card.rank()).collect();
    ranks.sort_unstable_by(|one, other| other.cmp(one));
    let count = |rank: u8| {
        ranks
            .iter()
            .map(|other| usize::from(*other == rank))
            .sum::<usize>()
    };
    let mut order = ranks.clone();
    order.sort_by_key(|rank| std::cmp::Reverse((count(*rank), *rank)));
    let groups = (
        count(order[0]),
        order
            .iter()
            .find(|rank| **rank != order[0])
            .map_or(0, |rank| count(*rank)),
    );
    let is_flush = hand.iter().all(|card| card.suit() == hand[0].suit());
    let is_wheel = ranks == [12, 3, 2, 1, 0];
    let is_straight = is_wheel || ranks.windows(2).all(|pair| pair[0] == pair[1] + 1);
    let order = if is_wheel { vec![3, 2, 1, 0] } else { order };
    let category = match (groups, is_straight, is_flush) {
        (_, true, true) if ranks[0] == 12 && !is_wheel => 9,
        (_, true, true) => 8,
        ((4, _), ..) => 7,
        ((3, 2), ..) => 6,
        (_, _, true) => 5,
        (_, true, _) => 4,
        ((3, _), ..) => 3,
        ((2, 2), ..) => 2,
        ((2, _), ..) => 1,
        _ => 0,
    };
    (category, order)
}

#[test]
fn the_categories_of_all_five_card_hands_have_the_published_counts() {
    let mut counts = [0_u32; 10];
    let mut high_pairs = 0;
    every(5, &mut |hand| {
        let rank = HandRank::of(hand);
        counts[rank.category() as usize] += 1;
        high_pairs += u32::from(rank.is_high_pair());
    });
    let published = [
        1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4,
    ];
    assert_eq!(counts, published);
    assert_eq!(high_pairs, 337_920);
}

#[test]
fn the_categories_of_all_seven_card_hands_have_the_published_counts() {
    let mut counts = [0_u32; 10];
    every(7, &mut |hand| {
        counts[HandRank::of(hand).category() as usize] += 1;
    });
    let published = [
        23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848,
        37_260, 4_324,
    ];
    assert_eq!(counts, published);
}

#[test]
fn the_fast_evaluator_agrees_with_the_naive_one() {
    for size in [5, 6, 7] {
        let mut last: Option<(HandRank, (usize, Vec<u8>))> = None;
        for nonce in 0..4_000 {
            let drawn: [Card; 10] = draw(&mut stream(nonce));
            let hand = &drawn[..size];
            let fast = HandRank::of(hand.iter().copied().collect());
            let slow = naive(hand);
            assert_eq!(fast.category() as usize, slow.0, "{hand:?}");
            if let Some((before, before_slow)) = &last {
                assert_eq!(fast.cmp(before), slow.cmp(before_slow), "{hand:?}");
            }
            last = Some((fast, slow));
        }
    }
}

#[test]
fn kickers_decide_and_the_wheel_is_the_lowest_straight() {
    let better = |one: &str, other: &str| {
        assert!(
            HandRank::of(set(one)) > HandRank::of(set(other)),
            "{one} over {other}"
        );
    };
    better("AS AD KH 5C 2D", "AH AC QS JD 10H");
    better("2S 3D 4H 5C 6D", "AS 2D 3H 4C 5D");
    better("AS 2D 3H 4C 5D", "KS KD KH QC JD");
    better("3S 3D 3H 2C 2D", "2S 2D 2H AC AD");
    better("KS KD QH QC 3D", "KH KC QS QD 2D");
    let tie = |one: &str, other: &str| assert_eq!(HandRank::of(set(one)), HandRank::of(set(other)));
    tie("AS KD QH JC 9D", "AH KC QS JD 9H");
    // With three pairs in seven cards, the third is a kicker unless another card is higher.
    tie("AS AD KH KC QD QS 2C", "AH AC KS KD QH 3C 2D");
    assert_eq!(
        HandRank::of(set("AS KS QS JS 10S 9S 8S")).category(),
        Category::RoyalFlush
    );
    assert_eq!(
        HandRank::of(set("AS 2S 3S 4S 5S KD KH")).category(),
        Category::StraightFlush
    );
    assert_eq!(
        HandRank::of(set("2S 2D 2H 3C 3D 3S KH")).category(),
        Category::FullHouse
    );
}

#[test]
fn published_deals_are_reproduced() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("vectors/fairness.json")).unwrap();
    for row in vectors["video_poker_deal_and_draws"]["rows"]
        .as_array()
        .unwrap()
    {
        let server_seed = ServerSeed::from_text(row[0].as_str().unwrap().to_owned()).unwrap();
        let client_seed = ClientSeed::parse(row[1].as_str().unwrap()).unwrap();
        let mut stream = Stream::new(&server_seed, &client_seed, row[2].as_u64().unwrap());
        let deal = Deal::new(&mut stream);
        let expected = cards(row[3].as_str().unwrap());
        assert_eq!(deal.dealt().as_slice(), &expected[..5]);
        assert_eq!(deal.draw(Holds::NONE).as_slice(), &expected[5..]);
        // Holding the second and fourth card uses the first three replacements, from left to right.
        let holds = Holds::of(&[3, 1]).unwrap();
        let drawn = [
            expected[5],
            expected[1],
            expected[6],
            expected[3],
            expected[7],
        ];
        assert_eq!(deal.draw(holds), drawn);
        assert_eq!(
            deal.draw(Holds::of(&[0, 1, 2, 3, 4]).unwrap()),
            *deal.dealt()
        );
    }
}

/// χ² for 52 cards in each of nine positions over 60,000 deals, with 51 degrees of freedom each.
#[test]
fn every_card_is_equally_likely_in_every_position() {
    const DEALS: u64 = 60_000;
    let mut counts = vec![[0_u32; 52]; 9];
    for nonce in 0..DEALS {
        for (position, card) in draw::<9>(&mut stream(nonce)).into_iter().enumerate() {
            counts[position][usize::from(card.place())] += 1;
        }
    }
    let expected = 60_000.0 / 52.0;
    for (position, counts) in counts.iter().enumerate() {
        let chi_squared: f64 = counts
            .iter()
            .map(|count| (f64::from(*count) - expected).powi(2) / expected)
            .sum();
        // The probability of a false alarm is one in a million, and the seed is fixed.
        assert!(chi_squared < 112.0, "position {position}: {chi_squared}");
    }
}

#[test]
fn hands_are_paid_by_the_paytable() {
    let bet = |dollars: i64| Bet::new(Money::from_cents(dollars * 100)).unwrap();
    let paid = |hand: &str, dollars: i64| {
        i64::from(PaidRank::of(set(hand)).times(bet(dollars).is_maximum())) * dollars
    };
    for (hand, times) in [
        ("JS JD 2H 3C 4D", 1),
        ("10S 10D 2H 3C 4D", 0),
        ("2S 2D 3H 3C 4D", 2),
        ("2S 2D 2H 3C 4D", 3),
        ("AS 2D 3H 4C 5D", 4),
        ("2S 4S 6S 8S 10S", 5),
        ("2S 2D 2H 3C 3D", 8),
        ("2S 2D 2H 2C 3D", 25),
        ("9S 10S JS QS KS", 50),
        ("2S 3D 5H 7C 9D", 0),
    ] {
        assert_eq!(
            (paid(hand, 1), paid(hand, 10)),
            (times, times * 10),
            "{hand}"
        );
    }
    let royal = "10S JS QS KS AS";
    assert_eq!((paid(royal, 9), paid(royal, 10)), (2_250, 8_000));
}

#[test]
fn invalid_bets_and_holds_are_refused() {
    let check = |cents: i64, is_valid: bool| {
        assert_eq!(
            Bet::new(Money::from_cents(cents)).is_ok(),
            is_valid,
            "{cents}"
        );
    };
    check(100, true);
    check(1_000, true);
    for cents in [0, -100, 99, 150, 1_001, 1_100] {
        check(cents, false);
    }
    for positions in [&[5][..], &[-1], &[0, 0], &[0, 1, 2, 3, 4, 0], &[i64::MAX]] {
        assert_eq!(Holds::of(positions), Err(HoldsError), "{positions:?}");
    }
    assert_eq!(Holds::of(&[4, 0]).unwrap().positions(), [0, 4]);
    let heads_up = |cents: i64| heads_up::Bet::new(Money::from_cents(cents)).map(|_| ());
    assert_eq!(heads_up(500), Ok(()));
    assert_eq!(heads_up(100_000), Ok(()));
    assert_eq!(heads_up(0), Err(BetError::StakeNotPositive));
    assert_eq!(
        heads_up(400),
        Err(BetError::StakeBelowMinimum(Money::from_cents(500)))
    );
    assert_eq!(
        heads_up(501),
        Err(BetError::StakeNotWhole(Money::from_cents(500)))
    );
    assert_eq!(
        heads_up(100_500),
        Err(BetError::StakeAboveMaximum(Money::from_cents(100_000)))
    );
}

/// The example in `docs/games.md#heads-up-check`: A♠ K♦ on 2♣ 7♦ 9♥.
#[test]
fn the_equity_of_the_published_state_is_exact() {
    let hole: [Card; 2] = cards("AS KD").try_into().unwrap();
    let flop: [Card; 3] = cards("2C 7D 9H").try_into().unwrap();
    let equity = Equity::of(hole, flop);
    assert_eq!(equity.total, 1_070_190);
    assert_eq!(
        (equity.wins, equity.ties, equity.losses()),
        (554_077, 11_469, 504_644)
    );
    assert_eq!(equity.unqualified, 340_548);
    assert_eq!(
        (equity.wins_qualified, equity.ties_qualified),
        (256_551, 6_637)
    );
    // The payouts of a call from the table, computed by hand: 4a/2a/0 if the house qualifies,
    // otherwise 3a/2a/a.
    let unqualified_losses = equity.unqualified - (554_077 - 256_551) - (11_469 - 6_637);
    let call = 4 * 256_551
        + 2 * 6_637
        + 3 * (554_077 - 256_551)
        + 2 * (11_469 - 6_637)
        + unqualified_losses;
    assert_eq!(equity.paid_bets(Action::Call), call);
    assert_eq!(equity.paid_bets(Action::Fold), 0);
}

/// Every entry of the table in `docs/games.md#heads-up-table`.
#[test]
fn heads_up_pays_according_to_the_table() {
    let bet = heads_up::Bet::new(Money::from_cents(2_500)).unwrap();
    let table = [
        (Action::Fold, [[0, 0, 0], [0, 0, 0]]),
        (Action::Call, [[3, 2, 1], [4, 2, 0]]),
        (Action::Raise, [[4, 3, 2], [6, 3, 0]]),
    ];
    for (action, rows) in table {
        for (qualifies, row) in [false, true].into_iter().zip(rows) {
            for (showdown, bets) in [Showdown::Win, Showdown::Push, Showdown::Loss]
                .into_iter()
                .zip(row)
            {
                let paid = bet.payout(action, showdown, qualifies);
                assert_eq!(
                    paid,
                    Money::from_cents(2_500 * bets),
                    "{action:?} {showdown:?} {qualifies}"
                );
            }
        }
    }
}

/// The results of complete deals match those of the naive evaluator.
#[test]
fn heads_up_compares_the_best_five_of_seven() {
    let bet = heads_up::Bet::new(Money::from_cents(2_500)).unwrap();
    let mut seen = [0; 3];
    for nonce in 0..2_000 {
        let deal = heads_up::Deal::new(&mut stream(nonce));
        let rank =
            |own: &[Card; 2]| naive(&own.iter().chain(deal.board()).copied().collect::<Vec<_>>());
        let (player, house) = (rank(deal.player()), rank(deal.house()));
        let result = deal.finish(&bet, Action::Raise);
        let expected = match player.cmp(&house) {
            std::cmp::Ordering::Greater => Showdown::Win,
            std::cmp::Ordering::Equal => Showdown::Push,
            std::cmp::Ordering::Less => Showdown::Loss,
        };
        assert_eq!(result.showdown, expected);
        let qualifies = house.0 > 1 || (house.0 == 1 && house.1[0] >= 1);
        assert_eq!(result.house_qualifies, qualifies);
        seen[match expected {
            Showdown::Win => 0,
            Showdown::Push => 1,
            _ => 2,
        }] += 1;
        assert_eq!(deal.finish(&bet, Action::Fold).payout, Money::ZERO);
        assert_eq!(deal.flop(), deal.board()[..3]);
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}
