//! Events: what happened to bodies and platforms in a tick. See [`World::events`](crate::World::events).

pub use crate::ids::BodyId;
use crate::ids::{AreaId, PlatformId, TileId};
use crate::motion::Side;
pub use crate::world::LastingAbility;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::Position;

/// Event of the last tick: what happened to which body or platform. [`World::events`](crate::World::events) returns all
/// of them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Event {
    /// Body that the event is about, for example the one that landed.
    ///
    /// [`EventKind::PlatformArrived`] is about a platform. Its `body` is `BodyId::default()`, an id that no body has.
    pub body: BodyId,
    /// Kind of the event: the thing that happened, such as a landing.
    pub kind: EventKind,
}

/// Kind of an [`Event`]. In the descriptions, "the body" is [`Event::body`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub enum EventKind {
    /// The body landed: it is on the ground now, and was in the air before.
    Landed {
        /// Impact speed along the normal of the floor, in tiles per second of the world: see the speed of
        /// [`EventKind::HitTile`]. 0 if the body came to stand without an impact, for example because a floor rose to
        /// it.
        speed: f64,
        /// What the body landed on. `None` if it came to stand on a body without an impact.
        on: Option<LandedOn>,
    },
    /// The body left the ground: it jumped, fell or was thrown off.
    LeftFloor,
    /// The character jumped.
    Jumped {
        /// Where the jump began.
        from: JumpFrom,
        /// The press of the button was stored, and the jump was made as soon as it was possible: see
        /// [`Character::jump_buffer`](crate::body::Character::jump_buffer).
        buffered: bool,
    },
    /// The character began to dash: see [`Character::dash_speed`](crate::body::Character::dash_speed).
    Dashed,
    /// The character began to do something that lasts, such as a climb.
    AbilityBegan {
        /// The ability.
        ability: LastingAbility,
    },
    /// The character no longer does something that lasted. Each [`EventKind::AbilityBegan`] is followed by this event,
    /// unless the body is removed before.
    AbilityEnded {
        /// The ability.
        ability: LastingAbility,
    },
    /// The body hit a surface of a tile that it did not touch when the tick began.
    ///
    /// Moving on to the next tile of the same straight surface is not a new hit. A character reports only walls and
    /// ceilings, and the floors that throw it back: [`EventKind::Landed`] reports its landings. Other bodies also
    /// report floors, with one event for each bounce.
    HitTile {
        /// Kind of the surface: floor, wall or ceiling.
        side: Side,
        /// Impact speed along the normal, in tiles per second of the world.
        ///
        /// - For a bounce: the speed at the moment of the impact. After a fall of height h from rest in gravity g,
        ///   that is sqrt(2 g h).
        /// - For a body that slides or stops, and for a character in the air: the speed that the body would have at
        ///   the end of the tick without this hit. This speed includes gravity and friction of the whole tick. So
        ///   after a fall it exceeds the speed at the impact by up to g times the length of a tick. Speed lost in
        ///   earlier hits of the tick is not included.
        /// - For a walking character: the speed that the character would have at the end of the tick on flat ground,
        ///   without this hit.
        /// - For a body on a conveyor belt: the speed of the belt under the body when the tick began.
        ///
        /// The speed is relative to the platform that the body rode when the tick began. Without such a platform, it
        /// is relative to the world. If the body hits a moving platform, the velocity of that platform is not
        /// subtracted.
        speed: f64,
        /// Unit normal of the surface, which points towards the body.
        normal: DVec2,
        /// Column and row of the tile in the map, or in the platform if `platform` is set.
        ///
        /// If the body hits several tiles of one surface at once, or a corner that several tiles share, the event names
        /// the first tile in this order:
        ///
        /// 1. the tile nearest to the line through the body's centre along [up](crate::world::Settings::up); all tiles
        ///    of a corner are equally near
        /// 2. at a corner, a tile whose side faces the body's centre, or is in line with it
        /// 3. the tile further ahead in the direction in which the body moves along the surface
        /// 4. the tile on the side that the body [faces](crate::world::BodyState::facing), left or right
        /// 5. the tile in the column further left, then the tile in the lower row
        ///
        /// Rules 3 and 4 compare the middles of the tiles' sides. Two sides back to back have the same middle: for
        /// them, rules 3 and 4 compare the tiles behind the sides.
        ///
        /// The contacts of a body with a corner name a tile in the same order. In a mirrored or turned map, the event
        /// names the same tile, unless only rule 5 decides.
        tile: (i32, i32),
        /// Kind of the tile. [`Map::kind`](crate::map::Map::kind) returns its material and properties.
        tile_id: TileId,
        /// Platform that has the tile. `None` for a tile of the map.
        platform: Option<PlatformId>,
        /// Position of the body's centre at the moment of the hit.
        position: Position,
    },
    /// The body left the map: the whole body is outside the map now, and was not before.
    LeftMap,
    /// A spawn, a teleport or a new tile made the body overlap a solid. The body does not move until it is free.
    Stuck,
    /// A stuck body no longer overlaps a solid and can move again.
    Unstuck,
    /// A platform crushed the body: the body has no room between the platform and an obstacle. The platform stops at
    /// the body, or passes through the body until the two are apart, as [`OnCrush`](crate::platform::OnCrush) says.
    ///
    /// The event is sent once, when the crush begins.
    Crushed {
        /// Platform that crushed the body.
        platform: PlatformId,
    },
    /// The body entered an area, or moved all the way through it within the tick. See
    /// [`World::areas_of`](crate::World::areas_of).
    AreaEntered {
        /// Area that the body entered.
        area: AreaId,
    },
    /// The body left an area.
    ///
    /// The cause can be: the body or the area moved or was removed, the body changed its collision layers, or the area
    /// changed its collision mask.
    AreaExited {
        /// Area that the body left.
        area: AreaId,
    },
    /// The body collided with another body that it did not touch when the tick began. Both bodies get the event.
    HitBody {
        /// The other body.
        other: BodyId,
        /// Unit normal that points from the other body to this body. The normal points up if this body landed on the
        /// other body.
        normal: DVec2,
        /// Speed along the normal at which the two bodies approached, in tiles per second of the world.
        speed: f64,
    },
    /// The body touches another body that it did not touch when the tick began. Both bodies get the event.
    BodyContactBegan {
        /// The other body.
        other: BodyId,
    },
    /// The body no longer touches another body that it touched when the tick began. Both bodies get the event.
    BodyContactEnded {
        /// The other body.
        other: BodyId,
    },
    /// The character walks against a body that it cannot push.
    ///
    /// The pushed bodies weigh more than [`Character::max_push_mass`](crate::body::Character::max_push_mass), or an
    /// obstacle blocks them. Pushed are the body in front and all bodies behind it that touch in a row.
    PushRefused {
        /// The body that the character walks against.
        other: BodyId,
    },
    /// The body fell asleep: it rests on the ground or on other bodies, and is not simulated until something wakes it
    /// up. Characters, and bodies that can collide with no other body, never send this event.
    FellAsleep,
    /// The body woke up: it was asleep, and is simulated again.
    WokeUp,
    /// The character lost the body that it pulled, because the two bodies no longer stand next to each other.
    GrabBroken {
        /// The body that the character pulled until now.
        other: BodyId,
    },
    /// A platform arrived at a point of its [path](crate::platform::Path). The event is about no body.
    ///
    /// The event is sent in the tick at whose end the platform is at the point, before it waits there. Driven platforms
    /// and circles send none.
    PlatformArrived {
        /// Platform that arrived.
        platform: PlatformId,
        /// Index of the point in [`Path::points`](crate::platform::Path::points), from 0.
        point: u32,
        /// The platform stays at the point, or turns around there. A path with
        /// [`Repeat::Loop`](crate::platform::Repeat::Loop) has no end.
        is_end: bool,
    },
}

/// Thing that a body landed on: a tile or another body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub enum LandedOn {
    /// A tile of the map or of a platform.
    Tile {
        /// Column and row of the tile in the map, or in the platform if `platform` is set. Of several tiles, the one
        /// that [`EventKind::HitTile`] would name: its field `tile` lists the rules.
        tile: (i32, i32),
        /// Kind of the tile.
        tile_id: TileId,
        /// Platform that has the tile. `None` for a tile of the map.
        platform: Option<PlatformId>,
    },
    /// Another body.
    Body(BodyId),
}

/// Where a jump began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub enum JumpFrom {
    /// On the ground.
    Ground,
    /// In the air, shortly after the character left the ground: see
    /// [`Character::coyote_time`](crate::body::Character::coyote_time).
    Coyote,
    /// At a wall: see [`Character::wall_jump_speed`](crate::body::Character::wall_jump_speed).
    Wall,
    /// In the air: see [`Character::air_jumps`](crate::body::Character::air_jumps).
    Air,
    /// On a ladder, or on something else that the character climbed.
    Ladder,
    /// At a ledge from which the character hung.
    Ledge,
    /// At the surface of water.
    Water,
}

impl EventKind {
    /// The names of all kinds, as texts have them.
    #[doc(hidden)]
    pub fn names() -> Vec<&'static str> {
        let of_abilities = |end: usize| LastingAbility::EVENT_NAMES.map(|names| names[end]);
        [&Self::OTHER_NAMES[..], &of_abilities(0), &of_abilities(1)].concat()
    }

    /// The names of all kinds that are not about a [`LastingAbility`].
    const OTHER_NAMES: [&'static str; 19] = [
        "landed",
        "left_floor",
        "hit_tile",
        "left_map",
        "stuck",
        "unstuck",
        "crushed",
        "area_entered",
        "area_exited",
        "hit_body",
        "body_contact_began",
        "body_contact_ended",
        "push_refused",
        "fell_asleep",
        "woke_up",
        "grab_broken",
        "jumped",
        "dashed",
        "platform_arrived",
    ];

    /// Returns the name of the kind, such as `landed`. Traces and text replays use these names.
    #[must_use]
    pub fn name(&self) -> &'static str {
        let index = match self {
            EventKind::Landed { .. } => 0,
            EventKind::LeftFloor => 1,
            EventKind::HitTile { .. } => 2,
            EventKind::LeftMap => 3,
            EventKind::Stuck => 4,
            EventKind::Unstuck => 5,
            EventKind::Crushed { .. } => 6,
            EventKind::AreaEntered { .. } => 7,
            EventKind::AreaExited { .. } => 8,
            EventKind::HitBody { .. } => 9,
            EventKind::BodyContactBegan { .. } => 10,
            EventKind::BodyContactEnded { .. } => 11,
            EventKind::PushRefused { .. } => 12,
            EventKind::FellAsleep => 13,
            EventKind::WokeUp => 14,
            EventKind::GrabBroken { .. } => 15,
            EventKind::Jumped { .. } => 16,
            EventKind::Dashed => 17,
            EventKind::PlatformArrived { .. } => 18,
            EventKind::AbilityBegan { ability } => return ability.event_names()[0],
            EventKind::AbilityEnded { ability } => return ability.event_names()[1],
        };
        Self::OTHER_NAMES[index]
    }
}

#[cfg(test)]
mod tests {
    use super::{EventKind, LastingAbility};

    #[test]
    fn the_page_has_a_row_for_each_event() {
        let page = include_str!("../../../docs/guide/events.md");
        let rows = page.lines().filter(|line| line.starts_with("| `"));
        let names: Vec<&str> = rows.filter_map(|line| line.split('`').nth(1)).collect();
        assert_eq!(names, EventKind::names());
    }

    #[test]
    fn the_page_of_the_snapshot_has_each_event() {
        let page = include_str!("../../../docs/formats/snapshot.md");
        let row = page.lines().find(|line| line.starts_with("| `events`")).unwrap();
        let variant =
            |name: &&str| name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect::<String>();
        let mut variants: Vec<String> = EventKind::OTHER_NAMES.iter().map(variant).collect();
        variants.extend(["AbilityBegan", "AbilityEnded"].map(str::to_owned));
        variants.extend(LastingAbility::ALL.map(|ability| format!("{ability:?}")));
        for variant in variants {
            assert!(
                [format!("`{variant}`"), format!("`{variant}(")].iter().any(|text| row.contains(text)),
                "{variant}"
            );
        }
    }
}
