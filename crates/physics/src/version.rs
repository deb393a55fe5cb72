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

    /// A version that nothing had before.
    pub(crate) fn next() -> Version {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Version(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}
