//! Everything that is stored about one withdrawal.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{EntryKind, LedgerReference, ProposedAct, Timestamp, UserId, WithdrawalId};

use crate::accounts::account::unsigned;
use crate::accounts::ledger::{LedgerEntry, entries_by_reference};
use crate::admin::listing::{UserRef, users_by_id};
use crate::admin::withdrawals::{WithdrawalEntry, withdrawal_entry};
use crate::approval::proposal_list::{ProposalEntry, proposals_beginning_with};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::in_one_snapshot::in_one_snapshot;
use crate::money::payout::Payout;
use crate::money::withdrawal_addresses::{WithdrawalAddress, withdrawal_addresses_of};
use crate::money::withdrawals::Withdrawal;

/// Everything that is stored about one withdrawal.
#[derive(Debug, Clone)]
pub struct WithdrawalDetails {
    /// The withdrawal as the list has it.
    pub entry: WithdrawalEntry,
    /// Those who have recorded how far its payment has come, by their IDs.
    pub persons: HashMap<i64, UserRef>,
    /// The player's requests to its address.
    pub requests: AddressRequests,
    /// The player's address book.
    pub address_book: Vec<WithdrawalAddress>,
    /// What was proposed for it, oldest first.
    pub proposals: Vec<ProposalEntry>,
    /// The ledger entries that held its amount, and returned it.
    pub ledger_entries: Vec<LedgerEntry>,
}

impl WithdrawalDetails {
    /// Who has recorded something about its payment.
    #[must_use]
    pub fn person(&self, id: Option<UserId>) -> Option<UserRef> {
        self.persons.get(&id?.get()).cloned()
    }
}

/// A player's requests to one address, whatever became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressRequests {
    /// How many there are.
    pub count: u64,
    /// When the first one was made.
    pub first_at: Option<Timestamp>,
}

/// Reads everything that is stored about a withdrawal, as of one moment.
///
/// # Errors
/// If the database fails.
pub fn withdrawal_details(
    connection: &mut AnyConnection,
    id: WithdrawalId,
) -> Result<Option<WithdrawalDetails>, DatabaseError> {
    in_one_snapshot(connection, |connection| {
        let Some(entry) = withdrawal_entry(connection, id)? else {
            return Ok(None);
        };
        let references = [LedgerReference::Withdrawal(id).to_string()];
        let kinds = [EntryKind::Withdrawal, EntryKind::WithdrawalReturned];
        let mut ledger_entries = entries_by_reference(connection, &kinds, &references)?;
        ledger_entries.sort_by_key(|entry| entry.sequence);
        let persons = entry.payout.iter().flat_map(persons_of);
        Ok(Some(WithdrawalDetails {
            persons: users_by_id(connection, persons)?,
            requests: requests_to_address(connection, &entry.withdrawal)?,
            address_book: withdrawal_addresses_of(connection, entry.withdrawal.player)?,
            proposals: proposals_beginning_with(connection, &ProposedAct::approval_of(id))?,
            ledger_entries,
            entry,
        }))
    })
}

fn persons_of(payout: &Payout) -> impl Iterator<Item = i64> {
    let stopped_by = payout.stop.as_ref().map(|stop| stop.by);
    [
        payout.sent_by,
        payout.confirmed_by,
        payout.failed_by,
        payout.returned_by,
        stopped_by,
    ]
    .into_iter()
    .flatten()
    .map(UserId::get)
}

#[derive(QueryableByName)]
struct RequestsRow {
    #[diesel(sql_type = BigInt)]
    requests: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    first_at: Option<i64>,
}

fn requests_to_address(
    connection: &mut AnyConnection,
    withdrawal: &Withdrawal,
) -> Result<AddressRequests, DatabaseError> {
    // The player is part of an expression, so that only the index on the address fits: PostgreSQL would read all of
    // the player's withdrawals.
    let row: RequestsRow = diesel::sql_query(
        "SELECT COUNT(*) AS requests, MIN(created_at_micros) AS first_at FROM withdrawals
         WHERE currency = $1 AND address = $2 AND player_id + 0 = $3",
    )
    .bind::<Text, _>(withdrawal.currency.code())
    .bind::<Text, _>(&withdrawal.address)
    .bind::<BigInt, _>(withdrawal.player.get())
    .get_result(connection)?;
    Ok(AddressRequests {
        count: unsigned(row.requests, "count of requests")?,
        first_at: row.first_at.map(Timestamp::from_micros),
    })
}
