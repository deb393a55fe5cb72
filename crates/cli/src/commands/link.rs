//! `surefoot link`: puts a run into a link, and takes it out again.

use super::{Done, print};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use surefoot::io::{read_text, write_atomic};
use surefoot::record::{Inputs, Recording, RecordingFile};
use surefoot::replay::{MapSource, Replay};
use surefoot_link::{Link, LinkError};

/// Put a run into a link, or take it out of one
///
/// The browser's page of surefoot opens the link and plays the run. The link contains a checksum each 10 seconds and
/// the last one. `surefoot replay` checks such a link. RUN may also be the recording of a game with rules of its own,
/// or the .run.ron file that the play window saves. Only a page with this game can play that link.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A replay, a recording or a .run.ron file. Of a link, or a file with a link, the tool writes the text
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Address of the page that opens the link [default: only the part from # on is written]
    #[arg(long, value_name = "ADDRESS", default_value = "", hide_default_value = true)]
    page: String,
    /// Only name the map, which the page must have: a shorter link
    #[arg(long)]
    by_name: bool,
    /// File for the link or the text [default: the standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Number of characters that an address may have before its `#`.
const MAX_PAGE: u64 = 1 << 12;

pub(crate) fn run(arguments: &Arguments) -> Done {
    let written = match find_link(&arguments.run) {
        Some(link) => replay_text_of_link(&link?)?,
        None => {
            format!("{}{}\n", arguments.page.split('#').next().unwrap_or_default(), link_from_arguments(arguments)?)
        }
    };
    match &arguments.output {
        Some(path) => write_atomic(path, written.as_bytes())?,
        None => print(&written)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the link that an argument is, or that the file of this name holds. Returns `None` for another file.
pub(super) fn find_link(argument: &Path) -> Option<Result<Link, LinkError>> {
    let text = argument.to_str().filter(|text| Link::is_link(text) && !argument.exists()).map(str::to_owned);
    let text = text.or_else(|| read_text(argument, Link::MAX_CHARACTERS as u64 + MAX_PAGE).ok());
    text.filter(|text| Link::is_link(text)).map(|text| Link::parse(&text))
}

fn replay_text_of_link(link: &Link) -> Result<String, Box<dyn Error>> {
    let name = link.name();
    let text = link.text().ok_or_else(|| {
        format!("the link only names {name}; expected a link with the run in it: the name, `=` and the packed text")
    })?;
    Ok(text.to_owned())
}

fn link_from_arguments(arguments: &Arguments) -> Result<Link, Box<dyn Error>> {
    let path = arguments.run.display();
    let name = arguments.run.file_name().unwrap_or_default().to_string_lossy();
    if Link::is_run(&name) {
        return Ok(Link::new(
            &Link::allowed_name(&name),
            Some(read_text(&arguments.run, Link::MAX_TEXT_BYTES as u64)?),
        )?);
    }
    if RecordingFile::is_at(&arguments.run) {
        let recording = Recording::<Inputs>::load(&arguments.run)?;
        let stem = arguments.run.file_stem().unwrap_or_default().to_string_lossy();
        let name = Link::allowed_name(&format!("{stem}{}", Link::RUN_ENDING));
        return Ok(Link::of_recording(&name, &recording).map_err(|error| format!("{path}: {error}"))?);
    }
    let replay = Replay::load(&arguments.run)?;
    let map = match (arguments.by_name, replay.map_source()) {
        (false, _) => MapSource::Inline,
        (true, MapSource::File(map)) => MapSource::File(map.rsplit('/').next().unwrap_or_default().to_owned()),
        (true, MapSource::Inline) => {
            return Err(
                format!("{path}: the replay contains its map; expected one that names a map, or no --by-name").into()
            );
        }
    };
    let name = if name.ends_with(".replay.ron") { name.into_owned() } else { format!("{name}.replay.ron") };
    Ok(Link::of_run(&Link::allowed_name(&name), &replay, map).map_err(|error| format!("{path}: {error}"))?)
}
