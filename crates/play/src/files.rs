//! Finds names for new files, and relative paths that a replay can contain.

use crate::storage::{Disk, free_name_in};
use std::path::{Component, Path, PathBuf};

/// Returns the first of `stem-1`, `stem-2` and so on, with `ending`, that does not exist in a folder.
///
/// # Examples
/// ```
/// let folder = std::env::temp_dir();
/// let file = surefoot_play::free_name(&folder, "a name that is free", ".replay.ron");
/// assert_eq!(file, folder.join("a name that is free-1.replay.ron"));
/// ```
#[must_use]
pub fn free_name(folder: &Path, stem: &str, ending: &str) -> PathBuf {
    free_name_in(&Disk::default(), folder, stem, ending)
}

/// Returns the name of a file without its ending and without the number of [`free_name`].
pub(crate) fn file_stem_without_number(file: &Path) -> Option<String> {
    let is_editor = crate::level::is_editor_file(file);
    let name = if is_editor { file.file_stem() } else { file.file_name() }?.to_str()?;
    let name = name.strip_suffix(".ron").unwrap_or(name);
    let name = name.strip_suffix(".replay").or(name.strip_suffix(".run")).unwrap_or(name);
    let numbered = name.rsplit_once('-').filter(|(stem, number)| {
        !stem.is_empty() && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    Some(numbered.map_or(name, |(stem, _)| stem).to_owned())
}

/// Returns the folder of a file.
pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

/// Returns the path of a file relative to a folder that contains it, with `/` as the separator on every system. Both
/// must exist.
pub(crate) fn path_below(folder: &Path, file: &Path) -> Option<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (folder, file) = (folder.canonicalize().ok()?, file.canonicalize().ok()?);
    let mut parts = Vec::new();
    for part in file.strip_prefix(folder).ok()?.components() {
        let Component::Normal(part) = part else { return None };
        let is_name = |part: &&str| !part.contains(['\\', ':', '/']) && !part.chars().any(char::is_control);
        parts.push(part.to_str().filter(is_name)?);
    }
    if parts.is_empty() { None } else { Some(parts.join("/")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_stem_has_no_ending_and_no_number() {
        for (file, expected) in [
            ("maps/zoo.ron", "zoo"),
            ("zoo-12.ron", "zoo"),
            ("a/first-steps.replay.ron", "first-steps"),
            ("run-1.replay.ron", "run"),
            ("citadel-2.run.ron", "citadel"),
            ("-1.ron", "-1"),
            ("zoo-", "zoo-"),
            ("zoo-1a", "zoo-1a"),
            ("levels/cave.tmx", "cave"),
            ("world.ldtk", "world"),
            ("cave.v2.TMJ", "cave.v2"),
        ] {
            assert_eq!(file_stem_without_number(Path::new(file)).as_deref(), Some(expected), "{file}");
        }
        assert_eq!(file_stem_without_number(Path::new("..")), None);
    }

    #[test]
    fn new_names_overwrite_nothing_and_paths_stay_below() {
        let folder = std::env::temp_dir().join(format!("surefoot-play-files-{}", std::process::id()));
        fs::create_dir_all(folder.join("sub")).unwrap();
        let name = |number: u32| folder.join(format!("a-{number}.ron"));
        assert_eq!(free_name(&folder, "a", ".ron"), name(1));
        fs::write(name(1), "").unwrap();
        fs::write(name(3), "").unwrap();
        assert_eq!(free_name(&folder, "a", ".ron"), name(2));
        #[cfg(unix)]
        std::os::unix::fs::symlink("nowhere", name(2)).unwrap();
        #[cfg(unix)]
        assert_eq!(free_name(&folder, "a", ".ron"), name(4));

        let inner = folder.join("sub/b.ron");
        fs::write(&inner, "").unwrap();
        assert_eq!(path_below(&folder, &inner).as_deref(), Some("sub/b.ron"));
        assert_eq!(path_below(&folder.join("sub/../sub"), &inner).as_deref(), Some("b.ron"));
        assert_eq!(path_below(&folder.join("sub"), &name(1)), None);
        assert_eq!(path_below(&folder, &folder.join("none.ron")), None);
        #[cfg(unix)]
        {
            let odd = folder.join("sub/a:b\\c.ron");
            fs::write(&odd, "").unwrap();
            assert_eq!(path_below(&folder, &odd), None);
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
