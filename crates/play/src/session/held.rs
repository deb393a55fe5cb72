use surefoot::body::Input;

/// What the player holds down in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Walk to the left.
    pub left: bool,
    /// Walk to the right.
    pub right: bool,
    /// Jump.
    pub jump: bool,
    /// Drop through what may be dropped through.
    pub down: bool,
    /// The game's own.
    pub up: bool,
    /// Dash.
    pub dash: bool,
}

impl Held {
    /// What is held, as a character's input.
    pub(super) fn input(self) -> Input {
        let walk = 127 * (i8::from(self.right) - i8::from(self.left));
        Input { walk, jump: self.jump, down: self.down, up: self.up, dash: self.dash }
    }

    /// Each key of two by a rule.
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

/// What went down in frames that no tick has seen yet, so that nothing is lost between two ticks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Latch {
    /// What was held in the last frame.
    now: Held,
    /// What went down since the last tick.
    pressed: Held,
}

impl Latch {
    /// Takes in a frame.
    pub(super) fn see(&mut self, held: Held) {
        let pressed = held.by(self.now, |now, before| now && !before);
        self.pressed = self.pressed.by(pressed, |a, b| a || b);
        self.now = held;
    }

    /// Forgets what was pressed while no ticks were to see it.
    pub(super) fn reset(&mut self) {
        self.pressed = Held::default();
    }

    /// The input of the next tick; `jump_held` says whether jump was held in the tick before.
    ///
    /// A jump that was let go and pressed again between two ticks is let go for one tick, and pressed in the next.
    pub(super) fn take(&mut self, jump_held: bool) -> Input {
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

    /// The jumps of ticks, each after these frames: `j` with jump held, `.` without.
    fn jumps(ticks: &[&str]) -> String {
        let (mut latch, mut jump) = (Latch::default(), false);
        let mut tick = |frames: &&str| {
            frames.chars().for_each(|c| latch.see(Held { jump: c == 'j', ..Held::default() }));
            jump = latch.take(jump).jump;
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
        latch.see(Held { left: true, down: true, ..Held::default() });
        latch.see(Held { up: true, dash: true, ..Held::default() });
        latch.see(Held::default());
        assert_eq!(latch.take(false), Input { walk: -127, down: true, up: true, dash: true, ..Input::default() });
        assert_eq!(latch.take(false), Input::default());
        // What was held for longer is let go at once.
        latch.see(Held { left: true, ..Held::default() });
        assert_eq!(latch.take(false).walk, -127);
        latch.see(Held { left: true, ..Held::default() });
        latch.see(Held { right: true, ..Held::default() });
        assert_eq!(latch.take(false).walk, 127);
        latch.see(Held::default());
        assert_eq!(latch.take(false), Input::default());
        latch.see(Held { right: true, jump: true, ..Held::default() });
        latch.reset();
        assert_eq!(latch.take(false), Input { walk: 127, jump: true, ..Input::default() }, "still held");
        latch.see(Held::default());
        latch.see(Held { right: true, jump: true, ..Held::default() });
        latch.see(Held::default());
        latch.reset();
        assert_eq!(latch.take(false), Input::default());
    }

    #[test]
    fn both_ways_at_once_is_none() {
        assert_eq!(Held { left: true, right: true, ..Held::default() }.input().walk, 0);
        assert_eq!(Held { right: true, ..Held::default() }.input().walk, 127);
    }
}
