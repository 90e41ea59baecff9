//! The actions that the audit log records, and their subjects.

use std::fmt;

use crate::{AlertId, Game, HouseSwitch, Money, ProposalId, ReviewId, WithdrawalId};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::stored_names::stored_names;

/// The action that an audit record describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum AuditAction {
    /// An account was created with the administrator role.
    AdministratorCreated,
    /// A user was given the administrator role.
    AdministratorGranted,
    /// An administrator lost the role.
    AdministratorRevoked,
    /// A user was given a one-time password by the operator.
    PasswordReset,
    /// A user's second factor was removed by the operator.
    SecondFactorReset,
    /// A user closed their account, giving up what was left of the balance.
    AccountClosed,
    /// A closed account was opened again by the operator.
    AccountReopened,
    /// Everything personal was removed from an account that was closed long ago.
    AccountPseudonymised,
    /// An administrator has noted something about a player.
    PlayerNoted,
    /// All sessions of a user were ended by an administrator.
    SessionsEnded,
    /// A user was banned.
    UserBanned,
    /// A ban was lifted.
    UserUnbanned,
    /// A player may no longer bet.
    BettingBlocked,
    /// A player may bet again.
    BettingUnblocked,
    /// A player may no longer withdraw.
    WithdrawingBlocked,
    /// A player may withdraw again.
    WithdrawingUnblocked,
    /// A balance was set by hand.
    BalanceOverride,
    /// A withdrawal was approved.
    WithdrawalApproved,
    /// A withdrawal was rejected and its amount returned to the balance.
    WithdrawalRejected,
    /// A withdrawal was approved without a person.
    WithdrawalApprovedAutomatically,
    /// A withdrawal that is paid by hand was recorded as sent.
    PayoutSent,
    /// A withdrawal that is paid by hand was recorded as arrived.
    PayoutConfirmed,
    /// The payment of a withdrawal was recorded as failed.
    PayoutFailed,
    /// The payment of a withdrawal was stopped after the provider was told to pay it.
    PayoutStopped,
    /// The amount of a withdrawal that could not be paid was returned to the balance.
    PayoutReturned,
    /// The full details of a decision made before the log recorded addresses and amounts were
    /// added.
    WithdrawalRestated,
    /// A payment was credited by hand.
    PaymentConfirmed,
    /// A review was closed.
    ReviewResolved,
    /// An alert was acknowledged.
    AlertAcknowledged,
    /// The audit log was given its first key.
    AuditKeyIntroduced,
    /// The audit log's key was replaced.
    AuditKeyChanged,
    /// A list was exported.
    ListExported,
    /// A game's status was set to open, paused or announced.
    GameStatus,
    /// The limits of a game were set.
    GameLimits,
    /// A switch of the house was set.
    HouseSwitch,
    /// An administrator proposed something that needs a second person.
    ProposalMade,
    /// A second person approved a proposal, and it was carried out.
    ProposalApproved,
    /// A second person refused a proposal.
    ProposalRefused,
    /// A proposal was withdrawn by its proposer.
    ProposalWithdrawn,
    /// The approval thresholds were changed.
    ThresholdsChanged,
    /// A version of the Terms of Service was published by the operator.
    TermsPublished,
    /// An administrator signed in.
    SignedIn,
    /// A sign-in to an administrator's account was refused. Nobody knows who tried, so there is no actor.
    SignInRefused,
    /// An administrator signed out.
    SignedOut,
    /// An administrator confirmed a session again, for an action that requires it.
    SessionConfirmed,
    /// A confirmation in a session of an administrator was refused.
    ConfirmationRefused,
    /// An administrator was shown personal data.
    PersonalDataViewed,
}

stored_names!(AuditAction);

/// Whether the refused attempt with this number, from 1 on within a period, is recorded: the first, the
/// tenth, the hundredth and so on. The log is append-only, so whoever tries passwords must not be able to
/// fill it.
#[must_use]
pub const fn is_recorded_refusal(number: i64) -> bool {
    let mut rest = number;
    while rest > 1 && rest % 10 == 0 {
        rest /= 10;
    }
    rest == 1
}

/// The object of an action, if it is not the user account as such.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditSubject {
    /// A withdrawal.
    Withdrawal {
        /// The withdrawal's ID.
        id: WithdrawalId,
        /// The amount held for it.
        amount: Money,
    },
    /// A payment, by the provider's ID.
    Payment(String),
    /// An invoice, by the provider's ID.
    Invoice(String),
    /// A review.
    Review {
        /// The review's ID.
        id: ReviewId,
        /// The provider's ID of the payment.
        payment: String,
        /// The kind's name at that time; a later version may have renamed it.
        kind: String,
    },
    /// An alert.
    Alert {
        /// The alert's ID.
        id: AlertId,
        /// The kind's name at that time: alerts are removed after a year, the log is not.
        kind: String,
    },
    /// A proposal.
    Proposal(ProposalId),
    /// Why something was done.
    Reason(String),
    /// A list of the administration, by the name of its export.
    List(String),
    /// A switch of the house.
    Switch {
        /// The switch.
        switch: HouseSwitch,
        /// The reason, which players are shown while the switch stops something.
        reason: String,
    },
    /// A game whose status or limits were changed.
    Game {
        /// The game.
        game: Game,
        /// The administrator's reason.
        reason: String,
    },
}

/// The stored form, which is also the one that is displayed.
impl fmt::Display for AuditSubject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Withdrawal { id, amount } => write!(formatter, "withdrawal {id} of {amount}"),
            Self::Payment(id) => write!(formatter, "payment {id}"),
            Self::Invoice(id) => write!(formatter, "invoice {id}"),
            Self::Review { id, payment, kind } => {
                write!(formatter, "review {id} of payment {payment}, {kind}")
            }
            Self::Alert { id, kind } => write!(formatter, "alert {id}, {kind}"),
            Self::Proposal(id) => write!(formatter, "proposal {id}"),
            Self::Reason(reason) => write!(formatter, "reason: {reason}"),
            Self::List(name) => write!(formatter, "list {name}"),
            Self::Switch { switch, reason } => {
                write!(formatter, "switch {} ({reason})", switch.as_str())
            }
            Self::Game { game, reason } => write!(formatter, "{} ({reason})", game.as_str()),
        }
    }
}

impl AuditSubject {
    /// Parses the stored form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once(' ')?;
        match kind {
            "withdrawal" => {
                let (id, amount) = rest.split_once(" of ")?;
                Some(Self::Withdrawal {
                    id: id.parse().ok()?,
                    amount: Money::parse(amount).ok()?,
                })
            }
            "payment" => Some(Self::Payment(rest.to_owned())),
            "invoice" => Some(Self::Invoice(rest.to_owned())),
            "review" => {
                let (id, rest) = rest.split_once(" of payment ")?;
                let (payment, kind) = rest.rsplit_once(", ")?;
                Some(Self::Review {
                    id: id.parse().ok()?,
                    payment: payment.to_owned(),
                    kind: kind.to_owned(),
                })
            }
            "alert" => {
                let (id, kind) = rest.split_once(", ")?;
                Some(Self::Alert {
                    id: id.parse().ok()?,
                    kind: kind.to_owned(),
                })
            }
            "proposal" => Some(Self::Proposal(rest.parse().ok()?)),
            "reason:" => Some(Self::Reason(rest.to_owned())),
            "list" => Some(Self::List(rest.to_owned())),
            "switch" => {
                let (switch, reason) = rest.split_once(' ')?;
                Some(Self::Switch {
                    switch: HouseSwitch::parse(switch)?,
                    reason: bracketed(reason)?,
                })
            }
            game => Some(Self::Game {
                game: Game::parse(game)?,
                reason: bracketed(rest)?,
            }),
        }
    }
}

/// The text in brackets.
fn bracketed(text: &str) -> Option<String> {
    Some(text.strip_prefix('(')?.strip_suffix(')')?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_parsed_from_its_name() {
        for action in AuditAction::ALL {
            assert_eq!(AuditAction::parse(action.as_str()), Some(*action));
        }
        assert_eq!(AuditAction::UserBanned.as_str(), "user_banned");
        assert_eq!(AuditAction::parse("user_kicked"), None);
    }

    #[test]
    fn every_power_of_ten_of_refusals_is_recorded() {
        let recorded: Vec<i64> = (-10..=1_000).filter(|n| is_recorded_refusal(*n)).collect();
        assert_eq!(recorded, [1, 10, 100, 1_000]);
    }

    #[test]
    fn every_subject_is_parsed_from_its_stored_form() {
        for (subject, text) in [
            (
                AuditSubject::Withdrawal {
                    id: WithdrawalId::new(7),
                    amount: Money::from_cents(5_000),
                },
                "withdrawal 7 of 50.00",
            ),
            (AuditSubject::Payment("51".to_owned()), "payment 51"),
            (AuditSubject::Invoice("52".to_owned()), "invoice 52"),
            (
                AuditSubject::Review {
                    id: ReviewId::new(3),
                    payment: "51".to_owned(),
                    kind: "orphan".to_owned(),
                },
                "review 3 of payment 51, orphan",
            ),
            (
                AuditSubject::Alert {
                    id: AlertId::new(17),
                    kind: "large_win".to_owned(),
                },
                "alert 17, large_win",
            ),
            (AuditSubject::Proposal(ProposalId::new(9)), "proposal 9"),
            (
                AuditSubject::Reason("lost: a round".to_owned()),
                "reason: lost: a round",
            ),
            (AuditSubject::List("users".to_owned()), "list users"),
            (
                AuditSubject::Game {
                    game: Game::HeadsUp,
                    reason: "a (planned) pause".to_owned(),
                },
                "heads_up (a (planned) pause)",
            ),
            (
                AuditSubject::Switch {
                    switch: HouseSwitch::Deposits,
                    reason: "the provider (again)".to_owned(),
                },
                "switch deposits (the provider (again))",
            ),
        ] {
            assert_eq!(subject.to_string(), text);
            assert_eq!(AuditSubject::parse(text), Some(subject));
        }
        for text in [
            "",
            "withdrawal",
            "withdrawal x of 1.00",
            "review 3",
            "alert 3",
            "chess (open)",
            "switch lights (off)",
            "switch deposits",
        ] {
            assert_eq!(AuditSubject::parse(text), None, "{text}");
        }
    }
}
