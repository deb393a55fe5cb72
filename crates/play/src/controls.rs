//! What a player does in a frame, whatever window it comes from.

use crate::session::Held;
use surefoot_draw::Point;

/// What a key does once when it goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Begins the map or the replay anew.
    Restart,
    /// Stops time, or lets it go on.
    Pause,
    /// Moves on by one tick, and stays there.
    SingleTick,
    /// Lets time pass at a quarter of its speed, or at its own again.
    SlowMotion,
    /// Shows the exposed edges with their normals, or no longer.
    Normals,
    /// Shows contacts and the motion of the last tick, or no longer.
    Contacts,
    /// Shows the tiles that the last tick's motion was swept over, or no longer.
    Swept,
    /// Shows the ghost of the saved run, or no longer.
    Ghost,
    /// Saves the run since the beginning as a replay.
    SaveReplay,
    /// Opens or closes the tiles to build with.
    Build,
    /// Saves the map as it is painted.
    SaveMap,
    /// Opens or closes the panel of the character's parameters.
    Tune,
    /// Shows the keys, or no longer.
    Help,
    /// Closes what is open, or goes back to the choice of maps.
    Back,
    /// Shows less, larger.
    ZoomIn,
    /// Shows more, smaller.
    ZoomOut,
    /// The entry above.
    Previous,
    /// The entry below.
    Next,
    /// Takes the entry that is chosen.
    Choose,
}

/// A row of the help: the keys as they are written on them, and what they do.
pub const KEYS: [(&str, &str); 20] = [
    ("left right  A D", "walk"),
    ("space  up  W", "jump"),
    ("down  S", "drop through a one-way tile"),
    ("shift  K", "dash"),
    ("R", "start again"),
    ("backspace", "hold to rewind, up to 10 s"),
    ("P", "pause"),
    (".", "one tick"),
    ("L", "slow motion"),
    ("N", "exposed edges and normals"),
    ("C", "contacts and this tick's motion"),
    ("T", "swept tiles"),
    ("F5", "save the run as a replay"),
    ("G", "ghost of the saved run"),
    ("B", "build: place and remove tiles"),
    ("F6", "save the map"),
    ("tab", "tune the character"),
    ("+ -", "zoom"),
    ("H  F1", "this help"),
    ("escape", "close, or back to the maps"),
];

/// What the mouse does.
pub const MOUSE: [(&str, &str); 4] = [
    ("left button", "throw a ball there"),
    ("right button", "throw a box there"),
    ("while building", "place and remove tiles"),
    ("wheel", "zoom, or choose a tile"),
];

/// A button of the mouse in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Button {
    /// It went down in this frame.
    pub pressed: bool,
    /// It is down.
    pub down: bool,
}

/// The mouse in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// Where it is, in pixels of the window.
    pub at: Point,
    /// Its left button.
    pub left: Button,
    /// Its right button.
    pub right: Button,
    /// Steps of the wheel: away from the player is positive.
    pub wheel: f64,
}

impl Default for Pointer {
    fn default() -> Pointer {
        Pointer { at: Point { x: -1.0, y: -1.0 }, left: Button::default(), right: Button::default(), wheel: 0.0 }
    }
}

/// What a player does in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Controls {
    /// What of the hero's keys is held.
    pub held: Held,
    /// The key to rewind is held.
    pub rewind: bool,
    /// The keys that went down, in order.
    pub actions: Vec<Action>,
    /// The mouse.
    pub pointer: Pointer,
}
