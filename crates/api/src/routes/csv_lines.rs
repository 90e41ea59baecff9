//! The lines of CSV files.

use std::fmt::Display;

use serde::Serialize;

use crate::error::ApiError;

/// Serializes rows. Every cell is quoted, so that no separator of another locale can split it.
pub(crate) fn csv_lines<R: Serialize>(
    rows: impl IntoIterator<Item = R>,
    has_header: bool,
) -> Result<Vec<u8>, ApiError> {
    let export_error = |error: &dyn Display| ApiError::Export(error.to_string());
    let mut writer = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::Always)
        .has_headers(has_header)
        .from_writer(Vec::new());
    for row in rows {
        writer
            .serialize(row)
            .map_err(|error| export_error(&error))?;
    }
    writer.into_inner().map_err(|error| export_error(&error))
}

/// The header line, which a file without rows has as well. It is generated from a default row.
pub(crate) fn csv_header<R: Serialize + Default>() -> Result<Vec<u8>, ApiError> {
    let mut lines = csv_lines([R::default()], true)?;
    let end = lines.iter().position(|byte| *byte == b'\n');
    lines.truncate(end.map_or(0, |end| end + 1));
    Ok(lines)
}
