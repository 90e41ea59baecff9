//! The call with which a checkpoint is sent to a witness (C2SP tlog-witness).

use std::time::Duration;

use glasshouse_transparency::witness::{AddCheckpoint, Answer};
use reqwest::Client;

use crate::outgoing_call::{client, describe, read};
use crate::public_log::witness::Witness;

/// For the whole answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Calls witnesses.
#[derive(Debug, Clone)]
pub(crate) struct WitnessClient(Client);

impl WitnessClient {
    /// Creates a client without connecting.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub(crate) fn new() -> Result<Self, String> {
        client(TIMEOUT).build().map(Self).map_err(describe)
    }

    /// Sends a checkpoint.
    ///
    /// # Errors
    /// If the witness does not answer, or not as the protocol demands, in words.
    pub(crate) async fn add_checkpoint(
        &self,
        witness: &Witness,
        request: &AddCheckpoint,
    ) -> Result<Answer, String> {
        let response = self
            .0
            .post(witness.address.clone())
            .body(request.to_text())
            .send()
            .await
            .map_err(describe)?;
        let status = response.status().as_u16();
        let body = read(response, describe).await?;
        let body = String::from_utf8(body).map_err(|_| "the answer is not text".to_owned())?;
        Answer::parse(status, &body).map_err(|error| format!("status {status}: {error}"))
    }
}
