//! Rule 16 of `docs/payments.md#crediting`: amounts are exact.

use glasshouse_casino::money::deposits::create_deposit;
use glasshouse_domain::Currency;
use glasshouse_sandbox::Action;
use rstest_reuse::apply;

use crate::support::cashier_fixture::{CashierFixture, dollars};
use crate::support::{Fixture, both_databases};
#[apply(both_databases)]
async fn rule_16_amounts_beyond_floating_point_precision_are_exact(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    // 0.01 dollars, and the largest amount that the form accepts.
    let cashier =
        fixture.cashier_with(|options| options.limits.maximum_deposit = dollars(i64::MAX));
    let mut expected = 0;
    for cents in [1, 100_000_000_000] {
        let request = fixture.deposit_request(cents, Currency::Shib);
        let deposit = create_deposit(&cashier, request).await.unwrap();
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

/// No source file that handles money uses a floating-point type.
#[test]
fn rule_16_no_source_file_for_money_uses_floating_point() {
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
            // Batch sizes for the metrics, and expected values for confidence intervals, are not
            // money.
            let name = file.file_name().unwrap().to_str().unwrap();
            let is_statistics = ["writer.rs", "house_totals.rs", "spread.rs"].contains(&name);
            assert!(is_statistics, "{}: {line}", file.display());
        }
    }
}
