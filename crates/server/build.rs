//! Lets the linker pack the program's relative relocations, which are 1.7 MB otherwise: all of them are read when the
//! program starts, and stay in memory.

use std::process::Command;

/// The first glibc that reads packed relocations.
const FIRST_GLIBC: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if is_built_for_this_machine() && glibc().is_some_and(|version| version >= FIRST_GLIBC) {
        // A linker that does not know this option only warns.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

fn is_built_for_this_machine() -> bool {
    let variable = |name| std::env::var(name).ok();
    variable("HOST") == variable("TARGET")
        && variable("CARGO_CFG_TARGET_ENV").as_deref() == Some("gnu")
}

/// The version of this machine's C library, if that is glibc.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let text = String::from_utf8(output.ok()?.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
