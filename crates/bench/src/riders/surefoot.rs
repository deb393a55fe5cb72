//! Characters on platforms of the engine itself.

use super::{Course, PLATFORM, REST, RIDER, Riders};
use crate::movers::surefoot::position;
use crate::scene::{TICK, text};
use surefoot::geometry::DVec2;
use surefoot::platform::{Path, PathTiming, Platform, PlatformId};
use surefoot::prelude::{Body, BodyId, Character, Settings, Shape};
use surefoot::{Map, World};

/// Characters without input.
#[derive(Clone, Debug)]
pub struct Characters {
    world: World,
    platforms: Vec<PlatformId>,
    riders: Vec<BodyId>,
}

impl Characters {
    /// Puts the riders at their starts.
    ///
    /// # Panics
    /// Panics if the engine refuses the course.
    #[must_use]
    pub fn new(course: &Course) -> Characters {
        let (columns, rows) = course.size();
        let mut lines = vec![".".repeat(columns); rows];
        lines[rows - 1] = "#".repeat(columns);
        let map = Map::from_ron(&text(&lines)).expect("a map");
        let row = "#".repeat((2.0 * PLATFORM.x) as usize);
        let kind = Platform::from_rows(&map, [row]).expect("full tiles");
        let mut world = World::new(map, Settings::default());
        let platforms = course.routes.iter().map(|route| {
            let timing = PathTiming::Speed(route.leg.length() / (route.ticks as f64 * TICK));
            let path = Path { points: vec![position(DVec2::ZERO), position(route.leg)], timing, ..Path::default() };
            let at = kind.clone().at(position(route.start - PLATFORM));
            let id = world.spawn_platform(at.path(path)).expect("a platform");
            world.pause_platform(id).expect("it is there");
            id
        });
        let platforms = platforms.collect();
        let rider = |start: &super::Start| {
            let body = Body::new(Shape::aabb(RIDER.x, RIDER.y)).at(position(start.at));
            world.spawn(body.character(Character::default())).expect("a body")
        };
        let riders = course.starts.iter().map(rider).collect();
        Characters { world, platforms, riders }
    }
}

impl Riders for Characters {
    fn tick(&mut self, tick: u64) {
        if tick == REST {
            for &platform in &self.platforms {
                self.world.resume_platform(platform).expect("it stays");
            }
        }
        self.world.step();
    }

    fn rider(&mut self, rider: usize) -> DVec2 {
        self.world[self.riders[rider]].position().to_dvec2()
    }

    fn platform(&mut self, platform: usize) -> DVec2 {
        self.world.platform(self.platforms[platform]).expect("it stays").position().to_dvec2() + PLATFORM
    }

    fn stands(&mut self, rider: usize) -> bool {
        self.world[self.riders[rider]].on_floor()
    }
}
