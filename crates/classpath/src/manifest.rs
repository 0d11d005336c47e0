//! The main section of a jar's manifest: the few attributes that decide how classes are found.

use std::path::{Path, PathBuf};

/// Attributes of `META-INF/MANIFEST.MF` that matter here.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Manifest {
    pub main_class: Option<String>,
    pub multi_release: bool,
    /// Relative URLs, not yet resolved.
    pub class_path: Vec<String>,
}

impl Manifest {
    pub fn parse(bytes: &[u8]) -> Manifest {
        let mut manifest = Manifest::default();
        for (name, value) in main_section(&String::from_utf8_lossy(bytes)) {
            match name.to_ascii_lowercase().as_str() {
                "main-class" => {
                    manifest.main_class = Some(value.trim().to_string()).filter(|v| !v.is_empty())
                }
                "multi-release" => manifest.multi_release = value.trim().eq_ignore_ascii_case("true"),
                "class-path" => manifest.class_path = value.split_whitespace().map(str::to_string).collect(),
                _ => {}
            }
        }
        manifest
    }

    /// `Class-Path` against the folder of the jar. URLs of other schemes than `file:` are not followed.
    pub fn class_path_from(&self, jar: &Path) -> Vec<PathBuf> {
        let folder = jar.parent().unwrap_or(Path::new(""));
        self.class_path.iter().filter_map(|url| Some(folder.join(file_of_url(url)?))).collect()
    }
}

/// Name and value of each attribute up to the first empty line; a line that starts with a space continues the
/// one before (lines are at most 72 bytes long, so this is common).
fn main_section(text: &str) -> Vec<(String, String)> {
    let mut attributes: Vec<(String, String)> = Vec::new();
    for line in text.replace("\r\n", "\n").split(['\n', '\r']) {
        if line.is_empty() {
            break;
        }
        if let Some(rest) = line.strip_prefix(' ') {
            if let Some((_, value)) = attributes.last_mut() {
                value.push_str(rest);
            }
        } else if let Some((name, value)) = line.split_once(':') {
            attributes.push((name.to_string(), value.strip_prefix(' ').unwrap_or(value).to_string()));
        }
    }
    attributes
}

fn file_of_url(url: &str) -> Option<PathBuf> {
    let scheme_end =
        url.find(':').filter(|&end| end > 1 && url[..end].bytes().all(|b| b.is_ascii_alphanumeric()));
    let path = match scheme_end {
        None => url,
        Some(end) if url[..end].eq_ignore_ascii_case("file") => {
            let path = &url[end + 1..];
            path.strip_prefix("//").unwrap_or(path)
        }
        Some(_) => return None,
    };
    Some(PathBuf::from(percent_decoded(path)))
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits =
            bytes.get(at + 1..at + 3).filter(|d| bytes[at] == b'%' && d.iter().all(u8::is_ascii_hexdigit));
        match digits.and_then(|d| u8::from_str_radix(std::str::from_utf8(d).ok()?, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_continue_over_lines_and_end_at_the_first_section() {
        let text = "Manifest-Version: 1.0\r\nMain-Class: a.b.\r\n Main\r\nmulti-release: TRUE\r\n\
                    Class-Path: x.jar lib/\r\n  y%20z.jar http://host/far.jar file:/abs/w.jar\r\n\r\n\
                    Name: a/\r\nMain-Class: not.This\r\n";
        let manifest = Manifest::parse(text.as_bytes());
        assert_eq!(manifest.main_class.as_deref(), Some("a.b.Main"));
        assert!(manifest.multi_release);
        let paths = manifest.class_path_from(Path::new("dir/app.jar"));
        let expected = ["dir/x.jar", "dir/lib/", "dir/y z.jar", "/abs/w.jar"];
        assert_eq!(paths, expected.map(PathBuf::from));
    }

    #[test]
    fn odd_manifests_are_read_as_far_as_they_go() {
        assert_eq!(Manifest::parse(b""), Manifest::default());
        assert_eq!(Manifest::parse(b" lost\nno colon\n\xff\xfe: x\nMain-Class:\n"), Manifest::default());
        assert_eq!(percent_decoded("%zz%4%41%"), "%zz%4A%");
    }
}
