//! Dust at the feet of the hero, where it lands, jumps and turns, and puffs of other colours for other events.

use crate::Color;
use crate::scene::wave::on_circle;
use surefoot::geometry::DVec2;

/// A puff of dust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Puff {
    /// Centre in tiles.
    pub at: DVec2,
    /// Colour; `None` for dust.
    pub color: Option<Color>,
    velocity: DVec2,
    age: f64,
}

/// All puffs. The world never depends on them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dust {
    puffs: Vec<Puff>,
}

/// Lifetime of a puff in seconds.
const LIFE_SECONDS: f64 = 0.45;
/// Maximum number of puffs.
const MAX_PUFFS: usize = 64;

impl Puff {
    /// Returns the radius in tiles.
    pub fn radius(&self) -> f64 {
        0.06 + 0.12 * self.age / LIFE_SECONDS
    }

    /// Returns the opacity, from 0 to 1.
    pub fn opacity(&self) -> f64 {
        0.5 * (1.0 - self.age / LIFE_SECONDS)
    }
}

impl Dust {
    /// Returns the puffs.
    pub fn puffs(&self) -> &[Puff] {
        &self.puffs
    }

    /// Adds puffs at a foot, to both sides along `right` and a little `above`. `speed` in tiles per second.
    pub fn burst(&mut self, foot: DVec2, (right, above): (DVec2, DVec2), speed: f64) {
        for (along, up) in [(-1.0, 0.25), (-0.5, 0.5), (0.5, 0.5), (1.0, 0.25)] {
            self.add(foot, (right * along + above * up) * speed);
        }
    }

    /// Adds puffs of a colour that spread evenly to all sides. `speed` in tiles per second.
    pub fn spray(&mut self, at: DVec2, count: u32, speed: f64, color: Color) {
        for i in 0..count {
            self.push_puff(at, on_circle(f64::from(i) / f64::from(count)) * speed, Some(color));
        }
    }

    /// Adds one puff of dust, unless there are too many puffs.
    pub fn add(&mut self, at: DVec2, velocity: DVec2) {
        self.push_puff(at, velocity, None);
    }

    fn push_puff(&mut self, at: DVec2, velocity: DVec2, color: Option<Color>) {
        if self.puffs.len() < MAX_PUFFS {
            self.puffs.push(Puff { at, color, velocity, age: 0.0 });
        }
    }

    /// Moves the puffs for a frame and removes old ones.
    pub fn advance(&mut self, seconds: f64) {
        for puff in &mut self.puffs {
            puff.at += puff.velocity * seconds;
            puff.velocity /= 1.0 + 5.0 * seconds;
            puff.age += seconds;
        }
        self.puffs.retain(|puff| puff.age < LIFE_SECONDS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spray_spreads_evenly() {
        let (mut dust, color, at) = (Dust::default(), Color([255, 200, 0]), DVec2::new(3.0, 4.0));
        dust.spray(at, 12, 2.0, color);
        assert!(dust.puffs().iter().all(|puff| puff.color == Some(color) && puff.at == at));
        dust.advance(0.1);
        let sum = dust.puffs().iter().map(|puff| puff.at - at).sum::<DVec2>();
        assert!(dust.puffs().len() == 12 && sum.length() < 1e-12, "{sum}");
        assert!(dust.puffs().iter().all(|puff| ((puff.at - at).length() - 0.2).abs() < 1e-12));
    }

    #[test]
    fn puffs_spread_fade_and_vanish() {
        let mut dust = Dust::default();
        (0..40).for_each(|_| dust.burst(DVec2::ZERO, (DVec2::X, DVec2::Y), 2.0));
        assert_eq!(dust.puffs().len(), MAX_PUFFS);
        let mut last = 1.0;
        for _ in 0..26 {
            dust.advance(1.0 / 60.0);
            let puff = dust.puffs()[0];
            assert!(puff.opacity() < last && puff.opacity() > 0.0 && puff.at.x < 0.0);
            last = puff.opacity();
        }
        dust.advance(0.1);
        assert_eq!(dust.puffs(), []);
    }
}
