//! What administrators set for the whole house at run time: its switches, and the games' statuses and limits.

use std::collections::BTreeMap;

use diesel::prelude::*;
use glasshouse_domain::{Game, HouseSwitch, HouseSwitches, SwitchState, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::engine::notifications::notify_settings_changed;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::rounds::games::{GameSettings, game_settings};
use crate::schema::{switches, users};

/// The settings by which new rounds, deposits, withdrawals and registrations are judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HouseSettings {
    /// How each game is set.
    pub games: BTreeMap<Game, GameSettings>,
    /// How the house's switches are set.
    pub switches: HouseSwitches,
}

/// A switch with its last change, for administrators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchEntry {
    /// The switch.
    pub switch: HouseSwitch,
    /// How it is set.
    pub state: SwitchState,
    /// When it was last changed; `None` if it never was.
    pub changed_at: Option<Timestamp>,
    /// The administrator who changed it; `None` if it was the operator.
    pub changed_by: Option<(UserId, String)>,
}

/// Reads all settings.
///
/// # Errors
/// If the database fails.
pub fn house_settings(connection: &mut AnyConnection) -> Result<HouseSettings, DatabaseError> {
    Ok(HouseSettings {
        games: game_settings(connection)?,
        switches: house_switches(connection)?,
    })
}

/// Reads how the house's switches are set.
fn house_switches(connection: &mut AnyConnection) -> Result<HouseSwitches, DatabaseError> {
    let rows: Vec<(String, i64, Option<String>)> = switches::table
        .select((switches::name, switches::is_on, switches::reason))
        .load(connection)?;
    rows.into_iter()
        .map(|(name, is_on, reason)| {
            let is_on = is_on == 1;
            Ok((parse_switch(&name)?, SwitchState { is_on, reason }))
        })
        .collect()
}

/// A row of the table with the administrator.
type EntryRow = (
    String,
    i64,
    Option<String>,
    Option<i64>,
    Option<(i64, String)>,
);

/// Reads the switches with their last changes.
///
/// # Errors
/// If the database fails.
pub fn switch_entries(connection: &mut AnyConnection) -> Result<Vec<SwitchEntry>, DatabaseError> {
    let rows: Vec<EntryRow> = switches::table
        .left_join(users::table)
        .order(switches::name)
        .select((
            switches::name,
            switches::is_on,
            switches::reason,
            switches::changed_at_micros,
            (users::id, users::username).nullable(),
        ))
        .load(connection)?;
    rows.into_iter()
        .map(|(name, is_on, reason, changed_at, changed_by)| {
            let is_on = is_on == 1;
            Ok(SwitchEntry {
                switch: parse_switch(&name)?,
                state: SwitchState { is_on, reason },
                changed_at: changed_at.map(Timestamp::from_micros),
                changed_by: changed_by.map(|(id, name)| (UserId::new(id), name)),
            })
        })
        .collect()
}

fn parse_switch(name: &str) -> Result<HouseSwitch, DatabaseError> {
    HouseSwitch::parse(name).ok_or_else(|| DatabaseError::corrupt(format!("unknown switch {name}")))
}

impl Transaction<'_, '_> {
    /// Reads how the house's switches are set.
    ///
    /// # Errors
    /// If the database fails.
    pub fn house_switches(&mut self) -> Result<HouseSwitches, DatabaseError> {
        self.execute(house_switches)
    }

    /// Sets a switch. Other servers are notified at the commit.
    ///
    /// # Errors
    /// If the database fails.
    pub fn set_switch(
        &mut self,
        switch: HouseSwitch,
        state: &SwitchState,
        by: Option<UserId>,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(switches::table.find(switch.as_str()))
                .set((
                    switches::is_on.eq(i64::from(state.is_on)),
                    switches::reason.eq(&state.reason),
                    switches::changed_by.eq(by.map(UserId::get)),
                    switches::changed_at_micros.eq(at.as_micros()),
                ))
                .execute(connection)?;
            notify_settings_changed(connection)
        })
    }
}
