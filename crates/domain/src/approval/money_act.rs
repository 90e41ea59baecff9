//! Whether an act that moves money needs a second person.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::Money;
use crate::approval::ApprovalThresholds;
use crate::stored_names::stored_names;

/// For how many days somebody who has credited an account cannot alone approve its withdrawals.
pub const OWN_CREDIT_DAYS: i64 = 30;

/// What administrators do that moves money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum MoneyActKind {
    /// Set a balance.
    Adjustment,
    /// Credit a payment by hand.
    Confirmation,
    /// Approve a withdrawal.
    Withdrawal,
}

stored_names!(MoneyActKind);

/// An act that moves money, as far as it matters for whether one person may do it alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoneyAct {
    /// What is done.
    pub kind: MoneyActKind,
    /// The amount that it moves, in whichever direction.
    pub amount: Money,
    /// Whether more is credited than the payment can be worth: its price times the cap for overpayments, or
    /// anything if the price is not known.
    pub exceeds_payment: bool,
    /// What the same person has added to the account by hand in the last [`OWN_CREDIT_DAYS`] days. Only
    /// considered for withdrawals.
    pub own_credits: Money,
}

/// What was moved today by persons who acted alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovedToday {
    /// By the person who acts.
    pub by_person: Money,
    /// By everybody.
    pub by_house: Money,
}

/// Why an act needs a second person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondPersonCause {
    /// It moves more than this threshold for acts of its kind.
    Amount(MoneyActKind, Money),
    /// More is credited than the payment can be worth.
    AbovePayment,
    /// The same person has recently added more than this threshold to the account by hand.
    OwnCredits(Money),
    /// The person would move more than this threshold today.
    PersonPerDay(Money),
    /// All persons together would move more than this threshold today.
    HousePerDay(Money),
    /// It gives somebody permissions.
    Role,
    /// It changes the thresholds.
    Thresholds,
}

impl MoneyAct {
    /// Why this act needs a second person; `None` if one person may do it alone.
    #[must_use]
    pub fn second_person(
        &self,
        thresholds: &ApprovalThresholds,
        today: MovedToday,
    ) -> Option<SecondPersonCause> {
        let threshold = match self.kind {
            MoneyActKind::Adjustment => thresholds.adjustment,
            MoneyActKind::Confirmation => thresholds.confirmation,
            MoneyActKind::Withdrawal => thresholds.withdrawal,
        };
        let exceeds = |moved: Money, limit: Money| {
            moved
                .checked_add(self.amount)
                .is_none_or(|total| total > limit)
        };
        if self.amount > threshold {
            Some(SecondPersonCause::Amount(self.kind, threshold))
        } else if self.exceeds_payment {
            Some(SecondPersonCause::AbovePayment)
        } else if self.kind == MoneyActKind::Withdrawal && self.own_credits > thresholds.adjustment
        {
            Some(SecondPersonCause::OwnCredits(thresholds.adjustment))
        } else if exceeds(today.by_person, thresholds.person_per_day) {
            Some(SecondPersonCause::PersonPerDay(thresholds.person_per_day))
        } else if exceeds(today.by_house, thresholds.house_per_day) {
            Some(SecondPersonCause::HousePerDay(thresholds.house_per_day))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: MovedToday = MovedToday {
        by_person: Money::ZERO,
        by_house: Money::ZERO,
    };

    fn act(kind: MoneyActKind, cents: i64) -> MoneyAct {
        MoneyAct {
            kind,
            amount: Money::from_cents(cents),
            exceeds_payment: false,
            own_credits: Money::ZERO,
        }
    }

    fn judge(act: MoneyAct, today: MovedToday) -> Option<SecondPersonCause> {
        act.second_person(&ApprovalThresholds::INITIAL, today)
    }

    #[test]
    fn each_kind_has_its_threshold() {
        for (kind, cents) in [
            (MoneyActKind::Adjustment, 10_000),
            (MoneyActKind::Confirmation, 50_000),
            (MoneyActKind::Withdrawal, 100_000),
        ] {
            assert_eq!(judge(act(kind, cents), NOTHING), None);
            assert_eq!(
                judge(act(kind, cents + 1), NOTHING),
                Some(SecondPersonCause::Amount(kind, Money::from_cents(cents)))
            );
            assert_eq!(MoneyActKind::parse(kind.as_str()), Some(kind));
        }
    }

    #[test]
    fn a_day_has_thresholds_for_a_person_and_for_the_house() {
        let withdrawal = act(MoneyActKind::Withdrawal, 50_000);
        let today = |person, house| MovedToday {
            by_person: Money::from_cents(person),
            by_house: Money::from_cents(house),
        };
        assert_eq!(judge(withdrawal, today(150_000, 950_000)), None);
        assert_eq!(
            judge(withdrawal, today(150_001, 150_001)),
            Some(SecondPersonCause::PersonPerDay(Money::from_cents(200_000)))
        );
        assert_eq!(
            judge(withdrawal, today(0, 950_001)),
            Some(SecondPersonCause::HousePerDay(Money::from_cents(1_000_000)))
        );
        assert!(judge(withdrawal, today(i64::MAX, 0)).is_some());
    }

    #[test]
    fn nobody_credits_more_than_a_payment_is_worth_alone() {
        let confirmation = MoneyAct {
            exceeds_payment: true,
            ..act(MoneyActKind::Confirmation, 1)
        };
        assert_eq!(
            judge(confirmation, NOTHING),
            Some(SecondPersonCause::AbovePayment)
        );
    }

    #[test]
    fn nobody_pays_out_what_the_same_person_has_added() {
        let with = |kind, cents| MoneyAct {
            own_credits: Money::from_cents(cents),
            ..act(kind, 2_000)
        };
        assert_eq!(judge(with(MoneyActKind::Withdrawal, 10_000), NOTHING), None);
        assert_eq!(
            judge(with(MoneyActKind::Withdrawal, 10_001), NOTHING),
            Some(SecondPersonCause::OwnCredits(Money::from_cents(10_000)))
        );
        assert_eq!(judge(with(MoneyActKind::Adjustment, 10_001), NOTHING), None);
    }
}
