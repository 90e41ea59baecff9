//! The audit log for administrators, with the names of the users involved.

use diesel::prelude::*;
use glasshouse_domain::{AuditAction, AuditId};

use crate::admin::filters::{Period, newest_first};
use crate::admin::listing::{AdminList, PageBounds, UserRef, UserRefRow, contains, limit, pattern};
use crate::admin::search::{find_audit_entries, found_by};
use crate::audit::AuditRecord;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::schema::{audit_log, users};

diesel::alias! {
    const ACTORS: Alias<Actors> = users as actors;
    const TARGETS: Alias<Targets> = users as targets;
}

/// Selects audit records.
#[derive(Debug, Clone, Default)]
pub struct AuditQuery {
    /// Only records of this action.
    pub action: Option<AuditAction>,
    /// Part of the name of the actor or of the affected user.
    pub search: Option<String>,
    /// Only records of this period.
    pub period: Period,
    /// Only records after this one.
    pub before: Option<AuditId>,
    /// The maximum number of records.
    pub limit: usize,
}

/// An audit record with user names.
#[derive(Debug, Clone)]
pub struct AuditEntry {
    /// The record.
    pub record: AuditRecord,
    /// The user who acted; `None` for the operator at the command line.
    pub actor: Option<UserRef>,
    /// The user affected.
    pub target: Option<UserRef>,
}

type Row = (AuditRecord, Option<UserRefRow>, Option<UserRefRow>);

impl From<Row> for AuditEntry {
    fn from((record, actor, target): Row) -> Self {
        Self {
            record,
            actor: actor.map(UserRef::from),
            target: target.map(UserRef::from),
        }
    }
}

impl AdminList for AuditQuery {
    type Entry = AuditEntry;
    type Place = AuditId;

    fn bounds(&mut self) -> PageBounds<'_, AuditId> {
        PageBounds {
            after: &mut self.before,
            limit: &mut self.limit,
        }
    }

    fn read(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<Page<AuditEntry, AuditId>, DatabaseError> {
        let actor = ACTORS.field(users::id).nullable();
        let target = TARGETS.field(users::id).nullable();
        let mut page = audit_log::table
            .left_join(ACTORS.on(actor.eq(audit_log::actor_id)))
            .left_join(TARGETS.on(target.eq(audit_log::target_user_id)))
            .limit(limit(self.limit))
            .select((
                AuditRecord::as_select(),
                ACTORS.fields((users::id, users::username)).nullable(),
                TARGETS.fields((users::id, users::username)).nullable(),
            ))
            .into_boxed();
        let last = self.before.map(AuditId::get);
        page = newest_first!(
            connection,
            page,
            audit_log.created_at_micros,
            self.period,
            last
        );
        if let Some(action) = self.action {
            page = page.filter(audit_log::action.eq(action.as_str()));
        }
        if let Some(ids) = found_by(connection, self.search.as_deref(), find_audit_entries)? {
            page = page.filter(audit_log::id.eq_any(ids));
        }
        if let Some(search) = &self.search {
            let pattern = pattern(search);
            let actor = ACTORS.field(users::username_key).nullable();
            let target = TARGETS.field(users::username_key).nullable();
            page = page.filter(contains!(actor, pattern.clone()).or(contains!(target, pattern)));
        }
        let rows: Vec<Row> = page.load(connection)?;
        Page::of(rows, self.limit, |entry: &AuditEntry| {
            AuditId::new(entry.record.id)
        })
    }
}
