//! Paints the cells and places that the hero can reach, over the level.

use crate::Mesh;
use crate::reach::Reach;
use surefoot::Map;
use surefoot::geometry::DVec2;
use surefoot_draw::{Palette, Region, View, paint_findings};

/// The mesh of the last answer, in pixels from the map's upper left corner. Cache: does not affect the picture.
#[derive(Default)]
pub(crate) struct ReachCache {
    mesh: Mesh,
    /// Number of the answer and scale for which the mesh was made.
    made_for: Option<(u64, f64)>,
}

impl ReachCache {
    /// Forgets the mesh: another map begins to count its answers again.
    pub(crate) fn clear(&mut self) {
        self.made_for = None;
    }

    /// Adds shaded cells, marked places and the run to a frame. `number`: changes with the answer.
    pub(crate) fn append_to(
        &mut self,
        frame: &mut Mesh,
        map: &Map,
        (reach, number): (&Reach, u64),
        view: &View,
        palette: &Palette,
    ) {
        let ((left, bottom), (_, rows)) = (map.origin(), map.size());
        let top = f64::from(bottom) + f64::from(rows);
        if self.made_for.replace((number, view.scale)) != Some((number, view.scale)) {
            self.mesh.clear();
            let own = View { left: left.into(), top, scale: view.scale };
            paint_findings(&mut self.mesh, &own, &reach.findings, Region::of(map), palette);
        }
        let corner = view.point(DVec2::new(left.into(), top));
        frame.append(&self.mesh, corner.x.round(), corner.y.round());
    }
}
