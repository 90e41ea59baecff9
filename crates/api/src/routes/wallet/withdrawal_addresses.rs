//! A player's address book.

use actix_web::{HttpRequest, HttpResponse, delete, get, post, put, web};
use glasshouse_casino::money::{
    NewAddress, add_withdrawal_address, label_withdrawal_address, read_withdrawal_addresses,
    remove_withdrawal_address,
};
use glasshouse_casino::{Refusal, WithdrawalAddress as StoredAddress};
use glasshouse_domain::{AddressLabel, MAXIMUM_WITHDRAWAL_ADDRESSES, WithdrawalAddressId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::client_ip::ClientAddress;
use crate::http::json_body::Json;
use crate::http::password_check::require_password;
use crate::http::rate_limit::Limit;
use crate::http::responses::{Malformed, NotFound, PlayersOnly, RateLimited};
use crate::routes::wallet::withdrawals::delay_hours;
use crate::session::{ConfirmedIfProtected, SignedIn};
use crate::state::Application;
use crate::wire::currency::CurrencyText;
use crate::wire::time::iso;

/// An address in the player's address book.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WithdrawalAddress {
    id: i64,
    #[schema(example = "btc")]
    currency: &'static str,
    wallet_address: String,
    /// The player's name for it.
    label: Option<String>,
    /// When it was added, or first used.
    #[schema(format = "date-time")]
    added_at: String,
    /// From when it no longer delays withdrawals.
    #[schema(format = "date-time")]
    usable_from: String,
}

impl From<StoredAddress> for WithdrawalAddress {
    fn from(address: StoredAddress) -> Self {
        Self {
            id: address.id.get(),
            currency: address.currency.code(),
            wallet_address: address.address,
            label: address.label,
            added_at: iso(address.added_at),
            usable_from: iso(address.usable_from),
        }
    }
}

/// The player's address book.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddressBook {
    addresses: Vec<WithdrawalAddress>,
    /// How many addresses it can have.
    #[schema(example = 50)]
    maximum: usize,
    /// How long a new address, or a change of the password or the second factor, delays withdrawals, in
    /// hours; 0 if nothing does.
    #[schema(example = 24)]
    delay_hours: u64,
}

/// The player's address book: the addresses that were added, and those that were used in withdrawals.
#[utoipa::path(tag = "money", responses((status = 200, body = AddressBook), PlayersOnly))]
#[get("/api/account/withdrawal-addresses")]
pub(crate) async fn address_book(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
) -> Result<web::Json<AddressBook>, ApiError> {
    let addresses = read_withdrawal_addresses(&application.house, user.id).await?;
    Ok(web::Json(AddressBook {
        addresses: addresses.into_iter().map(WithdrawalAddress::from).collect(),
        maximum: MAXIMUM_WITHDRAWAL_ADDRESSES,
        delay_hours: delay_hours(&application.house),
    }))
}

/// An address to be added.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CreateAddress {
    /// The code of a supported cryptocurrency.
    #[schema(value_type = CurrencyText)]
    currency: CurrencyText,
    /// A mainnet address of that currency.
    #[schema(max_length = 128)]
    wallet_address: String,
    /// The player's name for it, at most 50 characters.
    #[schema(max_length = 50)]
    label: Option<String>,
    /// The player's password.
    #[schema(format = "password")]
    password: String,
}

/// Adds an address. Withdrawals to it are delayed for a while, so that the owner of the account notices if
/// somebody else added it. Wrong passwords count as failed sign-ins. Players with a second factor must have
/// confirmed the session with it, as for all changes of the address book.
#[utoipa::path(
    tag = "money",
    responses(
        (status = 201, body = WithdrawalAddress),
        Malformed,
        (status = 401, description = "Not signed in, or the wrong password", body = ErrorBody),
        (status = 403, description = "The player has a second factor and must confirm the session first", body = ErrorBody),
        (status = 409, description = "The address book has this address, or is full", body = ErrorBody),
        (status = 422, description = "The address is not one of this currency", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/account/withdrawal-addresses")]
pub(crate) async fn add_address(
    application: web::Data<Application>,
    request: HttpRequest,
    ConfirmedIfProtected(user): ConfirmedIfProtected,
    address: ClientAddress,
    Json(body): Json<CreateAddress>,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::Transfer(user.id))?;
    let label = body.label.unwrap_or_default();
    let new = NewAddress::parse(&body.currency.0, &body.wallet_address, &label)?;
    require_password(&application, &request, address, &user, body.password).await?;
    let added = add_withdrawal_address(&application.house, user.id, new).await?;
    Ok(HttpResponse::Created().json(WithdrawalAddress::from(added)))
}

/// The new name of an address.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewLabel {
    /// At most 50 characters; a blank text removes the name.
    #[schema(max_length = 50)]
    label: String,
}

/// Renames an address.
#[utoipa::path(
    tag = "money",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = WithdrawalAddress),
        Malformed,
        PlayersOnly,
        (status = 403, description = "The player has a second factor and must confirm the session first", body = ErrorBody),
        NotFound,
        RateLimited,
    )
)]
#[put("/api/account/withdrawal-addresses/{id}/label")]
pub(crate) async fn rename_address(
    application: web::Data<Application>,
    ConfirmedIfProtected(user): ConfirmedIfProtected,
    path: web::Path<String>,
    Json(body): Json<NewLabel>,
) -> Result<web::Json<WithdrawalAddress>, ApiError> {
    application.limits.check(Limit::Transfer(user.id))?;
    let id: WithdrawalAddressId = path.parse().map_err(|_| Refusal::NotFound)?;
    let label = AddressLabel::parse(&body.label).map_err(Refusal::from)?;
    let renamed = label_withdrawal_address(&application.house, user.id, id, label).await?;
    Ok(web::Json(renamed.into()))
}

/// Removes an address. If it is used or added again, it is new.
#[utoipa::path(
    tag = "money",
    params(("id" = i64, Path)),
    responses(
        (status = 204),
        PlayersOnly,
        (status = 403, description = "The player has a second factor and must confirm the session first", body = ErrorBody),
        NotFound,
        RateLimited,
    )
)]
#[delete("/api/account/withdrawal-addresses/{id}")]
pub(crate) async fn remove_address(
    application: web::Data<Application>,
    ConfirmedIfProtected(user): ConfirmedIfProtected,
    path: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::Transfer(user.id))?;
    let id: WithdrawalAddressId = path.parse().map_err(|_| Refusal::NotFound)?;
    remove_withdrawal_address(&application.house, user.id, id).await?;
    Ok(HttpResponse::NoContent().finish())
}
