//! Checks administrators' actions against the audit log. Changed data does not match the log, and a
//! rewritten log does not match the ledger, the decisions, the roles and the bans.

use std::collections::BTreeMap;

use glasshouse_domain::{AuditAction, Restriction, Role};
use glasshouse_persistence::audit::AuditRecord;
use glasshouse_persistence::books::{RecordedActs, StandingRow};

use crate::books::check::alerts::LoggedAlerts;
use crate::books::check::approvals::LoggedApprovals;
use crate::books::check::closures::LoggedClosures;
use crate::books::check::game_actions::LoggedGameActions;
use crate::books::check::money_actions::LoggedMoneyActions;
use crate::books::check::operating::LoggedSettings;
use crate::books::check::payouts::LoggedPayouts;
use crate::books::check::report::Finding;

/// The actions according to the audit log, built up record by record.
pub(crate) struct LoggedActions {
    roles: BTreeMap<i64, String>,
    bans: BTreeMap<i64, Option<String>>,
    role_findings: Finding,
    ban_findings: Finding,
    alerts: LoggedAlerts,
    approvals: LoggedApprovals,
    closures: LoggedClosures,
    games: LoggedGameActions,
    money: LoggedMoneyActions,
    payouts: LoggedPayouts,
    settings: LoggedSettings,
}

impl Default for LoggedActions {
    fn default() -> Self {
        Self {
            roles: BTreeMap::new(),
            bans: BTreeMap::new(),
            role_findings: Finding::new("every role is what the audit log says"),
            ban_findings: Finding::new("every ban is what the audit log says"),
            alerts: LoggedAlerts::default(),
            approvals: LoggedApprovals::default(),
            closures: LoggedClosures::default(),
            games: LoggedGameActions::default(),
            money: LoggedMoneyActions::default(),
            payouts: LoggedPayouts::default(),
            settings: LoggedSettings::default(),
        }
    }
}

impl LoggedActions {
    pub(crate) fn add(&mut self, record: &AuditRecord) {
        self.approvals.add(record);
        match AuditAction::parse(&record.action) {
            Some(
                AuditAction::AdministratorCreated
                | AuditAction::AdministratorGranted
                | AuditAction::AdministratorRevoked,
            ) => self.take_role(record),
            Some(AuditAction::UserBanned | AuditAction::UserUnbanned) => self.take_ban(record),
            Some(AuditAction::AccountClosed) => {
                self.closures.add(record);
                // What was left of the balance was given up.
                self.money.add(record);
            }
            Some(AuditAction::AccountReopened | AuditAction::AccountPseudonymised) => {
                self.closures.add(record);
            }
            Some(AuditAction::AlertAcknowledged) => self.alerts.add(record),
            Some(AuditAction::GameStatus) => self.games.add_status(record),
            Some(AuditAction::GameLimits) => self.games.add_limits(record),
            Some(AuditAction::HouseSwitch) => self.settings.add_switch(record),
            Some(
                action @ (AuditAction::PayoutSent
                | AuditAction::PayoutConfirmed
                | AuditAction::PayoutFailed
                | AuditAction::PayoutStopped
                | AuditAction::PayoutReturned),
            ) => self.payouts.add(action, record),
            Some(AuditAction::BettingBlocked | AuditAction::BettingUnblocked) => {
                self.settings.add_restriction(Restriction::Betting, record);
            }
            Some(AuditAction::WithdrawingBlocked | AuditAction::WithdrawingUnblocked) => {
                self.settings
                    .add_restriction(Restriction::Withdrawing, record);
            }
            _ => self.money.add(record),
        }
    }

    fn take_role(&mut self, record: &AuditRecord) {
        let Some(user) = record.target_user_id else {
            self.role_findings
                .add(format!("audit record {} names no user", record.id));
            return;
        };
        let before = self.roles.get(&user).map_or(player(), String::as_str);
        let is_new = record.action == AuditAction::AdministratorCreated.as_str()
            && !self.roles.contains_key(&user);
        if !is_new && record.old_value.as_deref().map(role_named) != Some(before) {
            self.role_findings.add(format!(
                "audit record {}: according to earlier records, user {user} had the role {before}",
                record.id
            ));
        }
        let new = record.new_value.as_deref().unwrap_or_default();
        self.roles.insert(user, role_named(new).to_owned());
    }

    fn take_ban(&mut self, record: &AuditRecord) {
        let Some(user) = record.target_user_id else {
            self.ban_findings
                .add(format!("audit record {} names no user", record.id));
            return;
        };
        let before = self.bans.get(&user).cloned().flatten();
        if record.old_value != before {
            self.ban_findings.add(format!(
                "audit record {}: earlier records contradict the old ban of user {user}",
                record.id
            ));
        }
        self.bans.insert(user, record.new_value.clone());
    }

    /// Reports the differences between the log and the rows.
    pub(crate) fn compare(mut self, found: &RecordedActs) -> Vec<Finding> {
        self.compare_roles(&found.standings);
        self.compare_bans(&found.standings);
        let games = self.games.compare(&found.games);
        let mut findings = vec![self.role_findings, self.ban_findings, games];
        findings.extend(self.approvals.compare(&found.approval));
        findings.extend(self.closures.compare(&found.closed));
        findings.extend(self.money.compare(found));
        findings.push(self.payouts.compare(&found.payouts));
        findings.push(self.alerts.compare(&found.alerts));
        let settings = self.settings;
        findings.extend(settings.compare(&found.switches, &found.restricted));
        findings
    }

    fn compare_roles(&mut self, standings: &[StandingRow]) {
        for row in standings {
            let recorded = self.roles.remove(&row.id);
            let recorded = recorded.as_deref().unwrap_or(player());
            if recorded != row.role {
                self.role_findings.add(format!(
                    "user {} has the role {}, the log says {recorded}",
                    row.id, row.role
                ));
            }
        }
        for (user, recorded) in &self.roles {
            if recorded != player() {
                self.role_findings.add(format!(
                    "user {user} has the role {}, the log says {recorded}",
                    player()
                ));
            }
        }
    }

    fn compare_bans(&mut self, standings: &[StandingRow]) {
        for row in standings {
            let recorded = self.bans.remove(&row.id).flatten();
            if recorded != row.ban_reason {
                self.ban_findings.add(format!(
                    "user {} is {}, the log says {}",
                    row.id,
                    describe_ban(row.ban_reason.as_deref()),
                    describe_ban(recorded.as_deref())
                ));
            }
        }
        for (user, recorded) in &self.bans {
            if recorded.is_some() {
                self.ban_findings.add(format!(
                    "user {user} is not banned, the log says {}",
                    describe_ban(recorded.as_deref())
                ));
            }
        }
    }
}

fn player() -> &'static str {
    Role::Player.as_str()
}

/// What owners were called while all administrators could do everything.
const FORMER_OWNER: &str = "administrator";

/// The role that a record names, as it is stored now.
fn role_named(recorded: &str) -> &str {
    if recorded == FORMER_OWNER {
        Role::Owner.as_str()
    } else {
        recorded
    }
}

fn describe_ban(ban: Option<&str>) -> String {
    ban.map_or("not banned".to_owned(), |reason| {
        format!("banned for {reason:?}")
    })
}
