//! What of the settings is dangerous where others reach the casino, without being wrong.

use glasshouse_casino::DatabaseUrl;
use url::{Host, Url};

use super::Configuration;

impl Configuration {
    /// Whether the calls are described to everybody.
    pub(crate) fn is_documented(&self) -> bool {
        self.api_docs.map_or(!self.is_https(), super::Switch::is_on)
    }

    /// What the operator should know, one sentence each.
    pub(crate) fn warnings(&self) -> Vec<&'static str> {
        let mut warnings = Vec::new();
        if self.is_https() && !self.behind_proxy.is_on() {
            warnings.push(
                "the public URL is https, so a proxy is in front: without GLASSHOUSE_BEHIND_PROXY=on \
                 all players are one address and share one limit",
            );
        }
        if !self.is_https() && !self.bind.ip().is_loopback() {
            warnings.push(
                "the casino is reached from other computers without https: cookies and passwords \
                 can be read on the way. Set GLASSHOUSE_PUBLIC_URL=https://… behind a proxy",
            );
        }
        if let DatabaseUrl::Postgres(url) = &self.database_url
            && is_open_to_eavesdroppers(url)
        {
            warnings.push(
                "PostgreSQL is on another computer and not verified: add \
                 ?sslmode=verify-full&sslrootcert=… to its URL",
            );
        }
        warnings
    }
}

/// Whether the way to a PostgreSQL server leads over a network without the server's being verified.
fn is_open_to_eavesdroppers(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else {
        return false;
    };
    let parameter = |name: &str| {
        let found = url.query_pairs().find(|(key, _)| key == name);
        found.map(|(_, value)| value.into_owned())
    };
    let is_local_name = |name: &str| {
        let address = name.parse::<std::net::IpAddr>();
        // A path is that of a socket.
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
    fn a_database_on_another_computer_is_to_be_verified() {
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
