use super::Triangle3;
use super::check::{SpaceError, check_coordinates};
use super::pierce::{Line, Pierce, pierce};
use crate::written::written;
use glam::DVec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A half-line in 3D that starts at a point and passes through a second point.
///
/// Queries give positions on the ray as a number `t`: 0 is the `origin`, 1 is the second point `through`, and larger
/// numbers are beyond `through`.
///
/// The ray stores two points instead of a point and a direction. Queries can therefore decide exactly on which side
/// of the ray an edge of a triangle lies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Ray3 {
    origin: DVec3,
    through: DVec3,
}

written!(Ray3, "Ray3", SpaceError, origin: DVec3, through: DVec3);

/// A hit of a ray on a triangle, returned by [`Ray3::cast_ray`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit3 {
    /// Position of the hit along the ray, as `origin + t * (through - origin)`: 0 at `origin`, 1 at `through`, larger
    /// beyond.
    pub t: f64,
    /// Position of the hit.
    pub point: DVec3,
    /// Normal of the triangle as a unit vector, on the side from which the ray comes.
    pub normal: DVec3,
    /// Barycentric coordinates of the hit: the weight of each of the three corners. The hit is at the weighted mean
    /// of the corners.
    ///
    /// Each is 0 or more, and their sum is 1. Use them to interpolate values such as texture coordinates.
    pub barycentric: [f64; 3],
}

/// The first triangle that a ray hits, with the hit. Returned by [`pick`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// Index of the triangle in the slice given to [`pick`].
    pub index: usize,
    /// The hit of the ray on the triangle.
    pub hit: RayHit3,
}

impl Ray3 {
    /// Creates the ray from `origin` through the point `through`.
    ///
    /// # Errors
    /// Returns [`SpaceError`] if
    /// - a coordinate is not finite or its absolute value exceeds [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or the two points are equal.
    pub fn new(origin: DVec3, through: DVec3) -> Result<Ray3, SpaceError> {
        let (origin, through) = (check_coordinates(origin)?, check_coordinates(through)?);
        if origin == through { Err(SpaceError::NoDirection { at: origin }) } else { Ok(Ray3 { origin, through }) }
    }

    /// Creates the ray from `origin` in the direction `direction`, of any length above 0.
    ///
    /// The ray passes through the point `origin + direction`, rounded to f64.
    ///
    /// # Errors
    /// - Returns the errors of [`Ray3::new`].
    /// - Returns [`SpaceError::NoDirection`] also if `direction` is so short that `origin + direction` rounds to
    ///   `origin`.
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

    /// Returns the point where the ray starts.
    #[must_use]
    pub const fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Returns the second point that defines the ray: the point at `t` = 1 in query results. The ray goes on beyond
    /// this point.
    #[must_use]
    pub const fn through(&self) -> DVec3 {
        self.through
    }

    /// Returns the hit of the ray on `triangle`, from either side; `None` if the ray misses.
    ///
    /// - The edges and corners of the triangle can be hit.
    /// - A ray that starts on the triangle hits it at `t` = 0.
    /// - A ray in the plane of the triangle misses it.
    ///
    /// Hit or miss is exact for the numbers given. A ray through an edge that two triangles share hits at least one
    /// of them. A ray can therefore not slip through a mesh without holes.
    ///
    /// Accuracy, with [`ROUNDING`](crate::tolerance::ROUNDING) = 2^-50:
    /// - `t`, the barycentric coordinates and the sum of these coordinates have a relative error of at most
    ///   `ROUNDING`.
    /// - The normal has an error of at most `ROUNDING`.
    /// - The point has an error of at most `ROUNDING` times the scene's size, plus the rounding of the point to f64.
    ///   The scene's size is the largest difference between two coordinates of ray and triangle.
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
        // Subtract from zero so that no component becomes -0.
        let normal = if from_behind { DVec3::ZERO - normal } else { normal };
        Some(RayHit3 { t, point: self.origin + (self.through - self.origin) * t, normal, barycentric })
    }
}

/// Returns the first triangle of `triangles` that `ray` hits, with the hit; `None` if the ray misses all of them.
///
/// The function tests every triangle with [`Ray3::cast_ray`] and returns the hit with the smallest `t`. If two hits
/// have the same `t`, the triangle with the lower index wins. If two values of `t` differ by at most
/// [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) (2^-50), rounding decides which of the two hits is returned.
///
/// # Examples
/// Mouse picking: the ray through a pixel goes from the near to the far plane of the camera.
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
