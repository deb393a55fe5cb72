//! Items for the other crates of the engine, by the paths that they have in this crate. They are not part of the public
//! interface and may change at any time.

pub use surefoot_geometry::debug_is_display;

pub mod area {
    pub use crate::area::*;
}

pub mod catalogue {
    #[cfg(feature = "ron")]
    pub mod format {
        pub use crate::catalogue::format::{Shown, read_catalogue_text};
    }

    pub use crate::catalogue::stack::{ComposedSide, Part, compose};
    pub use crate::catalogue::*;
}

#[cfg(feature = "record")]
pub mod checksum {
    pub use crate::checksum::{Checksum, ChecksumError, Hash, platform_checksum, tile_code};
}

pub mod ids {
    pub use crate::ids::{AreaId, BodyId, CollisionLayers, PlatformId, TileId};
}

#[cfg(feature = "ron")]
pub mod io {
    pub use crate::io::maps::{MapFault, load_named_catalogue};
    pub use crate::io::open::{create_new, open_limited};
    pub use crate::io::*;
}

pub mod lengths {
    pub use crate::lengths::{exact_tiles, position_text, tiles_text};
}

pub mod map {
    #[cfg(feature = "ron")]
    pub mod parse {
        pub use crate::map::text::parse::{FollowOn, check_map_file, read_map_text};
    }

    #[cfg(feature = "ron")]
    pub mod scan {
        pub use crate::map::text::scan::{Layer, Value, scan_map_fields};
    }

    pub mod bodies {
        pub use crate::map::bodies::{
            BODY_NUMBERS, BodyResponse, BodyShape, CHARACTER_NUMBERS, CharacterFields, DEFAULT_JUMP_HEIGHT, HALF_SIZES,
            NumberField, PLATFORM_VELOCITIES, PRESETS,
        };
    }

    #[cfg(feature = "ron")]
    pub mod body_text {
        pub use crate::map::text::body_text::{read_character, read_facing, read_response, read_shape};
    }

    pub use crate::map::error::MAX_FILL;
    pub use crate::map::layer_mask::{check_layers, check_mask};
    pub use crate::map::legend::EMPTY as EMPTY_TILE;
    pub use crate::map::legend::tile_names_to_suggest;
    pub use crate::map::parts::CHUNK_SIDE;
    pub use crate::map::surface::slower_if_same_direction;
    #[cfg(feature = "ron")]
    pub use crate::map::text::area_text::{read_area, written_area};
    #[cfg(feature = "ron")]
    pub use crate::map::text::format::{I64, MapFile, UNITS, read_names, read_units};
    #[cfg(feature = "ron")]
    pub use crate::map::text::platform_text::{read_platform, write_platform};
    #[cfg(feature = "ron")]
    pub use crate::map::text::words::pattern_name_hint;
    pub use crate::map::*;
}

pub mod number {
    pub use crate::number::{Number, changed_numbers};
}

pub mod platform {
    pub use crate::platform::course::Course;
    pub use crate::platform::on_ride::ticks_of;
    pub use crate::platform::*;
}

pub mod range {
    pub use crate::range::{RangeError, check_in_range};
}

#[cfg(feature = "ron")]
pub mod text {
    pub use crate::text::*;
}

pub mod told {
    pub use crate::named_variants;
    pub use surefoot_geometry::debug_is_display;
}

#[cfg(feature = "serde")]
pub mod written_position {
    pub use crate::written_position::{deserialize, serialize};
}
