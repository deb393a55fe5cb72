use surefoot::body::Input;

/// The keys that the player holds in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Walks to the left.
    pub left: bool,
    /// Walks to the right.
    pub right: bool,
    /// Jumps.
    pub jump: bool,
    /// Drops through one-way tiles.
    pub down: bool,
    /// Climbs or swims up.
    pub up: bool,
    /// Dashes.
    pub dash: bool,
}

impl Held {
    /// Returns the held keys as a character's input.
    pub(super) fn input(self) -> Input {
        let walk = 127 * (i8::from(self.right) - i8::from(self.left));
        Input { walk, jump: self.jump, down: self.down, up: self.up, dash: self.dash }
    }

    /// Combines two sets of keys, key by key.
    fn by(self, other: Held, rule: impl Fn(bool, bool) -> bool) -> Held {
        Held {
            left: rule(self.left, other.left),
            right: rule(self.right, other.right),
            jump: rule(self.jump, other.jump),
            down: rule(self.down, other.down),
            up: rule(self.up, other.up),
            dash: rule(self.dash, other.dash),
        }
    }
}

/// Keys that went down in frames without a tick, so that no press between two ticks is lost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Latch {
    /// Keys held in the last frame.
    now: Held,
    /// Keys pressed since the last tick.
    pressed: Held,
}

impl Latch {
    /// Records the keys of a frame.
    pub(super) fn add_frame(&mut self, held: Held) {
        let pressed = held.by(self.now, |now, before| now && !before);
        self.pressed = self.pressed.by(pressed, |a, b| a || b);
        self.now = held;
    }

    /// Forgets presses, if no tick is going to use them.
    pub(super) fn reset(&mut self) {
        self.pressed = Held::default();
    }

    /// Returns the input of the next tick. `jump_held`: whether jump was held in the tick before.
    ///
    /// A jump that is released and pressed again between two ticks is released for one tick and pressed in the next.
    pub(super) fn take_input(&mut self, jump_held: bool) -> Input {
        let pressed = std::mem::take(&mut self.pressed);
        let again = pressed.jump && jump_held;
        self.pressed.jump = again;
        let held = self.now.by(pressed, |a, b| a || b);
        Held { jump: held.jump && !again, ..held }.input()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the jump input of each tick, after the given frames: `j` with jump held, `.` without.
    fn jumps(ticks: &[&str]) -> String {
        let (mut latch, mut jump) = (Latch::default(), false);
        let mut tick = |frames: &&str| {
            frames.chars().for_each(|c| latch.add_frame(Held { jump: c == 'j', ..Held::default() }));
            jump = latch.take_input(jump).jump;
            if jump { 'j' } else { '.' }
        };
        ticks.iter().map(&mut tick).collect()
    }

    #[test]
    fn no_jump_is_lost_between_two_ticks() {
        assert_eq!(jumps(&[".", "j", "j", ".", "."]), ".jj..");
        assert_eq!(jumps(&["..j.", ".", "."]), "j..", "a tap");
        assert_eq!(jumps(&["j", "j.j", "j", "j"]), "j.jj", "let go and pressed again");
        assert_eq!(jumps(&["j", ".j.", ".", "."]), "j.j.", "let go, and tapped");
        assert_eq!(jumps(&["j", "", "", "."]), "jjj.", "several ticks in a frame");
        assert_eq!(jumps(&["j.", "", "."]), "j..", "a tap before several ticks");
    }

    #[test]
    fn a_tap_of_any_key_lasts_a_tick() {
        let mut latch = Latch::default();
        latch.add_frame(Held { left: true, down: true, ..Held::default() });
        latch.add_frame(Held { up: true, dash: true, ..Held::default() });
        latch.add_frame(Held::default());
        assert_eq!(latch.take_input(false), Input { walk: -127, down: true, up: true, dash: true, ..Input::default() });
        assert_eq!(latch.take_input(false), Input::default());
        // A key held for longer is released at once.
        latch.add_frame(Held { left: true, ..Held::default() });
        assert_eq!(latch.take_input(false).walk, -127);
        latch.add_frame(Held { left: true, ..Held::default() });
        latch.add_frame(Held { right: true, ..Held::default() });
        assert_eq!(latch.take_input(false).walk, 127);
        latch.add_frame(Held::default());
        assert_eq!(latch.take_input(false), Input::default());
        latch.add_frame(Held { right: true, jump: true, ..Held::default() });
        latch.reset();
        assert_eq!(latch.take_input(false), Input { walk: 127, jump: true, ..Input::default() }, "still held");
        latch.add_frame(Held::default());
        latch.add_frame(Held { right: true, jump: true, ..Held::default() });
        latch.add_frame(Held::default());
        latch.reset();
        assert_eq!(latch.take_input(false), Input::default());
    }

    #[test]
    fn left_and_right_together_do_not_walk() {
        assert_eq!(Held { left: true, right: true, ..Held::default() }.input().walk, 0);
        assert_eq!(Held { right: true, ..Held::default() }.input().walk, 127);
    }
}
