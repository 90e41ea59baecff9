//! Which IP addresses count as one client.

use std::net::{IpAddr, Ipv6Addr};

/// The network of an address: an IPv4 address itself, or the first 64 bits of an IPv6 address,
/// because a client with one address of such a network has all of them.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)))
        }
        address @ IpAddr::V4(_) => address,
    }
}

/// The first 48 bits of an IPv6 address: an Internet provider may assign a customer a network of
/// this size, which contains many /64 networks. `None` for IPv4.
pub(crate) fn wide_network_of(address: IpAddr) -> Option<IpAddr> {
    match network_of(address) {
        IpAddr::V6(address) => {
            let wide = address.to_bits() & (u128::MAX << 80);
            Some(IpAddr::V6(Ipv6Addr::from_bits(wide)))
        }
        IpAddr::V4(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_network_counts_as_one_client() {
        let check = |text: &str, network: &str, wide: Option<&str>| {
            let address = text.parse().unwrap();
            assert_eq!(network_of(address).to_string(), network, "{text}");
            let found_wide = wide_network_of(address).map(|wide| wide.to_string());
            assert_eq!(found_wide.as_deref(), wide, "{text}");
        };
        check("192.0.2.7", "192.0.2.7", None);
        check("::ffff:192.0.2.7", "192.0.2.7", None);
        check(
            "2001:db8:1:2:3:4:5:6",
            "2001:db8:1:2::",
            Some("2001:db8:1::"),
        );
        check(
            "2001:db8:1:2:ffff::1",
            "2001:db8:1:2::",
            Some("2001:db8:1::"),
        );
        check("2001:db8:1:3::1", "2001:db8:1:3::", Some("2001:db8:1::"));
    }
}
