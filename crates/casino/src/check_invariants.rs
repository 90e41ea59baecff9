//! The operator checks the books: every sum, every hash, every roll.

use glasshouse_domain::{Game, Multiplier, RoundId, SeedPairId};
use glasshouse_games::fairness::{ServerSeed, Stream};
use glasshouse_persistence::{AuditRecord, CheckCount, Round, Violation, queries};

use crate::error::CasinoError;
use crate::heads_up_hand::HeadsUpView;
use crate::house::House;
use crate::live_round::{Plan, outcome};
use crate::place_dice_bet::DiceDetails;
use crate::player::stream;
use crate::poker_hand::PokerHandView;

/// Rows that are read at once: the check's memory does not grow with the data.
const CHUNK: i64 = 2_000;

/// What was checked and what was found.
#[derive(Debug, Clone)]
pub struct CheckReport {
    /// How many rows there are of each kind.
    pub counts: Vec<CheckCount>,
    /// Every invariant with the number of rows that break it.
    pub invariants: Vec<Violation>,
    /// The hash over the whole audit log: noted elsewhere, it shows later that nothing before was
    /// changed.
    pub audit_head: String,
}

impl CheckReport {
    /// Whether every invariant holds.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.invariants.iter().all(|invariant| invariant.count == 0)
    }
}

/// Checks the sums and references between rows in the database, then hashes every server seed and
/// plays every round again from its seeds.
///
/// # Errors
/// On a fault.
pub async fn check_invariants(house: &House) -> Result<CheckReport, CasinoError> {
    let database = &house.database;
    let counts = database.read::<_, CasinoError, _>(queries::counts).await?;
    let mut invariants = database
        .read::<_, CasinoError, _>(queries::violations)
        .await?;
    invariants.push(Violation {
        invariant: "the hash shown for a server seed is its SHA-256",
        count: wrong_hashes(house).await?,
    });
    invariants.push(Violation {
        invariant: "every round comes out again from its seeds and nonce",
        count: wrong_rounds(house).await?,
    });
    let (broken, audit_head) = audit_chain(house).await?;
    invariants.push(Violation {
        invariant: "every record of the audit log vouches for those before it",
        count: broken,
    });
    Ok(CheckReport {
        counts,
        invariants,
        audit_head,
    })
}

async fn wrong_hashes(house: &House) -> Result<i64, CasinoError> {
    let mut wrong = 0;
    let mut last = SeedPairId::new(0);
    loop {
        let pairs = house
            .database
            .read::<_, CasinoError, _>(move |connection| {
                queries::seed_pairs_after(connection, last, CHUNK)
            })
            .await?;
        let Some(newest) = pairs.last() else {
            return Ok(wrong);
        };
        last = SeedPairId::new(newest.id);
        for pair in &pairs {
            let is_right = ServerSeed::from_text(pair.server_seed.clone())
                .is_ok_and(|seed| seed.hash() == pair.server_seed_hash);
            wrong += i64::from(!is_right);
        }
    }
}

async fn wrong_rounds(house: &House) -> Result<i64, CasinoError> {
    let mut wrong = 0;
    let mut last = RoundId::new(0);
    loop {
        let rounds = house
            .database
            .read::<_, CasinoError, _>(move |connection| {
                queries::rounds_after(connection, last, CHUNK)
            })
            .await?;
        let Some((newest, ..)) = rounds.last() else {
            return Ok(wrong);
        };
        last = newest.id;
        for (round, server_seed, client_seed) in &rounds {
            wrong += i64::from(!comes_out_again(round, server_seed, client_seed));
        }
    }
}

/// Walks the audit log: how many records are not what the chain says, and its last hash. Others may
/// add to it meanwhile: its end as it was before the walk must be on the way, and the walk must not
/// go beyond its end as it is after that.
async fn audit_chain(house: &House) -> Result<(i64, String), CasinoError> {
    let database = &house.database;
    let head = async || {
        database
            .read::<_, CasinoError, _>(queries::audit_head)
            .await
    };
    let before = head().await?;
    let (mut broken, mut hashed, mut last) = (0, 0, 0);
    let mut is_head_met = before.records == 0;
    let mut hash = AuditRecord::genesis().to_owned();
    loop {
        let records = database
            .read::<_, CasinoError, _>(move |connection| {
                queries::audit_records_after(connection, last, CHUNK)
            })
            .await?;
        let Some(newest) = records.last() else {
            break;
        };
        last = newest.id;
        for record in &records {
            let computed = record.chained(&hash);
            if let Some(stored) = &record.hash {
                broken += i64::from(*stored != computed);
                hashed += 1;
                is_head_met |= hashed == before.records && before.hash.as_ref() == Some(stored);
                // So that one broken record is one, not all that follow.
                hash.clone_from(stored);
            } else {
                // Records from before the chain stand at its beginning only.
                broken += i64::from(hashed > 0);
                hash = computed;
            }
        }
    }
    let is_whole = is_head_met && hashed <= head().await?.records;
    Ok((broken + i64::from(!is_whole), hash))
}

/// Whether a round is what its seeds say.
fn comes_out_again(round: &Round, server_seed: &str, client_seed: &str) -> bool {
    let Ok(stream) = stream(server_seed, client_seed, round.nonce) else {
        return false;
    };
    match round.game {
        Game::Dice => !round.is_open() && dice_comes_out_again(round, stream).unwrap_or(false),
        Game::Crash | Game::Stonks => live_comes_out_again(round, stream).unwrap_or(false),
        Game::Poker => poker_comes_out_again(round, stream).unwrap_or(false),
        Game::HeadsUp => heads_up_comes_out_again(round, stream).unwrap_or(false),
    }
}

/// A round of crash or stonks was left at a moment that its future allows, or ended by itself, and
/// was paid and told accordingly.
fn live_comes_out_again(round: &Round, mut stream: Stream) -> Result<bool, CasinoError> {
    let plan = Plan::restore(round, &mut stream)?;
    let natural = plan.live().ending();
    let Some(ended_at) = round.ended_at else {
        // In play: it ends by itself when its future says.
        let due_at = round.started_at.saturating_add(natural.after);
        return Ok(round.due_at == Some(due_at));
    };
    let elapsed = ended_at.saturating_since(round.started_at);
    let ending = if elapsed == natural.after {
        natural
    } else {
        let claim = round.multiplier.unwrap_or(Multiplier::ZERO);
        match plan.live().leave(elapsed, claim) {
            Ok(ending) => ending,
            Err(_) => return Ok(false),
        }
    };
    Ok(ending.payout.in_cents(round.rules, &stream) == round.payout
        && ending.multiplier == round.multiplier
        && outcome(&ending).to_string() == round.outcome
        && plan.final_details(&ending)? == round.details)
}

fn poker_comes_out_again(round: &Round, mut stream: Stream) -> Result<bool, CasinoError> {
    let hand = PokerHandView::restore(round.clone(), &mut stream)?;
    if round.is_open() {
        return Ok(true);
    }
    let end = hand.finish(hand.holds);
    let told = end
        .multiplier
        .map_or("loss".to_owned(), |_| format!("win ({})", end.rank.name()));
    Ok(end.payout == round.payout && told == round.outcome)
}

fn heads_up_comes_out_again(round: &Round, mut stream: Stream) -> Result<bool, CasinoError> {
    let hand = HeadsUpView::restore(round.clone(), &mut stream)?;
    let Some(action) = hand.action else {
        return Ok(round.is_open() && hand.bet.stake() == round.stake);
    };
    let result = hand.finish(action);
    let staked = hand.bet.stake().checked_add(hand.bet.added(action));
    let told = format!("{} (heads-up)", result.showdown.as_str());
    Ok(staked == Some(round.stake) && result.payout == round.payout && told == round.outcome)
}

fn dice_comes_out_again(round: &Round, mut stream: Stream) -> Result<bool, CasinoError> {
    let details = DiceDetails::of(round)?;
    let bet = details.bet(round.stake)?;
    let roll = bet.play(&mut stream);
    let is_shown_right = round.outcome.starts_with("win") == roll.is_win;
    let payout = roll.payout.in_cents(round.rules, &stream);
    Ok(roll.roll == details.dice_result && payout == round.payout && is_shown_right)
}
