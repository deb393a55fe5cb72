//! Runs and maps as links: the URL fragment, the part of an address after `#`, has the name and the text of a file.
//!
//! A browser does not send this part to the server, so any page can show a run that it has never seen. [`Link`] has the
//! format, [`LinkError`] and [`RunLinkError`] say what is wrong with a link or a run.
//!
//! A link is hostile until it is checked: its name is a file name without folders, and its text has at most
//! [`Link::MAX_TEXT_BYTES`] bytes. [`Link::replay`] checks the text like a file.
//!
//! ```
//! use surefoot::replay::{MapSource, Replay};
//! use surefoot_link::Link;
//!
//! let text = r##"Replay(map: Inline(Map(format: 1, tiles: ["@...", "===="])), ticks: 60)"##;
//! let link = Link::of_run("fall.replay.ron", &Replay::from_ron(text)?, MapSource::Inline)?;
//! let address = format!("https://example.org/play/{link}");
//! let received = Link::parse(&address)?; // refuses a link that is cut off, or too large
//! assert_eq!(received.name(), "fall.replay.ron");
//! let replay = received.replay(|map| surefoot::Map::load(map))?; // loads a map that the run only names
//! assert_eq!(replay.ticks(), 60);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod link;
mod run;

pub use error::{LinkError, RunLinkError};
pub use link::Link;
