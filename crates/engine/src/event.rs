//! What happened in a tick.

use crate::area::AreaId;
use crate::map::TileId;
use crate::motion::Side;
use crate::platform::PlatformId;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::Position;

slotmap::new_key_type! {
    /// Names a body in its world; never used again for another one.
    pub struct BodyId;
}

/// Something that happened to a body in the last tick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Event {
    /// The body.
    pub body: BodyId,
    /// What happened.
    pub kind: EventKind,
}

/// What can happen to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub enum EventKind {
    /// It stands on a floor and did not before.
    Landed,
    /// It stood on a floor and no longer does.
    LeftFloor,
    /// It ran into something that it did not touch when the tick began; the next tile of the same straight surface is
    /// nothing new.
    ///
    /// A character reports walls and ceilings; other bodies floors too, each bounce for one.
    HitTile {
        /// What the surface is: floor, wall or ceiling.
        side: Side,
        /// How fast it came against the normal, in tiles per second of the world.
        ///
        /// - Of a bounce, the speed at the moment of the impact: after a fall of h from rest the square root of 2 g h.
        /// - Of a body that slides or stops, and of a character in the air, the speed that it would have had at the end
        ///   of the tick without this hit. Gravity and friction of the whole tick are in it, so after a fall it is up to
        ///   g times a tick more than at the impact. What hits before it in the tick took is not in it.
        /// - Of a character that walks, its speed along the ground at the end of the tick, as if the ground were level.
        /// - Of a body that a belt carries, the speed of the belt that it began the tick on.
        ///
        /// It is relative to the platform that the body rode when the tick began, or to the world. The velocity of a
        /// platform that is hit is not taken off it.
        speed: f64,
        /// Unit normal of the surface.
        normal: DVec2,
        /// The tile, in the map or among the platform's own.
        ///
        /// If the body hits several tiles of the surface, this is the tile nearest to the line through the body's centre along
        /// up. If several are equally near, it is the one furthest ahead along the surface. Without motion along the surface it
        /// is the one on the side that the body [faces](crate::world::BodyState::facing), else the one with the lower coordinates.
        tile: (i32, i32),
        /// The tile's kind: [`Map::kind`](crate::map::Map::kind) has its surface and its properties.
        tile_id: TileId,
        /// The platform whose tile it is; `None` for one of the map.
        platform: Option<PlatformId>,
        /// Where the body's centre was.
        position: Position,
    },
    /// It is wholly outside the map, and was not before.
    LeftMap,
    /// It overlaps a solid, because it was put there or something was built on it: it does not move until it is free.
    Stuck,
    /// It was stuck and no longer is.
    Unstuck,
    /// A platform left it no room: the platform stops at it, or passes through it until they are apart. Told once, when that
    /// begins.
    Crushed {
        /// The platform.
        platform: PlatformId,
    },
    /// It is in an area and was not before, or has come over it in the tick. See [`World::areas_of`](crate::World::areas_of).
    AreaEntered {
        /// The area.
        area: AreaId,
    },
    /// It was in an area and no longer is: it went out of it or was put elsewhere, or one of the two was removed or no longer
    /// counts for the other.
    AreaExited {
        /// The area.
        area: AreaId,
    },
    /// It ran into another body that it did not touch when the tick began, or the other one into it. Both are told.
    HitBody {
        /// The other body.
        other: BodyId,
        /// Unit normal, from the other body to this one: up if it came down on the other one.
        normal: DVec2,
        /// How fast they came together along the normal, in tiles per second of the world.
        speed: f64,
    },
    /// It touches another body and did not when the tick began. Both are told.
    BodyContactBegan {
        /// The other body.
        other: BodyId,
    },
    /// It touched another body when the tick began and no longer does. Both are told.
    BodyContactEnded {
        /// The other body.
        other: BodyId,
    },
    /// A character does not move the body that it walks against: the row is too heavy, or something is in its way.
    PushRefused {
        /// The first body of the row.
        other: BodyId,
    },
    /// It has come to rest among other bodies: it stands still until something moves it.
    FellAsleep,
    /// It was at rest among other bodies and no longer is.
    WokeUp,
    /// A character has let go of the body that it pulled: the two do not stand beside each other any more.
    GrabBroken {
        /// The body.
        other: BodyId,
    },
}

impl EventKind {
    /// The names of all kinds, as texts have them.
    pub(crate) const NAMES: [&'static str; 16] = [
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
    ];

    /// Its name in texts.
    #[must_use]
    pub fn name(&self) -> &'static str {
        let index = match self {
            EventKind::Landed => 0,
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
        };
        Self::NAMES[index]
    }
}

#[cfg(test)]
mod tests {
    use super::EventKind;

    #[test]
    fn the_page_has_a_row_for_each_event() {
        let page = include_str!("../../../docs/guide/events.md");
        let rows = page.lines().filter(|line| line.starts_with("| `"));
        let names: Vec<&str> = rows.filter_map(|line| line.split('`').nth(1)).collect();
        assert_eq!(names, EventKind::NAMES);
    }
}
