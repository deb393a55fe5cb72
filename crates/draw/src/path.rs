use crate::view::Point;

/// The lines of a shape: runs of straight lines, open or closed.
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
    /// The points of all runs, one run after the other.
    points: Vec<Point>,
    ends: Vec<End>,
    /// The next line continues the last run.
    continues: bool,
}

/// The end of a run. `points`: number of points of all runs so far.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    points: usize,
    closed: bool,
}

/// A run of straight lines from point to point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathRun<'a> {
    /// The points; at least one.
    pub points: &'a [Point],
    /// True if a line connects the last point to the first.
    pub closed: bool,
}

impl PathData {
    /// Creates an empty path.
    #[must_use]
    pub fn new() -> PathData {
        PathData::default()
    }

    /// Starts a run.
    pub fn start(&mut self, at: Point) {
        self.points.push(at);
        self.ends.push(End { points: self.points.len(), closed: false });
        self.continues = true;
    }

    /// Adds a straight line to `to`. Starts a run if none is open.
    pub fn line(&mut self, to: Point) {
        match self.ends.last_mut() {
            Some(end) if self.continues => {
                self.points.push(to);
                end.points += 1;
            }
            _ => self.start(to),
        }
    }

    /// Closes the open run with a straight line to its start. Does nothing if no run is open.
    pub fn close(&mut self) {
        if let (true, Some(end)) = (self.continues, self.ends.last_mut()) {
            end.closed = true;
        }
        self.continues = false;
    }

    /// Adds a run through the points.
    pub fn run(&mut self, points: impl IntoIterator<Item = Point>) {
        self.continues = false;
        points.into_iter().for_each(|point| self.line(point));
    }

    /// Adds a closed run through the points.
    pub fn polygon(&mut self, points: impl IntoIterator<Item = Point>) {
        self.run(points);
        self.close();
    }

    /// Returns whether the path has no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Returns the runs in the order in which they were started.
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

    /// Returns the points of each run of a path, and whether the run is closed.
    fn points_and_is_closed_per_run(path: &PathData) -> Vec<(Vec<(f64, f64)>, bool)> {
        path.runs().map(|run| (run.points.iter().map(|point| (point.x, point.y)).collect(), run.closed)).collect()
    }

    #[test]
    fn runs_are_returned_as_they_were_added() {
        let mut path = PathData::new();
        assert!(path.is_empty() && points_and_is_closed_per_run(&path).is_empty());
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
        assert_eq!(points_and_is_closed_per_run(&path), expected);
    }

    #[test]
    fn closing_without_an_open_run_does_nothing() {
        let mut path = PathData::new();
        path.polygon([]);
        assert!(path.is_empty());
        path.run([at(0.0, 0.0), at(1.0, 0.0)]);
        path.run([]);
        path.close();
        assert_eq!(points_and_is_closed_per_run(&path), [(vec![(0.0, 0.0), (1.0, 0.0)], false)]);
    }
}
