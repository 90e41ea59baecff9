//! Paths that other programs are told, and those of the front end's pages.

/// The path that the payment provider sends its callbacks to.
pub const CALLBACK_PATH: &str = "/api/payments/ipn";

/// The page of the front end that a payer returns to from the provider.
pub const RETURN_PATH: &str = "/dashboard?tab=account";

/// Whether a route of the front end's router leads to a path. A part of the route such as `:playerId` stands for
/// anything; the router ignores case, and slashes at both ends.
pub(crate) fn is_path_of(route: &str, path: &str) -> bool {
    let parts = [route, path].map(|text| text.trim_matches('/').split('/').collect::<Vec<_>>());
    let [route, path] = parts;
    route.len() == path.len()
        && route.iter().zip(path).all(|(expected, found)| {
            expected.eq_ignore_ascii_case(found) || (expected.starts_with(':') && !found.is_empty())
        })
}
