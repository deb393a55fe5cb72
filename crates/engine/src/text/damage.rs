//! Files cut off and damaged, for tests of what reads them.

use crate::testing::Random;

/// Each beginning of a file that lacks its last bracket, and the number of lines in it.
pub(crate) fn cut(good: &str) -> impl Iterator<Item = (&str, u32)> {
    let end = good.rfind(')').unwrap();
    let cuts = (0..=end).filter(|&cut| good.is_char_boundary(cut));
    cuts.map(|cut| (&good[..cut], good[..cut].matches('\n').count() as u32 + 1))
}

/// So many copies of a file with one to three bytes of each damaged, always the same ones; those that are no UTF-8 are
/// left out.
pub(crate) fn damaged(good: &str, count: usize) -> impl Iterator<Item = String> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut next = move |below: usize| random.index(below);
    let copies = (0..count).map(move |_| {
        let mut bytes = good.as_bytes().to_vec();
        for _ in 0..=next(3) {
            let at = next(bytes.len());
            // Half of the damage is a flipped bit, half another character of the file.
            bytes[at] = if next(2) == 0 { bytes[at] ^ (1 << next(8)) } else { bytes[next(bytes.len())] };
        }
        String::from_utf8(bytes)
    });
    copies.filter_map(Result::ok)
}
