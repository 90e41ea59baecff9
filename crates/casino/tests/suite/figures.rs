//! The house's figures, compared with sums over the ledger, the rounds and the withdrawals.

use std::time::Duration;

use glasshouse_casino::books::{
    FiguresPeriod, Flows, HouseFigures, Liabilities, owed_for_approved_withdrawals,
    owed_in_balances, read_figures,
};
use glasshouse_casino::{CasinoError, DatabaseError};
use glasshouse_domain::{EntryKind, LedgerPosting, LedgerReference, Money};
use glasshouse_persistence::Scope;
use rstest_reuse::apply;

use crate::support::house_history::History;
use crate::support::{Fixture, both_databases};

const DAY: Duration = Duration::from_hours(24);
const DAYS: i64 = 6;
const ACTS_PER_DAY: usize = 30;

fn number(test: &Fixture, query: &str) -> i64 {
    test.texts(&format!(
        "SELECT CAST(CAST(({query}) AS BIGINT) AS TEXT) AS value"
    ))
    .concat()
    .parse()
    .unwrap()
}

/// What the house owes, added up from everything that it owes.
fn liabilities(test: &Fixture) -> [i64; 5] {
    let balances = number(test, "SELECT SUM(balance_cents) FROM accounts");
    let open = "SELECT COALESCE(SUM(stake_cents), 0) FROM rounds WHERE state = 'open'";
    let open = number(test, open);
    let held = |condition: &str| {
        let query = "SELECT COALESCE(SUM(amount_cents), 0) FROM withdrawals w
            LEFT JOIN payouts p ON p.withdrawal_id = w.id WHERE";
        number(test, &format!("{query} {condition}"))
    };
    let pending = held("w.status = 'pending'");
    let approved = held("p.state IN ('claimed', 'sent', 'failed')");
    let total = balances + open + pending + approved;
    [total, balances, open, pending, approved]
}

fn amounts(liabilities: &Liabilities) -> [i64; 5] {
    [
        liabilities.total,
        owed_in_balances(liabilities),
        liabilities.open_stakes,
        liabilities.pending_withdrawals,
        owed_for_approved_withdrawals(liabilities),
    ]
    .map(Money::cents)
}

/// Deposits, arrived withdrawals, their fees, adjustments, stakes and payouts of a day.
fn flows_of(test: &Fixture, day: i64) -> [i64; 6] {
    let entries = |kind: &str| {
        let query = "SELECT COALESCE(SUM(amount_cents), 0) FROM ledger_entries";
        let condition = "created_at_micros / 86400000000";
        number(
            test,
            &format!("{query} WHERE kind = '{kind}' AND {condition} = {day}"),
        )
    };
    let arrived = |column: &str| {
        let query = format!(
            "SELECT COALESCE(SUM({column}), 0) FROM payouts p
             JOIN withdrawals w ON w.id = p.withdrawal_id WHERE p.state = 'confirmed'
                AND p.confirmed_at_micros / 86400000000 = {day}"
        );
        number(test, &query)
    };
    let rounds = |column: &str| {
        let query = format!(
            "SELECT COALESCE(SUM({column}), 0) FROM rounds
             WHERE state = 'settled' AND ended_at_micros / 86400000000 = {day}"
        );
        number(test, &query)
    };
    [
        entries("deposit"),
        arrived("amount_cents"),
        arrived("fee_cents"),
        entries("adjustment"),
        rounds("stake_cents"),
        rounds("payout_cents"),
    ]
}

fn amounts_of(flows: &Flows) -> [i64; 6] {
    [
        flows.deposited,
        flows.withdrawn,
        flows.withdrawal_fees,
        flows.adjusted,
        flows.turnover.staked,
        flows.turnover.paid,
    ]
    .map(Money::cents)
}

/// Asserts that a period begins with what was owed, and ends with it after all that moved.
fn assert_continuous(figures: &HouseFigures) {
    let flows = &figures.total;
    let after = figures.owed_before.cents() + flows.deposited.cents() - flows.withdrawn.cents()
        + flows.adjusted.cents()
        - flows.ggr().cents();
    assert_eq!(figures.owed_after().cents(), after);
    assert_eq!(
        flows.ngr().cents(),
        flows.ggr().cents() - flows.adjusted.cents()
    );
    for day in &figures.days {
        let of_games = day.games.iter();
        let ggr: i64 = of_games.map(|(_, game)| game.profit().cents()).sum();
        assert_eq!(ggr, day.flows.ggr().cents());
    }
    let games = figures.games.iter();
    let ggr: i64 = games.map(|game| game.turnover.profit().cents()).sum();
    assert_eq!(ggr, flows.ggr().cents());
}

async fn figures(test: &Fixture, period: FiguresPeriod) -> HouseFigures {
    read_figures(&test.house, period).await.unwrap().unwrap()
}

#[apply(both_databases)]
async fn figures_equal_the_sums_of_everything_that_happened(#[case] test: &Fixture) {
    let mut history = History::begin(test, 7).await;
    let first = test.house.now().day();
    let mut owed_at_midnight = Vec::new();
    history.everything().await;
    for _ in 0..DAYS {
        for _ in 0..ACTS_PER_DAY {
            let act = history.random.below(13);
            history.act(act).await;
        }
        owed_at_midnight.push(liabilities(test)[0]);
        let found = figures(test, FiguresPeriod::Last(1)).await;
        assert_eq!(amounts(&found.liabilities), liabilities(test));
        history.provider.pass_time(DAY);
    }
    let last = first + DAYS - 1;
    let whole = figures(test, FiguresPeriod::Between(first, last)).await;
    for (day, owed) in whole.days.iter().zip(&owed_at_midnight) {
        assert_eq!(amounts_of(&day.flows), flows_of(test, day.day));
        assert_eq!(day.owed.cents(), *owed, "day {}", day.day - first);
    }
    assert_eq!(whole.owed_before, Money::ZERO);
    assert_eq!(i64::try_from(whole.days.len()).unwrap(), DAYS);
    for amount in amounts_of(&whole.total)
        .into_iter()
        .chain(amounts(&whole.liabilities))
    {
        assert_ne!(amount, 0, "{whole:?}");
    }
    for from in first..=last {
        for to in from..=last {
            let part = figures(test, FiguresPeriod::Between(from, to)).await;
            assert_continuous(&part);
            assert_eq!(
                (part.days[0].day, part.liabilities),
                (from, whole.liabilities)
            );
            let before = usize::try_from(from - first).unwrap().checked_sub(1);
            let before = before.map_or(0, |index| owed_at_midnight[index]);
            assert_eq!(part.owed_before.cents(), before);
        }
    }
    // The days that have not come yet are left out.
    let future = figures(test, FiguresPeriod::Between(last, last + 100)).await;
    assert_eq!(future.days.len(), 2);
    assert_eq!(future.owed_after(), future.liabilities.total);
    let none = FiguresPeriod::Between(last + 50, last + 60);
    assert!(read_figures(&test.house, none).await.unwrap().is_none());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn failed_work_adds_nothing_to_the_flows(#[case] test: &Fixture) {
    let player = test.player("victim", 10_000).await;
    for is_committed in [false, true, false] {
        let at = test.house.now();
        let written: Result<(), CasinoError> = test
            .database
            .write(Scope::player(player), move |transaction| {
                let mut account = transaction.account(player)?;
                for _ in 0..2 {
                    let posting = account.wallet.adjust_to(
                        account
                            .wallet
                            .balance()
                            .checked_add(Money::from_cents(100))
                            .unwrap(),
                    )?;
                    let posting: LedgerPosting = posting.unwrap();
                    assert_eq!(posting.kind, EntryKind::Adjustment);
                    let entry = account.next_entry();
                    let reference = LedgerReference::Adjustment { player, entry };
                    transaction.add_entry(&mut account, posting, reference, at);
                    transaction.save_account(account.clone());
                    // Writes the first entry behind a savepoint; the second stays staged.
                    if entry % 2 == 0 {
                        transaction.any_open_round(player)?;
                    }
                }
                if is_committed {
                    Ok(())
                } else {
                    Err(DatabaseError::Overloaded.into())
                }
            })
            .await;
        assert_eq!(written.is_ok(), is_committed);
    }
    let found = figures(test, FiguresPeriod::Last(1)).await;
    assert_eq!(found.total.adjusted.cents(), 10_200);
    assert_eq!(found.liabilities.total.cents(), 10_200);
}

/// Somebody who could change the table would be found out, and by its name.
#[apply(both_databases)]
async fn wrong_flows_are_found(#[case] test: &Fixture) {
    const DAILY: &str = "the house's flows are the totals of the ledger entries and of the arrived withdrawals, by day";
    const OWED: &str =
        "balances, open stakes and unpaid withdrawals are the house's flows less what it won";
    test.player("alice", 10_000).await;
    let found = || -> Vec<&str> {
        let findings = test.check().invariants.into_iter();
        let broken = findings.filter(|finding| finding.count > 0);
        broken.map(|finding| finding.invariant).collect()
    };
    test.assert_clean().await;
    for (change, revert, expected) in [
        (
            "UPDATE house_flows SET adjusted_cents = adjusted_cents + 1",
            "UPDATE house_flows SET adjusted_cents = adjusted_cents - 1",
            &[DAILY, OWED][..],
        ),
        (
            "UPDATE house_flows SET day = day + 1",
            "UPDATE house_flows SET day = day - 1",
            &[DAILY],
        ),
        (
            "UPDATE house_flows SET held_cents = 5, returned_cents = 5",
            "UPDATE house_flows SET held_cents = 0, returned_cents = 0",
            &[DAILY],
        ),
        (
            "INSERT INTO house_flows VALUES (3, 2, 50, 0, 0, 0, 50, 1)",
            "DELETE FROM house_flows WHERE day = 3",
            &[DAILY],
        ),
        // What is not in the ledger changes what is owed as well.
        (
            "UPDATE accounts SET balance_cents = balance_cents + 1 WHERE balance_cents > 0",
            "UPDATE accounts SET balance_cents = balance_cents - 1 WHERE balance_cents > 0",
            &[
                "a balance is the sum of its ledger entries, which are numbered without gaps",
                OWED,
            ],
        ),
    ] {
        test.sql(change).unwrap();
        assert_eq!(found(), expected, "{change}");
        test.sql(revert).unwrap();
        test.assert_clean().await;
    }
}
