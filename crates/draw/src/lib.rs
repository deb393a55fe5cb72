//! Pictures of maps, tiles and runs as SVG and PNG.
