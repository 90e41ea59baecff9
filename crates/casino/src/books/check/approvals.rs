//! Checks dual control: that what moved much money was approved by a second person, and that thresholds and
//! proposals are what the audit log says.

use std::collections::{BTreeMap, HashMap, VecDeque};

use glasshouse_domain::{
    ApprovalThresholds, AuditAction, AuditSubject, Money, MoneyAct, MoneyActKind, MovedToday,
    OWN_CREDIT_DAYS, ProposalKind, ProposalState, ProposedAct, Role, Timestamp, UserId,
};
use glasshouse_persistence::approval::{ApprovalRows, MoneyActRow, Proposal};
use glasshouse_persistence::audit::AuditRecord;

use crate::books::check::report::Finding;

/// Acts, proposals and thresholds according to the audit log, built up record by record.
#[derive(Default)]
pub(crate) struct LoggedApprovals {
    acts: BTreeMap<i64, LoggedAct>,
    thresholds: BTreeMap<i64, Option<String>>,
    proposals: BTreeMap<i64, Vec<AuditRecord>>,
    /// What administrators did that always needs two people.
    of_two: Vec<(ProposedAct, AuditRecord)>,
}

/// An act that moves money, as its audit record describes it.
struct LoggedAct {
    kind: MoneyActKind,
    administrator: Option<i64>,
    player: Option<i64>,
    amount_cents: Option<i64>,
    day: i64,
}

impl LoggedApprovals {
    pub(crate) fn add(&mut self, record: &AuditRecord) {
        match AuditAction::parse(&record.action) {
            Some(AuditAction::BalanceOverride) => self.take(record, MoneyActKind::Adjustment),
            Some(AuditAction::PaymentConfirmed) => self.take(record, MoneyActKind::Confirmation),
            Some(AuditAction::WithdrawalApproved) => self.take(record, MoneyActKind::Withdrawal),
            Some(AuditAction::ThresholdsChanged) => {
                self.thresholds.insert(record.id, record.new_value.clone());
                let new = record.new_value.as_deref();
                self.take_of_two(
                    record,
                    new.and_then(ApprovalThresholds::parse)
                        .map(ProposedAct::ChangeThresholds),
                );
            }
            Some(AuditAction::AdministratorGranted) => self.take_of_two(record, grant_of(record)),
            Some(
                AuditAction::ProposalMade
                | AuditAction::ProposalApproved
                | AuditAction::ProposalRefused
                | AuditAction::ProposalWithdrawn,
            ) => {
                // Zero is the ID of no proposal.
                let id = match record.subject() {
                    Some(AuditSubject::Proposal(id)) => id.get(),
                    _ => 0,
                };
                self.proposals.entry(id).or_default().push(record.clone());
            }
            _ => {}
        }
    }

    fn take(&mut self, record: &AuditRecord, kind: MoneyActKind) {
        let logged = LoggedAct {
            kind,
            administrator: record.actor_id,
            player: record.target_user_id,
            amount_cents: amount_of(record, kind).map(Money::cents),
            day: Timestamp::from_micros(record.created_at_micros).day(),
        };
        self.acts.insert(record.id, logged);
    }

    /// The operator acts alone.
    fn take_of_two(&mut self, record: &AuditRecord, act: Option<ProposedAct>) {
        if let Some(act) = act
            && record.actor_id.is_some()
        {
            self.of_two.push((act, record.clone()));
        }
    }

    /// Reports the differences between the log and the rows.
    pub(crate) fn compare(self, rows: &ApprovalRows) -> Vec<Finding> {
        vec![
            compare_acts(self.acts, rows),
            check_acts(rows),
            compare_thresholds(self.thresholds, rows),
            compare_proposals(self.proposals, &rows.proposals),
            compare_of_two(&self.of_two, &rows.proposals),
        ]
    }
}

/// The change of a role that gave permissions.
fn grant_of(record: &AuditRecord) -> Option<ProposedAct> {
    let from = Role::parse(record.old_value.as_deref()?)?;
    let to = Role::parse(record.new_value.as_deref()?)?;
    to.permits_more_than(from)
        .then_some(ProposedAct::ChangeRole { from, to })
}

fn amount_of(record: &AuditRecord, kind: MoneyActKind) -> Option<Money> {
    let new = record.new_value.as_deref();
    match kind {
        MoneyActKind::Adjustment => {
            let old = Money::parse(record.old_value.as_deref()?).ok()?;
            Money::parse(new?).ok()?.checked_sub(old)
        }
        MoneyActKind::Confirmation => Money::parse(new?.split(' ').next()?).ok(),
        MoneyActKind::Withdrawal => match record.subject()? {
            AuditSubject::Withdrawal { amount, .. } => Some(amount),
            _ => None,
        },
    }
}

fn compare_acts(mut logged: BTreeMap<i64, LoggedAct>, rows: &ApprovalRows) -> Finding {
    let mut finding =
        Finding::new("every act that moves money is recorded as in the audit log, and no other");
    // What was done before dual control was introduced is not recorded.
    let start = rows
        .thresholds
        .first()
        .map_or(i64::MAX, |first| first.audit_record);
    for row in &rows.acts {
        let is_same = logged.remove(&row.audit_record_id).is_some_and(|act| {
            act.kind.as_str() == row.kind
                && act.administrator == Some(row.administrator_id)
                && act.player == Some(row.player_id)
                && act.amount_cents == Some(row.amount_cents)
                && act.day == row.day
        });
        if !is_same {
            finding.add(format!("audit record {} differs", row.audit_record_id));
        }
    }
    for (id, _) in logged.split_off(&start.saturating_add(1)) {
        finding.add(format!("the act of audit record {id} is missing"));
    }
    finding
}

/// Goes through all acts in their order and judges them like the use cases did. Whether more was credited
/// than a payment was worth is not known any more.
fn check_acts(rows: &ApprovalRows) -> Finding {
    let mut finding =
        Finding::new("whatever exceeds the approval thresholds was approved by a second person");
    let proposals: HashMap<i64, &Proposal> = rows
        .proposals
        .iter()
        .map(|proposal| (proposal.id.get(), proposal))
        .collect();
    let mut history = History::default();
    let mut versions = rows.thresholds.iter().peekable();
    let mut thresholds = ApprovalThresholds::INITIAL;
    for row in &rows.acts {
        while let Some(version) =
            versions.next_if(|version| version.audit_record < row.audit_record_id)
        {
            thresholds = version.thresholds;
        }
        let Some(kind) = MoneyActKind::parse(&row.kind) else {
            continue;
        };
        let proposal = row.proposal_id.map(|id| proposals.get(&id).copied());
        match proposal {
            Some(Some(proposal)) if is_carried_out(proposal, row) => {}
            Some(_) => finding.add(format!(
                "the act of audit record {} is not what was proposed and approved",
                row.audit_record_id
            )),
            None => {
                let act = MoneyAct {
                    kind,
                    amount: moved(row),
                    exceeds_payment: false,
                    own_credits: match kind {
                        MoneyActKind::Withdrawal => history.own_credits(row),
                        _ => Money::ZERO,
                    },
                };
                if act.second_person(&thresholds, history.today(row)).is_some() {
                    finding.add(format!(
                        "the act of audit record {} needed a second person",
                        row.audit_record_id
                    ));
                }
            }
        }
        let proposer = proposal
            .flatten()
            .map(|proposal| proposal.proposed_by.get());
        history.add(row, kind, proposer);
    }
    finding
}

fn moved(row: &MoneyActRow) -> Money {
    Money::from_cents(row.amount_cents.saturating_abs())
}

/// Whether an act is what a proposal proposed and its decider approved.
fn is_carried_out(proposal: &Proposal, row: &MoneyActRow) -> bool {
    let kind = match proposal.act.kind() {
        ProposalKind::AdjustBalance => MoneyActKind::Adjustment,
        ProposalKind::ConfirmPayment => MoneyActKind::Confirmation,
        ProposalKind::ApproveWithdrawal => MoneyActKind::Withdrawal,
        ProposalKind::ChangeRole | ProposalKind::ChangeThresholds => return false,
    };
    kind.as_str() == row.kind
        && proposal.stored_state == ProposalState::Approved
        && proposal.decided_by.map(UserId::get) == Some(row.administrator_id)
        && proposal.user.map(UserId::get) == Some(row.player_id)
        && proposal.act.amount().map(Money::cents) == Some(row.amount_cents)
}

/// What the judgement of an act depends on of the acts before it.
#[derive(Default)]
struct History {
    day: i64,
    by_person: HashMap<i64, i64>,
    by_house: i64,
    /// What each person added to each account by hand, by day: (administrator, player, day, cents).
    credits: VecDeque<(i64, i64, i64, i64)>,
}

impl History {
    fn today(&self, row: &MoneyActRow) -> MovedToday {
        let is_today = row.day == self.day;
        let of = |cents: i64| Money::from_cents(if is_today { cents } else { 0 });
        let by_person = self.by_person.get(&row.administrator_id).copied();
        MovedToday {
            by_person: of(by_person.unwrap_or_default()),
            by_house: of(self.by_house),
        }
    }

    fn own_credits(&self, row: &MoneyActRow) -> Money {
        let first_day = row.day - OWN_CREDIT_DAYS + 1;
        let cents = self
            .credits
            .iter()
            .filter(|(administrator, player, day, _)| {
                *administrator == row.administrator_id
                    && *player == row.player_id
                    && *day >= first_day
            })
            .map(|(.., cents)| cents)
            .sum();
        Money::from_cents(cents)
    }

    fn add(&mut self, row: &MoneyActRow, kind: MoneyActKind, proposer: Option<i64>) {
        if row.day != self.day {
            self.day = row.day;
            self.by_person.clear();
            self.by_house = 0;
        }
        if row.proposal_id.is_none() {
            let cents = moved(row).cents();
            *self.by_person.entry(row.administrator_id).or_default() += cents;
            self.by_house += cents;
        }
        if kind != MoneyActKind::Withdrawal && row.amount_cents > 0 {
            for person in [Some(row.administrator_id), proposer].into_iter().flatten() {
                self.credits
                    .push_back((person, row.player_id, row.day, row.amount_cents));
            }
        }
        let oldest = self.day - OWN_CREDIT_DAYS;
        while self
            .credits
            .front()
            .is_some_and(|(.., day, _)| *day <= oldest)
        {
            self.credits.pop_front();
        }
    }
}

fn compare_thresholds(mut logged: BTreeMap<i64, Option<String>>, rows: &ApprovalRows) -> Finding {
    let mut finding = Finding::new("the approval thresholds are what the audit log says");
    for (index, version) in rows.thresholds.iter().enumerate() {
        let is_right = if index == 0 {
            version.thresholds == ApprovalThresholds::INITIAL
        } else {
            logged.remove(&version.audit_record) == Some(Some(version.thresholds.to_string()))
        };
        if !is_right {
            finding.add(format!("version {} differs", index + 1));
        }
    }
    for id in logged.keys() {
        finding.add(format!("the thresholds of audit record {id} are missing"));
    }
    finding
}

fn compare_proposals(
    mut logged: BTreeMap<i64, Vec<AuditRecord>>,
    proposals: &[Proposal],
) -> Finding {
    let mut finding = Finding::new("every proposal and its decision match the audit log");
    for proposal in proposals {
        let records = logged.remove(&proposal.id.get()).unwrap_or_default();
        if !matches_records(proposal, &records) {
            finding.add(format!("proposal {}: the audit log differs", proposal.id));
        }
    }
    for record in logged.into_values().flatten() {
        finding.add(format!(
            "audit record {}: there is no such proposal",
            record.id
        ));
    }
    finding
}

fn matches_records(proposal: &Proposal, records: &[AuditRecord]) -> bool {
    let made = (
        AuditAction::ProposalMade,
        Some(proposal.proposed_by),
        Some(proposal.proposed_at),
        proposal.act.recorded(proposal.reason.as_deref()),
    );
    let decision = match proposal.stored_state {
        ProposalState::Open | ProposalState::Expired => None,
        ProposalState::Approved => Some(AuditAction::ProposalApproved),
        ProposalState::Refused => Some(AuditAction::ProposalRefused),
        ProposalState::Withdrawn => Some(AuditAction::ProposalWithdrawn),
    };
    let decided = decision.map(|action| {
        let text = proposal.act.recorded(proposal.decision_reason.as_deref());
        (action, proposal.decided_by, proposal.decided_at, text)
    });
    let expected: Vec<_> = [Some(made), decided].into_iter().flatten().collect();
    expected.len() == records.len()
        && expected
            .iter()
            .zip(records)
            .all(|((action, by, at, text), record)| {
                record.action == action.as_str()
                    && record.actor_id == by.map(UserId::get)
                    && record.target_user_id == proposal.user.map(UserId::get)
                    && Some(record.created_at_micros) == at.map(Timestamp::as_micros)
                    && record.new_value.as_deref() == Some(text)
            })
}

fn compare_of_two(acts: &[(ProposedAct, AuditRecord)], proposals: &[Proposal]) -> Finding {
    let mut finding = Finding::new(
        "permissions and approval thresholds were changed by two persons or by the operator",
    );
    for (act, record) in acts {
        let is_approved = proposals.iter().any(|proposal| {
            proposal.act == *act
                && proposal.stored_state == ProposalState::Approved
                && proposal.user.map(UserId::get) == record.target_user_id
                && proposal.decided_by.map(UserId::get) == record.actor_id
                && proposal.decided_at.map(Timestamp::as_micros) == Some(record.created_at_micros)
        });
        if !is_approved {
            finding.add(format!("audit record {}: one person did it", record.id));
        }
    }
    finding
}
