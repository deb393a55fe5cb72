//! Draws the pictures in the documentation of `surefoot-geometry`: the result of each sweep and each contact.
//!
//! All drawn results come from the library. The pictures are in `crates/geometry/doc`.

#[path = "geometry/canvas.rs"]
mod canvas;
#[path = "geometry/contacts.rs"]
mod contacts;
#[path = "geometry/sweeps.rs"]
mod sweeps;

use std::error::Error;
use std::fs;
use std::path::Path;
use surefoot_draw::Svg;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/geometry/doc");
    fs::create_dir_all(&folder)?;
    let pictures: [(&str, Svg); 4] = [
        ("sweep_circle.svg", sweeps::draw_circle_sweeps()?),
        ("sweep_aabb.svg", sweeps::draw_box_sweeps()?),
        ("sweep_one_sided.svg", sweeps::one_sided()?),
        ("contact.svg", contacts::contacts()?),
    ];
    for (name, picture) in pictures {
        let (file, text) = (folder.join(name), picture.to_string());
        let same = fs::read_to_string(&file).is_ok_and(|before| before == text);
        if !same {
            surefoot::io::write_atomic(&file, text.as_bytes())?;
        }
        println!("{name}: {}", if same { "as it was" } else { "written" });
    }
    Ok(())
}
