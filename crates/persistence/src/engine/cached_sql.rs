//! SQL with constant text, whose prepared statements are cached.
//!
//! diesel caches a prepared statement only if its query builder can prove that the text is
//! constant, which excludes every UPDATE and `sql_query`. The statements of a bet have constant
//! text, and parsing them each time would cost more than running them.

use std::marker::PhantomData;
use std::str::Split;

use diesel::backend::Backend;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::Error;
use diesel::serialize::ToSql;
use diesel::sql_types::{HasSqlType, Untyped};
use diesel::{QueryResult, RunQueryDsl};

/// SQL with constant text and a `?` for each parameter.
pub(crate) const fn cached_sql(text: &'static str) -> CachedSql {
    CachedSql { text }
}

/// See [`cached_sql`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct CachedSql {
    text: &'static str,
}

/// A statement with one more bound parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WithValue<S, ST, V> {
    statement: S,
    value: V,
    sql_type: PhantomData<ST>,
}

/// Binds the parameters of a statement, in order.
pub(crate) trait Bind: Sized {
    /// Binds the next parameter, of SQL type `ST`.
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

/// The parts of the text between the parameters.
type Parts = Split<'static, char>;

/// Implemented by both kinds of statements: writes the text up to the last bound parameter and
/// returns the remaining parts.
trait SqlFragments<DB: Backend> {
    fn walk<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<Parts>;
}

impl<DB: Backend> SqlFragments<DB> for CachedSql {
    fn walk<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<Parts> {
        let mut parts = self.text.split('?');
        pass.push_sql(parts.next().unwrap_or_default());
        Ok(parts)
    }
}

impl<DB, S, ST, V> SqlFragments<DB> for WithValue<S, ST, V>
where
    DB: Backend + HasSqlType<ST>,
    S: SqlFragments<DB>,
    V: ToSql<ST, DB>,
{
    fn walk<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<Parts> {
        let mut parts = self.statement.walk(pass.reborrow())?;
        let part = after_value(&mut parts)?;
        pass.push_bind_param(&self.value)?;
        pass.push_sql(part);
        Ok(parts)
    }
}

/// The text after the next parameter.
fn after_value(parts: &mut Parts) -> QueryResult<&'static str> {
    parts
        .next()
        .ok_or_else(|| Error::QueryBuilderError("more values than parameters".into()))
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

/// A statement for PostgreSQL that consists of several parts, each with its parameters.
pub(crate) struct JoinedSql<'v> {
    statement: CachedSql,
    values: Values<'v>,
}

/// The parameters of a part of a [`JoinedSql`], in order.
pub(crate) type Values<'v> = Vec<Box<dyn BoundValue + 'v>>;

impl<'v> JoinedSql<'v> {
    /// `values` are those of all parts, in the order of their `?` in the text.
    pub(crate) const fn new(text: &'static str, values: Values<'v>) -> Self {
        let statement = cached_sql(text);
        Self { statement, values }
    }
}

/// A value with its SQL type.
pub(crate) trait BoundValue {
    fn push<'b>(&'b self, pass: AstPass<'_, 'b, Pg>) -> QueryResult<()>;
}

struct Typed<ST, V> {
    value: V,
    sql_type: PhantomData<ST>,
}

impl<ST, V: ToSql<ST, Pg>> BoundValue for Typed<ST, V>
where
    Pg: HasSqlType<ST>,
{
    fn push<'b>(&'b self, mut pass: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        pass.push_bind_param(&self.value)
    }
}

/// A parameter of a [`JoinedSql`], of SQL type `ST`.
pub(crate) fn bound<'v, ST: 'v, V: ToSql<ST, Pg> + 'v>(value: V) -> Box<dyn BoundValue + 'v>
where
    Pg: HasSqlType<ST>,
{
    Box::new(Typed {
        value,
        sql_type: PhantomData::<ST>,
    })
}

impl QueryFragment<Pg> for JoinedSql<'_> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut parts = self.statement.walk(pass.reborrow())?;
        for value in &self.values {
            let part = after_value(&mut parts)?;
            value.push(pass.reborrow())?;
            pass.push_sql(part);
        }
        Ok(())
    }
}

impl QueryId for JoinedSql<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for JoinedSql<'_> {
    type SqlType = Untyped;
}

impl<Connection> RunQueryDsl<Connection> for JoinedSql<'_> {}

// Such statements are cached by their text.
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
    fn values_are_bound_in_order_and_each_text_is_prepared_once() {
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
        assert_eq!(
            prepared.load(Ordering::Relaxed),
            3,
            "each text is prepared once"
        );
    }

    #[test]
    fn more_values_than_parameters_are_refused() {
        let mut connection = SqliteConnection::establish(":memory:").unwrap();
        let outcome = cached_sql("SELECT ?")
            .bind::<BigInt, _>(1)
            .bind::<BigInt, _>(2)
            .execute(&mut connection);
        assert!(outcome.is_err());
    }
}
