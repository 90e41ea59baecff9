//! The files of the front end's build, which are embedded in the binary.

use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../frontend/dist"]
#[allow_missing = true]
struct Files;

/// For everything whose name stays when its content changes: the client asks whether it has changed.
pub(super) const REVALIDATE: &str = "no-cache";

/// A file of the front end's build; none if there was no build.
pub(super) fn embedded(path: &str) -> Option<EmbeddedFile> {
    Files::get(path)
}
