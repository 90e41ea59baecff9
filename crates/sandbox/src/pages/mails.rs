//! The page with the mails that the house has written to files, because it has no SMTP server.

use std::fs;
use std::path::{Path, PathBuf};

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use jiff::Timestamp;
use mail_parser::{Address, Message, MessageParser};
use maud::{Markup, html};

use super::html::{page, term};
use super::respond;
use crate::shared::Shared;

/// The maximum number of mails shown, newest first.
const MAXIMUM_SHOWN: usize = 50;
/// No longer file is read; the house's mails are short.
const MAXIMUM_BYTES: u64 = 64 * 1024;

#[get("/sandbox/mails")]
pub(super) async fn show(shared: web::Data<Shared>) -> HttpResponse {
    let content = match &shared.options.mail_folder {
        None => html! { p { "The house's mails are not shown here." } },
        Some(folder) => {
            let folder = folder.clone();
            let read = web::block(move || newest(&folder))
                .await
                .unwrap_or_default();
            mails(&read)
        }
    };
    respond(StatusCode::OK, page("Mails", None, &content))
}

fn mails(files: &[Vec<u8>]) -> Markup {
    let parser = MessageParser::default();
    let mails: Vec<Message<'_>> = files.iter().filter_map(|file| parser.parse(file)).collect();
    html! {
        @if mails.is_empty() {
            p { "The house has not written any mail yet." }
        }
        @for (index, mail) in mails.iter().enumerate() {
            (article(&format!("mail-{index}"), mail))
        }
    }
}

/// A mail. It is no section, because sections need different names and many mails have the same subject.
fn article(id: &str, mail: &Message<'_>) -> Markup {
    html! {
        article aria-labelledby=(id) {
            h2 id=(id) { (mail.subject().unwrap_or("–")) }
            (contents(mail))
        }
    }
}

fn contents(mail: &Message<'_>) -> Markup {
    let recipient = mail.to().and_then(Address::first);
    let recipient = recipient.and_then(|recipient| recipient.address());
    let date = mail.date().map(mail_parser::DateTime::to_timestamp);
    let date = date.and_then(|seconds| Timestamp::from_second(seconds).ok());
    let date = date.map(|date| date.to_string());
    html! {
        dl {
            (term("To", recipient.unwrap_or("–")))
            (term("Date", date.as_deref().unwrap_or("–")))
        }
        pre.mail tabindex="0" { (text_of(mail)) }
    }
}

/// The text, in which the links can be followed.
fn text_of(mail: &Message<'_>) -> Markup {
    let text = mail.body_text(0).unwrap_or_default();
    html! {
        @for line in text.lines() {
            @if is_link(line) {
                a href=(line) { (line) }
            } @else {
                (line)
            }
            "\n"
        }
    }
}

/// Whether a line is nothing but a link. Other schemes, such as `javascript:`, are none.
fn is_link(line: &str) -> bool {
    let is_web = line.starts_with("https://") || line.starts_with("http://");
    is_web && !line.contains(char::is_whitespace)
}

/// The contents of the newest files, newest first. Files that cannot be read are left out: the house may
/// have deleted them meanwhile.
fn newest(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "eml"))
        .collect();
    // The names sort by age.
    files.sort();
    let is_short =
        |path: &PathBuf| fs::metadata(path).is_ok_and(|metadata| metadata.len() <= MAXIMUM_BYTES);
    files
        .into_iter()
        .rev()
        .filter(is_short)
        .take(MAXIMUM_SHOWN)
        .filter_map(|path| fs::read(path).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_on_the_web_are_links() {
        assert!(is_link("http://127.0.0.1:8080/verify-email#abc"));
        for line in ["javascript:alert(1)", "https://a b", "see https://a", ""] {
            assert!(!is_link(line), "{line}");
        }
    }
}
