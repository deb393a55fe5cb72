//! Bitwise equality of the commands of two ticks.

use crate::command::Command;

/// Returns whether the commands are equal and in the same order. Numbers are compared by bits, so 0.0 and -0.0 differ.
pub fn are_same(one: &[Command], other: &[Command]) -> bool {
    // The encoded bytes also tell 0.0 from -0.0, which `==` does not.
    one == other && postcard::to_allocvec(one) == postcard::to_allocvec(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Body, Character, Facing, Input};
    use crate::event::BodyId;
    use crate::map::TileId;
    use crate::motion::Shape;
    use glam::DVec2;
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
            thrown().facing(Facing::Left),
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
