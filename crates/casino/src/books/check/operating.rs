//! Checks the house's switches and the players' restrictions against the audit log.

use std::collections::BTreeMap;

use glasshouse_domain::{AuditSubject, HouseSwitch, Restriction, SwitchState, switch_state_name};
use glasshouse_persistence::audit::AuditRecord;
use glasshouse_persistence::books::{RestrictionRow, SwitchRow};

use crate::books::check::report::Finding;

/// Switches and restrictions according to the audit log, built up record by record.
pub(crate) struct LoggedSettings {
    switches: BTreeMap<HouseSwitch, SwitchState>,
    /// The reasons by user and restriction.
    restrictions: BTreeMap<(i64, &'static str), String>,
    switch_findings: Finding,
    restriction_findings: Finding,
}

impl Default for LoggedSettings {
    fn default() -> Self {
        Self {
            switches: BTreeMap::new(),
            restrictions: BTreeMap::new(),
            switch_findings: Finding::new("every switch is what the audit log says"),
            restriction_findings: Finding::new("every restriction is what the audit log says"),
        }
    }
}

impl LoggedSettings {
    pub(crate) fn add_switch(&mut self, record: &AuditRecord) {
        let Some(AuditSubject::Switch { switch, reason }) = record.subject() else {
            self.switch_findings
                .add(format!("audit record {} names no switch", record.id));
            return;
        };
        let known = self.switches.get(&switch);
        let was_on = known.map_or(switch.is_normally_on(), |state| state.is_on);
        let before = switch_state_name(was_on);
        if record.old_value.as_deref() != Some(before) {
            self.switch_findings.add(format!(
                "audit record {}: according to earlier records, {} was {before}",
                record.id,
                switch.as_str()
            ));
        }
        let state = SwitchState {
            is_on: record.new_value.as_deref() == Some(switch_state_name(true)),
            reason: Some(reason),
        };
        self.switches.insert(switch, state);
    }

    pub(crate) fn add_restriction(&mut self, restriction: Restriction, record: &AuditRecord) {
        let Some(user) = record.target_user_id else {
            self.restriction_findings
                .add(format!("audit record {} names no user", record.id));
            return;
        };
        let key = (user, restriction.as_str());
        if record.old_value.as_ref() != self.restrictions.get(&key) {
            self.restriction_findings.add(format!(
                "audit record {}: earlier records contradict whether {} was blocked for user {user}",
                record.id, key.1
            ));
        }
        match &record.new_value {
            Some(reason) => self.restrictions.insert(key, reason.clone()),
            None => self.restrictions.remove(&key),
        };
    }

    /// Reports the differences between the log and the rows.
    pub(crate) fn compare(
        mut self,
        switches: &[SwitchRow],
        restricted: &[RestrictionRow],
    ) -> [Finding; 2] {
        for switch in HouseSwitch::ALL {
            let logged = self.switches.remove(switch).unwrap_or(SwitchState {
                is_on: switch.is_normally_on(),
                reason: None,
            });
            let stored = switches.iter().find(|row| row.name == switch.as_str());
            let is_right = stored.is_some_and(|row| {
                row.is_on == i64::from(logged.is_on) && row.reason == logged.reason
            });
            if !is_right {
                let (switch, state) = (switch.as_str(), switch_state_name(logged.is_on));
                self.switch_findings.add(format!(
                    "{switch} is not {state} with the reason in the log"
                ));
            }
        }
        for row in restricted {
            for (restriction, stored) in [
                (Restriction::Betting, &row.betting_block_reason),
                (Restriction::Withdrawing, &row.withdrawing_block_reason),
            ] {
                let logged = self.restrictions.remove(&(row.id, restriction.as_str()));
                if logged != *stored {
                    self.differ(row.id, restriction.as_str());
                }
            }
        }
        for (user, restriction) in std::mem::take(&mut self.restrictions).into_keys() {
            self.differ(user, restriction);
        }
        [self.switch_findings, self.restriction_findings]
    }

    fn differ(&mut self, user: i64, restriction: &str) {
        self.restriction_findings.add(format!(
            "user {user}: whether {restriction} is blocked, or why, is not what the log says"
        ));
    }
}
