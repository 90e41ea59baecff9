//! The list of active payments with many unpaid invoices.

use glasshouse_casino::ActivePaymentQuery;
use glasshouse_casino::administration::list;

use crate::support::rows_read::{CONNECTIONS, wait_for_connections};
use crate::support::{Backend, Fixture};

/// The number of orders. Every hundredth is an unpaid invoice.
const ORDERS: u32 = 30_000;

/// PostgreSQL expects that hardly any invoice is without payments, because most orders have one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_unpaid_invoices_only_those_of_the_page_are_read() {
    let test = Fixture::on(Backend::Postgres);
    let player = test.player("alice", 0).await;
    test.sql(&format!(
        "SET session_replication_role = replica;
         INSERT INTO deposits (id, player_id, order_id, invoice_id, currency, price_cents, status, credited_cents,
                created_at_micros, updated_at_micros)
            SELECT i, {player}, 'order' || i, 'invoice' || i, 'btc', 1,
                CASE WHEN i % 100 = 0 THEN 'pending' ELSE 'expired' END, 0, i, i
            FROM generate_series(1, {ORDERS}) i;
         INSERT INTO payments (id, deposit_id, standing, status, credited_cents, credits, details,
                first_seen_at_micros, updated_at_micros)
            SELECT 'payment' || i, i, 'tracked', 'finished', 0, 0, '', i, i
            FROM generate_series(1, {ORDERS}) i WHERE i % 100 > 0"
    ))
    .unwrap();
    test.sql("VACUUM ANALYZE").unwrap();
    let rows_read = "SELECT CAST(seq_tup_read + idx_tup_fetch AS TEXT) AS value
        FROM pg_stat_user_tables WHERE relname = 'deposits'";
    let connections = test.texts(CONNECTIONS);
    let number = |texts: Vec<String>| texts[0].parse::<u32>().unwrap();
    let before = number(test.texts(rows_read));

    let house = test.another_house();
    let query = ActivePaymentQuery {
        limit: 20,
        ..ActivePaymentQuery::default()
    };
    let page = list(&house, query).await.unwrap();
    drop(house);
    wait_for_connections(&test, &connections);

    assert_eq!(page.entries.len(), 20);
    let read = number(test.texts(rows_read)) - before;
    assert!(
        (20..100).contains(&read),
        "{read} of {} unpaid invoices",
        ORDERS / 100
    );
}
