//! Whom passkeys are for: the host name at which browsers reach the house.

use url::{Host, Url};
use webauthn_rs::{Webauthn, WebauthnBuilder};

/// What devices list the passkeys under.
const NAME: &str = "Glasshouse";
/// The only name of this computer that browsers know to be safe without TLS.
const LOCAL: &str = "localhost";

/// Checks passkeys for the house at this URL; `None` if it has no name, because browsers have no
/// passkeys for network addresses. A house on this computer is `localhost`, at any port.
pub(crate) fn relying_party(public_url: &str) -> Option<Webauthn> {
    let url = Url::parse(public_url).ok()?;
    let is_local = match url.host()? {
        Host::Domain(name) => name == LOCAL,
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    };
    let (id, origin) = if is_local {
        (
            LOCAL,
            Url::parse(&format!("{}://{LOCAL}", url.scheme())).ok()?,
        )
    } else {
        (url.domain()?, url.clone())
    };
    let builder = WebauthnBuilder::new(id, &origin).ok()?;
    builder.rp_name(NAME).allow_any_port(is_local).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_are_for_names() {
        let origin = |url: &str| {
            relying_party(url).map(|found| found.get_allowed_origins().first().unwrap().to_string())
        };
        let check = |url: &str, expected: Option<&str>| {
            assert_eq!(origin(url).as_deref(), expected, "{url}");
        };
        check(
            "https://play.example.com",
            Some("https://play.example.com/"),
        );
        check(
            "https://play.example.com:8443",
            Some("https://play.example.com:8443/"),
        );
        check("http://127.0.0.1:8080", Some("http://localhost/"));
        check("http://[::1]:8080", Some("http://localhost/"));
        check("http://localhost:8080", Some("http://localhost/"));
        check("https://192.0.2.1", None);
        check("https://[2001:db8::1]", None);
        check("nonsense", None);
    }
}
