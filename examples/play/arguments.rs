//! The command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Parsed arguments.
pub(crate) struct Arguments {
    /// A map or a replay to open at the start.
    pub(crate) file: Option<PathBuf>,
    /// File for a line of JSON per frame.
    pub(crate) report: Option<PathBuf>,
    /// Folder for saved runs and maps. By default, they are saved where they find their map.
    pub(crate) saves: Option<PathBuf>,
    /// The file is watched: what an editor saves shows at once.
    pub(crate) watch: bool,
    /// The level to open of a file with several levels.
    pub(crate) level: Option<String>,
    /// Map whose legend names the tiles of an editor's level.
    pub(crate) names: Option<PathBuf>,
}

/// Reason why the game does not start.
pub(crate) enum Said {
    /// The arguments request the help.
    Help,
    /// The arguments are invalid.
    Wrong(String),
}

const USAGE: &str = "\
Play a map, or look at a replay

Usage: play [OPTIONS] [MAP|LEVEL|REPLAY|citadel]

A file whose name ends in .replay.ron is a replay, in .run.ron a run of the citadel, one of Tiled (.tmx, .tmj) or LDtk
(.ldtk) a level, any other a map; without one the maps of surefoot are there to choose from. The word citadel is the game
of the example citadel. In the window, H shows the keys.

Options:
      --saves DIR    where runs and maps are saved [default: the current folder]
      --watch        reload the file when an editor saves it
      --level NAME   open this level of a file of LDtk [default: the first one with a start]
      --names MAP    a map whose legend says what the editor's tiles are: see docs/guide/editors.md
      --report FILE  write a line of JSON for each frame: what is on the screen and where, for tests
  -h, --help         print this
";

impl Said {
    /// Prints the message and returns its exit code.
    pub(crate) fn tell(self) -> ExitCode {
        match self {
            Said::Help => {
                print!("{USAGE}");
                ExitCode::SUCCESS
            }
            Said::Wrong(what) => {
                eprintln!("error: {what}\n\n{USAGE}");
                ExitCode::from(2)
            }
        }
    }
}

impl Arguments {
    pub(crate) fn parse(given: impl Iterator<Item = OsString>) -> Result<Arguments, Said> {
        let mut arguments = Arguments { file: None, report: None, saves: None, watch: false, level: None, names: None };
        let mut given = given;
        while let Some(argument) = given.next() {
            let mut value = || given.next().map(PathBuf::from);
            match argument.to_str() {
                Some("-h" | "--help") => return Err(Said::Help),
                Some(option @ "--report") => arguments.report = Some(value().ok_or_else(|| missing(option))?),
                Some(option @ "--saves") => arguments.saves = Some(value().ok_or_else(|| missing(option))?),
                Some("--watch") => arguments.watch = true,
                Some(option @ "--names") => arguments.names = Some(value().ok_or_else(|| missing(option))?),
                Some(option @ "--level") => {
                    let name = value().ok_or_else(|| missing(option))?;
                    arguments.level = Some(name.to_string_lossy().into_owned());
                }
                Some(option) if option.starts_with('-') => {
                    return Err(Said::Wrong(format!("there is no option {option}")));
                }
                _ if arguments.file.is_some() => {
                    return Err(Said::Wrong("two files; expected one map or replay".to_owned()));
                }
                Some("citadel") if !Path::new("citadel").exists() => arguments.file = Some(crate::citadel::map_file()),
                _ => arguments.file = Some(PathBuf::from(argument)),
            }
        }
        Ok(arguments)
    }

    /// Returns the maps that come with surefoot: those in `maps`, in the working directory or in the clone from which
    /// the program was built.
    pub(crate) fn maps(&self) -> Vec<PathBuf> {
        let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(|clone| clone.join("maps"));
        let folder = [Some(PathBuf::from("maps")), built_from].into_iter().flatten().find(|folder| folder.is_dir());
        let Some(listed) = folder.and_then(|folder| std::fs::read_dir(folder).ok()) else { return Vec::new() };
        let is_map = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.ends_with(".ron") && ![".replay.ron", ".run.ron"].iter().any(|run| name.ends_with(run))
                || surefoot_play::is_editor_file(path)
        };
        let mut maps: Vec<_> = listed.filter_map(|entry| Some(entry.ok()?.path())).filter(is_map).collect();
        maps.sort();
        maps
    }
}

fn missing(option: &str) -> Said {
    Said::Wrong(format!("{option} without a value"))
}
