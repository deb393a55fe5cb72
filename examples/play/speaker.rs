//! Plays the sounds of the game.

use macroquad::audio::{Sound as Loaded, load_sound_from_bytes, play_sound_once};
use surefoot_play::Sound;

/// The loaded sounds. A sound that cannot be loaded is left out.
pub(crate) struct Speaker(Vec<(Sound, Loaded)>);

impl Speaker {
    pub(crate) async fn new() -> Speaker {
        let mut loaded = Vec::new();
        for sound in Sound::ALL {
            match load_sound_from_bytes(&sound.wav()).await {
                Ok(own) => loaded.push((sound, own)),
                Err(error) => eprintln!("no sound {sound:?}: {error}"),
            }
        }
        Speaker(loaded)
    }

    pub(crate) fn play(&self, sound: Sound) {
        self.0.iter().filter(|(own, _)| *own == sound).for_each(|(_, loaded)| play_sound_once(loaded));
    }
}
