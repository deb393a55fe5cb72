use crate::palette::Color;

/// How a shape is filled and stroked.
///
/// Where it is both, the stroke lies over the fill. The opacity is that of the shape as a whole: nothing shows twice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    /// The colour inside.
    pub fill: Option<Color>,
    /// The line along the outline, half of it on either side.
    pub stroke: Option<Stroke>,
    /// 0 to 1.
    pub opacity: f64,
    /// Whether ends and joins of the stroke are round. Ends are cut off otherwise, and joins pointed, up to four widths.
    pub round: bool,
    /// If the stroke is not whole.
    pub dash: Option<Dash>,
}

/// A line along an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub color: Color,
    /// Its width in pixels.
    pub width: f64,
}

/// Pieces of a line, beginning anew with each run of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dash {
    /// How long each piece is, in pixels.
    pub length: f64,
    /// How far one is from the next, in pixels.
    pub gap: f64,
}

impl Paint {
    /// Filled, without a stroke. What is inside two outlines of the same turn is filled once.
    #[must_use]
    pub const fn fill(color: Color) -> Paint {
        Paint { fill: Some(color), stroke: None, opacity: 1.0, round: false, dash: None }
    }

    /// Stroked with a line of that width in pixels, not filled.
    #[must_use]
    pub const fn stroke(color: Color, width: f64) -> Paint {
        let stroke = Some(Stroke { color, width });
        Paint { fill: None, stroke, opacity: 1.0, round: false, dash: None }
    }

    /// With a fill, too.
    #[must_use]
    pub const fn filled(self, color: Color) -> Paint {
        Paint { fill: Some(color), ..self }
    }

    /// With round ends and joins of the stroke.
    #[must_use]
    pub const fn round(self) -> Paint {
        Paint { round: true, ..self }
    }

    /// With dashes and gaps of those lengths in pixels.
    #[must_use]
    pub const fn dashed(self, length: f64, gap: f64) -> Paint {
        Paint { dash: Some(Dash { length, gap }), ..self }
    }

    /// With an opacity, 0 to 1.
    #[must_use]
    pub const fn opacity(self, opacity: f64) -> Paint {
        Paint { opacity, ..self }
    }
}
