//! Drawings of patterns as text, for error messages.

use super::{LATTICE, PatternKind};

/// The part to mark as wrong, in lattice steps.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    Point(f64, f64),
    /// The whole stretch between two points.
    Stretch((i8, i8), (i8, i8)),
}

/// Distance beyond the tile up to which points are drawn. Points further out are drawn at that distance.
const MAX_BEYOND_STEPS: i64 = 4;

/// Marks an error.
const ERROR_MARK: u8 = b'X';

/// Draws a pattern with two columns and one row of text per lattice step. Shows every fourth lattice point.
pub(super) fn draw_pattern(kind: PatternKind, paths: &[Vec<(i64, i64)>], marks: &[Mark]) -> String {
    let mut sheet = Sheet::new(paths);
    for path in paths {
        sheet.draw_path(kind, path);
    }
    for (i, point) in paths.iter().flat_map(|path| path.iter().enumerate()) {
        sheet.put_character(clamp_to_sheet(*point), point_label(i));
    }
    for &mark in marks {
        match mark {
            Mark::Point(x, y) => sheet.put_character(clamp_to_sheet((x.round() as i64, y.round() as i64)), ERROR_MARK),
            Mark::Stretch(from, to) => {
                let wide = |(x, y): (i8, i8)| (i64::from(x), i64::from(y));
                sheet.draw_line_of_characters(wide(from), wide(to), |_| ERROR_MARK, true);
            }
        }
    }
    sheet.to_text()
}

/// Puts two drawings next to each other, with captions above.
pub(super) fn join_drawings(first: (&str, &str), second: (&str, &str)) -> String {
    const WIDTH: usize = 38;
    let title = |name: &str| name.chars().take(WIDTH - 6).collect::<String>();
    let mut text = format!("    {:<WIDTH$}    {}", title(first.0), title(second.0)).trim_end().to_owned();
    for (left, right) in first.1.lines().zip(second.1.lines()) {
        text.push('\n');
        text.push_str(format!("{left:<WIDTH$}{right}").trim_end());
    }
    text
}

/// Returns the label of a point of a path, as one character.
fn point_label(index: usize) -> u8 {
    *b"123456789abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWYZ".get(index).unwrap_or(&b'o')
}

fn clamp_to_sheet((x, y): (i64, i64)) -> (i64, i64) {
    let last = i64::from(LATTICE);
    (x.clamp(-MAX_BEYOND_STEPS, last + MAX_BEYOND_STEPS), y.clamp(-MAX_BEYOND_STEPS, last + MAX_BEYOND_STEPS))
}

/// A grid of characters over the tile and the area around it.
struct Sheet {
    low: (i64, i64),
    high: (i64, i64),
    /// Rows from top to bottom.
    rows: Vec<Vec<u8>>,
}

impl Sheet {
    fn new(paths: &[Vec<(i64, i64)>]) -> Sheet {
        let last = i64::from(LATTICE);
        let (mut low, mut high) = ((0, 0), (last, last));
        for (x, y) in paths.iter().flatten().map(|&point| clamp_to_sheet(point)) {
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        let width = (2 * (high.0 - low.0) + 1) as usize;
        let rows = vec![vec![b' '; width]; (high.1 - low.1 + 1) as usize];
        let mut sheet = Sheet { low, high, rows };
        for at in (0..=last).step_by(4).flat_map(|x| (0..=last).step_by(4).map(move |y| (x, y))) {
            sheet.put_character(at, b'.');
        }
        sheet
    }

    fn put_character(&mut self, (x, y): (i64, i64), character: u8) {
        self.put_character_at_half_step((2 * x, y), character);
    }

    /// Does `put` with x in half steps.
    fn put_character_at_half_step(&mut self, (x, y): (i64, i64), character: u8) {
        let (row, column) = (self.high.1 - y, x - 2 * self.low.0);
        let cell = usize::try_from(row).ok().zip(usize::try_from(column).ok());
        if let Some(cell) = cell.and_then(|(row, column)| self.rows.get_mut(row)?.get_mut(column)) {
            *cell = character;
        }
    }

    fn draw_path(&mut self, kind: PatternKind, path: &[(i64, i64)]) {
        let closing = (kind == PatternKind::Solid && path.len() > 2).then(|| (path[path.len() - 1], path[0]));
        for (from, to) in path.windows(2).map(|ends| (ends[0], ends[1])).chain(closing) {
            let (from, to) = (clamp_to_sheet(from), clamp_to_sheet(to));
            let (dx, dy) = (2 * (to.0 - from.0), to.1 - from.1);
            let stroke = match (dx, dy) {
                _ if dx.abs() > 2 * dy.abs() => b'-',
                _ if dy.abs() > 2 * dx.abs() => b'|',
                _ if (dx > 0) == (dy > 0) => b'/',
                _ => b'\\',
            };
            let arrow = match (dx, dy) {
                // A wall has no direction.
                _ if kind == PatternKind::Wall => stroke,
                _ if dx.abs() >= dy.abs() => [b'<', b'>'][usize::from(dx > 0)],
                _ => [b'v', b'^'][usize::from(dy > 0)],
            };
            self.draw_line_of_characters(from, to, |middle| if middle { arrow } else { stroke }, false);
        }
    }

    /// Draws a line of characters. `character` returns each of them; its argument is `true` for the middle one.
    fn draw_line_of_characters(
        &mut self,
        from: (i64, i64),
        to: (i64, i64),
        character: impl Fn(bool) -> u8,
        with_ends: bool,
    ) {
        let (dx, dy) = (2 * (to.0 - from.0), to.1 - from.1);
        // Draw one character per column for flat lines, and one per row for steep lines.
        let count = if dx.abs() > 2 * dy.abs() { dx.abs() } else { dy.abs() }.max(1);
        let inner = if with_ends { 0..=count } else { 1..=count - 1 };
        for i in inner {
            // Round to the nearest whole number, and halves up.
            let part = |d: i64| (2 * d * i + count).div_euclid(2 * count);
            self.put_character_at_half_step((2 * from.0 + part(dx), from.1 + part(dy)), character(i == count / 2));
        }
    }

    fn to_text(&self) -> String {
        let is_labelled = |v: i64| (0..=i64::from(LATTICE)).contains(&v) && v % 4 == 0;
        let mut text = String::new();
        for (row, y) in self.rows.iter().zip((self.low.1..=self.high.1).rev()) {
            let axis = if is_labelled(y) { y.to_string() } else { String::new() };
            let row = String::from_utf8_lossy(row);
            text.push_str(format!("{axis:>2}  {row}").trim_end());
            text.push('\n');
        }
        let mut axis = String::new();
        for x in (self.low.0..=self.high.0).filter(|&x| is_labelled(x)) {
            let column = (4 + 2 * (x - self.low.0)) as usize;
            axis.push_str(&format!("{x:>width$}", width = column + 1 - axis.len()));
        }
        text + &axis
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_is_drawn_with_its_direction_and_point_numbers() {
        let drawn = draw_pattern(PatternKind::Solid, &[vec![(0, 0), (16, 16), (16, 0)]], &[]);
        let expected = "\
16  .       .       .       .       2
                                  / |
                                /   |
                              /     |
12  .       .       .       /       |
                          /         |
                        /           |
                      /             |
 8  .       .       >       .       v
                  /                 |
                /                   |
              /                     |
 4  .       /       .       .       |
          /                         |
        /                           |
      /                             |
 0  1---------------<---------------3
    0       4       8      12      16";
        assert_eq!(drawn, expected, "{drawn}");
    }

    #[test]
    fn drawings_fit_a_terminal_however_far_out_the_points_are() {
        let paths = [vec![(-1000, 5), (i64::MAX, i64::MIN), (16, 16)]];
        let far = draw_pattern(PatternKind::Wall, &paths, &[Mark::Point(1e30, -1e30), Mark::Stretch((0, 0), (16, 16))]);
        let near = draw_pattern(PatternKind::Solid, &[vec![(0, 0), (16, 16), (16, 0)]], &[]);
        for text in [join_drawings(("a", &near), (&"b".repeat(99), &near)), far] {
            assert!(text.lines().all(|line| line.len() < 80 && line == line.trim_end()), "{text}");
        }
    }
}
