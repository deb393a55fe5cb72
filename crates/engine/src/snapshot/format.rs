//! The fields of a snapshot as they are written; `docs/snapshot-format.md` in the repository describes each.

use crate::body::{Body, Configuration};
use crate::checksum::{Checksum, PHYSICS_VERSION};
use crate::command::Command;
use crate::event::Event;
use crate::motion::Surface;
use crate::terrain::Piece;
use crate::world::{Now, Saved, Settings, Snapshot};
use glam::I8Vec2;
use serde::{Deserialize, Serialize};
use surefoot_geometry::Position;

/// A snapshot as it is written. The bytes have the fields in this order.
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
    /// What bodies are; equal ones are written once.
    pub(super) kinds: Vec<Configuration>,
    pub(super) bodies: Vec<BodyPart>,
    pub(super) painted: Vec<PaintedPart>,
    pub(super) events: Vec<Event>,
    pub(super) given: Vec<Command>,
    pub(super) pending: Vec<Command>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Body")]
pub(super) struct BodyPart {
    /// Which of the kinds.
    pub(super) kind: u32,
    pub(super) state: Now,
    pub(super) touched: Vec<SurfacePart>,
    /// `None` for the straight way to the place.
    pub(super) way: Option<Vec<Position>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Surface")]
pub(super) struct SurfacePart {
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
    pub(super) fn of(snapshot: &Snapshot) -> SnapshotFile {
        let Snapshot { identity, settings, tick, slots, kinds: of_bodies, bodies, .. } = snapshot;
        let (mut kinds, mut known) = (Vec::new(), Vec::new());
        let (mut surfaces, mut ways) = (&snapshot.surfaces[..], &snapshot.ways[..]);
        let mut last = 0;
        let mut part = |kind: &Body, Saved { now, touched, way }: &Saved| {
            let bits = kind.bits();
            // Mostly the kind is that of the body before.
            if known.get(last) != Some(&bits) {
                last = known.iter().position(|known| *known == bits).unwrap_or_else(|| {
                    kinds.push(Configuration(kind.clone()));
                    known.push(bits);
                    known.len() - 1
                });
            }
            let (own, rest) = surfaces.split_at(*touched as usize);
            surfaces = rest;
            let way = (*way != Saved::STRAIGHT).then(|| {
                let (own, rest) = ways.split_at(*way as usize);
                ways = rest;
                own.to_vec()
            });
            BodyPart { kind: last as u32, state: *now, touched: own.iter().map(SurfacePart::of).collect(), way }
        };
        let bodies = of_bodies.iter().zip(bodies).map(|(kind, saved)| part(kind, saved)).collect();
        let layers = snapshot.painted.layers();
        let cells = layers.into_iter().flat_map(|layer| snapshot.painted.cells(layer).map(move |cell| (layer, cell)));
        SnapshotFile {
            format: Snapshot::FORMAT,
            physics: PHYSICS_VERSION,
            map: *identity,
            settings: *settings,
            tick: *tick,
            versions: slots.versions().to_vec(),
            free: slots.free().to_vec(),
            kinds,
            bodies,
            painted: cells
                .map(|(layer, (tile, entry))| PaintedPart { layer: layer as u16, tile, tile_id: entry.0 })
                .collect(),
            events: snapshot.events.clone(),
            given: snapshot.given.clone(),
            pending: snapshot.pending.clone(),
        }
    }
}

impl SurfacePart {
    fn of(surface: &Surface) -> SurfacePart {
        let (tile, piece) = (surface.terrain_cell(), &surface.piece);
        let Piece { role, edge, a, b, normal, before, after, gate, partner } = piece;
        let mut numbers = [0; 14];
        for (at, point) in numbers.chunks_exact_mut(2).zip([a, b, normal, before, after, gate, partner]) {
            at.copy_from_slice(&point.to_array());
        }
        SurfacePart { tile, role: *role as u8, edge: *edge, piece: numbers }
    }

    /// The surface; `None` for a role that there is not.
    pub(super) fn surface(&self) -> Option<Surface> {
        let point = |i: usize| I8Vec2::new(self.piece[2 * i], self.piece[2 * i + 1]);
        let piece = Piece {
            role: crate::terrain::Role::of(self.role)?,
            edge: self.edge,
            a: point(0),
            b: point(1),
            normal: point(2),
            before: point(3),
            after: point(4),
            gate: point(5),
            partner: point(6),
        };
        Some(Surface::of_terrain(self.tile, piece))
    }
}
