//! Checks the platforms of a map, so that every world on the map can create them.

use super::parts::{TileRectangle, cell_count_in_chunks, check_layers};
use super::{Map, MapPartsError, MapPlatformError, TileKind, TileLayer, things};
use crate::catalogue::Catalogue;
use crate::platform::{CirclePath, Path, PathError, Platform, PlatformError, PlatformMotion};
use glam::I64Vec2;
use std::collections::{BTreeMap, BTreeSet};
use surefoot_geometry::{ONE, Position};

/// Tick length in seconds for which motions are checked: that of the default settings. For other tick lengths, see
/// [`Map::platforms`].
pub(super) const TICK: f64 = 1.0 / 60.0;

/// Refuses platforms that are invalid in a map with those tile kinds.
pub(super) fn check_platforms(
    catalogue: &Catalogue,
    kinds: &[TileKind],
    platforms: &[Platform],
) -> Result<(), MapPartsError> {
    let points = platforms.iter().map(|platform| match &platform.motion {
        PlatformMotion::Path(path) => path.points.len(),
        PlatformMotion::Driven | PlatformMotion::Circle(_) => 0,
    });
    check_platform_counts(platforms.len(), points.sum())?;
    let (mut names, mut cells) = (BTreeSet::new(), 0);
    for platform in platforms {
        let name = &platform.name;
        if !name.is_empty() && !names.insert(name) {
            return Err(MapPlatformError::Duplicate { name: name.clone() }.into());
        }
        cells += check_and_count_platform_cells(catalogue, kinds, platform)
            .map_err(|error| MapPlatformError::Refused { name: name.clone(), error })?;
        if things::first_cell_with_things(&platform.layers, kinds).is_some() {
            return Err(MapPlatformError::Things { name: name.clone() }.into());
        }
    }
    let names = platforms.iter().map(|platform| (&platform.name[..], &platform.attached_to[..]));
    let wrong = find_attachment_errors(&names.collect::<Vec<_>>()).into_iter().next();
    wrong.map_or(Ok(()), |(_, error)| Err(error))?;
    Ok(check_platform_cells(cells)?)
}

/// Returns invalid attachments in the order of the list, given each platform's name and the name of its parent. For a
/// cycle, reports the first platform.
pub(super) fn find_attachment_errors(platforms: &[(&str, &str)]) -> Vec<(usize, MapPlatformError)> {
    // Two platforms with the same name are reported elsewhere. Here, the name means the first one.
    let named = (0..platforms.len()).rev().map(|i| (platforms[i].0, i)).filter(|(name, _)| !name.is_empty());
    let indices: BTreeMap<&str, usize> = named.collect();
    let next = |i: usize| indices.get(platforms[i].1).copied();
    // `seen_in` contains the number of the chain in which each platform was first visited, counted from 1.
    let (mut seen_in, mut wrong) = (vec![0; platforms.len()], Vec::new());
    for (start, (name, to)) in platforms.iter().enumerate() {
        if !to.is_empty() && next(start).is_none() {
            wrong.push((start, MapPlatformError::AttachedToNothing { name: (*name).to_owned(), to: (*to).to_owned() }));
        }
        let mut last = Some(start);
        while let Some(i) = last.filter(|i| seen_in[*i] == 0) {
            seen_in[i] = start + 1;
            last = next(i);
        }
        let Some(met) = last.filter(|i| seen_in[*i] == start + 1) else { continue };
        let mut circle = vec![met];
        while let Some(i) = circle.last().and_then(|i| next(*i)).filter(|i| *i != met) {
            circle.push(i);
        }
        let first = (0..circle.len()).min_by_key(|at| circle[*at]).unwrap_or_default();
        circle.rotate_left(first);
        let mut names = circle.iter().map(|i| platforms[*i].0.to_owned());
        let name = names.next().unwrap_or_default();
        wrong.push((circle[0], MapPlatformError::AttachedToItself { name, others: names.collect() }));
    }
    wrong
}

/// Refuses more platforms or more path points than a map may have.
pub(super) fn check_platform_counts(count: usize, points: usize) -> Result<(), MapPlatformError> {
    if count > Map::MAX_PLATFORMS {
        return Err(MapPlatformError::TooMany { count, limit: Map::MAX_PLATFORMS });
    }
    if points > Map::MAX_PATH_POINTS {
        return Err(MapPlatformError::TooManyPoints { count: points, limit: Map::MAX_PATH_POINTS });
    }
    Ok(())
}

/// Refuses more cells, in whole chunks, than all platforms of a map may have.
pub(super) fn check_platform_cells(cells: u64) -> Result<(), MapPlatformError> {
    let limit = Map::MAX_PLATFORM_CELLS;
    if cells > limit { Err(MapPlatformError::TooManyCells { cells, limit }) } else { Ok(()) }
}

/// Returns the number of a platform's cells, in whole chunks.
pub(super) fn chunk_cell_count(frame: TileRectangle) -> u64 {
    cell_count_in_chunks(frame.size.0.into(), frame.size.1.into())
}

/// Returns whether bodies can collide with a tile of these layers.
pub(super) fn has_colliding_tile(kinds: &[TileKind], layers: &[TileLayer]) -> bool {
    let is_tile = |layer: &TileLayer| layer.cells.iter().any(|id| kinds[usize::from(id.0)].variant.is_some());
    layers.iter().any(|layer| layer.collides && is_tile(layer))
}

/// Checks a platform. Returns the number of cells in all chunks of its terrain.
fn check_and_count_platform_cells(
    catalogue: &Catalogue,
    kinds: &[TileKind],
    platform: &Platform,
) -> Result<u64, PlatformError> {
    let frame = check_layers(catalogue, kinds, &platform.layers).map_err(Box::new)?;
    if !has_colliding_tile(kinds, &platform.layers) {
        return Err(PlatformError::Empty);
    }
    platform.check(TICK)?;
    Ok(chunk_cell_count(frame))
}

/// Reports everything that is wrong with a motion, in ticks of `tick` seconds.
///
/// A check stops at the first error. So each error is replaced by a valid value, and the check runs again.
pub(super) fn report_path_errors(mut motion: PlatformMotion, tick: f64, mut tell: impl FnMut(PathError)) {
    let mut was_wrong = false;
    while let Err(error) = motion.check(tick) {
        let is_put_right = try_replace_invalid_value(&mut motion, error);
        // An error that no default puts right may result from an earlier correction. So report it only if there was
        // none.
        if is_put_right || !was_wrong {
            tell(error);
        }
        if !is_put_right {
            return;
        }
        was_wrong = true;
    }
}

/// Replaces an invalid value of a motion by a default. Returns whether there is one.
fn try_replace_invalid_value(motion: &mut PlatformMotion, error: PathError) -> bool {
    match motion {
        PlatformMotion::Driven => return false,
        PlatformMotion::Path(path) => {
            let points = [I64Vec2::ZERO, I64Vec2::X * ONE].map(Position::clamped);
            let standard = Path { points: points.into(), ..Path::default() };
            match error {
                PathError::TooFewPoints(_) | PathError::AllPointsEqual => path.points = standard.points,
                PathError::Timing { .. } | PathError::WaitsTooLong { .. } => path.timing = standard.timing,
                PathError::Wait(_) => path.wait = standard.wait,
                PathError::Phase(_) => path.phase = standard.phase,
                _ => return false,
            }
        }
        PlatformMotion::Circle(circle) => match error {
            PathError::Radius(_) => circle.radius = CirclePath::default().radius,
            PathError::Timing { .. } => circle.timing = CirclePath::default().timing,
            PathError::Phase(_) => circle.phase = CirclePath::default().phase,
            _ => return false,
        },
    }
    true
}
