//! naive bake for development
mod piece;
use crate::catalogue::*;
use crate::map::*;
use glam::{I8Vec2, IVec2};
pub(crate) use piece::{Piece, Role};
use std::collections::HashMap;
use std::sync::Arc;

/// t
#[derive(Clone, Debug)]
pub struct Terrain {
    map: Arc<Map>,
    cells: HashMap<(i32, i32), BakedCell>,
    empty: BakedCell,
}
#[derive(Clone, Debug, Default)]
pub(crate) struct BakedCell {
    pieces: Vec<Piece>,
    arcs: usize,
    faces: usize,
    drop: bool,
    solid: bool,
}
impl BakedCell {
    pub(crate) fn drop_through(&self) -> bool {
        self.drop
    }
}
#[derive(Clone, Copy, Debug, PartialEq)]
struct E {
    a: IVec2,
    b: IVec2,
    kind: Kind,
    edge: u8,
}
fn prim(v: IVec2) -> IVec2 {
    let (mut a, mut b) = (v.x.abs(), v.y.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    v / a
}
impl E {
    fn t(&self) -> IVec2 {
        prim(self.b - self.a)
    }
    fn n(&self) -> IVec2 {
        let t = self.t();
        IVec2::new(-t.y, t.x)
    }
}
fn cross(a: IVec2, b: IVec2) -> i32 {
    a.x * b.y - a.y * b.x
}
fn may(a: Kind, b: Kind) -> bool {
    match a {
        Kind::Solid => b == Kind::Solid,
        Kind::Wall => b != Kind::Open,
        Kind::Open => true,
    }
}
fn inside(e: &E, v: IVec2) -> bool {
    cross(e.b - e.a, v - e.a) == 0 && (v - e.a).dot(e.b - e.a) > 0 && (v - e.b).dot(e.a - e.b) > 0
}
fn i8(v: IVec2) -> I8Vec2 {
    v.as_i8vec2()
}

impl Terrain {
    fn virt(&self, x: i32, y: i32) -> Option<(VariantId, bool)> {
        let (w, h) = self.map.size();
        let o = self.map.origin();
        let (cx, cy) = (x - o.0, y - o.1);
        if cx >= 0 && cy >= 0 && cx < w as i32 && cy < h as i32 {
            let e = &self.map.legend()[self.map.cells()[(cy as usize) * w as usize + cx as usize].0 as usize];
            return e.variant.map(|v| (v, e.drop_through));
        }
        let s = self.map.sides();
        let solid = (cx < 0 && s.left == Beyond::Solid)
            || (cy < 0 && s.bottom == Beyond::Solid)
            || (cx >= w as i32 && s.right == Beyond::Solid)
            || (cy >= h as i32 && s.top == Beyond::Solid);
        solid.then(|| (self.map.catalogue().find("full_block").unwrap(), false))
    }
    fn raw(&self, c: (i32, i32), off: IVec2) -> Vec<E> {
        let Some((v, _)) = self.virt(c.0, c.1) else { return vec![] };
        let v = self.map.catalogue().variant(v);
        v.edges
            .iter()
            .enumerate()
            .map(|(i, e)| E { a: e.a.as_ivec2() + off, b: e.b.as_ivec2() + off, kind: v.kind, edge: i as u8 })
            .collect()
    }
    fn remaining(&self, c: (i32, i32), off: IVec2) -> Vec<E> {
        let mut out = vec![];
        for e in self.raw(c, off) {
            let (la, lb) = (e.a - off, e.b - off);
            let dir = if e.kind != Kind::Solid {
                IVec2::ZERO
            } else if la.x == lb.x && (la.x == 0 || la.x == 16) {
                IVec2::new(if la.x == 0 { -1 } else { 1 }, 0)
            } else if la.y == lb.y && (la.y == 0 || la.y == 16) {
                IVec2::new(0, if la.y == 0 { -1 } else { 1 })
            } else {
                IVec2::ZERO
            };
            let mut parts = vec![e];
            if dir != IVec2::ZERO && e.n() == dir {
                for f in self.raw((c.0 + dir.x, c.1 + dir.y), off + dir * 16) {
                    if f.kind != Kind::Solid || f.n() != -dir || cross(e.b - e.a, f.a - e.a) != 0 {
                        continue;
                    }
                    let t = e.t();
                    let mut next = vec![];
                    for p in parts {
                        let (lo, hi) = ((f.b - p.a).dot(t), (f.a - p.a).dot(t));
                        let len = (p.b - p.a).dot(t);
                        let (lo, hi) = (lo.max(0), hi.min(len));
                        if lo >= hi {
                            next.push(p);
                            continue;
                        }
                        if lo > 0 {
                            next.push(E { b: p.a + t * lo, ..p });
                        }
                        if hi < len {
                            next.push(E { a: p.a + t * hi, ..p });
                        }
                    }
                    parts = next;
                }
            }
            out.extend(parts);
        }
        out
    }
    fn bake_cell(&self, c: (i32, i32)) -> BakedCell {
        let Some((v, drop)) = self.virt(c.0, c.1) else { return BakedCell::default() };
        let mut all = vec![];
        for dy in -1..=1 {
            for dx in -1..=1 {
                all.extend(self.remaining((c.0 + dx, c.1 + dy), IVec2::new(dx, dy) * 16));
            }
        }
        let own = self.remaining(c, IVec2::ZERO);
        let (mut arcs, mut faces, mut verts) = (vec![], vec![], vec![]);
        for e in own {
            let mut cuts: Vec<IVec2> = all
                .iter()
                .filter(|f| may(e.kind, f.kind))
                .flat_map(|f| [f.a, f.b])
                .filter(|v| inside(&e, *v))
                .collect();
            let t = e.t();
            cuts.sort_by_key(|v| (*v - e.a).dot(t));
            cuts.dedup();
            let mut pts = vec![e.a];
            pts.extend(cuts);
            pts.push(e.b);
            for w in pts.windows(2) {
                let s = E { a: w[0], b: w[1], ..e };
                let n = s.n();
                let (before, vb) = self.end(&s, &all, true);
                let (after, va) = self.end(&s, &all, false);
                let mk = |role, a, b, normal, before, after, gate, partner| Piece {
                    role,
                    edge: e.edge,
                    a: i8(a),
                    b: i8(b),
                    normal: i8(normal),
                    before: i8(before),
                    after: i8(after),
                    gate: i8(gate),
                    partner: i8(partner),
                };
                faces.push(mk(Role::Face, s.a, s.b, n, before, after, IVec2::ZERO, IVec2::ZERO));
                for (start, x) in [(true, vb), (false, va)] {
                    let Some(x) = x else { continue };
                    let at = if start { s.a } else { s.b };
                    arcs.push(mk(Role::Arc, at, at, IVec2::ZERO, x.p, x.q, x.gate, x.partner));
                    for k in 0..x.axes.len() {
                        let near = if k == 0 { n } else { x.axes[k - 1] };
                        let far = if k + 1 < x.axes.len() { x.axes[k + 1] } else { x.last };
                        let (bf, af) = if start { (far, near) } else { (near, far) };
                        verts.push(mk(Role::Vertex, at, at, x.axes[k], bf, af, x.gate, x.partner));
                    }
                }
            }
        }
        let (na, nf) = (arcs.len(), faces.len());
        let mut pieces = arcs;
        pieces.extend(faces);
        pieces.extend(verts);
        BakedCell { pieces, arcs: na, faces: nf, drop, solid: self.map.catalogue().variant(v).kind == Kind::Solid }
    }
    fn partner(&self, s: &E, all: &[E], start: bool) -> Option<E> {
        let v = if start { s.a } else { s.b };
        let r = if start { s.t() } else { -s.t() };
        let sgn = if start { 1 } else { -1 };
        let mut best: Option<((i32, IVec2), E)> = None;
        for f in all {
            if !may(s.kind, f.kind) {
                continue;
            }
            let has = if start { f.b == v || inside(f, v) } else { f.a == v || inside(f, v) };
            if !has {
                continue;
            }
            let u = if start { -f.t() } else { f.t() };
            let (c, d) = (cross(r, u) * sgn, r.dot(u));
            let class = if c > 0 {
                0
            } else if c == 0 && d < 0 {
                1
            } else if c < 0 {
                2
            } else {
                3
            };
            if best.is_none_or(|((bc, bu), _)| class < bc || (class == bc && cross(u, bu) * sgn > 0)) {
                best = Some(((class, u), *f));
            }
        }
        best.map(|b| b.1)
    }
    fn end(&self, s: &E, all: &[E], start: bool) -> (IVec2, Option<Corner>) {
        let n = s.n();
        let t = s.t();
        let out = if start { -t } else { t };
        let free = |partner: IVec2| {
            let axes = axes(n, out, if start { 1 } else { -1 });
            let last = next_axis(axes.last().copied().unwrap_or(n), if start { 1 } else { -1 });
            let (p, q) = if start { (n, -t) } else { (t, n) };
            Corner { axes, last, p, q, gate: n, partner }
        };
        let first = |c: &Corner| c.axes.first().copied().unwrap_or(c.last);
        match self.partner(s, all, start) {
            None => {
                let c = free(IVec2::ZERO);
                (first(&c), Some(c))
            }
            Some(f) => {
                let c = if start { cross(f.t(), t) } else { cross(t, f.t()) };
                if c > 0 {
                    let oo = s.kind == Kind::Open && f.kind == Kind::Open;
                    return (
                        if oo && n.x * n.y == 0 { out } else { IVec2::ZERO },
                        (s.kind == Kind::Open && f.kind == Kind::Open).then(|| free(f.n())),
                    );
                }
                if c == 0 && t.dot(f.t()) > 0 {
                    return (IVec2::ZERO, None);
                }
                let m = f.n();
                let axes = axes(n, m, if start { 1 } else { -1 });
                let (p, q) = if start { (f.t(), -t) } else { (t, -f.t()) };
                let corner = Corner { axes, last: m, p, q, gate: IVec2::ZERO, partner: IVec2::ZERO };
                let fst = first(&corner);
                let mutual = self.partner(&f, all, !start).is_some_and(|g| {
                    if start { g.a == s.a && g.t() == t || (inside(&g, s.a) && g.t() == t) } else { g.t() == t }
                });
                // arriving edge emits
                if start && mutual { (fst, None) } else { (fst, Some(corner)) }
            }
        }
    }
}
struct Corner {
    axes: Vec<IVec2>,
    last: IVec2,
    p: IVec2,
    q: IVec2,
    gate: IVec2,
    partner: IVec2,
}
fn next_axis(from: IVec2, side: i32) -> IVec2 {
    let list = [IVec2::X, IVec2::Y, -IVec2::X, -IVec2::Y];
    *list
        .iter()
        .filter(|u| cross(from, **u) * side > 0)
        .max_by_key(|u| if cross(from, **u) != 0 { from.dot(**u) } else { i32::MIN })
        .unwrap()
}
fn axes(n: IVec2, m: IVec2, side: i32) -> Vec<IVec2> {
    let mut v = vec![];
    let mut u = next_axis(n, side);
    while cross(n, u) * side > 0 && (cross(n, m) == 0 || cross(u, m) * side > 0) {
        v.push(u);
        u = next_axis(u, side);
        if v.len() > 3 {
            break;
        }
    }
    v
}
/// t
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("tile")]
pub struct TileError;
#[allow(missing_docs)]
impl Terrain {
    pub(crate) fn cell(&self, x: i32, y: i32) -> &BakedCell {
        let (w, h) = self.map.size();
        let o = self.map.origin();
        let k = (x.clamp(o.0 - 2, o.0 + w as i32 + 1), y.clamp(o.1 - 2, o.1 + h as i32 + 1));
        self.cells.get(&k).unwrap_or(&self.empty)
    }
    pub(crate) fn box_pieces<'a>(&'a self, b: &'a BakedCell) -> &'a [Piece] {
        &b.pieces[b.arcs..]
    }
    pub(crate) fn circle_pieces<'a>(&'a self, b: &'a BakedCell) -> &'a [Piece] {
        &b.pieces[..b.arcs + b.faces]
    }
    pub(crate) fn is_solid_kind(&self, b: &BakedCell) -> bool {
        b.solid
    }
    pub fn is_solid(&self, p: surefoot_geometry::Place) -> bool {
        let c = p.cell();
        let Some((v, _)) = self.virt(c.0, c.1) else { return false };
        let v = self.map.catalogue().variant(v);
        if v.kind != Kind::Solid {
            return false;
        }
        let (px, py) = (p.offset().0 as i64, p.offset().1 as i64);
        let mut odd = false;
        for path in &v.paths {
            for i in 0..path.len() {
                let (a, b) = (path[i].as_i64vec2() << 28u32, path[(i + 1) % path.len()].as_i64vec2() << 28u32);
                let cr = (b.x - a.x) as i128 * (py - a.y) as i128 - (b.y - a.y) as i128 * (px - a.x) as i128;
                if cr == 0 && px >= a.x.min(b.x) && px <= a.x.max(b.x) && py >= a.y.min(b.y) && py <= a.y.max(b.y) {
                    return true;
                }
                if (a.y > py) != (b.y > py) && ((cr > 0) == (b.y > a.y)) {
                    odd = !odd;
                }
            }
        }
        odd
    }
    pub fn entry(&self, t: (i32, i32)) -> EntryId {
        self.map.entry_at(t).unwrap_or(EntryId(0))
    }
    pub fn variant(&self, t: (i32, i32)) -> Option<VariantId> {
        self.virt(t.0, t.1).map(|v| v.0)
    }
    pub fn bake(m: &Map) -> Terrain {
        let mut t = Terrain { map: Arc::new(m.clone()), cells: HashMap::new(), empty: BakedCell::default() };
        let (w, h) = m.size();
        let o = m.origin();
        for y in o.1 - 2..=o.1 + h as i32 + 1 {
            for x in o.0 - 2..=o.0 + w as i32 + 1 {
                let b = t.bake_cell((x, y));
                if !b.pieces.is_empty() || b.solid {
                    t.cells.insert((x, y), b);
                }
            }
        }
        t
    }
    pub fn set(&mut self, t: (i32, i32), e: EntryId) -> Result<(), TileError> {
        let mut m = (*self.map).clone();
        m.set_entry(t, e).map_err(|_| TileError)?;
        *self = Terrain::bake(&m);
        Ok(())
    }
    pub fn origin(&self) -> (i32, i32) {
        self.map.origin()
    }
    pub fn size(&self) -> (u32, u32) {
        self.map.size()
    }
}
