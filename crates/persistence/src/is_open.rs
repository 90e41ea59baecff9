//! The condition that a round is open, written out.
//!
//! The indexes of open rounds hold nothing else, however long the history. A database uses them only
//! where the condition stands in the statement itself, not where a value is bound to it.

use diesel::QueryResult;
use diesel::backend::Backend;
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping};
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::Bool;

/// `rounds.state = 'open'`.
#[derive(Debug, Clone, Copy, QueryId)]
pub(crate) struct IsOpen;

impl Expression for IsOpen {
    type SqlType = Bool;
}

impl<QS> AppearsOnTable<QS> for IsOpen {}
impl<QS> SelectableExpression<QS> for IsOpen {}

impl<GB> ValidGrouping<GB> for IsOpen {
    type IsAggregate = diesel::expression::is_aggregate::No;
}

impl<DB: Backend> QueryFragment<DB> for IsOpen {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        pass.push_sql("rounds.state = 'open'");
        Ok(())
    }
}
