//! The conditions that a round is open, or settled, written out.
//!
//! Some indexes hold nothing but the rounds of one state. A database uses them only where the
//! condition stands in the statement itself, not where a value is bound to it.

use diesel::QueryResult;
use diesel::backend::Backend;
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping};
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::Bool;

macro_rules! written_out {
    ($name:ident, $sql:literal) => {
        #[doc = concat!("`", $sql, "`.")]
        #[derive(Debug, Clone, Copy, QueryId)]
        pub(crate) struct $name;

        impl Expression for $name {
            type SqlType = Bool;
        }

        impl<QS> AppearsOnTable<QS> for $name {}
        impl<QS> SelectableExpression<QS> for $name {}

        impl<GB> ValidGrouping<GB> for $name {
            type IsAggregate = diesel::expression::is_aggregate::No;
        }

        impl<DB: Backend> QueryFragment<DB> for $name {
            fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
                pass.push_sql($sql);
                Ok(())
            }
        }
    };
}

written_out!(IsOpen, "rounds.state = 'open'");
written_out!(IsSettled, "rounds.state = 'settled'");
