//! Receives the mails of a house.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use glasshouse_casino::House;
use glasshouse_casino::mail::deliver_due_mails;
use glasshouse_mail::Mailer;
use mail_parser::MessageParser;
use tempfile::TempDir;

/// A mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Received {
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) text: String,
}

impl Received {
    /// The token of the link in the mail.
    #[track_caller]
    pub(crate) fn token(&self) -> String {
        let (_, rest) = self.text.split_once('#').expect("no link with a token");
        rest.chars().take_while(char::is_ascii_hexdigit).collect()
    }
}

/// Where the mails of a house arrive.
pub(crate) struct Mailbox {
    folder: TempDir,
    mailer: Arc<Mailer>,
}

impl Mailbox {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let mailer = Mailer::into_folder(folder.path().to_owned(), "casino@example.com").unwrap();
        Self {
            folder,
            mailer: Arc::new(mailer),
        }
    }

    /// Has all due mails sent, and returns those that have arrived since the last call, the oldest
    /// first.
    pub(crate) async fn receive(&self, house: &House) -> Vec<Received> {
        while deliver_due_mails(house, &self.mailer).await.unwrap() > 0 {}
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let parser = MessageParser::default();
        let read = files.iter().map(|file| {
            let bytes = fs::read(file).unwrap();
            fs::remove_file(file).unwrap();
            let mail = parser.parse(&bytes).unwrap();
            let to = mail.to().unwrap().first().unwrap().address().unwrap();
            Received {
                to: to.to_owned(),
                subject: mail.subject().unwrap().to_owned(),
                text: mail.body_text(0).unwrap().replace("\r\n", "\n"),
            }
        });
        read.collect()
    }

    /// Receives the only new mail.
    #[track_caller]
    pub(crate) fn receive_one(&self, house: &House) -> impl Future<Output = Received> {
        let caller = std::panic::Location::caller();
        async move {
            let mut mails = self.receive(house).await;
            assert_eq!(mails.len(), 1, "at {caller}: {mails:#?}");
            mails.remove(0)
        }
    }

    /// The subjects of the new mails.
    pub(crate) async fn subjects(&self, house: &House) -> Vec<String> {
        let mails = self.receive(house).await.into_iter();
        mails.map(|mail| mail.subject).collect()
    }
}
