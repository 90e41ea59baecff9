//! A player bets on a roll: stake, roll and payout in one transaction.

use glasshouse_domain::{Game, Money, Outcome, RulesVersion, UserId};
use glasshouse_games::bet::BetRefused;
use glasshouse_games::dice::{Bet, BetType, Target};
use glasshouse_games::spread;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::{Round, SettledRound};
use glasshouse_persistence::{Scope, Transaction};
use serde::{Deserialize, Serialize};

use crate::error::{CasinoError, Refusal};
use crate::fairness::seeds::stream_of;
use crate::house::House;
use crate::idempotency::IdempotencyKey;
use crate::play::engine::{pay_out, place_stake};

/// What a dice round keeps besides stake and payout: the bet's terms and the roll.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiceDetails {
    /// The number to roll over or under.
    pub target_number: u8,
    /// `over` or `under`.
    pub bet_type: String,
    /// The roll, from 1 to 100.
    pub dice_result: u8,
}

/// A bet that was placed and settled.
#[derive(Debug, Clone)]
pub struct DiceBetPlaced {
    /// The round as it is in the history.
    pub round: Round,
    /// Its roll.
    pub details: DiceDetails,
    /// The bet itself.
    pub bet: Bet,
}

impl DiceDetails {
    /// Reads the details of a stored dice round.
    ///
    /// # Errors
    /// If they are not what this program writes.
    pub fn of(round: &Round) -> Result<Self, CasinoError> {
        serde_json::from_str(&round.details)
            .map_err(|error| CasinoError::corrupt(format!("round {}: {error}", round.id)))
    }

    /// The bet of a stored round.
    ///
    /// # Errors
    /// If it is not what this program writes.
    pub fn bet(&self, stake: Money) -> Result<Bet, CasinoError> {
        let corrupt = |error: BetRefused| CasinoError::corrupt(error.to_string());
        let target = Target::new(self.target_number.into()).map_err(corrupt)?;
        Bet::new(stake, target, self.bet_type()?).map_err(corrupt)
    }

    fn terms_are(&self, bet: &Bet) -> bool {
        self.target_number == bet.target().get() && self.bet_type == bet.bet_type().as_str()
    }

    /// Which side of the target won.
    ///
    /// # Errors
    /// If it is not what this program writes.
    pub fn bet_type(&self) -> Result<BetType, CasinoError> {
        BetType::parse(&self.bet_type)
            .ok_or_else(|| CasinoError::corrupt(format!("bet type {}", self.bet_type)))
    }
}

/// Places a bet. The same key with the same bet answers the first result again and moves nothing.
///
/// # Errors
/// If the balance does not cover the stake, if the key has answered another bet, or on a fault.
pub async fn place_dice_bet(
    house: &House,
    player: UserId,
    bet: Bet,
    key: Option<IdempotencyKey>,
) -> Result<DiceBetPlaced, CasinoError> {
    let key = key.map(IdempotencyKey::into_text);
    let scope = Scope::player(player).with_key(key.clone());
    let at = house.now();
    house
        .database
        .write(scope, move |transaction| {
            if let Some(key) = &key
                && let Some(round) = transaction.round_by_key(player, key)?
            {
                return first_result(round, bet);
            }
            let mut account = transaction.account(player)?;
            let placed = roll(transaction, &mut account, bet, key.clone(), at)?;
            transaction.save_account(account);
            Ok(placed)
        })
        .await
}

fn roll(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    bet: Bet,
    idempotency_key: Option<String>,
    at: glasshouse_domain::Timestamp,
) -> Result<DiceBetPlaced, CasinoError> {
    let (id, nonce) = place_stake(transaction, account, bet.stake(), at)?;
    let mut stream = stream_of(account, nonce)?;
    let roll = bet.play(&mut stream);
    let rules = RulesVersion::CURRENT;
    let payout = roll.payout.in_cents(rules, &stream);
    pay_out(transaction, account, id, payout, at)?;
    let details = DiceDetails {
        target_number: bet.target().get(),
        bet_type: bet.bet_type().as_str().to_owned(),
        dice_result: roll.roll,
    };
    let outcome = if roll.is_win {
        Outcome::Win
    } else {
        Outcome::Loss
    };
    let round = transaction.add_settled_round(
        account,
        SettledRound {
            id,
            game: Game::Dice,
            rules,
            stake: bet.stake(),
            payout,
            spread: spread::dice(&bet),
            outcome,
            details: serde_json::to_string(&details)
                .map_err(|error| CasinoError::corrupt(error.to_string()))?,
            nonce,
            idempotency_key,
            at,
        },
    );
    Ok(DiceBetPlaced {
        round,
        details,
        bet,
    })
}

fn first_result(round: Round, bet: Bet) -> Result<DiceBetPlaced, CasinoError> {
    if round.game != Game::Dice || round.stake != bet.stake() {
        return Err(Refusal::IdempotencyConflict.into());
    }
    let details = DiceDetails::of(&round)?;
    if !details.terms_are(&bet) {
        return Err(Refusal::IdempotencyConflict.into());
    }
    Ok(DiceBetPlaced {
        round,
        details,
        bet,
    })
}
