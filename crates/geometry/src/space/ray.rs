use super::Triangle3;
use super::check::{SpaceError, coordinates};
use super::pierce::{Line, Pierce, pierce};
use crate::written::written;
use glam::DVec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A half-line: from a point, through another one and on for ever.
///
/// It is kept as two points and not as a point and a direction, so that on which side of an edge it passes is decided
/// exactly. Parameters along it are 0 at its origin and 1 at `through`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Ray3 {
    origin: DVec3,
    through: DVec3,
}

written!(Ray3, "Ray3", SpaceError, origin: DVec3, through: DVec3);

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit3 {
    /// The parameter along the ray, 0 or more.
    pub t: f64,
    /// Where it is.
    pub point: DVec3,
    /// The unit normal of the triangle on the side that the ray comes from.
    pub normal: DVec3,
    /// How much of each corner the point is, none less than 0; together 1.
    pub barycentric: [f64; 3],
}

/// Which triangle a ray meets first, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// Its place in the slice.
    pub index: usize,
    /// Where the ray meets it.
    pub hit: RayHit3,
}

impl Ray3 {
    /// The ray from `origin` through another point, in lengths.
    ///
    /// # Errors
    /// [`SpaceError`] for coordinates that are not finite or beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE), and for
    /// two points that are the same.
    pub fn new(origin: DVec3, through: DVec3) -> Result<Ray3, SpaceError> {
        let (origin, through) = (coordinates(origin)?, coordinates(through)?);
        if origin == through { Err(SpaceError::NoDirection { at: origin }) } else { Ok(Ray3 { origin, through }) }
    }

    /// The ray from `origin` in a direction: through `origin + direction`, rounded to f64.
    ///
    /// # Errors
    /// As [`Ray3::new`]. A direction too short to lead to another f64 is [`SpaceError::NoDirection`].
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::space::{DVec3, Ray3, SpaceError, dvec3};
    ///
    /// let down = Ray3::towards(dvec3(2.0, 9.0, 0.0), DVec3::NEG_Y)?;
    /// assert_eq!(down.through(), dvec3(2.0, 8.0, 0.0));
    /// assert_eq!(Ray3::towards(DVec3::ONE, DVec3::ZERO), Err(SpaceError::NoDirection { at: DVec3::ONE }));
    /// # Ok::<(), SpaceError>(())
    /// ```
    pub fn towards(origin: DVec3, direction: DVec3) -> Result<Ray3, SpaceError> {
        Ray3::new(origin, origin + direction)
    }

    /// Where it begins.
    #[must_use]
    pub const fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The point with the parameter 1.
    #[must_use]
    pub const fn through(&self) -> DVec3 {
        self.through
    }

    /// Where does the ray meet the triangle?
    ///
    /// Edges and corners count in, and so does the origin of a ray that starts on the triangle: that is a hit with the
    /// parameter 0. A triangle seen edge-on is not hit, not even by a ray in its plane. Both sides of it are hit.
    ///
    /// Whether there is a hit is exact for the numbers given; so a ray that meets an edge that two triangles share hits at
    /// least one of them: a mesh without holes is watertight. The parameter and the barycentric coordinates are right to
    /// within [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) of themselves, and so are the sum of the latter and the
    /// normal; the point is within that of the scene's size, and its own rounding.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::space::{DVec3, Ray3, Triangle3, dvec3};
    ///
    /// let wall = Triangle3::new([DVec3::ZERO, dvec3(4.0, 0.0, 0.0), dvec3(0.0, 4.0, 0.0)])?;
    /// let look = |x: f64, y: f64| Ray3::new(dvec3(x, y, 6.0), dvec3(x, y, 3.0));
    /// let hit = look(1.0, 2.0)?.cast_ray(&wall).unwrap();
    /// assert_eq!((hit.t, hit.point, hit.normal), (2.0, dvec3(1.0, 2.0, 0.0), DVec3::Z));
    /// assert_eq!(hit.barycentric, [0.25, 0.25, 0.5]);
    ///
    /// assert_eq!(look(3.0, 2.0)?.cast_ray(&wall), None);
    ///
    /// // At a corner; then edge-on.
    /// assert_eq!(look(4.0, 0.0)?.cast_ray(&wall).unwrap().barycentric, [0.0, 1.0, 0.0]);
    /// assert_eq!(Ray3::new(dvec3(-1.0, 1.0, 0.0), dvec3(0.0, 1.0, 0.0))?.cast_ray(&wall), None);
    /// # Ok::<(), surefoot_geometry::space::SpaceError>(())
    /// ```
    #[must_use]
    pub fn cast_ray(&self, triangle: &Triangle3) -> Option<RayHit3> {
        let line = Line { from: self.origin, to: self.through, is_ray: true };
        let Pierce::Point { t, barycentric, from_behind, .. } = pierce(line, triangle) else { return None };
        let normal = triangle.normal();
        // Subtracting from zero leaves no -0.
        let normal = if from_behind { DVec3::ZERO - normal } else { normal };
        Some(RayHit3 { t, point: self.origin + (self.through - self.origin) * t, normal, barycentric })
    }
}

/// Which of the triangles does the ray meet first, and where?
///
/// Of hits with the same parameter it is the first of the slice. Every triangle is asked; what is closed, edge-on, and
/// exact is as for [`Ray3::cast_ray`]. Parameters are compared as rounded: if two hits are within
/// [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) of each other, either may be the answer.
///
/// # Examples
/// What is under the mouse: the ray through a pixel goes from the near to the far plane of the camera.
/// ```
/// use glam::dcamera::rh::{proj::directx::perspective, view::look_at_mat4};
/// use surefoot_geometry::space::{DVec3, Ray3, Triangle3, dvec3, pick};
///
/// let view = look_at_mat4(dvec3(0.0, 0.0, 10.0), DVec3::ZERO, DVec3::Y);
/// let projection = perspective(std::f64::consts::FRAC_PI_2, 16.0 / 9.0, 0.5, 100.0);
/// let to_world = (projection * view).inverse();
/// let through_pixel = |x: f64, y: f64| {
///     // Pixels of a window of 1920 by 1080, y down, to -1..1, y up.
///     let (x, y) = (x / 960.0 - 1.0, 1.0 - y / 540.0);
///     Ray3::new(to_world.project_point3(dvec3(x, y, 0.0)), to_world.project_point3(dvec3(x, y, 1.0)))
/// };
///
/// // Two triangles that face the camera, one 5 behind the other.
/// let at = |z: f64| Triangle3::new([dvec3(-1.0, -1.0, z), dvec3(1.0, -1.0, z), dvec3(0.0, 1.0, z)]);
/// let scene = [at(-5.0)?, at(0.0)?];
///
/// let nearest = pick(&through_pixel(960.0, 540.0)?, &scene).unwrap();
/// assert_eq!((nearest.index, nearest.hit.normal), (1, DVec3::Z));
/// assert_eq!(pick(&through_pixel(0.0, 0.0)?, &scene), None);
///
/// // At the top corner of the nearer one.
/// let nearest = pick(&Ray3::new(dvec3(0.0, 1.0, 10.0), dvec3(0.0, 1.0, 0.0))?, &scene).unwrap();
/// assert_eq!((nearest.index, nearest.hit.barycentric), (1, [0.0, 0.0, 1.0]));
/// # Ok::<(), surefoot_geometry::space::SpaceError>(())
/// ```
#[must_use]
pub fn pick(ray: &Ray3, triangles: &[Triangle3]) -> Option<Pick> {
    let mut nearest: Option<Pick> = None;
    for (index, triangle) in triangles.iter().enumerate() {
        if let Some(hit) = ray.cast_ray(triangle)
            && nearest.is_none_or(|nearest| hit.t < nearest.hit.t)
        {
            nearest = Some(Pick { index, hit });
        }
    }
    nearest
}
