//! Random valid catalogues on random maps: no body enters or crosses their tiles.

use crate::scene::{Random, variants};
use crate::symmetry::Square;
use crate::tunnelling::{Arena, SIZES, Verdict, attack, count, inhabit};
use std::sync::Arc;
use surefoot::catalogue::{CatalogueErrorKind, Pattern, PatternKind};
use surefoot::prelude::*;

/// Number of patterns in a catalogue.
const PATTERNS: usize = 6;

/// A path through lattice points, mostly on coarse lines and on the tile's border.
fn path(random: &mut Random, points: u64) -> Vec<(i8, i8)> {
    let steps: &[i8] = random.pick(&[&[0, 8, 16][..], &[0, 4, 8, 12, 16], &[0, 0, 1, 2, 7, 9, 14, 15, 16, 16]]);
    let any = random.below(4) == 0;
    let step = |random: &mut Random| if any { random.below(17) as i8 } else { random.pick(steps) };
    (0..points).map(|_| (step(random), step(random))).collect()
}

fn pattern(random: &mut Random, number: usize) -> Pattern {
    let kind = random.pick(&[PatternKind::Solid, PatternKind::Solid, PatternKind::Open, PatternKind::Wall]);
    let least = if kind == PatternKind::Solid { 3 } else { 2 };
    let path = |random: &mut Random| {
        let points = least + random.below(5);
        path(random, points)
    };
    let paths = if random.below(3) == 0 { vec![path(random), path(random)] } else { vec![path(random)] };
    Pattern { name: format!("p{number}"), kind, purpose: String::new(), paths }
}

/// A catalogue of random patterns that pass the checks, one by one and together.
fn invented(random: &mut Random, refused: &mut u32) -> Arc<Catalogue> {
    let mut patterns: Vec<Pattern> = Vec::new();
    loop {
        patterns.push(pattern(random, patterns.len()));
        match Catalogue::new(patterns.clone()) {
            Ok(catalogue) if patterns.len() == PATTERNS => return Arc::new(catalogue),
            Ok(_) => {}
            Err(errors) => {
                *refused += 1;
                let known = |kind: &CatalogueErrorKind| !matches!(kind, CatalogueErrorKind::Form(_));
                assert!(errors.iter().all(|error| known(&error.kind) && error.drawing().is_some()), "{errors}");
                patterns.pop();
            }
        }
    }
}

#[test]
fn nothing_is_entered_or_crossed_in_any_catalogue_that_passes() {
    let mut random = Random(0x5EED_0901);
    let mut verdict = Verdict::default();
    let mut refused = 0;
    for _ in 0..count(50) {
        let catalogue = invented(&mut random, &mut refused);
        let all = variants(&catalogue);
        let before = verdict.faults.len();
        for _ in 0..3 {
            let filled = random.range(0.1, 0.8);
            let square = Square::random(&mut random, 3, filled, &all).of(&catalogue);
            attack(&mut random, &Arena::of(&square), SIZES, 20, &mut verdict);
        }
        let square = Square::random(&mut random, 3, 0.4, &all).of(&catalogue);
        inhabit(&mut random, &Arena::of(&square), 60, &mut verdict);
        if verdict.faults.len() > before {
            verdict.faults.push(format!("in the catalogue {:?}", catalogue.patterns()));
            break;
        }
    }
    assert!(refused > count(50), "{refused} refused");
    verdict.assert_sound(1000);
}
