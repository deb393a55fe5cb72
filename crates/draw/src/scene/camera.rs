//! The camera selects the part of the world that the window shows.

use crate::View;
use surefoot::Map;
use surefoot::geometry::DVec2;

/// The window in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// A rectangle of the world, in tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower left corner.
    pub low: DVec2,
    /// Upper right corner.
    pub high: DVec2,
}

impl Bounds {
    /// No borders.
    pub const INFINITE: Bounds = Bounds { low: DVec2::NEG_INFINITY, high: DVec2::INFINITY };

    /// Returns the bounds of a map.
    #[must_use]
    pub fn of_map(map: &Map) -> Bounds {
        let ((x, y), (columns, rows)) = (map.origin(), map.size());
        let low = DVec2::new(x.into(), y.into());
        Bounds { low, high: low + DVec2::new(columns.into(), rows.into()) }
    }
}

/// A camera that follows a point smoothly and stays on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// How the camera follows.
    pub settings: CameraSettings,
    centre: DVec2,
    scale: f64,
}

/// How a camera follows its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraSettings {
    /// Rate at which the camera approaches its target on each axis, per second. Larger values follow closer, smaller
    /// ones lag behind.
    pub rate: DVec2,
    /// Look-ahead in seconds of the target's motion to the sides. 0 keeps the target in the middle.
    pub look_ahead_seconds: f64,
    /// Limit of the look-ahead, in tiles.
    pub max_look_ahead_tiles: f64,
    /// Margin beyond the borders that the camera shows, in tiles.
    pub margin_tiles: f64,
}

impl Default for CameraSettings {
    fn default() -> CameraSettings {
        CameraSettings {
            rate: DVec2::new(5.0, 4.0),
            look_ahead_seconds: 0.35,
            max_look_ahead_tiles: 3.0,
            margin_tiles: 0.5,
        }
    }
}

/// Available pixels per tile, smallest first. Whole numbers put the lines between tiles on pixel borders.
pub const SCALES: [f64; 7] = [12.0, 16.0, 24.0, 32.0, 40.0, 48.0, 64.0];

impl Camera {
    /// Creates a camera that looks at a point, in tiles.
    pub fn new(centre: DVec2, scale: f64) -> Camera {
        Camera { settings: CameraSettings::default(), centre, scale }
    }

    /// Returns the pixels per tile.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Sets the pixels per tile. Whole numbers put the lines between tiles on pixel borders.
    ///
    /// # Panics
    /// If `scale` is not a positive finite number.
    pub fn set_scale(&mut self, scale: f64) {
        assert!(scale > 0.0 && scale.is_finite(), "a camera with {scale} pixels per tile; expected a positive number");
        self.scale = scale;
    }

    /// Changes the scale by `steps` of [`SCALES`]; positive zooms in.
    pub fn zoom(&mut self, steps: i32) {
        let now = SCALES.iter().position(|&scale| scale >= self.scale).unwrap_or(SCALES.len() - 1);
        let next = (now as i32).saturating_add(steps).clamp(0, SCALES.len() as i32 - 1);
        self.scale = SCALES[next as usize];
    }

    /// Moves the camera for a frame. `target` and `velocity`: in tiles and tiles per second.
    pub fn follow(&mut self, target: DVec2, velocity: DVec2, seconds: f64, map: Bounds, size: Size) {
        let CameraSettings { rate, look_ahead_seconds, max_look_ahead_tiles, margin_tiles } = self.settings;
        let ahead = (velocity.x * look_ahead_seconds).max(-max_look_ahead_tiles).min(max_look_ahead_tiles);
        let aim = self.clamped_to_map(map, size, target + DVec2::new(ahead, 0.0));
        // Backward Euler never overshoots, however long a frame is.
        let part = rate * seconds / (DVec2::ONE + rate * seconds);
        self.centre = self.clamped_to_map(map, size, self.centre + (aim - self.centre) * part);
        // Keep a fast target inside the window.
        let sight = DVec2::new(size.width, size.height) / (2.0 * self.scale) * 0.8;
        let kept = self.clamped_to_map(map, size, self.centre.clamp(target - sight, target + sight));
        // Keep the target inside the window also when it is outside the map.
        let most = (DVec2::new(size.width, size.height) / (2.0 * self.scale) - margin_tiles).max(DVec2::ZERO);
        self.centre = kept.clamp(target - most, target + most);
    }

    /// Moves the camera to a point at once.
    pub fn jump(&mut self, target: DVec2, map: Bounds, size: Size) {
        self.centre = self.clamped_to_map(map, size, target);
    }

    /// Returns the nearest centre at which the window shows only the map and its margin. If the map is smaller than the
    /// window, returns the middle of the map.
    fn clamped_to_map(&self, map: Bounds, size: Size, centre: DVec2) -> DVec2 {
        let half = DVec2::new(size.width, size.height) / (2.0 * self.scale) - self.settings.margin_tiles;
        let (low, high, middle) = (map.low + half, map.high - half, (map.low + map.high) / 2.0);
        let axis = |low: f64, high: f64, middle: f64, at: f64| if low < high { at.clamp(low, high) } else { middle };
        DVec2::new(axis(low.x, high.x, middle.x, centre.x), axis(low.y, high.y, middle.y, centre.y))
    }

    /// Returns the view of the window. Its corner is on a whole pixel of the world, so that edges do not shimmer.
    pub fn view(&self, size: Size) -> View {
        let pixel = |tiles: f64| (tiles * self.scale).round() / self.scale;
        let half = DVec2::new(size.width, size.height) / (2.0 * self.scale);
        View { left: pixel(self.centre.x - half.x), top: pixel(self.centre.y + half.y), scale: self.scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;

    const SIZE: Size = Size { width: 640.0, height: 320.0 };
    /// In pixels: far below a visible difference, far above the rounding of numbers of some hundred.
    const MAX_ERROR_PIXELS: f64 = 1e-9;
    const MAP: Bounds = Bounds { low: DVec2::ZERO, high: DVec2::new(100.0, 50.0) };

    #[test]
    fn the_window_never_shows_more_than_the_margin_beyond_the_map() {
        // The window shows 20 x 10 tiles: the centre is from 10 - 0.5 to 90 + 0.5, and from 4.5 to 45.5.
        for (target, centre) in [
            (DVec2::new(-50.0, 70.0), DVec2::new(9.5, 45.5)),
            (DVec2::new(99.0, 0.0), DVec2::new(90.5, 4.5)),
            (DVec2::new(50.0, 25.0), DVec2::new(50.0, 25.0)),
        ] {
            let mut camera = Camera::new(DVec2::new(20.0, 20.0), 32.0);
            camera.jump(target, MAP, SIZE);
            assert_eq!(camera.centre, centre);
        }
        let mut camera = Camera::new(DVec2::ZERO, 12.0);
        camera.jump(DVec2::ZERO, Bounds { low: DVec2::ZERO, high: DVec2::new(30.0, 8.0) }, SIZE);
        assert_eq!(camera.centre, DVec2::new(15.0, 4.0), "a map that is smaller stands in the middle");
    }

    #[test]
    fn the_camera_approaches_a_resting_target_from_one_side_at_any_frame_rate() {
        for rate in [24.0, 60.0, 240.0] {
            let mut camera = Camera::new(DVec2::new(20.0, 20.0), 32.0);
            let target = DVec2::new(30.0, 25.0);
            let mut before = camera.centre;
            for _ in 0..(5.0 * rate) as u32 {
                camera.follow(target, DVec2::ZERO, 1.0 / rate, MAP, SIZE);
                let (step, left) = (camera.centre - before, target - camera.centre);
                assert!(step.cmpge(DVec2::ZERO).all() && left.cmpge(DVec2::ZERO).all());
                before = camera.centre;
            }
            // A pixel is 1/32 of a tile.
            assert!((target - camera.centre).abs().max_element() < 1.0 / 32.0, "{rate}: {}", camera.centre);
        }
    }

    #[test]
    fn a_moving_target_stays_in_the_window() {
        let mut camera = Camera::new(DVec2::new(10.0, 10.0), 32.0);
        let mut target = DVec2::new(10.0, 10.0);
        for _ in 0..60 {
            target.x += 1.0;
            camera.follow(target, DVec2::new(60.0, 0.0), 1.0 / 60.0, MAP, SIZE);
            let at = camera.view(SIZE).point(target);
            assert!((0.0..=SIZE.width).contains(&at.x), "{at:?}");
        }
    }

    #[test]
    fn a_target_outside_the_map_stays_in_the_window() {
        let mut camera = Camera::new(DVec2::new(50.0, 45.0), 32.0);
        for step in 0..200 {
            let target = DVec2::new(50.0, 45.0 + f64::from(step) * 0.2);
            camera.follow(target, DVec2::new(0.0, 12.0), 1.0 / 60.0, MAP, SIZE);
            let at = camera.view(SIZE).point(target);
            assert!((0.0..=SIZE.height).contains(&at.y), "{target}: {at:?}");
            // While the target is on the map, the window shows at most half a tile beyond the map's top, which is at
            // 50. The window is 10 tiles high, so its centre is at most at 50 + 0.5 - 5.
            assert!(target.y > 50.0 || camera.centre.y <= 45.5, "{target}: {}", camera.centre);
        }
    }

    #[test]
    fn points_convert_to_the_window_and_back() {
        let view = Camera::new(DVec2::new(12.34, -5.6), 24.0).view(SIZE);
        let at = Point { x: 100.0, y: 77.0 };
        let there = view.point(view.position(at));
        assert!((there.x - at.x).abs() < MAX_ERROR_PIXELS && (there.y - at.y).abs() < MAX_ERROR_PIXELS);
        assert_eq!((view.left * 24.0).fract(), 0.0);
        let (x, y) = view.tile(at);
        assert!(f64::from(x) <= view.left + 100.0 / 24.0 && f64::from(y) <= view.top - 77.0 / 24.0);
    }

    #[test]
    fn zooming_goes_through_the_scales_and_stops_at_their_ends() {
        let mut camera = Camera::new(DVec2::ZERO, 32.0);
        camera.zoom(1);
        assert_eq!(camera.scale(), 40.0);
        camera.zoom(-2);
        assert_eq!(camera.scale(), 24.0);
        camera.zoom(-100);
        assert_eq!(camera.scale(), 12.0);
        camera.zoom(i32::MAX);
        assert_eq!(camera.scale(), 64.0);
    }
}
