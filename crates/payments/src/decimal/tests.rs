//! Parsing, formatting and arithmetic of exact decimal numbers.

use num_bigint::BigInt;
use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, expected: Option<&str>) {
    let parsed: Option<Decimal> = text.parse().ok();
    assert_eq!(
        parsed.map(|number| number.to_string()).as_deref(),
        expected,
        "{text:.90}"
    );
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

#[test]
fn numbers_are_parsed_without_rounding() {
    check("0", Some("0"));
    check("0.0", Some("0"));
    check("10", Some("10"));
    check("10.500", Some("10.5"));
    check("0.000001", Some("0.000001"));
    check("1e-7", Some("0.0000001"));
    check("5.6E-7", Some("0.00000056"));
    check("1.5e+21", Some("1500000000000000000000"));
    check("12.5e1", Some("125"));
    // Beyond the precision of a double.
    check(
        "9007199254740993.000000000000000001",
        Some("9007199254740993.000000000000000001"),
    );
}

#[test]
fn malformed_numbers_are_refused() {
    for text in [
        "",
        ".",
        "5.",
        ".5",
        "-1",
        "-0",
        "+1",
        "e5",
        "1e",
        "1e+",
        "1e99999999999",
        "1e81",
        "1e-81",
        "1e1.5",
        "1e--5",
        "NaN",
        "Infinity",
        " 1",
        "1 ",
        "1,000",
        "0x10",
        "1.2.3",
        "null",
        "١",
        "1_000",
    ] {
        check(text, None);
    }
    check(&"9".repeat(81), None);
}

#[test]
fn equal_numbers_are_equal_in_every_notation() {
    assert_eq!(decimal("10.50"), decimal("10.5"));
    assert_eq!(decimal("1e1"), decimal("10"));
    assert!(decimal("0.1") < decimal("0.11"));
    assert!(decimal("2") > decimal("1.999999"));
    assert_eq!(decimal("0.1").plus(&decimal("0.9")), decimal("1"));
    assert_eq!(decimal("1").minus_at_most(&decimal("0.4")), decimal("0.6"));
    assert_eq!(
        decimal("1").minus_at_most(&decimal("1.4")),
        Decimal::default()
    );
}

#[test]
fn only_whole_cents_convert_to_money() {
    assert_eq!(decimal("10.5").to_money(), Some(Money::from_cents(1050)));
    assert_eq!(decimal("10.505").to_money(), None);
    assert_eq!(decimal("92233720368547758.08").to_money(), None);
    assert_eq!(Decimal::from_money(Money::from_cents(-1)), None);
    assert_eq!(
        Decimal::from_money(Money::from_cents(1050)),
        Some(decimal("10.50"))
    );
}

#[test]
fn the_proportion_is_rounded_down() {
    let part = |price, paid: &str, asked: &str| {
        proportion(Money::from_cents(price), &decimal(paid), &decimal(asked)).map(Money::cents)
    };
    assert_eq!(part(10_000, "0.5", "1"), Ok(5_000));
    assert_eq!(part(10_000, "1", "3"), Ok(3_333));
    assert_eq!(part(10_000, "2.9999999", "3"), Ok(9_999));
    assert_eq!(part(10_000, "3", "3"), Ok(10_000));
    assert_eq!(part(10_000, "4.5", "3"), Ok(15_000));
    assert_eq!(part(10_000, "0", "3"), Ok(0));
    assert_eq!(part(1, "1e-18", "1"), Ok(0));
    assert_eq!(part(10_000, "1", "0"), Err(ProportionError::NothingAsked));
    assert_eq!(part(-1, "1", "1"), Err(ProportionError::NegativePrice));
    assert_eq!(part(i64::MAX, "1", "1"), Ok(i64::MAX));
    assert_eq!(part(i64::MAX, "1.1", "1"), Err(ProportionError::TooLarge));
    assert_eq!(part(1, "1e60", "1e-60"), Err(ProportionError::TooLarge));
}

#[test]
fn products_are_exact() {
    assert_eq!(decimal("0.25").times(&decimal("0.4")), decimal("0.1"));
    assert_eq!(
        decimal("24.75").times(&decimal("1e-8")),
        decimal("2.475e-7")
    );
    assert_eq!(decimal("0").times(&decimal("7")), decimal("0"));
}

#[test]
fn decimals_beyond_a_number_are_cut_off() {
    assert_eq!(decimal("1.999").rounded_down(2), decimal("1.99"));
    assert_eq!(decimal("1.5").rounded_down(2), decimal("1.5"));
    assert_eq!(decimal("0.009").rounded_down(2), Decimal::default());
    assert_eq!(decimal("19").rounded_down(0), decimal("19"));
}

proptest! {
    #[test]
    fn the_proportion_is_the_largest_whole_number_of_cents_not_above_the_exact_value(
        price in 0..=i64::MAX,
        paid in any::<u128>(),
        asked in 1..=u128::MAX,
        paid_scale in 0_u32..30,
        asked_scale in 0_u32..30,
    ) {
        let part = proportion(
            Money::from_cents(price),
            &Decimal::from_units(paid, paid_scale),
            &Decimal::from_units(asked, asked_scale),
        );
        // price × paid × 10^asked_scale is at least part × asked × 10^paid_scale, but less than
        // with one more cent.
        let ten = BigInt::from(10);
        let whole = BigInt::from(price) * paid * ten.pow(asked_scale);
        let unit = BigInt::from(asked) * ten.pow(paid_scale);
        match part {
            Ok(part) => {
                prop_assert!(&unit * part.cents() <= whole);
                prop_assert!(unit * (BigInt::from(part.cents()) + 1) > whole);
            }
            Err(error) => {
                prop_assert_eq!(error, ProportionError::TooLarge);
                prop_assert!(unit * i64::MAX < whole);
            }
        }
    }

    #[test]
    fn formatted_numbers_are_parsed_back(digits in 0..=10_u128.pow(38), scale in 0_u32..40) {
        let number = Decimal::from_units(digits, scale);
        prop_assert_eq!(number.to_string().parse(), Ok(number));
    }

    #[test]
    fn parsing_never_panics(text in "\\PC*") {
        let _ = text.parse::<Decimal>();
    }
}
