//! Makes sure that a higher value of a search is never reported as a lower one.

use belief::{Density, Grid};

/// Up to this magnitude of the logit every form rises, whatever the features.
const FROM: f32 = 4.0;
const STEP: f32 = 0.05;

/// Returns a logistic with the location and the scale that `shape` gives at a logit, but with the scale held constant
/// from the point where its growth would make the mean fall. Little is known out there, and a position that is worth
/// more must not be reported as worth less.
pub fn logistic(grid: &Grid, logit: f32, shape: impl Fn(f32) -> (f32, f32)) -> Density {
    let of = |place: f32, width: f32| {
        let (location, _) = shape(place.copysign(logit));
        let (_, tau) = shape(width.copysign(logit));
        Density::forecast(grid, location, tau)
    };
    let (size, side) = (logit.abs(), 1f32.copysign(logit));
    of(size, held(size, |at| side * of(at, at).mean(grid)))
}

/// Returns the magnitude, limited to the last step before the peak of `mean`.
fn held(size: f32, mean: impl Fn(f32) -> f32) -> f32 {
    if size.is_nan() || size <= FROM {
        return size;
    }
    let (mut at, mut here) = (FROM, mean(FROM));
    loop {
        let next = mean(at + STEP);
        if next <= here {
            return size.min((at - STEP).max(FROM));
        }
        if at >= size {
            return size;
        }
        (at, here) = (at + STEP, next);
    }
}

#[cfg(test)]
mod tests {
    use super::held;

    #[test]
    fn up_to_the_peak_a_size_is_its_own() {
        for peak in [4.3f32, 5.72, 5.76, 8.0] {
            let mean = |size: f32| -(size - peak).powi(2);
            for step in 0..1_000 {
                let size = 0.01 * step as f32;
                let at = held(size, mean);
                if size < peak - 0.11 {
                    assert_eq!(at, size, "{peak}");
                } else {
                    assert!(at <= size && at <= peak && at > peak - 0.12, "{peak}: {at}");
                }
            }
        }
        // If nothing falls, nothing is held.
        assert_eq!(held(30.0, |size| size), 30.0);
    }
}
