//! A device with a browser that makes a passkey and signs with it, as in real ceremonies.

use passkey::authenticator::{Authenticator, UiHint, UserCheck, UserValidationMethod};
use passkey::client::{Client, DefaultClientData, WebauthnError};
use passkey::crypto::rust_crypto::RustCryptoBackend;
use passkey_types::Passkey;
use passkey_types::ctap2::{Aaguid, Ctap2Error};
use serde_json::{Value, json};
use url::Url;

/// The owner of a device, who is present, and unlocks it or not.
#[derive(Clone)]
struct Owner {
    unlocks: bool,
}

#[async_trait::async_trait]
impl UserValidationMethod for Owner {
    type PasskeyItem = Passkey;

    async fn check_user<'a>(
        &self,
        hint: UiHint<'a, Passkey>,
        _presence: bool,
        _verification: bool,
    ) -> Result<UserCheck, Ctap2Error> {
        if let UiHint::InformExcludedCredentialFound(_) = hint {
            return Err(Ctap2Error::CredentialExcluded);
        }
        Ok(UserCheck {
            presence: true,
            verification: self.unlocks,
        })
    }

    fn is_presence_enabled(&self) -> bool {
        true
    }

    fn is_verification_enabled(&self) -> Option<bool> {
        Some(true)
    }
}

/// A device that can keep one passkey, with a browser at an address. It counts its signatures. A clone is
/// a copy of the device with the same private key.
#[derive(Clone)]
pub struct PasskeyDevice {
    address: Url,
    passkey: Option<Passkey>,
    owner: Owner,
}

impl PasskeyDevice {
    /// A device whose browser shows the page at this address, such as `http://localhost`.
    #[must_use]
    pub fn at(address: &str) -> Self {
        Self {
            address: Url::parse(address).unwrap(),
            passkey: None,
            owner: Owner { unlocks: true },
        }
    }

    /// The same device with a browser at another address.
    #[must_use]
    pub fn moved_to(&self, address: &str) -> Self {
        Self {
            address: Url::parse(address).unwrap(),
            ..self.clone()
        }
    }

    /// The same device in the hands of somebody who cannot unlock it.
    #[must_use]
    pub fn locked(&self) -> Self {
        Self {
            owner: Owner { unlocks: false },
            ..self.clone()
        }
    }

    /// The same device with the passkey that the site knows by another user's handle.
    ///
    /// # Panics
    /// If the device has no passkey.
    #[must_use]
    pub fn with_user_handle(&self, handle: &[u8]) -> Self {
        let mut other = self.clone();
        other.passkey.as_mut().unwrap().user_handle = Some(handle.to_vec().into());
        other
    }

    /// Makes a passkey, in place of an earlier one, and returns `RegistrationResponseJSON`.
    ///
    /// # Panics
    /// If the device refuses.
    pub async fn make(&mut self, options: &Value) -> Value {
        self.try_make(options).await.unwrap()
    }

    /// As [`PasskeyDevice::make`].
    ///
    /// # Errors
    /// If the device refuses.
    ///
    /// # Panics
    /// If the options are not `PublicKeyCredentialCreationOptionsJSON`.
    pub async fn try_make(&mut self, options: &Value) -> Result<Value, WebauthnError> {
        let mut client = Client::new(self.authenticator()).allows_insecure_localhost(true);
        let request = serde_json::from_value(json!({ "publicKey": options })).unwrap();
        let made = client.register(&self.address, request, DefaultClientData);
        let made = made.await?;
        self.passkey.clone_from(client.authenticator().store());
        Ok(serde_json::to_value(made).unwrap())
    }

    /// Signs with the passkey and returns `AuthenticationResponseJSON`.
    ///
    /// # Panics
    /// If the device refuses.
    pub async fn sign(&mut self, options: &Value) -> Value {
        self.try_sign(options).await.unwrap()
    }

    /// As [`PasskeyDevice::sign`].
    ///
    /// # Errors
    /// If the device refuses, for example because it has none of the passkeys that it was asked for.
    ///
    /// # Panics
    /// If the options are not `PublicKeyCredentialRequestOptionsJSON`.
    pub async fn try_sign(&mut self, options: &Value) -> Result<Value, WebauthnError> {
        let mut client = Client::new(self.authenticator()).allows_insecure_localhost(true);
        let mut options = options.clone();
        // To browsers, an empty list is none.
        let entries = options.as_object_mut().unwrap();
        if entries.get("allowCredentials") == Some(&json!([])) {
            entries.remove("allowCredentials");
        }
        let request = serde_json::from_value(json!({ "publicKey": options })).unwrap();
        let signed = client.authenticate(&self.address, request, DefaultClientData);
        let signed = signed.await?;
        self.passkey.clone_from(client.authenticator().store());
        Ok(serde_json::to_value(signed).unwrap())
    }

    fn authenticator(&self) -> Authenticator<Option<Passkey>, Owner, RustCryptoBackend> {
        let (passkey, owner) = (self.passkey.clone(), self.owner.clone());
        let aaguid = Aaguid::new_empty();
        let mut authenticator = Authenticator::new(aaguid, passkey, owner, RustCryptoBackend);
        authenticator.set_make_credentials_with_signature_counter(true);
        authenticator
    }
}
