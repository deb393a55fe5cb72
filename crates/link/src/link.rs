//! The format of a link: `#NAME=TEXT`, or `#NAME`. `docs/guide/browser.md` in the repository describes it for players.
//!
//! A link comes from anywhere. So reading one refuses names with folders, and texts that unpack to more than a limit,
//! before anything else reads them.

use crate::error::LinkError;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};
use std::fmt;
use std::io::Write;

/// The name and the text of a file, as a URL fragment: the part of an address after `#`.
///
/// `Display` writes `#NAME=TEXT`: the text is compressed with deflate, without a header, and written in base64url.
/// Without a text the form is `#NAME`: a file that the page has.
///
/// # Examples
/// ```
/// use surefoot_link::Link;
///
/// let link = Link::new("a.ron", Some("Map(format: 1, tiles: [\"@\"])".to_owned()))?;
/// assert_eq!(Link::parse(&format!("https://example.org/{link}"))?, link);
/// assert_eq!(Link::parse("#zoo.ron")?.text(), None);
/// assert!(Link::parse("#../zoo.ron").is_err());
/// # Ok::<(), surefoot_link::LinkError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    name: String,
    text: Option<String>,
}

/// Maximum number of characters of a name.
const MAX_NAME: usize = 100;
/// Ending of all names.
const ENDING: &str = ".ron";
/// Minimum number of bytes that unpacking has room for.
const CHUNK_BYTES: usize = 1 << 16;

impl Link {
    /// Maximum size of the text in bytes: 4 MiB. All shipped maps are far smaller.
    pub const MAX_TEXT_BYTES: usize = 4 << 20;

    /// Maximum number of characters after `#`: 2^20. [`Link::parse`] refuses longer
    /// links, [`Link::new`] does not.
    pub const MAX_CHARACTERS: usize = 1 << 20;

    /// Creates a link. `name`: name of the file. It ends in `.replay.ron` for a replay, in [`Link::RUN_ENDING`] for the
    /// run of a game, in `.ron` for a map. `text`: content of the file, or `None` for a file that the page has.
    ///
    /// Does not check the text. For runs, call [`Link::of_run`] or [`Link::of_recording`].
    ///
    /// # Errors
    /// Returns [`LinkError`] if the name does not end in `.ron` or is not the plain name of a file, or if the text is
    /// too large.
    pub fn new(name: &str, text: Option<String>) -> Result<Link, LinkError> {
        check_name(name)?;
        if text.as_ref().is_some_and(|text| text.len() > Link::MAX_TEXT_BYTES) {
            return Err(LinkError::TooLarge { limit: Link::MAX_TEXT_BYTES });
        }
        Ok(Link { name: name.to_owned(), text })
    }

    /// Reads a link: a whole address, or its part from `#` on. Skips white space around it.
    ///
    /// # Errors
    /// Returns [`LinkError`] if the address has no `#`, if the name does not end in `.ron` or is not the plain name of
    /// a file, or if the text is damaged or too large.
    pub fn parse(link: &str) -> Result<Link, LinkError> {
        let (_, fragment) = link.trim().split_once('#').ok_or(LinkError::NoFragment)?;
        if fragment.is_empty() {
            return Err(LinkError::NoFragment);
        }
        if fragment.len() > Link::MAX_CHARACTERS {
            return Err(LinkError::TooLong { length: fragment.len(), limit: Link::MAX_CHARACTERS });
        }
        let (name, packed) = match fragment.split_once('=') {
            Some((name, packed)) => (name, Some(packed)),
            None => (fragment, None),
        };
        check_name(name)?;
        let text = packed.map(decompress_text).transpose()?;
        Ok(Link { name: name.to_owned(), text })
    }

    /// Returns whether a text is a link and not the name of a file: it has a `#` before a file name that ends in
    /// `.ron`.
    #[must_use]
    pub fn is_link(text: &str) -> bool {
        let name = text.trim().split_once('#').map(|(_, fragment)| fragment.split('=').next().unwrap_or_default());
        name.is_some_and(|name| check_name(name).is_ok())
    }

    /// Ending of the file name of a run of a game with rules of its own. The text of such a link or file comes from
    /// [`Recording::to_short_ron`](surefoot::record::Recording::to_short_ron). Only a program that has the game can
    /// play the run.
    pub const RUN_ENDING: &str = ".run.ron";

    /// Returns whether a file is the run of a game with rules of its own, by its name.
    #[must_use]
    pub fn is_run(name: &str) -> bool {
        name.ends_with(Link::RUN_ENDING)
    }

    /// Returns the name of the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the content of the file, or `None` for a file that the page has.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Returns the nearest name that a link may have: other characters become `_`.
    #[must_use]
    pub fn allowed_name(name: &str) -> String {
        let stem = name.strip_suffix(ENDING).unwrap_or(name);
        let stem = stem.trim_start_matches(['.', '-']).chars().map(|c| if is_allowed_in_name(c) { c } else { '_' });
        let mut stem: String = stem.collect();
        // Cut a long name at its beginning, because its end says whether the file is a replay.
        stem.drain(..stem.len().saturating_sub(MAX_NAME - ENDING.len()));
        let stem = stem.trim_start_matches(['.', '-']);
        format!("{}{ENDING}", if stem.is_empty() { "map" } else { stem })
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.name)?;
        match &self.text {
            Some(text) => write!(f, "={}", compress_text(text)),
            None => Ok(()),
        }
    }
}

fn is_allowed_in_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || ".-_".contains(letter)
}

/// Refuses all but the name of a visible file without folders.
fn check_name(name: &str) -> Result<(), LinkError> {
    let stem = name.strip_suffix(ENDING).unwrap_or_default();
    let is_good = !stem.is_empty() && !name.starts_with(['.', '-']) && name.chars().all(is_allowed_in_name);
    if is_good && name.len() <= MAX_NAME {
        return Ok(());
    }
    Err(LinkError::Name { name: name.chars().take(MAX_NAME).collect() })
}

fn compress_text(text: &str) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing into memory does not fail.
    let packed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).unwrap_or_default();
    URL_SAFE_NO_PAD.encode(packed)
}

fn decompress_text(packed: &str) -> Result<String, LinkError> {
    let packed = URL_SAFE_NO_PAD.decode(packed).map_err(|source| LinkError::Base64 { source })?;
    let mut inflate = Decompress::new(false);
    let mut text = Vec::new();
    loop {
        let (read, written) = (inflate.total_in() as usize, text.len());
        text.reserve(CHUNK_BYTES);
        let status = inflate.decompress_vec(&packed[read..], &mut text, FlushDecompress::None);
        let status = status.map_err(|_| LinkError::Deflate)?;
        if text.len() > Link::MAX_TEXT_BYTES {
            return Err(LinkError::TooLarge { limit: Link::MAX_TEXT_BYTES });
        }
        match status {
            Status::StreamEnd if (inflate.total_in() as usize) < packed.len() => return Err(LinkError::Deflate),
            Status::StreamEnd => break,
            _ if inflate.total_in() as usize == read && text.len() == written => return Err(LinkError::Truncated),
            _ => {}
        }
    }
    String::from_utf8(text).map_err(|_| LinkError::NotUtf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of a text that deflate only stores: a last block without compression, its length twice, and the text.
    /// Worked out by hand from RFC 1951, section 3.2.4.
    fn deflate_without_compression(text: &[u8]) -> Vec<u8> {
        let length = u16::try_from(text.len()).unwrap();
        [&[1][..], &length.to_le_bytes(), &(!length).to_le_bytes(), text].concat()
    }

    fn link_of(bytes: &[u8]) -> String {
        format!("#a.ron={}", URL_SAFE_NO_PAD.encode(bytes))
    }

    #[test]
    fn a_link_written_by_another_program_is_read() {
        assert_eq!(Link::parse(&link_of(&deflate_without_compression(b"hello"))).unwrap().text(), Some("hello"));
        // zlib packs "hello" to these bytes of raw deflate, here in base64url.
        let link = Link::parse("https://example.org/a?b=c#a-1.replay.ron=y0jNyckHAA").unwrap();
        assert_eq!((link.name(), link.text()), ("a-1.replay.ron", Some("hello")));
    }

    #[test]
    fn any_text_comes_back() {
        for text in ["", "a", "ü\n\"", &"Map ".repeat(100_000), &"x".repeat(Link::MAX_TEXT_BYTES)] {
            let link = Link::new("a.ron", Some(text.to_owned())).unwrap();
            assert!(Link::parse(&link.to_string()).unwrap() == link, "{} bytes", text.len());
        }
        let larger = "x".repeat(Link::MAX_TEXT_BYTES + 1);
        let too_large = LinkError::TooLarge { limit: Link::MAX_TEXT_BYTES };
        assert_eq!(Link::new("a.ron", Some(larger.clone())).unwrap_err(), too_large);
        // This link is small, but its text is too large.
        let bomb = format!("#a.ron={}", compress_text(&larger));
        assert!(bomb.len() < 10_000, "{}", bomb.len());
        assert_eq!(Link::parse(&bomb).unwrap_err(), too_large);
    }

    #[test]
    fn a_damaged_link_is_refused_and_each_error_says_what_is_wrong() {
        let whole = Link::new("a.ron", Some("Map(format: 1, tiles: [\"@..\"])".to_owned())).unwrap().to_string();
        for end in "#a.ron=".len()..whole.len() {
            let error = Link::parse(&whole[..end]).unwrap_err();
            assert!(matches!(error, LinkError::Truncated | LinkError::Base64 { .. }), "{end}: {error}");
        }
        for (link, expected) in [
            ("https://example.org/", "the link has nothing after `#`"),
            ("#", "the link has nothing after `#`"),
            ("#a.txt", "the name \"a.txt\" in the link is not a valid file name"),
            ("#../a.ron", "the name \"../a.ron\""),
            ("#.ron", "the name \".ron\""),
            ("#-a.ron", "the name \"-a.ron\""),
            ("#a b.ron", "the name \"a b.ron\""),
            ("#a.ron=a", "the link is damaged: "),
            ("#a.ron=a+b/", "the link is damaged: "),
            ("#a.ron=____", "the link is damaged: its text cannot be unpacked"),
            (&link_of(&deflate_without_compression(b"\xff")), "the link is damaged: its text is not UTF-8"),
            (
                &link_of(&[&deflate_without_compression(b"hello")[..], b"more"].concat()),
                "the link is damaged: its text cannot be unpacked",
            ),
            (&format!("#{}.ron", "a".repeat(MAX_NAME)), "the name "),
            (&format!("#a.ron={}", "A".repeat(Link::MAX_CHARACTERS)), "the link has 1048582 characters"),
        ] {
            let error = Link::parse(link).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}; expected {expected}");
        }
    }

    #[test]
    fn names_are_made_allowed_and_stay_replays() {
        let long = format!("{}.replay.ron", "a".repeat(200));
        for (name, expected) in [
            ("first_steps.replay.ron", "first_steps.replay.ron"),
            ("a cave/ü.ron", "a_cave__.ron"),
            ("cave.tmx", "cave.tmx.ron"),
            ("..", "map.ron"),
            (".ron", "map.ron"),
            (&*long, &format!("{}.replay.ron", "a".repeat(MAX_NAME - ".replay.ron".len()))),
        ] {
            assert_eq!(Link::allowed_name(name), expected);
            assert!(check_name(&Link::allowed_name(name)).is_ok(), "{name}");
        }
        assert!(Link::is_link("https://a.org/#a.ron=xyz") && Link::is_link("#a.replay.ron"));
        assert!(!Link::is_link("maps/zoo.ron") && !Link::is_link("a#b") && !Link::is_link("a#b.txt"));
    }
}
