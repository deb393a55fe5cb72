//! The play window in a browser. `examples/web/build` makes the page.
//!
//! The program needs no bindings and no unsafe code: `page` says how it talks with the page. Files are texts in memory,
//! and the page keeps in the browser what the player saves.

mod citadel;
#[path = "../play/input.rs"]
mod input;
mod page;
#[path = "../citadel/race.rs"]
mod race;
#[path = "../citadel/rules.rs"]
mod rules;
#[path = "../citadel/script.rs"]
mod script;
#[path = "../citadel/shown.rs"]
mod shown;
mod touch;

use macroquad::prelude::*;
use page::{FromPage, Inbox, ToPage};
use std::path::Path;
use surefoot_link::Link;
use surefoot_macroquad::{Screen, Tint, window_conf};
use surefoot_play::{Action, Game, Painter, PlayError, Report, Size, is_editor_file};

/// The maps and runs that the page has. Links may name these maps.
const FILES: [(&str, &str); 7] = [
    (citadel::MAP, citadel::MAP_TEXT),
    ("first_steps.ron", include_str!("../../maps/first_steps.ron")),
    ("first_steps.replay.ron", include_str!("../../maps/first_steps.replay.ron")),
    ("highlands.ron", include_str!("../../maps/highlands.ron")),
    ("highlands.replay.ron", include_str!("../../maps/highlands.replay.ron")),
    ("zoo.ron", include_str!("../../maps/zoo.ron")),
    ("zoo.replay.ron", include_str!("../../maps/zoo.replay.ron")),
];

fn main() {
    let config = window_conf("surefoot");
    // The canvas has as many pixels as the screen, so that lines are sharp on a phone.
    let miniquad_conf = Conf { high_dpi: true, ..config.miniquad_conf };
    macroquad::Window::from_config(macroquad::conf::Conf { miniquad_conf, ..config }, play());
}

async fn play() {
    surefoot_play::set_clock(miniquad::date::now);
    let mut game = Game::in_memory(FILES.map(|(name, text)| (name.to_owned(), text.to_owned())));
    game.add_rules("citadel", "a game in five rooms", Path::new(citadel::MAP), citadel::start);
    let mut window = Window::new(game);
    // Wait for the messages of the page. If they contain a link, the first frame already shows its run.
    window.take(page::receive().await);
    let inbox = Inbox::open();
    loop {
        window.take(inbox.take());
        window.frame();
        next_frame().await;
    }
}

/// The game and all that connects it with the page.
struct Window {
    game: Game,
    painter: Painter,
    screen: Screen,
    touch: touch::Touch,
    /// Actions of the page's buttons since the last frame.
    actions: Vec<Action>,
    reports: bool,
}

impl Window {
    fn new(game: Game) -> Window {
        Window {
            game,
            painter: Painter::new(),
            screen: Screen::default(),
            touch: touch::Touch::default(),
            actions: Vec::new(),
            reports: false,
        }
    }

    fn take(&mut self, messages: Vec<FromPage>) {
        for message in messages {
            match message {
                FromPage::Kept(files) => {
                    // The memory takes every file. One that another version has stored may have a mistake now. The
                    // error is shown when the player chooses the file.
                    let _ = self.game.add_files(&files);
                    self.game.take_written();
                }
                FromPage::Opened { name, text } => self.open(&name, &text),
                FromPage::Link(link) => self.open_link(&link),
                FromPage::Error(text) => self.game.show_error(&text),
                FromPage::Fingers => self.touch.show(),
                FromPage::Forgotten(name) => self.game.forget_file(&name),
                FromPage::Act(act) => self.actions.push(act.action()),
                FromPage::Report => self.reports = true,
                FromPage::Begin => {}
            }
        }
    }

    /// Opens a file that the player chose: a map, a replay, a run of a game, or a text with a link.
    fn open(&mut self, name: &str, text: &str) {
        if Link::is_link(text) {
            return self.open_link(text);
        }
        if is_editor_file(Path::new(name)) {
            let words = format!(
                "{name}: the page reads no levels of editors; `surefoot import {name} -o map.ron` makes a map of it: open that"
            );
            return self.game.show_error(&words);
        }
        if !name.ends_with(".ron") || text.contains('\u{fffd}') || text.contains('\0') {
            let words = format!(
                "{name}: the page takes maps (.ron), runs (.replay.ron, .run.ron) and texts with a link; `surefoot link` makes \
                 a link of a recording"
            );
            return self.game.show_error(&words);
        }
        let name = Link::allowed_name(name);
        let opened = self.game.open_text(&name, text);
        if opened.is_ok() {
            // Clear the address: it still names what was open before.
            page::send(&ToPage::Closed {});
            self.game.take_written().into_iter().for_each(|(name, text)| page::send(&ToPage::Keep { name, text }));
        }
        self.show(opened);
    }

    fn open_link(&mut self, link: &str) {
        match Link::parse(link) {
            Ok(link) => {
                let opened = self.game.open_link(&link);
                self.show(opened);
            }
            Err(error) => self.game.show_link_error(&error),
        }
    }

    fn show(&mut self, opened: Result<(), PlayError>) {
        if let Err(error) = opened {
            self.game.show_error(&error);
        }
    }

    fn frame(&mut self) {
        let size = Size { width: f64::from(screen_width()), height: f64::from(screen_height()) };
        let mut controls = input::read();
        controls.actions.append(&mut self.actions);
        self.touch.add_to(&mut controls, size, self.game.is_steered_by_thumbs());
        if self.touch.is_shown() {
            self.game.use_fingers();
        }
        let was_menu = self.game.is_menu();
        self.game.play_frame(f64::from(get_frame_time()), &controls, size);
        if self.game.is_menu() && !was_menu {
            page::send(&ToPage::Closed {});
        }
        if let Some(name) = self.game.take_file_to_forget() {
            page::send(&ToPage::Forget(name));
        }
        if let Some(link) = self.game.take_link() {
            page::send(&ToPage::Link(link));
        }
        // The player wants these files, so the page also downloads them. Files of the autosave only stay in the
        // browser.
        self.game.take_written().into_iter().for_each(|(name, text)| page::send(&ToPage::Save { name, text }));
        self.game.autosave();
        self.game.take_written().into_iter().for_each(|(name, text)| page::send(&ToPage::Keep { name, text }));
        let background = self.painter.background();
        let mesh = self.painter.paint(&mut self.game);
        let Tint([red, green, blue]) = background;
        clear_background(Color::from_rgba(red, green, blue, 255));
        self.screen.draw(mesh);
        if self.game.is_steered_by_thumbs() {
            self.screen.draw(self.touch.paint(size));
        }
        if self.reports {
            page::send(&ToPage::Report(Box::new(Report::of(&self.game, self.painter.micros()))));
        }
    }
}
