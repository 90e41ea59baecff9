//! The alert rules, the dashboard and the documents name metrics that the server publishes, every
//! metric is documented, and every alert is tested.
//!
//! A metric is what the first argument of `counter!`, `gauge!` or `histogram!` names, as a literal.
//! In documents, which also name crates and database roles, only names that end like a metric are
//! checked.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, SourceFile};

const PREFIX: &str = "glasshouse_";
/// Where each metric must be documented.
const DOCUMENT: &str = "docs/operations.md";
/// The folders in which every name with the prefix is that of a metric.
const MONITORING: [&str; 2] = ["ops/prometheus/", "ops/grafana/"];
const RULES: &str = ".rules.yml";
const TESTS: &str = ".rules.test.yml";

/// How a metric was registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A counter or a gauge, with one series for its labels.
    Plain,
    /// A histogram, which is published as a summary: with a label `quantile`, `_sum` and `_count`.
    Histogram,
}

/// Finds names of metrics that do not exist, and metrics and alerts that are missing elsewhere.
pub(super) fn check(files: &[SourceFile]) -> Vec<Finding> {
    let published = published(files);
    let mut findings = Vec::new();
    for file in files {
        let all_are_metrics = MONITORING
            .iter()
            .any(|folder| file.path.starts_with(folder));
        let is_document = file.path == "README.md" || file.path.starts_with("docs/");
        for (number, line) in (1..).zip(file.text.lines()) {
            let unknown = names_in(line)
                .filter(|name| all_are_metrics || (is_document && ends_as_one_of(&published, name)))
                .filter(|name| !is_published(&published, name));
            findings.extend(unknown.map(|name| {
                let message = format!("{name} is no metric that the server publishes");
                Finding::new(format!("{}:{number}", file.path), message)
            }));
        }
        if file.path.starts_with("ops/grafana/")
            && let Err(error) = serde_json::from_str::<serde_json::Value>(&file.text)
        {
            findings.push(Finding::new(&*file.path, format!("is not JSON: {error}")));
        }
    }
    findings.extend(undocumented(files, &published));
    findings.extend(untested(files));
    findings
}

/// The metrics that the sources register.
fn published(files: &[SourceFile]) -> BTreeMap<&str, Kind> {
    let sources = files.iter().filter(|file| {
        // This crate has no metrics, but names some in its tests.
        file.has_extension(&["rs"]) && !file.path.starts_with("crates/xtask/")
    });
    let mut metrics = BTreeMap::new();
    for file in sources {
        for (call, kind) in [
            ("counter!(", Kind::Plain),
            ("gauge!(", Kind::Plain),
            ("histogram!(", Kind::Histogram),
        ] {
            let names = file.text.split(call).skip(1).filter_map(|rest| {
                let (name, _) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
                Some(name)
            });
            metrics.extend(names.map(|name| (name, kind)));
        }
    }
    metrics
}

/// Whether a series of this name exists.
fn is_published(published: &BTreeMap<&str, Kind>, name: &str) -> bool {
    let is_part = |suffix: &str| {
        name.strip_suffix(suffix)
            .and_then(|histogram| published.get(histogram))
            .is_some_and(|kind| *kind == Kind::Histogram)
    };
    published.contains_key(name) || is_part("_sum") || is_part("_count")
}

/// Whether the last word of the name is that of a metric, such as `total` or `seconds`.
fn ends_as_one_of(published: &BTreeMap<&str, Kind>, name: &str) -> bool {
    let last_word = |name: &str| name.rsplit('_').next().map(str::to_owned);
    published
        .keys()
        .any(|metric| last_word(metric) == last_word(name))
}

/// The words in a text that begin with the prefix.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .filter(|word| word.starts_with(PREFIX))
}

fn undocumented(files: &[SourceFile], published: &BTreeMap<&str, Kind>) -> Vec<Finding> {
    let document = files.iter().find(|file| file.path == DOCUMENT);
    let documented: BTreeSet<&str> = document
        .iter()
        .flat_map(|file| names_in(&file.text))
        .collect();
    published
        .keys()
        .filter(|name| !documented.contains(**name))
        .map(|name| Finding::new(DOCUMENT, format!("does not say what {name} means")))
        .collect()
}

fn untested(files: &[SourceFile]) -> Vec<Finding> {
    let tests: Vec<&str> = files
        .iter()
        .filter(|file| file.path.ends_with(TESTS))
        .map(|file| &*file.text)
        .collect();
    let rules = files.iter().filter(|file| file.path.ends_with(RULES));
    let alerts = rules.flat_map(|file| {
        let names = file
            .text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("- alert: "));
        names.map(move |name| (&file.path, name))
    });
    alerts
        .filter(|(_, name)| {
            let sample = format!("alertname=\"{name}\"");
            !tests.iter().any(|text| text.contains(&sample))
        })
        .map(|(path, name)| Finding::new(&**path, format!("no test has {name} fire")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::source_file;
    use super::*;

    const SOURCE: &str = "metrics::counter!(\"glasshouse_bets_total\", \"game\" => game).increment(1);\n\
        metrics::gauge!(\"glasshouse_players\").set(1.0);\n\
        metrics::histogram!(\n    \"glasshouse_batch_seconds\",\n).record(1.0);\n";
    const DOCUMENTED: &str = "`glasshouse_bets_total`, `glasshouse_players`: what they mean\n\
        The crate glasshouse_casino and the role glasshouse_owner.\n";

    fn check(path: &str, text: &str, expected: &[&str]) {
        let documented = format!("{DOCUMENTED}| `glasshouse_batch_seconds` |\n");
        let files = [
            source_file("crates/a/src/b.rs", SOURCE),
            source_file("docs/operations.md", &documented),
            source_file(path, text),
        ];
        let found: Vec<String> = super::check(&files)
            .into_iter()
            .map(|finding| finding.to_string())
            .collect();
        assert_eq!(found, expected, "{path}: {text:?}");
    }

    #[test]
    fn rules_and_dashboards_use_metrics_that_exist() {
        let path = "ops/prometheus/a.yml";
        check(path, "expr: glasshouse_players > 1\n", &[]);
        check(path, "expr: rate(glasshouse_bets_total[5m]) > 1\n", &[]);
        check(
            path,
            "glasshouse_batch_seconds{quantile=\"0.99\"} glasshouse_batch_seconds_sum \
             glasshouse_batch_seconds_count\n",
            &[],
        );
        for missing in [
            "glasshouse_player",
            "glasshouse_bets",
            "glasshouse_players_count",
            // Summaries have no buckets.
            "glasshouse_batch_seconds_bucket",
        ] {
            let expected = format!("{path}:2: {missing} is no metric that the server publishes");
            check(path, &format!("\nexpr: sum({missing})\n"), &[&expected]);
        }
        check(
            "ops/grafana/a.json",
            "{\"expr\": \"glasshouse_bet_total\"}\n",
            &["ops/grafana/a.json:1: glasshouse_bet_total is no metric that the server publishes"],
        );
    }

    #[test]
    fn documents_name_metrics_that_exist() {
        check("docs/a.md", "`glasshouse_bets_total{game=\"dice\"}`\n", &[]);
        check("docs/a.md", "`glasshouse_casino`, glasshouse_server\n", &[]);
        check(
            "docs/a.md",
            "`glasshouse_wins_total`\n",
            &["docs/a.md:1: glasshouse_wins_total is no metric that the server publishes"],
        );
    }

    #[test]
    fn every_metric_is_documented() {
        let files = [
            source_file("crates/a/src/b.rs", SOURCE),
            source_file("docs/operations.md", DOCUMENTED),
        ];
        let found: Vec<String> = super::check(&files)
            .into_iter()
            .map(|finding| finding.to_string())
            .collect();
        let expected = "docs/operations.md: does not say what glasshouse_batch_seconds means";
        assert_eq!(found, [expected]);
    }

    #[test]
    fn every_alert_is_tested() {
        let rules = source_file("ops/prometheus/a.rules.yml", "  - alert: Down\n");
        let tests = |text: &str| source_file("ops/prometheus/a.rules.test.yml", text);
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<String> =
                untested(&[tests(text), source_file(&rules.path, &rules.text)])
                    .into_iter()
                    .map(|finding| finding.to_string())
                    .collect();
            assert_eq!(found, expected, "{text}");
        };
        check("ALERTS{alertname=\"Down\"}\n", &[]);
        check(
            "ALERTS{alertname=\"DownAgain\"}\n",
            &["ops/prometheus/a.rules.yml: no test has Down fire"],
        );
    }

    #[test]
    fn dashboards_are_json() {
        let files = [source_file("ops/grafana/a.json", "{,}\n")];
        let findings = super::check(&files);
        assert_eq!(findings.len(), 1, "{findings:?}");
    }
}
