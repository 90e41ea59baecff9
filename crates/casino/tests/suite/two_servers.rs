//! Two servers on one database with different clocks: a point published by one can no longer be
//! missed by the other.

use glasshouse_games::stonks;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use glasshouse_casino::{Bounds, CLOCK_TOLERANCE, CasinoError, Clock, House, Refusal};
use glasshouse_domain::{Timestamp, UserId};

use crate::support::games::{CashOutCall, points, sell, start_stonks_round};
use crate::support::predetermined_rounds::{prepare, stonks_bet};
use crate::support::{Backend, Fixture, TestClock};

const MILLISECOND: Duration = Duration::from_millis(1);
const ROUNDS: usize = 30;

/// A clock that is ahead of the shared one or behind it, with a known maximum error.
struct SkewedClock {
    shared: Arc<TestClock>,
    ahead_micros: i64,
    error: Duration,
}

impl Clock for SkewedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.shared.now().as_micros() + self.ahead_micros)
    }

    fn wait_until(&self, _: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(MILLISECOND))
    }

    fn bounds(&self) -> Bounds {
        Bounds::around(self.now(), self.error)
    }

    fn correct(&self, _: i64, _: Duration) {}
}

fn server(test: &Fixture, ahead: i64, error: Duration) -> House {
    test.another_house_with_clock(Arc::new(SkewedClock {
        shared: Arc::clone(&test.clock),
        ahead_micros: ahead * i64::try_from(error.as_micros()).unwrap(),
        error,
    }))
}

/// Watches a market on one server and sells on the other as soon as a lower point is published.
async fn sell_after_a_fall(test: &Fixture, watched: &House, sold_at: &House, player: UserId) {
    let terms = stonks_bet(1_000, None);
    let falls = |points: &[u32]| points.windows(2).any(|pair| pair[1] < pair[0]);
    prepare::<stonks::Round>(test, player, terms, |planned| falls(planned.points())).await;
    let view = start_stonks_round(watched, player, terms, None)
        .await
        .unwrap();
    while !falls(points(&view, watched.published_until())) {
        test.clock.advance(MILLISECOND);
    }
    let shown = points(&view, watched.published_until());
    let sale = sell(sold_at, player, CashOutCall::default()).await;
    match sale {
        Ok(sold) if shown.last() == Some(&0) => panic!("sold after the crash: {sold:?}"),
        Ok(sold) => assert!(
            sold.view.sold_at_tick.unwrap() >= shown.len() - 1,
            "sold at point {:?}, when {} was shown",
            sold.view.sold_at_tick,
            shown.len() - 1
        ),
        // The other server has already reached the next point, at which the market crashed.
        Err(CasinoError::Refused(Refusal::LeftTooLate(_))) => {}
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_on_one_server_is_never_older_than_points_published_by_another() {
    let test = &Fixture::on(Backend::Postgres);
    let player = test.player("commuter", 100_000_000).await;
    // Clocks at the limit of the tolerance, and clocks whose known error exceeds it.
    for error in [CLOCK_TOLERANCE, 3 * CLOCK_TOLERANCE] {
        let (early, late) = (server(test, 1, error), server(test, -1, error));
        for _ in 0..ROUNDS {
            sell_after_a_fall(test, &early, &late, player).await;
            test.clock.advance(Duration::from_secs(1));
            sell_after_a_fall(test, &late, &early, player).await;
            test.clock.advance(Duration::from_secs(1));
        }
    }
    test.assert_clean().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_single_server_publishes_points_on_time() {
    let test = &Fixture::on(Backend::Sqlite);
    let player = test.player("local", 100_000_000).await;
    let terms = stonks_bet(1_000, None);
    let planned =
        prepare::<stonks::Round>(test, player, terms, |planned| planned.points().len() > 2).await;
    let view = start_stonks_round(&test.house, player, terms, None)
        .await
        .unwrap();
    test.clock.advance(Duration::from_millis(499));
    assert_eq!(points(&view, test.house.published_until()), [1_000]);
    test.clock.advance(MILLISECOND);
    assert_eq!(
        points(&view, test.house.published_until()),
        &planned.points()[..2]
    );
}
