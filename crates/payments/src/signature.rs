//! Signatures of the provider's callbacks: HMAC-SHA512 over the body re-serialised with sorted keys
//! (`docs/payments.md#callbacks`).

use std::collections::BTreeMap;

use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::value::RawValue;
use sha2::Sha512;

/// Callbacks nest one fee object; deeper nesting is an attempt to overflow the stack.
const MAXIMUM_DEPTH: usize = 16;

/// The secret shared with the provider. Never printed.
#[derive(Debug, Clone)]
pub struct IpnSecret(SecretString);

/// The secret is empty, so anybody could sign callbacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the provider's IPN secret must not be empty")]
pub struct EmptySecret;

/// Why a callback's signature is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The body is not a JSON object, or is nested too deeply.
    #[error("the body cannot be signed")]
    Body,
    /// The signature is not 128 lower-case hexadecimal digits, or does not match the body.
    #[error("the signature is wrong")]
    Signature,
}

impl IpnSecret {
    /// Wraps the configured secret.
    ///
    /// # Errors
    /// If it is empty.
    pub fn new(secret: String) -> Result<Self, EmptySecret> {
        if secret.trim().is_empty() {
            return Err(EmptySecret);
        }
        Ok(Self(secret.into()))
    }

    /// Verifies a callback's signature in constant time.
    ///
    /// # Errors
    /// See [`SignatureError`].
    pub fn verify(&self, body: &[u8], signature: &str) -> Result<(), SignatureError> {
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if signature.len() != 128 || !signature.bytes().all(is_hex) {
            return Err(SignatureError::Signature);
        }
        let expected = hex::decode(signature).map_err(|_| SignatureError::Signature)?;
        let mut is_signed = false;
        for arrays in [Arrays::AsLists, Arrays::AsObjects] {
            let text = canonical(body, arrays).ok_or(SignatureError::Body)?;
            is_signed |= self.mac(&text).verify_slice(&expected).is_ok();
        }
        is_signed.then_some(()).ok_or(SignatureError::Signature)
    }

    /// Signs a body as the provider does; `None` if it is not a JSON object.
    #[must_use]
    pub fn sign(&self, body: &[u8]) -> Option<String> {
        let text = canonical(body, Arrays::AsLists)?;
        Some(hex::encode(self.mac(&text).finalize().into_bytes()))
    }

    fn mac(&self, text: &str) -> Hmac<Sha512> {
        // HMAC accepts keys of any length, so this cannot fail; the fallback key is never used.
        let mut mac = Hmac::<Sha512>::new_from_slice(self.0.expose_secret().as_bytes())
            .unwrap_or_else(|_| Hmac::<Sha512>::new(&hmac::digest::Key::<Hmac<Sha512>>::default()));
        mac.update(text.as_bytes());
        mac
    }
}

/// How arrays are written in the signed text (`docs/payments.md#rule-20`).
#[derive(Clone, Copy)]
enum Arrays {
    /// As JSON arrays, like the provider's library.
    AsLists,
    /// As objects whose keys are the indices, like the code in the provider's documentation, which
    /// sorts the keys of every object, including arrays.
    AsObjects,
}

/// The compact body with sorted keys at every level. Numbers keep their literal digits, because the
/// provider signs them as JavaScript wrote them; floating point would change them.
fn canonical(body: &[u8], arrays: Arrays) -> Option<String> {
    let body = std::str::from_utf8(body).ok()?;
    if !body.trim_start().starts_with('{') {
        return None;
    }
    let mut text = String::with_capacity(body.len());
    write_value(serde_json::from_str(body).ok()?, arrays, 0, &mut text)?;
    Some(text)
}

fn write_value(value: &RawValue, arrays: Arrays, depth: usize, text: &mut String) -> Option<()> {
    if depth > MAXIMUM_DEPTH {
        return None;
    }
    let literal = value.get();
    match literal.as_bytes().first()? {
        b'{' => {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(literal).ok()?;
            text.push('{');
            for (number, (name, member)) in members.into_iter().enumerate() {
                if number > 0 {
                    text.push(',');
                }
                text.push_str(&serde_json::to_string(&name).ok()?);
                text.push(':');
                write_value(member, arrays, depth + 1, text)?;
            }
            text.push('}');
        }
        b'[' => {
            let elements: Vec<&RawValue> = serde_json::from_str(literal).ok()?;
            let (open, close) = match arrays {
                Arrays::AsLists => ('[', ']'),
                Arrays::AsObjects => ('{', '}'),
            };
            text.push(open);
            for (number, element) in elements.into_iter().enumerate() {
                if number > 0 {
                    text.push(',');
                }
                if matches!(arrays, Arrays::AsObjects) {
                    // JavaScript orders integer keys numerically.
                    text.push('"');
                    text.push_str(&number.to_string());
                    text.push_str("\":");
                }
                write_value(element, arrays, depth + 1, text)?;
            }
            text.push(close);
        }
        b'"' => {
            // The signed text has no optional escapes such as `\/`.
            let content: String = serde_json::from_str(literal).ok()?;
            text.push_str(&serde_json::to_string(&content).ok()?);
        }
        _ => text.push_str(literal),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = r#"{"payment_status":"finished","payment_id":1,"payment_extra_ids":[7,null,
        {"b":[],"a":1e-7}],"fee":{"list":[0,1,2,3,4,5,6,7,8,9,10],"currency":"btc"}}"#;
    const AS_LISTS: &str = r#"{"fee":{"currency":"btc","list":[0,1,2,3,4,5,6,7,8,9,10]},"payment_extra_ids":[7,null,{"a":1e-7,"b":[]}],"payment_id":1,"payment_status":"finished"}"#;
    const AS_OBJECTS: &str = r#"{"fee":{"currency":"btc","list":{"0":0,"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"7":7,"8":8,"9":9,"10":10}},"payment_extra_ids":{"0":7,"1":null,"2":{"a":1e-7,"b":{}}},"payment_id":1,"payment_status":"finished"}"#;

    fn signature_of(text: &str) -> String {
        let secret = IpnSecret::new("secret".to_owned()).unwrap();
        hex::encode(secret.mac(text).finalize().into_bytes())
    }

    #[test]
    fn rule_20_both_encodings_of_arrays_are_accepted() {
        let secret = IpnSecret::new("secret".to_owned()).unwrap();
        for text in [AS_LISTS, AS_OBJECTS] {
            let outcome = secret.verify(BODY.as_bytes(), &signature_of(text));
            assert_eq!(outcome, Ok(()), "{text}");
        }
        let half = AS_LISTS.replace("[]", "{}");
        let other = AS_OBJECTS.replace("\"10\":10", "\"10\":11");
        for text in [&half, &other, BODY] {
            let outcome = secret.verify(BODY.as_bytes(), &signature_of(text));
            assert_eq!(outcome, Err(SignatureError::Signature), "{text}");
        }
        let as_lists = secret.sign(BODY.as_bytes());
        assert_eq!(as_lists, Some(signature_of(AS_LISTS)));
    }
}
