//! Shell commands that a document shows, for the tests that run them.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;

const BEGIN: &str = "```sh\n";
const OUTPUT: &str = "```text\n";
const END: &str = "```\n";
/// Printed between two blocks; no command prints it.
const SEPARATOR: &str = "\u{1e}";

/// A block of commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commands {
    /// The commands.
    pub script: String,
    /// What they print, if the document shows it.
    pub output: Option<String>,
}

/// The commands in a section of a document, given by its heading, in their order.
#[must_use]
pub fn documented_commands(document: &str, heading: &str) -> Vec<Commands> {
    let (_, after) = document.split_once(heading).expect("the section");
    let section = after
        .split_once("\n## ")
        .map_or(after, |(section, _)| section);
    let mut blocks: Vec<Commands> = Vec::new();
    for part in section.split(BEGIN).skip(1) {
        let (script, after) = part.split_once(END).expect("the end of a block");
        let output = after.trim_start().strip_prefix(OUTPUT);
        let output = output.and_then(|output| output.split_once(END));
        blocks.push(Commands {
            script: script.to_owned(),
            output: output.map(|(output, _)| output.to_owned()),
        });
    }
    blocks
}

/// Whether bash has all these programs. Says which one is missing, and that the test did not run.
#[must_use]
pub fn have_programs(names: &[&str]) -> bool {
    let is_missing = |name: &&&str| {
        let mut bash = Command::new("bash");
        let found = bash.args(["-c", r#"command -v "$0" >/dev/null"#, name]);
        !found.status().is_ok_and(|status| status.success())
    };
    let missing = names.iter().find(is_missing);
    if let Some(name) = missing {
        // Not by a macro, whose output cargo hides if the test passes.
        let message = format!("DID NOT RUN: this test needs bash and {name}\n");
        io::stderr().write_all(message.as_bytes()).unwrap();
    }
    missing.is_none()
}

/// Runs blocks of commands in one shell in a folder, and returns what each of them printed.
#[must_use]
pub fn run_commands<'s>(scripts: impl IntoIterator<Item = &'s str>, folder: &Path) -> Vec<String> {
    let all: Vec<String> = scripts
        .into_iter()
        .map(|script| format!("{script}printf '{SEPARATOR}'\n"))
        .collect();
    let mut bash = Command::new("bash");
    let output = bash
        .arg("-c")
        .arg(all.concat())
        .current_dir(folder)
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors, "");
    let printed = String::from_utf8(output.stdout).unwrap();
    printed
        .split_terminator(SEPARATOR)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "\
## One

```sh
false
```

## Two

```sh
x=1
```

Then:

```sh
echo $x
```

```text
1
```

## Three

```sh
false
```
";

    #[test]
    fn the_commands_of_a_section_run_in_one_shell() {
        let blocks = documented_commands(DOCUMENT, "## Two");
        let outputs: Vec<_> = blocks.iter().map(|block| block.output.as_deref()).collect();
        assert_eq!(outputs, [None, Some("1\n")]);
        if have_programs(&["echo"]) {
            let scripts = blocks.iter().map(|block| block.script.as_str());
            assert_eq!(run_commands(scripts, Path::new("/")), ["", "1\n"]);
        }
        assert!(!have_programs(&["echo", "a-program-that-does-not-exist"]));
    }
}
