//! Ten things every platformer has, in one small game without a window. `docs/ten-things.md` explains it part by part.
//!
//! The game plays the inputs of `run.txt`, prints what happens and ends at the goal.

#[cfg(test)]
mod tests;

use std::error::Error;
use surefoot::area::{Area, AreaId, AreaShape};
use surefoot::map::{CollisionLayers, Value};
use surefoot::platform::PlatformId;
use surefoot::prelude::*;
use surefoot::replay::Script;
use surefoot::{Input, Map, World};

/// Tags tell bodies apart. The tag of a body is a number of the game's own.
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
    ticks_in_air: u32,
    platform: Option<PlatformId>,
    story: String,
}

impl Game {
    fn new() -> Result<Game, Box<dyn Error>> {
        let map = Map::from_ron(include_str!("level.ron"))?;
        let start = map.marker("start").ok_or("the level has no start")?;
        let mut world = World::new(map, Settings::default());
        let door = world.find_platform("door").ok_or("the level has no door")?;
        // Bodies pass through each other until both have a collision mask.
        let body = Body::new(Shape::aabb(0.35, 0.45)).collision_mask(CollisionLayers::ALL);
        let hero = world.spawn(body.clone().at(start).character(hero()))?;
        let map = world.map().clone();
        for tag in ["coin", "checkpoint", "button", "spring", "goal"] {
            for position in map.markers(tag) {
                world.spawn_area(Area::new(AreaShape::circle(0.4)?).at(position).tag(tag))?;
            }
        }
        for position in map.markers("walker") {
            let walker = world.spawn(body.clone().at(position).character(Character::default()).tag(WALKER))?;
            world.set_input(walker, Input::walk(-0.3));
        }
        for position in map.markers("crate") {
            let wooden = Body::new(Shape::aabb(0.45, 0.5)).friction(0.6).collision_mask(CollisionLayers::ALL);
            world.spawn(wooden.at(position).tag(CRATE))?;
        }
        Ok(Game {
            world,
            hero,
            door,
            respawn_at: start,
            is_door_open: false,
            is_won: false,
            coins: 0,
            deaths: 0,
            ticks_in_air: 0,
            platform: None,
            story: String::new(),
        })
    }

    fn tick(&mut self, input: Input) -> Result<(), CommandError> {
        self.world.set_input(self.hero, input);
        self.walk_walkers();
        self.move_door()?;
        let before = self.world[self.hero].clone();
        self.world.step();
        self.tell_jumps(&before);
        self.tell_one_way(&before);
        self.tell_rides(&before);
        for event in self.world.events().to_vec() {
            match event.kind {
                EventKind::AreaEntered { area } => self.enter(event.body, area)?,
                EventKind::HitBody { other, normal, .. } if event.body == self.hero => self.hit(other, normal.y)?,
                EventKind::LeftMap if event.body == self.hero => self.die("fell out of the level")?,
                _ => {}
            }
        }
        self.check_spikes()
    }

    /// Tells a jump that does not start on a floor: a late jump or a wall jump.
    fn tell_jumps(&mut self, before: &BodyState) {
        let now = &self.world[self.hero];
        let has_jumped = now.velocity().y > before.velocity().y.max(0.0) + 5.0;
        let at_wall = before.touching().wall_left || before.touching().wall_right;
        let ticks = self.ticks_in_air;
        self.ticks_in_air = if now.on_floor() { 0 } else { ticks + 1 };
        if has_jumped && ticks > 0 && at_wall {
            self.tell("jumps off a wall");
        } else if has_jumped && ticks > 0 {
            self.tell(&format!("jumps, {ticks} ticks after the edge"));
        }
    }

    /// Tells when the hero lands on a one-way tile or drops through it.
    fn tell_one_way(&mut self, before: &BodyState) {
        let now = &self.world[self.hero];
        let is_one_way = |tile| self.world.map().kind(tile).is_some_and(|kind| kind.drop_through);
        let on_one_way = self.world.contacts(self.hero).iter().any(|contact| is_one_way(contact.tile_id));
        if on_one_way && now.on_floor() && !before.on_floor() {
            self.tell("lands on a one-way tile");
        } else if before.on_floor() && now.input().down && !now.on_floor() {
            self.tell("drops through the one-way tile");
        }
    }

    /// Tells when the hero steps onto the lift or grabs the ladder.
    fn tell_rides(&mut self, before: &BodyState) {
        let platform = self.world.platform_under(self.hero);
        if platform.is_some() && self.platform.is_none() {
            self.tell("steps onto the lift");
        }
        self.platform = platform;
        if self.world[self.hero].is_climbing() && !before.is_climbing() {
            self.tell("climbs the ladder");
        }
    }

    fn enter(&mut self, body: BodyId, area: AreaId) -> Result<(), CommandError> {
        let Some(state) = self.world.area(area) else { return Ok(()) };
        let (tag, position) = (state.area().tag.clone(), state.position());
        match tag.as_str() {
            "button" if self.world[body].tag() == CRATE => self.press_button(),
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

    /// Walkers turn at walls and at the ends of their floors.
    fn walk_walkers(&mut self) {
        let walkers: Vec<_> = self.world.bodies().filter(|(_, body)| body.tag() == WALKER).map(|(id, _)| id).collect();
        for id in walkers {
            let walk = self.world[id].input().walk;
            let ahead = self.world.probe_walk(id, f64::from(walk) / 80.0).unwrap_or_default();
            let turns = ahead.wall_left || ahead.wall_right || !ahead.floor;
            self.world.set_input(id, Input { walk: if turns { -walk } else { walk }, ..Input::default() });
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

    fn press_button(&mut self) {
        self.is_door_open = true;
        self.tell("pushes a crate onto the button");
    }

    /// The door is a platform that the game drives: 3 tiles up, at 4 tiles per second.
    fn move_door(&mut self) -> Result<(), CommandError> {
        let Some(door) = self.world.platform(self.door).filter(|_| self.is_door_open) else { return Ok(()) };
        let at = door.position().to_dvec2();
        if at.y < 6.0 {
            let y = (at.y + 4.0 * self.world.settings().tick).min(6.0);
            self.world.drive_platform(self.door, (at.x, y))?;
            if y == 6.0 {
                self.tell("opens the door");
            }
        }
        Ok(())
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
