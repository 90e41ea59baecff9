//! The house's report on measured returns, and its summary.

use std::time::Duration;

use glasshouse_casino::books::{read_house_report, read_summary};
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_domain::Money;
use glasshouse_games::video_poker;
use rstest_reuse::apply;

use crate::support::games::{deal_poker_hand, draw_cards, play_dice};
use crate::support::{Fixture, both_databases};

const DAY: Duration = Duration::from_hours(24);
/// 2023-11-14.
const FIRST_DAY: i64 = 19_675;

#[apply(both_databases)]
async fn the_report_measures_the_return_of_the_games(#[case] test: &Fixture) {
    // Staked 230.00 and paid 230.00 in 50 rounds, over two writers and two days. The expected payout
    // is 227.70 with a variance of 16,000,000 square cents: a standard deviation of 40.00.
    let insert = |day: i64, shard: i64, sums: &str| {
        format!("INSERT INTO house_totals VALUES ({day}, 'dice', {shard}, {sums})")
    };
    test.sql(&insert(FIRST_DAY, 0, "20, 0, 2000, 0, 1980, 1000000"))
        .unwrap();
    test.sql(&insert(FIRST_DAY, 1, "10, 10, 1000, 3000, 990, 5000000"))
        .unwrap();
    let second = "20, 10, 20000, 20000, 19800, 10000000";
    test.sql(&insert(FIRST_DAY + 1, 0, second)).unwrap();
    test.clock.advance(DAY);
    let report = read_house_report(&test.house, 2).await.unwrap();
    let dice = &report.games[0];
    assert_eq!(
        (dice.turnover.rounds, dice.turnover.profit().cents()),
        (50, 0)
    );
    assert_eq!(dice.turnover.return_hundredths_of_percent(), Some(10_000));
    let measured = dice.measured.unwrap();
    // The interval is ±1.959964 × 4,000 / 23,000. A deviation of 230 / 4,000 = 0.0575 standard
    // deviations or more has a probability of 95 %.
    assert_eq!(
        format!("{:.6} {:.6}", measured.low, measured.high),
        "0.659137 1.340863"
    );
    assert_eq!(format!("{:.4}", measured.p_value), "0.9541");
    let [first, second] = report.days.as_slice() else {
        panic!("{report:?}")
    };
    assert_eq!(
        (
            first.turnover.profit().cents(),
            second.turnover.profit().cents()
        ),
        (0, 0)
    );
    assert_eq!((first.turnover.rounds, second.turnover.rounds), (30, 20));
    let today = read_house_report(&test.house, 1).await.unwrap();
    assert!(
        today.games[0].measured.is_none(),
        "20 rounds are too few to measure"
    );
}

#[apply(both_databases)]
async fn the_summary_counts_open_reviews_and_pending_withdrawals(#[case] test: &Fixture) {
    let alice = test.player("alice", 100_000).await;
    test.player("bob", 0).await;
    let address = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
    for amount in ["20", "30.50"] {
        let request = WithdrawalRequest::parse(amount, "btc", address).unwrap();
        request_withdrawal(&test.house, alice, request, None)
            .await
            .unwrap();
    }
    test.sql("UPDATE users SET ban_reason = 'Cheating' WHERE username = 'bob'")
        .unwrap();
    for (kind, resolved) in [("orphan", "NULL, NULL"), ("overpaid", "1, 'looked at'")] {
        test.sql(&format!(
            "INSERT INTO reviews (payment_id, kind, details, opened_at_micros, resolved_at_micros, resolution)
             VALUES ('1', '{kind}', 'x', 1, {resolved})"
        ))
        .unwrap();
    }
    play_dice(test, alice, 2).await;
    let hand = video_poker::Bet::new(Money::from_cents(500)).unwrap();
    deal_poker_hand(&test.house, alice, hand, None)
        .await
        .unwrap();
    draw_cards(&test.house, alice, None, None, None)
        .await
        .unwrap();
    // A round in play is not counted.
    deal_poker_hand(&test.house, alice, hand, None)
        .await
        .unwrap();
    let summary = read_summary(&test.house).await.unwrap();
    let counts = summary.counts;
    assert_eq!(
        (counts.users, counts.banned_users, counts.open_reviews),
        (3, 1, 1)
    );
    assert_eq!(counts.pending_withdrawals, 2);
    assert_eq!(counts.pending_withdrawal_total.cents(), 5_050);
    let shares: Vec<_> = summary
        .games
        .iter()
        .map(|share| (share.listed_name, share.rounds, share.tenths_of_percent))
        .collect();
    assert_eq!(
        shares[..4],
        [
            ("dice", 2, 667),
            ("crash", 0, 0),
            ("stonks", 0, 0),
            ("poker", 1, 333)
        ]
    );
}
