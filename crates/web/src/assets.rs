//! The files of the page, part of the binary. `page/README.md` says how they are made.

use std::io::Write;
use std::sync::OnceLock;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A file as it is sent.
struct Asset {
    name: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
    compressed: OnceLock<Vec<u8>>,
}

macro_rules! asset {
    ($name:literal, $content_type:literal) => {
        Asset {
            name: $name,
            content_type: $content_type,
            bytes: include_bytes!(concat!("../page/dist/", $name)),
            compressed: OnceLock::new(),
        }
    };
}

static ASSETS: [Asset; 4] = [
    asset!("index.html", "text/html; charset=utf-8"),
    asset!("page.js", "text/javascript; charset=utf-8"),
    asset!("page.css", "text/css; charset=utf-8"),
    asset!("icon.svg", "image/svg+xml"),
];

/// The file with this name, compressed if the browser takes that. The empty name is the page itself.
pub fn asset(name: &str, request: &HeaderMap) -> Option<Response> {
    let name = if name.is_empty() { "index.html" } else { name };
    let asset = ASSETS.iter().find(|it| it.name == name)?;
    // The same binary has the same files: its tag is their content.
    let tag = format!("\"{:016x}\"", fnv(asset.bytes));
    if request
        .get(header::IF_NONE_MATCH)
        .is_some_and(|it| it == tag.as_str())
    {
        return Some(StatusCode::NOT_MODIFIED.into_response());
    }
    let accepts_gzip = request
        .get(header::ACCEPT_ENCODING)
        .and_then(|it| it.to_str().ok())
        .is_some_and(|it| it.contains("gzip"));
    let mut response = match accepts_gzip {
        true => asset.compressed().to_vec().into_response(),
        false => asset.bytes.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    if accepts_gzip {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Some(response)
}

impl Asset {
    fn compressed(&self) -> &[u8] {
        self.compressed.get_or_init(|| {
            let mut encoder = GzEncoder::new(vec![], Compression::best());
            let written = encoder.write_all(self.bytes).and_then(|()| encoder.finish());
            written.expect("writing to memory does not fail")
        })
    }
}

/// FNV-1a, 64 bits.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    /// What a browser has to load, compressed.
    const PAGE_BYTES_MAX: usize = 1 << 20;

    #[test]
    fn the_page_is_small() {
        let total: usize = ASSETS.iter().map(|it| it.compressed().len()).sum();
        assert!(total < PAGE_BYTES_MAX, "{total} bytes");
    }

    /// `bundle.mjs` writes this sum into the first line of the bundle.
    #[test]
    fn the_bundle_is_that_of_the_sources() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut files: Vec<PathBuf> = std::fs::read_dir(page.join("src"))
            .expect("the sources of the page")
            .map(|it| it.expect("a file").path())
            .chain([page.join("bundle.mjs"), page.join("package-lock.json")])
            .collect();
        files.sort_by_key(|it| it.file_name().map(|it| it.to_os_string()));
        let mut all = vec![];
        for file in files {
            let name = file.file_name().expect("a name").to_string_lossy().into_owned();
            all.extend(name.bytes());
            all.push(0);
            // A checkout may have changed the ends of lines.
            all.extend(
                std::fs::read(&file)
                    .expect("a readable file")
                    .into_iter()
                    .filter(|it| *it != b'\r'),
            );
            all.push(0);
        }
        let js = std::fs::read_to_string(page.join("dist/page.js")).expect("the bundle");
        let first = js.lines().next().unwrap_or_default();
        assert!(
            first.contains(&format!("{:016x}", fnv(&all))),
            "crates/web/page/dist is stale: run `npm ci && npm run bundle` in crates/web/page; it begins with {first}"
        );
    }
}
