use super::{CatalogueError, LATTICE, point};
use glam::I8Vec2;
use serde::Deserialize;
use std::collections::BTreeSet;

/// What the edges of a pattern stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub enum Kind {
    /// Each path is a closed outline, filled.
    Solid,
    /// Each path is a run of one-sided edges: a body passes from behind and stands in front.
    Open,
    /// Each path stands for its edges and their opposites: an infinitely thin wall with two sides.
    Wall,
}

/// A pattern as drawn: paths on the lattice, walked with the solid on the right hand.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// What a map's legend calls it: letters, digits and underscores.
    pub name: String,
    /// What its edges stand for.
    pub kind: Kind,
    /// What it is for, in a few words.
    #[serde(rename = "use", default)]
    pub purpose: String,
    /// Points of each path in lattice steps, x right and y up from the tile's lower left corner.
    pub paths: Vec<Vec<(i8, i8)>>,
}

/// Refuses patterns that cannot be expanded.
pub(super) fn check(patterns: &[Pattern]) -> Result<(), CatalogueError> {
    if patterns.len() > 4096 {
        return Err(CatalogueError::TooMany { count: patterns.len() });
    }
    let mut names = BTreeSet::new();
    for pattern in patterns {
        let name = || pattern.name.clone();
        if pattern.name.is_empty() || !pattern.name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return Err(CatalogueError::BadName { name: name() });
        }
        if !names.insert(&pattern.name) {
            return Err(CatalogueError::DuplicateName { name: name() });
        }
        for (path, points) in pattern.paths.iter().enumerate() {
            check_path(pattern, path, points)?;
        }
        let edges = pattern.edge_count();
        if edges > Pattern::MAX_EDGES {
            return Err(CatalogueError::TooManyEdges { name: name(), edges });
        }
    }
    Ok(())
}

fn check_path(pattern: &Pattern, path: usize, points: &[(i8, i8)]) -> Result<(), CatalogueError> {
    let name = || pattern.name.clone();
    let closed = pattern.kind == Kind::Solid;
    let expected = if closed { 3 } else { 2 };
    if points.len() < expected {
        return Err(CatalogueError::ShortPath { name: name(), path, points: points.len(), expected });
    }
    for (i, &(x, y)) in points.iter().enumerate() {
        if !(0..=LATTICE).contains(&x) || !(0..=LATTICE).contains(&y) {
            return Err(CatalogueError::OffLattice { name: name(), path, point: i, x, y });
        }
        let before = if i > 0 { Some(points[i - 1]) } else { points.last().copied().filter(|_| closed) };
        if before == Some((x, y)) {
            return Err(CatalogueError::RepeatedPoint { name: name(), path, point: i });
        }
    }
    if closed && doubled_area(points) >= 0 {
        return Err(CatalogueError::WrongTurn { name: name(), path });
    }
    Ok(())
}

/// Twice the area of a closed path, positive if it is walked counter-clockwise.
fn doubled_area(points: &[(i8, i8)]) -> i32 {
    let cross = |(ax, ay): (i8, i8), (bx, by): (i8, i8)| i32::from(ax) * i32::from(by) - i32::from(bx) * i32::from(ay);
    (0..points.len()).map(|i| cross(points[i], points[(i + 1) % points.len()])).sum()
}

impl Pattern {
    /// The most one-sided edges that a pattern may have.
    pub const MAX_EDGES: usize = 255;

    fn edge_count(&self) -> usize {
        let edges = |points: &Vec<_>| match self.kind {
            Kind::Solid => points.len(),
            Kind::Open => points.len() - 1,
            Kind::Wall => 2 * (points.len() - 1),
        };
        self.paths.iter().map(edges).sum()
    }

    /// The paths as lattice points.
    pub(super) fn points(&self) -> impl Iterator<Item = Vec<I8Vec2>> {
        self.paths.iter().map(|path| path.iter().copied().map(point).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn a_pattern_has_at_most_255_edges() {
        let zigzag = |points: usize| Pattern {
            name: "zigzag".to_owned(),
            kind: Kind::Wall,
            purpose: String::new(),
            paths: vec![(0..points).map(|i| ((i % 16) as i8, (i / 16 % 16) as i8)).collect()],
        };
        assert!(Catalogue::new(vec![zigzag(128)]).is_ok());
        let error = Catalogue::new(vec![zigzag(129)]).unwrap_err();
        assert_eq!(error, CatalogueError::TooManyEdges { name: "zigzag".to_owned(), edges: 256 });
    }
}
