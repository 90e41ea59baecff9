//! The invariants of users and of what their rows repeat, as queries that count the violations.

/// Each invariant with a query that counts its violations. The queries are the same on both databases.
pub(crate) const USER_INVARIANTS: &[(&str, &str)] = &[
    (
        "a user's row says that there is a second factor exactly if there is one",
        "SELECT COUNT(*) AS value FROM users u
         WHERE u.has_second_factor <> CASE
            WHEN EXISTS (SELECT 1 FROM authenticators a WHERE a.user_id = u.id) THEN 1
            WHEN EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) THEN 1
            ELSE 0 END",
    ),
    (
        "every pseudonymised account is closed and has neither a name nor a way to sign in",
        "SELECT COUNT(*) AS value FROM users u WHERE u.pseudonymised_at_micros IS NOT NULL
            AND (u.closed_at_micros IS NULL OR u.pseudonymised_at_micros < u.closed_at_micros
                OR u.username <> 'closed.' || u.id OR u.username_key <> 'closed.' || u.id
                OR u.password_hash <> '!' OR u.shows_name <> 0 OR u.has_second_factor <> 0
                OR u.one_time_password_until_micros IS NOT NULL
                OR EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = u.id)
                OR EXISTS (SELECT 1 FROM recovery_codes c WHERE c.user_id = u.id)
                OR EXISTS (SELECT 1 FROM email_addresses a
                    WHERE a.user_id = u.id AND a.removed_at_micros IS NULL))",
    ),
    (
        "only pseudonymised accounts have pseudonyms",
        "SELECT COUNT(*) AS value FROM users u
         WHERE u.pseudonymised_at_micros IS NULL AND u.username_key LIKE 'closed.%'",
    ),
    (
        "every user has an account",
        "SELECT COUNT(*) AS value FROM users u LEFT JOIN accounts a ON a.player_id = u.id
         WHERE a.player_id IS NULL",
    ),
    (
        "every account names the newest version of the terms that its player has accepted",
        "SELECT COUNT(*) AS value FROM accounts a LEFT JOIN (
            SELECT user_id, MAX(version) AS version FROM terms_acceptances GROUP BY user_id
         ) t ON t.user_id = a.player_id WHERE a.terms_version <> COALESCE(t.version, 0)",
    ),
];
