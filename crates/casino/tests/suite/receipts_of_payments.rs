//! Receipts that do not follow from a round: of seed pairs, deposits and withdrawals.

use std::time::Duration;

use glasshouse_casino::administration::{Decision, PayoutRecord, SentByHand, record_payout};
use glasshouse_casino::fairness::{fairness_state, set_client_seed};
use glasshouse_casino::money::{WithdrawalRequest, cancel_withdrawal, request_withdrawal};
use glasshouse_casino::public_log::read_receipts;
use glasshouse_domain::{UserId, WithdrawalId};
use glasshouse_games::fairness::ClientSeed;
use rstest_reuse::apply;

use crate::support::administration::{APPROVAL, administrator, context, decide_withdrawal, keyed};
use crate::support::cashier_fixture::CashierFixture;
use crate::support::public_log::{BEGINNING, proven, time_text};
use crate::support::seeds::rotate;
use crate::support::{Fixture, both_databases, key};
use crate::withdrawals::ADDRESS;

/// The texts of all of the player's stored receipts, oldest first, each of them verified.
async fn texts(test: &Fixture, player: UserId) -> Vec<String> {
    let mut texts = Vec::new();
    let mut before = None;
    loop {
        let page = read_receipts(&test.house, player, before, 2).await.unwrap();
        texts.extend(
            page.entries
                .iter()
                .map(|stored| proven(Some(&stored.receipt)).text),
        );
        before = page.next;
        if before.is_none() {
            texts.reverse();
            return texts;
        }
    }
}

/// The texts without those of seed pairs.
async fn payment_texts(test: &Fixture, player: UserId) -> Vec<String> {
    let all = texts(test, player).await;
    all.into_iter()
        .filter(|text| !text.contains("subject pair"))
        .collect()
}

fn text_of(test: &Fixture, player: UserId, lines: &str) -> String {
    let time = time_text(test.house.now());
    format!("{BEGINNING}player {player}\n{lines}time {time}\n")
}

#[apply(both_databases)]
async fn each_credit_of_a_deposit_is_stated(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let player = fixture.player;
    let (deposit, invoice) = fixture.deposit().await;
    let credited = async || fixture.find(&deposit).await.credited.cents();
    let text = |amount: i64, balance: i64| {
        let id = deposit.id;
        let lines = format!("amount {amount}\nbalance {balance}\n");
        let lines = format!("subject deposit {id}\nstate credited\n{lines}");
        text_of(test, player, &lines)
    };
    let payment = fixture.pay_percent(&invoice, 40).await;
    let part = credited().await;
    assert!((3_990..=4_000).contains(&part), "{part}");
    let mut expected = vec![text(part, part)];
    assert_eq!(payment_texts(test, player).await, expected);
    test.clock.advance(Duration::from_secs(1));
    fixture.pay_more(&payment, 60).await;
    let whole = credited().await;
    expected.push(text(whole - part, whole));
    assert_eq!(payment_texts(test, player).await, expected);
    // Repeated callbacks and polls credit nothing, and state nothing.
    fixture.poll(&invoice).await;
    fixture.reconcile_after(Duration::from_hours(1)).await;
    assert_eq!(payment_texts(test, player).await, expected);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn withdrawals_are_stated_when_held_returned_and_paid(#[case] test: &Fixture) {
    let admin = administrator(test, "boss").await;
    let player = test.player("alice", 10_000).await;
    let request = |name: &str| {
        let request = WithdrawalRequest::parse("20.00", "btc", ADDRESS).unwrap();
        request_withdrawal(&test.house, player, request, Some(key(name)))
    };
    let first = request("one").await.unwrap().withdrawal.id;
    let held = |id: WithdrawalId, balance: i64| {
        let lines =
            format!("subject withdrawal {id}\nstate held\namount 2000\nbalance {balance}\n");
        text_of(test, player, &lines)
    };
    let mut expected = vec![held(first, 8_000)];
    test.clock.advance(Duration::from_secs(1));
    // A repeated request holds nothing.
    request("one").await.unwrap();
    assert_eq!(payment_texts(test, player).await, expected);
    let second = request("two").await.unwrap().withdrawal.id;
    expected.push(held(second, 6_000));

    test.clock.advance(Duration::from_secs(1));
    for (id, decision, lines) in [
        (
            first,
            Decision::Reject("a typo".to_owned()),
            "state returned\namount 2000\nbalance 8000\n",
        ),
        (second, APPROVAL, "state paid\namount 2000\nbalance 8000\n"),
    ] {
        let is_approval = decision == APPROVAL;
        let name = format!("decide-{id}");
        for _ in 0..2 {
            let decided = decision.clone();
            decide_withdrawal(&test.house, keyed(admin, &name), id, decided)
                .await
                .unwrap();
        }
        if is_approval {
            // It is paid when it has arrived, not when it is approved or sent.
            assert_eq!(payment_texts(test, player).await, expected);
            let sent = SentByHand::parse("4a5e1e4baab89f3a32518a88", "0.0002", "").unwrap();
            for record in [PayoutRecord::Sent(sent), PayoutRecord::Confirmed] {
                record_payout(&test.house, context(admin), id, record)
                    .await
                    .unwrap();
            }
        }
        expected.push(text_of(
            test,
            player,
            &format!("subject withdrawal {id}\n{lines}"),
        ));
        // A second decision is refused.
        let again = decide_withdrawal(&test.house, context(admin), id, APPROVAL).await;
        assert!(again.is_err());
    }
    assert_eq!(payment_texts(test, player).await, expected);
    let third = request("three").await.unwrap().withdrawal.id;
    expected.push(held(third, 6_000));
    for _ in 0..2 {
        cancel_withdrawal(&test.house, player, third).await.unwrap();
    }
    let lines = "state returned\namount 2000\nbalance 8000\n";
    let cancelled = format!("subject withdrawal {third}\n{lines}");
    expected.push(text_of(test, player, &cancelled));
    assert_eq!(payment_texts(test, player).await, expected);
    let other = test.player("bob", 0).await;
    assert!(payment_texts(test, other).await.is_empty());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn each_commitment_to_a_seed_pair_is_stated(#[case] test: &Fixture) {
    let player = test.player("alice", 0).await;
    let pair = async |by: &str| {
        let state = fairness_state(&test.house, player).await.unwrap();
        let lines = format!(
            "subject pair {}\nstate active\nclient {} by {by}\nnext {}\n",
            state.server_seed_hash, state.client_seed, state.next_server_seed_hash
        );
        text_of(test, player, &lines)
    };
    let mut expected = vec![pair("house").await];
    assert_eq!(texts(test, player).await, expected);

    test.clock.advance(Duration::from_secs(1));
    let seed = ClientSeed::parse("mine").unwrap();
    let set = set_client_seed(&test.house, player, seed).await.unwrap();
    expected.push(pair("player").await);
    assert_eq!(Some(&proven(set.receipt.as_ref()).text), expected.last());

    test.clock.advance(Duration::from_secs(1));
    let rotated = rotate(&test.house, player, "other").await.unwrap();
    expected.push(pair("player").await);
    assert_eq!(
        Some(&proven(rotated.current.receipt.as_ref()).text),
        expected.last()
    );
    assert_eq!(texts(test, player).await, expected);
    test.assert_clean().await;
}
