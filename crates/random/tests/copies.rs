//! The generators in the unit tests of the published crates, compared with [`surefoot_random::Random`].

#[path = "../../engine/src/testing.rs"]
mod engine;
#[path = "../../geometry/src/testing.rs"]
mod geometry;

use surefoot_random::Random;

#[test]
fn copies_of_the_generator_return_the_same_numbers() {
    for seed in 0..1000 {
        let (mut random, mut engine, mut geometry) = (Random(seed), engine::Random(seed), geometry::Random(seed));
        assert_eq!(random.next(), engine.next());
        assert_eq!(random.index(7), engine.index(7));
        assert_eq!(random.between(-3, 9), engine.between(-3, 9));
        assert_eq!(random.one_in(2), engine.one_in(2));
        geometry.0 = random.0;
        let below = random.below(u64::MAX);
        assert_eq!([engine.below(u64::MAX), geometry.below(u64::MAX)], [below; 2]);
        let range = random.range(-1.0, 5.0);
        assert_eq!([engine.range(-1.0, 5.0), geometry.range(-1.0, 5.0)], [range; 2]);
        let pick = random.pick(&[1, 2, 3]);
        assert_eq!([engine.pick(&[1, 2, 3]), geometry.pick(&[1, 2, 3])], [pick; 2]);
        assert_eq!([engine.0, geometry.0], [random.0; 2]);
    }
}
