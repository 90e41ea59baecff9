//! A device with a browser that makes a passkey and signs with it, as in real ceremonies, and also as no
//! proper device would. Libraries of authenticators refuse what a server has to be tested against.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use ciborium::value::Value as Cbor;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use rand::TryRng as _;
use rand::rngs::SysRng;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The flags of the authenticator data (Web Authentication, section 6.1).
const USER_PRESENT: u8 = 0x01;
const USER_VERIFIED: u8 = 0x04;
const HAS_CREDENTIAL: u8 = 0x40;

/// A passkey as the device keeps it.
#[derive(Clone)]
struct Passkey {
    id: Vec<u8>,
    key: SigningKey,
    user_handle: Vec<u8>,
    signatures: u32,
}

/// A device that can keep one passkey, with a browser at an address. It counts its signatures. A clone is
/// a copy of the device with the same private key.
#[derive(Clone)]
pub struct PasskeyDevice {
    address: String,
    passkey: Option<Passkey>,
    is_unlocked: bool,
}

impl PasskeyDevice {
    /// A device whose browser shows the page at this address, such as `http://localhost`.
    #[must_use]
    pub fn at(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            passkey: None,
            is_unlocked: true,
        }
    }

    /// The same device with a browser at another address.
    #[must_use]
    pub fn moved_to(&self, address: &str) -> Self {
        Self {
            address: address.to_owned(),
            ..self.clone()
        }
    }

    /// The same device in the hands of somebody who cannot unlock it. It signs nevertheless, and says so.
    #[must_use]
    pub fn locked(&self) -> Self {
        Self {
            is_unlocked: false,
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
        other.passkey.as_mut().unwrap().user_handle = handle.to_vec();
        other
    }

    /// Makes a passkey, in place of an earlier one, and returns `RegistrationResponseJSON`; `None` if the
    /// device has one of the passkeys that are excluded.
    ///
    /// # Panics
    /// If the options are not `PublicKeyCredentialCreationOptionsJSON`.
    pub fn make(&mut self, options: &Value) -> Option<Value> {
        if self.has_one_of(options.get("excludeCredentials")) {
            return None;
        }
        let passkey = Passkey {
            id: random::<32>().to_vec(),
            key: SigningKey::from_slice(&random::<32>()).unwrap(),
            user_handle: decoded(options.pointer("/user/id").unwrap()),
            signatures: 0,
        };
        let site = text(options.pointer("/rp/id").unwrap());
        let mut data = self.authenticator_data(site, HAS_CREDENTIAL, passkey.signatures);
        // Neither the make of the device nor a proof of it.
        data.extend([0; 16]);
        data.extend(u16::try_from(passkey.id.len()).unwrap().to_be_bytes());
        data.extend(&passkey.id);
        data.extend(encoded(&public_key(&passkey.key)));
        let attestation = Cbor::Map(vec![
            (Cbor::from("fmt"), Cbor::from("none")),
            (Cbor::from("attStmt"), Cbor::Map(Vec::new())),
            (Cbor::from("authData"), Cbor::from(data)),
        ]);
        let id = BASE64.encode(&passkey.id);
        self.passkey = Some(passkey);
        Some(json!({
            "id": id,
            "rawId": id,
            "type": "public-key",
            "clientExtensionResults": { "credProps": { "rk": true } },
            "response": {
                "clientDataJSON": BASE64.encode(self.client_data("webauthn.create", options)),
                "attestationObject": BASE64.encode(encoded(&attestation)),
                "transports": ["internal"],
            },
        }))
    }

    /// Signs with the passkey and returns `AuthenticationResponseJSON`; `None` if the device has none of
    /// the passkeys that it is asked for.
    ///
    /// # Panics
    /// If the options are not `PublicKeyCredentialRequestOptionsJSON`.
    pub fn sign(&mut self, options: &Value) -> Option<Value> {
        let asked = options.get("allowCredentials");
        let is_any = asked.is_none_or(|asked| *asked == json!([]));
        if !is_any && !self.has_one_of(asked) {
            return None;
        }
        let passkey = self.passkey.as_mut()?;
        passkey.signatures += 1;
        let passkey = passkey.clone();
        let site = text(options.get("rpId").unwrap());
        let data = self.authenticator_data(site, 0, passkey.signatures);
        let client_data = self.client_data("webauthn.get", options);
        let signed = [&*data, &Sha256::digest(&client_data)].concat();
        let signature: Signature = passkey.key.sign(&signed);
        let id = BASE64.encode(&passkey.id);
        Some(json!({
            "id": id,
            "rawId": id,
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": BASE64.encode(client_data),
                "authenticatorData": BASE64.encode(data),
                "signature": BASE64.encode(signature.to_der()),
                "userHandle": BASE64.encode(&passkey.user_handle),
            },
        }))
    }

    fn has_one_of(&self, credentials: Option<&Value>) -> bool {
        let credentials = credentials.and_then(Value::as_array);
        let mut ids = credentials.into_iter().flatten().map(|credential| {
            let id = credential.get("id").unwrap();
            decoded(id)
        });
        let own = self.passkey.as_ref();
        own.is_some_and(|own| ids.any(|id| id == own.id))
    }

    fn authenticator_data(&self, site: &str, flags: u8, signatures: u32) -> Vec<u8> {
        let verified = if self.is_unlocked { USER_VERIFIED } else { 0 };
        let mut data = Sha256::digest(site.as_bytes()).to_vec();
        data.push(flags | USER_PRESENT | verified);
        data.extend(signatures.to_be_bytes());
        data
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let client_data = json!({
            "type": kind,
            "challenge": options.get("challenge").unwrap(),
            "origin": self.address,
            "crossOrigin": false,
        });
        client_data.to_string().into_bytes()
    }
}

/// The public key of ES256 as a COSE key (RFC 9053, section 7.1).
fn public_key(key: &SigningKey) -> Cbor {
    let point = key.verifying_key().to_sec1_point(false);
    let (x, y) = (point.x().unwrap().to_vec(), point.y().unwrap().to_vec());
    let entries: [(i64, Cbor); 5] = [
        (1, Cbor::from(2)),
        (3, Cbor::from(-7)),
        (-1, Cbor::from(1)),
        (-2, Cbor::from(x)),
        (-3, Cbor::from(y)),
    ];
    let entries = entries.map(|(label, value)| (Cbor::from(label), value));
    Cbor::Map(entries.into())
}

fn encoded(value: &Cbor) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).unwrap();
    bytes
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn decoded(value: &Value) -> Vec<u8> {
    BASE64.decode(text(value)).unwrap()
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SysRng.try_fill_bytes(&mut bytes).unwrap();
    bytes
}
