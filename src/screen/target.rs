//! What can be clicked: each component has a type of its own for its targets, and only who knows that type recovers one.

use std::any::Any;
use std::fmt::{self, Debug, Formatter};
use std::rc::Rc;

use ratatui::layout::Rect;

/// A value of a component's own type that a part of the screen stands for.
#[derive(Clone)]
pub struct Target(Rc<dyn Value>);

trait Value: Any + Debug {}

impl<T: Any + Debug> Value for T {}

impl Target {
    pub fn new(value: impl Any + Debug) -> Target {
        Target(Rc::new(value))
    }

    /// Returns the value if it is of this type.
    pub fn of<T: Any + Copy>(&self) -> Option<T> {
        let value: &dyn Any = &*self.0;
        value.downcast_ref().copied()
    }

    /// Whether it is this value of this type.
    pub fn is<T: Any + Copy + PartialEq>(&self, value: T) -> bool {
        self.of() == Some(value)
    }
}

impl Debug for Target {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A part of the screen that can be clicked.
#[derive(Clone, Debug)]
pub struct Region {
    pub area: Rect,
    pub target: Target,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_recovered_by_its_own_type_alone() {
        #[derive(Clone, Copy, Debug, PartialEq)]
        struct Row(usize);
        #[derive(Clone, Copy, Debug, PartialEq)]
        struct Column(usize);
        let target = Target::new(Row(3));
        assert_eq!(target.of::<Row>(), Some(Row(3)));
        assert!(target.is(Row(3)) && !target.is(Row(4)));
        assert_eq!(target.of::<Column>(), None);
        assert_eq!(format!("{target:?}"), "Row(3)");
    }
}
