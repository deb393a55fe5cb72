//! A pad and buttons on a touch screen.

use crate::held::Held;
use macroquad::input::touches;
use macroquad::window::screen_dpi_scale;
use surefoot::geometry::DVec2;
use surefoot_draw::scene::camera::Size;
use surefoot_draw::{Canvas, Paint, Palette, PathData, Point};

/// A pad in the lower left corner of the window, and buttons to jump and to dash in the lower right corner.
///
/// A finger anywhere in the lower left part of the window walks in its direction from the middle of the pad. So a thumb
/// that slides off the pad keeps walking. All positions are in pixels of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TouchPad {
    /// Whether the pad is painted. The first touch sets it.
    pub is_shown: bool,
}

/// Returns where fingers touch the window, in pixels as of [`window_size`](crate::window_size).
#[must_use]
pub fn fingers() -> Vec<Point> {
    // macroquad divides the size of the window and the mouse by the pixels per point of the screen, but not fingers.
    let scale = f64::from(screen_dpi_scale());
    let point = |at: macroquad::math::Vec2| Point { x: f64::from(at.x) / scale, y: f64::from(at.y) / scale };
    touches().iter().map(|touch| point(touch.position)).collect()
}

/// A round part of the touch pad.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Disc {
    centre: Point,
    radius: f64,
}

/// Positions of the parts in a window.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Layout {
    pad: Disc,
    jump: Disc,
    dash: Disc,
}

/// Radius of the pad as a part of the shorter side of the window, and its limits in pixels. A thumb covers about 45
/// pixels.
const PAD_PART: f64 = 0.17;
const PAD_PIXELS: (f64, f64) = (46.0, 110.0);
/// Radius of a button, in radii of the pad.
const BUTTON_RADIUS: f64 = 0.6;
/// Reach of a button around its middle, in its radii: fingers miss.
const BUTTON_REACH: f64 = 1.4;
/// Distance from the middle of the pad from which a finger holds left or right, and up or down, in radii of the pad.
/// A player who only walks should not climb by accident.
const WALK_REACH: f64 = 0.2;
const CLIMB_REACH: f64 = 0.5;
/// Share of the window's height above the reach of the pad, for buttons of the game.
const FREE_PART: f64 = 1.0 / 3.0;

impl Disc {
    /// Returns the distance of a point from the middle, in radii.
    fn distance(&self, at: Point) -> f64 {
        DVec2::new(at.x - self.centre.x, at.y - self.centre.y).length() / self.radius
    }
}

impl Layout {
    fn new(size: Size) -> Layout {
        let unit = (size.width.min(size.height) * PAD_PART).clamp(PAD_PIXELS.0, PAD_PIXELS.1);
        let disc = |right: f64, up: f64, radius: f64| {
            let x = if right < 0.0 { size.width + right * unit } else { right * unit };
            Disc { centre: Point { x, y: size.height - up * unit }, radius: radius * unit }
        };
        Layout { pad: disc(1.3, 1.3, 1.0), jump: disc(-0.9, 1.3, BUTTON_RADIUS), dash: disc(-2.2, 0.8, BUTTON_RADIUS) }
    }
}

impl TouchPad {
    /// Returns the buttons that fingers hold in a window. `fingers`: positions of all fingers on the screen.
    #[must_use]
    pub fn held(&self, size: Size, fingers: &[Point]) -> Held {
        let Layout { pad, jump, dash } = Layout::new(size);
        let mut held = Held::default();
        for &at in fingers {
            if at.x < size.width / 2.0 {
                if at.y > size.height * FREE_PART {
                    let (right, up) = ((at.x - pad.centre.x) / pad.radius, (pad.centre.y - at.y) / pad.radius);
                    held.left |= right < -WALK_REACH;
                    held.right |= right > WALK_REACH;
                    held.up |= up > CLIMB_REACH;
                    held.down |= up < -CLIMB_REACH;
                }
            } else {
                // A finger between the two buttons presses only the nearer one.
                let distances = (jump.distance(at), dash.distance(at));
                held.jump |= distances.0 <= BUTTON_REACH && distances.0 <= distances.1;
                held.dash |= distances.1 <= BUTTON_REACH && distances.1 < distances.0;
            }
        }
        held
    }

    /// Paints the pad and the buttons, brighter where they are held, if they are shown.
    pub fn paint(&self, canvas: &mut impl Canvas, size: Size, held: &Held, palette: &Palette) {
        if !self.is_shown {
            return;
        }
        let Layout { pad, jump, dash } = Layout::new(size);
        let opacity = |is_held: bool| if is_held { 0.6 } else { 0.25 };
        canvas.circle(pad.centre, pad.radius, &Paint::fill(palette.text).opacity(0.1));
        let directions = [(held.left, -1.0, 0.0), (held.right, 1.0, 0.0), (held.up, 0.0, -1.0), (held.down, 0.0, 1.0)];
        for (is_held, x, y) in directions {
            let place = |along: f64, across: f64| Point {
                x: pad.centre.x + pad.radius * (x * along - y * across),
                y: pad.centre.y + pad.radius * (y * along + x * across),
            };
            let mut arrow = PathData::new();
            arrow.polygon([place(0.85, 0.0), place(0.45, 0.28), place(0.45, -0.28)]);
            canvas.path(&arrow, &Paint::fill(palette.text).opacity(opacity(is_held)));
        }
        for (disc, is_held, name) in [(jump, held.jump, "jump"), (dash, held.dash, "dash")] {
            canvas.circle(disc.centre, disc.radius, &Paint::fill(palette.text).opacity(opacity(is_held)));
            let height = disc.radius * 0.3;
            let at = Point { x: disc.centre.x, y: disc.centre.y + height / 2.0 };
            canvas.centred_text(name, at, height, palette.background);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Windows of small phones upright and across, of a tablet and of a desktop.
    const SIZES: [Size; 4] = [
        Size { width: 320.0, height: 568.0 },
        Size { width: 568.0, height: 320.0 },
        Size { width: 768.0, height: 1024.0 },
        Size { width: 1920.0, height: 1080.0 },
    ];

    fn held(size: Size, fingers: &[(f64, f64)]) -> Held {
        let fingers: Vec<_> = fingers.iter().map(|&(x, y)| Point { x, y }).collect();
        TouchPad::default().held(size, &fingers)
    }

    #[test]
    fn the_touch_controls_are_in_the_window_and_do_not_overlap() {
        for size in SIZES {
            let Layout { pad, jump, dash } = Layout::new(size);
            for Disc { centre, radius } in [pad, jump, dash] {
                assert!(centre.x - radius >= 0.0 && centre.x + radius <= size.width, "{size:?}");
                assert!(centre.y + radius <= size.height, "{size:?}");
            }
            for (one, other) in [(pad, jump), (pad, dash), (jump, dash)] {
                let apart = one.distance(other.centre) * one.radius;
                assert!(apart >= one.radius + other.radius, "{size:?}: {one:?} {other:?}");
            }
            // Guidelines for phones ask for buttons of at least 44 pixels.
            assert!(2.0 * jump.radius >= 44.0, "{size:?}");
            // Only fingers in the left half of the window and below `FREE_PART` move the hero. The whole pad lies
            // there.
            assert!(pad.centre.x + pad.radius <= size.width / 2.0, "{size:?}");
            assert!(pad.centre.y - pad.radius > size.height * FREE_PART, "{size:?}");
        }
    }

    /// For each finger on the pad, the finger mirrored at the pad's middle holds the opposite buttons.
    #[test]
    fn mirrored_fingers_hold_mirrored_buttons() {
        for size in SIZES {
            let Disc { centre, radius } = Layout::new(size).pad;
            // No point of this grid is on the border between two directions, where rounding would decide.
            for (x, y) in (-23..=23).flat_map(|x| (-23..=23).map(move |y| (f64::from(x) / 23.0, f64::from(y) / 23.0))) {
                let at = |x: f64, y: f64| held(size, &[(centre.x + x * radius, centre.y + y * radius)]);
                let (one, across, over) = (at(x, y), at(-x, y), at(x, -y));
                assert_eq!(across, Held { left: one.right, right: one.left, ..one });
                assert_eq!(over, Held { up: one.down, down: one.up, ..one });
                assert!(!(one.jump || one.dash || one.left && one.right));
            }
            assert_eq!(held(size, &[(centre.x, centre.y)]), Held::default());
        }
    }

    #[test]
    fn several_fingers_hold_several_buttons() {
        for size in SIZES {
            let Layout { pad, jump, dash } = Layout::new(size);
            let right = (pad.centre.x + 0.7 * pad.radius, pad.centre.y);
            let (jump, dash) = ((jump.centre.x, jump.centre.y), (dash.centre.x, dash.centre.y));
            let walk = Held { right: true, ..Held::default() };
            assert_eq!(held(size, &[right]), walk);
            assert_eq!(held(size, &[jump, right]), Held { jump: true, ..walk });
            assert_eq!(held(size, &[right, dash]), Held { dash: true, ..walk });
            assert_eq!(held(size, &[jump, dash]), Held { jump: true, dash: true, ..Held::default() });
            // The upper corners are free.
            assert_eq!(held(size, &[(1.0, 1.0), (size.width - 1.0, 1.0)]), Held::default());
        }
    }

    #[test]
    fn a_thumb_that_slides_off_the_pad_keeps_walking() {
        for size in SIZES {
            let Disc { centre, .. } = Layout::new(size).pad;
            assert!(held(size, &[(size.width / 2.0 - 1.0, centre.y)]).right, "{size:?}");
            assert!(held(size, &[(0.0, centre.y)]).left, "{size:?}");
        }
    }
}
