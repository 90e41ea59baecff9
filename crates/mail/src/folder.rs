//! Mails as files, for houses without an SMTP server.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::SendError;
use crate::mail::Mail;

/// How many mails are kept; the oldest are deleted.
const MAXIMUM_FILES: usize = 200;
const SUFFIX: &str = "eml";

pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(crate) const fn new(path: PathBuf) -> Self {
        Self { path }
    }

    pub(crate) async fn write(&self, mail: &Mail, message: Vec<u8>) -> Result<(), SendError> {
        // Names sort by age. A mail that is written twice has one file.
        let name = format!(
            "{:020}-{:010}.{SUFFIX}",
            mail.written_at.as_micros(),
            mail.id
        );
        let path = self.path.clone();
        let unusable = |error: &dyn std::fmt::Display| SendError::Temporary(error.to_string());
        tokio::task::spawn_blocking(move || write(&path, &name, &message))
            .await
            .map_err(|error| unusable(&error))?
            .map_err(|error| unusable(&error))
    }
}

fn write(folder: &Path, name: &str, message: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    // Temporary files are only readable by their owner.
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(message)?;
    file.as_file().sync_all()?;
    file.persist(folder.join(name))?;
    let mut mails: Vec<PathBuf> = fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|suffix| suffix == SUFFIX))
        .collect();
    mails.sort();
    let excess = mails.len().saturating_sub(MAXIMUM_FILES);
    for old in mails.iter().take(excess) {
        // Another server may have deleted it.
        let _ = fs::remove_file(old);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use glasshouse_domain::{EmailAddress, Timestamp};

    use super::*;
    use crate::mailer::Mailer;

    fn mail(id: i64) -> Mail {
        Mail {
            id,
            written_at: Timestamp::from_micros(1_700_000_000_000_000 + id),
            recipient: EmailAddress::parse("alice@example.com").unwrap(),
            subject: "Your link".to_owned(),
            body: "Grüße\n.\nhttps://casino.example/verify-email#abc\n".to_owned(),
        }
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut files: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        files
    }

    #[tokio::test]
    async fn a_mail_is_a_private_file_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mail");
        let mailer = Mailer::into_folder(path.clone(), "The House <casino@example.com>").unwrap();
        mailer.send(&mail(1)).await.unwrap();
        mailer.send(&mail(1)).await.unwrap();
        let files = files(&path);
        assert_eq!(files.len(), 1);
        let mode = fs::metadata(&files[0]).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let text = fs::read(&files[0]).unwrap();
        let parsed = mail_parser::MessageParser::default().parse(&text).unwrap();
        assert_eq!(parsed.subject(), Some("Your link"));
        assert_eq!(parsed.message_id(), Some("1.1700000000000001@example.com"));
        assert_eq!(
            parsed.to().unwrap().first().unwrap().address(),
            Some("alice@example.com")
        );
        let body = parsed.body_text(0).unwrap().replace("\r\n", "\n");
        assert_eq!(body.trim_end(), mail(1).body.trim_end());
    }

    #[tokio::test]
    async fn the_oldest_mails_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let mailer = Mailer::into_folder(folder.path().to_owned(), "casino@example.com").unwrap();
        fs::write(folder.path().join("0-note.txt"), "not a mail").unwrap();
        for id in 0..=2 + i64::try_from(MAXIMUM_FILES).unwrap() {
            mailer.send(&mail(id)).await.unwrap();
        }
        let files = files(folder.path());
        assert_eq!(files.len(), MAXIMUM_FILES + 1);
        assert!(files[0].ends_with("0-note.txt"));
        assert!(files[1].to_str().unwrap().ends_with("-0000000003.eml"));
    }
}
