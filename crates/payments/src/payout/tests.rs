//! Tests of payouts: the request, and the provider's answers in all of their forms.

use super::*;

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn request() -> PayoutRequest {
    PayoutRequest {
        address: "TEmGwPeRTPiLFLVfBxXkSP91yc5GMNQhfS".to_owned(),
        currency: Currency::Bnb,
        amount: decimal("200.000001"),
        external_id: "w-1".to_owned(),
    }
}

/// A payout as the provider writes it, with one field changed.
fn entry(changed: &str, literal: &str) -> String {
    let fields = [
        ("id", r#""5000000000""#),
        ("batch_withdrawal_id", r#""5000000713""#),
        ("status", r#""CREATING""#),
        ("currency", r#""bnbbsc""#),
        ("amount", r#""200.000001""#),
        ("address", r#""TEmGwPeRTPiLFLVfBxXkSP91yc5GMNQhfS""#),
        ("unique_external_id", r#""w-1""#),
        ("hash", "null"),
        ("error", "null"),
        ("fee", "null"),
        ("extra_id", "null"),
    ];
    let fields = fields.map(|(name, usual)| {
        let value = if name == changed { literal } else { usual };
        format!(r#""{name}":{value}"#)
    });
    format!("{{{}}}", fields.join(","))
}

fn batch(entries: &[String]) -> String {
    let entries = entries.join(",");
    format!(r#"{{"id":"5000000713","withdrawals":[{entries}]}}"#)
}

fn id() -> PayoutId {
    PayoutId::parse("5000000000").unwrap()
}

fn read(body: &str) -> Result<Payout, Malformed> {
    Payout::read_answer(body.as_bytes(), &id())
}

fn usual() -> Payout {
    read(&entry("", "")).unwrap()
}

#[test]
fn the_amount_is_a_number_and_the_currency_is_the_providers_code() {
    let expected = concat!(
        r#"{"withdrawals":[{"address":"TEmGwPeRTPiLFLVfBxXkSP91yc5GMNQhfS","#,
        r#""currency":"bnbbsc","amount":200.000001,"unique_external_id":"w-1"}]}"#
    );
    assert_eq!(request().to_json().unwrap(), expected);
    let tiny = PayoutRequest {
        amount: decimal("0.000001"),
        ..request()
    };
    assert!(tiny.to_json().unwrap().contains(r#""amount":0.000001,"#));
}

#[test]
fn numbers_and_strings_are_parsed_alike() {
    let texts = r#"{"id":"5000000000","batch_withdrawal_id":"5000000713","status":"FINISHED",
        "currency":"bnbbsc","amount":"200.000001","address":"TEmGwPeRTPiLFLVfBxXkSP91yc5GMNQhfS",
        "unique_external_id":"w-1","hash":"null","error":"null","fee":"0.5"}"#;
    let numbers = r#"{"id":5000000000,"batch_withdrawal_id":5000000713,"status":"finished",
        "currency":"BNBBSC","amount":200.0000010,"address":"TEmGwPeRTPiLFLVfBxXkSP91yc5GMNQhfS",
        "unique_external_id":"w-1","fee":5e-1}"#;
    let payout = read(texts).unwrap();
    assert_eq!(read(numbers).unwrap(), payout);
    assert_eq!(payout.status, PayoutStatus::Finished);
    assert_eq!(payout.batch.as_str(), "5000000713");
    assert_eq!(payout.currency, "bnbbsc");
    assert_eq!(payout.fee, Some(decimal("0.5")));
    assert_eq!((&payout.hash, &payout.error), (&None, &None));
    assert!(payout.matches(&request()));
}

#[test]
fn a_payout_is_found_in_all_three_shapes() {
    let (other, own) = (entry("id", "7"), entry("", ""));
    for body in [
        own.clone(),
        format!("[{own}]"),
        format!("[{other},{own}]"),
        batch(std::slice::from_ref(&own)),
        batch(&[other.clone(), own]),
    ] {
        assert_eq!(read(&body).unwrap(), usual(), "{body}");
    }
    // In a batch, the entries may leave out what the batch says.
    let without = entry("batch_withdrawal_id", "null");
    assert_eq!(read(&batch(&[without])).unwrap(), usual());
    for body in [
        other.clone(),
        format!("[{other}]"),
        batch(&[other]),
        "[]".to_owned(),
        batch(&[]),
    ] {
        assert_eq!(read(&body), Err(Malformed::Different("id")), "{body}");
    }
    for body in ["", "OK", "\"OK\"", "null", "[1]"] {
        assert_eq!(read(body), Err(Malformed::NotAnObject), "{body}");
    }
}

#[test]
fn what_a_payout_must_have_is_required_and_the_rest_is_not() {
    for (field, expected) in [
        ("id", "id"),
        ("batch_withdrawal_id", "batch_withdrawal_id"),
        ("status", "status"),
        ("currency", "currency"),
        ("amount", "amount"),
        ("address", "address"),
    ] {
        for null in ["null", "\"null\"", "\"\""] {
            let body = entry(field, null);
            assert_eq!(read(&body), Err(Malformed::Missing(expected)), "{body}");
        }
    }
    for wrong in ["-1", "\"NaN\"", "{}", "true"] {
        let body = entry("amount", wrong);
        assert_eq!(read(&body), Err(Malformed::Unreadable("amount")), "{body}");
    }
    assert_eq!(
        read(&entry("id", r#""../1""#)),
        Err(Malformed::Unreadable("id"))
    );
    assert_eq!(read(&entry("fee", r#"{"of":1}"#)), Ok(usual()));
    assert_eq!(read(&entry("hash", "[]")), Ok(usual()));
    let failed = read(&entry("error", r#"{"code":1}"#)).unwrap();
    assert!(failed.error.is_some());
    let failed = read(&entry("error", &format!("\"{}\"", "x".repeat(1000)))).unwrap();
    assert_eq!(failed.error.unwrap().len(), 200);
    assert_eq!(
        read(&entry("unique_external_id", "null"))
            .unwrap()
            .external_id,
        None
    );
}

#[test]
fn the_answer_to_a_request_must_be_that_one_payout() {
    let read = |body: &str| request().read_answer(body.as_bytes());
    assert_eq!(read(&batch(&[entry("", "")])), Ok(usual()));
    let different = |field| Err(Malformed::Different(field));
    for (field, literal, expected) in [
        ("address", r#""elsewhere""#, "address"),
        ("currency", r#""bnb""#, "currency"),
        ("amount", "200.000002", "amount"),
        ("unique_external_id", r#""w-2""#, "unique_external_id"),
        ("unique_external_id", "null", "unique_external_id"),
        ("batch_withdrawal_id", "1", "batch_withdrawal_id"),
    ] {
        let body = batch(&[entry(field, literal)]);
        assert_eq!(read(&body), different(expected), "{body}");
    }
    let two = batch(&[entry("", ""), entry("id", "2")]);
    assert_eq!(read(&two), different("withdrawals"));
    assert_eq!(read(&batch(&[])), different("withdrawals"));
    assert_eq!(read("{}"), Err(Malformed::Missing("withdrawals")));
    assert_eq!(read("<html>"), Err(Malformed::NotAnObject));
}

#[test]
fn statuses_are_parsed_in_either_case_and_unknown_ones_have_not_ended() {
    for (name, status) in [
        ("CREATING", PayoutStatus::Creating),
        ("waiting", PayoutStatus::Waiting),
        ("Processing", PayoutStatus::Processing),
        ("SENDING", PayoutStatus::Sending),
        ("finished", PayoutStatus::Finished),
        ("FAILED", PayoutStatus::Failed),
        ("REJECTED", PayoutStatus::Rejected),
        ("ON_HOLD", PayoutStatus::Other("on_hold".to_owned())),
    ] {
        assert_eq!(PayoutStatus::parse(name), status);
        assert_eq!(PayoutStatus::parse(status.as_str()), status);
        assert_eq!(status.as_str(), name.to_lowercase());
        let is_unverified = matches!(name, "CREATING" | "waiting");
        assert_eq!(status.is_unverified(), is_unverified, "{name}");
        let is_lost = matches!(name, "FAILED" | "REJECTED");
        assert_eq!(status.is_lost(), is_lost, "{name}");
    }
    assert_eq!(PayoutStatus::parse(&"x".repeat(1000)).as_str().len(), 64);
}

#[test]
fn a_list_is_searched_by_the_external_id() {
    let find = |entry: &str| {
        let body = format!(r#"{{"payouts":[{entry}]}}"#);
        let entries = Payout::read_page(body.as_bytes()).unwrap();
        Payout::with_external_id(entries[0], "w-1")
    };
    assert_eq!(find(&entry("", "")), Ok(Some(usual())));
    // The payouts of others must not stand in the way, whatever is wrong with them.
    for other in [r#""w-2""#, "null", "1"] {
        assert_eq!(find(&entry("unique_external_id", other)), Ok(None));
    }
    assert_eq!(find(r#"{"unique_external_id":"w-2"}"#), Ok(None));
    // This may be the one, and "there is none" would be a dangerous answer.
    assert!(find(&entry("unique_external_id", "{}")).is_err());
    assert!(find(&entry("amount", "[]")).is_err());
    assert!(find("1").is_err());
    assert!(Payout::read_page(b"{}").is_err());
}

#[test]
fn of_several_payouts_the_one_that_has_got_furthest_decides() {
    let names = "creating waiting failed on_hold processing sending finished";
    let payouts: Vec<Payout> = names
        .split(' ')
        .map(|name| Payout {
            status: PayoutStatus::parse(name),
            ..usual()
        })
        .collect();
    for (rank, payout) in payouts.iter().enumerate() {
        for (other_rank, other) in payouts.iter().enumerate() {
            assert_eq!(payout.is_ahead_of(other), rank > other_rank);
        }
    }
}

#[test]
fn amounts_are_rounded_down_to_six_decimals() {
    for (estimate, amount) in [
        ("0.00027555999", "0.000275"),
        ("1.9999999", "1.999999"),
        ("12.5", "12.5"),
        ("2475000", "2475000"),
        ("0.0000009", "0"),
        ("0", "0"),
        ("123456789012345678.1234567", "123456789012345678.123456"),
    ] {
        assert_eq!(
            payout_amount(&decimal(estimate)),
            decimal(amount),
            "{estimate}"
        );
    }
}
