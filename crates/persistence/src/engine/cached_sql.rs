//! SQL of constant text whose prepared statement is kept.
//!
//! diesel keeps a prepared statement only where its query builder can prove that the text never
//! varies: never for an UPDATE, nor for `sql_query`. A bet's statements are of constant text, and
//! parsing them anew would cost more than running them.

use std::marker::PhantomData;
use std::str::Split;

use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::Error;
use diesel::serialize::ToSql;
use diesel::sql_types::{HasSqlType, Untyped};
use diesel::{QueryResult, RunQueryDsl};

/// SQL of constant text, with a `?` for each of its values.
pub(crate) const fn cached_sql(text: &'static str) -> CachedSql {
    CachedSql { text }
}

/// See [`cached_sql`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct CachedSql {
    text: &'static str,
}

/// A statement with one more value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WithValue<S, ST, V> {
    statement: S,
    value: V,
    sql_type: PhantomData<ST>,
}

/// Gives a statement its values, in the order of their places.
pub(crate) trait Bind: Sized {
    /// Adds the next value, of the SQL type `ST`.
    fn bind<ST, V>(self, value: V) -> WithValue<Self, ST, V> {
        WithValue {
            statement: self,
            value,
            sql_type: PhantomData,
        }
    }
}

impl Bind for CachedSql {}
impl<S, ST, V> Bind for WithValue<S, ST, V> {}

/// The pieces of text between the places of values.
type Pieces = Split<'static, char>;

/// What both kinds of statement do: write themselves down to their last value and hand on what
/// follows it.
trait SqlFragments<DB: Backend> {
    fn walk<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<Pieces>;
}

impl<DB: Backend> SqlFragments<DB> for CachedSql {
    fn walk<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<Pieces> {
        let mut pieces = self.text.split('?');
        pass.push_sql(pieces.next().unwrap_or_default());
        Ok(pieces)
    }
}

impl<DB, S, ST, V> SqlFragments<DB> for WithValue<S, ST, V>
where
    DB: Backend + HasSqlType<ST>,
    S: SqlFragments<DB>,
    V: ToSql<ST, DB>,
{
    fn walk<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<Pieces> {
        let mut pieces = self.statement.walk(pass.reborrow())?;
        let piece = pieces
            .next()
            .ok_or_else(|| Error::QueryBuilderError("more values than places".into()))?;
        pass.push_bind_param(&self.value)?;
        pass.push_sql(piece);
        Ok(pieces)
    }
}

impl<DB: Backend> QueryFragment<DB> for CachedSql {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.walk(pass).map(drop)
    }
}

impl<DB: Backend, S, ST, V> QueryFragment<DB> for WithValue<S, ST, V>
where
    Self: SqlFragments<DB>,
{
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.walk(pass).map(drop)
    }
}

// Such statements are found again by their text.
impl QueryId for CachedSql {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<S, ST, V> QueryId for WithValue<S, ST, V> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for CachedSql {
    type SqlType = Untyped;
}

impl<S, ST, V> Query for WithValue<S, ST, V> {
    type SqlType = Untyped;
}

impl<Connection> RunQueryDsl<Connection> for CachedSql {}
impl<S, ST, V, Connection> RunQueryDsl<Connection> for WithValue<S, ST, V> {}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use diesel::connection::InstrumentationEvent;
    use diesel::sql_types::{BigInt, Text};
    use diesel::{Connection as _, QueryableByName, RunQueryDsl as _, SqliteConnection};

    use super::*;

    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        number: i64,
        #[diesel(sql_type = Text)]
        text: String,
    }

    #[test]
    fn values_take_their_places_and_the_statement_is_prepared_once() {
        let mut connection = SqliteConnection::establish(":memory:").unwrap();
        let prepared = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&prepared);
        connection.set_instrumentation(move |event: InstrumentationEvent<'_>| {
            if matches!(event, InstrumentationEvent::CacheQuery { .. }) {
                counter.fetch_add(1, Ordering::Relaxed);
            }
        });
        cached_sql("CREATE TABLE kept (number INTEGER, text TEXT)")
            .execute(&mut connection)
            .unwrap();
        for number in 1..=3 {
            cached_sql("INSERT INTO kept (number, text) VALUES (?, ? || '!')")
                .bind::<BigInt, _>(number)
                .bind::<Text, _>("row")
                .execute(&mut connection)
                .unwrap();
        }
        let row: Row = cached_sql("SELECT number, text FROM kept WHERE number = ?")
            .bind::<BigInt, _>(2)
            .get_result(&mut connection)
            .unwrap();
        assert_eq!((row.number, row.text.as_str()), (2, "row!"));
        assert_eq!(prepared.load(Ordering::Relaxed), 3, "one for each text");
    }

    #[test]
    fn more_values_than_places_are_refused() {
        let mut connection = SqliteConnection::establish(":memory:").unwrap();
        let outcome = cached_sql("SELECT ?")
            .bind::<BigInt, _>(1)
            .bind::<BigInt, _>(2)
            .execute(&mut connection);
        assert!(outcome.is_err());
    }
}
