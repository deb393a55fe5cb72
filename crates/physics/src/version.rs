use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Names a content, such as the edits of a map: equal versions mean equal contents. Every change takes a version that
/// no other content of this process ever had. Versions are only compared for equality, so they do not affect results.
///
/// The default version is that of the initial content: no body was ever added, and no tile was ever edited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Version(u64);

impl Version {
    /// Returns a number that only equal versions share, to look for an equal version among many.
    #[cfg(feature = "record")]
    pub(crate) fn number(self) -> u64 {
        self.0
    }

    /// Returns a version that nothing had before.
    pub(crate) fn next() -> Version {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Version(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// A version with a hash of its content, computed on demand. A new version starts without a hash.
#[derive(Clone, Debug)]
pub(crate) struct HashedVersion<T> {
    version: Version,
    #[cfg_attr(not(feature = "record"), expect(dead_code, reason = "only checksums need hashes"))]
    hash: OnceLock<T>,
}

impl<T> HashedVersion<T> {
    pub(crate) fn new(version: Version) -> HashedVersion<T> {
        HashedVersion { version, hash: OnceLock::new() }
    }

    pub(crate) fn version(&self) -> Version {
        self.version
    }

    /// Takes a new version, because the content has changed.
    pub(crate) fn renew(&mut self) {
        *self = HashedVersion::new(Version::next());
    }

    /// Returns the hash of the content.
    #[cfg(feature = "record")]
    pub(crate) fn hash_or_compute(&self, compute: impl FnOnce() -> T) -> &T {
        self.hash.get_or_init(compute)
    }
}

impl<T> Default for HashedVersion<T> {
    fn default() -> HashedVersion<T> {
        HashedVersion::new(Version::default())
    }
}
