//! Receipts that contradict each other.

use glasshouse_transparency::receipt::{
    PairStatement, Payment, PaymentStatement, Receipt, RoundState, RoundStatement, SeedHash,
    Statement,
};
use glasshouse_transparency::time::UtcTime;

use crate::evidence::finding::{Finding, Placed};
use crate::evidence::named::{about, round_of, rounds_of_pair};

/// How far the clocks of a house's servers may differ, so that the times of two receipts do not tell
/// which was first.
const CLOCK_TOLERANCE_MICROS: i64 = 2_000_000;

/// Finds receipts of which not both can be true. All are signed by the house.
pub(crate) fn contradictions(receipts: &[Placed<Receipt>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, one) in (1..).zip(receipts) {
        for other in receipts.iter().skip(number) {
            if let Some(what) = disagreement(&one.value, &other.value) {
                let rounds = [one, other]
                    .into_iter()
                    .flat_map(|one| concerned(receipts, one));
                findings.push(Finding::proof(
                    [one.place.clone(), other.place.clone()],
                    format!("{}{what}:\n{}\n{}", about(rounds), one.value, other.value),
                ));
            }
        }
    }
    findings.extend(changed_client_seeds(receipts));
    findings
}

/// The round of a receipt, or those that were played with its pair.
fn concerned(receipts: &[Placed<Receipt>], receipt: &Placed<Receipt>) -> Vec<i64> {
    match &receipt.value.statement {
        Statement::Pair(pair) => rounds_of_pair(receipts, pair.server_seed_hash).collect(),
        _ => round_of(&receipt.value).into_iter().collect(),
    }
}

fn disagreement(one: &Receipt, other: &Receipt) -> Option<&'static str> {
    match (&one.statement, &other.statement) {
        (Statement::Round(first), Statement::Round(second)) => {
            if first.round == second.round {
                of_one_round(one, first, other, second)
            } else {
                of_two_rounds(first, second)
            }
        }
        (Statement::Pair(first), Statement::Pair(second)) => of_pairs(first, second),
        (Statement::Payment(first), Statement::Payment(second)) => {
            of_payments(one, first, other, second)
        }
        _ => None,
    }
}

fn of_one_round(
    one: &Receipt,
    first: &RoundStatement,
    other: &Receipt,
    second: &RoundStatement,
) -> Option<&'static str> {
    if one.player != other.player {
        return Some("one round is stated to two players");
    }
    if (first.pair, first.nonce) != (second.pair, second.nonce) {
        return Some("one round is stated with different seed pairs or nonces");
    }
    match (first.state, second.state) {
        (RoundState::Open, RoundState::Open) => None,
        (RoundState::Settled { .. }, RoundState::Settled { .. }) => {
            (one != other).then_some("one round is stated to have ended in two ways")
        }
        // A stake can be raised during the round, but not lowered.
        (RoundState::Open, RoundState::Settled { .. }) => (second.stake < first.stake)
            .then_some("a round has a smaller stake at its end than before"),
        (RoundState::Settled { .. }, RoundState::Open) => (first.stake < second.stake)
            .then_some("a round has a smaller stake at its end than before"),
    }
}

fn of_two_rounds(first: &RoundStatement, second: &RoundStatement) -> Option<&'static str> {
    if (first.pair, first.nonce) == (second.pair, second.nonce) {
        return Some("two rounds have the same nonce of a seed pair");
    }
    match (first.state, second.state) {
        (RoundState::Settled { entry: one, .. }, RoundState::Settled { entry: other, .. })
            if one == other =>
        {
            Some("two rounds refer to the same public entry")
        }
        _ => None,
    }
}

fn of_pairs(first: &PairStatement, second: &PairStatement) -> Option<&'static str> {
    let is_same = first.server_seed_hash == second.server_seed_hash;
    let has_same_next = first.next_server_seed_hash == second.next_server_seed_hash;
    match (is_same, has_same_next) {
        (true, false) => Some("the seed that follows a pair was replaced"),
        (false, true) => Some("two pairs are stated to be followed by the same seed"),
        _ => None,
    }
}

fn of_payments(
    one: &Receipt,
    first: &PaymentStatement,
    other: &Receipt,
    second: &PaymentStatement,
) -> Option<&'static str> {
    let (id, is_decided) = withdrawal(first.payment)?;
    let (other_id, other_is_decided) = withdrawal(second.payment)?;
    if id != other_id {
        return None;
    }
    if first.amount != second.amount {
        return Some("a withdrawal is stated with two amounts");
    }
    let is_same_step = is_decided == other_is_decided;
    (is_same_step && one != other).then_some("a withdrawal is stated twice and differently")
}

/// The ID of a withdrawal, and whether it is decided. Deposits can be credited several times.
const fn withdrawal(payment: Payment) -> Option<(i64, bool)> {
    match payment {
        Payment::DepositCredited(_) => None,
        Payment::WithdrawalHeld(id) => Some((id, false)),
        Payment::WithdrawalReturned(id) | Payment::WithdrawalPaid(id) => Some((id, true)),
    }
}

/// Finds pairs whose client seed was replaced after a round had been played with it.
fn changed_client_seeds(receipts: &[Placed<Receipt>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (before, pair) in pairs(receipts) {
        for (after, replaced) in pairs(receipts) {
            let is_replaced = pair.server_seed_hash == replaced.server_seed_hash
                && pair.client_seed != replaced.client_seed
                && before.value.time < after.value.time;
            if !is_replaced {
                continue;
            }
            let round = receipts.iter().find(|receipt| {
                is_round_before(&receipt.value, pair.server_seed_hash, after.value.time)
            });
            if let Some(round) = round {
                findings.push(Finding::proof(
                    [&before.place, &after.place, &round.place].map(Clone::clone),
                    format!(
                        "{}a client seed was replaced after a round had been played with its pair:\n{}\n{}\n{}",
                        about(rounds_of_pair(receipts, pair.server_seed_hash)), before.value, round.value, after.value
                    ),
                ));
            }
        }
    }
    findings
}

/// Whether a receipt shows that a round was played with a pair before the given time.
pub(crate) fn is_round_before(receipt: &Receipt, pair: SeedHash, time: UtcTime) -> bool {
    let is_of_pair = matches!(&receipt.statement, Statement::Round(round) if round.pair == pair);
    is_of_pair && receipt.time.as_micros() + CLOCK_TOLERANCE_MICROS < time.as_micros()
}

fn pairs(receipts: &[Placed<Receipt>]) -> impl Iterator<Item = (&Placed<Receipt>, &PairStatement)> {
    receipts
        .iter()
        .filter_map(|receipt| match &receipt.value.statement {
            Statement::Pair(pair) => Some((receipt, pair)),
            _ => None,
        })
}

#[cfg(test)]
mod tests {
    use glasshouse_transparency::Hash;
    use glasshouse_transparency::origin::Origin;
    use glasshouse_transparency::receipt::{ClientSeed, ClientSeedBy};

    use super::*;

    fn receipt(second: i64, statement: Statement) -> Receipt {
        Receipt {
            origin: Origin::parse("play.example/glasshouse").unwrap(),
            player: 7,
            statement,
            time: UtcTime::from_micros(second * 10_000_000),
        }
    }

    fn round(id: i64, nonce: u64, payout: Option<i64>) -> RoundStatement {
        RoundStatement {
            round: id,
            state: payout.map_or(RoundState::Open, |payout| RoundState::Settled {
                payout,
                entry: Hash([u8::try_from(id).unwrap(); 32]),
            }),
            pair: SeedHash::from_bytes([1; 32]),
            nonce,
            stake: 100,
            balance: 1_000,
        }
    }

    fn pair(hash: u8, client: &str, next: u8) -> Statement {
        Statement::Pair(PairStatement {
            server_seed_hash: SeedHash::from_bytes([hash; 32]),
            client_seed: ClientSeed::parse(client).unwrap(),
            client_seed_by: ClientSeedBy::Player,
            next_server_seed_hash: SeedHash::from_bytes([next; 32]),
        })
    }

    fn payment(payment: Payment, amount: i64) -> Statement {
        Statement::Payment(PaymentStatement {
            payment,
            amount,
            balance: 5,
        })
    }

    /// Whether receipts contradict each other, in any order.
    #[track_caller]
    fn check(statements: &[Statement], is_contradiction: bool) {
        let receipts: Vec<_> = (1..)
            .zip(statements)
            .map(|(second, statement)| Placed {
                place: format!("receipt {second}"),
                value: receipt(second, statement.clone()),
            })
            .collect();
        let mut reversed = receipts.clone();
        reversed.reverse();
        for receipts in [receipts, reversed] {
            let found = contradictions(&receipts);
            assert_eq!(!found.is_empty(), is_contradiction, "{found:?}");
        }
    }

    #[test]
    fn receipts_of_rounds_must_agree() {
        let round = |id, nonce, payout| Statement::Round(round(id, nonce, payout));
        check(&[round(1, 0, None), round(1, 0, Some(198))], false);
        check(&[round(1, 0, Some(0)), round(2, 1, Some(0))], false);
        check(&[round(1, 0, Some(0)), round(1, 0, Some(198))], true);
        check(&[round(1, 0, None), round(1, 1, Some(198))], true);
        check(&[round(1, 0, None), round(2, 0, None)], true);
    }

    #[test]
    fn a_stake_can_be_raised_but_not_lowered() {
        let staked = |stake, payout| {
            Statement::Round(RoundStatement {
                stake,
                ..round(1, 0, payout)
            })
        };
        check(&[staked(100, None), staked(300, Some(0))], false);
        check(&[staked(100, None), staked(50, Some(0))], true);
    }

    #[test]
    fn two_rounds_have_two_entries() {
        let mut other = round(2, 1, None);
        other.state = round(1, 0, Some(5)).state;
        check(
            &[
                Statement::Round(round(1, 0, Some(5))),
                Statement::Round(other),
            ],
            true,
        );
    }

    #[test]
    fn commitments_must_not_change() {
        check(&[pair(1, "a", 2), pair(2, "a", 3)], false);
        // Before the first round, the player can choose another client seed.
        check(&[pair(1, "a", 2), pair(1, "b", 2)], false);
        check(&[pair(1, "a", 2), pair(1, "a", 3)], true);
        check(&[pair(1, "a", 2), pair(3, "a", 2)], true);
        let played = Statement::Round(round(1, 0, None));
        check(&[pair(1, "a", 2), pair(1, "b", 2), played.clone()], false);
        check(&[pair(1, "a", 2), played, pair(1, "b", 2)], true);
    }

    #[test]
    fn withdrawals_are_held_and_decided_once() {
        let held = || payment(Payment::WithdrawalHeld(4), 900);
        check(&[held(), payment(Payment::WithdrawalPaid(4), 900)], false);
        check(&[held(), payment(Payment::WithdrawalHeld(5), 900)], false);
        check(&[held(), held()], true);
        check(&[held(), payment(Payment::WithdrawalPaid(4), 800)], true);
        check(
            &[
                payment(Payment::WithdrawalReturned(4), 900),
                payment(Payment::WithdrawalPaid(4), 900),
            ],
            true,
        );
        let credited = |amount| payment(Payment::DepositCredited(4), amount);
        check(&[credited(1), credited(2)], false);
    }
}
