//! A temporary folder in which a test runs the tool.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A temporary folder with files. Deleted on drop.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// Creates an empty folder. `name` must be unique among all tests.
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("surefoot-cli-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for temporary files");
        Folder(path)
    }

    /// Writes a file, and its folder if that is missing.
    pub(crate) fn with(self, name: &str, contents: impl AsRef<[u8]>) -> Folder {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for temporary files");
        std::fs::write(path, contents).expect("a temporary file");
        self
    }

    pub(crate) fn with_files(self, files: &[(&str, &str)]) -> Folder {
        files.iter().fold(self, |folder, (name, text)| folder.with(name, text))
    }

    /// Runs the tool in the folder.
    pub(crate) fn tool(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_surefoot"));
        command.args(arguments).current_dir(&self.0).output().expect("the tool runs")
    }

    /// Checks calls `command ARGUMENTS -o output` that must fail: for each the arguments, the exit code and the first
    /// words of the error. No call may write a file.
    pub(crate) fn expect_refusals(&self, command: &str, output: &str, cases: &[(&[&str], i32, &str)]) {
        let before = self.files();
        for (arguments, code, words) in cases {
            let done = self.tool(&[&[command], *arguments, &["-o", output]].concat());
            assert_eq!(done.status.code(), Some(*code), "{arguments:?}");
            assert!(text(&done.stderr).starts_with(words), "{arguments:?}: {}", text(&done.stderr));
            assert_eq!(self.files(), before, "{arguments:?} wrote a file");
        }
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        std::fs::read(self.0.join(name)).expect("a file that the tool wrote")
    }

    /// Returns a text file, or `None` if there is none.
    pub(crate) fn read_text(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.0.join(name)).ok()
    }

    /// Returns the number of files and folders.
    pub(crate) fn files(&self) -> usize {
        std::fs::read_dir(&self.0).expect("the folder").count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Returns output of the tool as text.
pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}
