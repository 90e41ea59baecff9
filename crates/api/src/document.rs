//! Parts of the OpenAPI document that are common to all endpoints, added in one place.

use crate::http::paths::CALLBACK_PATH;
use glasshouse_domain::Permission;
use utoipa::Number;
use utoipa::openapi::path::{Operation, Parameter, ParameterIn};
use utoipa::openapi::schema::{Object, SchemaType, Type};
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, ResponseBuilder, Schema};

mod response_properties;
use response_properties::require_response_properties;

/// The maximum page size of lists for players, and for administrators.
const LIMITS: (isize, isize) = (100, 200);
const ADMINISTRATION: &str = "/api/admin/";
/// The extension that names the permission which a call of administrators needs.
pub(crate) const PERMISSION: &str = "x-permission";
const MAXIMUM_SEARCH_CHARACTERS: usize = 100;
/// Any text without control characters.
const PLAIN_TEXT: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";
const KEY_PATTERN: &str = "^[A-Za-z0-9_-]{1,64}$";
const MAXIMUM_KEY_CHARACTERS: usize = 64;

/// Adds to each operation the responses that middleware and extractors produce, unless the
/// operation declares them itself, and the limits of common parameters; marks the properties that
/// every response contains as required.
pub(crate) fn complete(document: &mut OpenApi) {
    require_response_properties(document);
    for (path, item) in &mut document.paths.paths {
        for (operation, is_unsafe) in [
            (&mut item.get, false),
            (&mut item.post, true),
            (&mut item.put, true),
            (&mut item.delete, true),
        ] {
            if let Some(operation) = operation {
                complete_operation(path, operation, is_unsafe);
            }
        }
    }
}

fn complete_operation(path: &str, operation: &mut Operation, is_unsafe: bool) {
    if path.starts_with(ADMINISTRATION) {
        let extensions = operation.extensions.get_or_insert_default();
        // Every administrator may read; a call that needs more says so.
        extensions
            .entry(PERMISSION.to_owned())
            .or_insert_with(|| Permission::ReadPanel.as_str().into());
    }
    let mut has_query = false;
    let mut has_path = false;
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter {
            has_query |= parameter.parameter_in == ParameterIn::Query;
            has_path |= parameter.parameter_in == ParameterIn::Path;
            complete_parameter(path, parameter);
        }
    }
    let has_body = operation.request_body.is_some();
    let is_callback = path == CALLBACK_PATH;
    let responses = [
        (has_body || has_query, "400", "Malformed"),
        (is_unsafe && !is_callback, "403", "Cross-site request"),
        (has_path, "404", "Not found"),
        (has_body, "408", "The body took too long to arrive"),
        (has_body, "413", "The body is larger than 16 KiB"),
        (has_body && !is_callback, "415", "The body is not JSON"),
        (
            has_body && !is_callback,
            "422",
            "The request violates a rule",
        ),
        (
            true,
            "421",
            "The Host header is not one of this server's names",
        ),
        (true, "429", "Too many requests or connections"),
        (
            true,
            "503",
            "The server is overloaded or its database is unavailable",
        ),
    ];
    for (is_possible, status, description) in responses {
        if is_possible {
            let responses = &mut operation.responses.responses;
            responses
                .entry(status.to_owned())
                .or_insert_with(|| refusal(description));
        }
    }
}

fn refusal(description: &str) -> RefOr<utoipa::openapi::Response> {
    let body = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("ErrorBody")))
        .build();
    let response = ResponseBuilder::new()
        .description(description)
        .content("application/json", body)
        .build();
    RefOr::T(response)
}

fn complete_parameter(path: &str, parameter: &mut Parameter) {
    let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema else {
        return;
    };
    match parameter.name.as_str() {
        "limit" => {
            let is_for_administrators = path.starts_with(ADMINISTRATION);
            let maximum = if is_for_administrators {
                LIMITS.1
            } else {
                LIMITS.0
            };
            schema.minimum = Some(Number::Int(1));
            // A list with a limit of its own declares it.
            schema.maximum.get_or_insert(Number::Int(maximum));
        }
        "search" => {
            schema.max_length = Some(MAXIMUM_SEARCH_CHARACTERS);
            schema.pattern = Some(PLAIN_TEXT.to_owned());
        }
        "Idempotency-Key" => limit_key(schema),
        _ => {}
    }
}

fn limit_key(schema: &mut Object) {
    schema.schema_type = SchemaType::new(Type::String);
    schema.min_length = Some(1);
    schema.max_length = Some(MAXIMUM_KEY_CHARACTERS);
    schema.pattern = Some(KEY_PATTERN.to_owned());
}

#[cfg(test)]
mod tests {
    use crate::router::openapi;

    #[test]
    fn every_operation_documents_its_refusals_and_limits() {
        let document = serde_json::to_value(openapi()).unwrap();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, call) in methods.as_object().unwrap() {
                let responses = &call["responses"];
                let mut expected = vec!["421", "429", "503"];
                if call["requestBody"].is_object() {
                    expected.extend(["400", "408", "413"]);
                    if path != "/api/payments/ipn" {
                        expected.extend(["415", "422"]);
                    }
                }
                for status in expected {
                    assert!(responses[status].is_object(), "{method} {path}: {status}");
                }
                for parameter in call["parameters"].as_array().into_iter().flatten() {
                    let schema = &parameter["schema"];
                    if parameter["name"] == "limit" {
                        let is_long = path == "/api/crash/points";
                        let maximum = if path.starts_with("/api/admin/") || is_long {
                            200
                        } else {
                            100
                        };
                        assert_eq!(
                            (&schema["minimum"], &schema["maximum"]),
                            (&1.into(), &maximum.into()),
                            "{path}"
                        );
                    }
                    if parameter["name"] == "Idempotency-Key" {
                        assert_eq!(schema["maxLength"], 64, "{path}");
                    }
                }
            }
        }
    }
}
