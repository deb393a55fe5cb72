//! Forms of a terrain: the terrain as seen by bodies that pass some of its tiles.
//!
//! A body's collision layers, and whether it drops through tiles, determine which tiles it passes. Layers that pass the
//! same tiles share a form. So there are as many forms as different sets of passed tiles. A form is baked, with its own
//! joins, when the first such body comes, never within a step. From then on it is loaded and edited together with the
//! terrain. Each form has a form of its own for bodies that drop through.

use super::Terrain;
use crate::map::CollisionLayers;
use crate::version::Version;
use std::sync::Arc;

impl Terrain {
    /// Returns the layers that some tile kind lets pass. Bodies in no such layer hit all tiles.
    #[inline]
    pub(crate) fn layers_let_through(&self) -> CollisionLayers {
        self.lets_pass
    }

    /// Returns the largest set of layers whose bodies hit the same tiles as those in `layers`.
    pub(crate) fn layers_passing_same_tiles(&self, layers: CollisionLayers) -> CollisionLayers {
        self.legend.layers_passing_same_tiles(layers)
    }

    /// Returns the terrain for bodies in `layers`, as if the tiles that let one of the layers pass were empty. It must
    /// be [prepared](Terrain::prepare_collision_layers); otherwise returns the terrain itself.
    pub(crate) fn form_for_layers(&self, layers: CollisionLayers) -> &Terrain {
        if !self.lets_pass.intersects(layers) {
            return self;
        }
        let layers = self.legend.layers_passing_same_tiles(layers);
        self.forms.iter().find(|(own, _)| *own == layers).map_or(self, |(_, form)| form)
    }

    /// Returns whether [`Terrain::form_for_layers`] has a form for bodies in `layers`.
    pub(crate) fn is_prepared_for_layers(&self, layers: CollisionLayers) -> bool {
        !self.lets_pass.intersects(layers) || {
            let layers = self.legend.layers_passing_same_tiles(layers);
            self.forms.iter().any(|(own, _)| *own == layers)
        }
    }

    /// Computes in advance the collision geometry for bodies in collision layers `layers`.
    ///
    /// The call is needed only if some tile kind [lets one of the layers pass](crate::map::TileKind::ignored_by). The
    /// geometry stays up to date when tiles change or chunks load. A [`World`](crate::world::World) makes this call
    /// for the layers of its bodies.
    ///
    /// The call takes time in proportion to the map, or to the loaded chunks of a streamed terrain. If layers that
    /// collide with the same tiles were prepared before, the call does nothing.
    pub fn prepare_collision_layers(&mut self, layers: CollisionLayers) {
        if !self.lets_pass.intersects(layers) {
            return;
        }
        let layers = self.legend.layers_passing_same_tiles(layers);
        if self.forms.iter().all(|(own, _)| *own != layers) {
            let form = if self.is_streamed() {
                self.bake_streamed_form_for_layers(layers)
            } else {
                self.bake_form_for_layers(layers)
            };
            Arc::make_mut(&mut self.forms).push((layers, Arc::new(form)));
        }
    }

    /// Returns the layers for which the terrain is prepared.
    pub(crate) fn prepared_layers(&self) -> impl Iterator<Item = CollisionLayers> {
        self.forms.iter().map(|(layers, _)| *layers)
    }

    /// Returns a copy of the terrain in which the tiles that let `layers` pass are empty.
    fn bake_form_for_layers(&self, layers: CollisionLayers) -> Terrain {
        let dropped = self.dropped.as_ref().map(|dropped| Arc::new(dropped.bake_form_for_layers(layers)));
        let legend = Arc::new(self.legend.without_tiles_passed_by(layers));
        let version = Version::next();
        let mut form = Terrain { dropped, legend, forms: Arc::default(), version, ..self.clone() };
        // Edit each tile to the tile that it has already. This bakes it with the legend of the form.
        let past = self.bounds.end_corner();
        for y in self.bounds.origin.1..past.1 {
            let mut x = self.bounds.origin.0;
            while x < past.0 {
                let (first, stack) = (x, self.stack_at((x, y)));
                x += 1;
                if !form.legend.has_entry_without_shape(stack) {
                    continue;
                }
                while x < past.0 && self.stack_at((x, y)) == stack {
                    x += 1;
                }
                form.bake_rectangle((first, y), (x - 1, y), 0, form.legend.entry_of_stack(stack, 0));
            }
        }
        form
    }

    fn bake_streamed_form_for_layers(&mut self, layers: CollisionLayers) -> Terrain {
        let passed = self.legend.without_tiles_passed_by(layers);
        let dropped = self.dropped.is_some().then(|| passed.without_added_stacks().without_drop_through_tiles());
        let dropped = dropped.map(|legend| Arc::new(Terrain::unloaded(self.borders, self.bounds, legend)));
        let mut form =
            Terrain { dropped, ..Terrain::unloaded(self.borders, self.bounds, passed.without_added_stacks()) };
        let loaded = self.sparse().map(super::directory::Sparse::keys).unwrap_or_default();
        if let Some(mut stream) = self.stream.take() {
            for key in loaded {
                let around = self.entries_around(&mut stream, key);
                form.bake_chunk_in_all_forms(&mut stream, key, &around);
            }
            self.stream = Some(stream);
        }
        form
    }

    /// Returns the forms of this terrain, without forms of forms.
    pub(super) fn terrains_of_forms(&self) -> impl Iterator<Item = &Terrain> {
        self.dropped.iter().chain(self.forms.iter().map(|(_, form)| form)).map(|form| &**form)
    }

    /// Returns the forms of this terrain, to be changed, without forms of forms.
    pub(super) fn terrains_of_forms_mut(&mut self) -> impl Iterator<Item = &mut Terrain> {
        let Terrain { dropped, forms, .. } = self;
        dropped.iter_mut().chain(make_unshared(forms).iter_mut().map(|(_, form)| form)).map(Arc::make_mut)
    }

    /// Returns the forms of this terrain with their layers, to be changed.
    pub(super) fn forms_mut(&mut self) -> &mut [(CollisionLayers, Arc<Terrain>)] {
        make_unshared(&mut self.forms)
    }
}

/// Returns the list unshared. An empty list stays as it is.
fn make_unshared<T: Clone>(list: &mut Arc<Vec<T>>) -> &mut [T] {
    if list.is_empty() { &mut [] } else { Arc::make_mut(list).as_mut_slice() }
}
