//! Refuses passwords that are easy to guess, and says how hard a password is to guess.
//!
//! The form requires at least six characters; this module judges which ones. zxcvbn estimates the
//! number of guesses; it knows the thirty thousand most common passwords, names, words, keyboard
//! patterns and dates. It does not know where the password is used, so the names of the house are
//! removed first, and the rest must be long enough for a password by itself. It does not know most
//! passwords from data breaches either, of which the house has a list.

use glasshouse_domain::{NewPassword, Role, TypedPassword};
use zxcvbn::Entropy;
use zxcvbn::feedback::Feedback;

use crate::accounts::breached_passwords::is_breached;
use crate::error::AccountRefusal;

/// The minimum number of guesses for a player's password: as many as for six random characters.
const MINIMUM_PLAYER_GUESSES: u64 = 1_000_000;
/// The minimum number of guesses for an administrator's password.
const MINIMUM_ADMINISTRATOR_GUESSES: u64 = 10_000_000_000;
/// The minimum length of an administrator's password in characters.
const MINIMUM_ADMINISTRATOR_CHARACTERS: usize = 12;
/// The minimum number of characters that remain of a password without well-known names.
const MINIMUM_REMAINING_CHARACTERS: usize = 6;
/// Names of the house, whatever its address is.
const HOUSE_NAMES: [&str; 2] = ["glasshouse", "casino"];
/// Shorter names are ignored, because they occur in too many passwords by chance.
const MINIMUM_NAME_CHARACTERS: usize = 4;
/// How many characters of a password are estimated; longer ones are not common. The time grows with
/// the square of this number: a text made of signs that can stand for letters takes 0.15 s with 40
/// characters, and 0.7 s with the hundred at which zxcvbn stops.
const ESTIMATED_CHARACTERS: usize = 40;
/// The most guesses for a password from a data breach: whoever has the list tries all of it.
const MAXIMUM_BREACHED_GUESSES: u64 = 1_000_000;
/// The highest score of a refused password, which may be hard to guess in zxcvbn's opinion.
const MAXIMUM_REFUSED_SCORE: u8 = 1;

/// How good a password is for the user who wants to choose it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordAssessment {
    /// Why the password would be refused; `None` if it would be accepted.
    pub refusal: Option<AccountRefusal>,
    /// How hard the password is to guess: from 0 (guessed at once) to 4 (hardly ever). At most 1 if
    /// it would be refused, and 0 if it is too short or too long.
    pub score: u8,
    /// The power of ten of the estimated number of guesses, rounded down; at most 19.
    pub guesses_power_of_ten: u32,
    /// What makes the password easy to guess.
    pub warning: Option<String>,
    /// How to choose a better one.
    pub suggestions: Vec<String>,
}

/// Refuses a password that is too easy to guess for a user with this role. `house_names` are words
/// of the house's address, in lower case. Keeps a core busy for up to 0.15 s.
pub(crate) fn check_password(
    password: &NewPassword,
    username: &str,
    house_names: &[String],
    role: Role,
) -> Result<(), AccountRefusal> {
    judge(password, username, house_names, role).1
}

/// Assesses a text as a user's new password, by the rules of [`check_password`].
pub(crate) fn assess_password(
    typed: &TypedPassword,
    username: &str,
    house_names: &[String],
    role: Role,
) -> PasswordAssessment {
    let password = match NewPassword::parse(typed.expose().to_owned()) {
        Ok(password) => password,
        Err(error) => {
            return PasswordAssessment {
                refusal: Some(error.into()),
                score: 0,
                guesses_power_of_ten: 0,
                warning: None,
                suggestions: Vec::new(),
            };
        }
    };
    let (estimate, verdict) = judge(&password, username, house_names, role);
    let refusal = verdict.err();
    let mut score = u8::from(estimate.score());
    if refusal.is_some() {
        score = score.min(MAXIMUM_REFUSED_SCORE);
    }
    let mut guesses = estimate.guesses();
    if refusal == Some(AccountRefusal::PasswordBreached) {
        guesses = guesses.min(MAXIMUM_BREACHED_GUESSES);
    }
    let feedback = estimate.feedback();
    let suggestions = feedback.map_or(&[][..], Feedback::suggestions);
    PasswordAssessment {
        refusal,
        score,
        guesses_power_of_ten: guesses.checked_ilog10().unwrap_or(0),
        warning: feedback
            .and_then(Feedback::warning)
            .map(|warning| warning.to_string()),
        suggestions: suggestions.iter().map(ToString::to_string).collect(),
    }
}

/// The estimate of a password, and whether a user with this role may have it.
fn judge(
    password: &NewPassword,
    username: &str,
    house_names: &[String],
    role: Role,
) -> (Entropy, Result<(), AccountRefusal>) {
    let text = password.expose();
    let username = username.to_lowercase();
    let house_names = house_names.iter().map(String::as_str);
    let well_known: Vec<&str> = HOUSE_NAMES
        .into_iter()
        .chain(house_names)
        .chain([username.as_str()])
        .collect();
    let end = text.char_indices().nth(ESTIMATED_CHARACTERS);
    let (beginning, _) = text.split_at(end.map_or(text.len(), |(end, _)| end));
    let estimate = zxcvbn::zxcvbn(beginning, &well_known);
    let guesses = estimate.guesses();
    let is_long = text.chars().count() >= MINIMUM_ADMINISTRATOR_CHARACTERS;
    let is_hard = is_long && guesses >= MINIMUM_ADMINISTRATOR_GUESSES;
    let verdict = if guesses < MINIMUM_PLAYER_GUESSES || is_mostly_well_known(text, &well_known) {
        Err(AccountRefusal::PasswordTooCommon)
    } else if is_breached(password) {
        Err(AccountRefusal::PasswordBreached)
    } else if role.is_administrator() && !is_hard {
        Err(AccountRefusal::AdministratorPassword)
    } else {
        Ok(())
    };
    (estimate, verdict)
}

/// Whether too little remains of a password without well-known names, in any spelling:
/// `Gl4ss-House!2026` is such a name with a suffix.
fn is_mostly_well_known(text: &str, well_known: &[&str]) -> bool {
    let characters = text.chars().count();
    // A 1 can stand for an l as well as for an i.
    ['i', 'l'].into_iter().any(|one| {
        let mut rest = normalized(text, one);
        let mut matched = 0;
        for name in well_known {
            let name = normalized(name, one);
            if name.chars().count() >= MINIMUM_NAME_CHARACTERS {
                matched += rest.matches(&name).count() * name.chars().count();
                rest = rest.replace(&name, " ");
            }
        }
        matched > 0 && characters.saturating_sub(matched) < MINIMUM_REMAINING_CHARACTERS
    })
}

/// Normalizes a text: lower case, letters instead of the characters that usually stand for them,
/// and everything removed that is neither letter nor digit.
fn normalized(text: &str, one: char) -> String {
    let letters = text.to_lowercase();
    let letters = letters.chars().map(|sign| match sign {
        '0' => 'o',
        '1' | '!' | '|' => one,
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        '8' => 'b',
        other => other,
    });
    letters.filter(|sign| sign.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use glasshouse_domain::PasswordError;

    use super::*;

    #[track_caller]
    fn check(password: &str, role: Role, expected: Result<(), AccountRefusal>) {
        let parsed = NewPassword::parse(password.to_owned()).unwrap();
        let house = ["lucky-seven".to_owned()];
        let result = check_password(&parsed, "alice_99", &house, role);
        assert_eq!(result, expected, "{password}");
    }

    #[test]
    fn common_passwords_are_refused() {
        for common in [
            "123456",
            "password",
            "qwerty",
            "111111",
            "letmein",
            "aaaaaa",
            "admin123",
            "casino1",
            "abc123x",
            "iloveu2",
            "dragon12",
            "football1",
            "liverpool1",
            "soccer10",
            "zxcvbnm1",
            "P@ssw0rd1",
            "20261121",
            "michael7",
        ] {
            check(common, Role::Player, Err(AccountRefusal::PasswordTooCommon));
        }
    }

    #[test]
    fn names_of_house_and_user_with_short_additions_are_refused() {
        for well_known in [
            "glasshouse",
            "Glasshouse1",
            "glasshouse2026!",
            "gl4ssh0us3",
            "g1a55house",
            "x9glasshouse",
            "Glass-House!77",
            "casino2026!",
            "c@sin0777",
            "glasshousecasino",
            "alice_99",
            "Alice_99!!1",
            "lucky-seven7",
            "LuckySeven2026",
        ] {
            check(
                well_known,
                Role::Player,
                Err(AccountRefusal::PasswordTooCommon),
            );
        }
    }

    #[test]
    fn hard_to_guess_password_of_six_characters_is_accepted_for_players() {
        for password in [
            "k7#qPz",
            "tr4vel-lamp",
            "correct horse battery",
            "glasshouse-test-1",
            "c4reful-hands",
            "\u{fc}\u{f6}\u{e4}\u{fc}\u{f6}x",
        ] {
            check(password, Role::Player, Ok(()));
        }
    }

    #[test]
    fn breached_passwords_are_refused_for_everybody() {
        for breached in ["k9vVos0a", "K9VVOS0A", "yfcnhjtybt", "xxaIGWnffPu9M"] {
            for role in [Role::Player, Role::Owner] {
                check(breached, role, Err(AccountRefusal::PasswordBreached));
            }
        }
    }

    #[test]
    fn short_or_guessable_administrator_password_is_refused() {
        let refused = Err(AccountRefusal::AdministratorPassword);
        check("k7#qPz", Role::Owner, refused);
        check("tr4vel-lamp", Role::Owner, refused);
        check(
            "password",
            Role::Owner,
            Err(AccountRefusal::PasswordTooCommon),
        );
        check("c4reful-hands-of-a-keeper", Role::Owner, Ok(()));
        check(
            &crate::randomness::random_password().unwrap(),
            Role::Owner,
            Ok(()),
        );
    }

    fn assess(password: &str, role: Role) -> PasswordAssessment {
        let typed = TypedPassword::new(password.to_owned());
        assess_password(&typed, "alice_99", &["lucky-seven".to_owned()], role)
    }

    #[test]
    fn the_assessment_is_the_verdict_of_the_check() {
        for password in [
            "password",
            "LuckySeven2026",
            "alice_99!",
            "k9vVos0a",
            "k7#qPz",
            "tr4vel-lamp",
            "c4reful-hands-of-a-keeper",
        ] {
            for role in [Role::Player, Role::Owner] {
                let assessment = assess(password, role);
                let verdict = assessment.refusal.map_or(Ok(()), Err);
                check(password, role, verdict);
                assert!(verdict.is_ok() || assessment.score <= 1, "{password}");
            }
        }
    }

    #[test]
    fn the_score_grows_with_the_number_of_guesses() {
        let check = |password: &str, score: u8, guesses_power_of_ten: u32| {
            let assessment = assess(password, Role::Player);
            assert_eq!(
                (assessment.score, assessment.guesses_power_of_ten),
                (score, guesses_power_of_ten),
                "{password}"
            );
        };
        check("password", 0, 0);
        check("k7#qPz", 1, 6);
        check("tr4vel-lamp", 3, 8);
        check("c4reful-hands-of-a-keeper", 4, 17);
        // In zxcvbn's opinion it takes 10^13 guesses, but it is on the list.
        check("xxaIGWnffPu9M", 1, 6);
    }

    #[test]
    fn the_feedback_says_what_is_wrong_and_what_would_be_better() {
        let assessment = assess("password", Role::Player);
        assert_eq!(
            assessment.warning.as_deref(),
            Some("This is a top-10 common password.")
        );
        assert_eq!(
            assessment.suggestions,
            ["Add another word or two. Uncommon words are better."]
        );
        let assessment = assess("c4reful-hands-of-a-keeper", Role::Player);
        assert_eq!((assessment.warning, assessment.suggestions), (None, vec![]));
    }

    #[test]
    fn passwords_that_cannot_be_chosen_are_assessed_with_the_reason() {
        for (password, reason) in [
            ("", PasswordError::TooShort),
            ("k7#qP", PasswordError::TooShort),
            (&"x".repeat(1_025), PasswordError::TooLong),
        ] {
            let assessment = assess(password, Role::Player);
            assert_eq!(assessment.refusal, Some(reason.into()), "{password}");
            assert_eq!(assessment.score, 0, "{password}");
        }
    }

    /// Beyond forty characters the estimate would take seconds for some passwords.
    #[test]
    fn only_the_first_forty_characters_are_estimated() {
        let estimate = |password: &str| {
            let assessment = assess(password, Role::Player);
            (assessment.refusal, assessment.guesses_power_of_ten)
        };
        let forty = "\u{fc}".repeat(40);
        let (refusal, guesses) = estimate(&forty);
        assert_eq!(refusal, Some(AccountRefusal::PasswordTooCommon));
        assert_eq!(estimate(&format!("{forty}k7#qPz")), (refusal, guesses));
    }
}
