//! Rounds as a use case would play them, without the rules of any game.

use glasshouse_domain::{
    Game, LedgerReference, Money, RoundId, RoundResult, RulesVersion, Spread, Timestamp, UserId,
};
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::{NewRound, Round, Settlement};
use glasshouse_persistence::{Scope, Transaction};

use crate::support::{Failure, Outcome, Refusal, moment};

/// A round to be played.
#[derive(Debug, Clone)]
pub(crate) struct Bet {
    pub(crate) game: Game,
    pub(crate) stake: i64,
    pub(crate) key: Option<&'static str>,
    /// Whether it is of a kind that other servers are told of.
    pub(crate) is_announced: bool,
}

/// A bet of that many cents on dice.
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

    /// The scope that a use case would name for it.
    pub(crate) fn scope(&self, player: UserId) -> Scope {
        Scope::player(player)
            .with_key(self.key.map(str::to_owned))
            .with_game(self.game)
    }
}

/// Plays a round that is over at once, unless its key was answered before.
pub(crate) fn play(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    bet: &Bet,
    payout: i64,
) -> Outcome<Round> {
    if let Some(key) = bet.key
        && let Some(round) = transaction.round_by_key(player, key)?
    {
        return Ok(round);
    }
    let (mut account, new) = stake(transaction, player, bet)?;
    pay(transaction, &mut account, new.id, payout)?;
    let settlement = settlement(bet.stake, payout, None);
    let round = transaction.add_settled_round(&account, new, &settlement);
    transaction.save_account(account);
    Ok(round)
}

/// Begins a round that goes on.
pub(crate) fn begin(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    bet: &Bet,
) -> Outcome<Round> {
    let (account, new) = stake(transaction, player, bet)?;
    let round = transaction.add_open_round(&account, new);
    transaction.save_account(account);
    Ok(round)
}

/// Ends the player's open round of a game.
pub(crate) fn end(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    game: Game,
    payout: i64,
    key: Option<&str>,
) -> Outcome<Round> {
    let open = transaction.open_round(player, game)?;
    let open = open.ok_or(Failure::Refused(Refusal::NoOpenRound))?;
    let mut account = transaction.account(player)?;
    pay(transaction, &mut account, open.id, payout)?;
    let settlement = settlement(open.stake.cents(), payout, key);
    let round = transaction.settle_round(&account, &open, settlement);
    transaction.save_account(account);
    Ok(round)
}

/// Writes a round that no database takes, since its stake is nothing: it fails when it is written.
pub(crate) fn play_what_cannot_be_stored(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
) -> Outcome<Round> {
    let mut account = transaction.account(player)?;
    let new = new_round(transaction, &mut account, &dice(0))?;
    let round = transaction.add_settled_round(&account, new, &settlement(0, 0, None));
    transaction.save_account(account);
    Ok(round)
}

fn stake(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    bet: &Bet,
) -> Outcome<(Account, NewRound)> {
    let mut account = transaction.account(player)?;
    let staked = account.wallet.stake(Money::from_cents(bet.stake))?;
    let new = new_round(transaction, &mut account, bet)?;
    transaction.add_entry(
        &mut account,
        staked,
        LedgerReference::Round(new.id),
        moment(),
    );
    Ok((account, new))
}

fn new_round(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    bet: &Bet,
) -> Outcome<NewRound> {
    let nonce = account.seeds.next_nonce;
    account.seeds.next_nonce += 1;
    Ok(NewRound {
        id: transaction.next_round_id()?,
        game: bet.game,
        rules: RulesVersion::CURRENT,
        stake: Money::from_cents(bet.stake),
        details: "{}".to_owned(),
        nonce,
        idempotency_key: bet.key.map(str::to_owned),
        at: moment(),
        due_at: bet.is_announced.then(|| Timestamp::from_micros(i64::MAX)),
        is_announced: bet.is_announced,
    })
}

fn pay(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    id: RoundId,
    payout: i64,
) -> Outcome<()> {
    if let Some(paid) = account.wallet.pay(Money::from_cents(payout))? {
        transaction.add_entry(account, paid, LedgerReference::Round(id), moment());
    }
    Ok(())
}

fn settlement(stake: i64, payout: i64, key: Option<&str>) -> Settlement {
    Settlement {
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
        at: moment(),
    }
}
