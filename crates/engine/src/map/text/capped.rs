//! Lists of a file that stop growing, so that no file makes them large.

/// The first `N` items of a list, and how many there are.
pub(crate) struct Capped<T, const N: usize> {
    pub(crate) list: Vec<T>,
    pub(crate) count: usize,
}

impl<T, const N: usize> Default for Capped<T, N> {
    fn default() -> Self {
        Capped { list: Vec::new(), count: 0 }
    }
}

impl<T, const N: usize> Capped<T, N> {
    /// Counts an item, and keeps it if it is one of the first.
    pub(super) fn add(&mut self, item: impl FnOnce() -> T) {
        self.count += 1;
        if self.list.len() < N {
            self.list.push(item());
        }
    }
}
