//! The wallet: a balance, and the rule that deposits must be wagered before they are withdrawn.

use crate::{EntryKind, LedgerPosting, Money};

/// A player's balance and wagering requirement. Every method validates before it changes anything,
/// so a refused operation leaves the wallet unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wallet {
    balance: Money,
    unwagered: Money,
}

/// A stored wallet is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a balance and a wagering requirement are never negative")]
pub struct WalletCorrupt;

/// Why a wallet refuses an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WalletError {
    /// The amount is zero or negative.
    #[error("the amount must be greater than 0")]
    NotPositive,
    /// The balance is lower than the amount.
    #[error("the balance is too low")]
    InsufficientBalance,
    /// The balance would overflow.
    #[error("the balance would be too large")]
    Overflow,
    /// The new balance is negative.
    #[error("a balance is never negative")]
    NegativeBalance,
    /// The balance covers the amount, but not enough of the deposits has been wagered.
    #[error("the deposits must be wagered first")]
    NotWagered,
}

impl Wallet {
    /// An empty wallet with nothing to wager.
    pub const EMPTY: Self = Self {
        balance: Money::ZERO,
        unwagered: Money::ZERO,
    };

    /// Restores a stored wallet.
    ///
    /// # Errors
    /// If either amount is negative.
    pub fn restore(balance: Money, unwagered: Money) -> Result<Self, WalletCorrupt> {
        if balance.is_negative() || unwagered.is_negative() {
            return Err(WalletCorrupt);
        }
        Ok(Self { balance, unwagered })
    }

    /// The balance, all of which can be staked.
    #[must_use]
    pub const fn balance(&self) -> Money {
        self.balance
    }

    /// The wagering requirement: the amount that must still be staked.
    #[must_use]
    pub const fn unwagered(&self) -> Money {
        self.unwagered
    }

    /// The amount that can be withdrawn: the balance minus the wagering requirement, at least zero.
    #[must_use]
    pub fn available_to_withdraw(&self) -> Money {
        // Both are non-negative, so the subtraction cannot overflow.
        self.balance
            .checked_sub(self.unwagered)
            .unwrap_or(Money::ZERO)
            .max(Money::ZERO)
    }

    /// Debits a stake, which also counts towards the wagering requirement.
    ///
    /// # Errors
    /// If the amount is not positive or exceeds the balance.
    pub fn stake(&mut self, amount: Money) -> Result<LedgerPosting, WalletError> {
        self.balance = self.balance_less(amount)?;
        self.unwagered = self
            .unwagered
            .checked_sub(amount)
            .unwrap_or(Money::ZERO)
            .max(Money::ZERO);
        Ok(self.posting(EntryKind::Stake, Money::from_cents(-amount.cents())))
    }

    /// Credits a payout, which need not be wagered. Returns `None` if the amount is zero.
    ///
    /// # Errors
    /// If the amount is negative, or the balance would overflow.
    pub fn pay(&mut self, amount: Money) -> Result<Option<LedgerPosting>, WalletError> {
        if amount.is_zero() {
            return Ok(None);
        }
        self.credit(amount)?;
        Ok(Some(self.posting(EntryKind::Payout, amount)))
    }

    /// Credits a deposit, all of which must be wagered.
    ///
    /// # Errors
    /// If the amount is not positive, or the balance would overflow.
    pub fn deposit(&mut self, amount: Money) -> Result<LedgerPosting, WalletError> {
        let unwagered = self
            .unwagered
            .checked_add(amount)
            .ok_or(WalletError::Overflow)?;
        self.credit(amount)?;
        self.unwagered = unwagered;
        Ok(self.posting(EntryKind::Deposit, amount))
    }

    /// Holds an amount for a withdrawal: the balance is debited at once. The wagering requirement
    /// stays the same.
    ///
    /// # Errors
    /// If the amount is not positive, exceeds the balance, or exceeds the wagered part, checked in
    /// this order.
    pub fn withdraw(&mut self, amount: Money) -> Result<LedgerPosting, WalletError> {
        let balance = self.balance_less(amount)?;
        if amount > self.available_to_withdraw() {
            return Err(WalletError::NotWagered);
        }
        self.balance = balance;
        Ok(self.posting(EntryKind::Withdrawal, Money::from_cents(-amount.cents())))
    }

    /// Returns the full amount held for a withdrawal that was rejected or cancelled. It need not be wagered again.
    ///
    /// # Errors
    /// If the amount is not positive, or the balance would overflow.
    pub fn return_withdrawal(&mut self, amount: Money) -> Result<LedgerPosting, WalletError> {
        self.credit(amount)?;
        Ok(self.posting(EntryKind::WithdrawalReturned, amount))
    }

    /// Sets the balance on behalf of an administrator. Returns `None` if it is unchanged.
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
        Ok(Some(self.posting(EntryKind::Adjustment, difference)))
    }

    /// The balance minus a positive amount that it covers.
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

    fn posting(&self, kind: EntryKind, amount: Money) -> LedgerPosting {
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
        fn the_balance_is_the_sum_of_the_postings(
            operations in prop::collection::vec(operation(), 0..60),
        ) {
            let mut wallet = Wallet::EMPTY;
            let mut total = 0_i128;
            let mut unwagered = 0_i128;
            for operation in operations {
                let before = wallet;
                match apply(&mut wallet, operation) {
                    Err(_) => prop_assert_eq!(wallet, before),
                    Ok(posting) => {
                        let cents = posting.map_or(0, |posting| posting.amount.cents());
                        prop_assert_eq!(posting.is_none(), cents == 0);
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
                        if let Some(posting) = posting {
                            prop_assert_eq!(posting.balance_after, wallet.balance());
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
    fn the_whole_balance_can_be_staked_but_not_a_cent_more() {
        let mut wallet = Wallet::restore(Money::from_cents(1_000), Money::ZERO).unwrap();
        let refused = wallet.stake(Money::from_cents(1_001));
        assert_eq!(refused, Err(WalletError::InsufficientBalance));
        assert!(wallet.stake(Money::from_cents(1_000)).is_ok());
        assert_eq!(wallet.balance(), Money::ZERO);
    }

    #[test]
    fn only_the_wagered_part_can_be_withdrawn() {
        let (ten, cent) = (Money::from_cents(1_000), Money::from_cents(1));
        let mut wallet = Wallet::EMPTY;
        assert!(wallet.deposit(ten).is_ok());
        assert_eq!(wallet.withdraw(cent), Err(WalletError::NotWagered));
        let more = Money::from_cents(1_001);
        assert_eq!(wallet.withdraw(more), Err(WalletError::InsufficientBalance));
        assert_eq!(wallet.withdraw(Money::ZERO), Err(WalletError::NotPositive));
        // Staking half, and winning it back, makes half available.
        let half = Money::from_cents(500);
        assert!(wallet.stake(half).is_ok());
        assert!(wallet.pay(half).is_ok());
        assert_eq!(wallet.available_to_withdraw(), half);
        let held = wallet.withdraw(half);
        assert_eq!(held.map(|posting| posting.amount.cents()), Ok(-500));
        assert_eq!(wallet.available_to_withdraw(), Money::ZERO);
        assert!(wallet.return_withdrawal(half).is_ok());
        assert_eq!(wallet.available_to_withdraw(), half);
    }

    #[test]
    fn negative_amounts_are_refused_on_restore() {
        let cent = Money::from_cents(-1);
        assert_eq!(Wallet::restore(cent, Money::ZERO), Err(WalletCorrupt));
        assert_eq!(Wallet::restore(Money::ZERO, cent), Err(WalletCorrupt));
    }
}
