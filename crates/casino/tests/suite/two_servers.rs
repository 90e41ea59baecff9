//! Two servers on one database whose clocks differ: what one of them shows, the other has passed.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use glasshouse_casino::{Bounds, CLOCK_TOLERANCE, CasinoError, Clock, House, Refusal};
use glasshouse_domain::{Timestamp, UserId};

use crate::support::games::{CashOutTest, points, sell, start_stonks_round};
use crate::support::predetermined_rounds::{stonks_bet, stonks_plan};
use crate::support::{Backend, Fixture, TestClock};

const MILLISECOND: Duration = Duration::from_millis(1);
const ROUNDS: usize = 30;

/// A clock that is ahead of the shared one, or behind it, and knows by how much at most.
struct WrongClock {
    shared: Arc<TestClock>,
    ahead_micros: i64,
    error: Duration,
}

impl Clock for WrongClock {
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
    test.another_house_by(Arc::new(WrongClock {
        shared: Arc::clone(&test.clock),
        ahead_micros: ahead * i64::try_from(error.as_micros()).unwrap(),
        error,
    }))
}

/// Watches a market on one server and sells on the other as soon as a lower point is shown.
async fn sell_what_has_fallen(test: &Fixture, watched: &House, sold_at: &House, player: UserId) {
    let terms = stonks_bet(1_000, None);
    let falls = |points: &[u32]| points.windows(2).any(|pair| pair[1] < pair[0]);
    stonks_plan(test, player, terms, |plan| falls(plan.points())).await;
    let view = start_stonks_round(watched, player, terms, None)
        .await
        .unwrap();
    while !falls(points(&view, watched.published_until())) {
        test.clock.advance(MILLISECOND);
    }
    let shown = points(&view, watched.published_until());
    let sale = sell(sold_at, player, CashOutTest::default()).await;
    match sale {
        Ok(sold) if shown.last() == Some(&0) => panic!("sold after the crash: {sold:?}"),
        Ok(sold) => assert!(
            sold.view.sold_at_tick.unwrap() >= shown.len() - 1,
            "sold at point {:?}, when {} was shown",
            sold.view.sold_at_tick,
            shown.len() - 1
        ),
        // The other server is at the next point already, at which the market has crashed.
        Err(CasinoError::Refused(Refusal::LeftTooLate(_))) => {}
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_sees_a_point_on_one_server_and_sells_at_an_older_one_on_another() {
    let test = &Fixture::on(Backend::Postgres);
    let player = test.player("commuter", 100_000_000).await;
    // As far off as the tolerance, and servers that hardly know the time and know that.
    for error in [CLOCK_TOLERANCE, 3 * CLOCK_TOLERANCE] {
        let (early, late) = (server(test, 1, error), server(test, -1, error));
        for _ in 0..ROUNDS {
            sell_what_has_fallen(test, &early, &late, player).await;
            test.clock.advance(Duration::from_secs(1));
            sell_what_has_fallen(test, &late, &early, player).await;
            test.clock.advance(Duration::from_secs(1));
        }
    }
    test.assert_clean().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_only_server_shows_a_point_at_its_time() {
    let test = &Fixture::on(Backend::Sqlite);
    let player = test.player("local", 100_000_000).await;
    let terms = stonks_bet(1_000, None);
    let plan = stonks_plan(test, player, terms, |plan| plan.points().len() > 2).await;
    let view = start_stonks_round(&test.house, player, terms, None)
        .await
        .unwrap();
    test.clock.advance(Duration::from_millis(499));
    assert_eq!(points(&view, test.house.published_until()), [1_000]);
    test.clock.advance(MILLISECOND);
    assert_eq!(
        points(&view, test.house.published_until()),
        &plan.points()[..2]
    );
}
