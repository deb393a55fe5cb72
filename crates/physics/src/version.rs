use std::sync::atomic::{AtomicU64, Ordering};

/// Names the content of something: equal versions, equal contents. A change takes a new one, which no other content of
/// this process ever had; nothing but equality means anything, so that no result depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Version(u64);

impl Version {
    /// The version of what is as it began: no body ever, nothing painted.
    pub(crate) const FIRST: Version = Version(0);

    /// A version that nothing had before.
    pub(crate) fn next() -> Version {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Version(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}
