//! E-mail addresses of players, and when two of them are the same.

use std::fmt;

use email_address::{EmailAddress as Parser, Options};

/// The longest address that mail servers must accept (RFC 5321).
const MAXIMUM_BYTES: usize = 254;
/// The domains of one mail service that ignores dots before the `@`.
const GOOGLE_MAIL: [&str; 2] = ["gmail.com", "googlemail.com"];

/// A valid e-mail address as its owner wrote it. It consists of printable ASCII characters, so that it
/// can stand in a header.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct EmailAddress(String);

/// The text is not an address that mails can be sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Please enter a valid e-mail address")]
pub struct EmailAddressError;

impl EmailAddress {
    /// Parses an address, without spaces around it. Quoted local parts, addresses of machines
    /// (`me@[192.0.2.1]`) and letters beyond ASCII are refused, because many mail servers refuse them.
    ///
    /// # Errors
    /// If it is not a valid address.
    pub fn parse(text: &str) -> Result<Self, EmailAddressError> {
        let text = text.trim_matches(' ');
        let is_plain = text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'"');
        if text.len() > MAXIMUM_BYTES || !is_plain {
            return Err(EmailAddressError);
        }
        let options = Options::default()
            .with_required_tld()
            .without_display_text()
            .without_domain_literal();
        Parser::parse_with_options(text, options).map_err(|_| EmailAddressError)?;
        Ok(Self(text.to_owned()))
    }

    /// The address as its owner wrote it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address without what mail services commonly ignore, so that all spellings of one mailbox
    /// have the same key: the case, a tag after `+`, and the dots of Google's addresses.
    #[must_use]
    pub fn key(&self) -> String {
        let lower = self.0.to_ascii_lowercase();
        let Some((local, domain)) = lower.rsplit_once('@') else {
            return lower;
        };
        let untagged = match local.split_once('+') {
            Some((name, _)) if !name.is_empty() => name,
            _ => local,
        };
        if GOOGLE_MAIL.contains(&domain) {
            let name = untagged.replace('.', "");
            return format!("{name}@{}", GOOGLE_MAIL[0]);
        }
        format!("{untagged}@{domain}")
    }
}

/// Omits the address, which is personal data and would end up in logs.
impl fmt::Debug for EmailAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("EmailAddress(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_mails_can_be_sent_to_are_accepted() {
        for valid in [
            "alice@example.com",
            " alice@example.com ",
            "a.b+c@mail.example.co.uk",
            "o'neil_2@xn--bcher-kva.example",
        ] {
            let address = EmailAddress::parse(valid).unwrap();
            assert_eq!(address.as_str(), valid.trim());
        }
        let long = format!("{}@{}.com", "a".repeat(64), "b".repeat(63));
        assert!(EmailAddress::parse(&long).is_ok());
    }

    /// What could add a header or a recipient to a mail is no address.
    #[test]
    fn everything_else_is_refused() {
        let too_long = format!("a@{}example.com", "b.".repeat(130));
        for invalid in [
            "",
            "alice",
            "@example.com",
            "alice@",
            "alice@localhost",
            "alice@example..com",
            "alice@@example.com",
            ".alice@example.com",
            "alice@[192.0.2.1]",
            "\"al ice\"@example.com",
            "Alice <alice@example.com>",
            "alice@example.com,bob@example.com",
            "alice@example.com;bob@example.com",
            "alice@example.com\r\nBcc: bob@example.com",
            "alice@example.com\n",
            "alice\0@example.com",
            "al ice@example.com",
            "älice@example.com",
            "alice@exämple.com",
            &too_long,
        ] {
            assert_eq!(
                EmailAddress::parse(invalid),
                Err(EmailAddressError),
                "{invalid:?}"
            );
        }
    }

    #[test]
    fn spellings_of_one_mailbox_have_one_key() {
        for (written, key) in [
            ("Alice@Example.COM", "alice@example.com"),
            ("alice+casino@example.com", "alice@example.com"),
            ("alice+a+b@example.com", "alice@example.com"),
            ("al.ice@example.com", "al.ice@example.com"),
            ("A.Li.ce+x@gmail.com", "alice@gmail.com"),
            ("alice@GoogleMail.com", "alice@gmail.com"),
            ("+alice@example.com", "+alice@example.com"),
            ("alice-casino@example.com", "alice-casino@example.com"),
        ] {
            assert_eq!(
                EmailAddress::parse(written).unwrap().key(),
                key,
                "{written}"
            );
        }
    }
}
