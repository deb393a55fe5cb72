use super::Input;

/// Turns the keys, buttons and sticks of one player into an [`Input`] for each tick.
///
/// Frames and ticks differ: a key may go down and up again between two ticks. Tell the state of each key in every
/// frame, or when it changes, and call [`Buttons::next_input`] once for each tick. No press is lost:
///
/// - A button that went down and up between two ticks counts as held for one tick.
/// - A button that went up and down again counts as released for one tick, then as held.
/// - If left and right are both held, the one that went down last counts.
///
/// # Examples
/// ```
/// use surefoot::body::Buttons;
///
/// let mut buttons = Buttons::default();
/// buttons.right(true);
/// buttons.jump(true);
/// buttons.jump(false); // A short press within a frame.
/// let input = buttons.next_input();
/// assert_eq!((input.walk, input.jump), (127, true));
/// assert!(!buttons.next_input().jump);
/// buttons.right(false);
/// buttons.stick(-0.5, 0.0);
/// assert_eq!(buttons.next_input().walk, -48);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Buttons {
    left: Button,
    right: Button,
    up: Button,
    down: Button,
    jump: Button,
    dash: Button,
    /// Whether left went down after right.
    left_is_last: bool,
    /// Position of the stick, -1 to 1 on each axis.
    stick: (f32, f32),
}

/// A button between two ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Button {
    is_held: bool,
    /// Whether the button went down since the last input in which it was held.
    is_pressed: bool,
    /// Whether the button was held in the last input.
    was_given: bool,
    /// Whether the button counts as released until it goes up.
    is_forgotten: bool,
}

impl Button {
    fn set_held(&mut self, held: bool) {
        self.is_pressed |= held && !self.is_held;
        self.is_held = held;
        self.is_forgotten &= held;
    }

    /// Returns whether the next input holds the button, and forgets a press that this input reports.
    fn read_held_and_clear_press(&mut self) -> bool {
        // A second press between two inputs must not look like one long press. So this input releases the button, and
        // the next one presses it.
        let given = if self.is_pressed { !self.was_given } else { self.is_held && !self.is_forgotten };
        self.is_pressed &= !given;
        self.was_given = given;
        given
    }
}

impl Buttons {
    /// Part of the way of a stick that counts as its centre.
    pub const DEAD_ZONE: f32 = 0.2;

    /// Part of the way from which a stick counts as a held button for [`Input::up`] and [`Input::down`].
    pub const STICK_BUTTON: f32 = 0.5;

    /// Tells whether left is held.
    pub fn left(&mut self, held: bool) {
        self.left_is_last |= held && !self.left.is_held;
        self.left.set_held(held);
    }

    /// Tells whether right is held.
    pub fn right(&mut self, held: bool) {
        self.left_is_last &= !held || self.right.is_held;
        self.right.set_held(held);
    }

    /// Tells whether up is held.
    pub fn up(&mut self, held: bool) {
        self.up.set_held(held);
    }

    /// Tells whether down is held.
    pub fn down(&mut self, held: bool) {
        self.down.set_held(held);
    }

    /// Tells whether jump is held.
    pub fn jump(&mut self, held: bool) {
        self.jump.set_held(held);
    }

    /// Tells whether dash is held.
    pub fn dash(&mut self, held: bool) {
        self.dash.set_held(held);
    }

    /// Tells the position of a stick, -1 to 1 on each axis; up is 1. It counts where no key is held. Beyond
    /// [`Buttons::DEAD_ZONE`], the speed of the walk grows evenly up to full speed.
    pub fn stick(&mut self, x: f32, y: f32) {
        self.stick = (x, y);
    }

    /// Forgets all presses so far: call it at a restart, and when the game continues after a menu or a dialog. Tell the
    /// held keys of the frame first.
    ///
    /// A button for jump or dash that is still held counts again once it has been released. A direction that is still
    /// held counts.
    ///
    /// # Examples
    /// ```
    /// use surefoot::body::Buttons;
    ///
    /// let mut buttons = Buttons::default();
    /// buttons.jump(true); // Chooses "continue" in a menu.
    /// buttons.right(true);
    /// buttons.forget_presses();
    /// let input = buttons.next_input();
    /// assert_eq!((input.walk, input.jump), (127, false));
    /// buttons.jump(false);
    /// buttons.jump(true);
    /// assert!(buttons.next_input().jump);
    /// ```
    pub fn forget_presses(&mut self) {
        let Buttons { left, right, up, down, jump, dash, .. } = self;
        for button in [left, right, up, down, &mut *jump, &mut *dash] {
            button.is_pressed = false;
        }
        for button in [jump, dash] {
            button.is_forgotten = button.is_held;
        }
    }

    /// Returns the input of the next tick.
    pub fn next_input(&mut self) -> Input {
        let (x, y) = self.stick;
        let way = (x.abs() - Self::DEAD_ZONE).max(0.0) / (1.0 - Self::DEAD_ZONE);
        let walk = match (self.left.read_held_and_clear_press(), self.right.read_held_and_clear_press()) {
            (true, true) if self.left_is_last => -1.0,
            (true, false) => -1.0,
            (_, true) => 1.0,
            (false, false) => way.copysign(x),
        };
        Input {
            up: self.up.read_held_and_clear_press() || y > Self::STICK_BUTTON,
            down: self.down.read_held_and_clear_press() || y < -Self::STICK_BUTTON,
            jump: self.jump.read_held_and_clear_press(),
            dash: self.dash.read_held_and_clear_press(),
            ..Input::walk(walk)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether jump is held in each tick. `changes` lists for each tick the changes of the button before that
    /// tick.
    fn jump_held_per_tick(changes: &[&[bool]]) -> Vec<bool> {
        let mut buttons = Buttons::default();
        let each = |held: &&[bool]| {
            held.iter().for_each(|held| buttons.jump(*held));
            buttons.next_input().jump
        };
        changes.iter().map(each).collect()
    }

    #[test]
    fn no_press_between_two_ticks_is_lost() {
        assert_eq!(jump_held_per_tick(&[&[true], &[true], &[], &[false], &[]]), [true, true, true, false, false]);
        assert_eq!(jump_held_per_tick(&[&[true, false], &[], &[]]), [true, false, false]);
        assert_eq!(jump_held_per_tick(&[&[true], &[false, true], &[], &[]]), [true, false, true, true]);
        assert_eq!(jump_held_per_tick(&[&[true], &[false, true, false], &[], &[]]), [true, false, true, false]);
        assert_eq!(jump_held_per_tick(&[&[true, false, true], &[false]]), [true, false]);
    }

    #[test]
    fn a_forgotten_press_counts_once_it_is_a_new_one() {
        // `before`: changes of the button before its presses are forgotten. `after`: changes before each later tick.
        let jumps = |given: bool, before: &[bool], after: &[&[bool]]| {
            let mut buttons = Buttons::default();
            buttons.jump(given);
            buttons.next_input();
            before.iter().for_each(|held| buttons.jump(*held));
            buttons.forget_presses();
            let mut each = |held: &&[bool]| {
                held.iter().for_each(|held| buttons.jump(*held));
                buttons.next_input().jump
            };
            after.iter().map(&mut each).collect::<Vec<_>>()
        };
        assert_eq!(jumps(false, &[true, false], &[&[], &[]]), [false, false]);
        assert_eq!(jumps(false, &[true], &[&[true], &[], &[false], &[true]]), [false, false, false, true]);
        assert_eq!(jumps(true, &[], &[&[true], &[false], &[true]]), [false, false, true]);
        // The last input before had jump held, so the next one has to release it.
        assert_eq!(jumps(true, &[], &[&[false, true], &[]]), [false, true]);
        assert_eq!(jumps(false, &[true], &[&[false, true], &[]]), [true, true]);
        assert_eq!(jumps(true, &[false, true], &[&[], &[]]), [false, false]);
    }

    #[test]
    fn a_held_direction_is_not_forgotten_and_a_tapped_one_is() {
        let mut buttons = Buttons::default();
        buttons.right(true);
        buttons.up(true);
        buttons.down(true);
        buttons.down(false);
        buttons.stick(0.0, 0.0);
        buttons.dash(true);
        buttons.forget_presses();
        let input = buttons.next_input();
        assert_eq!((input.walk, input.up, input.down, input.dash), (127, true, false, false));
    }

    #[test]
    fn the_last_of_two_opposite_keys_counts() {
        let mut buttons = Buttons::default();
        buttons.left(true);
        assert_eq!(buttons.next_input().walk, -127);
        buttons.right(true);
        assert_eq!(buttons.next_input().walk, 127);
        buttons.left(true);
        assert_eq!(buttons.next_input().walk, 127, "left is held all the time");
        buttons.right(false);
        assert_eq!(buttons.next_input().walk, -127);
        buttons.right(true);
        buttons.left(false);
        buttons.left(true);
        assert_eq!(buttons.next_input().walk, 127, "left is released for a tick");
        assert_eq!(buttons.next_input().walk, -127);
    }

    #[test]
    fn a_stick_walks_beyond_its_dead_zone() {
        let walk = |x: f32| {
            let mut buttons = Buttons::default();
            buttons.stick(x, 0.0);
            buttons.next_input().walk
        };
        // A stick within 0.2 of its centre counts as released. 0.6 is halfway between 0.2 and 1.
        assert_eq!([0.0, 0.2, 0.6, 1.0, 1.5].map(walk), [0, 0, 64, 127, 127]);
        assert_eq!([-0.2, -0.6, -1.0, f32::NAN].map(walk), [0, -64, -127, 0]);
        let mut buttons = Buttons::default();
        buttons.stick(0.1, -0.6);
        assert!(buttons.next_input().down && !buttons.next_input().up);
        buttons.stick(0.1, 0.6);
        assert!(buttons.next_input().up);
    }
}
