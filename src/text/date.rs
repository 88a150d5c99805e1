//! Days and times of the calendar in UTC, whatever the time zone of the machine.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The last year that is told apart; later times count as its end, so that a damaged clock costs no time.
const LAST_YEAR: u64 = 9999;

/// Returns the day of a time: `2026-11-24`. A time before 1970 counts as that year's beginning.
pub fn day(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut left = since.as_secs() / 86_400;
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    loop {
        let days = if is_leap(year) { 366 } else { 365 };
        if left < days {
            break;
        }
        if year == LAST_YEAR {
            left = days - 1;
            break;
        }
        left -= days;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if left < days {
            break;
        }
        left -= days;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", left + 1)
}

/// Returns the moment that is so many seconds after the beginning of 1970: `2026-11-24T17:05:09Z` (ISO 8601).
pub fn moment(seconds: u64) -> String {
    let time = UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
    let of_day = seconds % 86_400;
    let (hours, minutes) = (of_day / 3600, of_day / 60 % 60);
    let day = day(time.unwrap_or(UNIX_EPOCH));
    format!("{day}T{hours:02}:{minutes:02}:{:02}Z", of_day % 60)
}

/// Returns the seconds since the beginning of 1970.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let at = |seconds| day(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01");
        assert_eq!(at(951_782_399), "2000-02-28");
        assert_eq!(at(951_782_400), "2000-02-29");
        assert_eq!(at(1_735_689_599), "2024-12-31");
        assert_eq!(at(1_795_564_800), "2026-11-25");
    }

    #[test]
    fn moments_have_the_time_of_day() {
        assert_eq!(moment(0), "1970-01-01T00:00:00Z");
        assert_eq!(moment(951_782_399), "2000-02-28T23:59:59Z");
        // By date -u -d @1795605909.
        assert_eq!(moment(1_795_605_909), "2026-11-25T11:25:09Z");
        assert!(moment(u64::MAX).len() >= 20);
        assert!(moment(1 << 50).starts_with("9999-12-31T"));
    }
}
