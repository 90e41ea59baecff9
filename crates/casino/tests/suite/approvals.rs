//! Dual control: what one administrator may do alone, and proposals.

use glasshouse_casino::administration::{
    Adjustment, Confirmation, Decision, adjust_balance, approval_overview, approve_proposal,
    confirm_payment, decide_withdrawal, refuse_proposal, set_role, set_thresholds,
};
use glasshouse_casino::money::cancel_withdrawal;
use glasshouse_casino::{ApprovalRefusal, Refusal};
use glasshouse_domain::{ApprovalThresholds, Permission, ProposalState, Role, SecondPersonCause};
use rstest_reuse::apply;

use crate::support::administration::{adjustment, administrator, audit_actions, context, done};
use crate::support::approvals::{
    ABOVE_ADJUSTMENT, HOUR, balance, open_count, proposable, propose_adjustment, proposed,
    withdrawal,
};
use crate::support::cashier_fixture::{CashierFixture, dollars};
use crate::support::{Fixture, assert_refused, both_databases};

#[apply(both_databases)]
async fn a_large_adjustment_is_proposed_by_one_and_approved_by_another(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (cashier, player) = (&fixture.cashier, fixture.player);
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    let small = adjust_balance(
        &test.house,
        context(ann),
        adjustment(player, dollars(10_000)),
    )
    .await;
    done(small.unwrap());
    let alone = adjustment(player, dollars(20_001));
    let refused = adjust_balance(&test.house, context(ann), alone).await;
    assert_refused(refused, &ABOVE_ADJUSTMENT.into());
    let id = propose_adjustment(test, ann, player, 50_000).await;
    assert_eq!(balance(test, player), 10_000);
    let again = adjust_balance(&test.house, context(ben), proposable(player, 50_000)).await;
    assert_refused(again, &ApprovalRefusal::AlreadyProposed.into());
    let own = approve_proposal(cashier, context(ann), id).await;
    assert_refused(own, &ApprovalRefusal::OwnProposal.into());
    // The player plays on: it is the difference that was proposed.
    withdrawal(test, player, "30").await;
    let approved = approve_proposal(cashier, context(ben), id).await.unwrap();
    assert_eq!(approved.proposal.stored_state, ProposalState::Approved);
    assert_eq!(approved.decided_by.unwrap().username, "ben");
    assert_eq!(balance(test, player), 47_000);
    let twice = approve_proposal(cashier, context(ben), id).await;
    assert_refused(
        twice,
        &ApprovalRefusal::Decided(ProposalState::Approved).into(),
    );
    assert_eq!(
        audit_actions(test).await[..4],
        [
            "proposal_approved",
            "balance_override",
            "proposal_made",
            "balance_override"
        ]
    );
    // What two persons have done does not count for what one may do alone.
    let overview = approval_overview(&test.house, ben).await.unwrap();
    assert_eq!(
        (overview.today.by_person, overview.today.by_house),
        (dollars(0), dollars(10_000))
    );
    assert_eq!(overview.open_proposals, 0);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn nobody_acts_for_their_own_account_or_without_a_reason(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    let own = adjust_balance(&test.house, context(ann), adjustment(ann, dollars(1))).await;
    assert_refused(own, &ApprovalRefusal::OwnAccount.into());
    let blank = Adjustment {
        reason: " \n".to_owned(),
        ..adjustment(fixture.player, dollars(1))
    };
    let refused = adjust_balance(&test.house, context(ann), blank).await;
    assert_refused(refused, &ApprovalRefusal::ReasonRequired.into());
    // Nobody approves what concerns themselves. A third person could.
    administrator(test, "carl").await;
    let id = propose_adjustment(test, ann, ben, 50_000).await;
    let refused = approve_proposal(&fixture.cashier, context(ben), id).await;
    assert_refused(refused, &ApprovalRefusal::OwnAccount.into());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn nothing_is_proposed_to_nobody(#[case] test: &Fixture) {
    let player = test.player("alice", 0).await;
    let ann = administrator(test, "ann").await;
    let helper = administrator(test, "helper").await;
    set_role(&test.house, "helper", Role::Support)
        .await
        .unwrap();
    let lone = adjust_balance(&test.house, context(ann), proposable(player, 50_000)).await;
    assert_refused(lone, &ApprovalRefusal::NoSecondPerson.into());
    let overview = approval_overview(&test.house, ann).await.unwrap();
    assert!(!overview.has_second_person(Permission::AdjustBalances));
    set_role(&test.house, "helper", Role::Finance)
        .await
        .unwrap();
    let overview = approval_overview(&test.house, ann).await.unwrap();
    assert!(overview.has_second_person(Permission::AdjustBalances));
    assert!(!overview.has_second_person(Permission::DecideWithdrawals));
    // The second person is not the player who is paid.
    let theirs = adjust_balance(&test.house, context(ann), proposable(helper, 50_000)).await;
    assert_refused(theirs, &ApprovalRefusal::NoSecondPerson.into());
    propose_adjustment(test, ann, player, 50_000).await;
    assert_eq!(open_count(test).await, 1);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_day_has_a_total_for_each_person_and_for_the_house(#[case] test: &Fixture) {
    let ann = administrator(test, "ann").await;
    let ben = administrator(test, "ben").await;
    set_thresholds(&test.house, |present| ApprovalThresholds {
        person_per_day: dollars(15_000),
        house_per_day: dollars(20_000),
        ..present
    })
    .await
    .unwrap();
    let player = test.player("alice", 0).await;
    let set = async |by, cents| {
        let request = adjustment(player, dollars(cents));
        adjust_balance(&test.house, context(by), request)
            .await
            .map(done)
    };
    let refused = |cause| Refusal::from(ApprovalRefusal::SecondPersonRequired(cause));
    set(ann, 9_000).await.unwrap();
    // Taking money away counts like giving it.
    set(ann, 3_000).await.unwrap();
    let over = SecondPersonCause::PersonPerDay(dollars(15_000));
    assert_refused(set(ann, 3_001).await, &refused(over));
    set(ben, 8_000).await.unwrap();
    let over = SecondPersonCause::HousePerDay(dollars(20_000));
    assert_refused(set(ben, 8_001).await, &refused(over));
    test.clock.advance(HOUR * 24);
    set(ann, 0).await.unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn whoever_has_credited_an_account_does_not_pay_it_out_alone(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let player = fixture.player;
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    for cents in [6_000, 12_000] {
        let request = adjustment(player, dollars(cents));
        done(
            adjust_balance(&test.house, context(ann), request)
                .await
                .unwrap(),
        );
    }
    let id = withdrawal(test, player, "20").await;
    let approve = async |by, may_propose| {
        let decision = Decision::Approve { may_propose };
        decide_withdrawal(&test.house, context(by), id, decision).await
    };
    let cause = SecondPersonCause::OwnCredits(dollars(10_000));
    let refusal = ApprovalRefusal::SecondPersonRequired(cause).into();
    assert_refused(approve(ann, false).await, &refusal);
    let proposal = proposed(approve(ann, true).await);
    // Somebody else needs no proposal.
    done(approve(ben, false).await.unwrap());
    let late = approve_proposal(&fixture.cashier, context(ben), proposal).await;
    let decided = glasshouse_domain::WithdrawalStatus::Approved;
    assert_refused(late, &Refusal::AlreadyDecided(decided));
    assert_eq!(open_count(test).await, 1);
    // After thirty days it is forgotten.
    let next = withdrawal(test, player, "20").await;
    test.clock.advance(HOUR * 24 * 30);
    let decision = Decision::Approve { may_propose: false };
    done(
        decide_withdrawal(&test.house, context(ann), next, decision)
            .await
            .unwrap(),
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_large_withdrawal_is_paid_by_two_or_not_at_all(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (cashier, player) = (&fixture.cashier, fixture.player);
    test.set_balance(player, 500_000).await.unwrap();
    set_thresholds(&test.house, |_| ApprovalThresholds::INITIAL)
        .await
        .unwrap();
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    let approve = async |id| {
        let decision = Decision::Approve { may_propose: true };
        proposed(decide_withdrawal(&test.house, context(ann), id, decision).await)
    };
    let first = withdrawal(test, player, "1000.01").await;
    let proposal = approve(first).await;
    let entry = approve_proposal(cashier, context(ben), proposal)
        .await
        .unwrap();
    assert_eq!(entry.user.unwrap().id, player);
    // Cancelled meanwhile: there is nothing to approve any more, and the proposal stays open.
    let second = withdrawal(test, player, "2000").await;
    let proposal = approve(second).await;
    cancel_withdrawal(&test.house, player, second)
        .await
        .unwrap();
    let refused = approve_proposal(cashier, context(ben), proposal).await;
    let cancelled = glasshouse_domain::WithdrawalStatus::Cancelled;
    assert_refused(refused, &Refusal::AlreadyDecided(cancelled));
    assert_eq!(open_count(test).await, 1);
    let blank = refuse_proposal(&test.house, context(ben), proposal, " ").await;
    assert_refused(blank, &ApprovalRefusal::ReasonRequired.into());
    let refused = refuse_proposal(&test.house, context(ben), proposal, "it is cancelled").await;
    assert_eq!(
        refused.unwrap().proposal.decision_reason.unwrap(),
        "it is cancelled"
    );
    // Rejecting needs nobody else.
    let third = withdrawal(test, player, "2000").await;
    let decision = Decision::Reject("no".to_owned());
    done(
        decide_withdrawal(&test.house, context(ann), third, decision)
            .await
            .unwrap(),
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn more_than_a_payment_is_worth_is_credited_by_two(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let cashier = &fixture.cashier;
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    let (deposit, invoice) = fixture.deposit().await;
    let payment = fixture.pay_percent(&invoice, 50).await;
    let credited = fixture.find(&deposit).await.credited.cents();
    let cap = deposit.price.cents() * 3 / 2;
    let request = |cents, may_propose| Confirmation {
        id: payment.to_string(),
        id_kind: None,
        player: fixture.player,
        amount: dollars(cents),
        currency: "BTC".to_owned(),
        reason: "the rest was found".to_owned(),
        may_propose,
    };
    // A review says how much may be credited in addition.
    test.sql(&format!(
        "INSERT INTO reviews (payment_id, deposit_id, kind, amount_cents, details, opened_at_micros)
         VALUES ('{payment}', {}, 'overpaid', 100000, 'x', 1)",
        deposit.id
    ))
    .unwrap();
    let above = request(cap - credited + 1, false);
    let refused = confirm_payment(cashier, context(ann), above).await;
    let cause = SecondPersonCause::AbovePayment;
    assert_refused(
        refused,
        &ApprovalRefusal::SecondPersonRequired(cause).into(),
    );
    let above = request(cap - credited + 1, true);
    let id = proposed(confirm_payment(cashier, context(ann), above).await);
    assert_eq!(fixture.balance().await, credited);
    approve_proposal(cashier, context(ben), id).await.unwrap();
    assert_eq!(fixture.balance().await, cap + 1);
    test.assert_clean().await;
}
