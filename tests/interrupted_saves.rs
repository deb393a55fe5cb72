//! After an interrupted save, the file is whole, and the next save to the same path removes temporary files.

use crate::scene::Random;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use surefoot::io::write_atomic;

/// Environment variable with the file that the child process saves.
const CHILD: &str = "SUREFOOT_TEST_SAVES";
const SIZE: usize = 1 << 18;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("surefoot-saves-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        Folder(folder)
    }

    /// Returns the sorted file names in the folder.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Saves one file again and again, in a process that another test starts.
#[test]
fn a_process_that_saves() {
    let Ok(file) = std::env::var(CHILD) else { return };
    for number in 0_u8.. {
        write_atomic(&file, &[number; SIZE]).unwrap();
        // Print on a line of its own, whatever the test harness has printed.
        println!("\nsaved");
        if number == u8::MAX {
            return;
        }
    }
}

/// Starts a process that saves a file, and waits for its first save.
fn saving(file: &Path) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["interrupted_saves::a_process_that_saves", "--exact", "--nocapture", "--test-threads=1"]);
    let mut child = child.env(CHILD, file).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "saved"), "the process saves nothing");
    child
}

/// Returns whether a file is a complete save of the process.
fn is_whole(file: &Path) -> bool {
    let bytes = std::fs::read(file).unwrap();
    bytes.len() == SIZE && bytes.iter().all(|byte| *byte == bytes[0])
}

#[test]
fn the_next_save_removes_files_of_killed_saves() {
    let folder = Folder::new("killed");
    let file = folder.0.join("run.snapshot");
    let mut random = Random(7);
    let mut left = 0;
    for _ in 0..100 {
        let mut child = saving(&file);
        std::thread::sleep(Duration::from_micros(random.below(3000)));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(is_whole(&file));
        // Each process has removed the temporary files of the one before it.
        left += folder.names().len() - 1;
        assert!(folder.names().len() <= 2, "{:?}", folder.names());
        if left == 3 {
            break;
        }
    }
    assert!(left > 0, "no kill came within a save");
    write_atomic(&file, b"end").unwrap();
    assert_eq!((folder.names(), std::fs::read(&file).unwrap()), (vec!["run.snapshot".to_owned()], b"end".to_vec()));
}

#[test]
fn two_processes_and_two_threads_save_one_file_at_once() {
    let folder = Folder::new("two");
    let file = folder.0.join("run.snapshot");
    let mut child = saving(&file);
    std::thread::scope(|scope| {
        for number in [1, 2] {
            let file = &file;
            scope.spawn(move || {
                for _ in 0..20 {
                    write_atomic(file, &[number; SIZE]).unwrap();
                    assert!(is_whole(file));
                }
            });
        }
    });
    assert_eq!(child.try_wait().unwrap().and_then(|status| status.code()).unwrap_or(0), 0, "the process's saves work");
    child.kill().unwrap();
    child.wait().unwrap();
    write_atomic(&file, &[3; SIZE]).unwrap();
    assert_eq!(folder.names(), ["run.snapshot"]);
}

#[test]
fn a_temporary_file_in_use_and_all_other_files_stay() {
    let folder = Folder::new("held");
    let [file, held, old] = ["a", ".a.1.1.tmp", ".a.1.2.tmp"].map(|name| folder.0.join(name));
    let others = [".a.x.tmp", ".a.12.tmp", ".a.1.2.3.tmp", ".a..tmp", ".b.1.1.tmp", "a.1.1.tmp"];
    others.iter().chain(&[".a.1.2.tmp"]).for_each(|name| std::fs::write(folder.0.join(name), b"other").unwrap());
    std::fs::create_dir(folder.0.join(".a.3.3.tmp")).unwrap();
    let writer = File::create(&held).unwrap();
    writer.try_lock().unwrap();
    write_atomic(&file, b"one").unwrap();
    assert!(held.exists() && !old.exists());
    drop(writer);
    // A process that another test starts at this moment has the lock too, until it runs a program of its own.
    for _ in 0..500 {
        write_atomic(&file, b"two").unwrap();
        if !held.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(!held.exists());
    let mut names: Vec<&str> = others.iter().copied().chain(["a", ".a.3.3.tmp"]).collect();
    names.sort_unstable();
    assert_eq!(folder.names(), names);
}
