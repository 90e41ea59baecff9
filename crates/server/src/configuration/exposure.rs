//! Settings that are valid but risky if the server is reachable by others.

use glasshouse_casino::DatabaseUrl;
use url::{Host, Url};

use super::Configuration;

impl Configuration {
    /// Whether the API documentation is served publicly.
    pub(crate) fn is_documented(&self) -> bool {
        self.api_docs.map_or(!self.is_https(), super::Switch::is_on)
    }

    /// Warnings for the operator, one sentence each.
    pub(crate) fn warnings(&self) -> Vec<&'static str> {
        let mut warnings = Vec::new();
        if self.is_https() && !self.behind_proxy.is_on() {
            warnings.push(
                "the public URL is https, so there must be a proxy: without \
                 GLASSHOUSE_BEHIND_PROXY=on all players count as one client and share one limit",
            );
        }
        if !self.is_https() && !self.bind.ip().is_loopback() {
            warnings.push(
                "the server is reachable from other machines without https: cookies and passwords can \
                 be intercepted. Set GLASSHOUSE_PUBLIC_URL=https://… and use a proxy",
            );
        }
        if self.is_https() && self.mail.smtp_url.is_none() {
            warnings.push(
                "there is no SMTP server, so nobody gets mails: they are written into the data \
                 directory. Set GLASSHOUSE_SMTP_URL",
            );
        }
        if let DatabaseUrl::Postgres(url) = &self.database_url
            && is_open_to_eavesdroppers(url)
        {
            warnings.push(
                "PostgreSQL is on another machine and its certificate is not verified: add \
                 ?sslmode=verify-full&sslrootcert=… to its URL",
            );
        }
        if self.owner_database_url.is_some() {
            warnings.push(
                "the server knows GLASSHOUSE_OWNER_DATABASE_URL, so that whoever takes it over can change \
                 what is append-only. Set it for glasshouse migrate only",
            );
        }
        warnings
    }
}

/// Whether a PostgreSQL server is reached over a network without verifying its certificate.
fn is_open_to_eavesdroppers(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else {
        return false;
    };
    let parameter = |name: &str| {
        let pair = url.query_pairs().find(|(key, _)| key == name);
        pair.map(|(_, value)| value.into_owned())
    };
    let is_local_name = |name: &str| {
        let address = name.parse::<std::net::IpAddr>();
        // A path refers to a Unix socket.
        name.is_empty()
            || name == "localhost"
            || name.starts_with('/')
            || name.starts_with("%2F")
            || address.is_ok_and(|address| address.is_loopback())
    };
    let is_local = match (parameter("host"), url.host()) {
        (Some(host), _) => is_local_name(&host),
        (None, None) => true,
        (None, Some(Host::Ipv4(address))) => address.is_loopback(),
        (None, Some(Host::Ipv6(address))) => address.is_loopback(),
        (None, Some(Host::Domain(name))) => is_local_name(name),
    };
    !is_local && parameter("sslmode").as_deref() != Some("verify-full")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remote_database_must_be_verified() {
        let check = |url: &str, is_open: bool| {
            assert_eq!(is_open_to_eavesdroppers(url), is_open, "{url}");
        };
        check("postgres://me@localhost/casino", false);
        check("postgres://me@127.0.0.1:5432/casino", false);
        check("postgres://me@[::1]/casino", false);
        check("postgres:///casino?host=/var/run/postgresql", false);
        check("postgres://me@%2Fvar%2Frun/casino", false);
        check("postgres://me@db.example/casino", true);
        check("postgres://me@10.0.0.7/casino?sslmode=require", true);
        check("postgres://me@db.example/casino?sslmode=verify-full", false);
    }
}
