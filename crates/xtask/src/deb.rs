//! `cargo xtask deb`: a Debian package of the server.
//!
//! `dpkg-deb` makes it from a folder with the files at their places; `docs/adr/0038-dpkg-deb-makes-the-package.md` gives the
//! reasons.

mod machine;
mod trial;

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};
use pico_args::Arguments;

use self::trial::FrontEnd;
pub(crate) use self::trial::obstacle;
use crate::{
    process, release, report,
    scratch::{self, Place},
    tools,
    workspace::Workspace,
};

/// Where the packages of releases are, relative to the workspace's root.
const PACKAGES: &str = "target/dist/debian";
/// The program in the package.
const PROGRAM: &str = "usr/bin/glasshouse";
/// What a program with packed relocations (`crates/server/build.rs`) needs of the C library.
const PACKED_RELOCATIONS: &str = "GLIBC_ABI_DT_RELR";
/// The first package of the C library that has it.
const PACKED_RELOCATIONS_LIBRARY: &str = "libc6 (>= 2.36)";
/// The files that an upgrade does not overwrite if the operator has changed them.
const CONFFILES: [&str; 1] = ["etc/glasshouse/glasshouse.env"];
/// The files in the repository, their paths in the package, and their modes.
const FILES: &[(&str, &str, u32)] = &[
    (
        "ops/systemd/glasshouse.service",
        "lib/systemd/system/glasshouse.service",
        0o644,
    ),
    (
        "ops/systemd/glasshouse-backup.service",
        "lib/systemd/system/glasshouse-backup.service",
        0o644,
    ),
    (
        "ops/systemd/glasshouse-backup.timer",
        "lib/systemd/system/glasshouse-backup.timer",
        0o644,
    ),
    ("ops/systemd/backup", "usr/lib/glasshouse/backup", 0o755),
    (
        "ops/systemd/glasshouse.env",
        "etc/glasshouse/glasshouse.env",
        0o640,
    ),
    ("README.md", "usr/share/doc/glasshouse/README.md", 0o644),
    (
        "docs/operations.md",
        "usr/share/doc/glasshouse/docs/operations.md",
        0o644,
    ),
    (
        "CHANGELOG.md",
        "usr/share/doc/glasshouse/CHANGELOG.md",
        0o644,
    ),
    ("LICENSE", "usr/share/doc/glasshouse/LICENSE", 0o644),
    (
        "ops/debian/copyright",
        "usr/share/doc/glasshouse/copyright",
        0o644,
    ),
    (
        "ops/nginx/glasshouse.conf",
        "usr/share/doc/glasshouse/examples/nginx/glasshouse.conf",
        0o644,
    ),
    (
        "ops/prometheus/glasshouse.rules.yml",
        "usr/share/glasshouse/prometheus/glasshouse.rules.yml",
        0o644,
    ),
    (
        "ops/grafana/glasshouse.json",
        "usr/share/glasshouse/grafana/glasshouse.json",
        0o644,
    ),
    ("ops/debian/postinst", "DEBIAN/postinst", 0o755),
    ("ops/debian/prerm", "DEBIAN/prerm", 0o755),
    ("ops/debian/postrm", "DEBIAN/postrm", 0o755),
];

/// What `cargo xtask deb` is asked for.
#[derive(Debug)]
pub(crate) struct Options {
    /// The binary to pack, instead of that of a release.
    binary: Option<PathBuf>,
    /// Whether to try the package out on this machine.
    is_tried: bool,
}

impl Options {
    /// Reads `--binary` and `--try`.
    pub(crate) fn parse(arguments: &mut Arguments) -> Result<Self> {
        let binary = arguments
            .opt_value_from_os_str("--binary", |path| anyhow::Ok(PathBuf::from(path)))
            .context("--binary takes a path")?;
        Ok(Self {
            binary,
            is_tried: arguments.contains("--try"),
        })
    }
}

/// How a package is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    /// With the very binary that was built, whose digest is published, and as small as possible.
    Release,
    /// Without the debug information and uncompressed, so that it takes little time.
    Test,
}

/// Packs the given binary, or builds that of a release first, and prints the path of the package. Also tries the package out
/// if requested.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    process::catch_signals()?;
    let obstacle = options.is_tried.then(|| obstacle(workspace)).flatten();
    if let Some(reason) = obstacle {
        bail!("the package cannot be tried out here: {reason}");
    }
    let binary = match &options.binary {
        Some(given) => std::path::absolute(given).context("the path of the binary is invalid")?,
        None => workspace.root().join(release::build(workspace)?),
    };
    report::heading("Packing the server");
    let folder = workspace.root().join(PACKAGES);
    let package = pack(workspace, &binary, Packing::Release, &folder)?;
    if options.is_tried {
        report::heading("Trying the package out");
        trial::run(workspace, &package, FrontEnd::Embedded)?;
    }
    report::line(&package.display().to_string());
    Ok(())
}

/// Packs a debug build, which reads the front end from the workspace, and tries the package out.
pub(crate) fn try_debug_build(workspace: &Workspace, binary: &Path) -> Result<()> {
    let folder = scratch::folder("glasshouse-package-", Place::Memory)?;
    let package = pack(workspace, binary, Packing::Test, folder.path())?;
    trial::run(workspace, &package, FrontEnd::InWorkspace)
}

/// Makes a package in `folder`, and returns its path.
fn pack(workspace: &Workspace, binary: &Path, packing: Packing, folder: &Path) -> Result<PathBuf> {
    for program in ["dpkg-deb", "dpkg-shlibdeps"] {
        if tools::find(program).is_none() {
            bail!("{program} is missing: install the Debian package dpkg-dev");
        }
    }
    fs::create_dir_all(folder).context("cannot create a folder for the package")?;
    let scratch = scratch::folder("glasshouse-deb-", Place::Disk)?;
    let tree = scratch.path().join("glasshouse");
    for (source, path, mode) in FILES {
        place(&workspace.root().join(source), &tree.join(path), *mode)?;
    }
    place(binary, &tree.join(PROGRAM), 0o755)?;
    if packing == Packing::Test {
        let mut strip = workspace.command("strip");
        process::run(strip.arg("--strip-unneeded").arg(tree.join(PROGRAM)))?;
    }
    let architecture = process::capture(workspace.command("dpkg").arg("--print-architecture"))?;
    let architecture = architecture.trim();
    write_control_files(workspace, &tree, architecture)?;
    open_folders(&tree)?;
    let version = debian_version(env!("CARGO_PKG_VERSION"));
    let package = folder.join(format!("glasshouse_{version}_{architecture}.deb"));
    let mut command = workspace.command("dpkg-deb");
    command.args(["--root-owner-group", "--build"]);
    command.arg(match packing {
        Packing::Release => "-Zxz",
        Packing::Test => "-Znone",
    });
    command.arg(&tree).arg(&package);
    process::run(command.env("SOURCE_DATE_EPOCH", release::BUILD_TIME))?;
    Ok(package)
}

/// Copies a file into the package.
fn place(source: &Path, target: &Path, mode: u32) -> Result<()> {
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).context("cannot create a folder of the package")?;
    }
    fs::copy(source, target).with_context(|| format!("cannot copy {}", source.display()))?;
    fs::set_permissions(target, Permissions::from_mode(mode))
        .with_context(|| format!("cannot set the mode of {}", target.display()))
}

/// The folders of the package are open to everybody, whatever the umask is here.
fn open_folders(folder: &Path) -> Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o755))
        .context("cannot set the mode of a folder of the package")?;
    for entry in fs::read_dir(folder).context("cannot read a folder of the package")? {
        let path = entry?.path();
        if path.is_dir() {
            open_folders(&path)?;
        }
    }
    Ok(())
}

fn write_control_files(workspace: &Workspace, tree: &Path, architecture: &str) -> Result<()> {
    let write = |name: &str, text: String| {
        let path = tree.join("DEBIAN").join(name);
        fs::write(&path, text)
            .and_then(|()| fs::set_permissions(&path, Permissions::from_mode(0o644)))
            .with_context(|| format!("cannot write {}", path.display()))
    };
    let installed = files_below(tree)?;
    let size = installed_kibibytes(tree, &installed)?;
    let sums = process::capture(
        Command::new("md5sum")
            .args(installed.iter().filter(|path| !is_conffile(path)))
            .current_dir(tree),
    )?;
    write("md5sums", sums)?;
    let conffiles = CONFFILES.map(|path| format!("/{path}\n"));
    write("conffiles", conffiles.concat())?;
    let template = fs::read_to_string(workspace.root().join("ops/debian/control"))
        .context("cannot read ops/debian/control")?;
    let control = template
        .replace("@VERSION@", &debian_version(env!("CARGO_PKG_VERSION")))
        .replace("@ARCHITECTURE@", architecture)
        .replace("@INSTALLED_SIZE@", &size.to_string())
        .replace("@LIBRARIES@", &libraries(tree)?);
    write("control", control)
}

fn is_conffile(path: &Path) -> bool {
    CONFFILES.iter().any(|conffile| path == Path::new(conffile))
}

/// The files that the package installs, relative to `tree`, in a fixed order.
fn files_below(tree: &Path) -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = FILES
        .iter()
        .map(|(_, path, _)| *path)
        .filter(|path| !path.starts_with("DEBIAN/"))
        .chain([PROGRAM])
        .map(PathBuf::from)
        .collect();
    files.sort();
    match files.iter().find(|path| !tree.join(path).is_file()) {
        Some(missing) => bail!("{} is not in the package", missing.display()),
        None => Ok(files),
    }
}

/// The size on the disk that Debian's policy defines: each file rounded up to a KiB.
fn installed_kibibytes(tree: &Path, files: &[PathBuf]) -> Result<u64> {
    let mut total = 0;
    for file in files {
        let metadata = fs::metadata(tree.join(file)).context("cannot read the size of a file")?;
        total += metadata.len().div_ceil(1024);
    }
    Ok(total)
}

/// The packages of the shared libraries that the program is linked with, with the versions that it needs.
fn libraries(tree: &Path) -> Result<String> {
    let folder = scratch::folder("glasshouse-shlibs-", Place::Disk)?;
    let control = folder.path().join("debian/control");
    fs::create_dir_all(folder.path().join("debian"))
        .and_then(|()| {
            fs::write(
                &control,
                "Source: glasshouse\n\nPackage: glasshouse\nArchitecture: any\n",
            )
        })
        .context("cannot write a file for dpkg-shlibdeps")?;
    let program = tree.join(PROGRAM);
    let output = process::capture(
        Command::new("dpkg-shlibdeps")
            .arg("-O")
            .arg(&program)
            .current_dir(folder.path()),
    )?;
    let libraries = output
        .lines()
        .find_map(|line| line.strip_prefix("shlibs:Depends="))
        .with_context(|| format!("dpkg-shlibdeps printed {output:?}"))?;
    // dpkg-shlibdeps looks at functions only.
    let versions = process::capture(Command::new("readelf").arg("--version-info").arg(&program))?;
    Ok(if versions.contains(PACKED_RELOCATIONS) {
        format!("{libraries}, {PACKED_RELOCATIONS_LIBRARY}")
    } else {
        libraries.to_owned()
    })
}

/// Debian compares `1.0-rc` as later than `1.0`, and `1.0~rc` as earlier.
fn debian_version(version: &str) -> String {
    version.replace('-', "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prereleases_come_before_their_release() {
        assert_eq!(debian_version("0.1.0"), "0.1.0");
        assert_eq!(debian_version("1.0.0-rc.1"), "1.0.0~rc.1");
    }

    #[test]
    fn every_file_of_the_package_is_in_the_repository() {
        let workspace = Workspace::find().unwrap();
        for (source, _, _) in FILES {
            assert!(workspace.root().join(source).is_file(), "{source}");
        }
        for conffile in CONFFILES {
            assert!(FILES.iter().any(|(_, path, _)| *path == conffile));
        }
    }
}
