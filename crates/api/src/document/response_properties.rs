//! Marks the properties of responses as required in the OpenAPI document. utoipa treats an `Option`
//! as optional in both directions. That is right for requests, but responses contain an absent
//! value as null, and readers of the document would otherwise handle a case that never occurs.

use std::collections::BTreeSet;

use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, SchemaType, Type};
use utoipa::openapi::{Object, OpenApi, RefOr, Schema};

/// Makes all properties of schemas required that do not occur in requests, except those that are
/// omitted on the wire: they have `skip_serializing_if` and, because they are never null,
/// `#[schema(nullable = false)]`.
pub(super) fn require_response_properties(document: &mut OpenApi) {
    let in_requests = request_schemas(document);
    let Some(components) = &mut document.components else {
        return;
    };
    for (name, schema) in &mut components.schemas {
        if !in_requests.contains(name) {
            require_properties(schema);
        }
    }
}

fn require_properties(schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else {
        return;
    };
    match schema {
        Schema::Object(object) => {
            require_properties_of(object);
            for property in object.properties.values_mut() {
                require_properties(property);
            }
        }
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                require_properties(items);
            }
        }
        Schema::OneOf(one_of) => one_of.items.iter_mut().for_each(require_properties),
        Schema::AllOf(all_of) => all_of.items.iter_mut().for_each(require_properties),
        Schema::AnyOf(any_of) => any_of.items.iter_mut().for_each(require_properties),
        _ => {}
    }
}

fn require_properties_of(object: &mut Object) {
    for (name, property) in &object.properties {
        if is_nullable(property) && !object.required.contains(name) {
            object.required.push(name.clone());
        }
    }
}

fn is_nullable(property: &RefOr<Schema>) -> bool {
    let RefOr::T(schema) = property else {
        return false;
    };
    match schema {
        Schema::Object(Object { schema_type, .. }) => has_null(schema_type),
        Schema::Array(array) => has_null(&array.schema_type),
        Schema::OneOf(one_of) => one_of.items.iter().any(is_nullable),
        _ => false,
    }
}

fn has_null(schema_type: &SchemaType) -> bool {
    match schema_type {
        SchemaType::Type(single) => *single == Type::Null,
        SchemaType::Array(types) => types.contains(&Type::Null),
        SchemaType::AnyValue => false,
    }
}

/// The names of the schemas in bodies and parameters of requests, at any depth.
fn request_schemas(document: &OpenApi) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for operation in document.paths.paths.values().flat_map(operations) {
        let bodies = operation.request_body.iter().filter_map(inline);
        let contents = bodies.flat_map(|body| body.content.values());
        let contents = contents.filter_map(inline);
        let body_schemas = contents.filter_map(|content| content.schema.as_ref());
        let parameters = operation.parameters.iter().flatten();
        let parameters = parameters.filter_map(inline);
        let parameter_schemas = parameters.filter_map(|parameter| parameter.schema.as_ref());
        for schema in body_schemas.chain(parameter_schemas) {
            collect(schema, document, &mut found);
        }
    }
    found
}

/// Unwraps an inline part of the document; utoipa never uses references for bodies and parameters.
const fn inline<T>(part: &RefOr<T>) -> Option<&T> {
    match part {
        RefOr::T(part) => Some(part),
        RefOr::Ref(_) => None,
    }
}

fn operations(item: &PathItem) -> impl Iterator<Item = &Operation> {
    item.get
        .iter()
        .chain(&item.post)
        .chain(&item.put)
        .chain(&item.delete)
}

/// Adds the names of all schemas that this one refers to, directly or indirectly.
fn collect(schema: &RefOr<Schema>, document: &OpenApi, found: &mut BTreeSet<String>) {
    let schema = match schema {
        RefOr::Ref(reference) => {
            let location = &reference.ref_location;
            let name = location.rsplit('/').next().unwrap_or(location);
            let components = document.components.as_ref();
            let referenced = components.and_then(|components| components.schemas.get(name));
            if found.insert(name.to_owned())
                && let Some(referenced) = referenced
            {
                collect(referenced, document, found);
            }
            return;
        }
        RefOr::T(schema) => schema,
    };
    for part in parts(schema) {
        collect(part, document, found);
    }
}

/// The direct parts of a schema.
fn parts(schema: &Schema) -> Vec<&RefOr<Schema>> {
    match schema {
        Schema::Object(object) => {
            let mut parts: Vec<_> = object.properties.values().collect();
            if let Some(AdditionalProperties::RefOr(others)) =
                object.additional_properties.as_deref()
            {
                parts.push(others);
            }
            parts
        }
        Schema::Array(array) => match &array.items {
            ArrayItems::RefOrSchema(items) => vec![items],
            ArrayItems::False => Vec::new(),
        },
        Schema::OneOf(one_of) => one_of.items.iter().collect(),
        Schema::AllOf(all_of) => all_of.items.iter().collect(),
        Schema::AnyOf(any_of) => any_of.items.iter().collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::router::openapi;

    /// The properties that a response may omit, with the reason.
    const OPTIONAL: [(&str, &[&str], &str); 3] = [
        (
            "CurrentUser",
            &["excludedUntil"],
            "only while the player is excluded",
        ),
        (
            "ErrorBody",
            &[
                "claimedMultiplier",
                "crashPoint",
                "lateByMs",
                "reason",
                "roundId",
                "until",
            ],
            "only with the codes that they belong to",
        ),
        (
            "Withdrawal",
            &["availableToWithdraw", "newBalance"],
            "only in the response to a request, not in the list",
        ),
    ];

    /// Adds the names of the schemas that a part of the document refers to, at any depth.
    fn collect_references(part: &Value, document: &Value, found: &mut Vec<String>) {
        match part {
            Value::Object(fields) => {
                if let Some(Value::String(location)) = fields.get("$ref") {
                    let name = location.rsplit('/').next().unwrap().to_owned();
                    if !found.contains(&name) {
                        found.push(name.clone());
                        collect_references(
                            &document["components"]["schemas"][name],
                            document,
                            found,
                        );
                    }
                }
                fields
                    .values()
                    .for_each(|field| collect_references(field, document, found));
            }
            Value::Array(parts) => parts
                .iter()
                .for_each(|part| collect_references(part, document, found)),
            _ => {}
        }
    }

    /// Adds the optional properties of a schema and of its parts.
    fn collect_optional(schema: &Value, found: &mut Vec<String>) {
        let none = Vec::new();
        let required = schema["required"].as_array().unwrap_or(&none);
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if !required.contains(&Value::from(name.as_str())) {
                found.push(name.clone());
            }
            collect_optional(property, found);
        }
        for key in ["allOf", "anyOf", "oneOf"] {
            let parts = schema[key].as_array().into_iter().flatten();
            parts.for_each(|part| collect_optional(part, found));
        }
        if schema["items"].is_object() {
            collect_optional(&schema["items"], found);
        }
    }

    #[test]
    fn responses_have_all_properties_except_listed_ones() {
        let document = serde_json::to_value(openapi()).unwrap();
        let mut names = Vec::new();
        for methods in document["paths"].as_object().unwrap().values() {
            for operation in methods.as_object().unwrap().values() {
                collect_references(&operation["responses"], &document, &mut names);
            }
        }
        assert!(names.len() > 50, "responses are described by schemas");
        // History entries have different properties depending on the game.
        names.retain(|name| name != "HistoryResults");
        for name in names {
            let mut missing = Vec::new();
            collect_optional(&document["components"]["schemas"][&name], &mut missing);
            let reason = OPTIONAL.iter().find(|(schema, ..)| *schema == name);
            let expected = reason.map_or(&[][..], |(_, properties, _)| properties);
            assert_eq!(missing, expected, "{name}");
        }
    }

    #[test]
    fn optional_request_properties_stay_optional() {
        let document = serde_json::to_value(openapi()).unwrap();
        let play = &document["components"]["schemas"]["HeadsUpPlayRequest"];
        let required = play["required"].as_array().unwrap();
        assert!(!required.contains(&Value::from("roundId")));
        assert!(play["properties"]["roundId"].is_object());
    }
}
