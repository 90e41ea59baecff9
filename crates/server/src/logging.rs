//! Structured logs on standard error.

use std::io::{IsTerminal, stderr};

use tracing_subscriber::EnvFilter;

use crate::configuration::{Configuration, LogFormat};

/// Starts logging. A filter that cannot be read falls back to `info`.
pub(crate) fn start(configuration: &Configuration) {
    let filter = EnvFilter::try_new(&configuration.log).unwrap_or_else(|_| EnvFilter::new("info"));
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
