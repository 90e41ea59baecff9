//! Sign-in attempts are slowed down across all servers, and cannot lock an account's owner out.

use std::net::IpAddr;
use std::time::Duration;

use glasshouse_casino::accounts::{
    Admission, Client, admit_registration, admit_sign_in, note_failed_sign_in, note_sign_in,
    purge_attempts,
};
use glasshouse_casino::{CasinoError, House, Refusal};
use rstest_reuse::apply;

use crate::support::{Fixture, both_databases};

fn unknown_device(network: &str) -> Client {
    let network: IpAddr = network.parse().unwrap();
    Client {
        network,
        wide_network: None,
        device: None,
    }
}

fn known_device(network: &str) -> Client {
    Client {
        device: Some("a-device".to_owned()),
        ..unknown_device(network)
    }
}

async fn admit(house: &House, name: &str, client: &Client) -> Result<Admission, Duration> {
    match admit_sign_in(house, name, client.clone()).await {
        Ok(admission) => Ok(admission),
        Err(CasinoError::Refused(Refusal::TooManyAttempts(wait))) => Err(wait),
        Err(error) => panic!("{error}"),
    }
}

/// Records a wrong password, where an attempt is admitted.
async fn fail(house: &House, name: &str, client: &Client) {
    admit(house, name, client).await.unwrap();
    note_failed_sign_in(house, name, client.clone())
        .await
        .unwrap();
}

#[apply(both_databases)]
async fn a_clients_delay_applies_on_every_server_and_after_a_restart(#[case] test: &Fixture) {
    let here = unknown_device("192.0.2.1");
    let other = test.another_house();
    for number in 0..5 {
        let house = if number % 2 == 0 { &test.house } else { &other };
        fail(house, "Alice", &here).await;
    }
    // The third server has just been started.
    for house in [&test.house, &other, &test.another_house()] {
        assert_eq!(
            admit(house, "aLICE", &here).await,
            Err(Duration::from_secs(1))
        );
    }
    for (name, client) in [("bob", &here), ("alice", &unknown_device("192.0.2.2"))] {
        assert!(admit(&test.house, name, client).await.is_ok(), "{name}");
    }
    // Each further failure doubles the wait, up to fifteen minutes.
    for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
        let wait = Duration::from_secs(seconds);
        assert_eq!(admit(&test.house, "alice", &here).await, Err(wait));
        test.clock.advance(wait);
        fail(&test.house, "alice", &here).await;
    }
    test.clock.advance(Duration::from_mins(15));
    assert!(admit(&test.house, "alice", &here).await.unwrap().has_failed);
    note_sign_in(&test.house, "alice", here.clone())
        .await
        .unwrap();
    let admission = admit(&test.house, "alice", &here).await.unwrap();
    assert!(
        !admission.has_failed,
        "the right password resets the failures"
    );
}

#[apply(both_databases)]
async fn attacks_do_not_lock_the_owner_out(#[case] test: &Fixture) {
    for number in 0..60 {
        let client = unknown_device(&format!("198.51.100.{number}"));
        fail(&test.house, "alice", &client).await;
    }
    // A device that has signed in to the account before is not delayed, on any network.
    let at_once = Admission {
        wait: Duration::ZERO,
        has_failed: false,
    };
    let network = "198.51.100.1";
    assert_eq!(
        admit(&test.house, "alice", &known_device(network)).await,
        Ok(at_once)
    );
    // On a new device the owner waits for a few seconds and then signs in.
    let new = unknown_device("203.0.113.9");
    let admission = admit(&test.house, "alice", &new).await.unwrap();
    assert_eq!(admission.wait, Duration::from_secs(5));
    // Clients with failures of their own are delayed earlier than usual.
    fail(&test.house, "alice", &new).await;
    fail(&test.house, "alice", &new).await;
    assert_eq!(
        admit(&test.house, "alice", &new).await,
        Err(Duration::from_secs(1))
    );
    assert_eq!(
        admit(&test.house, "bob", &new).await,
        Ok(at_once),
        "another account"
    );
    test.clock.advance(Duration::from_hours(1));
    let admission = admit(&test.house, "alice", &unknown_device("203.0.113.10"))
        .await
        .unwrap();
    assert_eq!(admission.wait, Duration::ZERO, "the attack is over");
}

#[apply(both_databases)]
async fn an_ipv6_network_and_its_wider_network_have_separate_allowances(#[case] test: &Fixture) {
    let client = |number: u16| Client {
        network: format!("2001:db8:1:{number:x}::").parse().unwrap(),
        wide_network: Some("2001:db8:1::".parse().unwrap()),
        device: None,
    };
    let register = async |client: Client| match admit_registration(&test.house, client).await {
        Ok(()) => Ok(()),
        Err(CasinoError::Refused(Refusal::TooManyAttempts(wait))) => Err(wait),
        Err(error) => panic!("{error}"),
    };
    for number in 0..4 {
        for _ in 0..30 {
            assert_eq!(register(client(number)).await, Ok(()));
            assert!(admit(&test.house, "nobody", &client(number)).await.is_ok());
        }
    }
    let full = client(0);
    assert_eq!(register(full.clone()).await, Err(Duration::from_secs(5)));
    assert_eq!(
        admit(&test.house, "nobody", &full).await,
        Err(Duration::from_secs(2))
    );
    // A new network within the same wider network.
    assert_eq!(
        register(client(99)).await,
        Err(Duration::from_millis(1_250))
    );
    let refused = admit(&test.house, "nobody", &client(99)).await;
    assert_eq!(refused, Err(Duration::from_millis(500)));
    assert_eq!(register(unknown_device("192.0.2.1")).await, Ok(()));
    test.clock.advance(Duration::from_secs(5));
    assert_eq!(register(full.clone()).await, Ok(()));
    assert_eq!(register(full).await, Err(Duration::from_secs(5)));
}

#[apply(both_databases)]
async fn expired_counters_are_purged(#[case] test: &Fixture) {
    let rows = || test.texts("SELECT CAST(COUNT(*) AS TEXT) AS value FROM attempt_counters");
    fail(&test.house, "alice", &unknown_device("192.0.2.1")).await;
    // An invalid username has no counter of its own; only the network's is kept.
    fail(&test.house, "no name at all", &unknown_device("192.0.2.1")).await;
    assert_eq!(rows(), ["3"]);
    test.clock.advance(Duration::from_secs(4));
    assert_eq!(purge_attempts(&test.house).await.unwrap(), 1);
    test.clock.advance(Duration::from_hours(1));
    purge_attempts(&test.house).await.unwrap();
    assert_eq!(rows(), ["0"]);
}
