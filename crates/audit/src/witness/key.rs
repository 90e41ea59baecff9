//! The private key of the witness, generated at the first start.

use std::path::Path;

use glasshouse_transparency::cosignature::WitnessSigningKey;
use glasshouse_transparency::keys::new_private_key;
use glasshouse_transparency::origin::Origin;
use rand::TryRng as _;
use rand::rngs::SysRng;
use secrecy::ExposeSecret as _;

use crate::fault::Fault;
use crate::files;

const FILE: &str = "witness-key";

/// Reads the key in the folder, or generates one with the given name.
///
/// # Errors
/// If the file cannot be read or written, or the key has another name than the one that was asked
/// for.
pub(crate) fn read_or_generate(
    folder: &Path,
    asked_name: Option<&Origin>,
    default_name: &Origin,
) -> Result<WitnessSigningKey, Fault> {
    let file = folder.join(FILE);
    let text = match files::read(&file)? {
        Some(text) => text,
        None => generate(&file, asked_name.unwrap_or(default_name))?,
    };
    let key = WitnessSigningKey::parse(text.trim_end())
        .map_err(|error| Fault::file(&file, format!("is not the key of a witness: {error}")))?;
    let name = key.public().name();
    match asked_name {
        Some(asked) if asked != name => Err(Fault::Usage(format!(
            "The key in {} has the name {name}, not {asked}. A witness with another name needs another \
             folder.",
            file.display()
        ))),
        _ => Ok(key),
    }
}

fn generate(file: &Path, name: &Origin) -> Result<String, Fault> {
    let mut random = [0; 32];
    SysRng
        .try_fill_bytes(&mut random)
        .map_err(Fault::interrupted)?;
    let key = new_private_key(name, random);
    let text = format!("{}\n", key.expose_secret());
    files::create(file, &text)?;
    Ok(text)
}
