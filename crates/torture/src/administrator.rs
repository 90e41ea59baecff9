//! The administrator, who gives players their money and decides on withdrawals.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use crate::caller::{Answer, Call, Caller, done};
use crate::cents;
use crate::house::{ADMINISTRATOR_PASSWORD, House};
use crate::players::{Player, id_of};
use crate::tally::Tally;

const AUTHENTICATOR: &str = "/api/account/second-factor/authenticator";
const RECOVERY_CODES: &str = "/api/account/second-factor/recovery-codes";
const BETWEEN_LOOKS: Duration = Duration::from_millis(300);
/// A confirmation holds for five minutes of the house clock, which may be set ahead.
const CONFIRMED_FOR: Duration = Duration::from_mins(1);
/// What a player begins with, which needs no wagering.
const INITIAL_CENTS: i64 = 100_000_000;

/// The administrator's session.
pub(crate) struct Administrator {
    caller: Caller,
    tally: Arc<Tally>,
    /// Codes that count once, whatever the clock shows.
    recovery_codes: Vec<String>,
    confirmed_at: Instant,
    random: fastrand::Rng,
    keys: u64,
}

impl Administrator {
    /// Signs in and sets the second factor up.
    pub(crate) async fn sign_in(house: &House, tally: &Arc<Tally>, seed: u64) -> Result<Self> {
        let mut caller = Caller::new(Arc::clone(&house.entrances), Arc::clone(tally), seed)?;
        let login = json!({ "username": "admin", "password": ADMINISTRATOR_PASSWORD });
        caller.enter(&Call::post("/api/login", login)).await?;
        let enrolment = done(caller.call(&Call::post(AUTHENTICATOR, json!({}))).await?)?;
        let secret = enrolment.get("secret").and_then(Value::as_str);
        let authenticator = Builder::new()
            .with_secret(Secret::try_from_base32(secret.context("no secret")?)?)
            .with_account_name("admin")
            .build()?;
        let body = json!({ "code": authenticator.generate_current().to_string() });
        let path = format!("{AUTHENTICATOR}/confirm");
        let confirmed = done(caller.call(&Call::post(path, body)).await?)?;
        Ok(Self {
            caller,
            tally: Arc::clone(tally),
            recovery_codes: codes(&confirmed),
            confirmed_at: Instant::now(),
            random: fastrand::Rng::with_seed(seed),
            keys: 0,
        })
    }

    /// Opens the game that a new house only announces.
    pub(crate) async fn open_mines(&mut self) -> Result<()> {
        let body = json!({ "status": "open", "reason": "torture" });
        done(self.act("/api/admin/games/mines/status", body).await?)?;
        Ok(())
    }

    /// Gives a player money.
    pub(crate) async fn fund(&mut self, player: &mut Player) -> Result<()> {
        let path = format!("/api/admin/users/{}/balance", player.id);
        let body = json!({ "balance": cents::format(INITIAL_CENTS), "reason": "torture" });
        done(self.act(&path, body).await?)?;
        player.book.initial_cents = INITIAL_CENTS;
        Ok(())
    }

    /// Decides on withdrawals until told to stop.
    pub(crate) async fn work(mut self, is_over: Arc<AtomicBool>) -> Result<Self> {
        while !is_over.load(Ordering::Relaxed) {
            self.decide().await.context("the administrator")?;
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
        Ok(self)
    }

    async fn decide(&mut self) -> Result<()> {
        self.confirm().await?;
        for id in self
            .withdrawals("status=pending&sort=oldest&limit=20")
            .await?
        {
            let action = if self.random.u32(..8) == 0 {
                "reject"
            } else {
                "approve"
            };
            let body = json!({ "action": action, "reason": "torture" });
            let path = format!("/api/admin/withdraw-requests/{id}/process");
            self.settle(&path, body).await?;
        }
        for id in self.withdrawals("payout=failed&limit=20").await? {
            let body = json!({ "action": "returned", "reason": "the provider could not send it" });
            let path = format!("/api/admin/withdraw-requests/{id}/payout");
            self.settle(&path, body).await?;
        }
        Ok(())
    }

    /// The IDs of the withdrawals of a list.
    async fn withdrawals(&mut self, filter: &str) -> Result<Vec<i64>> {
        let path = format!("/api/admin/withdraw-requests?{filter}");
        let page = done(self.caller.call(&Call::get(path)).await?)?;
        let entries = page.as_array().context("the page is no list")?;
        entries.iter().map(|entry| id_of(entry, "id")).collect()
    }

    /// Acts on a withdrawal, which may have been decided by somebody else meanwhile.
    async fn settle(&mut self, path: &str, body: Value) -> Result<()> {
        match self.act(path, body).await? {
            Answer::Done(_) => self.tally.acknowledge(),
            Answer::Refused(code) => self.tally.count(&format!("administrator refused {code}")),
        }
        Ok(())
    }

    async fn act(&mut self, path: &str, body: Value) -> Result<Answer> {
        self.keys += 1;
        let key = format!("administrator-{}", self.keys);
        self.caller
            .call(&Call::post(path, body).with_key(key))
            .await
    }

    /// Confirms the session again if that was some time ago.
    async fn confirm(&mut self) -> Result<()> {
        if self.confirmed_at.elapsed() < CONFIRMED_FOR {
            return Ok(());
        }
        // Each attempt has a code of its own: one whose answer was lost has used its code up.
        while let Some(code) = self.recovery_codes.pop() {
            let body = json!({ "secondFactor": code });
            if let Answer::Done(_) = self
                .caller
                .call(&Call::post("/api/admin/step-up", body))
                .await?
            {
                self.confirmed_at = Instant::now();
                let new = Call::post(RECOVERY_CODES, json!({}));
                self.recovery_codes = codes(&done(self.caller.call(&new).await?)?);
                return Ok(());
            }
        }
        bail!("the session cannot be confirmed: no recovery code is left")
    }
}

fn codes(answer: &Value) -> Vec<String> {
    let codes = answer.get("recoveryCodes").and_then(Value::as_array);
    let codes = codes.into_iter().flatten().filter_map(Value::as_str);
    codes.map(str::to_owned).collect()
}
