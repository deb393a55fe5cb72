use super::{Surface, Surfaces};

/// What a body touches: a list for now, and the one of the tick before, whose memory the next tick fills.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    lists: [Surfaces; 2],
    now: usize,
}

impl Touched {
    /// What is touched now.
    #[inline]
    pub(crate) fn now(&self) -> &[Surface] {
        &self.lists[self.now & 1]
    }

    /// The same list, to be filled anew.
    pub(crate) fn renew(&mut self) -> &mut Surfaces {
        &mut self.lists[self.now & 1]
    }

    /// Becomes what another body touches now, in its own memory.
    pub(crate) fn copy(&mut self, other: &Touched) {
        let (list, from) = (self.renew(), other.now());
        if !(list.is_empty() && from.is_empty()) {
            list.clear();
            list.extend_from_slice(from);
        }
    }

    /// A touch that begins with what is touched now.
    #[inline]
    pub(crate) fn begin(&mut self) -> Touch<'_> {
        let [first, second] = &mut self.lists;
        let (before, after) = if self.now == 0 { (first, second) } else { (second, first) };
        Touch { before, after, fresh: false, sides: false }
    }

    /// Makes what a touch found what is touched now.
    #[inline]
    pub(crate) fn end(&mut self, fresh: bool) {
        self.now ^= usize::from(fresh);
    }
}

/// What is touched in the course of a tick: as it began until it is looked at again.
#[derive(Debug)]
pub(crate) struct Touch<'a> {
    pub(crate) before: &'a Surfaces,
    after: &'a mut Surfaces,
    fresh: bool,
    /// Which sides touch something may have changed.
    sides: bool,
}

impl<'a> Touch<'a> {
    #[inline]
    pub(crate) fn now(&self) -> &[Surface] {
        if self.fresh { self.after } else { self.before }
    }

    /// A touch for a part of the tick, with the same lists.
    #[inline(always)]
    pub(crate) fn reborrow(&mut self) -> Touch<'_> {
        Touch { before: self.before, after: self.after, fresh: self.fresh, sides: self.sides }
    }

    /// Takes over what a part of the tick has looked at again: the list, and which sides touch something.
    #[inline(always)]
    pub(crate) fn take_over(&mut self, (fresh, sides): (bool, bool)) {
        (self.fresh, self.sides) = (fresh, sides);
    }

    /// Whether the list was looked at again, and whether other sides may touch something than when it began.
    #[inline(always)]
    pub(crate) fn news(&self) -> (bool, bool) {
        (self.fresh, self.sides)
    }

    /// The list to fill with tiles of the floor that is touched already, and is all that is touched.
    #[inline(always)]
    pub(crate) fn renew_floor(&mut self) -> &mut Surfaces {
        self.fresh = true;
        self.after
    }

    /// The list to fill with what is touched from here on.
    #[inline]
    pub(crate) fn renew(&mut self) -> &mut Surfaces {
        (self.fresh, self.sides) = (true, true);
        self.after
    }

    /// What is touched now as a list that can grow.
    pub(crate) fn renewed(&mut self) -> &mut Surfaces {
        if !self.fresh {
            self.after.clear();
            self.after.extend_from_slice(self.before);
            self.fresh = true;
        }
        self.sides = true;
        self.after
    }

    /// Whether it was looked at again.
    #[inline]
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh
    }
}
