use std::sync::atomic::{AtomicU64, Ordering};

/// Names the content of something: equal editions, equal contents. A change takes a new one, which no other content of
/// this process ever had; nothing but equality means anything, so that no result depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edition(u64);

impl Edition {
    /// The edition of what is as it began: no body ever, nothing painted.
    pub(crate) const FIRST: Edition = Edition(0);

    /// An edition that nothing had before.
    pub(crate) fn next() -> Edition {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Edition(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}
