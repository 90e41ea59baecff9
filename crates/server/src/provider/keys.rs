//! The sandbox provider's keys: generated at the first start and kept, so that callbacks of a
//! payment started before a restart are still accepted after it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::private_file::{random_secret, read_or_make};

const FILE: &str = "sandbox-keys.json";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SandboxKeys {
    pub(super) api_key: String,
    pub(super) ipn_secret: String,
    pub(super) password: String,
}

impl SandboxKeys {
    pub(super) fn load_or_create(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(FILE);
        let text = read_or_make(&path, || {
            let keys = Self {
                api_key: random_secret()?,
                ipn_secret: random_secret()?,
                password: random_secret()?,
            };
            serde_json::to_string_pretty(&keys).map_err(Failure::running)
        })?;
        serde_json::from_str::<Self>(&text)
            .ok()
            .filter(Self::are_usable)
            .ok_or_else(|| {
                Failure::Configuration(format!(
                    "{} does not contain valid sandbox keys; remove it to generate new ones",
                    path.display()
                ))
            })
    }

    /// Rejects short keys, so that a manually written key cannot be guessable.
    fn are_usable(&self) -> bool {
        [&self.api_key, &self.ipn_secret, &self.password]
            .iter()
            .all(|key| key.trim().len() >= 16)
    }
}
