//! Structured logs on standard error.

use std::io::{IsTerminal, stderr};

use tracing_subscriber::EnvFilter;

use crate::configuration::{Configuration, LogFormat};

/// Starts logging. An invalid filter falls back to `info`.
pub(crate) fn start(configuration: &Configuration) {
    let filter =
        filter(&configuration.log).unwrap_or_else(|_| EnvFilter::new("actix_session=error,info"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(stderr);
    let is_json = match configuration.log_format {
        LogFormat::Json => true,
        LogFormat::Text => false,
        LogFormat::Auto => !stderr().is_terminal(),
    };
    if is_json {
        builder
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .init();
    } else {
        builder.init();
    }
}

/// Parses the log filter. Invalid session cookies are counted in the metrics rather than logged
/// individually.
fn filter(directives: &str) -> Result<EnvFilter, tracing_subscriber::filter::ParseError> {
    EnvFilter::try_new(format!("actix_session=error,{directives}"))
}
