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

    /// A touch that begins with what is touched now.
    #[inline]
    pub(crate) fn begin(&mut self) -> Touch<'_> {
        let [first, second] = &mut self.lists;
        let (before, after) = if self.now == 0 { (first, second) } else { (second, first) };
        Touch { before, after, fresh: false }
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
    pub(crate) before: &'a [Surface],
    after: &'a mut Surfaces,
    fresh: bool,
}

impl<'a> Touch<'a> {
    /// One that begins with nothing and fills a list.
    pub(crate) fn filling(list: &'a mut Surfaces) -> Touch<'a> {
        list.clear();
        Touch { before: &[], after: list, fresh: true }
    }

    #[inline]
    pub(crate) fn now(&self) -> &[Surface] {
        if self.fresh { self.after } else { self.before }
    }

    /// The list to fill with what is touched from here on.
    #[inline]
    pub(crate) fn renew(&mut self) -> &mut Surfaces {
        self.fresh = true;
        self.after
    }

    /// What is touched now as a list that can grow.
    pub(crate) fn renewed(&mut self) -> &mut Surfaces {
        if !self.fresh {
            self.after.clear();
            self.after.extend_from_slice(self.before);
            self.fresh = true;
        }
        self.after
    }

    /// Whether it was looked at again.
    #[inline]
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh
    }
}
