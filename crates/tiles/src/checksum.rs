//! Checksums, and the checksum of a map.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use crate::area::{Area, AreaShape, AttachedTo};
use crate::catalogue::VariantId;
use crate::map::{AreaKind, Border, Map, Material, TileId, TileKind};
use crate::platform::{CirclePath, OnCrush, OnRide, Path, PathTiming, Platform, PlatformMotion};
use crate::told::debug_is_display;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use surefoot_geometry::Position;
use thiserror::Error;
use xxhash_rust::xxh64::Xxh64;

/// A 64-bit checksum, for example of a world or a map. Prints as 16 hexadecimal digits, and is parsed from them.
///
/// # Examples
/// ```
/// use surefoot::checksum::Checksum;
///
/// let checksum: Checksum = "0123456789abcdef".parse()?;
/// assert_eq!(checksum, Checksum(0x0123_4567_89ab_cdef));
/// assert_eq!(checksum.to_string(), "0123456789abcdef");
/// assert!("123".parse::<Checksum>().is_err());
/// # Ok::<(), surefoot::checksum::ChecksumError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Checksum(pub u64);

/// In texts the digits, in bytes the number.
impl Serialize for Checksum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { self.0.serialize(serializer) }
    }
}

impl<'de> Deserialize<'de> for Checksum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Checksum, D::Error> {
        if deserializer.is_human_readable() {
            String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
        } else {
            u64::deserialize(deserializer).map(Checksum)
        }
    }
}

/// Error of parsing a checksum: the text is not 16 hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{text:?} is not a checksum; expected 16 hexadecimal digits")]
pub struct ChecksumError {
    /// Text that could not be parsed as a checksum.
    pub text: String,
}

debug_is_display!(ChecksumError);

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Checksum {
    type Err = ChecksumError;

    /// Parses 16 hexadecimal digits in upper or lower case.
    fn from_str(text: &str) -> Result<Checksum, ChecksumError> {
        let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = if digits { u64::from_str_radix(text, 16).ok() } else { None };
        value.map(Checksum).ok_or_else(|| ChecksumError { text: text.to_owned() })
    }
}

impl Map {
    /// Returns the checksum of everything that bodies can hit on the map.
    ///
    /// - Size, origin and borders (solid or open) of the map.
    /// - For each tile in tile layers that collide: its outline, its material, whether characters can drop through the
    ///   tile, and which collision layers (groups of bodies) pass through the tile.
    /// - Platforms and areas, in the order in which the map lists them.
    ///
    /// Symbols, names, markers, pixels and properties do not affect the checksum.
    #[must_use]
    pub fn checksum(&self) -> Checksum {
        Checksum(*self.checksum.get_or_init(|| self.compute_checksum().0))
    }

    fn compute_checksum(&self) -> Checksum {
        let mut hash = Hash::default();
        let (origin, size, sides) = (self.origin(), self.size(), self.borders());
        hash.add_i32(origin.0);
        hash.add_i32(origin.1);
        hash.add_u32(size.0);
        hash.add_u32(size.1);
        for side in [sides.left, sides.right, sides.bottom, sides.top] {
            hash.add_u8(u8::from(side == Border::Solid));
        }
        let codes = tile_codes(self);
        // The checksum covers only what affects motion, so layers that do not collide are left out.
        for layer in self.layers().iter().filter(|layer| layer.collides) {
            for y in origin.1..origin.1 + size.1 as i32 {
                for entry in layer.row(y, origin.0, size.0).iter() {
                    hash.add_tile(codes[usize::from(entry.0)]);
                }
            }
        }
        for platform in self.platforms() {
            hash.add_position(platform.position.unwrap_or_default());
            hash.add_platform(platform, &codes);
            if !platform.attached_to.is_empty() {
                let to = self.platforms().iter().position(|other| other.name == platform.attached_to);
                hash.add_u32(to.map_or(u32::MAX, |to| to as u32));
            }
        }
        // Areas of one `AreaKind` have equal bytes, except for the position. So compute the bytes once for successive
        // areas of a kind.
        let (mut kind, mut code): (Option<&Arc<AreaKind>>, Vec<u8>) = (None, Vec::new());
        for area in self.shared_areas() {
            if kind.is_none_or(|kind| !Arc::ptr_eq(kind, area.kind())) {
                (kind, code) = (Some(area.kind()), area_bytes(area.fields(), self.platforms()));
            }
            hash.add_position(area.position());
            hash.add_slice(&code);
        }
        hash.finish()
    }
}

/// Hashes a platform without its position: its tiles, its motion, and what happens to bodies that it crushes.
pub fn platform_checksum(platform: &Platform, map: &Map) -> Checksum {
    let mut hash = Hash::default();
    hash.add_platform(platform, &tile_codes(map));
    hash.finish()
}

/// Returns the [`tile_code`] of each tile kind of a map.
fn tile_codes(map: &Map) -> Vec<u64> {
    (0..map.kinds().len()).map(|i| tile_code(map, TileId(i as u16))).collect()
}

/// Returns a code of what a tile kind does to bodies, for checksums.
///
/// - An empty cell has code 0. A tile has twice the variant's number plus 2, plus 1 if bodies can drop through.
/// - A tile with its own material, or with collision layers that ignore it, also has bit 31. The upper half of the code
///   is then a hash of both.
pub fn tile_code(map: &Map, entry: TileId) -> u64 {
    let Some((kind, VariantId(id))) = map.kind(entry).and_then(|kind| Some((kind, kind.variant?))) else { return 0 };
    let code = 2 * u64::from(id) + 2 + u64::from(kind.drop_through);
    let is_plain = kind.material == Material::default() && kind.ignored_by.is_empty();
    if is_plain { code } else { code | HAS_MORE | hash_material_and_ignored_layers(kind) << 32 }
}

/// Bit of a tile code that has a hash in its upper half.
const HAS_MORE: u64 = 1 << 31;

/// Returns a hash of a tile kind's material (0.0 and -0.0 are equal), and of the collision layers that ignore the tile.
fn hash_material_and_ignored_layers(kind: &TileKind) -> u64 {
    let mut hash = Hash::default();
    let mut surface = kind.material;
    surface.numbers_mut().into_iter().for_each(|number| hash.add_f64(*number.value + 0.0));
    if kind.material.climbable {
        hash.add_u8(1);
    }
    if !kind.ignored_by.is_empty() {
        hash.add_u32(kind.ignored_by.0);
    }
    hash.finish().0
}

/// Returns the bytes of everything about an area that affects bodies, except its position. `platforms`: those of the
/// map, to which the area can be attached.
fn area_bytes(area: &Area, platforms: &[Platform]) -> Vec<u8> {
    let Area { name: _, tag: _, shape, position: _, attached_to: on, collision_mask, priority, effects } = area;
    let on = match on {
        AttachedTo::Named(name) => platforms.iter().position(|platform| platform.name == *name),
        AttachedTo::World | AttachedTo::Platform(_) | AttachedTo::Body(_) => None,
    };
    let mut code = Vec::new();
    code.extend(on.map_or(u32::MAX, |on| on as u32).to_le_bytes());
    code.extend(collision_mask.0.to_le_bytes());
    code.extend(priority.to_le_bytes());
    let (kind, numbers) = shape.numbers();
    code.push(kind);
    match shape {
        AreaShape::Boxes(_) => code.extend((numbers.len() as u32).to_le_bytes()),
        _ => code.push(numbers.len() as u8),
    }
    code.extend(numbers.iter().flat_map(|number| number.to_bits().to_le_bytes()));
    code.extend(effects.bits().iter().flat_map(|bits| bits.to_le_bytes()));
    code
}

/// XXH64 over fields, little-endian and without padding.
pub struct Hash {
    hash: Xxh64,
    /// Bytes that the hash does not have yet: many small updates take longer than one.
    buffer: [u8; BUFFER_SIZE],
    length: usize,
}

const BUFFER_SIZE: usize = 256;

impl Default for Hash {
    fn default() -> Hash {
        Hash { hash: Xxh64::new(0), buffer: [0; BUFFER_SIZE], length: 0 }
    }
}

impl Hash {
    pub fn finish(mut self) -> Checksum {
        self.hash_and_empty_buffer();
        Checksum(self.hash.digest())
    }

    #[inline(always)]
    fn add_bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        if self.length + N > BUFFER_SIZE {
            self.hash_and_empty_buffer();
        }
        self.buffer[self.length..][..N].copy_from_slice(&bytes);
        self.length += N;
    }

    #[inline(never)]
    fn hash_and_empty_buffer(&mut self) {
        self.hash.update(&self.buffer[..self.length]);
        self.length = 0;
    }

    fn add_slice(&mut self, bytes: &[u8]) {
        if bytes.len() > BUFFER_SIZE {
            self.hash_and_empty_buffer();
            return self.hash.update(bytes);
        }
        if self.length + bytes.len() > BUFFER_SIZE {
            self.hash_and_empty_buffer();
        }
        self.buffer[self.length..][..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    pub fn add_u8(&mut self, value: u8) {
        self.add_bytes([value]);
    }

    fn add_i32(&mut self, value: i32) {
        self.add_bytes(value.to_le_bytes());
    }

    pub fn add_u32(&mut self, value: u32) {
        self.add_bytes(value.to_le_bytes());
    }

    /// A tile kind by its code.
    pub fn add_tile(&mut self, code: u64) {
        self.add_u32(code as u32);
        if code & HAS_MORE != 0 {
            self.add_u32((code >> 32) as u32);
        }
    }

    fn add_i64(&mut self, value: i64) {
        self.add_bytes(value.to_le_bytes());
    }

    pub fn add_u64(&mut self, value: u64) {
        self.add_bytes(value.to_le_bytes());
    }

    /// Hashes the bits of a number, so 0.0 and -0.0 give different hashes.
    pub fn add_f64(&mut self, value: f64) {
        self.add_u64(value.to_bits());
    }

    /// Adds everything about a platform that affects bodies, except its position. `codes`: the codes of the tile kinds.
    fn add_platform(&mut self, platform: &Platform, codes: &[u64]) {
        let Platform { name: _, layers, position: _, motion, paused, on_crush, on_ride, attached_to } = platform;
        let ridden = match on_ride {
            OnRide::Nothing => 0,
            OnRide::Start => 1,
            OnRide::Fall { .. } => 2,
            OnRide::Crumble { .. } => 3,
        };
        self.add_u8(
            u8::from(*on_crush == OnCrush::PassThrough)
                | ridden << 1
                | u8::from(!attached_to.is_empty()) << 3
                | u8::from(*paused) << 4,
        );
        if let Some((after, back)) = on_ride.delays() {
            self.add_f64(after);
            // A platform that never respawns counts as the time -1, which is never a valid time.
            self.add_f64(back.unwrap_or(-1.0));
        }
        match motion {
            PlatformMotion::Driven => self.add_u8(0),
            PlatformMotion::Path(Path { points, timing: pace, repeat, easing, wait, phase }) => {
                self.add_u8(1);
                self.add_u32(points.len() as u32);
                points.iter().for_each(|point| self.add_position(*point));
                self.add_timing(*pace);
                // The checksum contains the numbers of the enum variants of `Repeat` and `Easing`. Keep their order in
                // both enums, or the checksums of maps change.
                self.add_u8(*repeat as u8);
                self.add_u8(*easing as u8);
                self.add_f64(*wait);
                self.add_f64(*phase);
            }
            PlatformMotion::Circle(CirclePath { radius, timing: pace, clockwise, phase }) => {
                self.add_u8(2);
                self.add_f64(*radius);
                self.add_timing(*pace);
                self.add_u8(u8::from(*clockwise));
                self.add_f64(*phase);
            }
        }
        let colliding = layers.iter().filter(|layer| layer.collides);
        self.add_u32(colliding.clone().count() as u32);
        for layer in colliding {
            self.add_i32(layer.origin.0);
            self.add_i32(layer.origin.1);
            self.add_u32(layer.size.0);
            self.add_u32(layer.size.1);
            layer.cells.iter().for_each(|id| self.add_tile(codes[usize::from(id.0)]));
        }
    }

    fn add_timing(&mut self, pace: PathTiming) {
        let (code, pace) = match pace {
            PathTiming::Speed(speed) => (0, speed),
            PathTiming::Period(period) => (1, period),
        };
        self.add_u8(code);
        self.add_f64(pace);
    }

    pub fn add_position(&mut self, position: Position) {
        let units = position.units();
        self.add_i64(units.x);
        self.add_i64(units.y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::Boxes;
    use surefoot_geometry::{Aabb, DVec2};

    #[test]
    fn a_slice_gives_the_hash_of_its_bytes() {
        for length in [0_usize, 1, 200, 255, 256, 257, 5000] {
            let bytes: Vec<u8> = (0..length).map(|i| i as u8).collect();
            let mut hash = Hash::default();
            hash.add_u32(7);
            hash.add_slice(&bytes);
            hash.add_slice(&bytes);
            let all = [&7_u32.to_le_bytes()[..], &bytes, &bytes].concat();
            assert_eq!(hash.finish().0, xxhash_rust::xxh64::xxh64(&all, 0), "{length}");
        }
    }

    /// The bytes before the boxes contain the number of their coordinates, in four bytes.
    #[test]
    fn the_number_of_boxes_counts_in_full() {
        for count in [2_u32, 63, 64, 65, 20_000] {
            let boxes =
                (0..count).map(|i| Aabb::new(DVec2::new(i.into(), 0.0), DVec2::new((i + 1).into(), 1.0)).unwrap());
            let area = Area::new(Boxes::new(boxes));
            let mut bytes = Vec::new();
            bytes.extend(u32::MAX.to_le_bytes());
            bytes.extend(area.collision_mask.0.to_le_bytes());
            bytes.extend(area.priority.to_le_bytes());
            bytes.push(6);
            bytes.extend((4 * count).to_le_bytes());
            let AreaShape::Boxes(boxes) = &area.shape else { panic!() };
            for aabb in boxes.as_slice() {
                let corners = [aabb.min().to_array(), aabb.max().to_array()].concat();
                bytes.extend(corners.into_iter().flat_map(f64::to_le_bytes));
            }
            bytes.extend(area.effects.bits().into_iter().flat_map(u64::to_le_bytes));
            assert_eq!(area_bytes(&area, &[]), bytes, "{count} boxes");
        }
    }
}
