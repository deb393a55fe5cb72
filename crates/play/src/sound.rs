//! Sounds of the game, made by code.

use crate::wave::on_circle;

/// A sound of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sound {
    /// The hero jumps.
    Jump,
    /// The hero lands after a fall.
    Land,
    /// The hero takes a coin.
    Coin,
    /// A platform crumbles.
    Break,
}

/// Number of samples per second.
const RATE: u32 = 22_050;

/// Largest sample: half of the range.
const VOLUME: f64 = 16_000.0;

/// Number of bytes before the samples.
const HEADER_BYTES: u32 = 44;

impl Sound {
    /// All sounds.
    pub const ALL: [Sound; 4] = [Sound::Jump, Sound::Land, Sound::Coin, Sound::Break];

    /// Returns the sound as the bytes of a WAV file: one channel with 16 bits a sample.
    #[must_use]
    pub fn wav(self) -> Vec<u8> {
        let samples = self.samples();
        let bytes = samples.len() as u32 * 2;
        let mut file = Vec::with_capacity((HEADER_BYTES + bytes) as usize);
        file.extend(b"RIFF");
        file.extend((HEADER_BYTES - 8 + bytes).to_le_bytes());
        file.extend(b"WAVEfmt ");
        file.extend(16_u32.to_le_bytes());
        // Format 1 means uncompressed samples. There is one channel.
        file.extend([1_u16, 1].map(u16::to_le_bytes).concat());
        file.extend([RATE, RATE * 2].map(u32::to_le_bytes).concat());
        // A sample has 2 bytes in all channels together, and 16 bits in each channel.
        file.extend([2_u16, 16].map(u16::to_le_bytes).concat());
        file.extend(b"data");
        file.extend(bytes.to_le_bytes());
        file.extend(samples.into_iter().flat_map(i16::to_le_bytes));
        file
    }

    /// Returns the length in seconds.
    fn seconds(self) -> f64 {
        match self {
            Sound::Jump => 0.14,
            Sound::Land => 0.09,
            Sound::Coin => 0.28,
            Sound::Break => 0.3,
        }
    }

    fn samples(self) -> Vec<i16> {
        let count = (self.seconds() * f64::from(RATE)) as u32;
        let (mut turns, mut noise) = (0.0, 1_u32);
        let sample = (0..count).map(|i| {
            let (time, part) = (f64::from(i) / f64::from(RATE), f64::from(i) / f64::from(count));
            // The high bits of a linear congruential generator are the noise.
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let hiss = f64::from(noise >> 16) / 32_768.0 - 1.0;
            let (hertz, noisy) = match self {
                Sound::Jump => (260.0 + 420.0 * part, 0.0),
                Sound::Land => (130.0 - 60.0 * part, 0.25),
                Sound::Coin => (if time < 0.07 { 988.0 } else { 1319.0 }, 0.0),
                Sound::Break => (90.0 - 40.0 * part, 0.7),
            };
            turns += hertz / f64::from(RATE);
            let wave = on_circle(turns).y * (1.0 - noisy) + hiss * noisy;
            // The sound rises within a few milliseconds and fades to nothing, so that it does not click.
            let loudness = (time / 0.004).min(1.0) * (1.0 - part) * (1.0 - part);
            (wave * loudness * VOLUME) as i16
        });
        sample.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sound_is_a_whole_file_that_begins_and_ends_in_silence() {
        let mut files = Vec::new();
        for sound in Sound::ALL {
            let file = sound.wav();
            let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"));
            assert_eq!((&file[..4], &file[8..16], &file[36..40]), (&b"RIFF"[..], &b"WAVEfmt "[..], &b"data"[..]));
            assert_eq!((number(4) as usize, number(40) as usize), (file.len() - 8, file.len() - 44));
            assert_eq!((number(24), number(28)), (RATE, RATE * 2));
            let samples: Vec<i16> =
                file[44..].chunks(2).map(|pair| i16::from_le_bytes(pair.try_into().expect("two bytes"))).collect();
            let loudest = samples.iter().map(|sample| sample.unsigned_abs()).max().unwrap_or(0);
            assert!((4_000..=VOLUME as u16).contains(&loudest), "{sound:?}: {loudest}");
            let quiet = |sample: Option<&i16>| sample.is_some_and(|sample| sample.unsigned_abs() < 100);
            assert!(quiet(samples.first()) && quiet(samples.last()), "{sound:?}");
            assert!(!files.contains(&file));
            files.push(file);
        }
    }

    /// Counts the rises through zero: the coin's second tone has 1319 a second.
    #[test]
    fn tones_have_their_pitch() {
        let samples = Sound::Coin.samples();
        let from = samples.len() / 2;
        let rises = samples[from..].windows(2).filter(|pair| pair[0] < 0 && pair[1] >= 0).count();
        let hertz = rises as f64 * f64::from(RATE) / (samples.len() - from) as f64;
        assert!((hertz - 1319.0).abs() < 30.0, "{hertz}");
    }
}
