//! Players with money, and an administrator who may give it alone.

use reqwest::StatusCode;
use serde_json::json;

use super::{Server, Visitor};

impl Server {
    /// Lets one administrator do everything alone.
    pub(crate) fn lift_thresholds(&self) {
        let most = "1000000000.00";
        let mut arguments = vec!["admin", "thresholds"];
        for threshold in [
            "--adjustment",
            "--confirmation",
            "--withdrawal",
            "--person-per-day",
            "--house-per-day",
        ] {
            arguments.extend([threshold, most]);
        }
        let output = self.operate(&arguments);
        assert!(output.status.success(), "{output:?}");
    }

    /// A player with a balance, set by the administrator.
    pub(crate) async fn funded_player(&self, name: &str, balance: &str) -> Visitor {
        let (visitor, id) = self.player(name).await;
        if balance.parse::<f64>().unwrap() > 100.0 {
            self.lift_thresholds();
        }
        let path = format!("/api/admin/users/{id}/balance");
        let (status, answer) = self
            .administrator()
            .await
            .post(&path, &json!({ "balance": balance, "reason": "a test" }))
            .await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        visitor
    }
}
