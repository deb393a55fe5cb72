//! Lists with a maximum length, so that no file can exhaust the memory.

/// The first `N` items of a list, and the number of all items.
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
    /// Counts an item, and keeps it if it is one of the first `N`.
    pub(super) fn count_and_push_if_room(&mut self, item: impl FnOnce() -> T) {
        self.count += 1;
        if self.list.len() < N {
            self.list.push(item());
        }
    }
}
