//! The part of macroquad that the tutorial uses, drawn on a picture in place of a window.
//!
//! The variable `SUREFOOT_KEYS` has the keys that are held, as a script of inputs: a frame is a tick, and the button
//! `dash` stands for the tab key. After the last frame, the picture goes to the file `SUREFOOT_PICTURE`.

use prelude::{Camera2D, Vec2};
use std::cell::RefCell;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use surefoot::Input;
use surefoot::replay::Script;
use surefoot_draw::{Canvas, Paint, PathData, Point, Svg, to_png};

pub use macroquad_macro::main;

/// Size of the picture: that of a new window of macroquad, in pixels.
const SIZE: (f32, f32) = (800.0, 600.0);

thread_local! {
    static PAPER: RefCell<Paper> = RefCell::new(Paper::default());
}

#[derive(Default)]
struct Paper {
    /// Input of the last frame and of this one.
    keys: [Input; 2],
    camera: Option<Camera2D>,
    /// The picture of this frame.
    svg: Option<Svg>,
    /// Lines or triangles of one colour. They are drawn as one shape, so that no seam shows between them.
    pending: (PathData, Option<Paint>),
}

impl Paper {
    /// Returns a point in pixels, and the pixels along one unit of length.
    fn place(&self, x: f32, y: f32) -> (Point, f64) {
        let (width, height) = SIZE;
        let Some(Camera2D { target, zoom, .. }) = self.camera else { return (Point { x: x.into(), y: y.into() }, 1.0) };
        let at = (Vec2::new(x, y) - target) * zoom;
        let at = Point { x: f64::from((1.0 + at.x) / 2.0 * width), y: f64::from((1.0 + at.y) / 2.0 * height) };
        // Round to sixteenths of a pixel: the rounding errors of f32 are smaller.
        let at = Point { x: (16.0 * at.x).round() / 16.0, y: (16.0 * at.y).round() / 16.0 };
        (at, f64::from(zoom.x / 2.0 * width))
    }

    /// Adds a run of points to the shape that is drawn with `paint`.
    fn add(&mut self, paint: Paint, add: impl FnOnce(&mut PathData)) {
        if self.pending.1 != Some(paint) {
            self.draw(|_| {});
        }
        self.pending.1 = Some(paint);
        add(&mut self.pending.0);
    }

    fn draw(&mut self, draw: impl FnOnce(&mut Svg)) {
        let (path, paint) = std::mem::take(&mut self.pending);
        if let Some(svg) = &mut self.svg {
            paint.iter().for_each(|paint| svg.path(&path, paint));
            draw(svg);
        }
    }
}

fn with<T>(change: impl FnOnce(&mut Paper) -> T) -> T {
    PAPER.with_borrow_mut(change)
}

/// The window of a program.
pub struct Window;

impl Window {
    /// Runs a program for as many frames as the script of keys has ticks, and writes the picture of the last frame.
    #[expect(clippy::new_ret_no_self)] // the attribute `main` calls it so
    pub fn new(title: &str, program: impl Future<Output = ()>) {
        let variable = |name| std::env::var(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let script = Script::parse(&variable("SUREFOOT_KEYS")).unwrap_or_else(|error| panic!("{error}"));
        let mut program = pin!(program);
        for run in script.runs() {
            for _ in 0..run.ticks {
                with(|paper| {
                    paper.keys = [paper.keys[1], run.input];
                    paper.svg = Some(Svg::new(SIZE.0.into(), SIZE.1.into(), title));
                });
                let frame = program.as_mut().poll(&mut Context::from_waker(Waker::noop()));
                assert!(frame.is_pending(), "the program ends");
            }
        }
        let svg = with(|paper| {
            paper.draw(|_| {});
            paper.svg.take()
        });
        let png = to_png(&svg.expect("a frame"), 1.0).expect("a picture");
        std::fs::write(variable("SUREFOOT_PICTURE"), png).expect("the picture is written");
    }
}

/// What the programs import.
pub mod prelude {
    use super::{Canvas, Frame, Input, Paint, Point, SIZE, with};
    pub use glam::{Vec2, vec2};

    /// A colour.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub struct Color(u32);

    impl Color {
        /// Creates a colour from `0xrrggbb`.
        #[must_use]
        pub const fn from_hex(rgb: u32) -> Color {
            Color(rgb)
        }

        pub(super) fn to_draw_color(self) -> surefoot_draw::Color {
            surefoot_draw::Color([16, 8, 0].map(|shift| (self.0 >> shift) as u8))
        }
    }

    pub const WHITE: Color = Color(0xffffff);
    pub const LIGHTGRAY: Color = Color(0xc8c8c8);
    pub const ORANGE: Color = Color(0xffa100);
    pub const LIME: Color = Color(0x009e2f);
    pub const YELLOW: Color = Color(0xfdf900);
    pub const GOLD: Color = Color(0xffcb00);
    pub const GREEN: Color = Color(0x00e430);
    pub const RED: Color = Color(0xe62937);

    /// Keys that the tutorial reads.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum KeyCode {
        Left,
        Right,
        Down,
        Space,
        Tab,
        Escape,
    }

    /// What a window shows of the level: the point in its middle, and the scale.
    #[derive(Clone, Copy, Default)]
    pub struct Camera2D {
        pub target: Vec2,
        pub zoom: Vec2,
        pub rotation: f32,
    }

    fn is_down(Input { walk, jump, down, dash, .. }: Input, key: KeyCode) -> bool {
        match key {
            KeyCode::Left => walk < 0,
            KeyCode::Right => walk > 0,
            KeyCode::Down => down,
            KeyCode::Space => jump,
            KeyCode::Tab => dash,
            KeyCode::Escape => false,
        }
    }

    #[must_use]
    pub fn is_key_down(key: KeyCode) -> bool {
        with(|paper| is_down(paper.keys[1], key))
    }

    #[must_use]
    pub fn is_key_pressed(key: KeyCode) -> bool {
        with(|paper| is_down(paper.keys[1], key) && !is_down(paper.keys[0], key))
    }

    #[must_use]
    pub fn screen_width() -> f32 {
        SIZE.0
    }

    #[must_use]
    pub fn screen_height() -> f32 {
        SIZE.1
    }

    #[must_use]
    pub fn get_frame_time() -> f32 {
        1.0 / 60.0
    }

    #[must_use]
    pub fn get_fps() -> i32 {
        60
    }

    pub fn set_camera(camera: &Camera2D) {
        with(|paper| paper.camera = Some(*camera));
    }

    pub fn set_default_camera() {
        with(|paper| paper.camera = None);
    }

    pub fn clear_background(color: Color) {
        let corner = Point { x: 0.0, y: 0.0 };
        let paint = Paint::fill(color.to_draw_color());
        with(|paper| paper.draw(|svg| svg.rect(corner, SIZE.0.into(), SIZE.1.into(), &paint)));
    }

    pub fn draw_line(x1: f32, y1: f32, x2: f32, y2: f32, thickness: f32, color: Color) {
        with(|paper| {
            let ((a, scale), (b, _)) = (paper.place(x1, y1), paper.place(x2, y2));
            let paint = Paint::stroke(color.to_draw_color(), (f64::from(thickness) * scale).round());
            paper.add(paint, |path| path.run([a, b]));
        });
    }

    pub fn draw_triangle(a: Vec2, b: Vec2, c: Vec2, color: Color) {
        with(|paper| {
            // Give all triangles the same winding: where triangles of opposite winding overlap, a hole would appear.
            let corners = if (b - a).perp_dot(c - a) < 0.0 { [a, c, b] } else { [a, b, c] };
            let corners = corners.map(|at| paper.place(at.x, at.y).0);
            paper.add(Paint::fill(color.to_draw_color()), |path| path.polygon(corners));
        });
    }

    pub fn draw_rectangle(x: f32, y: f32, width: f32, height: f32, color: Color) {
        with(|paper| {
            let ((a, _), (b, _)) = (paper.place(x, y), paper.place(x + width, y + height));
            let corner = Point { x: a.x.min(b.x), y: a.y.min(b.y) };
            let paint = Paint::fill(color.to_draw_color());
            paper.draw(|svg| svg.rect(corner, (a.x - b.x).abs(), (a.y - b.y).abs(), &paint));
        });
    }

    pub fn draw_circle(x: f32, y: f32, radius: f32, color: Color) {
        with(|paper| {
            let (centre, scale) = paper.place(x, y);
            let paint = Paint::fill(color.to_draw_color());
            paper.draw(|svg| svg.circle(centre, f64::from(radius) * scale, &paint));
        });
    }

    pub fn draw_text(text: impl AsRef<str>, x: f32, y: f32, size: f32, color: Color) {
        with(|paper| {
            let (at, _) = paper.place(x, y);
            paper.draw(|svg| svg.text(text.as_ref(), at, f64::from(size) / 2.0, color.to_draw_color()));
        });
    }

    /// Ends a frame.
    #[must_use]
    pub fn next_frame() -> Frame {
        Frame(false)
    }
}

/// Waits for the next frame.
pub struct Frame(bool);

impl Future for Frame {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}
