//! The emitters: what a program includes to write its search as a stream. Each is one file under the Zero-Clause BSD licence, so that
//! any program may take it.

/// A language that an emitter is written in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Language {
    C,
    Cpp,
    Python,
    Rust,
}

impl Language {
    /// The name of the emitter's file.
    pub fn file_name(self) -> &'static str {
        match self {
            Language::C => "plyscope_trace.h",
            Language::Cpp => "plyscope_trace.hpp",
            Language::Python => "plyscope_trace.py",
            Language::Rust => "plyscope_trace.rs",
        }
    }

    /// The text of the emitter's file.
    pub fn emitter(self) -> &'static str {
        match self {
            Language::C => include_str!("emitters/plyscope_trace.h"),
            // A thin layer over the C part, which makes one file with it.
            Language::Cpp => concat!(
                include_str!("emitters/plyscope_trace.h"),
                "\n",
                include_str!("emitters/plyscope_trace.hpp")
            ),
            Language::Python => include_str!("emitters/plyscope_trace.py"),
            Language::Rust => include_str!("emitters/plyscope_trace.rs"),
        }
    }
}
