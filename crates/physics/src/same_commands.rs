//! Bitwise equality of the commands of two ticks.

use crate::body::{Body, Character};
use crate::command::Command;
use glam::DVec2;

/// Returns whether the commands are equal and in the same order. Numbers are compared by bits, so 0.0 and -0.0 differ.
pub fn are_same(one: &[Command], other: &[Command]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
}

fn is_same(one: &Command, other: &Command) -> bool {
    match (one, other) {
        (Command::Spawn(one), Command::Spawn(other)) => body(one) == body(other),
        (Command::SetVelocity(one, velocity), Command::SetVelocity(other, others))
        | (Command::AddVelocity(one, velocity), Command::AddVelocity(other, others))
        | (Command::MoveBy(one, velocity), Command::MoveBy(other, others)) => {
            one == other && bits(*velocity) == bits(*others)
        }
        (Command::Knockback(one, velocity, ticks), Command::Knockback(other, others, by)) => {
            (one, ticks) == (other, by) && bits(*velocity) == bits(*others)
        }
        (Command::SetBody(one, to), Command::SetBody(other, others)) => one == other && body(to) == body(others),
        (Command::SetCharacter(one, own), Command::SetCharacter(other, others)) => {
            one == other && numbers(**own) == numbers(**others)
        }
        (Command::Carry(one, own, offset), Command::Carry(other, others, by)) => {
            (one, own) == (other, others) && bits(*offset) == bits(*by)
        }
        (Command::Release(one, velocity), Command::Release(other, others)) => {
            one == other && bits(*velocity) == bits(*others)
        }
        (
            Command::Spawn(_)
            | Command::SetVelocity(..)
            | Command::AddVelocity(..)
            | Command::MoveBy(..)
            | Command::Knockback(..)
            | Command::SetBody(..)
            | Command::SetCharacter(..)
            | Command::Carry(..)
            | Command::Release(..),
            _,
        ) => false,
        // Equal numbers of these commands act alike, so 0.0 and -0.0 need no distinction.
        (
            Command::Despawn(_)
            | Command::SetInput(..)
            | Command::Teleport(..)
            | Command::SetTile { .. }
            | Command::SetTiles { .. }
            | Command::SpawnPlatform(_)
            | Command::DespawnPlatform(_)
            | Command::DrivePlatform(..)
            | Command::TeleportPlatform(..)
            | Command::PausePlatform(_)
            | Command::ResumePlatform(_)
            | Command::SetPlatformTile { .. }
            | Command::SetCollisionLayers(..)
            | Command::SetCollisionMask(..)
            | Command::SpawnArea(_)
            | Command::DespawnArea(_)
            | Command::MoveArea(..)
            | Command::SetArea(..)
            | Command::Grab(..)
            | Command::SetShape(..)
            | Command::HitStop(..)
            | Command::SetFacing(..),
            _,
        ) => one == other,
    }
}

fn body(body: &Body) -> impl PartialEq + use<> {
    (body.position, bits(body.velocity), body.bits())
}

fn bits(pair: DVec2) -> [u64; 2] {
    pair.to_array().map(f64::to_bits)
}

fn numbers(mut character: Character) -> impl PartialEq + use<> {
    let numbers = character.numbers().map(|number| number.value.to_bits());
    (character.platform_velocity, character.air_jumps, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Input;
    use crate::event::BodyId;
    use crate::map::TileId;
    use crate::motion::Shape;
    use surefoot_geometry::Position;

    #[test]
    fn commands_are_the_same_if_their_texts_are() {
        let id = BodyId::default();
        let thrown = || Body::new(Shape::circle(0.5)).at((1.5, 2.0)).velocity((1.0, 0.0));
        let walker = |walk_speed: f64| Character { walk_speed, ..Character::default() };
        let bodies = [
            thrown(),
            thrown().velocity((1.0, -0.0)),
            thrown().at((1.5, -2.0)),
            thrown().bounce(0.0),
            thrown().bounce(-0.0),
            thrown().friction(0.5),
            thrown().friction(-0.0),
            thrown().character(walker(0.0)),
            thrown().character(walker(-0.0)),
            Body::new(Shape::aabb(0.5, 0.5)).at((1.5, 2.0)).velocity((1.0, 0.0)),
        ];
        let place = |x| Position::new(x, 0.0).unwrap();
        let mut commands = vec![
            Command::Despawn(id),
            Command::SetInput(id, Input::default()),
            Command::SetInput(id, Input { up: true, ..Input::default() }),
            Command::SetVelocity(id, DVec2::ZERO),
            Command::SetVelocity(id, -DVec2::ZERO),
            Command::SetVelocity(id, DVec2::new(0.0, -0.0)),
            Command::AddVelocity(id, DVec2::ZERO),
            Command::AddVelocity(id, -DVec2::ZERO),
            Command::MoveBy(id, DVec2::ZERO),
            Command::MoveBy(id, -DVec2::ZERO),
            Command::SetBody(id, Box::new(thrown())),
            Command::SetBody(id, Box::new(thrown().friction(-0.0))),
            Command::Teleport(id, place(0.0)),
            Command::Teleport(id, place(1.0)),
            Command::SetTile { layer: 0, tile: (0, 0), tile_id: TileId(1) },
            Command::SetTile { layer: 1, tile: (0, 0), tile_id: TileId(1) },
            Command::SetTiles { layer: 0, from: (0, 0), to: (0, 0), tile_id: TileId(1) },
            Command::SetCharacter(id, Box::new(walker(0.0))),
            Command::SetCharacter(id, Box::new(walker(-0.0))),
        ];
        commands.extend(bodies.map(|body| Command::Spawn(Box::new(body))));
        let text = |commands: &[Command]| ron::to_string(commands).unwrap();
        for one in &commands {
            for other in &commands {
                let (one, other) = ([one.clone()], [other.clone()]);
                assert_eq!(are_same(&one, &other), text(&one) == text(&other), "{one:?} and {other:?}");
            }
        }
        assert!(are_same(&commands, &commands.clone()));
        assert!(!are_same(&commands, &commands[1..]) && !are_same(&[], &commands[..1]) && are_same(&[], &[]));
    }
}
