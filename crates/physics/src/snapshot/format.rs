//! Fields of a snapshot file. `docs/formats/snapshot.md` in the repository describes each.

use crate::area::Area;
use crate::body::{Body, Configuration};
use crate::checksum::{Checksum, PHYSICS_VERSION};
use crate::event::BodyId;
use crate::map::SharedArea;
use crate::motion::{Owner, Surface};
use crate::platform::Platform;
use crate::terrain::Piece;
use crate::world::{
    Extra, Held, Inside, Moves, Now, Pair, Saved, SavedAreas, SavedBodies, SavedPlatforms, Settings, Snapshot, TickLog,
};
use glam::{I8Vec2, I64Vec2};
use serde::{Deserialize, Serialize};
use surefoot_geometry::Position;

/// A snapshot file. The bytes have the fields in this order.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Snapshot")]
pub(super) struct SnapshotFile {
    pub(super) format: u32,
    pub(super) physics: u32,
    pub(super) map: Checksum,
    pub(super) settings: Settings,
    pub(super) tick: u64,
    pub(super) versions: Vec<u32>,
    pub(super) free: Vec<u32>,
    /// Configurations of bodies; equal ones are written once.
    pub(super) kinds: Vec<Configuration>,
    pub(super) bodies: Vec<BodyPart>,
    pub(super) tile_edits: Vec<PaintedPart>,
    pub(super) platforms: PlatformsPart,
    pub(super) log: TickLog,
    pub(super) areas: AreasPart,
    pub(super) held: Vec<Held>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Body")]
pub(super) struct BodyPart {
    /// Index in the list of kinds.
    pub(super) kind: u32,
    pub(super) state: Now,
    pub(super) touched: Vec<SurfacePart>,
    /// `None` for a straight path.
    pub(super) way: Option<Vec<Position>>,
    pub(super) extra: Option<Extra>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Platforms")]
pub(super) struct PlatformsPart {
    pub(super) versions: Vec<u32>,
    pub(super) free: Vec<u32>,
    pub(super) platforms: Vec<PlatformPart>,
    pub(super) pairs: Vec<Pair>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Areas")]
pub(super) struct AreasPart {
    pub(super) versions: Vec<u32>,
    pub(super) free: Vec<u32>,
    pub(super) areas: Vec<Area>,
    pub(super) inside: Vec<Inside>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "PlatformState")]
pub(super) struct PlatformPart {
    pub(super) platform: Platform,
    pub(super) state: Moves,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Surface")]
pub(super) struct SurfacePart {
    /// 0 for the terrain, else the platform's slot plus 1.
    pub(super) platform: u32,
    pub(super) tile: (i32, i32),
    pub(super) role: u8,
    pub(super) edge: u8,
    /// Ends, normal, before, after, gate, partner: x and y of each.
    pub(super) piece: [i8; 14],
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Painted")]
pub(super) struct PaintedPart {
    pub(super) layer: u16,
    pub(super) tile: (i32, i32),
    pub(super) tile_id: u16,
}

impl SnapshotFile {
    pub(super) fn from_snapshot(snapshot: &Snapshot) -> SnapshotFile {
        // Name all fields, so that a new one is not forgotten.
        let Snapshot {
            identity,
            settings,
            tick,
            bodies,
            held_bodies,
            painted,
            platforms,
            areas,
            log,
            disturbed: _,
            unverified: _,
        } = snapshot;
        let SavedBodies { slots, kinds: of_bodies, version: _, states, surfaces, paths, extras, predicted_in: _ } =
            bodies;
        let (mut kinds, mut known) = (Vec::new(), Vec::new());
        let (mut surfaces, mut ways) = (&surfaces[..], &paths[..]);
        let (mut last, mut extras) = (0, extras.iter().peekable());
        let mut part = |body: BodyId, kind: &Body, Saved { now, touched, way, .. }: &Saved| {
            let bits = kind.bits();
            // Bodies in a row usually share a kind, so compare with the last one first.
            if known.get(last) != Some(&bits) {
                last = known.iter().position(|known| *known == bits).unwrap_or_else(|| {
                    kinds.push(Configuration(Body::clone(kind)));
                    known.push(bits);
                    known.len() - 1
                });
            }
            let (own, rest) = surfaces.split_at(*touched as usize);
            surfaces = rest;
            let way = (*way != Saved::STRAIGHT_PATH).then(|| {
                let (own, rest) = ways.split_at(*way as usize);
                ways = rest;
                own.to_vec()
            });
            let touched = own.iter().map(|surface| SurfacePart::from_surface(surface, platforms)).collect();
            BodyPart {
                kind: last as u32,
                state: *now,
                touched,
                way,
                extra: extras.next_if(|(of, _)| *of == body).map(|(_, extra)| *extra),
            }
        };
        let of_bodies = slots.filled_ids().zip(of_bodies).zip(states);
        let bodies = of_bodies.map(|((body, kind), saved)| part(body, kind.original_body(), saved)).collect();
        let layers = painted.layers();
        let cells = layers.into_iter().flat_map(|layer| painted.cells(layer).map(move |cell| (layer, cell)));
        SnapshotFile {
            format: Snapshot::FORMAT,
            physics: PHYSICS_VERSION,
            map: *identity,
            settings: *settings,
            tick: *tick,
            versions: slots.versions().to_vec(),
            free: slots.free_slots().to_vec(),
            kinds,
            bodies,
            tile_edits: cells
                .map(|(layer, (tile, entry))| PaintedPart { layer: layer as u16, tile, tile_id: entry.0 })
                .collect(),
            platforms: PlatformsPart::from_platforms(platforms),
            log: log.clone(),
            areas: AreasPart::from_areas(areas),
            held: held_bodies.clone(),
        }
    }
}

impl PlatformsPart {
    fn from_platforms(platforms: &SavedPlatforms) -> PlatformsPart {
        let SavedPlatforms { slots, version: _, baked, unbaked, moves, pairs } = platforms;
        // The list `unbaked` has the platforms that were read from a file. Their tiles are not baked to a terrain yet.
        let all = baked.iter().map(|baked| &baked.platform).chain(unbaked);
        let parts = all.zip(moves).map(|(platform, now)| PlatformPart { platform: platform.clone(), state: *now });
        PlatformsPart {
            versions: slots.versions().to_vec(),
            free: slots.free_slots().to_vec(),
            platforms: parts.collect(),
            pairs: pairs.clone(),
        }
    }
}

impl AreasPart {
    fn from_areas(areas: &SavedAreas) -> AreasPart {
        let SavedAreas { slots, version: _, areas, inside } = areas;
        AreasPart {
            versions: slots.versions().to_vec(),
            free: slots.free_slots().to_vec(),
            areas: areas.iter().map(SharedArea::to_area).collect(),
            inside: inside.clone(),
        }
    }
}

impl SurfacePart {
    fn from_surface(surface: &Surface, platforms: &SavedPlatforms) -> SurfacePart {
        let (platform, origin) = match surface.owner {
            // A snapshot stores only contacts with tiles, so the owner is never a body.
            Owner::Terrain | Owner::Body(_) => (0, I64Vec2::ZERO),
            Owner::Platform(slot) => (slot + 1, platforms.origin(slot).unwrap_or_default()),
        };
        let (tile, piece) = (surface.cell_in_source_at(origin), &surface.piece);
        let Piece { role, edge, a, b, normal, before, after, gate, partner } = piece;
        let mut numbers = [0; 14];
        for (at, point) in numbers.chunks_exact_mut(2).zip([a, b, normal, before, after, gate, partner]) {
            at.copy_from_slice(&point.to_array());
        }
        SurfacePart { platform, tile, role: *role as u8, edge: *edge, piece: numbers }
    }

    /// Returns the surface. `None` for an unknown role or platform.
    pub(super) fn read_surface(&self, platforms: &SavedPlatforms) -> Option<Surface> {
        let point = |i: usize| I8Vec2::new(self.piece[2 * i], self.piece[2 * i + 1]);
        let piece = Piece {
            role: crate::terrain::Role::from_number(self.role)?,
            edge: self.edge,
            a: point(0),
            b: point(1),
            normal: point(2),
            before: point(3),
            after: point(4),
            gate: point(5),
            partner: point(6),
        };
        let terrain = Surface::of_terrain(self.tile, piece);
        let Some(slot) = self.platform.checked_sub(1) else { return Some(terrain) };
        let at = terrain.at.wrapping_add(platforms.origin(slot)?);
        Some(Surface { owner: Owner::Platform(slot), at, ..terrain })
    }
}
