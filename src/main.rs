//! The program: see [`plyscope::cli`].
#![forbid(unsafe_code)]

/// One heap for all threads. With a heap a thread, as the GNU C library has it, what a search's threads give back is of no
/// use to the next search's: rewinding in 32 MiB took 80.
#[cfg(unix)]
#[global_allocator]
static HEAP: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> std::process::ExitCode {
    plyscope::cli::run()
}
