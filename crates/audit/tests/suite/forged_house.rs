//! A house that serves what a test makes up: a log of any entries, signed with any key, and with any
//! file replaced.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use actix_web::{HttpResponse, web};
use glasshouse_testing::TestHttpServer;
use glasshouse_transparency::entry::{encode_bundle, leaf_hash};
use glasshouse_transparency::keys::SigningKeys;
use glasshouse_transparency::tile::{
    Bundle, FULL_WIDTH, RightEdge, TilePath, changed_bundles, changed_tiles,
};

/// The files that are served, by their paths.
type Files = Arc<Mutex<HashMap<String, Vec<u8>>>>;

/// The house.
pub(crate) struct ForgedHouse {
    server: TestHttpServer,
    files: Files,
    /// How many requests are answered with an error before the next one is answered.
    failures: Arc<AtomicUsize>,
    rules: String,
}

impl ForgedHouse {
    /// Serves a log of these entries, and the rules.
    pub(crate) fn serve(lines: &[String], keys: &SigningKeys, rules: &str) -> Self {
        let files: Files = Arc::default();
        let shared = Arc::clone(&files);
        let failures: Arc<AtomicUsize> = Arc::default();
        let shared_failures = Arc::clone(&failures);
        let server = TestHttpServer::start(move |config| {
            config
                .app_data(web::Data::from(Arc::clone(&shared)))
                .app_data(web::Data::from(Arc::clone(&shared_failures)))
                .default_service(web::to(serve_file));
        });
        let house = Self {
            server,
            files,
            failures,
            rules: rules.to_owned(),
        };
        house.replace(lines, keys);
        house
    }

    pub(crate) fn url(&self) -> &str {
        &self.server.url
    }

    /// Serves another log from now on.
    pub(crate) fn replace(&self, lines: &[String], keys: &SigningKeys) {
        let mut files = self.files.lock().unwrap();
        files.clear();
        let mut put = |path: &str, data: Vec<u8>| {
            files.insert(path.to_owned(), data);
        };
        put("/transparency/key", keys.verifier_keys().to_string().into());
        put("/transparency/rules", self.rules.clone().into());
        let log = SignedLog::new(lines, keys);
        put("/log/checkpoint", log.note.into());
        for (path, data) in log.files {
            put(&format!("/log/{path}"), data);
        }
    }

    /// Serves other data at a path, or nothing.
    pub(crate) fn put(&self, path: &str, data: Option<Vec<u8>>) {
        let mut files = self.files.lock().unwrap();
        match data {
            Some(data) => files.insert(path.to_owned(), data),
            None => files.remove(path),
        };
    }

    /// Answers the next requests with an error.
    pub(crate) fn fail(&self, times: usize) {
        self.failures.store(times, Ordering::SeqCst);
    }

    pub(crate) fn file(&self, path: &str) -> Vec<u8> {
        self.files.lock().unwrap()[path].clone()
    }
}

async fn serve_file(
    files: web::Data<Mutex<HashMap<String, Vec<u8>>>>,
    failures: web::Data<AtomicUsize>,
    request: actix_web::HttpRequest,
) -> HttpResponse {
    let fewer = |left: usize| left.checked_sub(1);
    if failures
        .fetch_update(Ordering::SeqCst, Ordering::SeqCst, fewer)
        .is_ok()
    {
        return HttpResponse::ServiceUnavailable().finish();
    }
    match files.lock().unwrap().get(request.path()) {
        Some(data) => HttpResponse::Ok().body(data.clone()),
        None => HttpResponse::NotFound().finish(),
    }
}

/// A log of given entries with its tiles.
pub(crate) struct SignedLog {
    pub(crate) note: String,
    pub(crate) files: Vec<(TilePath, Vec<u8>)>,
}

impl SignedLog {
    pub(crate) fn new(lines: &[String], keys: &SigningKeys) -> Self {
        let mut edge = RightEdge::empty();
        let leaves: Vec<_> = lines
            .iter()
            .map(|line| leaf_hash(line.as_bytes()))
            .collect();
        let tiles = edge.append(&leaves).unwrap();
        let size = u64::try_from(lines.len()).unwrap();
        assert_eq!(tiles.len(), changed_tiles(0, size).unwrap().len());
        let tiles = tiles
            .into_iter()
            .map(|stored| (TilePath::Hashes(stored.tile), stored.data));
        let bundles = changed_bundles(0, size).unwrap().into_iter();
        let bundles = bundles.map(|bundle| (TilePath::Entries(bundle), data_of(lines, bundle)));
        Self {
            note: edge.checkpoint().sign(keys).unwrap(),
            files: tiles.chain(bundles).collect(),
        }
    }
}

fn data_of(lines: &[String], bundle: Bundle) -> Vec<u8> {
    let width = usize::from(bundle.width());
    let first = usize::try_from(bundle.index()).unwrap() * usize::from(FULL_WIDTH);
    encode_bundle(&lines[first..first + width]).unwrap()
}
