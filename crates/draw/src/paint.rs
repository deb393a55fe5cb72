use crate::palette::Color;

/// Fill and stroke of a shape.
///
/// The stroke covers the fill. The opacity applies to the shape as a whole, so overlaps do not show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    /// Colour of the inside.
    pub fill: Option<Color>,
    /// Line along the outline, half of it on either side.
    pub stroke: Option<Stroke>,
    /// Opacity, 0 to 1.
    pub opacity: f64,
    /// Makes ends and joins of the stroke round. Otherwise ends are cut off and joins are pointed, up to four widths.
    pub round: bool,
    /// Dashes of the stroke; `None` for a solid line.
    pub dash: Option<Dash>,
}

/// A line along an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Colour of the line.
    pub color: Color,
    /// Width in pixels.
    pub width: f64,
}

/// Dashes of a line. They start over with each run of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dash {
    /// Length of a dash in pixels.
    pub length: f64,
    /// Gap between two dashes in pixels.
    pub gap: f64,
}

impl Paint {
    /// Creates a fill without a stroke. The overlap of two outlines with the same winding is filled once.
    #[must_use]
    pub const fn fill(color: Color) -> Paint {
        Paint { fill: Some(color), stroke: None, opacity: 1.0, round: false, dash: None }
    }

    /// Creates a stroke without a fill. `width`: in pixels.
    #[must_use]
    pub const fn stroke(color: Color, width: f64) -> Paint {
        let stroke = Some(Stroke { color, width });
        Paint { fill: None, stroke, opacity: 1.0, round: false, dash: None }
    }

    /// Adds a fill.
    #[must_use]
    pub const fn filled(self, color: Color) -> Paint {
        Paint { fill: Some(color), ..self }
    }

    /// Makes ends and joins of the stroke round.
    #[must_use]
    pub const fn round(self) -> Paint {
        Paint { round: true, ..self }
    }

    /// Dashes the stroke. `length` and `gap`: in pixels.
    #[must_use]
    pub const fn dashed(self, length: f64, gap: f64) -> Paint {
        Paint { dash: Some(Dash { length, gap }), ..self }
    }

    /// Sets the opacity, 0 to 1.
    #[must_use]
    pub const fn opacity(self, opacity: f64) -> Paint {
        Paint { opacity, ..self }
    }
}
