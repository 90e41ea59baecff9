//! What the endpoints are registered with.

use actix_web::dev::HttpServiceFactory;
use actix_web::web;
use utoipa::openapi::OpenApi;
use utoipa_actix_web::OpenApiFactory;

/// A server, which takes their handlers, or the OpenAPI document, which takes what is said of them. A server has no
/// use for the latter, and its threads, each of which registers all endpoints, would together need tens of megabytes
/// for it.
pub(crate) enum Endpoints<'a> {
    /// One thread of a server.
    Served(&'a mut web::ServiceConfig),
    /// The document.
    Documented(&'a mut OpenApi),
}

impl Endpoints<'_> {
    /// Registers an endpoint.
    pub(crate) fn service<E>(&mut self, endpoint: E) -> &mut Self
    where
        E: HttpServiceFactory + OpenApiFactory + 'static,
    {
        match self {
            Self::Served(config) => {
                config.service(endpoint);
            }
            Self::Documented(document) => {
                document.paths.merge(endpoint.paths());
                let mut schemas = Vec::new();
                endpoint.schemas(&mut schemas);
                let components = document.components.get_or_insert_default();
                components.schemas.extend(schemas);
            }
        }
        self
    }

    /// Registers several.
    pub(crate) fn configure(&mut self, register: impl FnOnce(&mut Endpoints<'_>)) -> &mut Self {
        register(self);
        self
    }
}
