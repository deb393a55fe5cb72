mod piece;
pub(crate) use piece::{Piece, Role};
#[derive(Clone, Debug)]
pub struct Terrain {}
pub(crate) struct BakedCell {}
impl BakedCell {
    pub(crate) fn drop_through(&self) -> bool {
        false
    }
}
impl Terrain {
    pub(crate) fn cell(&self, _x: i32, _y: i32) -> &BakedCell {
        &BakedCell {}
    }
    pub(crate) fn box_pieces(&self, _b: &BakedCell) -> &[Piece] {
        &[]
    }
    pub(crate) fn circle_pieces(&self, _b: &BakedCell) -> &[Piece] {
        &[]
    }
    pub(crate) fn is_solid_kind(&self, _b: &BakedCell) -> bool {
        false
    }
    pub fn is_solid(&self, _p: surefoot_geometry::Place) -> bool {
        false
    }
    pub fn entry(&self, _t: (i32, i32)) -> crate::map::EntryId {
        crate::map::EntryId(0)
    }
    pub fn variant(&self, _t: (i32, i32)) -> Option<crate::catalogue::VariantId> {
        None
    }
}
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("tile")]
pub struct TileError;
impl Terrain {
    pub fn bake(_m: &crate::map::Map) -> Terrain {
        Terrain {}
    }
    pub fn set(&mut self, _t: (i32, i32), _e: crate::map::EntryId) -> Result<(), TileError> {
        Ok(())
    }
    pub fn origin(&self) -> (i32, i32) {
        (0, 0)
    }
    pub fn size(&self) -> (u32, u32) {
        (0, 0)
    }
}
