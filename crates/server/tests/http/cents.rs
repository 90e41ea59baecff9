//! A bet of 1 cent, recomputed from the revealed seeds by code independent of the server's.

use hmac::{Hmac, KeyInit, Mac};
use reqwest::StatusCode;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::support::{Server, Visitor};

/// The number of possible words.
const WORDS: u64 = 1 << 32;

/// The first word of HMAC-SHA256(server seed, `clientSeed:nonce:name`).
fn word(round: &Value, name: &str) -> u64 {
    let server_seed = round["serverSeed"].as_str().unwrap();
    let client_seed = round["clientSeed"].as_str().unwrap();
    let message = format!("{client_seed}:{}:{name}", round["nonce"]);
    let mut mac = Hmac::<Sha256>::new_from_slice(server_seed.as_bytes()).unwrap();
    mac.update(message.as_bytes());
    let bytes = mac.finalize().into_bytes();
    u64::from(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}

/// The payout of a 1-cent bet on rolls above `target`, in US cents, by the revealed seeds.
fn payout_by_the_seeds(round: &Value, target: u64) -> u64 {
    let winning = 100 - target;
    let roll = word(round, "0") * 100 / WORDS + 1;
    if roll <= target {
        return 0;
    }
    let (whole, remainder) = (99 / winning, 99 % winning);
    whole + u64::from(word(round, "cent") * winning < remainder * WORDS)
}

async fn round(player: &Visitor, id: &Value) -> Value {
    let (status, round) = player.get(&format!("/api/rounds/{id}")).await;
    assert_eq!(status, StatusCode::OK, "{round}");
    round
}

#[tokio::test]
async fn the_payout_of_a_cent_follows_from_its_seeds() {
    let server = Server::start();
    let player = server.funded_player("saver", "1.00").await;
    let mut placed = Vec::new();
    for number in 0..40 {
        // Wins of 1.98 and 1.5 cents.
        let target = [50, 34][number % 2];
        let bet = json!({ "betAmount": "0.01", "targetNumber": target, "betType": "over" });
        let (status, result) = player.post("/api/dice/play", &bet).await;
        assert_eq!(status, StatusCode::OK, "{result}");
        // For a lost bet, the minimum it would have paid.
        let is_win = result["isWin"] == true;
        let minimum = json!("0.01");
        let expected = if is_win {
            &result["winAmount"]
        } else {
            &minimum
        };
        assert_eq!(&result["payout"], expected, "{result}");
        placed.push((u64::try_from(target).unwrap(), result));
    }
    player.rotate("after").await;
    let mut balance = 100;
    for (target, result) in placed {
        let round = round(&player, &result["roundId"]).await;
        assert_eq!(round["rulesVersion"], 2);
        let cents = payout_by_the_seeds(&round, target);
        assert_eq!(result["winAmount"], format!("0.0{cents}"), "{round}");
        assert_eq!(round["winAmount"], result["winAmount"]);
        balance += cents;
        balance -= 1;
    }
    assert_eq!(
        player.balance().await,
        format!("{}.{:02}", balance / 100, balance % 100)
    );
    server.assert_clean();
}
