//! What the pages of one payment and of one withdrawal are made of.

use glasshouse_casino::administration::{
    self, Confirmation, KnownPayment, KnownWithdrawal, PayoutRecord, SentByHand, approve_proposal,
    confirm_payment, confirmation_reason, read_payment, read_withdrawal, record_payout,
    resolve_review, set_thresholds,
};
use glasshouse_casino::{House, MatchStatus, Refusal};
use glasshouse_domain::{
    ApprovalThresholds, Currency, EntryKind, PayoutState, ProposalState, ReviewKind, UserId,
    WithdrawalId,
};
use glasshouse_payments::{InvoiceId, PaymentId};
use glasshouse_sandbox::FaultInjection;
use rstest_reuse::apply;

use crate::support::administration::{
    APPROVAL, administrator, context, decide_withdrawal, done, lift_thresholds,
};
use crate::support::approvals::{proposed, withdrawal};
use crate::support::cashier_fixture::{CashierFixture, callback_body, dollars};
use crate::support::payouts::Paying;
use crate::support::{Fixture, assert_refused, both_databases};
use crate::unmatched_and_overpaid::{confirmation, unmatched_payment};

async fn payment(house: &House, id: &PaymentId) -> KnownPayment {
    read_payment(house, id.as_str()).await.unwrap()
}

async fn known(house: &House, id: WithdrawalId) -> KnownWithdrawal {
    read_withdrawal(house, id).await.unwrap()
}

fn proposable(id: &PaymentId, player: UserId, cents: i64) -> Confirmation {
    Confirmation {
        reason: "the player (a regular) asked".to_owned(),
        may_propose: true,
        ..confirmation(id.as_str(), player, cents)
    }
}

/// In two parts, of which the second is more than is credited automatically; the rest takes two persons.
#[apply(both_databases)]
async fn a_payment_has_its_credits_reviews_and_proposals(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let house = &test.house;
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    set_thresholds(house, |_| ApprovalThresholds::INITIAL)
        .await
        .unwrap();
    let deposit = fixture.deposit_of(100_000, Currency::Btc).await.unwrap();
    let invoice = InvoiceId::parse(deposit.invoice_id.as_deref().unwrap()).unwrap();
    let id = fixture.pay_percent(&invoice, 40).await;
    let found = payment(house, &id).await.details;
    let record = found.record.unwrap();
    assert_eq!(record.status, "partially_paid");
    assert_eq!(found.credits.len(), 1);
    assert!(found.credits[0].by_hand.is_none());
    assert!(found.reviews.is_empty() && found.proposals.is_empty());
    fixture.pay_more(&id, 180).await;
    let found = payment(house, &id).await.details;
    let kinds: Vec<_> = found.reviews.iter().map(|review| review.kind).collect();
    assert_eq!(kinds, [ReviewKind::Overpaid]);
    let rest = found.reviews[0].amount.unwrap();
    let request = proposable(&id, fixture.player, rest.cents());
    let proposal = proposed(confirm_payment(&fixture.cashier, context(ann), request).await);
    let found = payment(house, &id).await.details;
    assert_eq!(found.proposals.len(), 1);
    assert_eq!(found.proposals[0].proposed_by.id, ann);
    assert_eq!(found.proposals[0].decided_by, None);
    approve_proposal(&fixture.cashier, context(ben), proposal)
        .await
        .unwrap();

    let found = payment(house, &id).await;
    assert!(found.reported.unwrap().pay_address.is_some());
    let found = found.details;
    let entry = found.deposit.unwrap();
    assert_eq!(
        (entry.deposit.id, entry.player.id),
        (deposit.id, fixture.player)
    );
    assert_eq!(entry.payments, [id.to_string()]);
    assert!(!entry.is_under_review);
    let decided = &found.proposals[0];
    assert_eq!(decided.proposal.stored_state, ProposalState::Approved);
    assert_eq!(decided.decided_by.as_ref().map(|by| by.id), Some(ben));
    let [first, .., last] = found.credits.as_slice() else {
        panic!("{:?}", found.credits);
    };
    assert!(first.by_hand.is_none());
    assert_eq!((last.amount, last.player.id), (rest, fixture.player));
    let by_hand = last.by_hand.as_ref().unwrap();
    assert_eq!((by_hand.by.id, by_hand.proposal), (ben, Some(proposal)));
    let reason = confirmation_reason(by_hand.recorded.as_deref().unwrap());
    assert_eq!(reason, Some("the player (a regular) asked"));
    let mut balance = 0;
    for credit in &found.credits {
        balance += credit.amount.cents();
        let entry = credit.ledger_entry.as_ref().unwrap();
        assert_eq!((entry.amount, entry.at), (credit.amount, credit.at));
        assert_eq!(entry.balance_after.cents(), balance);
    }
    assert_eq!(found.record.unwrap().credited.cents(), balance);
    assert_eq!(fixture.balance().await, balance);
    let review = &found.reviews[0];
    assert_eq!(review.resolved_by.as_ref().map(|by| by.id), Some(ben));
    test.assert_clean().await;
}

/// The other payments of its deposit are named, and what is said of them is not mixed up.
#[apply(both_databases)]
async fn two_payments_of_a_deposit_know_each_other(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let one = fixture.pay_percent(&invoice, 30).await;
    let other = fixture.pay_percent(&invoice, 20).await;
    let mut both = [one.to_string(), other.to_string()];
    both.sort();
    for id in [&one, &other] {
        let found = payment(&test.house, id).await.details;
        assert_eq!(found.deposit.unwrap().payments, both);
        let record = found.record.unwrap();
        let credited: i64 = found
            .credits
            .iter()
            .map(|credit| credit.amount.cents())
            .sum();
        assert_eq!(record.credited.cents(), credited);
        assert!(found.credits.iter().all(|credit| credit.by_hand.is_none()));
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn an_unmatched_payment_is_known_with_its_reviews(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    lift_thresholds(&test.house).await;
    let ann = administrator(test, "ann").await;
    let id = unmatched_payment(&fixture, 3_000).await;
    let found = payment(&test.house, &id).await;
    assert!(found.details.deposit.is_none());
    assert!(found.details.checked_at.is_some());
    let record = found.details.record.unwrap();
    assert_eq!(record.match_status, MatchStatus::Unmatched);
    let order = found.reported.unwrap().order_id;
    assert_eq!(order.as_deref(), Some("made-by-hand"));
    let [review] = found.details.reviews.as_slice() else {
        panic!("{:?}", found.details.reviews);
    };
    assert_eq!(review.kind, ReviewKind::Orphan);
    assert!(review.resolved_at.is_none() && review.player.is_none());
    let request = proposable(&id, fixture.player, 3_000);
    done(
        confirm_payment(&fixture.cashier, context(ann), request)
            .await
            .unwrap(),
    );
    let found = payment(&test.house, &id).await.details;
    let [credit] = found.credits.as_slice() else {
        panic!("{:?}", found.credits);
    };
    assert_eq!(credit.player.id, fixture.player);
    let by_hand = credit.by_hand.as_ref().unwrap();
    assert_eq!((by_hand.by.id, by_hand.proposal), (ann, None));
    assert!(by_hand.recorded.is_some());
    let review = &found.reviews[0];
    assert_eq!(review.resolved_by.as_ref().map(|by| by.id), Some(ann));
    for unknown in ["424242", "", "a/b", "\u{0}"] {
        let refused = read_payment(&test.house, unknown).await;
        assert_refused(refused, &Refusal::NotFound);
    }
    test.assert_clean().await;
}

/// Of a payment that the provider does not return, there is the notification, and once that is given up, the review.
#[apply(both_databases)]
async fn a_notification_without_a_payment_is_known(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let ann = administrator(test, "ann").await;
    let id = PaymentId::parse("424242").unwrap();
    let body = callback_body(&id, "finished");
    fixture.send_callback(&body).await.unwrap();
    let found = payment(&test.house, &id).await.details;
    assert!(found.record.is_none() && found.deposit.is_none());
    let (received_at, next_attempt_at) = found.pending_callback.unwrap();
    assert!(received_at <= next_attempt_at);
    for _ in 0..30 {
        fixture
            .reconcile_after(std::time::Duration::from_hours(24))
            .await;
    }
    let found = payment(&test.house, &id).await.details;
    assert_eq!(found.reviews[0].kind, ReviewKind::Unfetchable);
    let review = found.reviews[0].id;
    resolve_review(&test.house, context(ann), review, "it was a test")
        .await
        .unwrap();
    let found = payment(&test.house, &id).await.details;
    assert!(found.reviews[0].resolved_at.is_some());
}

fn sent() -> PayoutRecord {
    let transaction = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";
    PayoutRecord::Sent(SentByHand::parse(transaction, "0.0003", "0.00001").unwrap())
}

#[apply(both_databases)]
async fn a_withdrawal_has_who_decided_sent_and_confirmed_it(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let house = &test.house;
    let player = test.player("winner", 500_000).await;
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    set_thresholds(house, |_| ApprovalThresholds::INITIAL)
        .await
        .unwrap();
    let id = withdrawal(test, player, "1500").await;
    let pending = known(house, id).await;
    assert!(pending.details.entry.totals.is_some());
    assert_eq!(pending.details.requests.count, 1);
    let created_at = pending.details.entry.withdrawal.created_at;
    assert_eq!(pending.details.requests.first_at, Some(created_at));
    assert_eq!(pending.address.unwrap().added_at, created_at);
    test.clock.advance(std::time::Duration::from_hours(25));
    // Its kind of act begins alike, and is none of this withdrawal's.
    let other = withdrawal(test, player, "1400").await;
    let decision = administration::Decision::Approve { may_propose: true };
    let proposal =
        proposed(administration::decide_withdrawal(house, context(ann), id, decision).await);
    let open = known(house, id).await.details.proposals;
    assert_eq!(open.len(), 1);
    assert_eq!(
        (open[0].proposal.id, open[0].proposed_by.id),
        (proposal, ann)
    );
    assert!(known(house, other).await.details.proposals.is_empty());
    approve_proposal(&fixture.cashier, context(ben), proposal)
        .await
        .unwrap();
    for (by, record) in [(ben, sent()), (ann, PayoutRecord::Confirmed)] {
        record_payout(house, context(by), id, record).await.unwrap();
    }
    let found = known(house, id).await.details;
    let payout = found.entry.payout.as_ref().unwrap();
    assert_eq!(payout.state, PayoutState::Confirmed);
    let name = |id| found.person(id).map(|person| person.username);
    assert_eq!(name(payout.sent_by).as_deref(), Some("ben"));
    assert_eq!(name(payout.confirmed_by).as_deref(), Some("ann"));
    assert_eq!(name(payout.failed_by), None);
    assert_eq!(found.entry.decided_by.as_ref().map(|by| by.id), Some(ben));
    let decided = &found.proposals[0];
    assert_eq!(decided.decided_by.as_ref().map(|by| by.id), Some(ben));
    let [held] = found.ledger_entries.as_slice() else {
        panic!("{:?}", found.ledger_entries);
    };
    assert_eq!(
        (held.kind, held.amount),
        (EntryKind::Withdrawal, dollars(-150_000))
    );
    assert_eq!(known(house, other).await.details.requests.count, 2);
    let unknown = read_withdrawal(house, WithdrawalId::new(i64::MAX)).await;
    assert_refused(unknown, &Refusal::NotFound);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_failed_withdrawal_has_why_and_who_returned_it(#[case] test: &Fixture) {
    let house = &test.house;
    let player = test.player("winner", 10_000).await;
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    let id = withdrawal(test, player, "30").await;
    test.clock.advance(std::time::Duration::from_hours(25));
    decide_withdrawal(house, context(ann), id, APPROVAL)
        .await
        .unwrap();
    let failed = PayoutRecord::Failed("the wallet is empty".to_owned());
    for (by, record) in [(ann, failed), (ben, PayoutRecord::Returned)] {
        record_payout(house, context(by), id, record).await.unwrap();
    }
    let found = known(house, id).await.details;
    let payout = found.entry.payout.as_ref().unwrap();
    assert_eq!(payout.state, PayoutState::Returned);
    assert_eq!(payout.problem.as_deref(), Some("the wallet is empty"));
    assert_eq!(found.person(payout.failed_by).unwrap().id, ann);
    assert_eq!(found.person(payout.returned_by).unwrap().id, ben);
    let kinds: Vec<_> = found
        .ledger_entries
        .iter()
        .map(|entry| entry.kind)
        .collect();
    assert_eq!(
        kinds,
        [EntryKind::Withdrawal, EntryKind::WithdrawalReturned]
    );
    assert_eq!(found.ledger_entries[1].balance_after, dollars(10_000));
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_withdrawal_paid_by_the_provider_has_its_batch(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let id = paying.approved("100").await;
    paying.fixture.sandbox.inject_fault(FaultInjection {
        hold_payouts: true,
        ..FaultInjection::default()
    });
    paying.steps(2).await;
    let found = known(&test.house, id).await.details;
    let payout = found.entry.payout.as_ref().unwrap();
    assert_eq!(payout.state, PayoutState::Sent);
    assert!(payout.requested_at.is_some() && payout.verified_at.is_some());
    assert!(payout.provider.is_some());
    // Nobody has recorded anything; the provider has reported it.
    assert!(found.persons.is_empty());
    assert_eq!(
        found.entry.decided_by.map(|by| by.id),
        Some(paying.cashiers[0])
    );
    test.assert_clean().await;
}
