//! A round of each game.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::{Player, id_of};
use crate::book::Round;
use crate::cents;

/// How long a player watches a crash round or a market before cashing out, in milliseconds.
const WATCHED: std::ops::Range<u64> = 0..400;
const CELLS: u32 = 25;

impl Player {
    pub(super) async fn dice(&mut self) -> Result<()> {
        let stake_cents = self.stake();
        let target = self.random.u32(10..90);
        let bet_type = if self.random.bool() { "over" } else { "under" };
        let body = json!({
            "betAmount": cents::format(stake_cents), "targetNumber": target, "betType": bet_type
        });
        match self.submit("/api/dice/play", body).await? {
            Some(answer) => {
                self.begin(&answer, stake_cents)?;
                self.end(&answer, stake_cents)
            }
            None => Ok(()),
        }
    }

    pub(super) async fn video_poker(&mut self) -> Result<()> {
        let stake_cents = 100 * self.amount(1..=10);
        let bet = json!({ "betAmount": cents::format(stake_cents) });
        let Some(dealt) = self.submit("/api/poker/deal", bet.clone()).await? else {
            return Ok(());
        };
        let id = self.begin(&dealt, stake_cents)?;
        let holds: Vec<u32> = (0..5).filter(|_| self.random.bool()).collect();
        let mut draw = bet;
        add(&mut draw, "roundId", id);
        add(&mut draw, "heldIndexes", holds);
        match self.submit("/api/poker/draw", draw).await? {
            Some(drawn) => self.end(&drawn, stake_cents),
            None => Ok(()),
        }
    }

    pub(super) async fn heads_up(&mut self) -> Result<()> {
        let stake_cents = 500 * self.amount(1..=3);
        let bet = cents::format(stake_cents);
        let deal = json!({ "betAmount": bet });
        let Some(opened) = self.submit("/api/poker/heads-up/deal", deal).await? else {
            return Ok(());
        };
        let id = self.begin(&opened, stake_cents)?;
        let action = ["fold", "call", "raise"].get(self.random.usize(..3));
        let play = json!({ "betAmount": bet, "roundId": id, "action": action });
        match self.submit("/api/poker/play", play).await? {
            Some(shown) => {
                let total_cents = cents::field(&shown, "stakedAmount")?;
                self.end(&shown, total_cents)
            }
            None => Ok(()),
        }
    }

    pub(super) async fn mines(&mut self) -> Result<()> {
        const PATH: &str = "/api/mines/game";
        let stake_cents = self.stake();
        let start =
            json!({ "action": "start", "betAmount": cents::format(stake_cents), "mines": 3 });
        let Some(started) = self.submit(PATH, start).await? else {
            return Ok(());
        };
        let id = self.begin(&started, stake_cents)?;
        let mut cells: Vec<u32> = (0..CELLS).collect();
        self.random.shuffle(&mut cells);
        let reveals = self.random.usize(1..5);
        for cell in cells.into_iter().take(reveals) {
            let reveal = json!({ "action": "reveal", "roundId": id, "cell": cell });
            let Some(round) = self.submit(PATH, reveal).await? else {
                return Ok(());
            };
            if is_over(&round) {
                return self.end(&round, stake_cents);
            }
        }
        let cash_out = json!({ "action": "cash_out", "roundId": id });
        match self.submit(PATH, cash_out).await? {
            Some(round) => self.end(&round, stake_cents),
            None => Ok(()),
        }
    }

    /// Crash, cashed out at 1.00× or at 1.20×, whichever the player decides on.
    pub(super) async fn crash(&mut self) -> Result<()> {
        let stake_cents = self.amount(100..=500);
        let bet = cents::format(stake_cents);
        let start = json!({ "action": "start", "betAmount": bet, "autoCashoutMultiplier": "1.20" });
        let cash_out =
            json!({ "action": "cashout", "betAmount": bet, "cashoutMultiplier": "1.00" });
        self.timed("/api/crash/game", stake_cents, start, cash_out)
            .await
    }

    /// Stonks, sold at once or with a profit of a tenth.
    pub(super) async fn stonks(&mut self) -> Result<()> {
        let stake_cents = self.stake();
        let bet = cents::format(stake_cents);
        let sold_at = cents::format(stake_cents + stake_cents / 10);
        let start = json!({ "action": "start", "betAmount": bet, "autoCashoutProfit": sold_at });
        let cash_out = json!({ "action": "cashout", "betAmount": bet });
        self.timed("/api/stonks/game", stake_cents, start, cash_out)
            .await
    }

    /// Half of the rounds are left to the timer, which may have to end them on another server.
    async fn timed(
        &mut self,
        path: &str,
        stake_cents: i64,
        start: Value,
        mut cash_out: Value,
    ) -> Result<()> {
        let Some(started) = self.submit(path, start).await? else {
            return Ok(());
        };
        let id = self.begin(&started, stake_cents)?;
        if self.random.bool() {
            return Ok(());
        }
        let watched = Duration::from_millis(self.random.u64(WATCHED));
        tokio::time::sleep(watched).await;
        add(&mut cash_out, "roundId", id);
        match self.submit(path, cash_out).await? {
            Some(round) if is_over(&round) => self.end(&round, stake_cents),
            // It was over before, or it cannot be sold yet: the timer ends it.
            Some(_) | None => Ok(()),
        }
    }

    /// The stakes and payouts of all rounds in the player's history, by their IDs.
    pub(crate) async fn stored_rounds(&mut self) -> Result<HashMap<i64, (i64, i64)>> {
        let entries = self.caller.list("/api/game-history?limit=100").await?;
        let mut rounds = HashMap::with_capacity(entries.len());
        for entry in &entries {
            let amounts = (
                cents::field(entry, "betAmount")?,
                cents::field(entry, "winAmount")?,
            );
            rounds.insert(id_of(entry, "id")?, amounts);
        }
        Ok(rounds)
    }

    fn stake(&mut self) -> i64 {
        self.amount(10..=500)
    }

    /// Notes a round that was just started, and returns its ID.
    fn begin(&mut self, answer: &Value, stake_cents: i64) -> Result<i64> {
        let id = id_of(answer, "roundId")?;
        let round = Round {
            stake_cents,
            payout_cents: None,
        };
        self.book.begin(id, round)?;
        Ok(id)
    }

    fn end(&mut self, answer: &Value, stake_cents: i64) -> Result<()> {
        let payout_cents = cents::field(answer, "winAmount")?;
        let id = id_of(answer, "roundId")?;
        self.book.end(id, stake_cents, payout_cents)
    }
}

/// Adds a field to a body.
fn add(body: &mut Value, name: &str, value: impl Into<Value>) {
    if let Some(fields) = body.as_object_mut() {
        fields.insert(name.to_owned(), value.into());
    }
}

fn is_over(round: &Value) -> bool {
    round.get("result").and_then(Value::as_str) != Some("playing")
}
