//! The rules of the game: its start, and everything that happens in a tick.

use serde::{Deserialize, Serialize};
use std::error::Error;
use surefoot::area::AreaId;
use surefoot::map::{CollisionLayers, Value};
use surefoot::platform::PlatformId;
use surefoot::prelude::*;
use surefoot::world::Patrol;
use surefoot::{Event, Input, Map, World};

/// Tags tell bodies apart. The legend of the map has them too.
const WALKER: u64 = 1;
const SHOT: u64 = 2;

/// Speeds in tiles per second.
const SPRING_SPEED: f64 = 38.0;
const STOMP_SPEED: f64 = 15.0;
const DOOR_SPEED: f64 = 4.0;

/// Number of ticks between two shots of a turret, and the distance in tiles at which it sees the hero.
const TURRET_INTERVAL: u64 = 100;
const TURRET_SIGHT: f64 = 24.0;

/// State of the game outside the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Game {
    pub(crate) hero: BodyId,
    /// Rooms that the hero has entered, in this order.
    pub(crate) rooms: Vec<String>,
    pub(crate) coins: u32,
    pub(crate) stomps: u32,
    pub(crate) deaths: u32,
    pub(crate) respawn_at: Position,
    /// Tick in which the hero reached the goal.
    pub(crate) goal_tick: Option<u64>,
}

fn hero_character() -> Character {
    Character {
        walk_speed: 9.0,
        ledge_grab: 0.3,
        ledge_climb_time: 0.3,
        climb_speed: 6.0,
        swim_speed: 6.0,
        swim_time: 0.2,
        max_push_mass: 1.0,
        wall_slide_speed: 0.0,
        wall_jump_speed: 0.0,
        ..Character::precise()
    }
}

/// Returns a world on the map with the hero at its start, and the state of a new game.
pub(crate) fn start(map: Map) -> Result<(World, Game), Box<dyn Error>> {
    let respawn_at = map.marker("start").ok_or("the map has no start")?;
    let mut world = World::from_map(map, Settings::default());
    let body = Body::new(Shape::aabb(0.35, 0.45)).collision_mask(CollisionLayers::ALL);
    let hero = world.spawn(body.at(respawn_at).character(hero_character()))?;
    respawn_ram(&mut world)?;
    let game = Game { hero, rooms: Vec::new(), coins: 0, stomps: 0, deaths: 0, respawn_at, goal_tick: None };
    Ok((world, game))
}

/// Plays one tick.
pub(crate) fn tick(world: &mut World, game: &mut Game, inputs: &Inputs) {
    game.tick(world, inputs[0]).expect("all commands of the rules are valid");
}

impl Game {
    fn tick(&mut self, world: &mut World, input: Input) -> Result<(), CommandError> {
        world.set_input(self.hero, if self.goal_tick.is_some() { Input::default() } else { input });
        walk_walkers(world);
        self.fire_turrets(world)?;
        move_doors(world)?;
        world.step();
        let deaths = self.deaths;
        for event in world.events().to_vec() {
            self.handle(world, event)?;
        }
        self.handle_walker_contacts(world)?;
        if self.deaths == deaths && touches_spikes(world, self.hero) {
            self.die(world)?;
        }
        Ok(())
    }

    fn handle(&mut self, world: &mut World, Event { body, kind }: Event) -> Result<(), CommandError> {
        // An earlier event of this tick may have removed the body, and some events are about no body.
        let Some(is_shot) = world.get(body).map(|body| body.tag() == SHOT) else { return Ok(()) };
        match kind {
            EventKind::AreaEntered { area } => self.enter(world, body, area)?,
            EventKind::HitTile { .. } if is_shot => world.despawn(body)?,
            EventKind::HitBody { other, .. } | EventKind::BodyContactBegan { other } if is_shot => {
                world.despawn(body)?;
                if other == self.hero {
                    self.die(world)?;
                }
            }
            EventKind::Crushed { .. } | EventKind::LeftMap if body == self.hero => self.die(world)?,
            _ => {}
        }
        Ok(())
    }

    fn enter(&mut self, world: &mut World, body: BodyId, area: AreaId) -> Result<(), CommandError> {
        let Some(state) = world.area(area) else { return Ok(()) };
        match state.area().tag.as_str() {
            "spring" => {
                let along = world[body].velocity().x;
                world.set_velocity(body, (along, SPRING_SPEED))?;
            }
            _ if body != self.hero => {}
            "coin" => {
                self.coins += 1;
                world.despawn_area(area)?;
            }
            "checkpoint" => self.respawn_at = state.position(),
            "room" if !self.rooms.contains(&state.area().name) => self.rooms.push(state.area().name.clone()),
            "alarm" => world.find_platform("ram").map_or(Ok(()), |ram| world.resume_platform(ram))?,
            "goal" => self.goal_tick = self.goal_tick.or(Some(world.tick())),
            _ => {}
        }
        Ok(())
    }

    /// The hero beats a walker from above. From the side, the walker beats the hero.
    fn handle_walker_contacts(&mut self, world: &mut World) -> Result<(), CommandError> {
        let mut contacts = Vec::new();
        world.body_contacts(self.hero, &mut contacts);
        for contact in contacts {
            let is_above = contact.normal.y > 0.5;
            match world.get(contact.other).map(BodyState::tag) {
                Some(WALKER) if is_above => {
                    self.stomps += 1;
                    world.despawn(contact.other)?;
                    let along = world[self.hero].velocity().x;
                    world.set_velocity(self.hero, (along, STOMP_SPEED))?;
                }
                Some(WALKER) => return self.die(world),
                _ => {}
            }
        }
        Ok(())
    }

    /// Puts the hero back to the last checkpoint.
    fn die(&mut self, world: &mut World) -> Result<(), CommandError> {
        self.deaths += 1;
        respawn_ram(world)?;
        world.teleport(self.hero, self.respawn_at)?;
        world.knockback(self.hero, (0.0, 0.0), 0)
    }

    /// A turret fires while the hero is near.
    fn fire_turrets(&self, world: &mut World) -> Result<(), CommandError> {
        if !world.tick().is_multiple_of(TURRET_INTERVAL) {
            return Ok(());
        }
        let map = world.map().clone();
        for (turret, properties) in map.markers_with_properties("turret") {
            let distance = world[self.hero].position().to_dvec2().distance(turret.to_dvec2());
            let speed = properties.get("speed").and_then(Value::as_f64).unwrap_or(0.0);
            if distance < TURRET_SIGHT {
                let shot = Body::new(Shape::circle(0.2)).gravity_scale(0.0).response(Response::Stop);
                let shot = shot.collision_mask(CollisionLayers::ALL).mass(0.05).tag(SHOT);
                world.spawn(shot.at(turret).velocity((speed, 0.0)))?;
            }
        }
        Ok(())
    }
}

/// Puts the ram of the last room back to the start of its path, where it waits for the alarm.
fn respawn_ram(world: &mut World) -> Result<(), CommandError> {
    let Some(old) = world.find_platform("ram") else { return Ok(()) };
    let Some(ram) = world.platform(old).map(|state| state.platform().clone()) else { return Ok(()) };
    world.despawn_platform(old)?;
    let ram = world.spawn_platform(ram)?;
    world.pause_platform(ram)
}

fn walk_walkers(world: &mut World) {
    let walkers: Vec<_> = world.tagged(WALKER).map(|(id, _)| id).collect();
    for walker in walkers {
        world.set_input(walker, Patrol::new(0.3).input(world, walker));
    }
}

/// A door is three tiles higher while something lies on its button.
fn move_doors(world: &mut World) -> Result<(), CommandError> {
    let buttons: Vec<_> = world.areas_tagged("button").map(|(id, _)| id).collect();
    for button in buttons {
        let is_open = world.bodies_in(button).next().is_some();
        let door = world.area(button).map(|state| state.area().name.replace("button", "door"));
        let Some((door, closed)) = door.and_then(|name| find_platform(world, &name)) else { continue };
        let Some(state) = world.platform(door) else { continue };
        let (closed, at) = (closed.to_dvec2(), state.position().to_dvec2());
        let (goal, step) = (closed.y + if is_open { 3.0 } else { 0.0 }, DOOR_SPEED * world.settings().tick);
        if at.y != goal {
            world.drive_platform(door, (at.x, at.y + (goal - at.y).clamp(-step, step)))?;
        }
    }
    Ok(())
}

/// Returns a platform of the map and the position where the map has it.
fn find_platform(world: &World, name: &str) -> Option<(PlatformId, Position)> {
    let id = world.find_platform(name)?;
    Some((id, world.platform(id)?.platform().position.ok()?))
}

fn touches_spikes(world: &World, body: BodyId) -> bool {
    world
        .contacts(body)
        .iter()
        .filter_map(|contact| world.map().kind(contact.tile_id))
        .any(|kind| kind.properties.get("deadly").and_then(Value::as_bool) == Some(true))
}
