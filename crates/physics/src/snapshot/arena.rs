//! Many snapshots in little memory. [`SnapshotArena`] is for searches, which keep many states of one world.
//!
//! The states of a search differ in few things: the bodies, their contacts and the events of the last tick. These are
//! copied into lists that all states share. Equal parts are stored once: the configurations, the edited tiles, the
//! platforms and areas, the motion of platforms at one tick, and the inputs of the last tick.

use crate::command::Command;
use crate::event::{BodyId, Event};
use crate::motion::Surface;
use crate::snapshot::Snapshot;
use crate::world::{
    Extra, Held, Inside, Moves, Pair, Saved, SavedAreas, SavedBodies, SavedPlatforms, TickLog, copy_list,
};
use std::collections::BTreeMap;
use surefoot_geometry::Position;

/// Key of a snapshot in a [`SnapshotArena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SnapshotKey(u32);

/// Stores many snapshots in little memory: a world with one character takes about 250 bytes a snapshot.
///
/// A snapshot that is copied back is equal to the bit to the one that was added. Snapshots of any worlds can be added,
/// but only those of one world, or of worlds on the same map, share much.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::snapshot::SnapshotArena;
/// use surefoot::{Input, Map, World};
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["....", "===="])"#)?;
/// let mut world = World::new(map, Settings::default());
/// let hero = world.spawn(Body::new(Shape::circle(0.3)).at((1.5, 1.3)).character(Character::default()))?;
/// let (mut arena, mut snapshot) = (SnapshotArena::default(), world.capture());
/// let start = arena.add(&snapshot);
/// let mut ends = Vec::new();
/// for walk in [-127, 0, 127] {
///     arena.copy_to(start, &mut snapshot);
///     world.restore(&snapshot)?;
///     world.set_input(hero, Input { walk, ..Input::default() });
///     world.step();
///     world.capture_into(&mut snapshot);
///     ends.push(arena.add(&snapshot));
/// }
/// arena.copy_to(ends[0], &mut snapshot);
/// assert_eq!(snapshot.tick(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct SnapshotArena {
    entries: Lists<Entry, 40>,
    bodies: Lists<Saved, 136>,
    surfaces: Lists<Surface, 40>,
    rare: Lists<Rare, 40>,
    paths: Lists<Position, 16>,
    extras: Lists<(BodyId, Extra), 280>,
    events: Lists<Event, 136>,
    held: Lists<Held, 64>,
    inside: Lists<Inside, 16>,
    /// Snapshots without the parts that are stored elsewhere.
    frames: Shared<Snapshot>,
    platforms: Shared<(Vec<Moves>, Vec<Pair>)>,
    /// Commands of the last tick, and those since then.
    commands: Shared<(Vec<Command>, Vec<Command>)>,
    len: usize,
}

/// A snapshot: the places of its parts.
#[derive(Clone, Copy, Debug)]
struct Entry {
    tick: u64,
    /// `NONE` for a removed snapshot.
    frame: u32,
    platforms: u32,
    commands: u32,
    bodies: u32,
    surfaces: ListPlace,
    rare: u32,
    disturbed: bool,
}

/// Lists that are empty in most snapshots.
#[derive(Clone, Copy, Debug)]
struct Rare {
    paths: ListPlace,
    extras: ListPlace,
    events: ListPlace,
    held: ListPlace,
    inside: ListPlace,
}

/// Marks a part that is empty.
const NONE: u32 = u32::MAX;

impl SnapshotArena {
    /// Adds a copy of a snapshot and returns its key.
    pub fn add(&mut self, snapshot: &Snapshot) -> SnapshotKey {
        // Name all fields, so that a new one is not forgotten. The fields that are unused here (`_`) are in the frame,
        // the part that several snapshots share.
        let Snapshot {
            identity: _,
            settings: _,
            tick,
            bodies,
            held_bodies,
            painted: _,
            platforms,
            areas,
            log,
            disturbed,
            unverified: _,
        } = snapshot;
        let SavedBodies { slots: _, kinds: _, version: _, predicted_in: _, states, surfaces, paths, extras } = bodies;
        let SavedPlatforms { slots: _, version: _, baked: _, unbaked: _, moves, pairs } = platforms;
        let SavedAreas { slots: _, version: _, areas: _, inside } = areas;
        let TickLog { events, given, pending } = log;
        let lens = [paths.len(), extras.len(), events.len(), held_bodies.len(), inside.len()];
        let rare = if lens == [0; 5] {
            NONE
        } else {
            self.rare.add_one(Rare {
                paths: self.paths.add(paths),
                extras: self.extras.add(extras),
                events: self.events.add(events),
                held: self.held.add(held_bodies),
                inside: self.inside.add(inside),
            })
        };
        let entry = Entry {
            tick: *tick,
            frame: self.add_frame(snapshot),
            platforms: self.add_platforms(*tick, moves, pairs),
            commands: self.add_commands(given.as_slice(), pending.as_slice()),
            bodies: self.bodies.add(states).at,
            surfaces: self.surfaces.add(surfaces),
            rare,
            disturbed: *disturbed,
        };
        self.len += 1;
        SnapshotKey(self.entries.add_one(entry))
    }

    /// Copies a snapshot into an existing one and reuses its memory. Returns `false`, and changes nothing, if the
    /// snapshot was removed.
    pub fn copy_to(&self, key: SnapshotKey, into: &mut Snapshot) -> bool {
        let Some((entry, frame)) = self.find(key) else { return false };
        copy_frame(frame, into);
        (into.tick, into.disturbed) = (entry.tick, entry.disturbed);
        self.bodies.get(list_place_of_bodies(&entry, frame)).clone_into(&mut into.bodies.states);
        self.surfaces.get(entry.surfaces).clone_into(&mut into.bodies.surfaces);
        let rare = if entry.rare == NONE { Rare::EMPTY } else { *self.rare.get_one(entry.rare) };
        self.paths.copy_to(rare.paths, &mut into.bodies.paths);
        self.extras.copy_to(rare.extras, &mut into.bodies.extras);
        self.events.copy_to(rare.events, &mut into.log.events);
        self.held.copy_to(rare.held, &mut into.held_bodies);
        self.inside.copy_to(rare.inside, &mut into.areas.inside);
        let (moves, pairs) = self.platforms.find(entry.platforms).map_or((&[][..], &[][..]), |(a, b)| (&a[..], &b[..]));
        copy_list(&mut into.platforms.moves, moves);
        copy_list(&mut into.platforms.pairs, pairs);
        let (given, pending) = self.commands.find(entry.commands).map_or((&[][..], &[][..]), |(a, b)| (&a[..], &b[..]));
        into.log.given.replace(given);
        into.log.pending.replace(pending);
        true
    }

    /// Removes a snapshot. Its key becomes invalid, and a snapshot that is added later may get it. Returns `false` if
    /// the snapshot was removed before.
    pub fn remove(&mut self, key: SnapshotKey) -> bool {
        let Some((entry, frame)) = self.find(key) else { return false };
        let bodies = list_place_of_bodies(&entry, frame);
        self.bodies.remove(bodies);
        self.surfaces.remove(entry.surfaces);
        if entry.rare != NONE {
            let Rare { paths, extras, events, held, inside } = *self.rare.get_one(entry.rare);
            self.paths.remove(paths);
            self.extras.remove(extras);
            self.events.remove(events);
            self.held.remove(held);
            self.inside.remove(inside);
            self.rare.remove(ListPlace { at: entry.rare, len: 1 });
        }
        self.frames.release_one_use(entry.frame);
        self.platforms.release_one_use(entry.platforms);
        self.commands.release_one_use(entry.commands);
        self.entries.get_one_mut(key.0).frame = NONE;
        self.entries.remove(ListPlace { at: key.0, len: 1 });
        self.len -= 1;
        true
    }

    /// Returns the number of snapshots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the arena contains no snapshots.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the memory of the arena in bytes, at least as much as it allocates. Memory of removed snapshots counts,
    /// because later ones use it again.
    ///
    /// The number depends only on the calls of [`SnapshotArena::add`] and [`SnapshotArena::remove`], and is the same on
    /// targets of 64 bits and on wasm32.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lists = self.entries.bytes() + self.bodies.bytes() + self.surfaces.bytes() + self.rare.bytes();
        let rare = self.paths.bytes() + self.extras.bytes() + self.events.bytes() + self.held.bytes();
        let shared = self.frames.bytes() + self.platforms.bytes() + self.commands.bytes();
        lists + rare + self.inside.bytes() + shared
    }

    /// Returns a snapshot that was not removed, with its frame.
    fn find(&self, key: SnapshotKey) -> Option<(Entry, &Snapshot)> {
        let entry = *self.entries.find_one(key.0)?;
        Some((entry, self.frames.find(entry.frame)?))
    }

    fn add_frame(&mut self, snapshot: &Snapshot) -> u32 {
        let key = snapshot.bodies.version.number() ^ snapshot.painted.version().number().rotate_left(32);
        let is_equal = |frame: &Snapshot| can_share_frame(frame, snapshot);
        let bytes = FRAME_BYTES + 8 * snapshot.bodies.kinds.len() + 16 * snapshot.platforms.baked.len();
        let bytes = bytes + size_of_val(&snapshot.areas.areas[..]) + BLOCK_BYTES * snapshot.painted.block_count();
        let bytes = bytes + 8 * snapshot.bodies.slots.versions().len() + 512 * snapshot.platforms.unbaked.len();
        self.frames.find_or_add(key, bytes, is_equal, || {
            let mut frame = Snapshot::default();
            copy_frame(snapshot, &mut frame);
            frame
        })
    }

    fn add_platforms(&mut self, tick: u64, moves: &[Moves], pairs: &[Pair]) -> u32 {
        if moves.is_empty() && pairs.is_empty() {
            return NONE;
        }
        let mix = |key: u64, now: &Moves| {
            (key ^ now.origin.x as u64 ^ (now.origin.y as u64).rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        let key = moves.iter().fold(tick, mix);
        let bytes = size_of_val(moves) + size_of_val(pairs);
        let is_equal = |(own, own_pairs): &(Vec<Moves>, Vec<Pair>)| own == moves && own_pairs == pairs;
        self.platforms.find_or_add(key, bytes, is_equal, || (moves.to_vec(), pairs.to_vec()))
    }

    fn add_commands(&mut self, given: &[Command], pending: &[Command]) -> u32 {
        if given.is_empty() && pending.is_empty() {
            return NONE;
        }
        let mut key = (given.len() + (pending.len() << 16)) as u64;
        // Share only lists of inputs. Numbers of other commands may be equal and still have different bits, such as 0
        // and -0.
        let mut are_inputs = true;
        for command in given.iter().chain(pending) {
            let Command::SetInput(_, input) = command else {
                are_inputs = false;
                break;
            };
            let buttons = [input.jump, input.down, input.up, input.dash].map(u64::from);
            let input = buttons.into_iter().fold(u64::from(input.walk as u8), |bits, button| bits << 1 | button);
            key = (key ^ input).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        let count = given.len() + pending.len();
        let bytes = count * if are_inputs { 64 } else { COMMAND_BYTES };
        let is_equal = |own: &(Vec<Command>, Vec<Command>)| are_inputs && own.0 == given && own.1 == pending;
        self.commands.find_or_add(key, bytes, is_equal, || (given.to_vec(), pending.to_vec()))
    }
}

impl Rare {
    const EMPTY: Rare = Rare {
        paths: ListPlace::EMPTY,
        extras: ListPlace::EMPTY,
        events: ListPlace::EMPTY,
        held: ListPlace::EMPTY,
        inside: ListPlace::EMPTY,
    };
}

/// Bytes of a frame without its lists.
const FRAME_BYTES: usize = 1024;
/// Bytes of a block of edited tiles, as if each set of edits had its own.
const BLOCK_BYTES: usize = 2200;
/// Bytes of a command that may contain a body, a platform or an area.
const COMMAND_BYTES: usize = 1024;

/// Returns the place of the bodies. Snapshots with the same configurations have as many bodies.
fn list_place_of_bodies(entry: &Entry, frame: &Snapshot) -> ListPlace {
    ListPlace { at: entry.bodies, len: frame.bodies.kinds.len() as u32 }
}

/// Returns whether two snapshots share all that a frame contains.
fn can_share_frame(a: &Snapshot, b: &Snapshot) -> bool {
    // An `unverified` snapshot comes from a file, and no world has checked it yet. So such a snapshot shares its frame
    // with no other one.
    let are_verified = !a.unverified && !b.unverified;
    let are_equal = a.bodies.version == b.bodies.version
        && a.bodies.predicted_in == b.bodies.predicted_in
        && a.painted.version() == b.painted.version()
        && a.platforms.version == b.platforms.version
        && a.areas.version == b.areas.version;
    are_verified && are_equal && a.identity == b.identity && a.settings.first_difference(&b.settings).is_none()
}

/// Copies all that states of one world share. Lists with the same version are equal already.
fn copy_frame(from: &Snapshot, into: &mut Snapshot) {
    let (bodies, platforms, areas) = (&from.bodies, &from.platforms, &from.areas);
    (into.identity, into.settings, into.unverified) = (from.identity, from.settings, from.unverified);
    if into.bodies.version != bodies.version {
        into.bodies.slots.copy(&bodies.slots);
        into.bodies.kinds.clone_from(&bodies.kinds);
        into.bodies.version = bodies.version;
    }
    into.bodies.predicted_in = bodies.predicted_in;
    into.painted.copy(&from.painted);
    if into.platforms.version != platforms.version {
        into.platforms.slots.copy(&platforms.slots);
        into.platforms.baked.clone_from(&platforms.baked);
        into.platforms.version = platforms.version;
    }
    copy_list(&mut into.platforms.unbaked, &platforms.unbaked);
    if into.areas.version != areas.version {
        into.areas.slots.copy(&areas.slots);
        into.areas.areas.clone_from(&areas.areas);
        into.areas.version = areas.version;
    }
}

/// Place of a list in [`Lists`].
#[derive(Clone, Copy, Debug)]
struct ListPlace {
    at: u32,
    len: u32,
}

impl ListPlace {
    const EMPTY: ListPlace = ListPlace { at: 0, len: 0 };
}

/// Lists of items of `BYTES` bytes, each list in one piece. The memory of a removed list is used again for one of the
/// same length.
///
/// The chunks never move, so that the memory does not double while it grows.
#[derive(Debug)]
struct Lists<T, const BYTES: usize> {
    chunks: Vec<Vec<T>>,
    /// Places of removed lists by their length.
    free: BTreeMap<u32, Vec<u32>>,
    /// Number of items that fit into the chunks.
    capacity: usize,
}

/// Number of items of a chunk, as a power of two.
const CHUNK_SHIFT: u32 = 7;
const CHUNK: usize = 1 << CHUNK_SHIFT;

impl<T, const BYTES: usize> Default for Lists<T, BYTES> {
    fn default() -> Lists<T, BYTES> {
        const { assert!(size_of::<T>() <= BYTES) };
        Lists { chunks: Vec::new(), free: BTreeMap::new(), capacity: 0 }
    }
}

impl<T: Copy, const BYTES: usize> Lists<T, BYTES> {
    fn add(&mut self, items: &[T]) -> ListPlace {
        if items.is_empty() {
            return ListPlace::EMPTY;
        }
        let len = items.len() as u32;
        if let Some(at) = self.free.get_mut(&len).and_then(Vec::pop) {
            let place = ListPlace { at, len };
            self.get_mut(place).copy_from_slice(items);
            return place;
        }
        if self.chunks.last().is_none_or(|chunk| chunk.len() + items.len() > CHUNK) {
            // A long list gets a chunk of its own.
            let capacity = CHUNK.max(items.len());
            self.chunks.push(Vec::with_capacity(capacity));
            self.capacity += capacity;
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        let at = (number as u32) << CHUNK_SHIFT | chunk.len() as u32;
        chunk.extend_from_slice(items);
        ListPlace { at, len }
    }

    fn add_one(&mut self, item: T) -> u32 {
        self.add(&[item]).at
    }

    fn get(&self, place: ListPlace) -> &[T] {
        if place.len == 0 {
            return &[];
        }
        let from = place.at as usize % CHUNK;
        &self.chunks[(place.at >> CHUNK_SHIFT) as usize][from..from + place.len as usize]
    }

    fn get_mut(&mut self, place: ListPlace) -> &mut [T] {
        let from = place.at as usize % CHUNK;
        &mut self.chunks[(place.at >> CHUNK_SHIFT) as usize][from..from + place.len as usize]
    }

    fn get_one(&self, at: u32) -> &T {
        &self.chunks[(at >> CHUNK_SHIFT) as usize][at as usize % CHUNK]
    }

    fn get_one_mut(&mut self, at: u32) -> &mut T {
        &mut self.chunks[(at >> CHUNK_SHIFT) as usize][at as usize % CHUNK]
    }

    fn find_one(&self, at: u32) -> Option<&T> {
        self.chunks.get((at >> CHUNK_SHIFT) as usize)?.get(at as usize % CHUNK)
    }

    fn copy_to(&self, place: ListPlace, into: &mut Vec<T>) {
        copy_list(into, self.get(place));
    }

    fn remove(&mut self, place: ListPlace) {
        if place.len > 0 {
            self.free.entry(place.len).or_default().push(place.at);
        }
    }

    /// Returns the bytes of the chunks, and of their places when they are free.
    fn bytes(&self) -> usize {
        // A free place takes one number in a list of free places. The number counts three times: when the list grows,
        // its copy of twice the size exists next to the list.
        self.capacity * (BYTES + 3 * size_of::<u32>())
    }
}

/// Values that several snapshots share, each stored once and counted.
#[derive(Debug)]
struct Shared<T> {
    values: Vec<Option<Counted<T>>>,
    free: Vec<u32>,
    /// Last value of each key.
    newest: BTreeMap<u64, u32>,
    /// Value that was added last.
    last: u32,
    bytes: usize,
}

#[derive(Debug)]
struct Counted<T> {
    value: T,
    key: u64,
    uses: usize,
    bytes: usize,
}

impl<T> Default for Shared<T> {
    fn default() -> Shared<T> {
        Shared { values: Vec::new(), free: Vec::new(), newest: BTreeMap::new(), last: NONE, bytes: 0 }
    }
}

impl<T> Shared<T> {
    /// Bytes of a value in all lists, without what it owns.
    const VALUE_BYTES: usize = 256;

    /// Returns the place of an equal value, or adds one. Equal values have equal keys.
    fn find_or_add(&mut self, key: u64, bytes: usize, is_equal: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> u32 {
        let newest = [self.last, self.newest.get(&key).copied().unwrap_or(NONE)];
        for at in newest {
            let counted = self.values.get_mut(at as usize).and_then(Option::as_mut);
            if let Some(counted) = counted.filter(|counted| counted.key == key && is_equal(&counted.value)) {
                counted.uses += 1;
                self.last = at;
                return at;
            }
        }
        let bytes = bytes + Self::VALUE_BYTES;
        let counted = Counted { value: make(), key, uses: 1, bytes };
        self.bytes += bytes;
        let at = match self.free.pop() {
            Some(at) => at,
            None => {
                self.values.push(None);
                (self.values.len() - 1) as u32
            }
        };
        self.values[at as usize] = Some(counted);
        self.newest.insert(key, at);
        self.last = at;
        at
    }

    fn find(&self, at: u32) -> Option<&T> {
        self.values.get(at as usize)?.as_ref().map(|counted| &counted.value)
    }

    fn release_one_use(&mut self, at: u32) {
        let Some(slot) = self.values.get_mut(at as usize) else { return };
        let Some(counted) = slot else { return };
        counted.uses -= 1;
        if counted.uses > 0 {
            return;
        }
        self.bytes -= counted.bytes;
        let key = counted.key;
        *slot = None;
        self.free.push(at);
        if self.newest.get(&key) == Some(&at) {
            self.newest.remove(&key);
        }
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}
