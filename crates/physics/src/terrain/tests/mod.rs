mod drawn;
mod edits;
mod filling;
mod forms;
mod laws;
mod layers;
mod oracle;

use super::{Piece, Role, Terrain};
use crate::catalogue::{Catalogue, PatternKind, VariantId};
use crate::map::{Border, Borders, Map, MapParts, TileId, TileKind, TileLayer};
use crate::testing::Random;
use glam::I8Vec2;

/// A terrain of rows, the highest first; `names` says what the characters are.
fn drawn(names: &[(char, &str)], rows: &[&str]) -> Terrain {
    let catalogue = Catalogue::builtin();
    let kinds = names.iter().map(|(_, name)| TileKind::new(catalogue.find_variant(name).unwrap()));
    let kinds = std::iter::once(TileKind::default()).chain(kinds).collect();
    let (width, height) = (rows[0].chars().count() as u32, rows.len() as u32);
    let cells = rows.iter().rev().flat_map(|row| row.chars());
    let kind = |c| if c == '.' { 0 } else { names.iter().position(|(known, _)| *known == c).unwrap() + 1 };
    let mut parts = MapParts { kinds, ..MapParts::new(width, height) };
    parts.layers[0].cells = cells.map(|c| TileId(kind(c) as u16)).collect();
    Terrain::bake(&Map::from_parts(parts).unwrap())
}

/// Returns the first number, or the second one if `SUREFOOT_LONG=1` requests long runs.
fn often(everyday: u64, long_run: u64) -> u64 {
    if std::env::var("SUREFOOT_LONG").is_ok_and(|value| value == "1") { long_run } else { everyday }
}

/// All pieces of a tile, each once: arcs and faces, then vertices.
fn pieces(terrain: &Terrain, tile: (i32, i32)) -> Vec<Piece> {
    let cell = terrain.cell(tile.0, tile.1);
    let boxes = terrain.box_pieces(cell).iter().filter(|piece| piece.role == Role::Vertex);
    terrain.circle_pieces(cell).iter().chain(boxes).copied().collect()
}

/// A map of random tiles out of every variant, or only of those that `keep` lets through; a third is empty.
fn random_map(random: &mut Random, size: (u32, u32), keep: impl Fn(VariantId) -> bool) -> MapParts {
    let mut parts = MapParts::new(size.0, size.1);
    parts.kinds = TileKind::every_variant(&parts.catalogue);
    let some: Vec<_> = (1..parts.kinds.len()).filter(|i| parts.kinds[*i].variant.is_some_and(&keep)).collect();
    for cell in &mut parts.layers[0].cells {
        if random.index(3) > 0 {
            *cell = TileId(some[random.index(some.len())] as u16);
        }
    }
    let mut beyond = || if random.index(2) == 0 { Border::Solid } else { Border::Open };
    parts.borders = Borders { left: beyond(), right: beyond(), bottom: beyond(), top: beyond() };
    parts.layers[0].origin = (random.index(9) as i32 - 4, random.index(9) as i32 - 4);
    parts
}

/// A random map of several layers, where the tiles may share their cells.
fn random_layers(random: &mut Random, size: (u32, u32), layers: usize, keep: impl Fn(VariantId) -> bool) -> MapParts {
    let mut parts = random_map(random, size, &keep);
    let mut cells: Vec<Vec<TileId>> = vec![std::mem::take(&mut parts.layers[0].cells)];
    cells.extend((1..layers).map(|_| random_map(random, size, &keep).layers.remove(0).cells));
    for i in 0..cells[0].len() {
        let mut stack = Vec::new();
        for layer in &mut cells {
            stack.extend(parts.kinds[usize::from(layer[i].0)].variant);
            if parts.catalogue.check_stack(&stack).is_err() {
                layer[i] = TileId::EMPTY;
                stack.pop();
            }
        }
    }
    let first = parts.layers.remove(0);
    let named = cells.into_iter().enumerate();
    parts.layers = named.map(|(i, cells)| TileLayer { name: i.to_string(), cells, ..first.clone() }).collect();
    parts
}

fn is_solid(catalogue: &Catalogue, id: VariantId) -> bool {
    catalogue.variant(id).kind == PatternKind::Solid
}

/// All tiles of a terrain with three rings around them.
fn tiles(terrain: &Terrain) -> impl Iterator<Item = (i32, i32)> + use<> {
    let ((x, y), (width, height)) = (terrain.origin(), terrain.size());
    (y - 3..y + height as i32 + 3).flat_map(move |y| (x - 3..x + width as i32 + 3).map(move |x| (x, y)))
}

fn v(x: i8, y: i8) -> I8Vec2 {
    I8Vec2::new(x, y)
}
