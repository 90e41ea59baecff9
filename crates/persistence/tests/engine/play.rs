//! Plays rounds the way a use case does, but without any game's rules: the test chooses the payout.

use glasshouse_domain::{
    Game, LedgerReference, Money, RoundId, RoundResult, RulesVersion, Spread, Timestamp, UserId,
};
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::{Exposure, NewRound, Round, Settlement};
use glasshouse_persistence::{Scope, Transaction};

use crate::support::{Failure, JobResult, Refusal, test_time};

/// The terms of a round to play.
#[derive(Debug, Clone)]
pub(crate) struct Bet {
    pub(crate) game: Game,
    /// In US cents.
    pub(crate) stake: i64,
    /// The idempotency key.
    pub(crate) key: Option<&'static str>,
    /// Whether other servers are notified of the round.
    pub(crate) is_announced: bool,
}

/// A dice bet with a stake in US cents.
pub(crate) const fn dice(stake: i64) -> Bet {
    Bet {
        game: Game::Dice,
        stake,
        key: None,
        is_announced: false,
    }
}

impl Bet {
    pub(crate) const fn on(self, game: Game) -> Self {
        Self { game, ..self }
    }

    pub(crate) const fn with_key(self, key: &'static str) -> Self {
        Self {
            key: Some(key),
            ..self
        }
    }

    pub(crate) const fn announced(self) -> Self {
        Self {
            is_announced: true,
            ..self
        }
    }

    /// The scope that a use case would pass for this bet.
    pub(crate) fn scope(&self, player: UserId) -> Scope {
        Scope::player(player)
            .with_key(self.key.map(str::to_owned))
            .with_game(self.game)
    }
}

/// Plays a round and settles it immediately. If its key was used before, returns the earlier round.
pub(crate) fn play_round(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    bet: &Bet,
    payout: i64,
) -> JobResult<Round> {
    if let Some(key) = bet.key
        && let Some(round) = transaction.round_by_key(player, key)?
    {
        return Ok(round);
    }
    let (mut account, new) = debit_stake(transaction, player, bet)?;
    credit_payout(transaction, &mut account, new.id, payout)?;
    let settlement = settlement(bet.stake, payout, None);
    let round = transaction.add_settled_round(&account, new, &settlement);
    transaction.save_account(account);
    Ok(round)
}

/// Starts a round and leaves it open.
pub(crate) fn start_round(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    bet: &Bet,
) -> JobResult<Round> {
    let (account, new) = debit_stake(transaction, player, bet)?;
    let round = transaction.add_open_round(&account, new);
    transaction.save_account(account);
    Ok(round)
}

/// Starts a round with an exposure and leaves it open, as a use case does that has judged it.
pub(crate) fn start_exposed_round(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    bet: &Bet,
    exposure: Exposure,
) -> JobResult<Round> {
    let (account, mut new) = debit_stake(transaction, player, bet)?;
    new.exposure = Some(exposure);
    let round = transaction.add_open_round(&account, new);
    transaction.save_account(account);
    Ok(round)
}

/// Settles the player's open round of a game.
pub(crate) fn settle_round(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    game: Game,
    payout: i64,
    key: Option<&str>,
) -> JobResult<Round> {
    let open = transaction.open_round(player, game)?;
    let open = open.ok_or(Failure::Refused(Refusal::NoOpenRound))?;
    let mut account = transaction.account(player)?;
    credit_payout(transaction, &mut account, open.id, payout)?;
    let settlement = settlement(open.stake.cents(), payout, key);
    let round = transaction.settle_round(&account, &open, settlement);
    transaction.save_account(account);
    Ok(round)
}

/// Adds a round with a stake of zero, which violates a constraint when the batch is written.
pub(crate) fn play_invalid_round(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
) -> JobResult<Round> {
    let mut account = transaction.account(player)?;
    let new = new_round(transaction, &mut account, &dice(0))?;
    let round = transaction.add_settled_round(&account, new, &settlement(0, 0, None));
    transaction.save_account(account);
    Ok(round)
}

fn debit_stake(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    bet: &Bet,
) -> JobResult<(Account, NewRound)> {
    let mut account = transaction.account(player)?;
    let staked = account.wallet.stake(Money::from_cents(bet.stake))?;
    let new = new_round(transaction, &mut account, bet)?;
    transaction.add_entry(
        &mut account,
        staked,
        LedgerReference::Round(new.id),
        test_time(),
    );
    Ok((account, new))
}

fn new_round(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    bet: &Bet,
) -> JobResult<NewRound> {
    let nonce = account.seeds.next_nonce;
    account.seeds.next_nonce += 1;
    Ok(NewRound {
        receipt: None,
        exposure: None,
        id: transaction.next_round_id()?,
        game: bet.game,
        rules: RulesVersion::CURRENT,
        stake: Money::from_cents(bet.stake),
        details: "{}".to_owned(),
        nonce,
        idempotency_key: bet.key.map(str::to_owned),
        at: test_time(),
        due_at: bet.is_announced.then(|| Timestamp::from_micros(i64::MAX)),
        is_announced: bet.is_announced,
    })
}

fn credit_payout(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    id: RoundId,
    payout: i64,
) -> JobResult<()> {
    if let Some(paid) = account.wallet.pay(Money::from_cents(payout))? {
        transaction.add_entry(account, paid, LedgerReference::Round(id), test_time());
    }
    Ok(())
}

fn settlement(stake: i64, payout: i64, key: Option<&str>) -> Settlement {
    Settlement {
        receipt: None,
        payout: Money::from_cents(payout),
        spread: Spread::default(),
        result: if payout > stake {
            RoundResult::Win
        } else {
            RoundResult::Loss
        },
        multiplier: None,
        stake: Money::from_cents(stake),
        details: "{}".to_owned(),
        key: key.map(str::to_owned),
        at: test_time(),
    }
}
