use super::{Surface, Surfaces};

/// Surfaces that a shape touches during a tick. Until they are searched again, they are those of the start of the
/// tick.
#[derive(Debug)]
pub(crate) struct Touch<'a> {
    pub(crate) before: &'a [Surface],
    after: &'a mut Surfaces,
    refreshed: bool,
    /// Whether the shape may touch other sides than before.
    sides: bool,
}

impl<'a> Touch<'a> {
    /// Starts with the surfaces touched before. A later search fills the list `after`.
    #[inline(always)]
    pub(crate) fn start_from(before: &'a [Surface], after: &'a mut Surfaces) -> Touch<'a> {
        Touch { before, after, refreshed: false, sides: false }
    }

    #[inline]
    pub(crate) fn surfaces(&self) -> &[Surface] {
        if self.refreshed { self.after } else { self.before }
    }

    /// Returns whether the surfaces were searched again, and whether the touched sides may have changed.
    #[inline(always)]
    pub(crate) fn contact_and_side_changes(&self) -> (bool, bool) {
        (self.refreshed, self.sides)
    }

    /// Returns the list, to fill with floor tiles. The shape must touch this floor already, and nothing else.
    #[inline(always)]
    pub(crate) fn start_floor_refresh(&mut self) -> &mut Surfaces {
        self.refreshed = true;
        self.after
    }

    /// Returns the list, to fill with the surfaces touched from here on.
    #[inline]
    pub(crate) fn start_refresh(&mut self) -> &mut Surfaces {
        (self.refreshed, self.sides) = (true, true);
        self.after
    }

    /// Returns the touched surfaces as a list that can grow.
    pub(crate) fn start_adding_surfaces(&mut self) -> &mut Surfaces {
        if !self.refreshed {
            self.after.clear();
            self.after.extend_from_slice(self.before);
            self.refreshed = true;
        }
        self.sides = true;
        self.after
    }

    /// Returns whether the surfaces were searched again.
    #[inline]
    pub(crate) fn is_refreshed(&self) -> bool {
        self.refreshed
    }
}
