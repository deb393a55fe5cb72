//! Rules that choose slopes and ceilings from one painted value: the same for the automapping of Tiled and for the auto
//! layers of LDtk.

/// Content that a cell must have for a rule to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    Anything,
    Solid,
    Empty,
}

impl Needs {
    fn from_symbol(cell: u8) -> Needs {
        match cell {
            b'#' => Needs::Solid,
            b'.' => Needs::Empty,
            _ => Needs::Anything,
        }
    }

    /// Returns the number for a cell in a rule pattern of LDtk: 1 for the value 1, -1 for no value, 0 for any.
    pub(crate) fn ldtk_number(self) -> i32 {
        match self {
            Needs::Anything => 0,
            Needs::Solid => 1,
            Needs::Empty => -1,
        }
    }
}

/// Rule of an editor: if the cells around a solid cell fit `pattern`, the cell becomes `variant`. The first rule that
/// fits counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    /// Square of cells around the cell, row by row from the top: `#` for solid, `.` for empty, `?` for any. The side is
    /// an odd number, and the cell is in the middle.
    pub(crate) pattern: Vec<String>,
    pub(crate) variant: &'static str,
}

impl Rule {
    pub(crate) fn side_in_cells(&self) -> usize {
        self.pattern.len()
    }

    /// Returns the cells of the pattern row by row.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Needs> {
        self.pattern.iter().flat_map(|row| row.bytes().map(Needs::from_symbol))
    }
}

/// Patterns for floors that rise to the right, and the tile of each of the four mirrors: rising floor, falling floor,
/// ceiling that comes down to the right, ceiling that goes up to the right.
///
/// Stairs of single cells are slopes. One step alone is a corner and stays a block, and so does the foot of a wall.
const RISING: [(&[&str], [&str; 4]); 3] = [
    // This is a step with one more step after it.
    (&["???.?", "??.#?", "?.##?", "?##??", "?????"], SLOPES),
    // This is a step with one more step before it.
    (&["?????", "??.??", "?.#??", ".##??", "#????"], SLOPES),
    (&["#"], ["full_block"; 4]),
];

const SLOPES: [&str; 4] = ["slope_45", "slope_45 r1", "slope_45 r3", "slope_45 r2"];

/// Returns the rules. The first one that fits a cell counts.
pub(crate) fn slope_rules() -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for (pattern, variants) in RISING {
        for (mirror, variant) in variants.into_iter().enumerate() {
            let mut rows: Vec<String> = pattern.iter().map(|row| (*row).to_owned()).collect();
            if mirror & 1 != 0 {
                rows = rows.iter().map(|row| row.chars().rev().collect()).collect();
            }
            if mirror & 2 != 0 {
                rows.reverse();
            }
            let rule = Rule { pattern: rows, variant };
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
    }
    rules
}

/// Returns the variant of each cell of a painted level, row by row from the top. `solid`: rows from the top, `#` for
/// painted cells. Beyond the level everything counts as painted.
pub(crate) fn choose_variants(rules: &[Rule], solid: &[&str]) -> Vec<Option<&'static str>> {
    let is_solid = |x: i64, y: i64| {
        let row = usize::try_from(y).ok().and_then(|y| solid.get(y));
        let cell = row.and_then(|row| row.as_bytes().get(usize::try_from(x).ok()?));
        cell.is_none_or(|cell| *cell == b'#')
    };
    let fits = |rule: &Rule, x: i64, y: i64| {
        let (side, half) = (rule.side_in_cells(), rule.side_in_cells() as i64 / 2);
        rule.cells().enumerate().all(|(index, needs)| {
            let at = (x - half + (index % side) as i64, y - half + (index / side) as i64);
            match needs {
                Needs::Anything => true,
                Needs::Solid => is_solid(at.0, at.1),
                Needs::Empty => !is_solid(at.0, at.1),
            }
        })
    };
    let cells = solid.iter().enumerate().flat_map(|(y, row)| (0..row.len()).map(move |x| (x as i64, y as i64)));
    cells.map(|(x, y)| rules.iter().find(|rule| fits(rule, x, y)).map(|rule| rule.variant)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stairs_become_slopes_and_corners_stay_blocks() {
        // The picture has stairs up and down, a single step at the right, and stairs in the ceiling.
        let painted = [
            "##############", //
            "###.......####",
            "##.........###",
            "#............#",
            "#...##.......#",
            "#..####......#",
            "#.######..####",
            "##############",
        ];
        let by_hand = [
            "##############", //
            "##'.......`###",
            "#'.........`##",
            "#............#",
            "#.../\\.......#",
            "#../##\\......#",
            "#./####\\..####",
            "##############",
        ];
        let letter = |variant: Option<&str>| match variant {
            None => '.',
            Some("full_block") => '#',
            Some("slope_45") => '/',
            Some("slope_45 r1") => '\\',
            Some("slope_45 r3") => '`',
            Some("slope_45 r2") => '\'',
            Some(other) => panic!("{other}"),
        };
        let chosen: Vec<char> = choose_variants(&slope_rules(), &painted).into_iter().map(letter).collect();
        let rows: Vec<String> = chosen.chunks(painted[0].len()).map(|row| row.iter().collect()).collect();
        assert_eq!(rows, by_hand);
    }
}
