//! Inputs of characters.

use crate::components::BodyOf;
use crate::physics::Physics;
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
#[cfg(feature = "reflect")]
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use surefoot::body::{Buttons, Input};
use surefoot::event::BodyId;

/// Input of a character: the buttons that it holds. It stays set until you change it.
///
/// Set it in `FixedUpdate`, for example for enemies and for the players of a network game. For keys, use
/// [`CharacterButtons`].
#[derive(Component, Clone, Copy, Default, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "reflect", derive(Reflect, Serialize, Deserialize), serde(transparent))]
#[cfg_attr(feature = "reflect", reflect(opaque, Component, Default, Clone, Debug, PartialEq, Serialize, Deserialize))]
pub struct CharacterControl(pub Input);

/// Keys and sticks of the player who steers a character. Set them in every frame. In each tick, the plugin sets the
/// [`CharacterControl`] from them.
///
/// A frame may have no tick, or several. [`Buttons`] store a press until the next tick.
#[derive(Component, Clone, Copy, Default, PartialEq, Debug)]
#[require(CharacterControl)]
#[cfg_attr(feature = "reflect", derive(Reflect))]
#[cfg_attr(feature = "reflect", reflect(opaque, Component, Default, Clone, Debug, PartialEq, Serialize, Deserialize))]
pub struct CharacterButtons(pub Buttons);

/// A scene says only that there are buttons: what the player holds belongs to the moment.
#[cfg(feature = "reflect")]
impl Serialize for CharacterButtons {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ().serialize(serializer)
    }
}

/// All buttons are up.
#[cfg(feature = "reflect")]
impl<'de> Deserialize<'de> for CharacterButtons {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CharacterButtons, D::Error> {
        <()>::deserialize(deserializer).map(|()| CharacterButtons::default())
    }
}

pub(crate) fn update_control_from_buttons(mut characters: Query<(&mut CharacterButtons, &mut CharacterControl)>) {
    for (mut buttons, mut control) in &mut characters {
        control.set_if_neq(CharacterControl(buttons.0.next_input()));
    }
}

/// Tells the inputs that differ from those that the world has. After a rollback, these are not the inputs that were
/// told last.
pub(crate) fn set_changed_inputs(
    mut physics: ResMut<Physics>,
    characters: Query<(&BodyOf, &CharacterControl)>,
    mut changed: Local<Vec<(BodyId, Input)>>,
) {
    let differs = |id, input| physics.world.get(id).is_some_and(|state| state.input() != input);
    changed.extend(characters.iter().map(|(of, control)| (of.0, control.0)).filter(|&(id, input)| differs(id, input)));
    // A recording stores the commands in the order of the calls, but a query visits entities in an order that depends
    // on their other components. Sorting by id makes the order the same in every run.
    changed.sort_unstable_by_key(|&(id, _)| id);
    for (id, input) in changed.drain(..) {
        physics.world.set_input(id, input);
    }
}
