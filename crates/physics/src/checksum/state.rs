//! Hash of the state of a world: one hash for each part, such as its bodies, with a tag that says which part it is.
//! Empty parts are left out.

use super::{Checksum, edits_that_change_behaviour, tile_code};
use crate::area::{Area, AttachedTo};
use crate::body::{Body, Input};
use crate::motion::{Owner, Surface, Touching, Up};
use crate::terrain::Piece;
use crate::world::{
    BodyState, Held, Lifted, Moves, Now, Pair, Pause, Platforms, Pressed, RideState, Settings, Timers, World,
};
use glam::I64Vec2;
use slotmap::Key;

/// Fractional digits of pi: a constant without a hidden purpose.
const HASH_START: u64 = 0x243F_6A88_85A3_08D3;
const HASH_FACTOR: u64 = 0x1319_8A2E_0370_7344;
const HASH_STEP: u64 = 0xA409_3822_299F_31D1;

/// A part of the state.
#[derive(Clone, Copy)]
#[repr(u64)]
enum Part {
    Tick = 1,
    Settings = 2,
    Map = 3,
    Bodies = 4,
    Slots = 5,
    Kinds = 6,
    Free = 7,
    /// Slots, states and ignored pairs of platforms.
    Platforms = 8,
    /// Slots and definitions of areas, and the bodies inside.
    Areas = 9,
    /// Bodies that characters pull and carry, and the reference velocities of bodies that do not follow from their
    /// contacts.
    Together = 10,
    /// Cells of the first layer. The tag of layer n is n more.
    Painted = 0x1_0000,
}

/// Returns the XOR of the two halves of the 128-bit product.
#[inline(always)]
fn xor_halves_of_product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A hash that takes in words of 64 bits, two or three at a time.
#[derive(Clone, Copy)]
struct Words(u64);

impl Words {
    #[inline(always)]
    fn add_pair(self, one: u64, two: u64) -> Words {
        Words(xor_halves_of_product(self.0 ^ one, two ^ HASH_FACTOR).wrapping_add(HASH_STEP))
    }

    /// Adds three words. The third is multiplied by an odd constant, so that exchanging it with another word changes
    /// the hash.
    #[inline(always)]
    fn add_triple(self, one: u64, two: u64, three: u64) -> Words {
        Words(self.add_pair(one, two).0.wrapping_add(three.wrapping_mul(HASH_STEP)))
    }
}

impl World {
    /// Returns the checksum of the whole state of the world. Worlds with equal checksums continue identically under
    /// the same commands.
    ///
    /// The call takes time in proportion to the number of bodies. The hashes of body properties, map and set tiles
    /// are cached until they change.
    #[must_use]
    pub fn checksum(&self) -> Checksum {
        let mut whole = Words(HASH_START);
        let mut part = |part: Part, more: u64, hash: u64| whole = whole.add_pair(part as u64 + more, hash);
        part(Part::Tick, 0, self.tick());
        part(Part::Settings, 0, hash_settings(&self.settings()));
        part(Part::Map, 0, self.identity().0);
        if self.bodies.len() > 0 {
            part(Part::Bodies, 0, hash_bodies(self));
        }
        let slots = &self.bodies.slots;
        if !slots.versions().is_empty() {
            let [slots, kinds] = *self.bodies.version.hash_or_compute(|| {
                let slots =
                    slots.versions().iter().fold(Words(HASH_START), |hash, &version| hash.add_pair(version.into(), 0));
                let kinds = self.bodies.values().fold(Words(HASH_START), |hash, state| {
                    hash.add_pair(hash_configuration(state.kind.original_body()), 0)
                });
                [slots.0, kinds.0]
            });
            part(Part::Slots, 0, slots);
            part(Part::Kinds, 0, kinds);
        }
        if !slots.free_slots().is_empty() {
            part(
                Part::Free,
                0,
                slots.free_slots().iter().fold(Words(HASH_START), |hash, &slot| hash.add_pair(slot.into(), 0)).0,
            );
        }
        if !self.platforms.slots.versions().is_empty() {
            part(Part::Platforms, 0, hash_platforms(self));
        }
        if !self.areas.slots.versions().is_empty() {
            part(Part::Areas, 0, hash_areas(self));
        }
        let together = hash_grips_and_pauses(self);
        if together != HASH_START {
            part(Part::Together, 0, together);
        }
        for &(layer, hash) in self.painted.version.hash_or_compute(|| hash_edited_tiles(self)) {
            part(Part::Painted, layer as u64, hash);
        }
        Checksum(whole.0)
    }
}

/// Returns the hash of the changing state of bodies, in the order of their slots.
fn hash_bodies(world: &World) -> u64 {
    let mut whole = HASH_START;
    for state in world.bodies.values() {
        let BodyState { now, .. } = state;
        let touched = state.touched();
        let mut hash = self::hash_body_state(now, touched.len());
        for surface in touched {
            let [one, two, three] = self::surface_as_words(surface);
            hash = hash.add_triple(one, two, three);
            if let Owner::Platform(slot) = surface.owner {
                hash = hash.add_pair(slot.into(), 1);
            }
        }
        if let Some(Lifted { velocity, tick }) = state.inheritable_velocity() {
            hash = hash.add_triple(velocity.x.to_bits(), velocity.y.to_bits(), tick);
        }
        if let Some(up) = state.kind.area_up {
            hash = hash.add_pair(up as u64, 3);
        }
        let timers = state.timers();
        if timers != Timers::NONE {
            hash = timers.timer_words().iter().fold(hash, |hash, &[one, two, three]| hash.add_triple(one, two, three));
        }
        whole = (whole.rotate_left(29) ^ hash.0).wrapping_mul(HASH_STEP);
    }
    whole
}

#[inline(always)]
fn hash_body_state(now: &Now, touched: usize) -> Words {
    // Leave out the previous position, which is for drawing only. The flags are hashed as one word below.
    let Now { position, previous: _, velocity, footing, input, touching, .. } = now;
    let Input { walk, jump, down, up, dash } = (*input).into();
    let Touching { floor, wall_left, wall_right, ceiling } = *touching;
    let units = position.units();
    let held = u32::from_le_bytes([walk as u8, u8::from(jump) | u8::from(dash) << 1, down.into(), up.into()]);
    let sides = u32::from_le_bytes([floor.into(), wall_left.into(), wall_right.into(), ceiling.into()]);
    let (_, more) = footing.bits();
    Words(HASH_START)
        .add_pair(units.x as u64, units.y as u64)
        .add_pair(velocity.x.to_bits(), velocity.y.to_bits())
        .add_triple(more, u64::from(held) << 32 | u64::from(sides), u64::from(now.flag_bits()) << 32 | touched as u64)
}

#[inline(always)]
fn surface_as_words(surface: &Surface) -> [u64; 3] {
    let (cell, piece) = (surface.terrain_cell(), &surface.piece);
    let Piece { role, edge, a, b, normal, before, after, gate, partner } = *piece;
    // The casts are written out, because `map` over an array can compile to a call for each byte.
    let bytes = |[a, b, c, d, e, f, g, h]: [i8; 8]| {
        u64::from_le_bytes([a as u8, b as u8, c as u8, d as u8, e as u8, f as u8, g as u8, h as u8])
    };
    let tile = u64::from(cell.0 as u32) | u64::from(cell.1 as u32) << 32;
    let shape = bytes([role as i8, edge as i8, a.x, a.y, b.x, b.y, normal.x, normal.y]);
    [tile, shape, bytes([before.x, before.y, after.x, after.y, gate.x, gate.y, partner.x, partner.y])]
}

/// Returns the hash of the platforms of a world, and of the bodies that they have crushed.
fn hash_platforms(world: &World) -> u64 {
    let Platforms { slots, pairs, .. } = &world.platforms;
    let lists = slots.versions().iter().chain([&u32::MAX]).chain(slots.free_slots());
    let mut hash = lists.fold(Words(HASH_START), |hash, &number| hash.add_pair(number.into(), 0));
    for (_, state) in world.platforms() {
        let Moves { base, origin, previous: _, made, clock, target, playing, stopped, ridden, attached } = state.now;
        let (is_driven, target) = (target.is_some(), target.unwrap_or_default());
        let flags = u64::from(playing)
            | u64::from(stopped) << 1
            | u64::from(is_driven) << 2
            | u64::from(attached.is_some()) << 3;
        let ridden = match ridden {
            RideState::Never => 0,
            RideState::Since { left } => u64::from(left) << 3 | 1,
            RideState::Falls { ticks } => u64::from(ticks) << 3 | 2,
            RideState::Gone { left: None } => 3,
            RideState::Gone { left: Some(left) } => u64::from(left) << 3 | 4,
        };
        hash = hash.add_pair(state.baked.checksum.0, clock).add_pair(flags, ridden);
        if let Some(attached) = attached {
            hash = hash.add_pair(attached.data().as_ffi(), 1);
        }
        hash = [base, origin, made, target].iter().fold(hash, |hash, v| hash.add_pair(v.x as u64, v.y as u64));
    }
    for Pair { body, platform, state } in pairs {
        let state = match state {
            Pressed::Ignored { apart } => u64::from(*apart),
            Pressed::Stopped => u64::MAX,
        };
        hash = hash.add_triple(body.data().as_ffi(), platform.data().as_ffi(), state);
    }
    hash.0
}

/// Returns the hash of pulled and carried bodies, of pauses, and of reference velocities that do not follow from
/// positions.
fn hash_grips_and_pauses(world: &World) -> u64 {
    let mut hash = Words(HASH_START);
    for Held { body, by, kind } in world.held_bodies() {
        let at = kind.offset().unwrap_or(I64Vec2::MAX);
        hash = hash.add_triple(body.data().as_ffi(), by.data().as_ffi(), 1).add_pair(at.x as u64, at.y as u64);
    }
    for (body, velocity) in world.velocities_of_indirect_riders() {
        hash = hash.add_triple(body.data().as_ffi(), velocity.x.to_bits(), velocity.y.to_bits());
    }
    for &(body, Pause { input, motion }) in &world.pauses {
        hash = hash.add_triple(body.data().as_ffi(), u64::from(input) << 32 | u64::from(motion), 2);
    }
    hash.0
}

/// Returns the hash of the areas of a world, and of the bodies inside.
fn hash_areas(world: &World) -> u64 {
    let slots = &world.areas.slots;
    let lists = slots.versions().iter().chain([&u32::MAX]).chain(slots.free_slots());
    let mut hash = lists.fold(Words(HASH_START), |hash, &number| hash.add_pair(number.into(), 0));
    for (_, state) in world.areas() {
        let Area { name: _, tag: _, shape, position: _, attached_to: on, collision_mask, priority, effects } =
            state.fields();
        let (on, carrier) = match on {
            AttachedTo::World | AttachedTo::Named(_) => (0, 0),
            AttachedTo::Platform(platform) => (1, platform.data().as_ffi()),
            AttachedTo::Body(body) => (2, body.data().as_ffi()),
        };
        let ((kind, numbers), units) = (shape.numbers(), state.shared.position().units());
        hash = hash.add_pair(units.x as u64, units.y as u64).add_pair(on, carrier);
        hash =
            hash.add_triple(collision_mask.0.into(), *priority as u64, u64::from(kind) | (numbers.len() as u64) << 8);
        hash = numbers.iter().fold(hash, |hash, number| hash.add_pair(number.to_bits(), 0));
        hash = effects.bits().iter().fold(hash, |hash, bits| hash.add_pair(*bits, 1));
    }
    let inside = world.areas.inside.iter();
    inside.fold(hash, |hash, pair| hash.add_pair(pair.body.data().as_ffi(), pair.area.data().as_ffi())).0
}

fn hash_settings(settings: &Settings) -> u64 {
    let up = match settings.up {
        Up::PlusY => 0,
        Up::MinusX => 1,
        Up::MinusY => 2,
        Up::PlusX => 3,
    };
    let (rise, run): (u16, u16) = settings.max_floor_slope.into();
    let gravity = settings.gravity;
    let hash = Words(HASH_START).add_pair(settings.tick.to_bits(), up);
    hash.add_pair(gravity.x.to_bits(), gravity.y.to_bits()).add_pair(rise.into(), run.into()).0
}

/// Returns the hash of a body's configuration.
fn hash_configuration(kind: &Body) -> u64 {
    kind.bits().into_iter().fold(Words(HASH_START), |hash, bits| hash.add_pair(bits, 0)).0
}

/// Returns, for each layer with edited cells that behave differently from the map, a hash of these cells.
fn hash_edited_tiles(world: &World) -> Vec<(usize, u64)> {
    let mut layers = Vec::new();
    for layer in world.painted.layers() {
        let mut cells = edits_that_change_behaviour(world, layer).peekable();
        if cells.peek().is_some() {
            let hash = cells.fold(Words(HASH_START), |hash, ((x, y), entry)| {
                hash.add_pair(u64::from(x as u32) | u64::from(y as u32) << 32, tile_code(world.map(), entry))
            });
            layers.push((layer, hash.0));
        }
    }
    layers
}
