//! The acts of administrators that move money, for the totals of a day.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use glasshouse_domain::{
    Money, MoneyActKind, MovedToday, OWN_CREDIT_DAYS, ProposalId, Timestamp, UserId,
};

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::money_acts;

/// An act to be recorded.
#[derive(Debug, Clone, Copy)]
pub struct NewMoneyAct {
    /// Who acted, or approved what somebody else had proposed.
    pub administrator: UserId,
    /// Whose account it concerns.
    pub player: UserId,
    /// What was done.
    pub kind: MoneyActKind,
    /// The amount; negative if it was taken from a balance.
    pub amount: Money,
    /// The proposal; `None` if one person acted alone.
    pub proposal: Option<ProposalId>,
    /// When.
    pub at: Timestamp,
}

#[derive(QueryableByName)]
struct Moved {
    #[diesel(sql_type = BigInt)]
    person_cents: i64,
    #[diesel(sql_type = BigInt)]
    house_cents: i64,
}

/// What was moved by persons who acted alone, on the day of a time.
///
/// # Errors
/// If the database fails.
pub fn moved_today(
    connection: &mut AnyConnection,
    person: UserId,
    at: Timestamp,
) -> Result<MovedToday, DatabaseError> {
    let moved: Moved = diesel::sql_query(
        "SELECT
            CAST(COALESCE(SUM(CASE WHEN administrator_id = $1 THEN ABS(amount_cents) ELSE 0 END), 0)
                AS BIGINT) AS person_cents,
            CAST(COALESCE(SUM(ABS(amount_cents)), 0) AS BIGINT) AS house_cents
         FROM money_acts WHERE day = $2 AND proposal_id IS NULL",
    )
    .bind::<BigInt, _>(person.get())
    .bind::<BigInt, _>(at.day())
    .get_result(connection)?;
    Ok(MovedToday {
        by_person: Money::from_cents(moved.person_cents),
        by_house: Money::from_cents(moved.house_cents),
    })
}

#[derive(QueryableByName)]
struct Credits {
    #[diesel(sql_type = BigInt)]
    cents: i64,
}

impl Transaction<'_, '_> {
    /// What was moved by persons who acted alone, on the day of a time.
    ///
    /// # Errors
    /// If the database fails.
    pub fn moved_today(
        &mut self,
        person: UserId,
        at: Timestamp,
    ) -> Result<MovedToday, DatabaseError> {
        self.execute(|connection| moved_today(connection, person, at))
    }

    /// What a person has recently added to an account by hand, alone or with somebody else.
    ///
    /// # Errors
    /// If the database fails.
    pub fn own_credits(
        &mut self,
        person: UserId,
        player: UserId,
        at: Timestamp,
    ) -> Result<Money, DatabaseError> {
        let credits: Credits = self.execute(|connection| {
            Ok(diesel::sql_query(
                "SELECT CAST(COALESCE(SUM(a.amount_cents), 0) AS BIGINT) AS cents
                 FROM money_acts a LEFT JOIN proposals p ON p.id = a.proposal_id
                 WHERE a.player_id = $1 AND a.day > $2 AND a.kind <> 'withdrawal' AND a.amount_cents > 0
                     AND (a.administrator_id = $3 OR p.proposed_by = $3)",
            )
            .bind::<BigInt, _>(player.get())
            .bind::<BigInt, _>(at.day() - OWN_CREDIT_DAYS)
            .bind::<BigInt, _>(person.get())
            .get_result(connection)?)
        })?;
        Ok(Money::from_cents(credits.cents))
    }

    /// Records an act. To be called after its audit record was added.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_money_act(&mut self, new: &NewMoneyAct) -> Result<(), DatabaseError> {
        let audit_record = self.last_audit_record_id()?;
        self.execute(|connection| {
            diesel::insert_into(money_acts::table)
                .values((
                    money_acts::audit_record_id.eq(audit_record),
                    money_acts::day.eq(new.at.day()),
                    money_acts::administrator_id.eq(new.administrator.get()),
                    money_acts::player_id.eq(new.player.get()),
                    money_acts::kind.eq(new.kind.as_str()),
                    money_acts::amount_cents.eq(new.amount.cents()),
                    money_acts::proposal_id.eq(new.proposal.map(ProposalId::get)),
                ))
                .execute(connection)?;
            Ok(())
        })
    }
}
