//! Methods of what stands behind a pointer, each written once in a list.

/// Declares the methods of a list in a trait.
macro_rules! declare {
    ($of:ident: $(fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {
        $(fn $name(&self, $($arg: $type),*) -> $out;)*
    };
}

/// Implements them by passing the question on.
macro_rules! pass {
    ($of:ident: $(fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {
        $(fn $name(&self, $($arg: $type),*) -> $out { self.0.$name($($arg),*) })*
    };
}

pub(super) use {declare, pass};
