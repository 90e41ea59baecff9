//! `glasshouse audit` of an honest house.

use serde_json::Value;

use crate::audited::{
    audit, log_lines, open_all_games, play_all_games, play_dice, until_logged, url, verifier_keys,
};
use crate::support::Server;

const GAMES: [&str; 6] = [
    "dice",
    "crash",
    "stonks",
    "video_poker",
    "heads_up",
    "mines",
];

#[tokio::test]
async fn rounds_of_all_games_are_verified_and_the_next_audit_continues() {
    let server = Server::start();
    open_all_games(&server).await;
    let player = server.funded_player("alice", "1000.00").await;
    let rounds = play_all_games(&player).await;
    let url = url(&server);
    let state = server.folder.path().join("audit.json");
    let state = state.to_str().unwrap();

    let first = audit(&url, &["--state", state]);
    first.assert_fine();
    for game in GAMES {
        assert!(
            first.report.contains(&format!("\n{game}")),
            "{}",
            first.report
        );
    }
    let count = format!("Entries: {} rounds, 0 books, 1 keys, rules", rounds.len());
    assert!(first.report.contains(&count), "{}", first.report);
    assert!(
        first.report.contains("WARNING: The key"),
        "{}",
        first.report
    );

    let size = log_lines(&server).await.len();
    let again = audit(&url, &["--state", state]);
    again.assert_fine();
    let none = format!("Verified: {size} entries, 0 of them in this run");
    assert!(again.report.contains(&none), "{}", again.report);

    let more = play_dice(&player).await;
    until_logged(&player, &more["roundId"]).await;
    let next = audit(&url, &["--state", state]);
    next.assert_fine();
    let one = format!("Verified: {} entries, 1 of them in this run", size + 1);
    assert!(next.report.contains(&one), "{}", next.report);

    // The sums of both audits are those of one.
    let whole = audit(&url, &["--state", state, "--from-start"]);
    whole.assert_fine();
    let table = |report: &str| report.split_once("Entries: ").unwrap().1.to_owned();
    assert_eq!(table(&whole.report), table(&next.report));
    server.assert_clean();
}

#[tokio::test]
async fn a_given_key_is_trusted_and_another_one_is_not() {
    let server = Server::start();
    let player = server.funded_player("alice", "10.00").await;
    let round = play_dice(&player).await;
    until_logged(&player, &round["roundId"]).await;
    let url = url(&server);
    let key = verifier_keys(&server).await.to_string();
    let fine = audit(&url, &["--key", key.trim_end()]);
    fine.assert_fine();
    assert!(!fine.report.contains("WARNING"), "{}", fine.report);

    let other = Server::start();
    let other_key = verifier_keys(&other).await.to_string();
    audit(&url, &["--key", other_key.trim_end()])
        .assert_contradiction(&["the checkpoint is refused: it is not signed by a trusted key"]);
    audit(&url, &["--key", "nonsense"]).assert_fault("The verifier key is not usable");

    // The state of one house is not that of another.
    let state = server.folder.path().join("audit.json");
    let state = state.to_str().unwrap();
    audit(&url, &["--state", state]).assert_fine();
    audit(&url, &["--state", state, "--key", other_key.trim_end()])
        .assert_fault("Use another state file");
    std::fs::write(state, "{}").unwrap();
    audit(&url, &["--state", state]).assert_fault("is not the state of an audit");
}

#[tokio::test]
async fn the_state_is_kept_private_and_remembers_the_key() {
    let server = Server::start();
    let player = server.funded_player("alice", "10.00").await;
    let round = play_dice(&player).await;
    until_logged(&player, &round["roundId"]).await;
    let file = server.folder.path().join("audit.json");
    let state = file.to_str().unwrap();
    audit(&url(&server), &["--state", state]).assert_fine();
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let key = verifier_keys(&server).await.to_string();
    assert_eq!(written["keys"], serde_json::json!([key.trim_end()]));
    assert_eq!(written["isKeyFromHouse"], true);
    assert_eq!(
        written["verified"]["size"],
        u64::try_from(log_lines(&server).await.len()).unwrap()
    );
}

#[tokio::test]
async fn what_cannot_be_reached_is_no_contradiction() {
    let address = crate::support::free_address();
    let url = format!("http://{address}");
    audit(&url, &[]).assert_fault("cannot be read");
    audit("not-an-address", &[]).assert_fault("is not the address of a house");
}
