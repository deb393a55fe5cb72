//! Outlines by compass: `e12 ene4 n~e` is twelve tiles east, four more that rise by two, and a quarter curve from north
//! to east.

/// A point in lattice steps, sixteen to a tile, y up.
pub(crate) type Point = (i64, i64);

/// Lattice steps along one side of a tile.
pub(crate) const STEP: i64 = 16;

/// The sixteen winds, in steps of half a tile.
const WINDS: [(&str, Point); 16] = [
    ("e", (2, 0)),
    ("ene", (2, 1)),
    ("ne", (2, 2)),
    ("nne", (1, 2)),
    ("n", (0, 2)),
    ("nnw", (-1, 2)),
    ("nw", (-2, 2)),
    ("wnw", (-2, 1)),
    ("w", (-2, 0)),
    ("wsw", (-2, -1)),
    ("sw", (-2, -2)),
    ("ssw", (-1, -2)),
    ("s", (0, -2)),
    ("sse", (1, -2)),
    ("se", (2, -2)),
    ("ese", (2, -1)),
];

/// A quarter circle that starts along the first axis and ends against the second.
const CURVE: [Point; 6] = [(0, 16), (5, 15), (9, 13), (13, 9), (15, 5), (16, 0)];

/// Returns the points of a path that starts at a corner of a tile.
///
/// # Errors
/// Returns the word that is not valid in a path.
pub(crate) fn path(start: (i64, i64), words: &[&str]) -> Result<Vec<Point>, String> {
    let (mut x, mut y) = (start.0 * STEP, start.1 * STEP);
    let mut points = vec![(x, y)];
    for word in words {
        if let Some((from, to)) = word.split_once('~') {
            let (a, b) = (wind(from)?, wind(to)?);
            for (along, left) in CURVE.into_iter().skip(1) {
                let over = STEP - left;
                points.push((x + (a.0 * along + b.0 * over) / 2, y + (a.1 * along + b.1 * over) / 2));
            }
        } else {
            let digits = word.find(|c: char| c.is_ascii_digit()).ok_or_else(|| format!("{word}: how many tiles?"))?;
            let (name, count) = word.split_at(digits);
            let (way, count) = (wind(name)?, count.parse::<i64>().map_err(|error| format!("{word}: {error}"))?);
            points.push((x + way.0 * count * STEP / 2, y + way.1 * count * STEP / 2));
        }
        (x, y) = points[points.len() - 1];
    }
    Ok(points)
}

fn wind(name: &str) -> Result<Point, String> {
    let found = WINDS.iter().find(|(wind, _)| *wind == name);
    found.map(|&(_, way)| way).ok_or_else(|| format!("{name:?} is no wind"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_goes_by_the_winds() {
        assert_eq!(path((1, 2), &["e3", "ene2", "sse4"]).unwrap(), [(16, 32), (64, 32), (96, 48), (128, -16)]);
        assert!(path((0, 0), &["e"]).is_err() && path((0, 0), &["ee2"]).is_err());
    }

    #[test]
    fn a_curve_begins_along_one_wind_and_ends_along_the_other() {
        // Down a wall and out along the floor: the concave quarter curve.
        let points = path((0, 1), &["s~e"]).unwrap();
        assert_eq!(points, [(0, 16), (1, 11), (3, 7), (7, 3), (11, 1), (16, 0)]);
    }
}
