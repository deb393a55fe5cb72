//! The player's input in a frame, independent of the window library.

use crate::session::Held;
use surefoot_draw::Point;

/// An action that a key triggers once when it goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Restarts the map or the replay.
    Restart,
    /// Pauses or resumes time.
    Pause,
    /// Steps one tick and pauses.
    SingleTick,
    /// Turns slow motion on or off.
    SlowMotion,
    /// Shows or hides the exposed edges and their normals.
    Normals,
    /// Shows or hides contacts and the motion of the last tick.
    Contacts,
    /// Shows or hides the tiles that the last tick's motion swept over.
    Swept,
    /// Shows or hides the cells and things that the hero can reach.
    Reach,
    /// Shows or hides the ghost of the saved run.
    Ghost,
    /// Saves the run since the beginning as a replay.
    SaveReplay,
    /// Copies a link to the run since the beginning, or to the watched one.
    CopyLink,
    /// Opens or closes the tile strip for building.
    Build,
    /// Takes back the last stroke of the brush.
    Undo,
    /// Paints the last undone stroke again.
    Redo,
    /// Begins to type the name of the next placed thing.
    Name,
    /// Chooses the next tile layer to build on.
    NextLayer,
    /// Saves the map with its edits.
    SaveMap,
    /// Opens or closes the panel of the character's parameters.
    Tune,
    /// Shows or hides the help.
    Help,
    /// Closes the topmost open element, or returns to the menu.
    Back,
    /// Zooms in.
    ZoomIn,
    /// Zooms out.
    ZoomOut,
    /// Selects the previous menu entry.
    Previous,
    /// Selects the next menu entry.
    Next,
    /// Opens the selected menu entry, or pauses and resumes a watched run.
    Choose,
    /// Opens the selected menu entry, or ends watching a run: the player goes on from the shown tick.
    PlayOn,
    /// Forgets the file of the selected menu entry, if the game keeps it in memory.
    Forget,
}

/// Rows of [`KEYS`] that begin a group: to play, time, to look, to build, files and numbers, the window.
pub(crate) const KEY_GROUPS: [usize; 6] = [0, 4, 10, 15, 19, 23];

/// Rows of the help: keys as labelled on the keyboard, and their actions.
pub const KEYS: [(&str, &str); 28] = [
    ("left right  A D", "walk; seek in a watched run"),
    ("space  up  W", "jump; space pauses a watched run"),
    ("down  S", "drop through a one-way tile"),
    ("shift  K", "dash"),
    ("R", "start again"),
    ("backspace", "hold to rewind, up to 10 s"),
    ("P", "pause"),
    (".", "one tick"),
    ("L", "slow motion"),
    ("enter", "play on in a watched run"),
    ("N", "exposed edges and normals"),
    ("C", "contacts and this tick's motion"),
    ("T", "swept tiles"),
    ("F", "what the hero reaches"),
    ("G", "ghost of the saved run"),
    ("B", "build: place tiles, things, markers"),
    ("E", "name the next area, body or marker"),
    ("V", "next tile layer to build on"),
    ("Z  Y", "undo, redo a stroke"),
    ("F4  F6", "save the map"),
    ("F2  F5", "save the run as a replay"),
    ("X", "copy a link to the run"),
    ("U  tab", "tune the character"),
    ("+ -", "zoom"),
    ("H  F1", "this help"),
    ("escape", "close, or back to the maps"),
    ("up down  space", "choose and open in the list of maps"),
    ("delete", "forget a saved file in that list"),
];

/// Key that was pressed in a frame, while a name is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A letter.
    Letter(char),
    /// Removes the last letter.
    Erase,
    /// Ends the name.
    Done,
}

/// Rows of the help for the mouse.
pub const MOUSE: [(&str, &str); 4] = [
    ("left button", "throw a ball there"),
    ("right button", "throw a box there"),
    ("while building", "place and remove"),
    ("wheel", "zoom, or choose a tile"),
];

/// Rows of the help for fingers: parts of the screen and buttons of the page, and what they do.
pub(crate) const FINGERS: [(&str, &str); 10] = [
    ("pad, lower left", "walk, climb, and drop down"),
    ("lower right", "jump and dash"),
    ("Menu  Restart", "the maps; start again"),
    ("Pause", "stop time, and go on"),
    ("Copy link", "a link that plays this run"),
    ("Save run", "the run as a file, and in the menu"),
    ("Build", "choose a tile, then tap the level"),
    ("Save map", "the map with its tiles, likewise"),
    ("bar below", "a watched run: pause and seek"),
    ("play on", "a watched run: go on yourself"),
];

/// State of a mouse button in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Button {
    /// The button went down in this frame.
    pub pressed: bool,
    /// The button is down.
    pub down: bool,
}

/// State of the mouse in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// Position in pixels of the window.
    pub at: Point,
    /// Left button.
    pub left: Button,
    /// Right button.
    pub right: Button,
    /// Steps of the wheel; away from the user is positive.
    pub wheel: f64,
}

impl Default for Pointer {
    fn default() -> Pointer {
        Pointer { at: Point { x: -1.0, y: -1.0 }, left: Button::default(), right: Button::default(), wheel: 0.0 }
    }
}

/// The player's input in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Controls {
    /// The held keys that control the hero.
    pub held: Held,
    /// The rewind key is held.
    pub rewind: bool,
    /// Actions of the keys that went down, in order.
    pub actions: Vec<Action>,
    /// Keys as text, in the order of the presses. Used only while a name is typed; all other keys are ignored then.
    pub typed: Vec<Typed>,
    /// The mouse.
    pub pointer: Pointer,
}
