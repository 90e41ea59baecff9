//! The wallet: a balance, and the rule that deposits must be wagered before they can leave.

use crate::{EntryKind, LedgerPosting, Money};

/// A player's money. Every change is a method that judges first and changes after; what it refuses
/// leaves the wallet as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wallet {
    balance: Money,
    unwagered: Money,
}

/// A stored wallet that cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a balance and a wagering requirement are never negative")]
pub struct WalletCorrupt;

/// Why a wallet refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WalletError {
    /// An amount that must be above zero is not.
    #[error("the amount must be greater than 0")]
    NotPositive,
    /// There is not that much.
    #[error("the balance is too low")]
    InsufficientBalance,
    /// More money than can be counted.
    #[error("the balance would be too large")]
    Overflow,
    /// A balance below zero.
    #[error("a balance is never negative")]
    NegativeBalance,
    /// There is that much, but not all of it was wagered.
    #[error("the deposits must be wagered first")]
    NotWagered,
}

impl Wallet {
    /// No money, nothing to wager.
    pub const EMPTY: Self = Self {
        balance: Money::ZERO,
        unwagered: Money::ZERO,
    };

    /// The wallet as it was stored.
    ///
    /// # Errors
    /// If either amount is negative.
    pub fn restore(balance: Money, unwagered: Money) -> Result<Self, WalletCorrupt> {
        if balance.is_negative() || unwagered.is_negative() {
            return Err(WalletCorrupt);
        }
        Ok(Self { balance, unwagered })
    }

    /// What can be bet.
    #[must_use]
    pub const fn balance(&self) -> Money {
        self.balance
    }

    /// What of the deposits must still be wagered.
    #[must_use]
    pub const fn unwagered(&self) -> Money {
        self.unwagered
    }

    /// What can be withdrawn: the balance less what must still be wagered, or nothing.
    #[must_use]
    pub fn available_to_withdraw(&self) -> Money {
        // Neither is negative, so the difference always fits.
        self.balance
            .checked_sub(self.unwagered)
            .unwrap_or(Money::ZERO)
            .max(Money::ZERO)
    }

    /// Places a bet: the stake leaves the balance and counts towards the wagering requirement.
    ///
    /// # Errors
    /// If it is not positive or more than the balance.
    pub fn stake(&mut self, amount: Money) -> Result<LedgerPosting, WalletError> {
        self.balance = self.balance_less(amount)?;
        self.unwagered = self
            .unwagered
            .checked_sub(amount)
            .unwrap_or(Money::ZERO)
            .max(Money::ZERO);
        Ok(self.moved(EntryKind::Stake, Money::from_cents(-amount.cents())))
    }

    /// Credits what a bet pays; winnings need not be wagered. None where it pays nothing.
    ///
    /// # Errors
    /// If it is negative, or the balance would be too large.
    pub fn pay(&mut self, amount: Money) -> Result<Option<LedgerPosting>, WalletError> {
        if amount.is_zero() {
            return Ok(None);
        }
        self.credit(amount)?;
        Ok(Some(self.moved(EntryKind::Payout, amount)))
    }

    /// Credits a deposit, all of which must be wagered.
    ///
    /// # Errors
    /// If it is not positive, or the balance would be too large.
    pub fn deposit(&mut self, amount: Money) -> Result<LedgerPosting, WalletError> {
        let unwagered = self
            .unwagered
            .checked_add(amount)
            .ok_or(WalletError::Overflow)?;
        self.credit(amount)?;
        self.unwagered = unwagered;
        Ok(self.moved(EntryKind::Deposit, amount))
    }

    /// Holds an amount for a withdrawal: it leaves the balance at once. What must still be wagered
    /// stays.
    ///
    /// # Errors
    /// If it is not positive, more than the balance, or more than was wagered, in this order.
    pub fn withdraw(&mut self, amount: Money) -> Result<LedgerPosting, WalletError> {
        let balance = self.balance_less(amount)?;
        if amount > self.available_to_withdraw() {
            return Err(WalletError::NotWagered);
        }
        self.balance = balance;
        Ok(self.moved(EntryKind::Withdrawal, Money::from_cents(-amount.cents())))
    }

    /// Gives back all that was held for a withdrawal that was rejected. It need not be wagered
    /// again.
    ///
    /// # Errors
    /// If it is not positive, or the balance would be too large.
    pub fn return_withdrawal(&mut self, amount: Money) -> Result<LedgerPosting, WalletError> {
        self.credit(amount)?;
        Ok(self.moved(EntryKind::WithdrawalReturned, amount))
    }

    /// Sets the balance, by an administrator's word. None where it already is that much.
    ///
    /// # Errors
    /// If the new balance is negative.
    pub fn adjust_to(&mut self, balance: Money) -> Result<Option<LedgerPosting>, WalletError> {
        if balance.is_negative() {
            return Err(WalletError::NegativeBalance);
        }
        let difference = balance
            .checked_sub(self.balance)
            .ok_or(WalletError::Overflow)?;
        if difference.is_zero() {
            return Ok(None);
        }
        self.balance = balance;
        Ok(Some(self.moved(EntryKind::Adjustment, difference)))
    }

    /// What is left of the balance without an amount, if that is one and there is that much.
    fn balance_less(&self, amount: Money) -> Result<Money, WalletError> {
        if !amount.is_positive() {
            return Err(WalletError::NotPositive);
        }
        self.balance
            .checked_sub(amount)
            .filter(|rest| !rest.is_negative())
            .ok_or(WalletError::InsufficientBalance)
    }

    fn credit(&mut self, amount: Money) -> Result<(), WalletError> {
        if !amount.is_positive() {
            return Err(WalletError::NotPositive);
        }
        self.balance = self
            .balance
            .checked_add(amount)
            .ok_or(WalletError::Overflow)?;
        Ok(())
    }

    fn moved(&self, kind: EntryKind, amount: Money) -> LedgerPosting {
        LedgerPosting {
            kind,
            amount,
            balance_after: self.balance,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone, Copy)]
    enum Operation {
        Stake(i64),
        Pay(i64),
        Deposit(i64),
        Adjust(i64),
        Withdraw(i64),
        Return(i64),
    }

    fn operation() -> impl Strategy<Value = Operation> {
        let amount = prop_oneof![-5..2_000_i64, Just(i64::MAX), Just(i64::MIN), Just(0)];
        (0..6, amount).prop_map(|(kind, cents)| match kind {
            0 => Operation::Stake(cents),
            1 => Operation::Pay(cents),
            2 => Operation::Deposit(cents),
            3 => Operation::Withdraw(cents),
            4 => Operation::Return(cents),
            _ => Operation::Adjust(cents),
        })
    }

    fn apply(
        wallet: &mut Wallet,
        operation: Operation,
    ) -> Result<Option<LedgerPosting>, WalletError> {
        match operation {
            Operation::Stake(cents) => wallet.stake(Money::from_cents(cents)).map(Some),
            Operation::Pay(cents) => wallet.pay(Money::from_cents(cents)),
            Operation::Deposit(cents) => wallet.deposit(Money::from_cents(cents)).map(Some),
            Operation::Withdraw(cents) => wallet.withdraw(Money::from_cents(cents)).map(Some),
            Operation::Return(cents) => {
                wallet.return_withdrawal(Money::from_cents(cents)).map(Some)
            }
            Operation::Adjust(cents) => wallet.adjust_to(Money::from_cents(cents)),
        }
    }

    proptest! {
        #[test]
        fn the_balance_is_the_sum_of_the_movements(
            operations in prop::collection::vec(operation(), 0..60),
        ) {
            let mut wallet = Wallet::EMPTY;
            let mut total = 0_i128;
            let mut unwagered = 0_i128;
            for operation in operations {
                let before = wallet;
                match apply(&mut wallet, operation) {
                    Err(_) => prop_assert_eq!(wallet, before),
                    Ok(movement) => {
                        let cents = movement.map_or(0, |movement| movement.amount.cents());
                        prop_assert_eq!(movement.is_none(), cents == 0);
                        total += i128::from(cents);
                        match operation {
                            Operation::Stake(stake) => {
                                unwagered = (unwagered - i128::from(stake)).max(0);
                            }
                            Operation::Deposit(deposit) => unwagered += i128::from(deposit),
                            Operation::Withdraw(amount) => {
                                let available = before.available_to_withdraw().cents();
                                prop_assert!(amount <= available);
                            }
                            Operation::Pay(_) | Operation::Adjust(_) | Operation::Return(_) => {}
                        }
                        if let Some(movement) = movement {
                            prop_assert_eq!(movement.balance_after, wallet.balance());
                        }
                    }
                }
                prop_assert_eq!(i128::from(wallet.balance().cents()), total);
                prop_assert_eq!(i128::from(wallet.unwagered().cents()), unwagered);
                prop_assert!(!wallet.balance().is_negative());
                let available = i128::from(wallet.available_to_withdraw().cents());
                prop_assert_eq!(available, (total - unwagered).max(0));
            }
        }
    }

    #[test]
    fn a_stake_of_the_whole_balance_is_taken_and_a_cent_more_is_not() {
        let mut wallet = Wallet::restore(Money::from_cents(1_000), Money::ZERO).unwrap();
        let refused = wallet.stake(Money::from_cents(1_001));
        assert_eq!(refused, Err(WalletError::InsufficientBalance));
        assert!(wallet.stake(Money::from_cents(1_000)).is_ok());
        assert_eq!(wallet.balance(), Money::ZERO);
    }

    #[test]
    fn only_what_was_wagered_is_withdrawn() {
        let (ten, cent) = (Money::from_cents(1_000), Money::from_cents(1));
        let mut wallet = Wallet::EMPTY;
        assert!(wallet.deposit(ten).is_ok());
        assert_eq!(wallet.withdraw(cent), Err(WalletError::NotWagered));
        let more = Money::from_cents(1_001);
        assert_eq!(wallet.withdraw(more), Err(WalletError::InsufficientBalance));
        assert_eq!(wallet.withdraw(Money::ZERO), Err(WalletError::NotPositive));
        // A bet of the half that is won back frees the half.
        let half = Money::from_cents(500);
        assert!(wallet.stake(half).is_ok());
        assert!(wallet.pay(half).is_ok());
        assert_eq!(wallet.available_to_withdraw(), half);
        let held = wallet.withdraw(half);
        assert_eq!(held.map(|movement| movement.amount.cents()), Ok(-500));
        assert_eq!(wallet.available_to_withdraw(), Money::ZERO);
        assert!(wallet.return_withdrawal(half).is_ok());
        assert_eq!(wallet.available_to_withdraw(), half);
    }

    #[test]
    fn negative_amounts_are_no_wallet() {
        let cent = Money::from_cents(-1);
        assert_eq!(Wallet::restore(cent, Money::ZERO), Err(WalletCorrupt));
        assert_eq!(Wallet::restore(Money::ZERO, cent), Err(WalletCorrupt));
    }
}
