use std::sync::atomic::{AtomicU64, Ordering};

/// Names the content of something: equal versions, equal contents. A change takes a new one, which no other content of
/// this process ever had; nothing but equality means anything, so that no result depends on it.
///
/// The default names the content at the beginning: no body ever, nothing painted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Version(u64);

impl Version {
    /// A version that nothing had before.
    pub(crate) fn next() -> Version {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Version(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}
