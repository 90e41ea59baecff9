//! The life of proposals, and what always takes two persons: permissions and thresholds.

use glasshouse_casino::administration::{
    BanState, RoleChange, adjust_balance, approve_proposal, change_role, proposals,
    propose_thresholds, refuse_proposal, set_ban_state, set_role, set_thresholds,
    withdraw_proposal,
};
use glasshouse_casino::{ApprovalRefusal, ClosureRefusal, Refusal};
use glasshouse_domain::{ApprovalThresholds, ProposalState, Role};
use rstest_reuse::apply;

use crate::support::administration::{
    adjustment, administrator, audit_actions, context, done, keyed,
};
use crate::support::approvals::{
    ABOVE_ADJUSTMENT, HOUR, balance, open_count, proposable, propose_adjustment, proposed,
};
use crate::support::cashier_fixture::{CashierFixture, dollars};
use crate::support::{Fixture, assert_refused, both_databases};

#[apply(both_databases)]
async fn a_proposal_expires_and_can_be_withdrawn(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (cashier, player) = (&fixture.cashier, fixture.player);
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    let id = propose_adjustment(test, ann, player, 50_000).await;
    test.clock.advance(HOUR * 72);
    assert_eq!(open_count(test).await, 0);
    let late = approve_proposal(cashier, context(ben), id).await;
    assert_refused(late, &ApprovalRefusal::Expired.into());
    let expired = proposals(&test.house, ProposalState::Expired, (None, 10)).await;
    assert_eq!(expired.unwrap().entries.len(), 1);
    // It can be proposed again.
    let id = propose_adjustment(test, ann, player, 50_000).await;
    let other = withdraw_proposal(&test.house, context(ben), id).await;
    assert_refused(other, &ApprovalRefusal::OthersProposal.into());
    withdraw_proposal(&test.house, context(ann), id)
        .await
        .unwrap();
    let late = approve_proposal(cashier, context(ben), id).await;
    assert_refused(
        late,
        &ApprovalRefusal::Decided(ProposalState::Withdrawn).into(),
    );
    assert_eq!(balance(test, player), 0);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn both_persons_must_be_permitted_when_it_is_approved(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (cashier, player) = (&fixture.cashier, fixture.player);
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    let cashier_only = administrator(test, "carl").await;
    set_role(&test.house, "carl", Role::Cashier).await.unwrap();
    let id = propose_adjustment(test, ann, player, 50_000).await;
    let refused = approve_proposal(cashier, context(cashier_only), id).await;
    assert_refused(refused, &ApprovalRefusal::NotPermitted.into());
    set_role(&test.house, "ann", Role::Auditor).await.unwrap();
    let refused = approve_proposal(cashier, context(ben), id).await;
    assert_refused(refused, &ApprovalRefusal::ProposerNotPermitted.into());
    set_role(&test.house, "ann", Role::Player).await.unwrap();
    let ban = BanState::Banned("left".to_owned());
    set_ban_state(&test.house, context(ben), ann, ban)
        .await
        .unwrap();
    let refused = approve_proposal(cashier, context(ben), id).await;
    assert_refused(refused, &ApprovalRefusal::ProposerNotPermitted.into());
    // It can still be refused.
    refuse_proposal(&test.house, context(ben), id, "she has left")
        .await
        .unwrap();
    assert_eq!(balance(test, player), 0);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn giving_permissions_takes_two_and_taking_them_one(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let house = &test.house;
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    let change = |user, role| RoleChange {
        user,
        role,
        reason: "shifts".to_owned(),
    };
    let player = fixture.player;
    let unchanged = change_role(house, context(ann), change(player, Role::Player)).await;
    assert_refused(unchanged, &ApprovalRefusal::RoleUnchanged.into());
    let id = proposed(change_role(house, context(ann), change(player, Role::Finance)).await);
    let role = async || {
        let query = format!("SELECT role AS value FROM users WHERE id = {player}");
        test.texts(&query).concat()
    };
    assert_eq!(role().await, "player");
    approve_proposal(&fixture.cashier, context(ben), id)
        .await
        .unwrap();
    assert_eq!(role().await, "finance");
    // More than before, and so for two.
    let id = proposed(change_role(house, context(ben), change(player, Role::Cashier)).await);
    done(
        change_role(house, context(ann), change(player, Role::Player))
            .await
            .unwrap(),
    );
    let stale = approve_proposal(&fixture.cashier, context(ann), id).await;
    assert_refused(stale, &ApprovalRefusal::RoleChanged.into());
    // One's own role can be lowered as long as there is another owner.
    done(
        change_role(house, context(ann), change(ann, Role::Finance))
            .await
            .unwrap(),
    );
    let raised = change_role(house, context(ben), change(ann, Role::Owner)).await;
    assert_refused(raised, &ApprovalRefusal::NoSecondPerson.into());
    let last = change_role(house, context(ben), change(ben, Role::Auditor)).await;
    assert_refused(last, &ClosureRefusal::LastOwner.into());
    let own = change_role(house, context(ann), change(ann, Role::Owner)).await;
    assert_refused(own, &ApprovalRefusal::OwnAccount.into());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn thresholds_are_changed_by_two_or_by_the_operator(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let house = &test.house;
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    let higher = ApprovalThresholds {
        adjustment: dollars(50_000),
        ..ApprovalThresholds::INITIAL
    };
    let negative = ApprovalThresholds {
        adjustment: dollars(-1),
        ..higher
    };
    let refused = propose_thresholds(house, context(ann), negative, "x").await;
    let expected = ApprovalRefusal::Thresholds(glasshouse_domain::ThresholdsError);
    assert_refused(refused, &expected.into());
    let entry = propose_thresholds(house, context(ann), higher, "more players")
        .await
        .unwrap();
    let id = entry.proposal.id;
    approve_proposal(&fixture.cashier, context(ben), id)
        .await
        .unwrap();
    let request = adjustment(fixture.player, dollars(50_000));
    done(adjust_balance(house, context(ann), request).await.unwrap());
    // The same again changes nothing and is not recorded.
    let records = audit_actions(test).await.len();
    set_thresholds(house, |present| present).await.unwrap();
    assert_eq!(audit_actions(test).await.len(), records);
    set_thresholds(house, |_| ApprovalThresholds::INITIAL)
        .await
        .unwrap();
    let request = adjustment(fixture.player, dollars(0));
    let refused = adjust_balance(house, context(ben), request).await;
    assert_refused(refused, &ABOVE_ADJUSTMENT.into());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_repeated_request_returns_the_same_proposal_or_decision(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (cashier, player) = (&fixture.cashier, fixture.player);
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    let propose = async |cents, key: &str| {
        adjust_balance(&test.house, keyed(ann, key), proposable(player, cents)).await
    };
    let id = proposed(propose(50_000, "a").await);
    assert_eq!(proposed(propose(50_000, "a").await), id);
    assert_refused(propose(40_000, "a").await, &Refusal::IdempotencyConflict);
    for _ in 0..2 {
        let approved = approve_proposal(cashier, keyed(ben, "b"), id)
            .await
            .unwrap();
        assert_eq!(approved.proposal.stored_state, ProposalState::Approved);
    }
    assert_eq!(balance(test, player), 50_000);
    // Repeated after it was carried out, and after the threshold was raised.
    set_thresholds(&test.house, |present| ApprovalThresholds {
        adjustment: dollars(1_000_000),
        ..present
    })
    .await
    .unwrap();
    assert_eq!(proposed(propose(50_000, "a").await), id);
    let refused = refuse_proposal(&test.house, keyed(ben, "b"), id, "no").await;
    assert_refused(refused, &Refusal::IdempotencyConflict);
    assert_eq!(balance(test, player), 50_000);
    test.assert_clean().await;
}
