//! The files of a data export: whatever is stored about a user has its line here.

use std::fmt::Write as _;

use actix_web::web::Bytes;
use glasshouse_casino::accounts::{
    LedgerExport, player, read_acceptances, read_second_factor, read_security_events,
    read_sessions, read_statements,
};
use glasshouse_casino::email::{read_email, read_email_records, read_mails};
use glasshouse_casino::fairness::{fairness_state, former_seed_pairs};
use glasshouse_casino::limits::{
    read_exclusions, read_limit_changes, read_limits, read_playing_time,
};
use glasshouse_casino::money::deposits::{read_deposits, read_payments};
use glasshouse_casino::money::{read_withdrawal_addresses, read_withdrawals};
use glasshouse_casino::play::RoundsExport;
use glasshouse_casino::public_log::read_receipts;
use glasshouse_casino::{House, User};
use glasshouse_domain::Timestamp;

use super::pieces::{Pieces, ROWS_PER_PAGE, csv, json, json_list};
use super::rows::{AddressRow, MailRow, PaymentRow, PlayDayRow, SessionRow};
use crate::routes::account::CurrentUser;
use crate::routes::account::email::Email;
use crate::routes::account::second_factor::SecondFactor;
use crate::routes::account::security_events::SecurityEvent;
use crate::routes::exports::rows::{LedgerRow, RoundRow, next_entries, next_rounds};
use crate::routes::fairness::{FairnessState, FormerPair};
use crate::routes::limits::exclusion::Exclusion;
use crate::routes::limits::{LimitChange, LimitOverview};
use crate::routes::terms_of_service::AcceptedTerms;
use crate::routes::wallet::deposits::Deposit;
use crate::routes::wallet::statements::DailyStatement;
use crate::routes::wallet::withdrawal_addresses::WithdrawalAddress;
use crate::routes::wallet::withdrawals::Withdrawal;
use crate::wire::receipt::ReceiptBody;
use crate::wire::time::iso;

/// The number of deposits whose payments are read at once.
const DEPOSITS_PER_PAGE: usize = 50;

/// A file of the archive.
pub(super) struct ExportedFile {
    pub(super) name: &'static str,
    /// What it contains, for README.txt.
    explanation: &'static str,
    pub(super) content: fn(House, User) -> Pieces,
}

/// Every file, in the order of README.txt.
pub(super) const FILES: &[ExportedFile] = &[
    ExportedFile {
        name: "profile.json",
        explanation: "Your name, when you registered, your balance, and whether other players see your name.",
        content: |house, user| {
            json(async move { Ok(CurrentUser::from(player(&house, user).await?)) })
        },
    },
    ExportedFile {
        name: "sessions.json",
        explanation: "Where you are signed in: browser, operating system and network address.",
        content: |house, user| {
            json_list(async move |_: Option<()>| {
                let sessions = read_sessions(&house, user.id).await?;
                Ok((sessions.into_iter().map(SessionRow::from).collect(), None))
            })
        },
    },
    ExportedFile {
        name: "security-events.json",
        explanation: "Sign-ins, failed attempts and changes of the access to your account, for a year.",
        content: |house, user| {
            json_list(async move |before| {
                let events = read_security_events(&house, user.id, before, ROWS_PER_PAGE).await?;
                let rows = events.entries.iter().map(SecurityEvent::from).collect();
                Ok((rows, events.next))
            })
        },
    },
    ExportedFile {
        name: "second-factor.json",
        explanation: "Since when you have an authenticator, your passkeys, and how many recovery codes are left. Secrets, keys and codes are not in the archive.",
        content: |house, user| {
            json(async move {
                let status = read_second_factor(&house, user.id).await?;
                Ok(SecondFactor::new(&status, &user))
            })
        },
    },
    ExportedFile {
        name: "email.json",
        explanation: "Your e-mail address, the one that you have not confirmed yet, and the notices that you want.",
        content: |house, user| {
            json(async move { Ok(Email::from(read_email(&house, user.id).await?)) })
        },
    },
    ExportedFile {
        name: "email-addresses.json",
        explanation: "Every e-mail address that you have confirmed. Removed ones are kept for a year, and for as long as you are excluded from playing.",
        content: |house, user| {
            json_list(async move |_: Option<()>| {
                let records = read_email_records(&house, user.id).await?;
                Ok((records.into_iter().map(AddressRow::from).collect(), None))
            })
        },
    },
    ExportedFile {
        name: "mails.json",
        explanation: "The mails to you of the last 30 days: what kind and to which address. Their texts are not kept.",
        content: |house, user| {
            json_list(async move |before| {
                let mails = read_mails(&house, user.id, before, ROWS_PER_PAGE).await?;
                let rows = mails.entries.into_iter().map(MailRow::from).collect();
                Ok((rows, mails.next))
            })
        },
    },
    ExportedFile {
        name: "ledger.csv",
        explanation: "Every movement of your money, with the balance after it.",
        content: |house, user| {
            let reader = house.clone();
            let find = async move { LedgerExport::find(&reader, user.id, 0..=i64::MAX).await };
            csv::<_, LedgerRow>(house, find, next_entries)
        },
    },
    ExportedFile {
        name: "rounds.csv",
        explanation: "Every round that you have played, with its seeds. A server seed is empty until it is revealed.",
        content: |house, user| {
            let reader = house.clone();
            let find =
                async move { RoundsExport::find(&reader, user.id, Vec::new(), 0..=i64::MAX).await };
            csv::<_, RoundRow>(house, find, next_rounds)
        },
    },
    ExportedFile {
        name: "seeds.json",
        explanation: "The seeds of your next round, and the commitment to those after them. The server seeds are not revealed yet.",
        content: |house, user| {
            json(async move { Ok(FairnessState::from(fairness_state(&house, user.id).await?)) })
        },
    },
    ExportedFile {
        name: "former-seeds.json",
        explanation: "Your former seed pairs, with the revealed server seeds.",
        content: |house, user| {
            json_list(async move |before| {
                let pairs = former_seed_pairs(&house, user.id, before, ROWS_PER_PAGE).await?;
                let rows = pairs.entries.into_iter().map(FormerPair::from).collect();
                Ok((rows, pairs.next))
            })
        },
    },
    ExportedFile {
        name: "receipts.json",
        explanation: "The house's signed receipts of your seed pairs, deposits and withdrawals. Those of your rounds follow from the rounds.",
        content: |house, user| {
            json_list(async move |before| {
                let receipts = read_receipts(&house, user.id, before, ROWS_PER_PAGE).await?;
                let stored = receipts.entries.iter();
                let rows = stored
                    .filter_map(|stored| ReceiptBody::of(Some(&stored.receipt)))
                    .collect();
                Ok((rows, receipts.next))
            })
        },
    },
    ExportedFile {
        name: "deposits.json",
        explanation: "Your deposits and their invoices.",
        content: |house, user| {
            json_list(async move |before| {
                let deposits = read_deposits(&house, user.id, before, ROWS_PER_PAGE).await?;
                let rows = deposits.entries.into_iter().map(Deposit::from).collect();
                Ok((rows, deposits.next))
            })
        },
    },
    ExportedFile {
        name: "payments.json",
        explanation: "The payments for your deposits, with what the payment provider reported of each.",
        content: |house, user| {
            json_list(async move |before| {
                let found = read_payments(&house, user.id, before, DEPOSITS_PER_PAGE).await?;
                let rows = found.entries.into_iter().map(PaymentRow::from).collect();
                Ok((rows, found.next))
            })
        },
    },
    ExportedFile {
        name: "withdrawals.json",
        explanation: "Your withdrawals, with the addresses that they were sent to.",
        content: |house, user| {
            json_list(async move |before| {
                let found = read_withdrawals(&house, user.id, before, ROWS_PER_PAGE).await?;
                let entries = found.entries.into_iter();
                let rows = entries.map(Withdrawal::paid).collect();
                Ok((rows, found.next))
            })
        },
    },
    ExportedFile {
        name: "withdrawal-addresses.json",
        explanation: "Your address book: the addresses that you added, or used in a withdrawal.",
        content: |house, user| {
            json_list(async move |_: Option<()>| {
                let found = read_withdrawal_addresses(&house, user.id).await?;
                Ok((
                    found.into_iter().map(WithdrawalAddress::from).collect(),
                    None,
                ))
            })
        },
    },
    ExportedFile {
        name: "daily-statements.json",
        explanation: "The totals of your ledger by day.",
        content: |house, user| {
            json_list(async move |before| {
                let found = read_statements(&house, user.id, before, ROWS_PER_PAGE).await?;
                let rows = found.entries.iter().map(DailyStatement::from).collect();
                Ok((rows, found.next))
            })
        },
    },
    ExportedFile {
        name: "limits.json",
        explanation: "Your limits, what is used of them, your exclusion and the interval of your reality check.",
        content: |house, user| {
            json(async move { Ok(LimitOverview::from(read_limits(&house, user.id).await?)) })
        },
    },
    ExportedFile {
        name: "limit-changes.json",
        explanation: "Every change of your limits.",
        content: |house, user| {
            json_list(async move |before| {
                let found = read_limit_changes(&house, user.id, before, ROWS_PER_PAGE).await?;
                let rows = found.entries.into_iter().map(LimitChange::from).collect();
                Ok((rows, found.next))
            })
        },
    },
    ExportedFile {
        name: "exclusions.json",
        explanation: "Your breaks and self-exclusions.",
        content: |house, user| {
            json_list(async move |_: Option<()>| {
                let exclusions = read_exclusions(&house, user.id).await?;
                Ok((exclusions.into_iter().map(Exclusion::from).collect(), None))
            })
        },
    },
    ExportedFile {
        name: "accepted-terms.json",
        explanation: "Which versions of the Terms of Service you have accepted, and when.",
        content: |house, user| {
            json_list(async move |_: Option<()>| {
                let accepted = read_acceptances(&house, user.id).await?;
                Ok((
                    accepted.into_iter().map(AcceptedTerms::from).collect(),
                    None,
                ))
            })
        },
    },
    ExportedFile {
        name: "playing-time.json",
        explanation: "For how long you were active, by day.",
        content: |house, user| {
            json_list(async move |_: Option<()>| {
                let days = read_playing_time(&house, user.id).await?;
                Ok((days.into_iter().map(PlayDayRow::from).collect(), None))
            })
        },
    },
];

/// The text of README.txt.
pub(super) fn readme(user: &User, now: Timestamp) -> Bytes {
    let mut text = format!(
        "Glasshouse: everything that is stored about {} (user {}), as of {}.\n\n\
         Times are in UTC, amounts in US dollars. JSON files can be opened with a browser or a text\n\
         editor, CSV files with a spreadsheet. The files contain no passwords or other secrets.\n\n",
        user.username,
        user.id,
        iso(now)
    );
    for file in FILES {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}\n    {}", file.name, file.explanation);
    }
    text.push_str(
        "\nOnly the house's log of its administrators' actions is not part of this archive, because it is also\n\
         about them. What they decided about you is: in the ledger, and in the reasons of withdrawals.\n\n\
         What is kept for how long, and why, is described in docs/privacy.md of the source code.\n",
    );
    Bytes::from(text)
}
