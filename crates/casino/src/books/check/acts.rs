//! What administrators did against the record of it: whoever changes the one must change the other,
//! and whoever rewrites the log contradicts the ledger, the decisions, the roles and the bans.

use std::collections::BTreeMap;

use glasshouse_domain::{AuditAction, Role};
use glasshouse_persistence::audit::AuditRecord;
use glasshouse_persistence::books::{RecordedActs, StandingRow};

use crate::books::check::game_acts::GameActs;
use crate::books::check::money_acts::MoneyActs;
use crate::books::check::report::Finding;

/// What the log says was done, put together while it is walked along.
pub(crate) struct Acts {
    roles: BTreeMap<i64, String>,
    bans: BTreeMap<i64, Option<String>>,
    role_findings: Finding,
    ban_findings: Finding,
    games: GameActs,
    money: MoneyActs,
}

impl Default for Acts {
    fn default() -> Self {
        Self {
            roles: BTreeMap::new(),
            bans: BTreeMap::new(),
            role_findings: Finding::new("every role is what the audit log says"),
            ban_findings: Finding::new("every ban is what the audit log says"),
            games: GameActs::default(),
            money: MoneyActs::default(),
        }
    }
}

impl Acts {
    pub(crate) fn take(&mut self, record: &AuditRecord) {
        match AuditAction::parse(&record.action) {
            Some(
                AuditAction::AdministratorCreated
                | AuditAction::AdministratorGranted
                | AuditAction::AdministratorRevoked,
            ) => self.take_role(record),
            Some(AuditAction::UserBanned | AuditAction::UserUnbanned) => self.take_ban(record),
            Some(AuditAction::GameStatus) => self.games.take(record),
            _ => self.money.take(record),
        }
    }

    fn take_role(&mut self, record: &AuditRecord) {
        let Some(user) = record.target_user_id else {
            self.role_findings
                .add(format!("audit record {} names no user", record.id));
            return;
        };
        let before = self.roles.get(&user).map_or(PLAYER, String::as_str);
        let is_new = record.action == AuditAction::AdministratorCreated.as_str()
            && !self.roles.contains_key(&user);
        if !is_new && record.old_value.as_deref() != Some(before) {
            self.role_findings.add(format!(
                "audit record {}: by the records before, user {user} has the role {before}",
                record.id
            ));
        }
        self.roles
            .insert(user, record.new_value.clone().unwrap_or_default());
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
                "audit record {}: the records before say otherwise of the ban of user {user}",
                record.id
            ));
        }
        self.bans.insert(user, record.new_value.clone());
    }

    /// What the log and the rows do not agree about.
    pub(crate) fn compare(mut self, found: &RecordedActs) -> Vec<Finding> {
        self.compare_roles(&found.standings);
        self.compare_bans(&found.standings);
        let games = self.games.compare(&found.games);
        let mut findings = vec![self.role_findings, self.ban_findings, games];
        findings.extend(self.money.compare(found));
        findings
    }

    fn compare_roles(&mut self, standings: &[StandingRow]) {
        for row in standings {
            let said = self.roles.remove(&row.id);
            let said = said.as_deref().unwrap_or(PLAYER);
            if said != row.role {
                self.role_findings.add(format!(
                    "user {} has the role {}, the log says {said}",
                    row.id, row.role
                ));
            }
        }
        for (user, said) in &self.roles {
            if said != PLAYER {
                self.role_findings.add(format!(
                    "user {user} has the role {PLAYER}, the log says {said}"
                ));
            }
        }
    }

    fn compare_bans(&mut self, standings: &[StandingRow]) {
        for row in standings {
            let said = self.bans.remove(&row.id).flatten();
            if said != row.ban_reason {
                self.ban_findings.add(format!(
                    "user {} is {}, the log says {}",
                    row.id,
                    in_words(row.ban_reason.as_deref()),
                    in_words(said.as_deref())
                ));
            }
        }
        for (user, said) in &self.bans {
            if said.is_some() {
                self.ban_findings.add(format!(
                    "user {user} is not banned, the log says {}",
                    in_words(said.as_deref())
                ));
            }
        }
    }
}

const PLAYER: &str = Role::Player.as_str();

fn in_words(ban: Option<&str>) -> String {
    ban.map_or("not banned".to_owned(), |reason| {
        format!("banned for {reason:?}")
    })
}
