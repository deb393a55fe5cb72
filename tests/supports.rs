//! Bodies whose support leaves fall, and nothing comes to rest in the air: under gravity that is not vertical as well.
//! Judged by hand geometry, and by the direction of gravity.

use crate::prelude::*;
use crate::uphill::Hanging;

/// A floor of height 0, a wall of that left end, and bodies that collide.
struct Scene {
    world: World,
    symmetry: Symmetry,
    gravity: DVec2,
    hanging: Hanging,
    ids: Vec<BodyId>,
}

impl Scene {
    fn new(symmetry: Symmetry, rate: u32, gravity: (f64, f64)) -> Scene {
        let mut canvas = Canvas::default();
        canvas.blocks((-6, -2), (8, -1));
        canvas.blocks((-6, 0), (-6, 12));
        Scene::on(canvas, symmetry, rate, gravity)
    }

    fn on(canvas: Canvas, symmetry: Symmetry, rate: u32, gravity: (f64, f64)) -> Scene {
        let gravity = symmetry.velocity(DVec2::new(gravity.0, gravity.1));
        let settings = symmetry.settings().gravity(gravity).tick(1.0 / f64::from(rate));
        let world = World::new(canvas.map(symmetry), settings);
        Scene { world, symmetry, gravity, hanging: Hanging::default(), ids: Vec::new() }
    }

    fn put(&mut self, shape: Shape, at: (i64, i64), with: impl FnOnce(Body) -> Body) -> BodyId {
        let body = Body::new(self.symmetry.shape(shape)).at(self.symmetry.position(units(at.0, at.1)));
        let id = self.world.spawn(with(body.collision_mask(CollisionLayers::ALL))).unwrap();
        self.ids.push(id);
        id
    }

    fn step(&mut self, what: &str) {
        let earlier = self.world.clone();
        self.world.step();
        for id in &self.ids {
            let gravity = self.gravity * self.world[*id].body().gravity_scale;
            let hangs = self.hanging.hangs(&earlier, &self.world, *id, gravity);
            assert!(!hangs, "{what}: {:?} hangs in the air: {:?}", id, self.world[*id]);
        }
    }

    /// Where a body is, the symmetry taken away, in units.
    fn at(&self, id: BodyId) -> (i64, i64) {
        let at = self.symmetry.inverse().position(self.world[id].position()).units();
        (at.x, at.y)
    }
}

fn for_each_symmetry_and_rate(mut see: impl FnMut(Symmetry, u32)) {
    for (n, symmetry) in Symmetry::all().enumerate() {
        see(symmetry, [60, 30, 240, 144][n % 4]);
        see(symmetry, 60);
    }
}

/// A ball on the end of a body that is wide and low: nearly all of the way between their centres is horizontal.
#[test]
fn a_ball_falls_when_a_low_walker_goes_from_under_it() {
    for_each_symmetry_and_rate(|symmetry, rate| {
        for (radius, low) in [(ONE / 178, ONE / 669), (ONE / 16, ONE / 100), (ONE / 4, ONE / 1000)] {
            let what = format!("{symmetry:?} {rate} {radius} {low}");
            let mut scene = Scene::new(symmetry, rate, (0.0, -30.0));
            let hero = scene.put(Shape::aabb_units([4 * ONE, low]), (0, low), |body| {
                body.character(Character { walk_speed: 8.0, ground_acceleration: 60.0, ..Character::default() })
            });
            let ball = scene.put(Shape::circle_units(radius), (-4 * ONE + ONE / 256, 2 * low + radius), |body| body);
            (0..rate).for_each(|_| scene.step(&what));
            assert_eq!(scene.at(ball).1, 2 * low + radius, "{what}");
            scene.world.set_input(hero, Input { walk: symmetry.walk(127), ..Input::default() });
            (0..rate / 2).for_each(|_| scene.step(&what));
            assert_eq!(scene.at(ball).1, radius, "{what}");
        }
    });
}

/// Gravity draws two boxes against a wall and down along it: neither stops the other one on its way to the floor.
#[test]
fn boxes_that_gravity_draws_against_a_wall_slide_down_along_it() {
    for_each_symmetry_and_rate(|symmetry, rate| {
        for (inner, outer) in [(0.5, 0.25), (0.25, 0.25), (0.25, 0.5), (0.23, 0.081)] {
            for friction in [0.0, 0.3] {
                let what = format!("{symmetry:?} {rate} {inner} {outer} {friction}");
                let mut scene = Scene::new(symmetry, rate, (-15.0, -20.0));
                let (a, b) = (Shape::aabb(inner, 0.5), Shape::aabb(outer, outer));
                let wall = -5 * ONE;
                let first = (wall + a.half_units().x, 6 * ONE);
                let ids = [(a, first), (b, (first.0 + a.half_units().x + b.half_units().x, first.1))]
                    .map(|(shape, at)| (scene.put(shape, at, |body| body.friction(friction)), shape));
                (0..3 * rate).for_each(|_| scene.step(&what));
                for (id, shape) in ids {
                    assert_eq!(scene.at(id).1, shape.half_units().y, "{what}");
                }
            }
        }
    });
}

/// A box at rest leans on the side of another one, by gravity. When that is thrown off, the first one follows.
#[test]
fn a_box_wakes_when_the_side_that_it_leans_on_leaves() {
    for_each_symmetry_and_rate(|symmetry, rate| {
        let what = format!("{symmetry:?} {rate}");
        let mut scene = Scene::new(symmetry, rate, (-20.0, -20.0));
        let shape = Shape::aabb(0.5, 0.5);
        let tall = scene.put(Shape::aabb(0.5, 2.0), (-9 * ONE / 2, 2 * ONE), |body| body.friction(0.0));
        let box_ = scene.put(shape, (-7 * ONE / 2, ONE / 2), |body| body.friction(0.0));
        (0..rate).for_each(|_| scene.step(&what));
        scene.world.set_velocity(tall, symmetry.velocity(DVec2::new(0.0, 15.0))).unwrap();
        let before = scene.at(box_);
        let mut left = false;
        (0..rate).for_each(|_| {
            scene.step(&what);
            left |= scene.at(tall).1 > 3 * ONE + ONE / 16 && scene.at(box_) != before;
        });
        assert!(left, "{what}: {:?} {:?}", scene.at(tall), scene.at(box_));
    });
}

/// Corner to corner with another one, a box falls past that, whatever it does when it hits something.
#[test]
fn a_box_corner_to_corner_with_another_one_falls() {
    for_each_symmetry_and_rate(|symmetry, rate| {
        for response in [Response::Stop, Response::Slide] {
            for one_way in [true, false] {
                for friction in [0.0, 0.6, 1.0] {
                    let what = format!("{symmetry:?} {rate} {response:?} {one_way} {friction}");
                    let mut scene = Scene::new(symmetry, rate, (-15.0, -20.0));
                    let shape = Shape::aabb(0.5, 0.5);
                    let at = |x: i64, y: i64| (x * ONE + ONE / 2, y * ONE + ONE / 2);
                    for y in 0..2 {
                        scene.put(shape, at(-5, y), |body| body.friction(friction));
                    }
                    let body = scene.put(shape, at(-4, 2), |mut body| {
                        body.one_way = one_way;
                        body.friction(friction).response(response)
                    });
                    (0..rate).for_each(|_| scene.step(&what));
                    assert_ne!(scene.at(body), at(-4, 2), "{what}");
                }
            }
        }
    });
}

/// Nothing moves a box without friction whose base walks on under it. It falls in the tick after that has left, however
/// long it has kept its position: also after 30 ticks, when what has not moved comes to rest.
#[test]
fn a_box_that_keeps_its_position_does_not_come_to_rest_when_its_base_leaves() {
    for_each_symmetry_and_rate(|symmetry, rate| {
        for ticks in 24..40 {
            let what = format!("{symmetry:?} {rate} {ticks}");
            let mut scene = Scene::new(symmetry, rate, (0.0, -30.0));
            let hero = scene.put(Shape::aabb(1.0, 0.25), (0, ONE / 4), |body| {
                body.character(Character { walk_speed: 4.0, ground_acceleration: 400.0, ..Character::default() })
            });
            let left = ONE * 4 * ticks / i64::from(rate);
            let box_ = scene.put(Shape::aabb(0.125, 0.125), (left - 9 * ONE / 8, 5 * ONE / 8), |body| body);
            (0..rate).for_each(|_| scene.step(&what));
            let before = scene.at(box_);
            scene.world.set_input(hero, Input { walk: symmetry.walk(127), ..Input::default() });
            (0..2 * rate).for_each(|_| scene.step(&what));
            assert_eq!(scene.at(box_), (before.0, ONE / 8), "{what}");
        }
    });
}

/// A walker presses a ball against the wall, from a little below its centre. When it leaves, the ball does not stay in
/// the air.
#[test]
fn a_ball_pressed_against_a_wall_falls_when_the_walker_leaves() {
    for_each_symmetry_and_rate(|symmetry, rate| {
        for above in [ONE / 1024, ONE / 512, ONE / 256, ONE / 128] {
            for (bounce, size) in [(0.0, 0.125), (1.0, 0.125), (1.0, 0.12), (1.0, 0.2)] {
                let what = format!("{symmetry:?} {rate} {above} {bounce} {size}");
                let mut scene = Scene::new(symmetry, rate, (0.0, -30.0));
                let (radius, wall) = (ONE / 8, -5 * ONE);
                let shape = Shape::circle(size);
                let size = shape.half_units().x;
                let hero = scene.put(shape, (wall + 2 * radius + size + above, size), |body| {
                    body.character(Character { max_push_mass: 5.0, ..Character::default() })
                });
                let at = (wall + radius, radius + above);
                scene.put(Shape::circle_units(radius), at, |body| body.bounce(bounce).mass(3.0));
                scene.world.set_input(hero, Input { walk: symmetry.walk(-127), ..Input::default() });
                (0..rate).for_each(|_| scene.step(&what));
                scene.world.set_input(hero, Input { walk: symmetry.walk(127), ..Input::default() });
                (0..rate).for_each(|_| scene.step(&what));
            }
        }
    });
}

/// Two boxes creep down the side of a ball, the lower one by its corner. Neither comes to rest above the other one.
#[test]
fn a_box_comes_to_rest_on_a_flat_side_without_a_gap() {
    for_each_symmetry_and_rate(|symmetry, rate| {
        let what = format!("{symmetry:?} {rate}");
        let mut scene = Scene::new(symmetry, rate, (0.0, -30.0));
        let radius = 2_640_097_865;
        let ball = (-5 * ONE + radius, radius);
        scene.put(Shape::circle_units(radius), ball, |body| body.mass(0.5));
        let lower = (ball.0 + 2_803_294_566, ball.1 + 3_314_395_382);
        scene.put(Shape::aabb_units([1_620_278_389, 954_185_759]), lower, |body| {
            body.response(Response::Stop).mass(0.5)
        });
        let upper = (lower.0 + 1_986_649_287, lower.1 + 2_027_938_308);
        scene.put(Shape::aabb_units([2_629_310_007, 1_073_741_824]), upper, |body| {
            body.bounce(1.0).friction(0.3).mass(3.0)
        });
        (0..4 * rate).for_each(|_| scene.step(&what));
    });
}

/// A shift brings a box up a slope, from below the end of another one that is at rest over an edge. It lifts that on
/// its way, and leaves it in the air: that falls back.
#[test]
fn a_box_at_rest_that_a_shift_lifts_falls_back() {
    for_each_symmetry_and_rate(|symmetry, rate| {
        let what = format!("{symmetry:?} {rate}");
        let mut canvas = Canvas::default();
        canvas.blocks((-6, -2), (8, -1));
        canvas.paint((-1, 0), "slope_45 r1");
        canvas.paint((0, 0), "slope_45 r2");
        let mut scene = Scene::on(canvas, symmetry, rate, (0.0, -30.0));
        let upper = scene.put(Shape::aabb(0.5, 0.5), (-ONE / 64, 3 * ONE / 2), |body| body.friction(0.6).mass(3.0));
        let half = 294_834_119;
        let low = scene.put(Shape::aabb_units([ONE / 4, half]), (-ONE / 4, ONE / 2 + half), |body| body.mass(2.875));
        (0..rate).for_each(|_| scene.step(&what));
        let before = scene.at(upper);
        scene.world.move_by(low, symmetry.velocity(DVec2::new(-0.784, 0.824))).unwrap();
        scene.step(&what);
        assert!(scene.at(upper).1 > before.1 + ONE / 64, "{what}: {:?} {:?}", scene.at(upper), scene.at(low));
        (0..rate).for_each(|_| scene.step(&what));
        assert_eq!(scene.at(upper), before, "{what}");
    });
}

/// A character that rises with a ball on its head comes to a ceiling with it, and falls from there as a body does that
/// is let go.
#[test]
fn a_character_that_presses_a_ball_against_a_ceiling_falls() {
    for_each_symmetry_and_rate(|symmetry, rate| {
        for bounce in [0.0, 0.5] {
            for speed in [6.0, 12.0] {
                let what = format!("{symmetry:?} {rate} {bounce} {speed}");
                let mut canvas = Canvas::default();
                canvas.blocks((-6, -2), (8, -1));
                canvas.blocks((-6, 2), (8, 3));
                let mut scene = Scene::on(canvas, symmetry, rate, (0.0, -30.0));
                let hero = scene.put(Shape::aabb(0.5, 0.25), (0, ONE / 4), |body| body.character(Character::default()));
                let at = (ONE / 8, ONE / 2 + ONE / 4);
                let ball = scene.put(Shape::circle(0.25), at, |body| body.bounce(bounce).mass(0.5));
                scene.step(&what);
                scene.world.set_velocity(hero, symmetry.velocity(DVec2::new(0.0, speed))).unwrap();
                scene.world.set_velocity(ball, symmetry.velocity(DVec2::new(-1.5, speed))).unwrap();
                (0..rate).for_each(|_| scene.step(&what));
                assert_eq!(scene.at(hero).1, ONE / 4, "{what}");
            }
        }
    });
}

/// Gravity draws a walker off the side of a ball. It walks against that side, under a ceiling, and is no more carried
/// by it than by a wall.
#[test]
fn what_gravity_draws_off_a_ball_does_not_stand_on_it() {
    for_each_symmetry_and_rate(|symmetry, rate| {
        let what = format!("{symmetry:?} {rate}");
        let mut canvas = Canvas::default();
        canvas.blocks((-6, -2), (8, -1));
        canvas.blocks((-6, 1), (8, 3));
        let mut scene = Scene::on(canvas, symmetry, rate, (-15.0, -20.0));
        scene.put(Shape::circle(0.5), (0, ONE / 2), |body| body.character(Character::default()));
        let radius = 5 * ONE / 32;
        let apart = ONE / 2 + radius;
        let up = ONE / 2 - radius;
        let aside = ((i128::from(apart).pow(2) - i128::from(up).pow(2)) as f64).sqrt().ceil() as i64;
        let hero = scene.put(Shape::circle_units(radius), (-aside, ONE - radius), |body| {
            body.character(Character { walk_speed: 3.0, ..Character::default() })
        });
        scene.world.set_input(hero, Input { walk: symmetry.walk(127), ..Input::default() });
        (0..rate).for_each(|_| scene.step(&what));
    });
}

/// A walker in the air presses a ball against a box at the wall, from a little above: the ball slips down between them.
#[test]
fn a_ball_pressed_between_a_box_and_a_walker_slips_down() {
    for_each_symmetry_and_rate(|symmetry, rate| {
        for bounce in [0.0, 0.75] {
            let what = format!("{symmetry:?} {rate} {bounce}");
            let mut scene = Scene::new(symmetry, rate, (0.0, -30.0));
            let wall = -5 * ONE;
            let half = [687_733_969, 1_511_585_233];
            let box_ = (wall + half[0], half[1]);
            scene.put(Shape::aabb_units(half), box_, |body| body);
            let at = (box_.0 + 2_835_217_617, box_.1 + 858_063_539);
            let ball = scene.put(Shape::circle(0.5), at, |body| body.bounce(bounce));
            let radius = 2_657_186_331;
            let hero = scene.put(Shape::circle_units(radius), (at.0 + 4_795_254_923, at.1 + 300_647_393), |body| {
                body.gravity_scale(0.94).character(Character { max_push_mass: 1.0, ..Character::default() })
            });
            scene.world.set_input(hero, Input { walk: symmetry.walk(-50), ..Input::default() });
            (0..rate).for_each(|_| scene.step(&what));
            assert!(scene.at(ball).1 < ONE / 2 + ONE / 64, "{what}: {:?}", scene.at(ball));
        }
    });
}

/// A walker in the air presses a row of balls and a crate against a wall, or against a walker that pushes from the
/// other side. Nothing is below it: it falls as fast as a free body.
#[test]
fn a_walker_in_the_air_that_presses_a_row_falls() {
    for_each_symmetry_and_rate(|symmetry, rate| {
        for (is_round, against_wall, low, drop) in [false, true].into_iter().flat_map(|is_round| {
            let rows = [(true, 0), (false, 0), (false, ONE / 512), (false, ONE / 128)];
            rows.into_iter().flat_map(move |(wall, low)| [ONE / 8, ONE / 4].map(|drop| (is_round, wall, low, drop)))
        }) {
            let what = format!("{symmetry:?} {rate} {is_round} {against_wall} {low} {drop}");
            let mut scene = Scene::new(symmetry, rate, (0.0, -30.0));
            let radius = ONE / 2 + ONE / 25;
            let first = if against_wall { radius - 5 * ONE } else { 0 };
            scene.put(Shape::circle_units(radius), (first, radius + low), |body| body);
            let hero = |body: Body| body.character(Character { max_push_mass: 5.0, ..Character::default() });
            if !against_wall {
                let left = -radius - ONE;
                scene.put(Shape::aabb(0.5, 0.625), (left + ONE / 2, 5 * ONE / 8), |body| body);
                let pusher = scene.put(Shape::aabb(0.25, 0.25), (left - ONE / 4, ONE / 4), hero);
                scene.world.set_input(pusher, Input { walk: symmetry.walk(127), ..Input::default() });
            }
            // The second ball touches the first one, the crate that ball, and the walker the crate.
            let (up, sum) = ((radius + low - ONE / 2) as f64, (radius + ONE / 2) as f64);
            let second = first + (sum * sum - up * up).sqrt().ceil() as i64;
            scene.put(Shape::circle(0.5), (second, ONE / 2), |body| body);
            scene.put(Shape::aabb(0.25, 0.5), (second + 3 * ONE / 4, ONE / 2), |body| body);
            let half = 2 * ONE / 5;
            let shape = if is_round { Shape::circle_units(half) } else { Shape::aabb_units([half, half]) };
            let hero = scene.put(shape, (second + ONE + half, half + drop), hero);
            scene.world.set_input(hero, Input { walk: symmetry.walk(-127), ..Input::default() });
            let fall = (2.0 * drop as f64 / ONE as f64 / 30.0).sqrt() * f64::from(rate);
            (0..fall as u32 + 3).for_each(|_| scene.step(&what));
            assert_eq!(scene.at(hero).1, half, "{what}");
        }
    });
}

/// A character that rises carries another one against a slanted ceiling, or beside the middle of a shaft as wide as
/// itself. The upper one stops there, which stops the lower one: both fall.
#[test]
fn what_carries_another_one_up_to_a_slanted_ceiling_falls() {
    for_each_symmetry_and_rate(|symmetry, rate| {
        for (case, walk) in (0..8).flat_map(|case| [-127, 0, 127].map(|walk| (case, walk))) {
            let [is_shaft, lower_is_round, upper_is_round] = [4, 2, 1].map(|bit| case & bit != 0);
            let what = format!("{symmetry:?} {rate} {is_shaft} {lower_is_round} {upper_is_round} {walk}");
            let mut canvas = Canvas::default();
            canvas.blocks((-6, -2), (8, -1));
            if is_shaft {
                canvas.blocks((-2, 3), (-1, 5));
                canvas.blocks((1, 3), (2, 5));
            } else {
                canvas.blocks((-1, 3), (-1, 3));
                canvas.paint((0, 3), "slope_45 r2");
                canvas.paint((-1, 2), "slope_45 r2");
            }
            let mut scene = Scene::on(canvas, symmetry, rate, (0.0, -30.0));
            let rises = |body: Body| {
                let body = body.velocity(symmetry.velocity(DVec2::new(0.0, 9.0)));
                body.character(Character::default())
            };
            let lower = if lower_is_round { Shape::circle(0.5) } else { Shape::aabb(0.5, 0.25) };
            let upper = if upper_is_round { Shape::circle(0.5) } else { Shape::aabb(0.5, 0.5) };
            let low = lower.half_units().y;
            let (aside, lift) = if is_shaft { (-978_008, 5 * ONE / 2 - ONE / 20 - 2 * low) } else { (0, ONE) };
            let id = scene.put(lower, (ONE / 2, low + lift), rises);
            let upper = scene.put(upper, (ONE / 2 + aside, 2 * low + ONE / 2 + lift), rises);
            scene.world.set_input(upper, Input { walk: symmetry.walk(walk), ..Input::default() });
            (0..2 * rate).for_each(|_| scene.step(&what));
            assert_eq!(scene.at(id).1, low, "{what}");
        }
    });
}
