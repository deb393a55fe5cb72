use std::cmp::Ordering;

/// An exact time: a fraction of a motion, 0 at its start and 1 at its end. Compared by value, not in lowest terms.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// Numerator; its magnitude is below 2^64.
    pub num: i128,
    /// Denominator: positive and below 2^48, so that products of two times fit. 0 only inside this crate, for infinite
    /// times.
    pub den: i128,
}

impl Time {
    /// Start of the motion.
    pub const ZERO: Time = Time { num: 0, den: 1 };
    /// End of the motion.
    pub const ONE: Time = Time { num: 1, den: 1 };
    const NEVER: Time = Time { num: 1, den: 0 };
    const ALWAYS: Time = Time { num: -1, den: 0 };

    /// Creates the fraction `num / den`.
    ///
    /// # Panics
    /// If `den` is not positive.
    #[must_use]
    pub fn new(num: i128, den: i128) -> Time {
        assert!(den > 0, "a time needs a positive denominator");
        Time { num, den }
    }

    /// Returns the nearest f64, for messages.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Time) -> Ordering {
        // Infinite times are 1/0 and -1/0. The products below order an infinite and a finite time correctly, but not
        // two infinite times: these compare by their signs.
        if self.den == 0 && other.den == 0 {
            return self.num.cmp(&other.num);
        }
        (self.num * other.den).cmp(&(other.num * self.den))
    }
}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Time) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Time {
    fn eq(&self, other: &Time) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Time {}

/// An open interval of times; never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) enter: Time,
    pub(crate) leave: Time,
}

impl Span {
    const ALL: Span = Span { enter: Time::ALWAYS, leave: Time::NEVER };

    /// Returns the times at which `speed * t < bound`.
    pub(crate) fn below(speed: i128, bound: i128) -> Option<Span> {
        match speed.cmp(&0) {
            Ordering::Equal => (bound > 0).then_some(Span::ALL),
            Ordering::Greater => Some(Span { leave: Time::new(bound, speed), ..Span::ALL }),
            Ordering::Less => Some(Span { enter: Time::new(-bound, -speed), ..Span::ALL }),
        }
    }

    /// Returns the times at which `low < speed * t < high`.
    pub(crate) fn between(speed: i128, low: i128, high: i128) -> Option<Span> {
        Span::below(speed, high)?.intersect(Span::below(-speed, -low)?)
    }

    /// Returns the intersection of two intervals.
    pub(crate) fn intersect(self, other: Span) -> Option<Span> {
        let both = Span { enter: self.enter.max(other.enter), leave: self.leave.min(other.leave) };
        (both.enter < both.leave).then_some(both)
    }

    /// Returns whether the interval contains a time from 0 to 1. It is open, so it makes no difference whether 0 and 1
    /// count.
    pub(crate) fn overlaps_motion(self) -> bool {
        self.enter < Time::ONE && self.leave > Time::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_compare_by_value() {
        assert_eq!(Time::new(2, 6), Time::new(1, 3));
        assert!(Time::new(-1, 3) < Time::ZERO && Time::new(99, 100) < Time::ONE);
        assert!(Time::ALWAYS < Time::new(-1_000_000, 1) && Time::new(1_000_000, 1) < Time::NEVER);
        assert!(Time::ALWAYS < Time::NEVER);
    }

    #[test]
    fn spans_are_open() {
        assert_eq!(Span::between(4, 2, 8), Some(Span { enter: Time::new(1, 2), leave: Time::new(2, 1) }));
        assert_eq!(Span::between(-4, -8, -2), Some(Span { enter: Time::new(1, 2), leave: Time::new(2, 1) }));
        assert_eq!(Span::between(0, -1, 1), Some(Span::ALL));
        assert_eq!(Span::between(0, 0, 1), None);
        assert_eq!(Span::between(0, -1, 0), None);
        assert_eq!(Span::between(3, 5, 5), None);
        // The first interval touches the motion only at its end, the second only at its start.
        assert!(!Span::between(4, 4, 8).is_some_and(Span::overlaps_motion));
        assert!(!Span::between(4, -8, 0).is_some_and(Span::overlaps_motion));
        assert!(Span::between(4, 3, 8).is_some_and(Span::overlaps_motion));
    }
}
