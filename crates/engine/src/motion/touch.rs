use super::{Surface, Surfaces};

/// What is touched in the course of a tick: as it began until it is looked at again.
#[derive(Debug)]
pub(crate) struct Touch<'a> {
    pub(crate) before: &'a [Surface],
    after: &'a mut Surfaces,
    refreshed: bool,
    /// Other sides than before may touch something.
    sides: bool,
}

impl<'a> Touch<'a> {
    /// A touch that begins with what was touched before, and fills a list with what is touched later.
    #[inline(always)]
    pub(crate) fn begin(before: &'a [Surface], after: &'a mut Surfaces) -> Touch<'a> {
        Touch { before, after, refreshed: false, sides: false }
    }

    #[inline]
    pub(crate) fn now(&self) -> &[Surface] {
        if self.refreshed { self.after } else { self.before }
    }

    /// Whether the list was looked at again, and whether other sides may touch something than when it began.
    #[inline(always)]
    pub(crate) fn news(&self) -> (bool, bool) {
        (self.refreshed, self.sides)
    }

    /// The list to fill with tiles of the floor that is touched already, and is all that is touched.
    #[inline(always)]
    pub(crate) fn refresh_floor(&mut self) -> &mut Surfaces {
        self.refreshed = true;
        self.after
    }

    /// The list to fill with what is touched from here on.
    #[inline]
    pub(crate) fn refresh(&mut self) -> &mut Surfaces {
        (self.refreshed, self.sides) = (true, true);
        self.after
    }

    /// What is touched now as a list that can grow.
    pub(crate) fn refreshed(&mut self) -> &mut Surfaces {
        if !self.refreshed {
            self.after.clear();
            self.after.extend_from_slice(self.before);
            self.refreshed = true;
        }
        self.sides = true;
        self.after
    }

    /// Whether what is touched was looked at again.
    #[inline]
    pub(crate) fn is_refreshed(&self) -> bool {
        self.refreshed
    }
}
