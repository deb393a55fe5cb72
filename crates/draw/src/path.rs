use crate::view::Point;

/// The outline of a shape: runs of straight lines.
///
/// # Examples
/// ```
/// use surefoot_draw::{PathData, Point};
///
/// let mut path = PathData::new();
/// path.polygon([(0.0, 0.0), (8.0, 0.0), (8.0, 4.0)].map(|(x, y)| Point { x, y }));
/// path.run([(1.0, 1.0), (1.0, 2.0)].map(|(x, y)| Point { x, y }));
/// let runs: Vec<_> = path.runs().map(|run| (run.points.len(), run.closed)).collect();
/// assert_eq!(runs, [(3, true), (2, false)]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathData {
    /// The points of all runs, one after the other.
    points: Vec<Point>,
    ends: Vec<End>,
    /// Whether the last run goes on.
    goes_on: bool,
}

/// The end of a run: how many points there are up to there, and whether it goes back to its beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    points: usize,
    closed: bool,
}

/// Straight lines from point to point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathRun<'a> {
    /// At least one.
    pub points: &'a [Point],
    /// Whether it goes back from the last point to the first.
    pub closed: bool,
}

impl PathData {
    /// An outline without a point.
    #[must_use]
    pub fn new() -> PathData {
        PathData::default()
    }

    /// Begins a run.
    pub fn start(&mut self, at: Point) {
        self.points.push(at);
        self.ends.push(End { points: self.points.len(), closed: false });
        self.goes_on = true;
    }

    /// Goes on straight; begins a run where there is none.
    pub fn line(&mut self, to: Point) {
        match self.ends.last_mut() {
            Some(end) if self.goes_on => {
                self.points.push(to);
                end.points += 1;
            }
            _ => self.start(to),
        }
    }

    /// Goes straight back to where the run began, and ends it; nothing where there is none.
    pub fn close(&mut self) {
        if let (true, Some(end)) = (self.goes_on, self.ends.last_mut()) {
            end.closed = true;
        }
        self.goes_on = false;
    }

    /// A run through all the points.
    pub fn run(&mut self, points: impl IntoIterator<Item = Point>) {
        self.goes_on = false;
        points.into_iter().for_each(|point| self.line(point));
    }

    /// A closed run through all the points.
    pub fn polygon(&mut self, points: impl IntoIterator<Item = Point>) {
        self.run(points);
        self.close();
    }

    /// Whether there is no point in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The runs, in the order in which they were begun.
    pub fn runs(&self) -> impl Iterator<Item = PathRun<'_>> + Clone {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|end| end.points));
        starts
            .zip(&self.ends)
            .map(|(start, end)| PathRun { points: &self.points[start..end.points], closed: end.closed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    fn runs(path: &PathData) -> Vec<(Vec<(f64, f64)>, bool)> {
        path.runs().map(|run| (run.points.iter().map(|point| (point.x, point.y)).collect(), run.closed)).collect()
    }

    #[test]
    fn runs_come_back_as_they_were_made() {
        let mut path = PathData::new();
        assert!(path.is_empty() && runs(&path).is_empty());
        path.line(at(0.0, 0.0));
        path.line(at(1.0, 0.0));
        path.start(at(5.0, 5.0));
        path.close();
        path.line(at(2.0, 0.0));
        path.run([at(3.0, 0.0), at(4.0, 0.0)]);
        path.line(at(4.0, 1.0));
        let expected = [
            (vec![(0.0, 0.0), (1.0, 0.0)], false),
            (vec![(5.0, 5.0)], true),
            (vec![(2.0, 0.0)], false),
            (vec![(3.0, 0.0), (4.0, 0.0), (4.0, 1.0)], false),
        ];
        assert_eq!(runs(&path), expected);
    }

    #[test]
    fn nothing_is_closed_where_nothing_goes_on() {
        let mut path = PathData::new();
        path.polygon([]);
        assert!(path.is_empty());
        path.run([at(0.0, 0.0), at(1.0, 0.0)]);
        path.run([]);
        path.close();
        assert_eq!(runs(&path), [(vec![(0.0, 0.0), (1.0, 0.0)], false)]);
    }
}
