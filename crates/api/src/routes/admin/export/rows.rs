//! What each list writes into its CSV: the fields of its JSON, in the same words.

use glasshouse_casino::Standing;
use glasshouse_domain::ReviewKind;

use crate::routes::admin::audit_log::AdminLog;
use crate::routes::admin::deposits::AdminDeposit;
use crate::routes::admin::export::CsvRow;
use crate::routes::admin::games::AdminGame;
use crate::routes::admin::payments::PaymentStatus;
use crate::routes::admin::reviews::Review;
use crate::routes::admin::users::{AdminUser, Status};
use crate::routes::admin::withdrawals::AdminWithdrawal;
use crate::routes::wallet::withdrawals::WithdrawalState;

fn optional(text: Option<String>) -> String {
    text.unwrap_or_default()
}

fn number(number: Option<i64>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

impl CsvRow for AdminUser {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "username",
        "isAdmin",
        "balance",
        "availableToWithdraw",
        "createdAt",
        "status",
        "banReason",
    ];

    fn cells(self) -> Vec<String> {
        let status = match self.status {
            Status::Active => "active",
            Status::Banned => "banned",
        };
        vec![
            self.id.to_string(),
            self.username,
            self.is_admin.to_string(),
            self.balance,
            self.available_to_withdraw,
            self.created_at,
            status.to_owned(),
            optional(self.ban_reason),
        ]
    }
}

impl CsvRow for AdminWithdrawal {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "userId",
        "username",
        "amount",
        "fee",
        "netAmount",
        "currency",
        "walletAddress",
        "status",
        "reason",
        "createdAt",
        "decidedAt",
        "decidedBy",
    ];

    fn cells(self) -> Vec<String> {
        let status = match self.status {
            WithdrawalState::Pending => "pending",
            WithdrawalState::Approved => "approved",
            WithdrawalState::Rejected => "rejected",
        };
        vec![
            self.id.to_string(),
            self.user_id.to_string(),
            self.user.username,
            self.amount,
            self.fee,
            self.net_amount,
            self.currency.to_owned(),
            self.wallet_address,
            status.to_owned(),
            optional(self.reason),
            self.created_at,
            optional(self.decided_at),
            self.decided_by.map(|by| by.username).unwrap_or_default(),
        ]
    }
}

impl CsvRow for AdminGame {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "userId",
        "username",
        "gameType",
        "betAmount",
        "winAmount",
        "outcome",
        "createdAt",
    ];

    fn cells(self) -> Vec<String> {
        vec![
            self.id.to_string(),
            self.user_id.to_string(),
            self.username,
            self.game_type.as_str().to_owned(),
            self.bet_amount,
            self.win_amount,
            self.outcome,
            self.created_at,
        ]
    }
}

impl CsvRow for AdminDeposit {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "userId",
        "username",
        "amount",
        "creditedAmount",
        "currency",
        "orderId",
        "invoiceId",
        "status",
        "externalStatus",
        "isUnderReview",
        "createdAt",
    ];

    fn cells(self) -> Vec<String> {
        vec![
            self.id.to_string(),
            self.user_id.to_string(),
            self.user.username,
            self.amount,
            self.credited_amount,
            self.currency.to_owned(),
            self.order_id,
            optional(self.invoice_id),
            self.status.as_str().to_owned(),
            optional(self.external_status),
            self.is_under_review.to_string(),
            self.created_at,
        ]
    }
}

impl CsvRow for AdminLog {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "adminId",
        "adminUsername",
        "action",
        "targetUserId",
        "targetUsername",
        "subject",
        "oldValue",
        "newValue",
        "address",
        "createdAt",
        "hash",
    ];

    fn cells(self) -> Vec<String> {
        vec![
            self.id.to_string(),
            number(self.admin_id),
            optional(self.admin_username),
            self.action,
            number(self.target_user_id),
            optional(self.target_username),
            optional(self.subject),
            optional(self.old_value),
            optional(self.new_value),
            optional(self.address),
            self.created_at,
            optional(self.hash),
        ]
    }
}

impl CsvRow for PaymentStatus {
    const COLUMNS: &'static [&'static str] = &[
        "payment_id",
        "id_type",
        "order_id",
        "status",
        "is_processed",
        "is_confirmed",
        "user_id",
        "username",
        "amount",
        "credited_amount",
        "currency",
        "last_checked",
        "standing",
        "reviews",
    ];

    fn cells(self) -> Vec<String> {
        vec![
            self.payment_id,
            self.id_type.to_owned(),
            optional(self.order_id),
            self.status,
            self.is_processed.to_string(),
            self.is_confirmed.to_string(),
            number(self.user_id),
            optional(self.username),
            self.amount,
            self.credited_amount,
            self.currency,
            self.last_checked,
            Standing::from(self.standing).as_str().to_owned(),
            self.reviews.join(" "),
        ]
    }
}

impl CsvRow for Review {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "paymentId",
        "depositId",
        "userId",
        "username",
        "kind",
        "amount",
        "details",
        "paymentStatus",
        "payCurrency",
        "actuallyPaid",
        "openedAt",
        "resolvedAt",
        "resolvedBy",
        "resolution",
    ];

    fn cells(self) -> Vec<String> {
        vec![
            self.id.to_string(),
            self.payment_id,
            number(self.deposit_id),
            number(self.user_id),
            optional(self.username),
            ReviewKind::from(self.kind).as_str().to_owned(),
            optional(self.amount),
            self.details,
            optional(self.payment_status),
            optional(self.pay_currency),
            optional(self.actually_paid),
            self.opened_at,
            optional(self.resolved_at),
            self.resolved_by.map(|by| by.username).unwrap_or_default(),
            optional(self.resolution),
        ]
    }
}
