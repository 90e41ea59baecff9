//! `glasshouse check` notices when what needs two people was done by one, past the rules of the house.

use glasshouse_casino::administration::{
    Adjustment, Outcome, RoleChange, adjust_balance, approve_proposal, change_role,
    refuse_proposal, set_thresholds,
};
use glasshouse_domain::{ApprovalThresholds, ProposalId, Role};
use rstest::rstest;

use crate::support::administration::{adjustment, administrator, context};
use crate::support::cashier_fixture::{CashierFixture, dollars};
use crate::support::tampering::{assert_rows, disable_triggers};
use crate::support::{Backend, Fixture};

/// The player is user 1, the administrators are 2 and 3. Proposal 1 gave the player 500 dollars, proposal 2
/// was refused, and proposal 3 made user 4 an auditor.
async fn acts_of_two(test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (cashier, player) = (&fixture.cashier, fixture.player);
    let ann = administrator(test, "ann").await;
    let ben = administrator(test, "ben").await;
    let helper = test.player("helper", 0).await;
    let small = adjustment(player, dollars(5_000));
    adjust_balance(&test.house, context(ann), small)
        .await
        .unwrap();
    for cents in [55_000, 70_000] {
        let request = Adjustment {
            may_propose: true,
            ..adjustment(player, dollars(cents))
        };
        let outcome = adjust_balance(&test.house, context(ann), request).await;
        assert!(matches!(outcome, Ok(Outcome::Proposed(_))), "{outcome:?}");
    }
    approve_proposal(cashier, context(ben), ProposalId::new(1))
        .await
        .unwrap();
    refuse_proposal(&test.house, context(ben), ProposalId::new(2), "no")
        .await
        .unwrap();
    let change = RoleChange {
        user: helper,
        role: Role::Auditor,
        reason: "the yearly audit".to_owned(),
    };
    change_role(&test.house, context(ann), change)
        .await
        .unwrap();
    approve_proposal(cashier, context(ben), ProposalId::new(3))
        .await
        .unwrap();
    set_thresholds(&test.house, |present| ApprovalThresholds {
        adjustment: dollars(40_000),
        ..present
    })
    .await
    .unwrap();
    test.assert_clean().await;
}

#[rstest]
#[case::an_act_of_two_passed_off_as_one_of_one(
    "UPDATE money_acts SET proposal_id = NULL",
    "needed a second person"
)]
#[case::an_act_of_another_proposal(
    "UPDATE money_acts SET proposal_id = 2 WHERE proposal_id = 1",
    "is not what was proposed and approved"
)]
#[case::another_amount(
    "UPDATE money_acts SET amount_cents = 4000 WHERE proposal_id IS NULL",
    "differs"
)]
#[case::removed_acts("DELETE FROM money_acts", "is missing")]
#[case::other_first_thresholds(
    "UPDATE approval_thresholds SET adjustment_cents = 90000 WHERE id = 1",
    "version 1 differs"
)]
#[case::other_thresholds(
    "UPDATE approval_thresholds SET adjustment_cents = 90000 WHERE id = 2",
    "version 2 differs"
)]
#[case::removed_thresholds("DELETE FROM approval_thresholds WHERE id = 2", "are missing")]
#[case::another_proposed_act(
    "UPDATE proposals SET act = 'adjust the balance: from 50.00 to 650.00' WHERE id = 1",
    "proposal 1: the audit log differs"
)]
#[case::a_refused_proposal_passed_off_as_approved(
    "UPDATE proposals SET state = 'approved', decision_reason = NULL WHERE id = 2",
    "proposal 2: the audit log differs"
)]
#[case::another_proposer(
    "UPDATE proposals SET proposed_by = 4 WHERE id = 1",
    "proposal 1: the audit log differs"
)]
#[case::a_removed_proposal("DELETE FROM proposals WHERE id = 3", "one person did it")]
#[tokio::test]
async fn the_check_notices(#[case] tampering: &str, #[case] row: &str) {
    let test = Fixture::on(Backend::Sqlite);
    acts_of_two(&test).await;
    let triggers = disable_triggers(&test);
    test.sql(tampering).unwrap();
    test.sql(&triggers).unwrap();
    assert_rows(&test.check(), &[row]);
}
