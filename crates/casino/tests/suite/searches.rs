//! The administrators' lists find everything with a part of a text, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use glasshouse_casino::administration::list;
use glasshouse_casino::{
    ActivePaymentQuery, AuditQuery, DepositQuery, House, UserOrder, UserQuery, WithdrawalQuery,
};
use rstest_reuse::apply;

use crate::support::administration::administrator;
use crate::support::approvals::withdrawal;
use crate::support::cashier_fixture::CashierFixture;
use crate::support::{Fixture, both_databases};
use crate::unmatched_and_overpaid::unmatched_payment;

/// The most that a search gets from the index of parts: with more, lists compare each record.
const MOST_FOUND: usize = 500;

/// The texts in which each record of a list is searched for.
type Texts = BTreeMap<String, BTreeSet<String>>;

/// The IDs of the records that a list finds; `$id` is the field of an entry that has it.
macro_rules! found {
    ($house:expr, $query:ident { $search:ident $(, $field:ident)? }, $($id:ident).+) => {{
        let query = $query {
            search: Some($search),
            $($field,)?
            limit: 100,
            ..$query::default()
        };
        let page = list($house, query).await.unwrap();
        let ids = page.entries.iter().map(|entry| entry.$($id).+.to_string());
        ids.collect::<Vec<String>>()
    }};
}

/// Reads them from rows like `7:text`.
fn texts(test: &Fixture, rows: &str) -> Texts {
    let mut of_records = Texts::new();
    for row in test.texts(rows) {
        let (id, content) = row.split_once(':').unwrap();
        let of_record = of_records.entry(id.to_owned()).or_default();
        of_record.insert(content.to_lowercase());
    }
    of_records
}

fn part(text: &str, start: usize, length: usize) -> String {
    text.chars().skip(start).take(length).collect()
}

/// Parts of all lengths, from everywhere in the texts, and some that are no parts.
fn needles(texts: &Texts) -> BTreeSet<String> {
    let mut needles = BTreeSet::from(["nobody-at-all".to_owned()]);
    for text in texts.values().flatten() {
        for (start, length) in [(0, 1), (1, 2), (2, 3), (0, 11), (1, 12), (0, 13), (3, 20)] {
            let part = part(text, start, length);
            // The same beginning, and another end.
            needles.insert(format!("{part}~"));
            needles.insert(part.to_uppercase());
            needles.insert(part);
        }
        needles.insert(part(text, text.chars().count().saturating_sub(2), 2));
    }
    // A number finds a record by its ID as well, which is another test's matter.
    needles.retain(|needle| !needle.is_empty() && needle.parse::<i64>().is_err());
    needles
}

/// The records with a text that contains the needle.
fn expected(texts: &Texts, needle: &str) -> BTreeSet<String> {
    let needle = needle.to_lowercase();
    let is_found =
        |of_record: &BTreeSet<String>| of_record.iter().any(|text| text.contains(&needle));
    let found = texts.iter().filter(|(_, of_record)| is_found(of_record));
    found.map(|(id, _)| id.clone()).collect()
}

/// Checks a list: `read` returns the IDs of the records that a search finds.
async fn check(texts: Texts, read: impl AsyncFn(String) -> Vec<String>) {
    assert!(texts.len() > 1, "{texts:?}");
    for needle in needles(&texts) {
        let found = read(needle.clone()).await;
        let ids: BTreeSet<String> = found.iter().cloned().collect();
        assert_eq!(ids, expected(&texts, &needle), "{needle}");
        assert_eq!(ids.len(), found.len(), "{needle}: each once");
    }
}

async fn users(house: &House, search: String, order: UserOrder) -> Vec<String> {
    found!(house, UserQuery { search, order }, user.id)
}

#[apply(both_databases)]
async fn users_are_found_by_a_part_of_their_names(#[case] test: &Fixture) {
    for name in [
        "Annabel",
        "hannah",
        "aaaa",
        "a-name-of_20-letters",
        "a-name-of_20-others",
    ] {
        test.player(name, 100).await;
    }
    let names = "SELECT id || ':' || username_key AS value FROM users";
    for order in [UserOrder::Newest, UserOrder::Username, UserOrder::Balance] {
        check(texts(test, names), async |search| {
            users(&test.house, search, order).await
        })
        .await;
    }
}

#[apply(both_databases)]
async fn money_is_found_by_its_ids_its_address_and_its_player(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    fixture.pay_percent(&invoice, 40).await;
    fixture.deposit().await;
    unmatched_payment(&fixture, 3_000).await;
    let (house, asker) = (&test.house, test.player("asker", 20_000).await);
    let other = test.player("another-player", 20_000).await;
    for player in [asker, asker, other] {
        withdrawal(test, player, "20").await;
    }
    let of_players = |table: &str| {
        format!(
            "SELECT t.id || ':' || u.username_key AS value FROM {table} t JOIN users u ON u.id = t.player_id"
        )
    };
    let deposits = format!(
        "SELECT id || ':' || order_id AS value FROM deposits
         UNION SELECT id || ':' || invoice_id FROM deposits UNION {}",
        of_players("deposits")
    );
    check(texts(test, &deposits), async |search| {
        found!(house, DepositQuery { search }, deposit.id)
    })
    .await;
    let withdrawals = format!(
        "SELECT id || ':' || address AS value FROM withdrawals UNION {}",
        of_players("withdrawals")
    );
    check(texts(test, &withdrawals), async |search| {
        found!(house, WithdrawalQuery { search }, withdrawal.id)
    })
    .await;
    // The invoice that nobody has paid, the payment of the other one, and the payment of no deposit.
    let payments = "SELECT p.id || ':' || p.id AS value FROM payments p
         UNION SELECT p.id || ':' || d.order_id FROM payments p JOIN deposits d ON d.id = p.deposit_id
         UNION SELECT p.id || ':' || d.invoice_id FROM payments p JOIN deposits d ON d.id = p.deposit_id
         UNION SELECT d.invoice_id || ':' || d.invoice_id FROM deposits d
            WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE p.deposit_id = d.id)
         UNION SELECT d.invoice_id || ':' || d.order_id FROM deposits d
            WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE p.deposit_id = d.id)";
    let active = async |search: String| found!(house, ActivePaymentQuery { search }, id);
    let texts = texts(test, payments);
    assert_eq!(texts.len(), 3);
    for id in texts.keys() {
        // A number is a part of these IDs like any other text.
        assert_eq!(active(format!("#{id}")).await, std::slice::from_ref(id));
        let part = part(id, 2, 5);
        assert_eq!(
            BTreeSet::from_iter(active(part.clone()).await),
            expected(&texts, &part)
        );
    }
    check(texts, active).await;
}

#[apply(both_databases)]
async fn audit_entries_are_found_by_who_acted_and_whom_it_concerned(#[case] test: &Fixture) {
    administrator(test, "annabel").await;
    for (name, cents) in [("hannah", 100), ("bob", 100), ("ann", 0)] {
        test.player(name, cents).await;
    }
    let entries = "SELECT a.id || ':' || u.username_key AS value FROM audit_log a
         JOIN users u ON u.id = a.actor_id OR u.id = a.target_user_id";
    check(texts(test, entries), async |search| {
        found!(&test.house, AuditQuery { search }, record.id)
    })
    .await;
}

#[apply(both_databases)]
async fn a_part_that_many_have_is_found_page_by_page(#[case] test: &Fixture) {
    let player = test.player("depositor", 0).await;
    let count = MOST_FOUND + 1;
    test.sql(&format!(
        "INSERT INTO deposits (id, player_id, order_id, currency, price_cents, status, credited_cents,
            created_at_micros, updated_at_micros)
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})
         SELECT 1000 + n, {player}, 'many.' || n, 'btc', 300, 'failed', 0, n, n FROM numbers"
    ))
    .unwrap();
    for search in ["ANY.", "depositor"] {
        let (mut ids, mut before) = (BTreeSet::new(), None);
        loop {
            let query = DepositQuery {
                search: Some(search.to_owned()),
                limit: 100,
                before,
                ..DepositQuery::default()
            };
            let page = list(&test.house, query).await.unwrap();
            ids.extend(page.entries.iter().map(|entry| entry.deposit.id));
            before = page.next;
            if before.is_none() {
                break;
            }
        }
        assert_eq!(ids.len(), count, "{search}");
    }
}

#[apply(both_databases)]
async fn a_changed_name_is_found_and_nothing_of_the_former_one_is_left(#[case] test: &Fixture) {
    let id = test.player("former-name", 0).await;
    test.sql(&format!(
        "UPDATE users SET username = 'Later', username_key = 'later' WHERE id = {id}"
    ))
    .unwrap();
    let found = async |search: &str| users(&test.house, search.to_owned(), UserOrder::Newest).await;
    assert_eq!(found("ATE").await, [id.to_string()]);
    assert_eq!(found("former").await, Vec::<String>::new());
    let parts = format!(
        "SELECT suffix AS value FROM search_suffixes
         WHERE subject = 'user' AND record_id = '{id}' ORDER BY length(suffix)"
    );
    assert_eq!(test.texts(&parts), ["r", "er", "ter", "ater", "later"]);
}
