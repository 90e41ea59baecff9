//! nginx in front of the servers, with the configuration that operators get.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::process::Process;

/// The configuration in the repository, which names example addresses.
const CONFIGURATION: &str = include_str!("../../../ops/nginx/glasshouse.conf");
const SERVERS: [&str; 2] = ["127.0.0.1:8080", "127.0.0.1:8081"];
const LISTEN: &str = "127.0.0.1:8000";

/// A running nginx.
#[derive(Debug)]
pub(crate) struct Nginx {
    _process: Process,
}

impl Nginx {
    /// Starts it in a folder, listening on `address`, in front of two servers.
    pub(crate) fn start(folder: &Path, address: &str, servers: &[String]) -> Result<Self> {
        ensure!(
            servers.len() == SERVERS.len(),
            "the configuration is for {} servers",
            SERVERS.len()
        );
        let mut site = CONFIGURATION.replace(LISTEN, address);
        for (example, server) in SERVERS.iter().zip(servers) {
            site = site.replace(example, server);
        }
        let path = folder.join("nginx.conf");
        fs::write(&path, main_configuration(folder, &site))?;
        let mut command = Command::new("nginx");
        command
            .arg("-c")
            .arg(&path)
            .args(["-e", "stderr", "-p"])
            .arg(folder);
        Ok(Self {
            _process: Process::start(&mut command, &folder.join("nginx.log"))?,
        })
    }
}

/// What Debian's nginx.conf has around a site, with everything it writes in the folder.
fn main_configuration(folder: &Path, site: &str) -> String {
    let folder = folder.display();
    let paths: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("    {name}_temp_path {folder}/nginx-{name};\n"))
        .concat();
    format!(
        "daemon off;\nmaster_process off;\nworker_processes 1;\npid {folder}/nginx.pid;\nerror_log stderr;\n\
         events {{ worker_connections 1024; }}\nhttp {{\n    access_log off;\n{paths}{site}}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_has_the_addresses_that_are_replaced() {
        for address in SERVERS.iter().chain([&LISTEN]) {
            assert_eq!(CONFIGURATION.matches(address).count(), 1, "{address}");
        }
    }
}
