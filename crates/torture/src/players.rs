//! Players who play everything, deposit and withdraw, each by one call after the other.

mod games;
mod money;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::book::Book;
use crate::caller::{Answer, Call, Caller, done};
use crate::cents;
use crate::house::House;
use crate::tally::Tally;

const PASSWORD: &str = "tr4vel-lamp";
/// One call in so many is sent to two servers at the same time, as by a double click.
const DOUBLED_ONE_IN: u32 = 20;
/// One call in so many is sent again after its answer.
const REPLAYED_ONE_IN: u32 = 20;
/// One call in so many is remembered, to be sent again much later.
const REMEMBERED_ONE_IN: u32 = 50;
/// Calls whose answer stays the same for good.
const REPEATABLE: [&str; 2] = ["/api/dice/play", "/api/withdraw-requests"];
/// What a player may be told: the round before is in play or over, the price cannot be had, or the provider is still
/// asked for the deposit, or has failed to set it up.
const EXPECTED_REFUSALS: [&str; 9] = [
    "round_open",
    "round_over",
    "no_open_round",
    "not_yet_sellable",
    "too_early",
    "deposit_in_progress",
    "deposit_not_set_up",
    "deposit_refused",
    "too_many_deposits",
];
/// How many milliseconds a player plays before depositing or withdrawing again, in the first minute; n times as long
/// in the nth. The provider's sandbox writes all of its payments with each change, so in a long run as many as in the
/// first minute would soon wait for longer than the end of the run waits for them.
const BETWEEN_PAYMENTS: std::ops::Range<u64> = 1_000..8_000;

/// A player.
pub(crate) struct Player {
    pub(crate) number: usize,
    pub(crate) id: i64,
    pub(crate) caller: Caller,
    pub(crate) book: Book,
    tally: Arc<Tally>,
    random: fastrand::Rng,
    seed: u64,
    keys: u64,
    next_payment: Instant,
    /// An earlier call with its answer.
    remembered: Option<(Call, Value)>,
}

impl Player {
    /// Registers a player.
    pub(crate) async fn register(
        house: &Arc<House>,
        tally: &Arc<Tally>,
        number: usize,
        seed: u64,
    ) -> Result<Self> {
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
        let mut caller = Caller::new(Arc::clone(&house.entrances), Arc::clone(tally), seed)?;
        let body = json!({ "username": format!("player-{number}"), "password": PASSWORD });
        let user = caller.enter(&Call::post("/api/register", body)).await?;
        Ok(Self {
            number,
            id: id_of(&user, "id")?,
            caller,
            book: Book::default(),
            tally: Arc::clone(tally),
            random: fastrand::Rng::with_seed(seed),
            seed,
            keys: 0,
            next_payment: Instant::now(),
            remembered: None,
        })
    }

    /// Plays until told to stop.
    pub(crate) async fn play(mut self, is_over: Arc<AtomicBool>) -> Result<Self> {
        while !is_over.load(Ordering::Relaxed) {
            self.act()
                .await
                .with_context(|| format!("player {}", self.number))?;
        }
        Ok(self)
    }

    async fn act(&mut self) -> Result<()> {
        if Instant::now() >= self.next_payment {
            let minute = self.tally.elapsed().as_secs() / 60 + 1;
            let pause = self.random.u64(BETWEEN_PAYMENTS) * minute;
            self.next_payment = Instant::now() + Duration::from_millis(pause);
            return if self.random.bool() {
                self.deposit().await
            } else {
                self.withdraw().await
            };
        }
        match self.random.u32(0..100) {
            0..70 => self.dice().await,
            70..76 => self.video_poker().await,
            76..82 => self.heads_up().await,
            82..90 => self.mines().await,
            90..95 => self.crash().await,
            _ => self.stonks().await,
        }
    }

    /// Sends a call with a new key: sometimes twice at the same time, sometimes again after its answer. All answers
    /// must tell of the same. None: it was refused.
    async fn submit(&mut self, path: &str, body: Value) -> Result<Option<Value>> {
        self.keys += 1;
        let key = format!("{:x}-{}", self.seed, self.keys);
        let call = Call::post(path, body).with_key(key);
        let answer = if self.random.u32(..DOUBLED_ONE_IN) == 0 {
            self.tally.replay();
            let mut other = self.caller.clone();
            let (one, two) = tokio::join!(self.caller.call(&call), other.call(&call));
            agreed(one?, &two?)?
        } else {
            self.caller.call(&call).await?
        };
        let answer = if self.random.u32(..REPLAYED_ONE_IN) == 0 {
            self.replay(&call, answer).await?
        } else {
            answer
        };
        match answer {
            Answer::Done(value) => {
                self.tally.acknowledge();
                self.replay_earlier().await?;
                if REPEATABLE.contains(&path) && self.random.u32(..REMEMBERED_ONE_IN) == 0 {
                    self.remembered = Some((call, value.clone()));
                }
                Ok(Some(value))
            }
            Answer::Refused(code) => {
                ensure!(
                    EXPECTED_REFUSALS.contains(&code.as_str()),
                    "{call:?} was refused: {code}"
                );
                self.tally.count(&format!("refused {code}"));
                Ok(None)
            }
        }
    }

    /// Sends a call again after its answer. What was done stays done, whatever has failed meanwhile.
    async fn replay(&mut self, call: &Call, answer: Answer) -> Result<Answer> {
        self.tally.replay();
        let again = self.caller.call(call).await?;
        if let (Answer::Done(_), Answer::Refused(code)) = (&answer, &again) {
            bail!("{call:?} was done: {answer:?}, then refused: {code}");
        }
        agreed(answer, &again)
    }

    /// Now and then sends a call of long ago again.
    async fn replay_earlier(&mut self) -> Result<()> {
        if self.random.u32(..REPLAYED_ONE_IN) == 0
            && let Some((call, value)) = self.remembered.clone()
        {
            self.replay(&call, Answer::Done(value)).await?;
        }
        Ok(())
    }

    /// A random amount of cents.
    fn amount(&mut self, range: std::ops::RangeInclusive<i64>) -> i64 {
        self.random.i64(range)
    }

    /// The balance that the house shows.
    pub(crate) async fn balance(&mut self) -> Result<i64> {
        let user = done(self.caller.call(&Call::get("/api/user")).await?)?;
        cents::field(&user, "balance")
    }
}

/// The ID in a field of an answer.
pub(crate) fn id_of(answer: &Value, name: &str) -> Result<i64> {
    let id = answer.get(name).and_then(Value::as_i64);
    id.with_context(|| format!("`{name}` is no ID: {answer}"))
}

/// Both answers to one call, which must be about the same round or request.
fn agreed(one: Answer, two: &Answer) -> Result<Answer> {
    let told = |answer: &Answer| match answer {
        Answer::Done(value) => {
            Some(["roundId", "id", "payout", "amount"].map(|name| value.get(name).cloned()))
        }
        Answer::Refused(_) => None,
    };
    let (first, second) = (told(&one), told(two));
    if let (Some(first), Some(second)) = (&first, &second) {
        ensure!(
            first == second,
            "one call, two results: {one:?} and {two:?}"
        );
    }
    // A refusal is not stored: what is refused once may be done a moment later.
    Ok(if first.is_some() { one } else { two.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_answers_to_one_call_are_about_the_same_round() {
        let round = |id: i64| Answer::Done(json!({ "roundId": id }));
        let refused = || Answer::Refused("round_over".to_owned());
        assert!(agreed(round(1), &round(1)).is_ok());
        assert!(agreed(round(1), &round(2)).is_err());
        for answer in [agreed(round(1), &refused()), agreed(refused(), &round(1))] {
            assert!(matches!(answer, Ok(Answer::Done(_))));
        }
        assert!(matches!(
            agreed(refused(), &refused()),
            Ok(Answer::Refused(_))
        ));
    }
}
