//! Who may set the switches of the house, and what is recorded of it.

use glasshouse_casino::administration::{
    AdminContext, InitialPassword, SwitchChange, create_administrator, set_switch,
    set_switch_as_operator, switches,
};
use glasshouse_casino::{OperatingRefusal, Refusal};
use glasshouse_domain::{HouseSwitch, Role};
use rstest_reuse::apply;

use crate::support::administration::{PASSWORD, administrator, audit_actions, context, keyed};
use crate::support::{Fixture, assert_refused, both_databases};
use crate::switches::{resuming, stopping};

#[apply(both_databases)]
async fn a_change_is_recorded_once_with_its_reason(#[case] test: &Fixture) {
    let (house, boss) = (&test.house, administrator(test, "boss").await);
    let blank = SwitchChange {
        reason: " \n".to_owned(),
        ..stopping(HouseSwitch::Deposits)
    };
    let refused = set_switch(house, context(boss), blank).await;
    assert_refused(refused, &Refusal::StatusReasonRequired);
    let long = SwitchChange {
        reason: "x".repeat(501),
        ..stopping(HouseSwitch::Deposits)
    };
    let refused = set_switch(house, context(boss), long).await;
    assert_refused(refused, &Refusal::NoteTooLong);
    for _ in 0..2 {
        let change = stopping(HouseSwitch::Deposits);
        set_switch(house, keyed(boss, "once"), change)
            .await
            .unwrap();
    }
    let other = set_switch(
        house,
        keyed(boss, "once"),
        stopping(HouseSwitch::Withdrawals),
    )
    .await;
    assert_refused(other, &Refusal::IdempotencyConflict);
    // The same again records nothing; another reason does.
    let change = stopping(HouseSwitch::Deposits);
    set_switch(house, context(boss), change.clone())
        .await
        .unwrap();
    let other = SwitchChange {
        reason: "the provider is down".to_owned(),
        ..change
    };
    set_switch(house, context(boss), other).await.unwrap();
    set_switch_as_operator(house, resuming(HouseSwitch::Deposits))
        .await
        .unwrap();
    // A repeated call does not stop anything again.
    let change = stopping(HouseSwitch::Deposits);
    set_switch(house, keyed(boss, "once"), change)
        .await
        .unwrap();
    let records = test.texts(
        "SELECT COALESCE(actor_id, 0) || ' ' || subject || ': ' || old_value || ' to ' || new_value AS value
         FROM audit_log WHERE action = 'house_switch' ORDER BY id",
    );
    assert_eq!(
        records,
        [
            format!("{boss} switch deposits (we are moving): on to off"),
            format!("{boss} switch deposits (the provider is down): off to off"),
            "0 switch deposits (we are moving): off to on".to_owned(),
        ]
    );
    let entries = switches(house).await.unwrap();
    let entry = entries
        .iter()
        .find(|entry| entry.switch == HouseSwitch::Deposits);
    let entry = entry.unwrap();
    assert!(entry.state.is_on && entry.changed_by.is_none() && entry.changed_at.is_some());
    test.assert_clean().await;
}

async fn with_role(test: &Fixture, role: Role) -> AdminContext {
    let password = InitialPassword::Chosen(PASSWORD.to_owned());
    let id = create_administrator(&test.house, role.as_str(), password, role).await;
    context(id.unwrap())
}

#[apply(both_databases)]
async fn more_roles_may_stop_than_resume(#[case] test: &Fixture) {
    let house = &test.house;
    for role in Role::ALL.iter().filter(|role| role.is_administrator()) {
        let by = with_role(test, *role).await;
        let stopped = set_switch(house, by.clone(), stopping(HouseSwitch::Withdrawals)).await;
        let resumed = set_switch(house, by, resuming(HouseSwitch::Withdrawals)).await;
        let not_permitted = OperatingRefusal::NotPermitted.into();
        match role {
            Role::Owner => {
                stopped.unwrap();
                resumed.unwrap();
            }
            Role::Finance | Role::Cashier => {
                stopped.unwrap();
                assert_refused(resumed, &not_permitted);
                set_switch_as_operator(house, resuming(HouseSwitch::Withdrawals))
                    .await
                    .unwrap();
            }
            _ => {
                assert_refused(stopped, &not_permitted);
                assert_refused(resumed, &not_permitted);
            }
        }
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_changed_switch_without_a_record_is_found(#[case] test: &Fixture) {
    set_switch_as_operator(&test.house, stopping(HouseSwitch::Deposits))
        .await
        .unwrap();
    test.assert_clean().await;
    for tampering in [
        "UPDATE switches SET is_on = 1 WHERE name = 'deposits'",
        "UPDATE switches SET reason = 'lunch' WHERE name = 'deposits'",
        "UPDATE switches SET is_on = 0 WHERE name = 'registration'",
        "DELETE FROM switches WHERE name = 'maintenance'",
    ] {
        let copy = test.copy();
        copy.sql(tampering).unwrap();
        let report = copy.check();
        let broken = report.invariants.iter().filter(|found| found.count > 0);
        let broken: Vec<_> = broken.map(|found| found.invariant).collect();
        assert_eq!(
            broken,
            ["every switch is what the audit log says"],
            "{tampering}"
        );
    }
    assert_eq!(audit_actions(test).await[0], "house_switch");
}
