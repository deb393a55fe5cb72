//! Checks the platforms and areas of a replay.

use super::Checker;
use crate::area::{Area, AreaError, AreaId, AttachedTo, MAX_AREAS};
use crate::command::{CommandError, MAX_PLATFORMS};
use crate::map::MapErrorKind;
use crate::platform::{Platform, PlatformError, PlatformId};
use crate::replay::ReplayErrorKind;
use crate::replay::format::Spot;
use crate::text::Step::{Field, Item};
use crate::text::{Node, Problems, Reader, Shape, Step, Variant};
use crate::tiles::map::{Map, TileLayer, read_area, read_platform};
use surefoot_geometry::Position;

impl Checker<'_> {
    /// Checks a platform that must exist at that tick.
    pub(in crate::replay) fn find_platform(
        &mut self,
        name: &str,
        tick: u64,
        at: &[Step<'static>],
    ) -> Option<PlatformId> {
        self.map?;
        let found = self.things.platforms.id(name);
        if found.is_none() {
            let name = name.to_owned();
            let error = if self.things.platforms.is_removed(&name) {
                ReplayErrorKind::AbsentPlatform { name, tick }
            } else {
                ReplayErrorKind::UnknownPlatform { name, known: self.things.platforms.all_names() }
            };
            self.add_error(at, &[], error);
        }
        found
    }

    /// Checks an area that must exist at that tick.
    pub(in crate::replay) fn find_area(&mut self, name: &str, tick: u64, at: &[Step<'static>]) -> Option<AreaId> {
        self.map?;
        let found = self.things.areas.id(name);
        if found.is_none() {
            let name = name.to_owned();
            let error = if self.things.areas.is_removed(&name) {
                ReplayErrorKind::AbsentArea { name, tick }
            } else {
                ReplayErrorKind::UnknownArea { name, known: self.things.areas.all_names() }
            };
            self.add_error(at, &[], error);
        }
        found
    }

    /// Reads an area. `of`: the area that it replaces. A spawned area is known afterwards even if it has errors.
    pub(in crate::replay) fn check_area<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        node: Node<'t>,
        (of, tick): (Option<AreaId>, u64),
        path_in_file: &[Step<'static>],
    ) -> Option<Area> {
        let layers = self.map.map_or(&[][..], Map::collision_layers);
        let mut found = Problems::new(self.problems.limit);
        let name = name_field_or_empty(reader, node);
        let at = [path_in_file, &[Field("attached_to")]].concat();
        let carrier = |reader: &mut Reader<'t>, node| self.read_carrier(reader, node, tick, &at).unwrap_or_default();
        let area = read_area(reader, node, path_in_file, layers, carrier, &mut found);
        let (known, count) = (self.things.areas.id_by_own_name(&name), self.things.areas.count);
        if known.is_some_and(|known| Some(known) != of) {
            let error = AreaError::Duplicate { name: name.clone() };
            self.add_error(path_in_file, &[Field("name")], ReplayErrorKind::Command(error.into()));
        }
        if of.is_none() && count >= MAX_AREAS {
            self.add_error(path_in_file, &[], ReplayErrorKind::Command(CommandError::TooManyAreas));
        }
        self.add_errors_of_map_reader(found);
        if area.is_none() && of.is_none() {
            self.things.areas.add_thing(&name);
        }
        area
    }

    /// Reads the carrier of an area: the name of a platform, or `Body("name")`.
    fn read_carrier<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        node: Node<'t>,
        tick: u64,
        at: &[Step<'static>],
    ) -> Option<AttachedTo> {
        const BODY: &[Variant] =
            &[Variant { name: "Body", takes: (1, 1), words: "a body's name, such as Body(\"hero\")" }];
        if node.shape() == Shape::Text {
            let name = reader.read_string(node);
            return self.find_platform(&name, tick, at).map(AttachedTo::Platform);
        }
        if node.name().is_empty() {
            reader.report_mismatch(
                node,
                "the name of a platform in double quotes, or a body, such as Body(\"hero\")",
                "",
            );
            return None;
        }
        let (_, values) = reader.read_variant(node, &["Body"], BODY, |_| None)?;
        let name = reader.read_string(*values.first()?);
        let known = self.find_present_body(&name, tick, &[at, &[Item(0)]].concat());
        known.map(|known| AttachedTo::Body(known.id))
    }

    /// Reads a platform. It is known afterwards even if it has errors.
    pub(in crate::replay) fn check_platform<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        node: Node<'t>,
        tick: u64,
        path_in_file: &[Step<'static>],
    ) -> Option<Platform> {
        let name = name_field_or_empty(reader, node);
        let mut found = Problems::new(self.problems.limit);
        // If the map is missing, use an empty map in its place. Then only the form of the platform is checked.
        let other = if self.map.is_none() { Map::from_rows(["."]).ok() } else { None };
        let map = self.map.or(other.as_ref());
        let platform =
            map.and_then(|map| read_platform(reader, node, path_in_file, (map, self.settings.tick), &mut found));
        if self.things.platforms.id_by_own_name(&name).is_some() {
            let error = PlatformError::Duplicate { name: name.clone() };
            self.add_error(path_in_file, &[Field("name")], ReplayErrorKind::Command(error.into()));
        }
        if self.things.platforms.count >= MAX_PLATFORMS {
            self.add_error(path_in_file, &[], ReplayErrorKind::Command(CommandError::TooManyPlatforms));
        }
        let carrier = platform.as_ref().map(|platform| platform.attached_to.clone()).filter(|name| !name.is_empty());
        if let Some(carrier) = carrier {
            let at = [path_in_file, &[Field("attached_to")]].concat();
            let known = self.find_platform(&carrier, tick, &at);
            if known.is_some() && self.things.platforms.id_by_own_name(&carrier).is_none() {
                let error = PlatformError::NoSuchPlatform { name: carrier };
                self.add_error(&at, &[], ReplayErrorKind::Command(error.into()));
            }
        }
        self.add_errors_of_map_reader(found);
        if platform.is_none() {
            self.things.platforms.add_thing(&name);
        }
        platform
    }

    /// Adds errors from the map reader. If the map is unknown, these errors may only result from that, so they are
    /// dropped.
    fn add_errors_of_map_reader(&mut self, found: Problems<MapErrorKind>) {
        if self.map.is_some() {
            for (steps, kind) in found.list {
                self.problems.add(&steps, || ReplayErrorKind::Map(kind));
            }
            self.problems.more += found.more;
        }
    }

    /// Checks a cell of any layer of a platform.
    pub(in crate::replay) fn check_platform_tile(
        &mut self,
        (platform, name): (Option<PlatformId>, &str),
        (x, y): (i64, i64),
        at: &[Step<'static>],
    ) -> Option<(i32, i32)> {
        let contains = |layer: &TileLayer| {
            let (left, bottom) = (i64::from(layer.origin.0), i64::from(layer.origin.1));
            (left..left + i64::from(layer.size.0)).contains(&x)
                && (bottom..bottom + i64::from(layer.size.1)).contains(&y)
        };
        if self.things.layers(platform?).iter().any(contains) {
            return i32::try_from(x).and_then(|x| i32::try_from(y).map(|y| (x, y))).ok();
        }
        self.add_error(at, &[], ReplayErrorKind::TileOutsidePlatform { x, y, name: name.to_owned() });
        None
    }

    /// Returns the index of a platform's named layer, or of the first one without a name.
    pub(in crate::replay) fn find_platform_layer(
        &mut self,
        (platform, of): (Option<PlatformId>, &str),
        name: Option<String>,
        at: &[Step<'static>],
    ) -> Option<usize> {
        let layers = self.things.layers(platform?);
        let Some(name) = name else { return Some(0) };
        let layer = layers.iter().position(|layer| layer.name == name);
        if layer.is_none() {
            let known = layers.iter().map(|layer| layer.name.clone()).collect();
            self.add_error(at, &[], ReplayErrorKind::UnknownPlatformLayer { platform: of.to_owned(), name, known });
        }
        layer
    }

    /// Returns the target of the corner of a platform, or of the origin of an area.
    pub(in crate::replay) fn resolve_corner(
        &mut self,
        name: &str,
        spot: &Spot,
        path_in_file: &[Step<'static>],
    ) -> Option<Position> {
        match *spot {
            Spot::At(x, y) => match Position::new(x, y) {
                Ok(position) => return Some(position),
                Err(error) => {
                    self.add_error(path_in_file, &[], ReplayErrorKind::Platform { name: name.to_owned(), error })
                }
            },
            Spot::Units(x, y) => match Position::from_units(x, y) {
                Some(position) => return Some(position),
                None => self.add_error(path_in_file, &[], ReplayErrorKind::UnitsOutOfRange { x, y }),
            },
            // Reading the position has already refused these.
            Spot::Marker(_) | Spot::OnFloor(_) => {}
        }
        None
    }
}

/// Returns the text in the field `name`, if it is one.
fn name_field_or_empty<'t>(reader: &Reader<'t>, node: Node<'t>) -> String {
    let name = reader.tree.field(node, "name").and_then(|name| ron::from_str(name.slice()).ok());
    name.unwrap_or_default()
}
