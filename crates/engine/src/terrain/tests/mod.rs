mod drawn;
mod edits;
mod laws;
mod layers;
mod oracle;

use super::{Piece, Role, Terrain};
use crate::catalogue::{Catalogue, Kind, VariantId};
use crate::map::{Beyond, EntryId, Layer, LegendEntry, Map, MapParts, Sides};
use crate::testing::Random;
use glam::I8Vec2;

/// A terrain of rows, the highest first; `names` says what the characters are.
fn drawn(names: &[(char, &str)], rows: &[&str]) -> Terrain {
    let catalogue = Catalogue::builtin();
    let entries = names.iter().map(|(c, name)| LegendEntry::new(*c, catalogue.find(name).unwrap()));
    let legend: Vec<_> = std::iter::once(LegendEntry::empty('.')).chain(entries).collect();
    let (width, height) = (rows[0].chars().count() as u32, rows.len() as u32);
    let cells = rows.iter().rev().flat_map(|row| row.chars());
    let entry = |c| EntryId(legend.iter().position(|entry| entry.character == c).unwrap() as u16);
    let cells = cells.map(entry).collect();
    Terrain::bake(&Map::from_cells(MapParts { legend, cells, ..MapParts::new(width, height) }).unwrap())
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
    parts.legend = LegendEntry::every_variant(&parts.catalogue);
    let some: Vec<_> = (1..parts.legend.len()).filter(|i| parts.legend[*i].variant.is_some_and(&keep)).collect();
    for cell in &mut parts.cells {
        if random.index(3) > 0 {
            *cell = EntryId(some[random.index(some.len())] as u16);
        }
    }
    let mut beyond = || if random.index(2) == 0 { Beyond::Solid } else { Beyond::Open };
    parts.sides = Sides { left: beyond(), right: beyond(), bottom: beyond(), top: beyond() };
    parts.origin = (random.index(9) as i32 - 4, random.index(9) as i32 - 4);
    parts
}

/// A random map of several layers, where the tiles may share their cells.
fn random_layers(random: &mut Random, size: (u32, u32), layers: usize, keep: impl Fn(VariantId) -> bool) -> MapParts {
    let mut parts = random_map(random, size, &keep);
    let mut cells: Vec<Vec<EntryId>> = vec![std::mem::take(&mut parts.cells)];
    cells.extend((1..layers).map(|_| random_map(random, size, &keep).cells));
    for i in 0..cells[0].len() {
        let mut stack = Vec::new();
        for layer in &mut cells {
            stack.extend(parts.legend[usize::from(layer[i].0)].variant);
            if parts.catalogue.check_stack(&stack).is_err() {
                layer[i] = EntryId::EMPTY;
                stack.pop();
            }
        }
    }
    parts.layers = cells.into_iter().enumerate().map(|(i, cells)| Layer::new(i.to_string(), cells)).collect();
    parts
}

/// The cells of every layer of a map.
fn all_layers(parts: &MapParts) -> Vec<&[EntryId]> {
    if parts.layers.is_empty() { vec![&parts.cells] } else { parts.layers.iter().map(Layer::cells).collect() }
}

fn is_solid(catalogue: &Catalogue, id: VariantId) -> bool {
    catalogue.variant(id).kind == Kind::Solid
}

/// All tiles of a terrain with three rings around them.
fn tiles(terrain: &Terrain) -> impl Iterator<Item = (i32, i32)> + use<> {
    let ((x, y), (width, height)) = (terrain.origin(), terrain.size());
    (y - 3..y + height as i32 + 3).flat_map(move |y| (x - 3..x + width as i32 + 3).map(move |x| (x, y)))
}

fn v(x: i8, y: i8) -> I8Vec2 {
    I8Vec2::new(x, y)
}
