//! Users with an authenticator, with short signatures for the tests.

use std::time::Duration;

use glasshouse_casino::accounts::{
    Enrolment, SecondFactorAttempt, SessionKeyHash, SignIn, confirm_authenticator,
    confirm_with_second_factor, enrol_authenticator, find_session, open_proved_session,
    open_session, read_second_factor, sign_in,
};
use glasshouse_casino::{AccountRefusal, CasinoError, House, Refusal, RequestOrigin, User};
use glasshouse_domain::{TypedPassword, UserId};
use totp_rs::{Builder, Secret};

use super::Fixture;

pub(crate) const PASSWORD: &str = "tr4vel-lamp";
pub(crate) const STEP: Duration = Duration::from_secs(30);

pub(crate) fn origin() -> RequestOrigin {
    RequestOrigin::default()
}

pub(crate) fn password(name: &str, password: &str) -> SignIn {
    SignIn {
        username: name.to_owned(),
        password: TypedPassword::new(password.to_owned()),
        origin: origin(),
    }
}

/// A code as it is entered on a device that the account knows.
pub(crate) fn typed(text: &str) -> SecondFactorAttempt {
    SecondFactorAttempt {
        text: text.to_owned(),
        is_limited: false,
        origin: origin(),
    }
}

/// A code as it is entered on any other device.
pub(crate) fn typed_by_a_stranger(text: &str) -> SecondFactorAttempt {
    SecondFactorAttempt {
        is_limited: true,
        ..typed(text)
    }
}

/// A player with an authenticator.
pub(crate) struct Protected<'a> {
    pub(crate) test: &'a Fixture,
    pub(crate) id: UserId,
    pub(crate) session: SessionKeyHash,
    pub(crate) enrolment: Enrolment,
    pub(crate) recovery_codes: Vec<String>,
}

impl<'a> Protected<'a> {
    pub(crate) async fn player(test: &'a Fixture) -> Self {
        let id = test.player("alice", 0).await;
        Self::of(test, id).await
    }

    pub(crate) async fn of(test: &'a Fixture, id: UserId) -> Self {
        let session = session(&test.house, id).await;
        let user = user(&test.house, &session).await;
        let enrolment = enrol_authenticator(&test.house, &user).await.unwrap();
        let code = code_of(&enrolment, test, 0);
        let recovery_codes =
            confirm_authenticator(&test.house, &session, &user, &code, origin()).await;
        test.clock.advance(STEP);
        Self {
            test,
            id,
            session,
            enrolment,
            recovery_codes: recovery_codes.unwrap(),
        }
    }

    /// The code of the current time step, or of one so many steps away.
    pub(crate) fn code(&self, steps: i64) -> String {
        code_of(&self.enrolment, self.test, steps)
    }

    pub(crate) async fn sign_in(&self, code: &str) -> Result<(), CasinoError> {
        sign_in_with(&self.test.house, typed(code)).await
    }

    pub(crate) async fn confirm(&self, text: &str) -> Result<(), CasinoError> {
        let session = self.session.clone();
        confirm_with_second_factor(&self.test.house, session, self.id, typed(text))
            .await
            .map(drop)
    }

    pub(crate) async fn is_confirmed(&self) -> bool {
        let session = find_session(&self.test.house, self.session.clone()).await;
        self.test.house.now() < session.unwrap().unwrap().confirmed_until
    }

    pub(crate) async fn recovery_codes_left(&self) -> i64 {
        let status = read_second_factor(&self.test.house, self.id).await;
        status.unwrap().recovery_codes_left
    }
}

pub(crate) async fn sign_in_with(
    house: &House,
    entered: SecondFactorAttempt,
) -> Result<(), CasinoError> {
    let found = sign_in(house, password("alice", PASSWORD), Some(entered)).await?;
    open_proved_session(house, found.proof, origin()).await?;
    Ok(())
}

pub(crate) async fn session(house: &House, user: UserId) -> SessionKeyHash {
    SessionKeyHash::of(&open_session(house, user, origin()).await.unwrap())
}

pub(crate) async fn user(house: &House, session: &SessionKeyHash) -> User {
    let found = find_session(house, session.clone()).await.unwrap();
    found.unwrap().user
}

pub(crate) fn code_of(enrolment: &Enrolment, test: &Fixture, steps: i64) -> String {
    let secret = Secret::try_from_base32(&enrolment.secret).unwrap();
    let totp = Builder::new()
        .with_secret(secret)
        .with_account_name("alice")
        .build()
        .unwrap();
    let seconds = test.house.now().as_micros() / 1_000_000 + 30 * steps;
    totp.generate(u64::try_from(seconds).unwrap()).to_string()
}

/// A code that is none of those that are accepted now.
pub(crate) fn wrong_code(protected: &Protected<'_>) -> String {
    let right: Vec<String> = (-1..=1).map(|steps| protected.code(steps)).collect();
    let mut codes = (0..10).map(|number| format!("{number:06}"));
    codes.find(|code| !right.contains(code)).unwrap()
}

pub(crate) fn invalid() -> Refusal {
    AccountRefusal::InvalidSecondFactor.into()
}

pub(crate) fn required() -> Refusal {
    AccountRefusal::SecondFactorRequired.into()
}
