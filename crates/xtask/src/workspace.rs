//! Paths in the workspace, and commands that run there with a clean environment.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::process;

/// The checkout that the commands work on.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    /// What cargo finds in its environment besides what this program found in its own.
    variables: Vec<(&'static str, OsString)>,
}

/// The program with which cargo compiles the workspace's own crates.
const COMPILER_VARIABLE: &str = "RUSTC_WORKSPACE_WRAPPER";

impl Workspace {
    /// The checkout that this program was built from.
    pub(crate) fn find() -> Result<Self> {
        let manifest_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = manifest_folder
            .ancestors()
            .nth(2)
            .context("crates/xtask is not two folders below the workspace's root")?;
        Ok(Self {
            root: root.to_owned(),
            variables: Vec::new(),
        })
    }

    /// The same checkout, compiled for its tests.
    ///
    /// Cargo compiles the workspace's own crates with clippy's compiler, if that is installed. It checks the lints and
    /// compiles in one go; `cargo clippy` only checks, so that everything would have to be analysed again to be
    /// compiled. There is nothing for debuggers. And OpenSSL, a fifth of a clean build, is compiled only if the machine
    /// has none.
    pub(crate) fn for_tests(&self) -> Self {
        let mut variables = vec![("CARGO_PROFILE_DEV_DEBUG", "false".into())];
        let linter = cargo_program().with_file_name("clippy-driver");
        if linter.is_file() {
            variables.push((COMPILER_VARIABLE, linter.into()));
        }
        if is_openssl_installed() {
            variables.push(("OPENSSL_NO_VENDOR", "1".into()));
        }
        Self {
            root: self.root.clone(),
            variables,
        }
    }

    /// Whether what cargo compiles is checked for lints.
    pub(crate) fn checks_lints(&self) -> bool {
        let mut variables = self.variables.iter();
        variables.any(|(name, _)| *name == COMPILER_VARIABLE)
    }

    /// The workspace's root.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The front end's folder.
    pub(crate) fn frontend(&self) -> PathBuf {
        self.root.join("frontend")
    }

    /// A command that runs in the workspace's root.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = clean_command(program);
        command.current_dir(&self.root);
        command
    }

    /// The cargo that started this process, to run in the workspace's root.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = self.command(cargo_program());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// A command that runs in the front end's folder.
    pub(crate) fn frontend_command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = clean_command(program);
        command.current_dir(self.frontend());
        command
    }

    /// The output of `cargo metadata` for the workspace's own packages.
    pub(crate) fn metadata(&self) -> Result<Value> {
        self.cargo_metadata(&["--no-deps"])
    }

    /// The output of `cargo metadata` for all packages in the lock file.
    pub(crate) fn metadata_with_dependencies(&self) -> Result<Value> {
        self.cargo_metadata(&["--all-features", "--locked"])
    }

    /// The output of `cargo metadata` for the package of another manifest, and all that it depends on.
    pub(crate) fn metadata_of(&self, manifest: &str) -> Result<Value> {
        self.cargo_metadata(&["--locked", "--manifest-path", manifest])
    }

    /// The target folder of a profile (`debug` or `release`), or one for something else.
    pub(crate) fn target_folder(&self, profile: &str) -> Result<PathBuf> {
        let metadata = self.metadata()?;
        let target = metadata
            .get("target_directory")
            .and_then(Value::as_str)
            .context("the output of cargo metadata has no target directory")?;
        Ok(Path::new(target).join(profile))
    }

    fn cargo_metadata(&self, arguments: &[&str]) -> Result<Value> {
        let mut command = self.cargo();
        command
            .args(["metadata", "--format-version=1", "--quiet"])
            .args(arguments);
        let output = process::capture(&mut command)?;
        serde_json::from_str(&output).context("the output of cargo metadata is not JSON")
    }
}

/// Whether programs can be compiled with an OpenSSL 3 of this machine.
fn is_openssl_installed() -> bool {
    let arguments = ["--atleast-version=3.0", "openssl"];
    let found = Command::new("pkg-config").args(arguments).output();
    found.is_ok_and(|output| output.status.success())
}

fn cargo_program() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// A command without the variables that cargo sets for the program it runs. If inherited, they
/// would make build scripts that depend on them run every time.
pub(crate) fn clean_command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(is_package_variable) {
            command.env_remove(name);
        }
    }
    command
}

fn is_package_variable(name: &str) -> bool {
    name.starts_with("CARGO_PKG_")
        || name.starts_with("CARGO_MANIFEST_")
        || [
            "CARGO_BIN_NAME",
            "CARGO_CRATE_NAME",
            "CARGO_PRIMARY_PACKAGE",
            "OUT_DIR",
        ]
        .contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_package_variables_are_removed() {
        let check = |name, expected| assert_eq!(is_package_variable(name), expected, "{name}");
        check("CARGO_PKG_VERSION", true);
        check("CARGO_MANIFEST_DIR", true);
        check("CARGO_TARGET_DIR", false);
        check("CARGO_HOME", false);
        check("PATH", false);
    }

    #[test]
    fn root_contains_the_lock_file() {
        let workspace = Workspace::find().unwrap();
        assert!(workspace.root().join("Cargo.lock").is_file());
    }
}
