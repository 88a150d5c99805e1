//! The program: see [`plyscope::cli`].
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    plyscope::cli::run()
}
