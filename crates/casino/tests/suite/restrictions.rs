//! What single players are restricted from: betting, and withdrawing.

use std::time::Duration;

use glasshouse_casino::accounts::player;
use glasshouse_casino::administration::{
    AdminContext, Decision, InitialPassword, RestrictionChange, create_administrator, restrict,
};
use glasshouse_casino::money::deposits::create_deposit;
use glasshouse_casino::money::payouts::approve_automatically;
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_casino::{ApprovalRefusal, CasinoError, House, OperatingRefusal, Refusal};
use glasshouse_domain::{Currency, PayoutState, Restriction, Role, UserId};
use glasshouse_games::crash;
use glasshouse_games::dice::BetType;
use rstest_reuse::apply;

use crate::support::administration::{
    APPROVAL, PASSWORD, administrator, context, decide_withdrawal, keyed,
};
use crate::support::cashier_fixture::CashierFixture;
use crate::support::games::{CashOutCall, cash_out, place_dice_bet, start_crash_round};
use crate::support::payouts::{ADDRESS, Paying};
use crate::support::predetermined_rounds::{crash_bet, crashes_in, prepare, times};
use crate::support::tampering::disable_triggers;
use crate::support::{Fixture, assert_refused, bet, both_databases};

fn change(restriction: Restriction, is_blocked: bool) -> RestrictionChange {
    RestrictionChange {
        restriction,
        is_blocked,
        reason: "stolen card".to_owned(),
    }
}

async fn set(test: &Fixture, by: UserId, user: UserId, restriction: Restriction, is_blocked: bool) {
    restrict(
        &test.house,
        context(by),
        user,
        change(restriction, is_blocked),
    )
    .await
    .unwrap();
}

async fn roll(house: &House, player: UserId) -> Result<(), CasinoError> {
    place_dice_bet(house, player, bet(100, 50, BetType::Over), None)
        .await
        .map(drop)
}

async fn withdraw(house: &House, player: UserId) -> Result<(), CasinoError> {
    let request = WithdrawalRequest::parse("20", "btc", ADDRESS).unwrap();
    request_withdrawal(house, player, request, None)
        .await
        .map(drop)
}

#[apply(both_databases)]
async fn betting_is_blocked_and_rounds_in_play_are_finished(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (house, user) = (&test.house, fixture.player);
    test.set_balance(user, 1_000_000).await.unwrap();
    let boss = administrator(test, "boss").await;
    let in_play = crash_bet(1_000, None);
    prepare::<crash::Round>(test, user, in_play, crashes_in(200..10_000)).await;
    start_crash_round(house, user, in_play, None).await.unwrap();

    set(test, boss, user, Restriction::Betting, true).await;
    let blocked = Refusal::from(OperatingRefusal::BettingBlocked);
    assert_refused(roll(house, user).await, &blocked);
    // No other server has to be told.
    assert_refused(roll(&test.another_house(), user).await, &blocked);
    let request = fixture.deposit_request(2_000, Currency::Btc);
    assert_refused(create_deposit(&fixture.cashier, request).await, &blocked);
    withdraw(house, user).await.unwrap();
    test.clock.advance(Duration::from_millis(500));
    cash_out(house, user, times(103), CashOutCall::default())
        .await
        .unwrap();
    assert_refused(
        start_crash_round(house, user, in_play, None).await,
        &blocked,
    );
    test.assert_clean().await;

    set(test, boss, user, Restriction::Betting, false).await;
    roll(house, user).await.unwrap();
    assert_eq!(
        test.texts("SELECT COALESCE(play_rules, '') AS value FROM accounts WHERE play_rules <> ''"),
        Vec::<String>::new()
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn withdrawing_is_blocked_from_the_request_to_the_payment(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let (house, user) = (&test.house, paying.player);
    let pending = paying.request("30").await;
    let claimed = paying.approved("40").await;
    let requested = paying.approved("50").await;
    let boss = paying.cashiers[0];
    set(test, boss, user, Restriction::Withdrawing, true).await;
    assert_refused(
        withdraw(house, user).await,
        &OperatingRefusal::WithdrawingBlocked.into(),
    );
    roll(house, user).await.unwrap();
    assert_refused(
        decide_withdrawal(paying.cashier.house(), context(boss), pending, APPROVAL).await,
        &OperatingRefusal::PlayerMayNotWithdraw.into(),
    );
    assert_eq!(approve_automatically(&paying.cashier).await.unwrap(), 0);
    paying.steps(3).await;
    for id in [claimed, requested] {
        let payout = paying.payout(id).await;
        assert_eq!(payout.state, PayoutState::Claimed);
        assert!(payout.problem.unwrap().contains("blocked"));
    }
    // Rejecting stays possible.
    let rejection = Decision::Reject("stolen card".to_owned());
    decide_withdrawal(paying.cashier.house(), context(boss), pending, rejection)
        .await
        .unwrap();
    test.assert_clean().await;
    set(test, boss, user, Restriction::Withdrawing, false).await;
    paying.steps(3).await;
    for id in [claimed, requested] {
        assert_eq!(paying.paid(id).await.len(), 1);
    }
    withdraw(house, user).await.unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_restriction_is_recorded_once_and_the_player_does_not_learn_why(#[case] test: &Fixture) {
    let (house, user) = (&test.house, test.player("player", 10_000).await);
    let boss = administrator(test, "boss").await;
    let blocked = change(Restriction::Betting, true);
    let blank = RestrictionChange {
        reason: "\t".to_owned(),
        ..blocked.clone()
    };
    let refused = restrict(house, context(boss), user, blank).await;
    assert_refused(refused, &Refusal::StatusReasonRequired);
    for _ in 0..2 {
        let entry = restrict(house, keyed(boss, "once"), user, blocked.clone()).await;
        let restrictions = entry.unwrap().restrictions;
        assert_eq!(restrictions.betting.as_deref(), Some("stolen card"));
        assert_eq!(restrictions.withdrawing, None);
    }
    let other = change(Restriction::Withdrawing, true);
    let conflict = restrict(house, keyed(boss, "once"), user, other.clone()).await;
    assert_refused(conflict, &Refusal::IdempotencyConflict);
    restrict(house, context(boss), user, other).await.unwrap();
    set(test, boss, user, Restriction::Betting, false).await;
    set(test, boss, user, Restriction::Betting, false).await;
    let records = test.texts(
        "SELECT action || ': ' || COALESCE(old_value, '-') || ' to ' || COALESCE(new_value, '-')
            || ', ' || COALESCE(subject, '-') AS value
         FROM audit_log WHERE action LIKE '%blocked' ORDER BY id",
    );
    assert_eq!(
        records,
        [
            "betting_blocked: - to stolen card, -",
            "withdrawing_blocked: - to stolen card, -",
            "betting_unblocked: stolen card to -, reason: stolen card",
        ]
    );
    let refusal = withdraw(house, user).await.unwrap_err().to_string();
    assert!(!refusal.contains("stolen"), "{refusal}");
    let signed_in = glasshouse_casino::administration::read_user(house, user).await;
    let view = player(house, signed_in.unwrap().user).await.unwrap();
    assert!(view.is_withdrawing_blocked && !view.is_betting_blocked);
    let nobody = restrict(house, context(boss), UserId::new(9_999), blocked.clone()).await;
    assert_refused(nobody, &Refusal::NotFound);
    let own = restrict(house, context(boss), boss, blocked).await;
    assert_refused(own, &ApprovalRefusal::OwnAccount.into());
    test.assert_clean().await;
}

async fn with_role(test: &Fixture, role: Role) -> AdminContext {
    let password = InitialPassword::Chosen(PASSWORD.to_owned());
    let id = create_administrator(&test.house, role.as_str(), password, role).await;
    context(id.unwrap())
}

#[apply(both_databases)]
async fn each_role_restricts_what_it_is_responsible_for(#[case] test: &Fixture) {
    let user = test.player("player", 0).await;
    for role in Role::ALL.iter().filter(|role| role.is_administrator()) {
        let by = with_role(test, *role).await;
        for restriction in Restriction::ALL {
            for is_blocked in [true, false] {
                let outcome = restrict(
                    &test.house,
                    by.clone(),
                    user,
                    change(*restriction, is_blocked),
                )
                .await;
                if role.may(restriction.permission()) {
                    outcome.unwrap();
                } else {
                    assert_refused(outcome, &OperatingRefusal::NotPermitted.into());
                }
            }
        }
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_restriction_without_a_record_or_without_its_copy_is_found(#[case] test: &Fixture) {
    let user = test.player("player", 10_000).await;
    let boss = administrator(test, "boss").await;
    set(test, boss, user, Restriction::Betting, true).await;
    test.assert_clean().await;
    let log = "every restriction is what the audit log says";
    let copies =
        "every account repeats the limits, the exclusion and the restrictions of its player";
    for (tampering, expected) in [
        ("UPDATE users SET betting_block_reason = NULL", vec![copies, log]),
        ("UPDATE users SET betting_block_reason = 'x' WHERE betting_block_reason IS NOT NULL", vec![log]),
        ("UPDATE accounts SET play_rules = NULL", vec![copies]),
        (
            "UPDATE users SET betting_block_reason = NULL; UPDATE accounts SET play_rules = NULL",
            vec![log],
        ),
        (
            "UPDATE users SET withdrawing_block_reason = 'x' WHERE betting_block_reason IS NOT NULL;
             UPDATE accounts SET play_rules = '{\"isBettingBlocked\":true,\"isWithdrawingBlocked\":true}'
             WHERE play_rules IS NOT NULL",
            vec![log],
        ),
    ] {
        let copy = test.copy();
        let triggers = disable_triggers(&copy);
        copy.sql(tampering).unwrap();
        copy.sql(&triggers).unwrap();
        let report = copy.check();
        let broken = report.invariants.iter().filter(|found| found.count > 0);
        let broken: Vec<_> = broken.map(|found| found.invariant).collect();
        assert_eq!(broken, expected, "{tampering}");
    }
}
