//! Rule 16 of `docs/payments.md#crediting`: amounts are exact.

use glasshouse_casino::money::deposits::create_deposit;
use glasshouse_domain::Currency;
use glasshouse_sandbox::Action;
use rstest_reuse::apply;

use crate::support::cashier_fixture::{CashierFixture, dollars};
use crate::support::{Fixture, both_databases};
#[apply(both_databases)]
async fn rule_16_amounts_beyond_a_floating_point_number_are_exact(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    // 0.01 dollars and the largest amount that a form takes.
    let cashier =
        fixture.cashier_with(|options| options.limits.maximum_deposit = dollars(i64::MAX));
    let mut expected = 0;
    for cents in [1, 100_000_000_000] {
        let wish = fixture.wish(cents, Currency::Shib);
        let deposit = create_deposit(&cashier, wish).await.unwrap();
        let invoice = deposit.invoice_id.as_deref();
        let invoice = glasshouse_payments::InvoiceId::parse(invoice.unwrap()).unwrap();
        let payment = fixture
            .sandbox
            .pay(&invoice, Currency::Shib, &Action::PayFull)
            .unwrap();
        fixture.sandbox.rest().await.unwrap();
        expected += cents;
        assert_eq!(fixture.balance().await, expected);
        let record = fixture.payment(&payment).await.unwrap();
        assert_eq!(record.pay_amount, record.actually_paid);
    }
    test.assert_clean().await;
}

/// No source of ours that money passes through mentions a floating-point type.
#[test]
fn rule_16_no_floating_point_in_any_of_it() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<_> = [
        "domain/src",
        "payments/src",
        "persistence/src",
        "casino/src/money",
    ]
    .map(|name| crates.join(name))
    .into();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 50);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for line in text
            .lines()
            .filter(|line| line.contains("f64") || line.contains("f32"))
        {
            // The size of a batch, for the metrics, and what the rules let expect, for a confidence
            // interval: no money.
            let name = file.file_name().unwrap().to_str().unwrap();
            let is_no_money = ["writer.rs", "house_totals.rs", "spread.rs"].contains(&name);
            assert!(is_no_money, "{}: {line}", file.display());
        }
    }
}
