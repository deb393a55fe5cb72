//! Timing of the presses in a found run.

use surefoot::Input;
use surefoot::replay::InputRun;
use surefoot_draw::PressMargin;

/// Largest shift of a press in ticks.
const MAX_SHIFT: u64 = 10;

/// Returns the presses of a run, and how many ticks early or late each still reaches the goal.
///
/// All other inputs stay in their ticks. `reaches` plays inputs and returns whether they reach the goal.
pub(super) fn margins(run: &[InputRun], reaches: impl Fn(&[InputRun]) -> bool) -> Vec<PressMargin> {
    let mut margins = Vec::new();
    let mut tick = 0;
    for (i, pair) in run.windows(2).enumerate() {
        tick += pair[0].ticks;
        let Some(button) = pressed_button(pair[0].input, pair[1].input) else { continue };
        let count = |from: usize, to: usize| {
            let shifts = 1..=MAX_SHIFT.min(run[from].ticks);
            let works = |&shift: &u64| {
                let mut shifted = run.to_vec();
                shifted[from].ticks -= shift;
                shifted[to].ticks += shift;
                reaches(&shifted)
            };
            shifts.take_while(works).count() as u32
        };
        let (early, late) = (count(i, i + 1), count(i + 1, i));
        margins.push(PressMargin { tick: tick as usize, button: button.to_owned(), early, late });
    }
    margins
}

fn pressed_button(before: Input, now: Input) -> Option<&'static str> {
    let buttons = [
        ("jump", before.jump, now.jump),
        ("dash", before.dash, now.dash),
        ("down", before.down, now.down),
        ("up", before.up, now.up),
    ];
    buttons.into_iter().find(|(_, before, now)| *now && !before).map(|(name, ..)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_press_may_move_within_the_ticks_that_work() {
        let part = |ticks, jump| InputRun { ticks, input: Input { jump, ..Input::default() } };
        let run = [part(20, false), part(30, true), part(5, false), part(2, true)];
        // The goal needs the first press in tick 17 to 24, and nothing else.
        let found = margins(&run, |run| (17..=24).contains(&run[0].ticks));
        let press = |tick, early, late| PressMargin { tick, button: "jump".to_owned(), early, late };
        assert_eq!(found, [press(20, 3, 4), press(55, 5, 2)]);
    }
}
