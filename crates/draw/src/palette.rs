use std::fmt;

/// An opaque colour. Prints as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Color(
    /// Red, green, blue.
    pub [u8; 3],
);

impl Color {
    const fn from_hex(rgb: u32) -> Color {
        Color([(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8])
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Color([red, green, blue]) = self;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Palette {
    /// The air.
    pub background: Color,
    /// The tile grid and the frames of the sheet's tiles.
    pub grid: Color,
    /// The inside of solids.
    pub solid: Color,
    /// A band inside solids along their exposed edges.
    pub rim: Color,
    /// The exposed edges of solids.
    pub edge: Color,
    /// One-sided edges.
    pub open: Color,
    /// Thin walls.
    pub wall: Color,
    /// The bands behind the edges of tiles whose material differs from the default.
    pub materials: MaterialColors,
    /// Outward normals.
    pub normal: Color,
    /// Titles and names.
    pub text: Color,
    /// Secondary text.
    pub quiet_text: Color,
    /// Markers.
    pub marker: Color,
    /// Contacts of bodies and their normals.
    pub contact: Color,
    /// Places that cannot be reached, and presses that must be exact.
    pub unreachable: Color,
    /// Bodies and their paths, used in turn.
    pub bodies: [Color; 6],
}

/// The colours of the bands behind the edges of tiles, by material. Areas and doors use them too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MaterialColors {
    /// Slippery tiles, such as ice. Water and wind have this colour too.
    pub slippery: Color,
    /// Tiles with high friction or traction, and doors.
    pub rough: Color,
    /// Bouncy tiles, and areas that throw bodies.
    pub bouncy: Color,
}

impl Palette {
    /// Light lines on deep blue.
    pub const NIGHT: Palette = Palette {
        background: Color::from_hex(0x0017_1d2b),
        grid: Color::from_hex(0x0022_2b3e),
        solid: Color::from_hex(0x0036_4564),
        rim: Color::from_hex(0x0047_5a80),
        edge: Color::from_hex(0x00c4_d3ee),
        open: Color::from_hex(0x00f2_b35d),
        wall: Color::from_hex(0x00e9_8fa5),
        materials: MaterialColors {
            slippery: Color::from_hex(0x0064_b0d8),
            rough: Color::from_hex(0x009a_6a46),
            bouncy: Color::from_hex(0x00a4_62c8),
        },
        normal: Color::from_hex(0x0062_c6b4),
        text: Color::from_hex(0x00ee_f2fa),
        quiet_text: Color::from_hex(0x008c_9bb8),
        marker: Color::from_hex(0x00ff_e08a),
        contact: Color::from_hex(0x00ff_f6dc),
        unreachable: Color::from_hex(0x00ff_4d5e),
        bodies: [
            Color::from_hex(0x00ff_8f5a),
            Color::from_hex(0x007d_d3fc),
            Color::from_hex(0x00b4_e37a),
            Color::from_hex(0x00d7_a6ff),
            Color::from_hex(0x00ff_d24a),
            Color::from_hex(0x00ff_8fb8),
        ],
    };

    /// Dark lines on warm white, for print.
    pub const PAPER: Palette = Palette {
        background: Color::from_hex(0x00fa_f6ee),
        grid: Color::from_hex(0x00ec_e5d8),
        solid: Color::from_hex(0x00b9_c4d6),
        rim: Color::from_hex(0x00d0_d9e6),
        edge: Color::from_hex(0x0035_4566),
        open: Color::from_hex(0x00b8_6a12),
        wall: Color::from_hex(0x00b0_3a58),
        materials: MaterialColors {
            slippery: Color::from_hex(0x0086_c6e8),
            rough: Color::from_hex(0x00c0_9468),
            bouncy: Color::from_hex(0x00c0_90dc),
        },
        normal: Color::from_hex(0x001f_8f7d),
        text: Color::from_hex(0x0022_2b3e),
        quiet_text: Color::from_hex(0x006f_7a8f),
        marker: Color::from_hex(0x0096_6f00),
        contact: Color::from_hex(0x0022_2b3e),
        unreachable: Color::from_hex(0x00c8_1e32),
        bodies: [
            Color::from_hex(0x00d4_5415),
            Color::from_hex(0x0012_77b5),
            Color::from_hex(0x004f_8a12),
            Color::from_hex(0x0080_40b8),
            Color::from_hex(0x00a3_7b00),
            Color::from_hex(0x00c2_3b75),
        ],
    };
}

impl Default for Palette {
    fn default() -> Palette {
        Palette::NIGHT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_print_in_hex() {
        assert_eq!(Color([255, 0, 10]).to_string(), "#ff000a");
        assert_eq!(Color::from_hex(0x0012_3456), Color([0x12, 0x34, 0x56]));
    }
}
