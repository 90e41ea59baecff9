//! Literal SQL conditions for open and for settled rounds.
//!
//! Some indexes contain only rounds in one state. A database uses them only if the statement
//! contains the condition literally, not with a bound value.

use diesel::QueryResult;
use diesel::backend::Backend;
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping};
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::Bool;

macro_rules! literal_condition {
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

literal_condition!(IsOpen, "rounds.state = 'open'");
literal_condition!(IsSettled, "rounds.state = 'settled'");
