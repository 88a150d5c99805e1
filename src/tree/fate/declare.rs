//! What the table of fates turns into: [`Fate`](super::Fate) itself, its packing into eight bytes, and the ways to its numbers.

/// Declares every fate once. A row reads
///
/// ```text
/// /// What it means, for the docs.
/// Variant {
///     field: type [Unit],                 // by its name in JSON and breakpoints,
///     field: type [Unit] as "other",      // or by another one
/// } = { name: "…", letter: '…', …the other fields of FateInfo… }
/// ```
///
/// `type` is what the field holds and what it is packed as ([`Packed`](super::number::Packed)); `Unit` is the variant
/// of [`Value`](super::Value) that it is told as. Fields that are left out of [`FateInfo`](super::FateInfo) are those
/// of [`FateInfo::PLAIN`](super::FateInfo::PLAIN).
macro_rules! fates {
    ($(
        $(#[$doc:meta])*
        $Variant:ident
        $({ $($(#[doc = $about:literal])* $field:ident: $type:ty [$Unit:ident] $(as $name:literal)?),+ $(,)? })?
        $(($whole:ident: $Whole:ty [$WholeUnit:ident]))?
        = { $($key:ident: $value:expr),+ $(,)? }
    )+) => {
        /// Why a node is as it is, with the numbers that decided it.
        ///
        /// Scores are from the view of the side to move at the node, except in the fates of moves that were *not*
        /// searched ([`Fate::is_skip`]): there the decision was the parent's, and so is the view.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        pub enum Fate {
            $($(#[$doc])* $Variant $({ $($(#[doc = $about])* $field: $type),+ })? $(($Whole))?,)+
        }

        /// The place of each fate in [`FATES`], under its own name.
        #[allow(non_upper_case_globals)]
        pub mod kind {
            enum Kind { $($Variant),+ }
            $(pub const $Variant: u8 = Kind::$Variant as u8;)+
        }

        /// The table of fates, indexed by [`Fate::kind`].
        pub static FATES: [FateInfo; [$(kind::$Variant),+].len()] = [
            $(FateInfo {
                $($key: $value,)+
                fields: &[
                    $($(Field {
                        name: fates!(@name $field $($name)?),
                        unit: Unit::$Unit,
                        about: concat!($($about),*),
                    }),+)?
                    $(Field { name: stringify!($whole), unit: Unit::$WholeUnit, about: "How it ended." })?
                ],
                ..FateInfo::PLAIN
            }),+
        ];

        // A fate and its kind have eight bytes.
        $(const _: () = assert!(
            8 $($(+ <$type as Packed>::BITS)+)? $(+ <$Whole as Packed>::BITS)? <= 64,
        );)+

        impl Fate {
            /// The row in [`FATES`].
            #[inline]
            pub const fn kind(self) -> usize {
                match self {
                    $(Fate::$Variant { .. } => kind::$Variant as usize,)+
                }
            }

            #[inline]
            pub fn to_bits(self) -> u64 {
                match self {
                    $(Fate::$Variant $({ $($field),+ })? $(($whole))? => {
                        Packer::new(kind::$Variant) $($(.put($field))+)? $(.put($whole))? .bits()
                    })+
                }
            }

            #[inline]
            pub fn from_bits(bits: u64) -> Fate {
                let mut from = Unpacker::new(bits);
                match bits as u8 {
                    $(kind::$Variant => Fate::$Variant
                        $({ $($field: from.take()),+ })? $((from.take::<$Whole>()))?,)+
                    _ => Fate::default(),
                }
            }

            /// Its numbers, in the order of the table.
            pub fn numbers(self) -> Numbers {
                let mut numbers = Numbers::new();
                match self {
                    $(Fate::$Variant $({ $($field),+ })? $(($whole))? => {
                        $($(numbers.push(Number {
                            name: fates!(@name $field $($name)?),
                            value: Value::$Unit($field.into()),
                        });)+)?
                        $(numbers.push(Number {
                            name: fates!(@name $whole),
                            value: Value::$WholeUnit($whole),
                        });)?
                    })+
                }
                numbers
            }

            /// The number of this name; `None` where the fate has none such.
            #[inline]
            pub fn number(self, name: &str) -> Option<Value> {
                match self {
                    $($(Fate::$Variant { $($field),+ } => {
                        $(if name == fates!(@name $field $($name)?) {
                            return Some(Value::$Unit($field.into()));
                        })+
                        None
                    })?)+
                    _ => None,
                }
            }

            /// The fate of this place in [`FATES`] with numbers that another program told. `None` where `told` lacks one of
            /// them, or one that does not fit.
            pub fn assembled(kind: usize, mut told: impl FnMut(&Field) -> Option<i64>) -> Option<Fate> {
                let mut fields = FATES.get(kind)?.fields.iter();
                match kind as u8 {
                    $(kind::$Variant => Some(Fate::$Variant
                        $({ $($field: Packed::told(told(fields.next()?)?)?),+ })?
                        $((<$Whole as Packed>::told(told(fields.next()?)?)?))?
                    ),)+
                    _ => None,
                }
            }

            /// The first move that the fate names.
            pub(super) fn named_move(self) -> Option<MoveCode> {
                match self {
                    $($(Fate::$Variant { $($field),+ } => None$(.or($field.as_move()))+,)?)+
                    _ => None,
                }
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };
}

pub(super) use fates;
