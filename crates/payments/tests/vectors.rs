//! The published signatures and addresses.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use glasshouse_domain::Currency;
use glasshouse_payments::address::is_address;
use glasshouse_payments::signature::{EmptySecret, IpnSecret, SignatureError};
use serde_json::Value;

fn vectors(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn ipn() -> (IpnSecret, Value) {
    let vectors = vectors(include_str!("vectors/ipn.json"));
    (
        IpnSecret::new(text(&vectors["secret"]).to_owned()).unwrap(),
        vectors,
    )
}

#[test]
fn published_signatures_are_accepted() {
    let (secret, vectors) = ipn();
    let accepted = vectors["accept"].as_array().unwrap();
    assert!(accepted.len() >= 3);
    for vector in accepted {
        let (body, signature) = (text(&vector["body"]), text(&vector["signature"]));
        assert_eq!(
            secret.verify(body.as_bytes(), signature),
            Ok(()),
            "{}",
            vector["name"]
        );
        assert_eq!(secret.sign(body.as_bytes()).as_deref(), Some(signature));
        // A wrong digit is refused, and so is another body.
        let wrong = format!(
            "{}{}",
            if signature.starts_with('0') { '1' } else { '0' },
            &signature[1..]
        );
        assert_eq!(
            secret.verify(body.as_bytes(), &wrong),
            Err(SignatureError::Signature)
        );
        let other = body.replacen(':', ": 1", 1).replace("1\"", "\"");
        assert!(secret.verify(other.as_bytes(), signature).is_err());
    }
}

#[test]
fn signatures_by_other_algorithms_are_refused() {
    let (secret, vectors) = ipn();
    let accepted = vectors["accept"].as_array().unwrap();
    for vector in vectors["reject"].as_array().unwrap() {
        let of = accepted
            .iter()
            .find(|other| other["name"] == vector["of"])
            .unwrap();
        let refused = secret.verify(text(&of["body"]).as_bytes(), text(&vector["signature"]));
        assert_eq!(
            refused,
            Err(SignatureError::Signature),
            "{}",
            vector["name"]
        );
    }
}

#[test]
fn signatures_do_not_depend_on_key_order_whitespace_or_optional_escapes() {
    let (secret, _) = ipn();
    let signature = secret
        .sign(br#"{"a":{"x":1e-7,"y":[1,{"b":2,"c":3}]},"n":"a/b\u00e9"}"#)
        .unwrap();
    let same = r#" { "n" : "a\/bé", "a" : { "y" : [ 1, { "c":3, "b":2 } ], "x" : 1e-7 } } "#;
    assert_eq!(secret.verify(same.as_bytes(), &signature), Ok(()));
    // Numbers are signed with their literal digits.
    let other = r#"{"a":{"x":0.0000001,"y":[1,{"b":2,"c":3}]},"n":"a/bé"}"#;
    assert_eq!(
        secret.verify(other.as_bytes(), &signature),
        Err(SignatureError::Signature)
    );
}

#[test]
fn malformed_bodies_and_signatures_are_refused() {
    let (secret, vectors) = ipn();
    let good = text(&vectors["accept"][0]["signature"]);
    for body in ["", "[]", "null", "{", "{\"a\":}", "\u{0}"] {
        assert_eq!(
            secret.verify(body.as_bytes(), good),
            Err(SignatureError::Body),
            "{body}"
        );
    }
    let deep = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    assert_eq!(
        secret.verify(deep.as_bytes(), good),
        Err(SignatureError::Body)
    );
    assert_eq!(
        secret.verify(&[b'{', 0xff, b'}'], good),
        Err(SignatureError::Body)
    );
    for signature in [
        "",
        "00",
        &good.to_uppercase(),
        &good.replace('f', "g"),
        &format!("{good}00"),
    ] {
        assert_eq!(
            secret.verify(b"{}", signature),
            Err(SignatureError::Signature),
            "{signature}"
        );
    }
    assert_eq!(IpnSecret::new("  ".into()).map(|_| ()), Err(EmptySecret));
    assert_eq!(
        format!("{secret:?}"),
        "IpnSecret(SecretBox<str>([REDACTED]))"
    );
}

/// The currencies that share an address format.
fn currencies(code: &str) -> Vec<Currency> {
    let same: &[&str] = match code {
        "eth" => &["eth", "shib", "usdterc20", "bnb"],
        "sol" => &["sol", "usdtsol"],
        other => &[other],
    };
    same.iter()
        .map(|code| Currency::parse(code).unwrap())
        .collect()
}

#[test]
fn published_addresses_are_accepted_or_refused() {
    let vectors = vectors(include_str!("vectors/addresses.json"));
    let mut checked = 0;
    for (code, addresses) in vectors.as_object().unwrap() {
        let Some(good) = addresses["ok"].as_array() else {
            continue;
        };
        for currency in currencies(code) {
            for address in good {
                assert!(
                    is_address(currency, text(address)),
                    "{currency:?} {address}"
                );
            }
            for address in addresses["bad"].as_array().unwrap() {
                assert!(
                    !is_address(currency, text(address)),
                    "{currency:?} {address}"
                );
            }
            checked += 1;
        }
    }
    assert_eq!(checked, Currency::ALL.len());
}

/// No address is valid for a currency of another chain.
#[test]
fn addresses_of_other_chains_are_refused() {
    let vectors = vectors(include_str!("vectors/addresses.json"));
    for (code, addresses) in vectors.as_object().unwrap() {
        let Some(good) = addresses["ok"].as_array() else {
            continue;
        };
        let own = currencies(code);
        for currency in Currency::ALL
            .into_iter()
            .filter(|currency| !own.contains(currency))
        {
            for address in good {
                assert!(
                    !is_address(currency, text(address)),
                    "{currency:?} {address}"
                );
            }
        }
    }
}

#[test]
fn a_wrong_character_fails_the_checksum() {
    let vectors = vectors(include_str!("vectors/addresses.json"));
    // Lower-vector Ethereum addresses and Solana addresses have no checksum.
    for code in ["btc", "ltc", "doge", "bch", "xmr"] {
        for address in vectors[code]["ok"].as_array().unwrap() {
            let address = text(address);
            for position in address.len() - 6..address.len() {
                let other = if address.as_bytes()[position].eq_ignore_ascii_case(&b'q') {
                    "p"
                } else {
                    "q"
                };
                let wrong = format!(
                    "{}{other}{}",
                    &address[..position],
                    &address[position + 1..]
                );
                assert!(!is_address(currencies(code)[0], &wrong), "{wrong}");
            }
        }
    }
}

#[test]
fn texts_that_are_not_addresses_are_refused() {
    for currency in Currency::ALL {
        for text in [
            "",
            " ",
            "0x",
            "bitcoincash:",
            "é",
            &"1".repeat(10_000),
            "null",
            "bc1",
            "1",
            "0x0",
        ] {
            assert!(!is_address(currency, text), "{currency:?} {text}");
        }
    }
}
