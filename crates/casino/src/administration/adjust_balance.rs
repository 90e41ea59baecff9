//! Sets a player's balance: writes a ledger entry and an audit record together.

use glasshouse_domain::{
    AuditAction, AuditSubject, LedgerReference, Money, MoneyActKind, ProposedAct, Timestamp, UserId,
};
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::admin::UserEntry;
use glasshouse_persistence::approval::Proposal;
use glasshouse_persistence::{Scope, Transaction};

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::administration::approval::authority::{Authority, JudgedAct};
use crate::administration::approval::outcome::Outcome;
use crate::error::{ApprovalRefusal, CasinoError, Refusal};
use crate::house::House;

/// A request to set a balance.
#[derive(Debug, Clone)]
pub struct Adjustment {
    /// The player.
    pub player: UserId,
    /// The new balance.
    pub balance: Money,
    /// The balance that the administrator saw, if it must not have changed since.
    pub expected: Option<Money>,
    /// Why.
    pub reason: String,
    /// Whether it may be proposed if it needs a second person.
    pub may_propose: bool,
}

/// Sets a player's balance. A repeated request with the same key and input changes nothing.
///
/// # Errors
/// [`ApprovalRefusal::ReasonRequired`], [`ApprovalRefusal::OwnAccount`], [`Refusal::NotFound`] if the user
/// does not exist, [`Refusal::BalanceChanged`], [`ApprovalRefusal::SecondPersonRequired`] or the refusals of
/// a proposal, [`Refusal::IdempotencyConflict`] if the key was used for a different request, or a fault.
pub async fn adjust_balance(
    house: &House,
    context: AdminContext,
    request: Adjustment,
) -> Result<Outcome<UserEntry>, CasinoError> {
    let reason = note(&request.reason)?.ok_or(ApprovalRefusal::ReasonRequired)?;
    if request.player == context.administrator {
        return Err(ApprovalRefusal::OwnAccount.into());
    }
    let request = Adjustment { reason, ..request };
    let at = house.now();
    house
        .database
        .write(Scope::player(request.player), move |transaction| {
            let player = request.player;
            let user = transaction.user(player)?.ok_or(Refusal::NotFound)?;
            let restrictions = transaction.restrictions_of(player)?;
            let outcome = adjust(transaction, &context, &request, at)?;
            Ok::<_, CasinoError>(outcome.map(|account| UserEntry {
                user,
                wallet: account.wallet,
                restrictions,
            }))
        })
        .await
}

fn adjust(
    transaction: &mut Transaction<'_, '_>,
    context: &AdminContext,
    request: &Adjustment,
    at: Timestamp,
) -> Result<Outcome<Account>, CasinoError> {
    let account = transaction.account(request.player)?;
    let reason = Some(request.reason.clone());
    let old = account.wallet.balance();
    let event = adjustment_event(request.player, (old, request.balance), reason.clone());
    let is_same = |proposal: &Proposal| {
        matches!(proposal.act, ProposedAct::AdjustBalance { to, .. } if to == request.balance)
            && proposal.is_for(Some(request.player), reason.as_deref())
    };
    if let Some(earlier) = context.find_repeat(transaction, &event, is_same)? {
        return Ok(earlier.map(|()| account));
    }
    if request.expected.is_some_and(|expected| expected != old) {
        return Err(Refusal::BalanceChanged(old).into());
    }
    let act = adjustment_act(request.player, (old, request.balance), reason)?;
    let authority = Authority::Alone {
        may_propose: request.may_propose,
    };
    if let Some(id) = act.authorise(transaction, context, authority, at)? {
        return Ok(Outcome::Proposed(id));
    }
    set(
        transaction,
        (context, authority),
        account,
        &act,
        request.balance,
        at,
    )
    .map(Outcome::Done)
}

/// Carries out an approved adjustment: changes the balance by the difference that was proposed.
///
/// # Errors
/// [`Refusal::AmountOutOfRange`] if the balance would be negative or too large, or a fault.
pub(crate) fn adjust_by(
    transaction: &mut Transaction<'_, '_>,
    who: (&AdminContext, Authority),
    player: UserId,
    proposal: &Proposal,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let account = transaction.account(player)?;
    let old = account.wallet.balance();
    let difference = proposal.act.amount();
    let new = difference
        .and_then(|difference| old.checked_add(difference))
        .filter(|new| !new.is_negative())
        .ok_or(Refusal::AmountOutOfRange)?;
    let act = adjustment_act(player, (old, new), proposal.reason.clone())?;
    set(transaction, who, account, &act, new, at).map(drop)
}

fn set(
    transaction: &mut Transaction<'_, '_>,
    who: (&AdminContext, Authority),
    mut account: Account,
    act: &JudgedAct,
    balance: Money,
    at: Timestamp,
) -> Result<Account, CasinoError> {
    let player = act.player;
    let event = adjustment_event(
        player,
        (account.wallet.balance(), balance),
        act.reason.clone(),
    );
    if let Some(posting) = account.wallet.adjust_to(balance)? {
        let reference = LedgerReference::Adjustment {
            player,
            entry: account.next_entry(),
        };
        transaction.add_entry(&mut account, posting, reference, at);
    }
    transaction.save_account(account.clone());
    act.record(transaction, who, event, at)?;
    Ok(account)
}

fn adjustment_act(
    player: UserId,
    (from, to): (Money, Money),
    reason: Option<String>,
) -> Result<JudgedAct, CasinoError> {
    Ok(JudgedAct {
        kind: MoneyActKind::Adjustment,
        player,
        amount: to.checked_sub(from).ok_or(Refusal::AmountOutOfRange)?,
        exceeds_payment: false,
        proposed: ProposedAct::AdjustBalance { from, to },
        reason,
    })
}

fn adjustment_event(
    player: UserId,
    (old, new): (Money, Money),
    reason: Option<String>,
) -> AuditEvent {
    AuditEvent {
        action: AuditAction::BalanceOverride,
        target: Some(player),
        subject: reason.map(AuditSubject::Reason),
        old_value: Some(old.to_string()),
        new_value: Some(new.to_string()),
    }
}
