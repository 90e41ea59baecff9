//! Dual control when many decide at once, on two servers.

use glasshouse_casino::administration::{
    Adjustment, Outcome, adjust_balance, approve_proposal, refuse_proposal, withdraw_proposal,
};
use glasshouse_casino::{ApprovalRefusal, CasinoError, Refusal};
use glasshouse_domain::{ProposalState, SecondPersonCause};
use rstest_reuse::apply;

use crate::support::administration::{adjustment, administrator, context};
use crate::support::cashier_fixture::{CashierFixture, at_once, dollars};
use crate::support::{Fixture, assert_refused, both_databases};

#[apply(both_databases)]
async fn a_proposal_is_decided_once(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let player = fixture.player;
    let proposer = administrator(test, "ann").await;
    let deciders = [
        administrator(test, "ben").await,
        administrator(test, "carl").await,
    ];
    let cashiers = [fixture.cashier.clone(), fixture.another_cashier()];
    let mut expected = 0;
    for turn in 0..6 {
        let request = Adjustment {
            may_propose: true,
            ..adjustment(player, dollars(expected + 20_000 + turn))
        };
        let outcome = adjust_balance(&test.house, context(proposer), request).await;
        let Ok(Outcome::Proposed(id)) = outcome else {
            panic!("{outcome:?}");
        };
        let outcomes = at_once(9, |number| {
            let cashier = cashiers[number % 2].clone();
            let decider = deciders[number % 2];
            async move {
                match number % 3 {
                    0 => approve_proposal(&cashier, context(decider), id).await,
                    1 => refuse_proposal(cashier.house(), context(decider), id, "no").await,
                    _ => withdraw_proposal(cashier.house(), context(proposer), id).await,
                }
            }
        })
        .await;
        let mut decided = Vec::new();
        for outcome in outcomes {
            match outcome {
                Ok(entry) => decided.push(entry.proposal.stored_state),
                Err(CasinoError::Refused(Refusal::Approval(ApprovalRefusal::Decided(_)))) => {}
                Err(error) => panic!("{error:?}"),
            }
        }
        assert_eq!(decided.len(), 1);
        if decided[0] == ProposalState::Approved {
            expected += 20_000 + turn;
        }
        assert_eq!(fixture.balance().await, expected);
    }
    test.assert_clean().await;
}

/// Twenty adjustments of 100 dollars are all that one person may make alone in a day.
#[apply(both_databases)]
async fn the_total_of_a_day_is_kept_by_concurrent_acts(#[case] test: &Fixture) {
    let ann = administrator(test, "ann").await;
    let houses = [test.house.clone(), test.another_house()];
    let mut players = Vec::new();
    for number in 0..30 {
        players.push(test.player(&format!("player-{number}"), 0).await);
    }
    let outcomes =
        at_once(30, |number| {
            let (house, player) = (houses[number % 2].clone(), players[number]);
            async move {
                adjust_balance(&house, context(ann), adjustment(player, dollars(10_000))).await
            }
        })
        .await;
    let (done, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!(done.len(), 20);
    let cause = SecondPersonCause::PersonPerDay(dollars(200_000));
    for outcome in refused {
        assert_refused(
            outcome,
            &ApprovalRefusal::SecondPersonRequired(cause).into(),
        );
    }
    test.assert_clean().await;
}
