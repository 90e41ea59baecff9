//! All routes, and the OpenAPI document generated from them.

use std::sync::LazyLock;

use actix_web::dev::ResourceDef;
use actix_web::guard::Get;
use actix_web::{HttpRequest, HttpResponse, web};
use utoipa::OpenApi;
use utoipa_swagger_ui::SwaggerUi;

use crate::document::complete;
use crate::endpoints::Endpoints;
use crate::error::{ApiError, malformed_path, malformed_query};
use crate::http::bets_in_progress::BetsInProgress;
use crate::http::body::MAXIMUM_BODY_BYTES;
use crate::http::static_files;
use crate::routes;
use crate::state::Application;

/// An event stream's response has no schema of its own, so the event types that no endpoint returns
/// are listed here.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Glasshouse",
        description = "The API of the Glasshouse casino. Amounts are decimal strings in US dollars with \
                       two decimals; times are ISO 8601 in UTC; errors carry `message` and `code`."
    ),
    components(schemas(routes::games::events::PriceEvent, routes::games::events::BetEvent))
)]
struct Document;

/// Requests are compared with the routes in this order, and with those that have parameters by regular
/// expressions: what a round needs comes first, so that no other route makes a bet slower.
fn api_routes(endpoints: &mut Endpoints<'_>) {
    endpoints
        .configure(routes::games::wire::configure_all)
        .service(routes::games::open_rounds::rounds_in_play)
        .service(routes::games::events::events)
        .service(routes::account::register)
        .service(routes::account::login)
        .service(routes::account::logout)
        .service(routes::account::current_user)
        .service(routes::account::name_visibility)
        .service(routes::account::password::password)
        .configure(routes::account::second_factor::register)
        .service(routes::account::sessions::session_list)
        .service(routes::account::export::export)
        .service(routes::account::closure::close)
        .service(routes::account::sessions::end_others)
        .service(routes::account::sessions::end_one)
        .service(routes::account::security_events::security_events)
        .service(routes::account::email::email_settings)
        .service(routes::account::email::change_email)
        .service(routes::account::email::remove)
        .service(routes::account::email::choose_notices)
        .configure(routes::mail_links::register)
        .service(routes::password_strength::assess_password)
        .configure(routes::terms_of_service::register)
        .service(routes::limits::limit_list)
        .service(routes::limits::limit_change_list)
        .service(routes::limits::change_limit)
        .service(routes::limits::confirm_limit)
        .service(routes::limits::withdraw_limit)
        .service(routes::limits::exclusion::exclusion_list)
        .service(routes::limits::exclusion::exclude)
        .service(routes::limits::session::session_summary)
        .service(routes::limits::session::reality_check)
        .configure(routes::wallet::register)
        .service(routes::games::analysis::round_analysis)
        .service(routes::games::statuses::games)
        .service(routes::house::house)
        .service(routes::history::game_history)
        .service(routes::history::statistics)
        .service(routes::history::profit::profit)
        .service(routes::bets::all_bets)
        .service(routes::bets::crash_points)
        .service(routes::wallet::statements::statements)
        .service(routes::exports::exported_rounds)
        .service(routes::exports::exported_ledger)
        .service(routes::fairness::fairness)
        .service(routes::fairness::client_seed)
        .service(routes::fairness::rotate)
        .service(routes::public_log::round_receipt)
        .service(routes::public_log::round_proof)
        .service(routes::public_log::consistency)
        .service(routes::public_log::transparency)
        .service(routes::public_log::receipts)
        .service(routes::fairness::former_pairs)
        .service(routes::fairness::verifiable_round::verifiable_round)
        .configure(admin_routes);
}

/// The calls of administrators.
fn admin_routes(endpoints: &mut Endpoints<'_>) {
    endpoints
        .configure(routes::admin::register_lists)
        .service(routes::admin::users::one_user)
        .service(routes::admin::players::player_overview)
        .service(routes::admin::players::player_timeline)
        .service(routes::admin::security_events::security_events_of_user)
        .service(routes::admin::users::set_status)
        .service(routes::admin::restrictions::set_restriction)
        .service(routes::admin::users::set_balance)
        .service(routes::admin::roles::set_role)
        .service(routes::admin::withdrawals::process_withdrawal)
        .service(routes::admin::payout_records::payout_record)
        .service(routes::admin::withdrawal_page::known_withdrawal)
        .service(routes::admin::payment_page::known_payment)
        .service(routes::admin::payments::payment_look)
        .service(routes::admin::payments::payment_check)
        .service(routes::admin::payments::payment_confirmation)
        .service(routes::admin::reviews::resolve)
        .service(routes::admin::alerts::acknowledge)
        .service(routes::admin::step_up::step_up_state)
        .service(routes::admin::step_up::step_up)
        .service(routes::admin::export::export)
        .service(routes::admin::game_limits::limited_games)
        .service(routes::admin::game_limits::change_game_limits)
        .service(routes::admin::game_status::change_game_status)
        .service(routes::admin::player_acts::note_player)
        .service(routes::admin::player_acts::user_sessions)
        .service(routes::admin::player_acts::end_user_sessions)
        .service(routes::admin::round::inspected_round)
        .service(routes::admin::switches::switch_list)
        .service(routes::admin::switches::change_switch)
        .service(routes::admin::approval::approval_state)
        .service(routes::admin::approval::change_thresholds)
        .service(routes::admin::proposals::proposal_list)
        .service(routes::admin::proposals::approve)
        .service(routes::admin::proposals::refuse)
        .service(routes::admin::proposals::withdraw)
        .service(routes::admin::pending_work::pending_work)
        .service(routes::admin::reports::house_summary)
        .service(routes::admin::reports::house_report)
        .service(routes::admin::figures::house_figures)
        .service(routes::admin::provider_balance::provider_balance);
}

/// The OpenAPI document of the whole API.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    api_routes(&mut Endpoints::Documented(&mut document));
    complete(&mut document);
    document
}

/// Registers all routes: the API, its documentation, the health checks, and the front end for every
/// other path.
pub fn configure(config: &mut web::ServiceConfig, application: Application) {
    let is_documented = application.settings.is_documented;
    config
        .app_data(web::Data::new(application))
        .app_data(BetsInProgress::default())
        .app_data(web::PayloadConfig::new(MAXIMUM_BODY_BYTES))
        .app_data(web::QueryConfig::default().error_handler(malformed_query))
        .app_data(web::PathConfig::default().error_handler(malformed_path));
    api_routes(&mut Endpoints::Served(config));
    config
        .service(routes::health::alive)
        .service(routes::health::ready)
        .service(routes::security_contact::security_contact)
        .service(routes::public_log::checkpoint)
        .service(routes::public_log::tile)
        .service(routes::public_log::verifier_keys)
        .service(routes::public_log::rules);
    if is_documented {
        config
            .service(web::resource(DOCUMENT_PATH).guard(Get()).to(document))
            .service(web::redirect("/api/docs", "/api/docs/"))
            .service(SwaggerUi::new("/api/docs/{_:.*}").config(DOCUMENT_PATH.into()));
    }
    config
        .service(web::scope("/api").default_service(web::to(unknown_call)))
        .default_service(web::to(static_files::serve));
}

const DOCUMENT_PATH: &str = "/api/openapi.json";

/// Serves the OpenAPI document, which is made when it is wanted for the first time.
async fn document() -> Result<HttpResponse, actix_web::Error> {
    static DOCUMENT: LazyLock<utoipa::openapi::OpenApi> = LazyLock::new(openapi);
    let document = web::block(|| &*DOCUMENT).await?;
    Ok(HttpResponse::Ok().json(document))
}

/// The methods of each path, taken from the OpenAPI document.
static METHODS: LazyLock<Vec<(ResourceDef, String)>> = LazyLock::new(|| {
    let paths = openapi().paths.paths.into_iter();
    paths
        .map(|(path, item)| {
            let methods = [
                (item.get.is_some(), "GET"),
                (item.post.is_some(), "POST"),
                (item.put.is_some(), "PUT"),
                (item.delete.is_some(), "DELETE"),
            ];
            let methods = methods.iter().filter(|(is_supported, _)| *is_supported);
            let names: Vec<_> = methods.map(|(_, name)| *name).collect();
            (ResourceDef::new(path), names.join(", "))
        })
        .collect()
});

/// Handles unknown paths under `/api`, and known paths with an unsupported method.
async fn unknown_call(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let endpoint = METHODS
        .iter()
        .find(|(path, _)| path.is_match(request.path()));
    Err(match endpoint {
        Some((_, methods)) => ApiError::OtherMethod(methods),
        None => ApiError::UnknownCall,
    })
}
