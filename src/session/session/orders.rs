//! What a session asks of its run: to go on, to stop somewhere, to end. While the run's state is being saved, that waits.

use std::sync::{MutexGuard, PoisonError};

use super::run::RunState;
use crate::debug::gate::Order;
use crate::saved::Place;
use search::StopReason;

/// What a run was asked while it was held.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waiting {
    order: Option<Order>,
    stop: bool,
}

impl RunState {
    /// Returns the place of the saved search that it shows.
    pub fn shown(&self) -> Option<Place> {
        self.shown
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the search to end; while it is held, as soon as it no longer is.
    pub fn stop(&self) {
        if self.hold.is_held() {
            self.waiting().stop = true;
        } else {
            self.control.stop(StopReason::User);
        }
    }

    /// Lets the run continue freely, whatever it was doing; `order` says whether breakpoints stop it.
    pub fn free(&self, order: Order) {
        debug_assert!(order.is_free());
        if self.hold.is_held() {
            self.waiting().order = Some(order);
            return;
        }
        self.gate.order(order);
        self.control.resume();
    }

    /// Gives an order to a run that has stopped or is paused, or interrupts one that is running.
    pub fn order(&self, order: Order) {
        if self.hold.is_held() {
            self.waiting().order = Some(order);
            return;
        }
        // The order says where it ends.
        self.control.pause_at(None);
        self.gate.order(order);
        self.control.resume();
    }

    /// Carries out what it was asked while it was held.
    pub fn carry_out(&self) {
        let waiting = std::mem::take(&mut *self.waiting());
        match waiting.order {
            Some(order) if order.is_free() => self.free(order),
            Some(order) => self.order(order),
            None => {}
        }
        if waiting.stop {
            self.stop();
        }
    }
}
