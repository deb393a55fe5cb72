//! Ten things every platformer has, in one small game without a window. `docs/ten-things.md` explains it part by part.
//!
//! The game plays the inputs of `run.txt`, prints what happens and ends at the goal.

#[cfg(test)]
mod tests;

use std::error::Error;
use surefoot::area::AreaId;
use surefoot::event::{JumpFrom, LandedOn, LastingAbility};
use surefoot::map::{CollisionLayers, TileId, Value};
use surefoot::platform::PlatformId;
use surefoot::prelude::*;
use surefoot::replay::Script;
use surefoot::world::Patrol;
use surefoot::{Input, Map, World};

/// Tags of bodies in the level.
const WALKER: u64 = 1;
const CRATE: u64 = 2;

/// Lengths are in tiles, times in seconds.
fn hero() -> Character {
    Character {
        walk_speed: 9.0,
        jump_height: 3.2,
        coyote_time: 0.1,       // may still jump after running off an edge
        jump_buffer: 0.1,       // a press shortly before landing counts
        corner_correction: 0.3, // slips past the corner of a ceiling
        wall_slide_speed: 3.0,
        wall_jump_speed: 9.0,
        max_push_mass: 1.0, // one crate
        climb_speed: 5.0,   // on ladders
        ..Character::precise()
    }
}

struct Game {
    world: World,
    hero: BodyId,
    door: PlatformId,
    respawn_at: Position,
    is_door_open: bool,
    is_won: bool,
    coins: u32,
    deaths: u32,
    platform: Option<PlatformId>,
    story: String,
}

impl Game {
    fn new() -> Result<Game, Box<dyn Error>> {
        let map = Map::from_ron(include_str!("level.ron"))?;
        let start = map.marker("start").ok_or("the level has no start")?;
        let mut world = World::from_map(map, Settings::default());
        let door = world.find_platform("door").ok_or("the level has no door")?;
        // Bodies pass through each other until both have a collision mask.
        let body = Body::new(Shape::aabb(0.35, 0.45)).collision_mask(CollisionLayers::ALL);
        let hero = world.spawn(body.at(start).character(hero()))?;
        // Walkers begin to the left.
        let walkers: Vec<_> = world.tagged(WALKER).map(|(id, _)| id).collect();
        walkers.into_iter().for_each(|walker| world.set_input(walker, Input::walk(-1.0)));
        Ok(Game {
            world,
            hero,
            door,
            respawn_at: start,
            is_door_open: false,
            is_won: false,
            coins: 0,
            deaths: 0,
            platform: None,
            story: String::new(),
        })
    }

    fn tick(&mut self, input: Input) -> Result<(), CommandError> {
        self.world.set_input(self.hero, input);
        self.walk_walkers();
        self.world.step();
        self.tell_rides();
        for event in self.world.events().to_vec() {
            match event.kind {
                EventKind::AreaEntered { area } => self.enter(event.body, area)?,
                EventKind::PlatformArrived { platform, is_end: true, .. } => self.tell_door(platform),
                _ if event.body != self.hero => {}
                EventKind::HitBody { other, normal, .. } => self.hit(other, normal.y)?,
                EventKind::LeftMap => self.die("fell out of the level")?,
                kind => self.tell_motion(kind),
            }
        }
        self.check_spikes()
    }

    /// Tells jumps that do not start on a floor, one-way tiles, and ladders.
    fn tell_motion(&mut self, kind: EventKind) {
        let is_one_way = |tile: TileId| self.world.map().kind(tile).is_some_and(|kind| kind.drop_through);
        match kind {
            EventKind::Jumped { from: JumpFrom::Coyote, .. } => self.tell("jumps just after the edge"),
            EventKind::Jumped { from: JumpFrom::Wall, .. } => self.tell("jumps off a wall"),
            EventKind::Landed { on: Some(LandedOn::Tile { tile_id, .. }), .. } if is_one_way(tile_id) => {
                self.tell("lands on a one-way tile");
            }
            EventKind::LeftFloor if self.world[self.hero].input().down => self.tell("drops through the one-way tile"),
            EventKind::AbilityBegan { ability: LastingAbility::Climb } => self.tell("climbs the ladder"),
            _ => {}
        }
    }

    /// Tells when the hero steps onto the lift.
    fn tell_rides(&mut self) {
        let platform = self.world.platform_under(self.hero);
        if platform.is_some() && self.platform.is_none() {
            self.tell("steps onto the lift");
        }
        self.platform = platform;
    }

    fn enter(&mut self, body: BodyId, area: AreaId) -> Result<(), CommandError> {
        let Some(state) = self.world.area(area) else { return Ok(()) };
        let (tag, position) = (state.area().tag.clone(), state.position());
        match tag.as_str() {
            "button" if self.world[body].tag() == CRATE => self.press_button()?,
            _ if body != self.hero => {}
            "coin" => self.take_coin(area)?,
            "checkpoint" => self.respawn_at = position,
            "spring" => self.spring()?,
            "goal" => self.win(),
            _ => {}
        }
        Ok(())
    }

    fn take_coin(&mut self, area: AreaId) -> Result<(), CommandError> {
        self.world.despawn_area(area)?;
        self.coins += 1;
        self.tell(&format!("takes coin {}", self.coins));
        Ok(())
    }

    fn win(&mut self) {
        self.is_won = true;
        let seconds = self.world.tick() as f64 * self.world.settings().tick;
        self.tell(&format!("reaches the goal with {} coins in {seconds:.2} s", self.coins));
    }

    fn check_spikes(&mut self) -> Result<(), CommandError> {
        let is_deadly = self.world.contacts(self.hero).iter().any(|contact| {
            let kind = self.world.map().kind(contact.tile_id);
            kind.and_then(|kind| kind.properties.get("deadly")).and_then(Value::as_bool) == Some(true)
        });
        if is_deadly { self.die("touched spikes") } else { Ok(()) }
    }

    fn die(&mut self, cause: &str) -> Result<(), CommandError> {
        self.deaths += 1;
        self.world.teleport(self.hero, self.respawn_at)?;
        self.world.set_velocity(self.hero, (0.0, 0.0))?;
        self.tell(&format!("{cause}, and starts again at x = {:.1}", self.respawn_at.to_dvec2().x));
        Ok(())
    }

    /// Walkers turn at walls, at water and at the ends of their floors.
    fn walk_walkers(&mut self) {
        let walkers: Vec<_> = self.world.tagged(WALKER).map(|(id, _)| id).collect();
        for walker in walkers {
            let input = Patrol::new(0.3).input(&self.world, walker);
            self.world.set_input(walker, input);
        }
    }

    /// From above, the hero beats a walker and bounces off. From the side, the walker beats the hero.
    fn hit(&mut self, other: BodyId, normal_y: f64) -> Result<(), CommandError> {
        let is_walker = self.world.get(other).is_some_and(|body| body.tag() == WALKER);
        if is_walker && normal_y > 0.5 {
            self.world.despawn(other)?;
            self.world.set_velocity(self.hero, (self.world[self.hero].velocity().x, 12.0))?;
            self.tell("stomps on a walker");
        } else if is_walker {
            self.die("ran into a walker")?;
        }
        Ok(())
    }

    /// Starts the door on its path.
    fn press_button(&mut self) -> Result<(), CommandError> {
        self.is_door_open = true;
        self.tell("pushes a crate onto the button");
        self.world.resume_platform(self.door)
    }

    fn tell_door(&mut self, platform: PlatformId) {
        if platform == self.door {
            self.tell("opens the door");
        }
    }

    /// 27 tiles per second: about 6 tiles high, whatever the speed of the fall onto the spring.
    fn spring(&mut self) -> Result<(), CommandError> {
        self.world.set_velocity(self.hero, (self.world[self.hero].velocity().x, 27.0))?;
        self.tell("bounces off a spring");
        Ok(())
    }

    fn tell(&mut self, what: &str) {
        self.story += &format!("{:5.2} s: {what}\n", self.world.tick() as f64 * self.world.settings().tick);
    }
}

fn play() -> Result<Game, Box<dyn Error>> {
    let mut game = Game::new()?;
    let mut player = Script::parse(include_str!("run.txt"))?.player();
    while let Some(input) = player.next_input(&game.world, game.hero)? {
        game.tick(input)?;
    }
    Ok(game)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", play()?.story);
    Ok(())
}
