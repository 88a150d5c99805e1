//! The program: see [`cli`].

/// One heap for all threads. The GNU C library keeps one heap per thread, so memory that one search's threads free is
/// of no use to the threads of the next search: rewinding within 32 MiB took 80 MiB.
#[cfg(unix)]
#[global_allocator]
static HEAP: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> std::process::ExitCode {
    cli::run()
}
