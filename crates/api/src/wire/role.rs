//! Roles and permissions on the wire.

use std::borrow::Cow;

use glasshouse_domain::{Permission, Role};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A role by its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoleName(pub(crate) Role);

/// A permission by its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PermissionName(pub(crate) Permission);

fn names(description: &str, names: Vec<&'static str>) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(names))
        .description(Some(description))
        .into()
}

impl Serialize for RoleName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl<'de> Deserialize<'de> for RoleName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        Role::parse(&name)
            .map(Self)
            .ok_or_else(|| D::Error::custom("unknown role"))
    }
}

impl PartialSchema for RoleName {
    fn schema() -> RefOr<Schema> {
        let all = Role::ALL.iter().map(|role| role.as_str());
        names("What a user is in the house.", all.collect())
    }
}

impl ToSchema for RoleName {
    fn name() -> Cow<'static, str> {
        "Role".into()
    }
}

impl Serialize for PermissionName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl PartialSchema for PermissionName {
    fn schema() -> RefOr<Schema> {
        let all = Permission::ALL.iter().map(|permission| permission.as_str());
        names("Something that administrators do.", all.collect())
    }
}

impl ToSchema for PermissionName {
    fn name() -> Cow<'static, str> {
        "Permission".into()
    }
}
