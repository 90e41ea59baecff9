//! What the tests of audits share: rounds of all games, the command, and the log as it is served.

use std::process::{Command, Output};

use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::decode_bundle;
use glasshouse_transparency::keys::VerifierKeys;
use glasshouse_transparency::tile::{Bundle, TilePath, changed_bundles};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::act;
use crate::live::{settled, start};
use crate::support::{Server, Visitor, wait_for};

/// What an audit said, and its exit code.
pub(crate) struct Audited {
    pub(crate) code: Option<i32>,
    pub(crate) report: String,
    pub(crate) errors: String,
}

impl Audited {
    #[track_caller]
    pub(crate) fn assert_fine(&self) {
        assert_eq!(self.code, Some(0), "{}{}", self.report, self.errors);
        assert!(
            self.report.contains("No contradiction was found."),
            "{}",
            self.report
        );
    }

    /// A contradiction is reported with all of these texts.
    #[track_caller]
    pub(crate) fn assert_contradiction(&self, texts: &[&str]) {
        assert_eq!(self.code, Some(1), "{}{}", self.report, self.errors);
        let (_, contradiction) = self.report.split_once("CONTRADICTION").expect(&self.report);
        for text in texts {
            assert!(contradiction.contains(text), "{text}: {contradiction}");
        }
    }

    #[track_caller]
    pub(crate) fn assert_fault(&self, text: &str) {
        assert_eq!(self.code, Some(2), "{}{}", self.report, self.errors);
        assert!(self.errors.contains(text), "{}", self.errors);
        assert!(self.report.is_empty(), "{}", self.report);
    }
}

/// Runs `glasshouse audit`.
pub(crate) fn audit(url: &str, arguments: &[&str]) -> Audited {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_glasshouse"))
        .args(["audit", url])
        .args(arguments)
        .env_clear()
        .output()
        .unwrap();
    Audited {
        code: output.status.code(),
        report: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Opens mines, which is announced at first.
pub(crate) async fn open_all_games(server: &Server) {
    let boss = server.administrator().await;
    let change = json!({ "status": "open", "reason": "it is tested" });
    act(&boss, "/api/admin/games/mines/status", change).await;
}

/// Plays a round of each game to its end, and waits until all are in the log. Returns their IDs.
pub(crate) async fn play_all_games(player: &Visitor) -> Vec<Value> {
    let post = async |path: &str, body: Value| {
        let (status, answer) = player.post(path, &body).await;
        assert_eq!(status, StatusCode::OK, "{path} {answer}");
        answer
    };
    let mut rounds = Vec::new();
    for side in ["over", "under"] {
        let bet = json!({ "betAmount": "0.07", "targetNumber": 50, "betType": side });
        rounds.push(post("/api/dice/play", bet).await["roundId"].clone());
    }
    let crash = start(player, "crash", json!({ "autoCashoutMultiplier": 1.01 })).await;
    let stonks = start(player, "stonks", json!({ "autoCashoutProfit": "7.78" })).await;
    post("/api/poker/deal", json!({ "betAmount": "5.00" })).await;
    post("/api/poker/hold", json!({ "heldIndexes": [1, 3] })).await;
    let drawn = post("/api/poker/draw", json!({ "betAmount": "5.00" })).await;
    let call = json!({ "betAmount": "25.00", "action": "call" });
    let called = post("/api/poker/play", call).await;
    let mines = json!({ "action": "start", "betAmount": "1.00", "mines": 3 });
    let started = post("/api/mines/game", mines).await;
    let id = started["roundId"].clone();
    let reveal = json!({ "action": "reveal", "roundId": id, "cell": 12 });
    let revealed = post("/api/mines/game", reveal).await;
    if revealed["result"] == "playing" {
        let leave = json!({ "action": "cash_out", "roundId": id });
        post("/api/mines/game", leave).await;
    }
    rounds.push(id);
    rounds.extend([drawn, called, crash, stonks].map(|answer| answer["roundId"].clone()));
    for id in &rounds {
        settled(player, id).await;
        until_logged(player, id).await;
    }
    rounds
}

/// Waits until a round is in the log.
pub(crate) async fn until_logged(player: &Visitor, id: &Value) {
    let path = format!("/api/rounds/{id}/proof");
    wait_for(async || player.get(&path).await.0 == StatusCode::OK).await;
}

/// Plays a round of dice, and returns the answer.
pub(crate) async fn play_dice(player: &Visitor) -> Value {
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    let (status, answer) = player.post("/api/dice/play", &bet).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

pub(crate) fn url(server: &Server) -> String {
    format!("http://{}", server.address)
}

pub(crate) async fn text(url: &str, path: &str) -> String {
    let response = reqwest::get(format!("{url}{path}")).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    response.text().await.unwrap()
}

pub(crate) async fn verifier_keys(server: &Server) -> VerifierKeys {
    VerifierKeys::parse(&text(&url(server), "/transparency/key").await).unwrap()
}

pub(crate) async fn checkpoint(server: &Server) -> Checkpoint {
    let note = text(&url(server), "/log/checkpoint").await;
    Checkpoint::open(&note, &verifier_keys(server).await).unwrap()
}

/// All entries of the server's log.
pub(crate) async fn log_lines(server: &Server) -> Vec<String> {
    let size = checkpoint(server).await.size;
    let mut lines = Vec::new();
    for bundle in changed_bundles(0, size).unwrap() {
        lines.extend(bundle_lines(server, bundle).await);
    }
    lines
}

async fn bundle_lines(server: &Server, bundle: Bundle) -> Vec<String> {
    let path = format!("{}/log/{}", url(server), TilePath::Entries(bundle));
    let bytes = reqwest::get(path).await.unwrap().bytes().await.unwrap();
    decode_bundle(&bytes, bundle.width())
        .unwrap()
        .into_iter()
        .map(|line| String::from_utf8(line.to_vec()).unwrap())
        .collect()
}
