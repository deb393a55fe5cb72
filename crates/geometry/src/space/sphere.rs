use super::check::{SpaceError, check_coordinates, check_radius};
use super::formula::{Beyond, length_sq, unit};
use crate::exact_arith::formula::{evaluate, sign};
use crate::tolerance::TOUCH;
use crate::written::written;
use glam::DVec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A solid sphere (ball) around a centre.
///
/// A sphere with radius 0 is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Sphere {
    center: DVec3,
    radius: f64,
}

written!(Sphere, "Sphere", SpaceError, center: DVec3, radius: f64);

/// A contact between two spheres that touch or overlap, returned by [`Sphere::contact`].
///
/// After `a.contact(&b)`, a move of `a` by `depth * normal` separates `a` from `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact3 {
    /// Contact point: the point of the other sphere's surface that is deepest in this sphere.
    pub point: DVec3,
    /// Contact normal: a unit vector that points from the other sphere to this sphere.
    pub normal: DVec3,
    /// Penetration depth: how far this sphere must move along the normal until the two spheres only touch.
    ///
    /// The depth is above 0 if the spheres overlap. If the spheres only touch, the depth is from
    /// -[`tolerance::TOUCH`](crate::tolerance::TOUCH) (-2^-24) to 0; a negative depth is a gap.
    pub depth: f64,
}

impl Sphere {
    /// Creates the sphere around `center` with radius `r`.
    ///
    /// # Errors
    /// Returns [`SpaceError`] if
    /// - a coordinate is not finite or its absolute value exceeds [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or `r` is not a number from 0 to [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::space::{DVec3, SpaceError, Sphere};
    ///
    /// assert!(Sphere::new(DVec3::ZERO, 0.5).is_ok());
    /// assert_eq!(Sphere::new(DVec3::ZERO, -0.5), Err(SpaceError::BadRadius { radius: -0.5 }));
    /// ```
    pub fn new(center: DVec3, r: f64) -> Result<Sphere, SpaceError> {
        Ok(Sphere { center: check_coordinates(center)?, radius: check_radius(r)? })
    }

    /// Returns the centre.
    #[must_use]
    pub const fn center(&self) -> DVec3 {
        self.center
    }

    /// Returns the radius, 0 or more.
    #[must_use]
    pub const fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns whether the interiors of the spheres overlap; exact for the numbers given.
    ///
    /// Spheres that only touch do not overlap. A sphere of radius 0 is a point: it overlaps a larger sphere if it is
    /// strictly inside, and never another point.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::space::{DVec3, Sphere, dvec3};
    ///
    /// let ball = Sphere::new(DVec3::ZERO, 2.0)?;
    /// assert!(ball.overlaps(&Sphere::new(dvec3(2.0, 1.0, 2.0), 1.5)?));
    /// assert!(!ball.overlaps(&Sphere::new(dvec3(2.0, 1.0, 2.0), 0.5)?));
    /// // The centres are 3 apart: with a radius of 1 they only touch.
    /// assert!(!ball.overlaps(&Sphere::new(dvec3(2.0, 1.0, 2.0), 1.0)?));
    /// # Ok::<(), surefoot_geometry::space::SpaceError>(())
    /// ```
    #[must_use]
    pub fn overlaps(&self, other: &Sphere) -> bool {
        sign(&self.gap_formula(other, 0.0)) < 0.0
    }

    /// Returns whether the spheres touch, with a tolerance: at most [`tolerance::TOUCH`](crate::tolerance::TOUCH)
    /// (2^-24) apart, or at most that deep in each other.
    ///
    /// So the distance between their centres differs from the sum of their radii by at most `TOUCH`. The comparison
    /// is made without rounding.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::space::{DVec3, Sphere, dvec3};
    /// use surefoot_geometry::tolerance::TOUCH;
    ///
    /// let ball = Sphere::new(DVec3::ZERO, 1.0)?;
    /// assert!(ball.touches(&Sphere::new(dvec3(0.0, 3.0, 0.0), 2.0)?));
    /// assert!(!ball.touches(&Sphere::new(dvec3(0.0, 2.5, 0.0), 2.0)?));
    /// assert!(ball.touches(&Sphere::new(dvec3(0.0, 3.0 + TOUCH, 0.0), 2.0)?));
    /// assert!(!ball.touches(&Sphere::new(dvec3(0.0, 3.0 + 1.5 * TOUCH, 0.0), 2.0)?));
    /// # Ok::<(), surefoot_geometry::space::SpaceError>(())
    /// ```
    #[must_use]
    pub fn touches(&self, other: &Sphere) -> bool {
        // If the radii add up to less than `TOUCH`, the lower bound of the distance is negative and must not be
        // squared. Then the upper bound decides alone.
        let is_near = sign(&self.gap_formula(other, TOUCH)) <= 0.0;
        is_near && (self.radius + other.radius <= TOUCH || sign(&self.gap_formula(other, -TOUCH)) >= 0.0)
    }

    /// Returns the shortest distance between the spheres; 0.0 if they touch or overlap, and only then.
    ///
    /// The relative error is at most [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) (2^-50).
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::space::{DVec3, Sphere, dvec3};
    ///
    /// let ball = Sphere::new(DVec3::ZERO, 1.0)?;
    /// assert_eq!(ball.distance(&Sphere::new(dvec3(2.0, 1.0, 2.0), 0.5)?), 1.5);
    /// assert_eq!(ball.distance(&Sphere::new(dvec3(2.0, 1.0, 2.0), 2.5)?), 0.0);
    /// assert_eq!(ball.distance(&Sphere::new(dvec3(2.0, 1.0, 2.0), 2.0)?), 0.0);
    /// # Ok::<(), surefoot_geometry::space::SpaceError>(())
    /// ```
    #[must_use]
    pub fn distance(&self, other: &Sphere) -> f64 {
        // Adding zero turns -0 into 0.
        self.gap(other).max(0.0) + 0.0
    }

    /// Returns the contact between the spheres; `None` if they neither overlap nor touch.
    ///
    /// For spheres with the same centre, every direction is equally short. The normal is then (0, 1, 0).
    ///
    /// Accuracy: the relative error of the depth and the error of the normal are at most
    /// [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) (2^-50). The error of the point is at most 2^-50 of the
    /// scene's size, plus the rounding of the point to f64. The scene's size is the largest difference between two
    /// coordinates of both spheres, radii included.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::space::{DVec3, Sphere, dvec3};
    ///
    /// let ground = Sphere::new(DVec3::ZERO, 2.0)?;
    /// let contact = Sphere::new(dvec3(0.0, 2.5, 0.0), 1.0)?.contact(&ground).unwrap();
    /// assert_eq!((contact.point, contact.normal, contact.depth), (dvec3(0.0, 2.0, 0.0), DVec3::Y, 0.5));
    ///
    /// assert_eq!(Sphere::new(dvec3(0.0, 4.0, 0.0), 1.0)?.contact(&ground), None);
    /// assert_eq!(Sphere::new(dvec3(0.0, 3.0, 0.0), 1.0)?.contact(&ground).unwrap().depth, 0.0);
    /// # Ok::<(), surefoot_geometry::space::SpaceError>(())
    /// ```
    #[must_use]
    pub fn contact(&self, other: &Sphere) -> Option<Contact3> {
        if !self.overlaps(other) && !self.touches(other) {
            return None;
        }
        let normal = unit(self.center - other.center).unwrap_or(DVec3::Y);
        // Rounding may make the gap larger than the touch tolerance, so limit the depth to at least `-TOUCH`.
        let depth = (-self.gap(other)).max(-TOUCH) + 0.0;
        Some(Contact3 { point: other.center + normal * other.radius, normal, depth })
    }

    /// Returns the distance between the surfaces, negative for overlapping spheres.
    ///
    /// With the distance d of the centres and the sum s of the radii: d - s = (d² - s²) / (d + s). No rounded numbers
    /// cancel in it.
    fn gap(&self, other: &Sphere) -> f64 {
        let beyond = evaluate(&self.gap_formula(other, 0.0));
        if beyond == 0.0 {
            return 0.0;
        }
        beyond / (length_sq(self.center - other.center).sqrt() + (self.radius + other.radius))
    }

    fn gap_formula(&self, other: &Sphere, slack: f64) -> Beyond {
        Beyond { difference: (self.center, other.center), reach: [self.radius, other.radius, slack] }
    }
}
