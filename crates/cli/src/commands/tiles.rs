//! `surefoot tiles`: prints the catalogue as a list or draws it as a sheet.

use super::picture::Target;
use super::{Done, catalogue, exit_code_of_output};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use surefoot::catalogue::{Catalogue, PatternId, PatternKind};
use surefoot_draw::draw_tiles;

/// List the tile patterns and their variants: mirrored (m) and turned clockwise (r1 to r3)
///
/// Each line has the pattern's number, name, kind, number of variants, placements and purpose.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A catalogue of your own instead of the built-in one
    #[arg(long, value_name = "FILE")]
    catalogue: Option<PathBuf>,
    /// Draw a sheet of all variants with their normals; the name ends in .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw the sheet as SVG, for any file name
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw the sheet as PNG, for any file name
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
}

/// Pixels of the PNG for one pixel of the sheet.
const PNG_SCALE: f64 = 1.5;

pub(crate) fn run(arguments: &Arguments) -> Done {
    let output = arguments.output.as_deref().map(Target::new).transpose()?;
    let catalogue = catalogue::load_catalogue_or_builtin(arguments.catalogue.as_deref())?;
    let of_form = |path: &Option<PathBuf>, png| path.as_deref().map(|path| Target::with_fixed_format(path, png));
    let (svg, png) = (of_form(&arguments.svg, false), of_form(&arguments.png, true));
    let targets: Vec<_> = [output.map(Ok), svg, png].into_iter().flatten().collect::<Result<_, _>>()?;
    for target in targets {
        target.write(&draw_tiles(&catalogue), PNG_SCALE)?;
    }
    exit_code_of_output(print_tiles(&catalogue, &mut io::stdout().lock()), ExitCode::SUCCESS)
}

fn print_tiles(catalogue: &Catalogue, out: &mut impl Write) -> io::Result<()> {
    let placements = |id: usize| -> Vec<String> {
        let own = catalogue.variants().iter().filter(|variant| variant.pattern == PatternId(id as u16));
        let words = own.map(|variant| variant.placement.to_string().trim().to_owned());
        // The placement of the unchanged pattern is empty; print r0 for it.
        words.map(|words| if words.is_empty() { "r0".to_owned() } else { words }).collect()
    };
    let names = catalogue.patterns().iter().map(|pattern| pattern.name.chars().count()).max().unwrap_or(0);
    for (i, pattern) in catalogue.patterns().iter().enumerate() {
        let placements = placements(i);
        let (name, kind, count) = (&pattern.name, kind_name(pattern.kind), placements.len());
        let line =
            format!("{i:>3}  {name:<names$}  {kind:<5}  {count}  {:<38}  {}", placements.join(", "), pattern.purpose);
        writeln!(out, "{}", line.trim_end())?;
    }
    let count = catalogue.patterns().len();
    writeln!(out, "{count} pattern{}, {} variants", if count == 1 { "" } else { "s" }, catalogue.variants().len())
}

fn kind_name(kind: PatternKind) -> &'static str {
    match kind {
        PatternKind::Solid => "solid",
        PatternKind::Open => "open",
        PatternKind::Wall => "wall",
    }
}
