//! x
use surefoot_bench::measure::{self, Length};
use surefoot_bench::movers::{Body, Who};
use surefoot_bench::scene::Scene;
use surefoot_bench::shots;
fn main() {
    let scene = Scene::generated();
    let starts = scene.starts();
    let length = Length::QUICK;
    for body in Body::ALL {
        let mut crowds: Vec<_> = Who::ALL.iter().map(|&who| { let t = std::time::Instant::now(); let c = who.crowd(&scene, body, &starts); println!("{} built {:?}", who.key(), t.elapsed()); (who, c)}).collect();
        for (r, c) in measure::crowds(&scene, &mut crowds, length).iter().zip(&crowds) { println!("{} {:?} {r:?}", c.0.key(), body); }
    }
    let mut crowds: Vec<_> = Who::ALL.iter().filter_map(|&who| Some((who, who.balls(&scene, &starts)?))).collect();
    for (r, c) in measure::crowds(&scene, &mut crowds, length).iter().zip(&crowds) { println!("{} {r:?}", c.0.key()); }
    let mut crowds: Vec<_> = Who::ALL.iter().filter_map(|&who| Some((who, who.shooter(&scene)?))).collect();
    let list = shots::shots(&scene, length.shots);
    for (r, c) in measure::shots(&scene, &mut crowds, &list, length).iter().zip(&crowds) { println!("{} {r:?}", c.0.key()); }
}
