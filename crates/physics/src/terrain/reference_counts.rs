/// Counts how many tiles have each cell that edits have made, so that unused cells can be reused.
///
/// Cells from the first bake are not counted and stay: there are no more of them than the map needed. So a terrain
/// that is edited forever stores those, and as many others as were ever in use at the same time.
#[derive(Clone, Debug)]
pub(super) struct ReferenceCounts {
    /// The first counted id.
    first: u32,
    counts: Vec<Count>,
    /// Cells that were unused at some time. Some may be in use again.
    unused: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    tiles: u32,
    /// Whether the cell is in the list of unused cells.
    listed: bool,
}

impl ReferenceCounts {
    /// Starts with all ids from `first` on unused and not yet assigned.
    pub(super) fn from_id(first: u32) -> ReferenceCounts {
        ReferenceCounts { first, counts: Vec::new(), unused: Vec::new() }
    }

    /// Returns whether tiles with that id are counted.
    pub(super) fn is_counted(&self, id: u32) -> bool {
        id >= self.first
    }

    /// Adds the next id.
    pub(super) fn add_unused_id(&mut self) {
        self.counts.push(Count { tiles: 0, listed: true });
        self.unused.push(self.first + self.counts.len() as u32 - 1);
    }

    /// Returns an unused id. It stays in the list until a tile uses it.
    pub(super) fn take_unused_id(&mut self) -> Option<u32> {
        while let Some(&id) = self.unused.last() {
            let count = &mut self.counts[(id - self.first) as usize];
            if count.tiles == 0 {
                return Some(id);
            }
            count.listed = false;
            self.unused.pop();
        }
        None
    }

    /// Counts that a tile changes from one id to another.
    pub(super) fn transfer_reference(&mut self, before: u32, now: u32) {
        if self.is_counted(now) {
            self.counts[(now - self.first) as usize].tiles += 1;
        }
        if self.is_counted(before) {
            let count = &mut self.counts[(before - self.first) as usize];
            count.tiles -= 1;
            if count.tiles == 0 && !count.listed {
                count.listed = true;
                self.unused.push(before);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_unused_until_a_tile_shows_it_and_after_none_does() {
        let mut references = ReferenceCounts::from_id(5);
        assert_eq!(references.take_unused_id(), None);
        references.add_unused_id();
        references.add_unused_id();
        assert_eq!(references.take_unused_id(), Some(6));
        references.transfer_reference(0, 6);
        references.transfer_reference(4, 5);
        assert_eq!(references.take_unused_id(), None);
        references.transfer_reference(5, 6);
        assert_eq!(references.take_unused_id(), Some(5));
        // The id is used again before it is taken, and then unused again. It must be in the list only once.
        references.transfer_reference(6, 5);
        references.transfer_reference(5, 6);
        references.transfer_reference(6, 0);
        references.transfer_reference(6, 0);
        assert_eq!(references.take_unused_id(), Some(6));
        references.transfer_reference(0, 6);
        assert_eq!(references.take_unused_id(), Some(5));
        references.transfer_reference(0, 5);
        assert_eq!(references.take_unused_id(), None);
    }
}
