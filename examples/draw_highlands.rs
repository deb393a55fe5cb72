//! Draws the map of the highlands from its plan: reads `maps/highlands.plan`, writes `maps/highlands.ron`.
//!
//! The plan has outlines by compass, filled or cut out, and rows of letters on top. The result must consist of tiles of
//! the catalogue, cell for cell, so the map has no seams.

#[path = "highlands/paint.rs"]
mod paint;
#[path = "highlands/pen.rs"]
mod pen;

use paint::Canvas;
use pen::Point;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use surefoot::Map;
use surefoot::catalogue::Catalogue;
use surefoot::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let maps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../maps");
    let text = draw(&fs::read_to_string(maps.join("highlands.plan"))?)?;
    let map = Map::from_ron(&text)?;
    let file = maps.join("highlands.ron");
    let same = fs::read_to_string(&file).is_ok_and(|before| before == text);
    if !same {
        surefoot::io::write_atomic(&file, text.as_bytes())?;
    }
    let change = if same { "as it was" } else { "written" };
    println!("highlands.ron: {} x {} tiles, {change}", map.size().0, map.size().1);
    Ok(())
}

/// Returns the map file of a plan.
fn draw(plan: &str) -> Result<String, String> {
    let mut drawing: Option<Drawing> = None;
    let mut head = String::new();
    for (number, stroke) in strokes(plan, &mut head) {
        let fail = |what: String| format!("highlands.plan:{number}: {what}");
        match (&mut drawing, &stroke[..]) {
            (None, ["size", width, height]) => {
                drawing = Some(Drawing::new(integer(width).map_err(fail)?, integer(height).map_err(fail)?));
            }
            (None, _) => return Err(fail("expected `size WIDTH HEIGHT` first".to_owned())),
            (Some(drawing), words) => drawing.stroke(words).map_err(fail)?,
        }
    }
    drawing.ok_or("the plan is empty")?.map(&head)
}

/// Returns the words of each stroke with its line number. Lines of the map's head go to `head`.
fn strokes<'a>(plan: &'a str, head: &mut String) -> Vec<(usize, Vec<&'a str>)> {
    let mut strokes: Vec<(usize, Vec<&str>)> = Vec::new();
    for (i, line) in plan.lines().enumerate() {
        if let Some(line) = line.strip_prefix('>') {
            *head += line.strip_prefix(' ').unwrap_or(line);
            head.push('\n');
        } else if !line.trim_start().starts_with(';') {
            match strokes.last_mut().filter(|_| line.starts_with(' ')) {
                Some((_, stroke)) => stroke.extend(line.split_whitespace()),
                None if line.is_empty() => {}
                None => strokes.push((i + 1, line.split_whitespace().collect())),
            }
        }
    }
    strokes
}

fn integer(word: &str) -> Result<i64, String> {
    word.parse().map_err(|error| format!("{word:?}: {error}"))
}

struct Drawing {
    width: i64,
    height: i64,
    canvas: Canvas,
    stamps: BTreeMap<(i64, i64), char>,
}

impl Drawing {
    fn new(width: i64, height: i64) -> Drawing {
        Drawing { width, height, canvas: Canvas::new(width, height), stamps: BTreeMap::new() }
    }

    fn stroke(&mut self, words: &[&str]) -> Result<(), String> {
        match words {
            // The area below a path is solid.
            ["land", x, y, way @ ..] => {
                let mut outline = pen::path((integer(x)?, integer(y)?), way)?;
                let (from, to) = (outline[0], outline[outline.len() - 1]);
                if to.0 != self.width * pen::STEP {
                    return Err(format!("the land ends at x = {}, expected {}", to.0 / pen::STEP, self.width));
                }
                outline.extend([(to.0, 0), (from.0, 0)]);
                self.canvas.fill(&outline, true);
            }
            // `cave X Y FLOOR | Y CEILING` empties the space between a floor and a ceiling with the same start x.
            ["cave", x, y, ways @ ..] => self.between(integer(x)?, integer(y)?, ways, false)?,
            ["rock", x, y, ways @ ..] => self.between(integer(x)?, integer(y)?, ways, true)?,
            ["room", x, y, width, height] => self.block([x, y, width, height], false)?,
            ["block", x, y, width, height] => self.block([x, y, width, height], true)?,
            ["row", x, y, row] => self.row(integer(x)?, integer(y)?, row)?,
            _ => return Err("expected land, cave, rock, room, block or row with what it takes".to_owned()),
        }
        Ok(())
    }

    fn between(&mut self, x: i64, low: i64, ways: &[&str], solid: bool) -> Result<(), String> {
        let bar = ways.iter().position(|&word| word == "|").ok_or("expected a `|` between the two ways")?;
        let (floor, [_, high, ceiling @ ..]) = ways.split_at(bar) else { return Err("expected a height".to_owned()) };
        let floor = pen::path((x, low), floor)?;
        let ceiling = pen::path((x, integer(high)?), ceiling)?;
        let ends = |way: &[Point]| way[way.len() - 1].0;
        if ends(&floor) != ends(&ceiling) {
            let tiles = |way| ends(way) as f64 / pen::STEP as f64;
            return Err(format!("below it ends at x = {}, above at x = {}", tiles(&floor), tiles(&ceiling)));
        }
        let outline: Vec<Point> = floor.into_iter().chain(ceiling.into_iter().rev()).collect();
        self.canvas.fill(&outline, solid);
        Ok(())
    }

    fn block(&mut self, numbers: [&str; 4], solid: bool) -> Result<(), String> {
        let [x, y, width, height] = numbers.map(|word| integer(word).map(|tiles| tiles * pen::STEP));
        let (x, y, width, height) = (x?, y?, width?, height?);
        self.canvas.fill(&[(x, y), (x + width, y), (x + width, y + height), (x, y + height)], solid);
        Ok(())
    }

    /// Sets letters of the legend from a tile to the right. A comma keeps the tile.
    fn row(&mut self, x: i64, y: i64, row: &str) -> Result<(), String> {
        for (tile, character) in (x..).zip(row.chars()).filter(|&(_, character)| character != ',') {
            if !(0..self.width).contains(&tile) || !(0..self.height).contains(&y) {
                return Err(format!("({tile}, {y}) is outside"));
            }
            self.stamps.insert((tile, y), character);
        }
        Ok(())
    }

    /// Returns the map file: the head, in which one line marks the place of the rows.
    fn map(&self, head: &str) -> Result<String, String> {
        let legend = head.replace("TILES", "\".\",");
        let legend = Map::from_ron(&legend).map_err(|error| format!("the head of the map: {error}"))?;
        let catalogue = Catalogue::builtin();
        let solids = paint::solids(&catalogue);
        // `characters` contains the first letter of each tile.
        let mut characters: BTreeMap<VariantId, char> = BTreeMap::new();
        let mut letters: Vec<_> = legend.symbols().iter().map(|(&letter, &id)| (id, letter)).collect();
        letters.sort_unstable();
        for (id, letter) in letters {
            if let Some(variant) = legend.kind(id).and_then(|kind| kind.variant) {
                characters.entry(variant).or_insert(letter);
            }
        }
        let (mut rows, mut faults) = (String::new(), Vec::new());
        for y in (0..self.height).rev() {
            rows += "        r\"";
            for x in 0..self.width {
                let mask = self.canvas.cell(x, y);
                let solid = || solids.get(&mask).and_then(|id| characters.get(id)).copied();
                let drawn = match self.stamps.get(&(x, y)) {
                    Some(&stamp) if mask == 0 => Some(stamp),
                    Some(_) => None,
                    None if mask == 0 => Some('.'),
                    None => solid(),
                };
                rows.push(drawn.unwrap_or('?'));
                if drawn.is_none() {
                    let name = solids.get(&mask).map_or("no tile".to_owned(), |&id| catalogue.variant_name(id));
                    let stamp = self.stamps.get(&(x, y)).map_or(String::new(), |stamp| format!(" under {stamp:?}"));
                    faults.push(format!("({x}, {y}): {name}{stamp}\n{}", self.canvas.show(x, y)));
                }
            }
            rows += "\",\n";
        }
        if !faults.is_empty() {
            return Err(format!("{} cells are no tile of the legend:\n{}", faults.len(), faults.join("\n")));
        }
        Ok(head.replace("        TILES\n", &rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_map_is_the_map_of_the_plan() {
        let plan = include_str!("../maps/highlands.plan");
        assert!(
            draw(plan).unwrap() == include_str!("../maps/highlands.ron"),
            "cargo run -p surefoot-examples --example draw_highlands"
        );
    }

    #[test]
    fn a_plan_becomes_tiles() {
        let plan =
            "size 6 4\nland 0 1 e2 ne2 e2\nroom 4 1 1 1\nrow 0 3 --\n> Map(format: 1, tiles: [\n>         TILES\n> ])";
        let map = Map::from_ron(&draw(plan).unwrap()).unwrap();
        let rows = ["--....", ".../##", "../#.#", "######"];
        let expected = Map::from_ron(&format!("Map(format: 1, tiles: {rows:?})")).unwrap();
        assert_eq!(map.layers(), expected.layers());
    }

    #[test]
    fn an_impossible_tile_is_reported_with_its_position() {
        // The slope is cut off in the middle of its tile.
        let plan = "size 2 2\nland 0 0 ene2\n> Map(format: 1, tiles: [\n>         TILES\n> ])";
        assert!(draw(plan).is_ok());
        let error = draw(&plan.replace("ene2", "ene1 se1")).unwrap_err();
        assert!(error.contains("(1, 0)"), "{error}");
    }
}
