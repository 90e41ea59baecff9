//! What a writer keeps from one batch to the next.

use std::sync::Arc;

use crate::audit::key::AuditKeys;
use crate::connection::AnyConnection;
use crate::engine::notifications::InstanceId;
use crate::engine::reserved_ids::{IdsOf, ReservedIds};
use crate::public_log::batch::LogSigner;

/// What a writer keeps from one batch to the next.
pub(crate) struct WriterState {
    pub(crate) round_ids: ReservedIds,
    pub(crate) batch_ids: ReservedIds,
    pub(crate) instance: InstanceId,
    /// The shard of the house's totals that the writer updates: its number among the server's
    /// writers.
    pub(crate) shard: i64,
    pub(crate) audit_keys: Arc<AuditKeys>,
    pub(crate) log_signer: LogSigner,
}

impl WriterState {
    pub(crate) const fn new(
        instance: InstanceId,
        shard: i64,
        audit_keys: Arc<AuditKeys>,
        log_signer: LogSigner,
    ) -> Self {
        Self {
            round_ids: ReservedIds::new(IdsOf::Rounds),
            batch_ids: ReservedIds::new(IdsOf::LogBatches),
            instance,
            shard,
            audit_keys,
            log_signer,
        }
    }

    /// To be called at the start of each transaction.
    pub(crate) fn begin(&mut self, connection: &AnyConnection) {
        self.round_ids.begin(connection);
        self.batch_ids.begin(connection);
    }
}
