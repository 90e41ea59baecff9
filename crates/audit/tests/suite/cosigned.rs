//! Audits of a log that witnesses have cosigned, or not.

use glasshouse_audit::audit::{Options, run};
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::cosignature::WitnessSigningKey;

use crate::forged_house::ForgedHouse;
use crate::honest::{Audited, Honest, options, private_key_of};

/// 2023-11-15.
const SECOND: u64 = 1_700_000_000;

fn witness(name: &str) -> WitnessSigningKey {
    WitnessSigningKey::parse(&private_key_of(name, 9)).unwrap()
}

fn audit(house: &ForgedHouse, witnesses: &[&WitnessSigningKey]) -> Audited {
    let keys = witnesses.iter().map(|key| key.public().to_string());
    Audited(run(&Options {
        witnesses: keys.collect(),
        ..options(house, None, &[])
    }))
}

/// Adds a cosignature to what the house serves; it is of a checkpoint of `size` entries.
fn cosign(house: &ForgedHouse, honest: &Honest, key: &WitnessSigningKey, size: Option<u64>) {
    let note = String::from_utf8(house.file("/log/checkpoint")).unwrap();
    let mut checkpoint = Checkpoint::open(&note, honest.keys.verifier_keys()).unwrap();
    checkpoint.size = size.unwrap_or(checkpoint.size);
    let line = key.cosign(honest.keys.origin(), &checkpoint, SECOND);
    house.put("/log/checkpoint", Some(format!("{note}{line}").into()));
}

#[test]
fn the_report_says_who_has_cosigned_the_log() {
    let honest = Honest::new();
    let house = honest.serve(&honest.lines);
    let (one, other) = (witness("one.example"), witness("other.example/2"));
    cosign(&house, &honest, &one, None);
    let size = honest.lines.len();
    let found =
        format!("Witness one.example: cosigned {size} entries at 2023-11-14T22:13:20.000000Z\n");
    let both = audit(&house, &[&one, &other]);
    let report = both.assert_fine();
    assert!(report.contains(&found), "{report}");
    let missing = "Witness other.example/2: NO COSIGNATURE.";
    assert!(report.contains(missing), "{report}");
    cosign(&house, &honest, &other, None);
    let both = audit(&house, &[&one, &other]);
    let report = both.assert_fine();
    assert!(
        report.contains("Witness other.example/2: cosigned"),
        "{report}"
    );
    // Nobody is named who was not asked for.
    assert!(!audit(&house, &[]).assert_fine().contains("Witness"));
}

#[test]
fn a_cosignature_of_another_checkpoint_is_a_contradiction() {
    let honest = Honest::new();
    let house = honest.serve(&honest.lines);
    let (one, other) = (witness("one.example"), witness("other.example/2"));
    cosign(&house, &honest, &one, Some(1));
    audit(&house, &[&one]).assert_contradiction(&[
        "with a cosignature of one.example that does not match it",
        "play.example/glasshouse\n",
    ]);
    // It is no matter to those who do not know the witness.
    audit(&house, &[&other]).assert_fine();
}

#[test]
fn only_keys_of_witnesses_are_accepted() {
    let honest = Honest::new();
    let house = honest.serve(&honest.lines);
    let key = honest.keys.verifier_keys().iter().next().unwrap();
    for text in ["nonsense", key] {
        let audited = Audited(run(&Options {
            witnesses: vec![text.to_owned()],
            ..options(&house, None, &[])
        }));
        audited.assert_fault("is not the verifier key of a witness");
    }
}
