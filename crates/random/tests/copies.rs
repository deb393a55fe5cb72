//! The generators in the unit tests of the published crates, compared with [`surefoot_random::Random`].

#[path = "../../engine/src/testing.rs"]
mod engine;
#[path = "../../geometry/src/testing.rs"]
mod geometry;
#[path = "../../tiles/src/testing.rs"]
mod tiles;

use surefoot_random::Random;

#[test]
fn copies_of_the_generator_return_the_same_numbers() {
    for seed in 0..1000 {
        let (mut random, mut geometry) = (Random(seed), geometry::Random(seed));
        let (mut engine, mut tiles) = (engine::Random(seed), tiles::Random(seed));
        assert_eq!([engine.next(), tiles.next()], [random.next(); 2]);
        assert_eq!([engine.index(7), tiles.index(7)], [random.index(7); 2]);
        assert_eq!([engine.between(-3, 9), tiles.between(-3, 9)], [random.between(-3, 9); 2]);
        assert_eq!([engine.one_in(2), tiles.one_in(2)], [random.one_in(2); 2]);
        geometry.0 = random.0;
        let below = random.below(u64::MAX);
        assert_eq!([engine.below(u64::MAX), tiles.below(u64::MAX), geometry.below(u64::MAX)], [below; 3]);
        let range = random.range(-1.0, 5.0);
        assert_eq!([engine.range(-1.0, 5.0), tiles.range(-1.0, 5.0), geometry.range(-1.0, 5.0)], [range; 3]);
        let pick = random.pick(&[1, 2, 3]);
        assert_eq!([engine.pick(&[1, 2, 3]), tiles.pick(&[1, 2, 3]), geometry.pick(&[1, 2, 3])], [pick; 3]);
        assert_eq!([engine.0, tiles.0, geometry.0], [random.0; 3]);
    }
}
