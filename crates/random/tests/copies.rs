//! The generators in the unit tests of the published crates, compared with [`surefoot_random::Random`].

#[path = "../../geometry/src/testing.rs"]
mod geometry;
#[path = "../../tiles/src/testing.rs"]
mod tiles;

use surefoot_random::Random;

#[test]
fn copies_of_the_generator_return_the_same_numbers() {
    for seed in 0..1000 {
        let (mut random, mut geometry, mut tiles) = (Random(seed), geometry::Random(seed), tiles::Random(seed));
        assert_eq!(tiles.next(), random.next());
        assert_eq!(tiles.index(7), random.index(7));
        assert_eq!(tiles.between(-3, 9), random.between(-3, 9));
        assert_eq!(tiles.one_in(2), random.one_in(2));
        geometry.0 = random.0;
        let below = random.below(u64::MAX);
        assert_eq!([tiles.below(u64::MAX), geometry.below(u64::MAX)], [below; 2]);
        let range = random.range(-1.0, 5.0);
        assert_eq!([tiles.range(-1.0, 5.0), geometry.range(-1.0, 5.0)], [range; 2]);
        let pick = random.pick(&[1, 2, 3]);
        assert_eq!([tiles.pick(&[1, 2, 3]), geometry.pick(&[1, 2, 3])], [pick; 2]);
        assert_eq!([tiles.0, geometry.0], [random.0; 2]);
    }
}
