use super::format::{AreasPart, BodyPart, PaintedPart, PlatformsPart, SnapshotFile};
use super::{Snapshot, SnapshotError, SnapshotErrorKind};
use crate::area::{AreaError, MAX_AREAS};
use crate::body::{BodyError, Character, Configuration, MAX_SPEED, Response, check_velocity};
use crate::command::MAX_PLATFORMS;
use crate::event::{BodyId, Event, EventKind};
use crate::map::{SharedArea, TileId};
use crate::platform::Platform;
use crate::text::Step::{Field, Item};
use crate::version::Version;
use crate::world::{
    Extra, Footing, Held, HeldKind, Kind, MAX_TICKS_APART, Moves, Now, Painted, Pressed, Saved, SavedAreas,
    SavedBodies, SavedPlatforms, Slots, Timers, World,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum coordinate of tiles that can be edited. No map or source has tiles beyond.
const MAX_TILE: u32 = 1 << 29;

/// Maximum number of ticks. At a thousand ticks per second, a world would need 146 million years for more.
const MAX_TICK: u64 = 1 << 62;

impl SnapshotFile {
    /// Returns the snapshot if all of its values are valid. Whether it fits a terrain is checked when it is loaded.
    pub(super) fn into_checked_snapshot(self) -> Result<Snapshot, SnapshotError> {
        if self.format != Snapshot::FORMAT {
            return Err(SnapshotErrorKind::Format { found: self.format.into() }.at_field(&[Field("format")]));
        }
        if self.versions.len() > World::MAX_BODIES {
            let (found, expected) = (self.versions.len(), World::MAX_BODIES);
            return Err(SnapshotErrorKind::Count { found, expected }.at_field(&[Field("versions")]));
        }
        if self.tick >= MAX_TICK {
            return Err(SnapshotErrorKind::Number.at_field(&[Field("tick")]));
        }
        let slots = Slots::from_parts(self.versions, self.free);
        let slots = slots.ok_or_else(|| SnapshotErrorKind::Slots.at_field(&[Field("free")]))?;
        if self.bodies.len() != slots.len() {
            let (found, expected) = (self.bodies.len(), slots.len());
            return Err(SnapshotErrorKind::Count { found, expected }.at_field(&[Field("bodies")]));
        }
        let kinds: Vec<Arc<Kind>> =
            self.kinds.into_iter().map(|Configuration(body)| Arc::new(Kind::new(body, &self.settings, None))).collect();
        for (i, kind) in kinds.iter().enumerate() {
            kind.original_body()
                .check()
                .map_err(|error| SnapshotErrorKind::from(error).at_field(&[Field("kinds"), Item(i)]))?;
        }
        let mut snapshot = Snapshot {
            identity: self.map,
            settings: self.settings,
            tick: self.tick,
            platforms: checked_platforms(self.platforms)?,
            areas: checked_areas(self.areas)?,
            bodies: SavedBodies { slots, ..SavedBodies::empty_without_world() },
            held_bodies: Vec::new(),
            painted: checked_tile_edits(&self.tile_edits)?,
            log: self.log,
            disturbed: self.bodies.iter().any(|body| body.state.disturbed),
            unverified: true,
        };
        let ids: Vec<BodyId> = snapshot.bodies.slots.filled_ids().collect();
        for (i, (body, id)) in self.bodies.iter().zip(ids).enumerate() {
            let count = kinds.len();
            let kind = kinds.get(body.kind as usize).ok_or_else(|| {
                SnapshotErrorKind::Count { found: body.kind as usize, expected: count }.with_body_field(i, "kind")
            })?;
            let area_up = body.extra.and_then(|extra| extra.area_up);
            let turned = |up| Arc::new(Kind::new(kind.original_body().clone(), &self.settings, Some(up)));
            snapshot.bodies.kinds.push(area_up.map_or_else(|| kind.clone(), turned));
            body.check_and_add_body(i, id, &mut snapshot)?;
        }
        check_grips_and_mark_carried(&self.held, &mut snapshot)?;
        snapshot.held_bodies = self.held;
        for (i, pair) in snapshot.platforms.pairs.iter().enumerate() {
            let known = snapshot.bodies.slots.slot(pair.body).and(snapshot.platforms.slots.slot(pair.platform));
            let at = [Field("platforms"), Field("pairs"), Item(i)];
            let is_valid = !matches!(pair.state, Pressed::Ignored { apart } if apart >= MAX_TICKS_APART);
            known.filter(|_| is_valid).ok_or_else(|| SnapshotErrorKind::Number.at_field(&at))?;
            let before = i.checked_sub(1).map(|before| snapshot.platforms.pairs[before]);
            if before.is_some_and(|before| (before.body, before.platform) >= (pair.body, pair.platform)) {
                return Err(SnapshotErrorKind::Order.at_field(&at));
            }
        }
        for (i, event) in snapshot.log.events.iter().enumerate() {
            if !has_finite_numbers(event) {
                return Err(SnapshotErrorKind::Number.at_field(&[Field("log"), Field("events"), Item(i)]));
            }
        }
        Ok(snapshot)
    }
}

impl BodyPart {
    fn check_and_add_body(&self, index: usize, id: BodyId, snapshot: &mut Snapshot) -> Result<(), SnapshotError> {
        let now = self.state;
        let refused = |error| SnapshotErrorKind::from(BodyError::from(error)).with_state_field(index, "velocity");
        check_velocity(now.velocity).map_err(refused)?;
        let is_valid = match now.footing {
            Footing::Ground { speed } if snapshot.bodies.kinds.last().is_some_and(|kind| kind.character.is_none()) => {
                speed == 0.0
            }
            Footing::Ground { speed } => speed.abs() <= MAX_SPEED,
            // The first tick in the air may be the next tick, if the floor of a frozen body has disappeared.
            Footing::Air { since } => since <= snapshot.tick + 1,
        };
        if !is_valid {
            return Err(SnapshotErrorKind::Number.with_state_field(index, "footing"));
        }
        if now.touching.floor != now.footing.is_ground() {
            return Err(SnapshotErrorKind::Number.with_state_field(index, "touching"));
        }
        let may_rest = snapshot.bodies.kinds.last().is_some_and(|kind| {
            kind.character.is_none() && kind.response != Response::Pass && !kind.collision_mask.is_empty()
        });
        if now.quiet > Now::AT_REST || (now.quiet == Now::AT_REST && (!may_rest || now.stuck)) {
            return Err(SnapshotErrorKind::Number.with_state_field(index, "quiet"));
        }
        let character = snapshot.bodies.kinds.last().and_then(|kind| kind.character);
        if !now.has_valid_mode(character.is_some_and(|character| character.has_jump_state())) {
            return Err(SnapshotErrorKind::Number.with_state_field(index, "mode"));
        }
        if let Some(extra) = self.extra {
            check_rare_fields(&extra, (&now, character), snapshot).map_err(|field| {
                let at = [Field("bodies"), Item(index), Field("extra")];
                SnapshotErrorKind::Number.at_field(&[&at[..], field.map(Field).as_slice()].concat())
            })?;
            snapshot.bodies.extras.push((id, extra));
        }
        for surface in &self.touched {
            let surface = surface
                .read_surface(&snapshot.platforms)
                .ok_or_else(|| SnapshotErrorKind::Number.with_body_field(index, "touched"))?;
            snapshot.bodies.surfaces.push(surface);
        }
        let ends_elsewhere = |way: &Vec<_>| way.last().is_some_and(|end| *end != now.position) || way.len() == 1;
        if self.way.as_ref().is_some_and(ends_elsewhere) {
            return Err(SnapshotErrorKind::Order.with_body_field(index, "way"));
        }
        // An empty list for a body that moved means a straight path.
        let path_parts = match self.way.as_deref() {
            None => Saved::STRAIGHT_PATH,
            Some([]) if now.position != now.previous => Saved::STRAIGHT_PATH,
            Some(way) => way.len() as u32,
        };
        snapshot.bodies.paths.extend(self.way.iter().flatten());
        let now = Now { input: now.input().normal().into(), ..now };
        snapshot.bodies.states.push(Saved::new(now, self.touched.len() as u32, path_parts));
        Ok(())
    }
}

/// Checks the state that few bodies have. Returns the wrong field, or `None` if no field is set.
fn check_rare_fields(
    extra: &Extra,
    (now, character): (&Now, Option<Character>),
    snapshot: &Snapshot,
) -> Result<(), Option<&'static str>> {
    let Extra { timers, pause, platform_velocity, carried, area_up } = *extra;
    let Snapshot { tick, platforms: SavedPlatforms { slots, .. }, .. } = snapshot;
    // Only in a world that has ever had a platform can a body have the velocity of one.
    let were_platforms = !slots.versions().is_empty();
    let is_speed = |velocity| were_platforms && check_velocity(velocity).is_ok();
    let is_timers = |timers: Timers| {
        timers.is_valid_in_mode(now.mode)
            && timers.cling.on.is_none_or(|platform| slots.slot(platform).is_some())
            && character.is_some_and(|character| character.has_timers())
    };
    let fields = [
        ("timers", timers.is_none_or(is_timers)),
        // A hit stop wakes the body, so a paused body is never asleep.
        ("pause", pause.is_none_or(|pause| pause.is_valid(character.is_some()) && now.quiet != Now::AT_REST)),
        ("platform_velocity", platform_velocity.is_none_or(|last| last.tick <= *tick && is_speed(last.velocity))),
        ("carried", carried.is_none_or(is_speed)),
        ("area_up", area_up.is_none() || !snapshot.areas.slots.versions().is_empty()),
    ];
    match fields.into_iter().find(|(_, is_valid)| !is_valid) {
        Some((field, _)) => Err(Some(field)),
        None if *extra == Extra::default() => Err(None),
        None => Ok(()),
    }
}

fn checked_platforms(part: PlatformsPart) -> Result<SavedPlatforms, SnapshotError> {
    let PlatformsPart { versions, free, platforms, pairs } = part;
    if versions.len() > MAX_PLATFORMS {
        let (found, expected) = (versions.len(), MAX_PLATFORMS);
        return Err(SnapshotErrorKind::Count { found, expected }.at_field(&[Field("platforms"), Field("versions")]));
    }
    let slots = Slots::from_parts(versions, free);
    let slots = slots.ok_or_else(|| SnapshotErrorKind::Slots.at_field(&[Field("platforms"), Field("free")]))?;
    if platforms.len() != slots.len() {
        let (found, expected) = (platforms.len(), slots.len());
        return Err(SnapshotErrorKind::Count { found, expected }.at_field(&[Field("platforms"), Field("platforms")]));
    }
    let (unbaked, moves): (Vec<Platform>, Vec<Moves>) =
        platforms.into_iter().map(|part| (part.platform, part.state)).unzip();
    check_attached(&slots, &moves)?;
    Ok(SavedPlatforms { slots, version: Version::next(), baked: Vec::new(), unbaked, moves, pairs })
}

/// Checks the areas. Their carriers and collision layers are checked when they are loaded.
fn checked_areas(part: AreasPart) -> Result<SavedAreas, SnapshotError> {
    let AreasPart { versions, free, areas, inside } = part;
    let at = |field, item: Option<usize>| {
        let steps = [Field("areas"), Field(field), Item(item.unwrap_or_default())];
        move |kind: SnapshotErrorKind| kind.at_field(&steps[..if item.is_some() { 3 } else { 2 }])
    };
    if versions.len() > MAX_AREAS {
        let (found, expected) = (versions.len(), MAX_AREAS);
        return Err(at("versions", None)(SnapshotErrorKind::Count { found, expected }));
    }
    let slots = Slots::from_parts(versions, free).ok_or_else(|| at("free", None)(SnapshotErrorKind::Slots))?;
    if areas.len() != slots.len() {
        let (found, expected) = (areas.len(), slots.len());
        return Err(at("areas", None)(SnapshotErrorKind::Count { found, expected }));
    }
    let mut names = BTreeSet::new();
    for (i, area) in areas.iter().enumerate() {
        let is_new = area.name.is_empty() || names.insert(&area.name);
        let duplicate = || AreaError::Duplicate { name: area.name.clone() };
        let checked = area.check().and_then(|()| if is_new { Ok(()) } else { Err(duplicate()) });
        checked.map_err(|error| at("areas", Some(i))(SnapshotErrorKind::Area(error)))?;
    }
    for (i, pair) in inside.windows(2).enumerate() {
        if pair[0].sort_key() >= pair[1].sort_key() {
            return Err(at("inside", Some(i + 1))(SnapshotErrorKind::Order));
        }
    }
    let areas = areas.into_iter().map(SharedArea::new).collect();
    Ok(SavedAreas { slots, version: Version::next(), areas, inside })
}

/// Returns, for each slot, the index of its body in the list of all bodies.
fn body_index_of_each_slot(slots: &Slots) -> Vec<usize> {
    let mut filled = 0;
    let index_of = |version: &u32| {
        filled += (version % 2) as usize;
        filled.saturating_sub(1)
    };
    slots.versions().iter().map(index_of).collect()
}

/// Refuses invalid grips, and marks the carried bodies.
fn check_grips_and_mark_carried(grips: &[Held], snapshot: &mut Snapshot) -> Result<(), SnapshotError> {
    let body_indices = body_index_of_each_slot(&snapshot.bodies.slots);
    let held: BTreeSet<BodyId> = grips.iter().map(|grip| grip.body).collect();
    let mut characters = BTreeSet::new();
    for (i, grip) in grips.iter().enumerate() {
        let at = [Field("held"), Item(i)];
        let refused = || SnapshotErrorKind::Number.at_field(&at);
        let (body, by) = (snapshot.bodies.slots.slot(grip.body), snapshot.bodies.slots.slot(grip.by));
        let (body, by) = (body_indices[body.ok_or_else(refused)?], body_indices[by.ok_or_else(refused)?]);
        let is_character = |index: usize| snapshot.bodies.kinds[index].character.is_some();
        let is_one_of_two = held.contains(&grip.by);
        let is_valid = grip.is_valid() && is_character(by) && (grip.kind != HeldKind::Pulled || !is_character(body));
        if !is_valid || is_one_of_two || !characters.insert(by) {
            return Err(refused());
        }
        if i > 0 && grips[i - 1].sort_key() >= grip.sort_key() {
            return Err(SnapshotErrorKind::Order.at_field(&at));
        }
        let saved = &mut snapshot.bodies.states[body];
        saved.now.held = grip.kind != HeldKind::Pulled;
        let is_among_others = saved.touched > 0 || saved.now.stuck || saved.now.footing.is_ground();
        if saved.now.held && (is_among_others || saved.now.quiet == Now::AT_REST) {
            return Err(refused());
        }
    }
    Ok(())
}

/// Refuses platforms that are attached to a missing platform, or to each other in a cycle.
fn check_attached(slots: &Slots, moves: &[Moves]) -> Result<(), SnapshotError> {
    let filled = (0..slots.versions().len()).filter(|slot| slots.versions()[*slot] % 2 == 1);
    let of_slot: BTreeMap<usize, usize> = filled.enumerate().map(|(i, slot)| (slot, i)).collect();
    // A search starts at each platform and follows `attached`. For each platform, `seen_in` stores the number (from 1)
    // of the search that visited the platform first, or 0. If a search comes to a platform that the same search has
    // visited, the platforms are attached in a cycle.
    let mut seen_in = vec![0; moves.len()];
    for start in 0..moves.len() {
        let mut i = start;
        while seen_in[i] == 0 {
            seen_in[i] = start + 1;
            let Some(to) = moves[i].attached else { break };
            let next = slots.slot(to).and_then(|slot| of_slot.get(&slot));
            let wrong = || {
                let at = [Field("platforms"), Field("platforms"), Item(i), Field("state"), Field("attached")];
                SnapshotErrorKind::Number.at_field(&at)
            };
            let next = *next.ok_or_else(wrong)?;
            if seen_in[next] == start + 1 {
                return Err(wrong());
            }
            i = next;
        }
    }
    Ok(())
}

fn checked_tile_edits(parts: &[PaintedPart]) -> Result<Painted, SnapshotError> {
    let mut painted = Painted::default();
    let mut before = None;
    for (i, &PaintedPart { layer, tile, tile_id: entry }) in parts.iter().enumerate() {
        let key = (layer, tile.1, tile.0);
        if before.replace(key).is_some_and(|before| before >= key) {
            return Err(SnapshotErrorKind::Order.at_field(&[Field("tile_edits"), Item(i)]));
        }
        let is_out = |coordinate: i32| coordinate.unsigned_abs() > MAX_TILE;
        if is_out(tile.0) || is_out(tile.1) || entry == u16::MAX {
            return Err(SnapshotErrorKind::Number.at_field(&[Field("tile_edits"), Item(i)]));
        }
        painted.record_fill(layer.into(), (tile, tile), TileId(entry), |_| None, |_| true);
    }
    Ok(painted)
}

fn has_finite_numbers(event: &Event) -> bool {
    match event.kind {
        EventKind::HitTile { speed, normal, .. } | EventKind::HitBody { speed, normal, .. } => {
            speed.is_finite() && normal.is_finite()
        }
        _ => true,
    }
}
