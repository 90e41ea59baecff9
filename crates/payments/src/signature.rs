//! Signatures of the provider's callbacks: HMAC-SHA512 over the body re-serialised with sorted keys
//! (`docs/payments.md#callbacks`).

use std::collections::BTreeMap;

use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::value::RawValue;
use sha2::Sha512;

/// Callbacks nest a fee object; anything much deeper is an attack on the stack.
const MAXIMUM_DEPTH: usize = 16;

/// The key that provider and house share. Never shown.
#[derive(Debug, Clone)]
pub struct IpnSecret(SecretString);

/// An empty secret would accept what anybody signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the provider's IPN secret must not be empty")]
pub struct EmptySecret;

/// Why a callback is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The body is no JSON object, or nests too deeply.
    #[error("the body is not one that could be signed")]
    Body,
    /// The signature is no 128 lower-case hexadecimal digits, or not that of the body.
    #[error("the signature is wrong")]
    Signature,
}

impl IpnSecret {
    /// Takes the secret of the configuration.
    ///
    /// # Errors
    /// If it is empty.
    pub fn new(secret: String) -> Result<Self, EmptySecret> {
        if secret.trim().is_empty() {
            return Err(EmptySecret);
        }
        Ok(Self(secret.into()))
    }

    /// Checks a callback's signature, in constant time.
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

    /// Signs a body as the provider does; none if it is no JSON object.
    #[must_use]
    pub fn sign(&self, body: &[u8]) -> Option<String> {
        let text = canonical(body, Arrays::AsLists)?;
        Some(hex::encode(self.mac(&text).finalize().into_bytes()))
    }

    fn mac(&self, text: &str) -> Hmac<Sha512> {
        // HMAC takes keys of any length, so this cannot fail; the fallback key is never used.
        let mut mac = Hmac::<Sha512>::new_from_slice(self.0.expose_secret().as_bytes())
            .unwrap_or_else(|_| Hmac::<Sha512>::new(&hmac::digest::Key::<Hmac<Sha512>>::default()));
        mac.update(text.as_bytes());
        mac
    }
}

/// How an array stands in the text that is signed (`docs/payments.md#rule-20`).
#[derive(Clone, Copy)]
enum Arrays {
    /// As in the body: the provider's library.
    AsLists,
    /// As an object whose keys are the positions: the code in the provider's documentation, which
    /// takes every object's keys, an array's too.
    AsObjects,
}

/// The body with its keys sorted at every level, compact. Numbers keep their literal digits: the
/// provider wrote them as JavaScript does, and no floating point of ours rewrites them.
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
                    // JavaScript keeps keys that are numbers in the order of the numbers.
                    text.push('"');
                    text.push_str(&number.to_string());
                    text.push_str("\":");
                }
                write_value(element, arrays, depth + 1, text)?;
            }
            text.push(close);
        }
        b'"' => {
            // Escapes that need not be there, such as `\/`, are not in what was signed.
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
    fn rule_20_both_ways_of_signing_an_array_are_accepted() {
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
