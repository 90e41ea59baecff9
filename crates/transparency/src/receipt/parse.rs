//! The parser of receipts. Whether values are written in the usual way is checked by the caller.

use tlog_tiles::Hash;

use super::{
    ClientSeed, ClientSeedBy, PairStatement, Payment, PaymentStatement, Receipt, ReceiptError,
    RoundState, RoundStatement, SeedHash, Statement,
};
use crate::encoding::parse_hex_hash;
use crate::origin::Origin;

/// The first line of every receipt.
pub(super) const TITLE: &str = "glasshouse receipt v1";

pub(super) fn receipt(text: &str) -> Result<Receipt, ReceiptError> {
    let mut lines = Lines(text);
    if lines.line() != Some(TITLE) {
        return Err(ReceiptError::Missing(TITLE));
    }
    let origin = lines.value("origin", |value| Origin::parse(value).ok())?;
    let player = lines.value("player", number)?;
    let (kind, id) = lines.value("subject", |value| value.split_once(' '))?;
    let invalid_subject = ReceiptError::Invalid("subject");
    let statement = match kind {
        "round" => round(number(id).ok_or(invalid_subject)?, &mut lines)?,
        "pair" => pair(SeedHash::parse(id).ok_or(invalid_subject)?, &mut lines)?,
        "deposit" => deposit(number(id).ok_or(invalid_subject)?, &mut lines)?,
        "withdrawal" => withdrawal(number(id).ok_or(invalid_subject)?, &mut lines)?,
        _ => return Err(invalid_subject),
    };
    let time = lines.value("time", |value| value.parse().ok())?;
    if lines.0.is_empty() {
        Ok(Receipt {
            origin,
            player,
            statement,
            time,
        })
    } else {
        Err(ReceiptError::TooLong)
    }
}

fn round(round: i64, lines: &mut Lines<'_>) -> Result<Statement, ReceiptError> {
    let is_settled = lines.value("state", |value| match value {
        "open" => Some(false),
        "settled" => Some(true),
        _ => None,
    })?;
    let (pair, nonce) = lines.value("pair", |value| {
        let (pair, nonce) = value.split_once(" nonce ")?;
        Some((SeedHash::parse(pair)?, u64::try_from(number(nonce)?).ok()?))
    })?;
    let stake = lines.value("stake", number)?;
    let payout = lines.value("payout", Some)?;
    let balance = lines.value("balance", number)?;
    let entry = lines.value("entry", Some)?;
    Ok(Statement::Round(RoundStatement {
        round,
        state: if is_settled {
            RoundState::Settled {
                payout: number(payout).ok_or(ReceiptError::Invalid("payout"))?,
                entry: parse_hex_hash(entry)
                    .map(Hash)
                    .ok_or(ReceiptError::Invalid("entry"))?,
            }
        } else {
            none(payout).ok_or(ReceiptError::Invalid("payout"))?;
            none(entry).ok_or(ReceiptError::Invalid("entry"))?;
            RoundState::Open
        },
        pair,
        nonce,
        stake,
        balance,
    }))
}

/// The value of what a round does not have before it is settled.
fn none(value: &str) -> Option<()> {
    (value == "-").then_some(())
}

fn pair(server_seed_hash: SeedHash, lines: &mut Lines<'_>) -> Result<Statement, ReceiptError> {
    lines.value("state", |value| (value == "active").then_some(()))?;
    let (client_seed, client_seed_by) = lines.value("client", |value| {
        let (seed, by) = value.split_once(" by ")?;
        let by = match by {
            "player" => ClientSeedBy::Player,
            "house" => ClientSeedBy::House,
            _ => return None,
        };
        Some((ClientSeed::parse(seed)?, by))
    })?;
    let next_server_seed_hash = lines.value("next", SeedHash::parse)?;
    Ok(Statement::Pair(PairStatement {
        server_seed_hash,
        client_seed,
        client_seed_by,
        next_server_seed_hash,
    }))
}

fn deposit(id: i64, lines: &mut Lines<'_>) -> Result<Statement, ReceiptError> {
    let payment = lines.value("state", |value| match value {
        "credited" => Some(Payment::DepositCredited(id)),
        _ => None,
    })?;
    amounts(payment, lines)
}

fn withdrawal(id: i64, lines: &mut Lines<'_>) -> Result<Statement, ReceiptError> {
    let payment = lines.value("state", |value| match value {
        "held" => Some(Payment::WithdrawalHeld(id)),
        "returned" => Some(Payment::WithdrawalReturned(id)),
        "paid" => Some(Payment::WithdrawalPaid(id)),
        _ => None,
    })?;
    amounts(payment, lines)
}

fn amounts(payment: Payment, lines: &mut Lines<'_>) -> Result<Statement, ReceiptError> {
    Ok(Statement::Payment(PaymentStatement {
        payment,
        amount: lines.value("amount", number)?,
        balance: lines.value("balance", number)?,
    }))
}

/// The lines that are not parsed yet.
struct Lines<'t>(&'t str);

impl<'t> Lines<'t> {
    fn line(&mut self) -> Option<&'t str> {
        let (line, rest) = self.0.split_once('\n')?;
        self.0 = rest;
        Some(line)
    }

    /// The value of the next line, which must have the given name.
    fn value<T>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&'t str) -> Option<T>,
    ) -> Result<T, ReceiptError> {
        let value = self
            .line()
            .and_then(|line| line.strip_prefix(name)?.strip_prefix(' '))
            .ok_or(ReceiptError::Missing(name))?;
        parse(value).ok_or(ReceiptError::Invalid(name))
    }
}

/// A number that is not negative.
fn number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|number| *number >= 0)
}
