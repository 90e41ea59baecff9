//! Marks the properties of what the server answers as required. utoipa derives one rule for both
//! directions: an `Option` may be missing. That holds for what is read, but an `Option` is written
//! as null, so that whoever reads the document would prepare for a case that never comes.

use std::collections::BTreeSet;

use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, SchemaType, Type};
use utoipa::openapi::{Object, OpenApi, RefOr, Schema};

/// Requires each property of the schemas that no request has, except those that are left out on the
/// wire: they have `skip_serializing_if` and, as they are never null, `#[schema(nullable =
/// false)]`.
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
        SchemaType::Type(only) => *only == Type::Null,
        SchemaType::Array(types) => types.contains(&Type::Null),
        SchemaType::AnyValue => false,
    }
}

/// The names of the schemas that a body or parameter of a request has, however deep.
fn request_schemas(document: &OpenApi) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for operation in document.paths.paths.values().flat_map(operations) {
        let bodies = operation.request_body.iter().filter_map(written_here);
        let contents = bodies.flat_map(|body| body.content.values());
        let contents = contents.filter_map(written_here);
        let of_bodies = contents.filter_map(|content| content.schema.as_ref());
        let parameters = operation.parameters.iter().flatten();
        let parameters = parameters.filter_map(written_here);
        let of_parameters = parameters.filter_map(|parameter| parameter.schema.as_ref());
        for schema in of_bodies.chain(of_parameters) {
            collect(schema, document, &mut found);
        }
    }
    found
}

/// utoipa describes bodies and parameters where they stand.
const fn written_here<T>(part: &RefOr<T>) -> Option<&T> {
    match part {
        RefOr::T(part) => Some(part),
        RefOr::Ref(_) => None,
    }
}

fn operations(item: &PathItem) -> impl Iterator<Item = &Operation> {
    item.get.iter().chain(&item.post)
}

/// Adds the names of the schemas that this one refers to, and those that they refer to.
fn collect(schema: &RefOr<Schema>, document: &OpenApi, found: &mut BTreeSet<String>) {
    let schema = match schema {
        RefOr::Ref(reference) => {
            let location = &reference.ref_location;
            let name = location.rsplit('/').next().unwrap_or(location);
            let components = document.components.as_ref();
            let named = components.and_then(|components| components.schemas.get(name));
            if found.insert(name.to_owned())
                && let Some(named) = named
            {
                collect(named, document, found);
            }
            return;
        }
        RefOr::T(schema) => schema,
    };
    for part in parts(schema) {
        collect(part, document, found);
    }
}

/// The schemas that one is made of.
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

    /// What an answer may lack, and why.
    const LEFT_OUT: [(&str, &[&str], &str); 2] = [
        (
            "ErrorBody",
            &[
                "claimedMultiplier",
                "crashPoint",
                "lateByMs",
                "reason",
                "roundId",
            ],
            "only with the codes that they explain",
        ),
        (
            "Withdrawal",
            &["availableToWithdraw", "newBalance"],
            "only in the answer to a request, not in the list",
        ),
    ];

    /// The names of the schemas that a part of the document refers to, however deep.
    fn referred(part: &Value, document: &Value, found: &mut Vec<String>) {
        match part {
            Value::Object(fields) => {
                if let Some(Value::String(location)) = fields.get("$ref") {
                    let name = location.rsplit('/').next().unwrap().to_owned();
                    if !found.contains(&name) {
                        found.push(name.clone());
                        referred(&document["components"]["schemas"][name], document, found);
                    }
                }
                fields
                    .values()
                    .for_each(|field| referred(field, document, found));
            }
            Value::Array(parts) => parts
                .iter()
                .for_each(|part| referred(part, document, found)),
            _ => {}
        }
    }

    /// The properties that a schema has and does not require, whether of its own or of a part.
    fn optional(schema: &Value, found: &mut Vec<String>) {
        let none = Vec::new();
        let required = schema["required"].as_array().unwrap_or(&none);
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if !required.contains(&Value::from(name.as_str())) {
                found.push(name.clone());
            }
            optional(property, found);
        }
        for key in ["allOf", "anyOf", "oneOf"] {
            let parts = schema[key].as_array().into_iter().flatten();
            parts.for_each(|part| optional(part, found));
        }
        if schema["items"].is_object() {
            optional(&schema["items"], found);
        }
    }

    #[test]
    fn an_answer_has_each_property_unless_there_is_a_reason() {
        let document = serde_json::to_value(openapi()).unwrap();
        let mut names = Vec::new();
        for methods in document["paths"].as_object().unwrap().values() {
            for call in methods.as_object().unwrap().values() {
                referred(&call["responses"], &document, &mut names);
            }
        }
        assert!(names.len() > 50, "answers are described by schemas");
        // A record of the history has what its own game has of it.
        names.retain(|name| name != "HistoryResults");
        for name in names {
            let mut missing = Vec::new();
            optional(&document["components"]["schemas"][&name], &mut missing);
            let reason = LEFT_OUT.iter().find(|(schema, ..)| *schema == name);
            let expected = reason.map_or(&[][..], |(_, properties, _)| properties);
            assert_eq!(missing, expected, "{name}");
        }
    }

    #[test]
    fn a_request_may_lack_what_it_need_not_say() {
        let document = serde_json::to_value(openapi()).unwrap();
        let play = &document["components"]["schemas"]["HeadsUpPlayRequest"];
        let required = play["required"].as_array().unwrap();
        assert!(!required.contains(&Value::from("roundId")));
        assert!(play["properties"]["roundId"].is_object());
    }
}
