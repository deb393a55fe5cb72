//! Controls the game in its window: sends keys and mouse input, and reads the report of each frame.

use crate::Fault;
use crate::screen::Screen;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Timeout of an expected event, for a slow machine with software rendering.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time between two looks at the report.
const PAUSE: Duration = Duration::from_millis(20);

/// A running game and the folder that it saves to.
pub(crate) struct Window {
    game: Child,
    report: PathBuf,
    folder: PathBuf,
}

impl Window {
    /// Opens a file or the menu in a window, and waits for the first frames.
    pub(crate) fn open(play: &Path, file: Option<&Path>, folder: &Path) -> Result<Window, Fault> {
        Window::open_with(play, file, &[], folder)
    }

    /// Opens a file with more options.
    pub(crate) fn open_with(
        play: &Path,
        file: Option<&Path>,
        options: &[&str],
        folder: &Path,
    ) -> Result<Window, Fault> {
        let report = folder.join("report.jsonl");
        let _ = std::fs::remove_file(&report);
        let mut command = Command::new(play);
        command.args(file).args(options).arg("--report").arg(&report).arg("--saves").arg(folder);
        let window = Window { game: command.spawn()?, report, folder: folder.to_owned() };
        window.wait("the first frames", |_| true)?;
        // Without a window manager, keys go to the window under the mouse pointer.
        window.point(640.0, 420.0)?;
        Ok(window)
    }

    /// Returns the report of the last frame.
    pub(crate) fn now(&self) -> Result<Value, Fault> {
        let text = self.lines()?;
        let line = text.rsplit('\n').next().filter(|line| !line.is_empty()).ok_or("no frame was told of")?;
        Ok(serde_json::from_str(line)?)
    }

    /// Returns the reports of all frames.
    pub(crate) fn frames(&self) -> Result<Vec<Value>, Fault> {
        self.lines()?.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
    }

    /// Returns the lines of the report that are complete.
    fn lines(&self) -> Result<String, Fault> {
        let mut text = std::fs::read_to_string(&self.report)?;
        text.truncate(text.rfind('\n').unwrap_or(0));
        Ok(text)
    }

    /// Waits for a frame that fulfils a condition.
    pub(crate) fn wait(&self, what: &str, is: impl Fn(&Value) -> bool) -> Result<Value, Fault> {
        let begin = Instant::now();
        loop {
            if let Ok(frame) = self.now()
                && is(&frame)
            {
                return Ok(frame);
            }
            if begin.elapsed() > PATIENCE {
                let last = self.now().map_or_else(|fault| fault.to_string(), |frame| frame.to_string());
                return Err(format!("waited in vain for {what}; the last frame: {last}").into());
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Waits for a few more frames, so that an action is visible.
    pub(crate) fn settle(&self) -> Result<Value, Fault> {
        let count = || Ok::<_, Fault>(self.lines()?.lines().count());
        let (begin, before) = (Instant::now(), count()?);
        while count()? < before + 4 {
            if begin.elapsed() > PATIENCE {
                return Err("no more frames come".into());
            }
            std::thread::sleep(PAUSE);
        }
        self.now()
    }

    /// Takes a screenshot while the picture does not change, and saves it under a name.
    pub(crate) fn shot(&self, name: &str) -> Result<(Screen, Value), Fault> {
        let begin = Instant::now();
        loop {
            self.settle()?;
            let before = self.frames()?;
            let screen = Screen::take()?;
            self.settle()?;
            let frame = before.last().ok_or("no frame was told of")?;
            // The camera still moves while the game is paused. Close to its target, it moves by a pixel every few
            // frames. So the screenshot matches the frame only if the view did not change meanwhile.
            let stands = self.frames()?[before.len()..].iter().all(|later| later["view"] == frame["view"]);
            if frame["paused"] != true || stands {
                screen.save(&self.folder.join(format!("{name}.ppm")))?;
                return Ok((screen, frame.clone()));
            }
            if begin.elapsed() > PATIENCE {
                return Err("the camera does not come to rest".into());
            }
        }
    }

    pub(crate) fn key(&self, key: &str) -> Result<(), Fault> {
        // Hold the key long enough for a slow frame to notice it.
        xdotool(&["keydown", key])?;
        self.settle()?;
        xdotool(&["keyup", key])?;
        self.settle()?;
        Ok(())
    }

    /// Types a key as text. It goes up at once, so that it does not repeat in a slow frame.
    pub(crate) fn type_key(&self, key: &str) -> Result<(), Fault> {
        xdotool(&["key", key])?;
        self.settle()?;
        Ok(())
    }

    pub(crate) fn press(&self, key: &str) -> Result<(), Fault> {
        xdotool(&["keydown", key])
    }

    pub(crate) fn release(&self, key: &str) -> Result<(), Fault> {
        xdotool(&["keyup", key])
    }

    pub(crate) fn point(&self, x: f64, y: f64) -> Result<(), Fault> {
        xdotool(&["mousemove", &format!("{x:.0}"), &format!("{y:.0}")])?;
        self.settle()?;
        Ok(())
    }

    /// Clicks at a point of the window. `button`: 1 is left, 3 is right.
    pub(crate) fn click(&self, button: &str, x: f64, y: f64) -> Result<(), Fault> {
        self.point(x, y)?;
        xdotool(&["mousedown", button])?;
        self.settle()?;
        xdotool(&["mouseup", button])?;
        self.settle()?;
        Ok(())
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = self.game.kill();
        let _ = self.game.wait();
    }
}

fn xdotool(arguments: &[&str]) -> Result<(), Fault> {
    let done = Command::new("xdotool").args(arguments).status()?;
    if done.success() { Ok(()) } else { Err(format!("xdotool {}: {done}", arguments.join(" ")).into()) }
}
