//! The database's constraints and triggers, and the check that finds what gets past them.

use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_games::dice::BetType;
use rstest::rstest;
use rstest_reuse::apply;

use crate::support::cashier_fixture::CashierFixture;
use crate::support::games::place_dice_bet;
use crate::support::seeds::rotate;
use crate::support::tampering::disable_triggers;
use crate::support::{Backend, Fixture, bet, both_databases};

async fn fill_books(test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    fixture.pay_percent(&invoice, 50).await;
    drop(fixture);
    let id = test.player("player", 20_000).await;
    let address = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
    let request = WithdrawalRequest::parse("100", "btc", address).unwrap();
    request_withdrawal(&test.house, id, request, None)
        .await
        .unwrap();
    for _ in 0..12 {
        place_dice_bet(&test.house, id, bet(100, 50, BetType::Over), None)
            .await
            .unwrap();
    }
    rotate(&test.house, id, "other").await.unwrap();
    place_dice_bet(&test.house, id, bet(100, 2, BetType::Over), None)
        .await
        .unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn triggers_reject_changes_of_recorded_facts(#[case] test: &Fixture) {
    fill_books(test).await;
    for statement in [
        "UPDATE ledger_entries SET amount_cents = amount_cents - 1",
        "DELETE FROM ledger_entries",
        "UPDATE audit_log SET new_value = '0.00'",
        "DELETE FROM audit_log",
        "UPDATE rounds SET payout_cents = 1000000 WHERE id = 1",
        "DELETE FROM rounds",
        "UPDATE seed_pairs SET server_seed = server_seed_hash",
        "UPDATE seed_pairs SET revealed_at_micros = NULL",
        "DELETE FROM seed_pairs",
        "UPDATE accounts SET balance_cents = -1",
        "UPDATE accounts SET unwagered_cents = -1",
        "UPDATE player_statistics SET wins = rounds + 1",
        "UPDATE users SET role = 'god'",
        "INSERT INTO ledger_entries VALUES (1, 99, 'stake', 5, 5, 'x', 1)",
        "INSERT INTO ledger_entries VALUES (1, 99, 'deposit', -5, 5, 'x', 1)",
        "INSERT INTO ledger_entries VALUES (1, 99, 'gift', 5, 5, 'x', 1)",
        "INSERT INTO ledger_entries VALUES (1, 99, 'stake', -5, 5, 'round:1', 1)",
    ] {
        assert!(test.sql(statement).is_err(), "{statement}");
    }
    test.assert_clean().await;
}

/// Breaks the books as somebody who may change the schema and restore it could, and asserts that
/// the check finds it.
async fn assert_found(test: &Fixture, statement: &str) {
    fill_books(test).await;
    let triggers = disable_triggers(test);
    test.sql(statement).unwrap();
    test.sql(&triggers).unwrap();
    assert!(!test.check().is_clean(), "{statement} was not found");
}

#[rstest]
#[case::a_balance_out_of_nowhere("UPDATE accounts SET balance_cents = balance_cents + 1")]
#[case::a_wagering_requirement_out_of_nowhere("UPDATE accounts SET unwagered_cents = 5")]
#[case::a_skipped_nonce("UPDATE accounts SET next_nonce = next_nonce + 1")]
#[case::swapped_seeds("UPDATE accounts SET client_seed = 'other'")]
#[case::a_changed_amount(
    "UPDATE ledger_entries SET amount_cents = amount_cents - 1 WHERE sequence = 2"
)]
#[case::a_missing_entry("DELETE FROM ledger_entries WHERE sequence = 3")]
#[case::a_changed_credit("UPDATE payment_credits SET amount_cents = amount_cents + 1")]
#[case::a_missing_credit("DELETE FROM payment_credits")]
#[case::a_payment_with_too_much_credit("UPDATE payments SET credited_cents = credited_cents + 1")]
#[case::a_deposit_with_too_little_credit("UPDATE deposits SET credited_cents = credited_cents - 1")]
#[case::a_changed_withdrawal("UPDATE withdrawals SET amount_cents = amount_cents + 1")]
#[case::a_rejection_that_returned_no_money(
    "UPDATE withdrawals SET status = 'rejected', reason = 'x', decided_at_micros = 1,
        decided_by = (SELECT MIN(id) FROM users)"
)]
#[case::a_changed_payout("UPDATE rounds SET payout_cents = payout_cents + 1 WHERE id = 1")]
#[case::a_changed_roll(
    "UPDATE rounds SET details = '{\"targetNumber\":50,\"betType\":\"over\",\"diceResult\":101}' WHERE id = 1"
)]
#[case::a_changed_seed(
    "UPDATE seed_pairs SET server_seed = server_seed_hash WHERE server_seed IS NOT NULL"
)]
#[case::changed_statistics("UPDATE player_statistics SET staked_cents = staked_cents + 1")]
#[case::missing_statistics("DELETE FROM player_statistics")]
#[case::a_changed_total_of_the_house("UPDATE house_totals SET paid_cents = paid_cents - 1")]
#[case::a_changed_number_of_wins_of_the_house(
    "UPDATE house_totals SET wins = CASE WHEN wins < rounds THEN wins + 1 ELSE wins - 1 END"
)]
#[case::a_total_of_another_day("UPDATE house_totals SET day = day + 1")]
#[case::a_total_without_rounds("INSERT INTO house_totals VALUES (1, 'crash', 0, 1, 0, 1, 1, 1, 1)")]
#[case::a_narrower_confidence_interval("UPDATE house_totals SET variance = variance * 0.9 + 1")]
#[case::missing_totals_of_the_house("DELETE FROM house_totals")]
#[case::a_changed_flow_of_the_house("UPDATE house_flows SET deposited_cents = deposited_cents + 1")]
#[case::a_flow_of_another_day("UPDATE house_flows SET day = day + 1")]
#[case::a_withdrawal_that_never_arrived(
    "UPDATE house_flows SET arrived_cents = arrived_cents + 10, arrived_fee_cents = 1"
)]
#[case::missing_flows_of_the_house("DELETE FROM house_flows")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_finds_broken_books(
    #[case] statement: &str,
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    assert_found(&Fixture::on(backend), statement).await;
}
