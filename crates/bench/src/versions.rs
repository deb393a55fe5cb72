//! The versions of the libraries, the processor and the date.

use std::time::{SystemTime, UNIX_EPOCH};

const LOCK: &str = include_str!("../Cargo.lock");

/// The version of a package in this package's lock file.
#[must_use]
pub fn of(package: &str) -> Option<&'static str> {
    let after = LOCK.split_once(&format!("name = \"{package}\"\nversion = \""))?.1;
    after.split('"').next()
}

/// Today, by the system's clock, in UTC: `2026-01-31`.
#[must_use]
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// The date of a day since 1970-01-01.
fn date(mut days: u64) -> String {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

/// The processor's name, where the system says it.
#[must_use]
pub fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_know_leap_years() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(365 + 365 + 31 + 28), "1972-02-29");
        // 30 years with 7 leap days, then January and February of a leap year.
        assert_eq!(date(30 * 365 + 7 + 31 + 29), "2000-03-01");
    }

    #[test]
    fn the_lock_file_names_the_peers() {
        assert!(of("rapier2d").is_some_and(|version| version.starts_with("0.36")));
        assert_eq!(of("no-such-package"), None);
    }
}
