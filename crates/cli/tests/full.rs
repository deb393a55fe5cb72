//! Tests commands that cannot write their output: files are written atomically, and errors are reported.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A map of 300 tiles with a goal. An inline replay of it is larger than the file size limit of these tests.
fn map() -> String {
    let (sky, ground) = (".".repeat(300), "#".repeat(300));
    format!("Map(format: 1, tiles: [\"{sky}\", \".@{}*\", \"{ground}\"])\n", ".".repeat(297))
}

/// A temporary folder with a map and a script of inputs. Deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("surefoot-full-{}-{name}", std::process::id()));
        std::fs::create_dir_all(path.join("out")).expect("a folder for temporary files");
        std::fs::write(path.join("a.ron"), map()).expect("a temporary file");
        // Change the input in each tick, so that the recording is large.
        std::fs::write(path.join("a.input"), "repeat 200\n1 right\n1 right jump\nend\n").expect("a temporary file");
        Folder(path)
    }

    /// Runs the tool in a shell after the commands `first`.
    fn tool(&self, first: &str, arguments: &[&str]) -> Output {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{first}\nexec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_surefoot")]);
        shell.args(arguments).current_dir(&self.0).output().expect("the tool runs")
    }

    /// Returns the file names in the output folder.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.join("out")).expect("the folder is there");
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::set_permissions(self.0.join("out"), PermissionsExt::from_mode(0o700));
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Commands that write a file to `out/a`.
const WRITERS: &[&[&str]] = &[
    &["record", "a.ron", "--input", "a.input", "--inline", "--force", "-o", "out/a"],
    &["draw", "a.ron", "-o", "out/a.svg"],
    #[cfg(feature = "png")]
    &["draw", "a.ron", "-o", "out/a.png"],
];

/// Limits files to one block. Ignores the signal of the limit, so that writing fails as on a full disk.
const FULL: &str = "trap '' XFSZ; ulimit -f 1";

/// Asserts that the command fails and names the file, that the old file is unchanged, and that no other file was left.
fn assert_fails(folder: &Folder, done: &Output, file: &str, old: Option<&str>) {
    let error = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{error}");
    assert!(error.starts_with(&format!("{file}: ")) && error.lines().count() == 1, "{error}");
    let name = Path::new(file).file_name().expect("a name");
    assert_eq!(std::fs::read_to_string(folder.0.join(file)).ok().as_deref(), old, "{error}");
    assert_eq!(folder.names(), if old.is_some() { vec![name.to_str().expect("a name")] } else { vec![] }, "{error}");
}

#[test]
fn on_a_full_disk_old_files_stay_whole() {
    for writer in WRITERS {
        let folder = Folder::new("disk");
        let file = writer[writer.len() - 1];
        assert_fails(&folder, &folder.tool(FULL, writer), file, None);
        std::fs::write(folder.0.join(file), "old").expect("a temporary file");
        assert_fails(&folder, &folder.tool(FULL, writer), file, Some("old"));
        // Without the limit, the same command writes the file.
        let done = folder.tool(":", writer);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        assert!(std::fs::metadata(folder.0.join(file)).expect("the file").len() > 1024, "more than a block");
    }
}

#[test]
fn in_a_folder_that_cannot_be_written_to_old_files_stay_whole() {
    for writer in WRITERS {
        let folder = Folder::new("folder");
        let file = writer[writer.len() - 1];
        std::fs::write(folder.0.join(file), "old").expect("a temporary file");
        std::fs::set_permissions(folder.0.join("out"), PermissionsExt::from_mode(0o500)).expect("permissions");
        if std::fs::write(folder.0.join("out/probe"), "").is_ok() {
            // Permissions do not stop the superuser. But no user can create files in `/proc/self`.
            std::fs::remove_file(folder.0.join("out/probe")).expect("it was written");
            if cfg!(target_os = "linux") {
                let mut arguments = writer.to_vec();
                let there = file.replace("out", "/proc/self");
                *arguments.last_mut().expect("the file") = &there;
                let done = folder.tool(":", &arguments);
                let error = String::from_utf8_lossy(&done.stderr);
                assert!(done.status.code() == Some(1) && error.starts_with(&format!("{there}: ")), "{error}");
            }
            continue;
        }
        assert_fails(&folder, &folder.tool(":", writer), file, Some("old"));
    }
}

/// Redirects the output to a device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_printed_fails() {
    let folder = Folder::new("print");
    assert!(folder.tool(":", WRITERS[0]).status.success());
    for command in [&["trace", "out/a"][..], &["replay", "out/a"], &["tiles"], &["check", "a.ron"]] {
        let done = folder.tool("exec > /dev/full", command);
        let error = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.code() == Some(1) && error.contains("No space left"), "{command:?}: {error}");
    }
}
