//! The addresses that players added, or used in a withdrawal, and what else can delay withdrawals.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{
    AddressLabel, Currency, Timestamp, UserId, WithdrawalAddressId, WithdrawalRisks,
};

use crate::accounts::users::NewId;
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{users, withdrawal_addresses};

/// An address to be added to a player's address book.
#[derive(Debug, Clone)]
pub struct NewWithdrawalAddress {
    /// The player's ID.
    pub player: UserId,
    /// The currency.
    pub currency: Currency,
    /// The address as the player wrote it.
    pub address: String,
    /// The one form of an address that can be written in several ways.
    pub normal_form: String,
    /// The player's name for it.
    pub label: Option<AddressLabel>,
    /// The time.
    pub at: Timestamp,
    /// From when the address no longer delays withdrawals.
    pub usable_from: Timestamp,
}

/// An address in a player's address book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithdrawalAddress {
    /// The address's ID.
    pub id: WithdrawalAddressId,
    /// The currency.
    pub currency: Currency,
    /// The address as the player wrote it first.
    pub address: String,
    /// The player's name for it.
    pub label: Option<String>,
    /// When it was added, or first used.
    pub added_at: Timestamp,
    /// From when it no longer delays withdrawals.
    pub usable_from: Timestamp,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = withdrawal_addresses)]
struct Row {
    id: i64,
    currency: String,
    address: String,
    label: Option<String>,
    added_at_micros: i64,
    usable_from_micros: i64,
}

impl TryFrom<Row> for WithdrawalAddress {
    type Error = DatabaseError;

    fn try_from(row: Row) -> Result<Self, DatabaseError> {
        Ok(Self {
            id: WithdrawalAddressId::new(row.id),
            currency: Currency::parse(&row.currency).ok_or_else(|| {
                DatabaseError::corrupt(format!("withdrawal address {}: unknown currency", row.id))
            })?,
            address: row.address,
            label: row.label,
            added_at: Timestamp::from_micros(row.added_at_micros),
            usable_from: Timestamp::from_micros(row.usable_from_micros),
        })
    }
}

/// A player's addresses by currency, those that were added first at the top.
///
/// # Errors
/// If the database fails.
pub fn withdrawal_addresses_of(
    connection: &mut AnyConnection,
    player: UserId,
) -> Result<Vec<WithdrawalAddress>, DatabaseError> {
    let rows: Vec<Row> = withdrawal_addresses::table
        .filter(withdrawal_addresses::player_id.eq(player.get()))
        .order((withdrawal_addresses::currency, withdrawal_addresses::id))
        .select(Row::as_select())
        .load(connection)?;
    rows.into_iter().map(WithdrawalAddress::try_from).collect()
}

/// What can delay a player's withdrawal to an address, which is given by its normal form.
///
/// # Errors
/// If the database fails, or the user does not exist.
pub fn withdrawal_risks(
    connection: &mut AnyConnection,
    player: UserId,
    currency: Currency,
    normal_form: &str,
) -> Result<WithdrawalRisks, DatabaseError> {
    type Row = (Option<i64>, Option<i64>, Option<i64>);
    let (password_changed_at, second_factor_changed_at, usable_from): Row = users::table
        .left_join(
            withdrawal_addresses::table.on(withdrawal_addresses::player_id
                .eq(users::id)
                .and(withdrawal_addresses::currency.eq(currency.code()))
                .and(withdrawal_addresses::normal_form.eq(normal_form))),
        )
        .filter(users::id.eq(player.get()))
        .select((
            users::password_changed_at_micros,
            users::second_factor_changed_at_micros,
            withdrawal_addresses::usable_from_micros.nullable(),
        ))
        .get_result(connection)?;
    Ok(WithdrawalRisks {
        address_usable_from: usable_from.map(Timestamp::from_micros),
        password_changed_at: password_changed_at.map(Timestamp::from_micros),
        second_factor_changed_at: second_factor_changed_at.map(Timestamp::from_micros),
    })
}

impl Transaction<'_, '_> {
    /// What can delay a player's withdrawal to an address.
    ///
    /// # Errors
    /// If the database fails.
    pub fn withdrawal_risks(
        &mut self,
        player: UserId,
        currency: Currency,
        normal_form: &str,
    ) -> Result<WithdrawalRisks, DatabaseError> {
        self.execute(|connection| withdrawal_risks(connection, player, currency, normal_form))
    }

    /// A player's addresses.
    ///
    /// # Errors
    /// If the database fails.
    pub fn withdrawal_addresses(
        &mut self,
        player: UserId,
    ) -> Result<Vec<WithdrawalAddress>, DatabaseError> {
        self.execute(|connection| withdrawal_addresses_of(connection, player))
    }

    /// Adds an address. Returns `None` if the player has it already.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_withdrawal_address(
        &mut self,
        new: &NewWithdrawalAddress,
    ) -> Result<Option<WithdrawalAddress>, DatabaseError> {
        let inserted: Option<NewId> = self.execute(|connection| {
            Ok(diesel::sql_query(
                "INSERT INTO withdrawal_addresses (player_id, currency, address, normal_form, label,
                    added_at_micros, usable_from_micros)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)
                 ON CONFLICT (player_id, currency, normal_form) DO NOTHING
                 RETURNING id",
            )
            .bind::<BigInt, _>(new.player.get())
            .bind::<Text, _>(new.currency.code())
            .bind::<Text, _>(&new.address)
            .bind::<Text, _>(&new.normal_form)
            .bind::<Nullable<Text>, _>(new.label.as_ref().map(AddressLabel::as_str))
            .bind::<BigInt, _>(new.at.as_micros())
            .bind::<BigInt, _>(new.usable_from.as_micros())
            .get_result(connection)
            .optional()?)
        })?;
        Ok(inserted.map(|NewId { id }| WithdrawalAddress {
            id: WithdrawalAddressId::new(id),
            currency: new.currency,
            address: new.address.clone(),
            label: new.label.as_ref().map(|label| label.as_str().to_owned()),
            added_at: new.at,
            usable_from: new.usable_from,
        }))
    }

    /// Renames an address of the player, or removes its label. Returns `None` if the player has no such
    /// address.
    ///
    /// # Errors
    /// If the database fails.
    pub fn label_withdrawal_address(
        &mut self,
        player: UserId,
        id: WithdrawalAddressId,
        label: Option<&AddressLabel>,
    ) -> Result<Option<WithdrawalAddress>, DatabaseError> {
        self.execute(|connection| {
            let own = withdrawal_addresses::player_id.eq(player.get());
            diesel::update(withdrawal_addresses::table.find(id.get()))
                .filter(own)
                .set(withdrawal_addresses::label.eq(label.map(AddressLabel::as_str)))
                .execute(connection)?;
            let row: Option<Row> = withdrawal_addresses::table
                .find(id.get())
                .filter(own)
                .select(Row::as_select())
                .first(connection)
                .optional()?;
            row.map(WithdrawalAddress::try_from).transpose()
        })
    }

    /// Removes an address of the player. Returns whether there was one.
    ///
    /// # Errors
    /// If the database fails.
    pub fn remove_withdrawal_address(
        &mut self,
        player: UserId,
        id: WithdrawalAddressId,
    ) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let removed = diesel::delete(withdrawal_addresses::table.find(id.get()))
                .filter(withdrawal_addresses::player_id.eq(player.get()))
                .execute(connection)?;
            Ok(removed > 0)
        })
    }
}
