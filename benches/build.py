#!/usr/bin/env python3
"""What it takes to build plyscope, in seconds by the clock.

    benches/build.py              # an edit in `belief`, and one in a tab: until their tests have run, and until it is checked
    benches/build.py release      # a release build with all dependencies, in a folder of its own

An edit is a line more at the end of a file; it is taken back afterwards. The builds before it are made first and not timed.
"""

import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).parent.parent
BELIEF = ROOT / "src/belief/rule.rs"
TAB = ROOT / "src/tui/tabs/compare/mod.rs"


def cargo(*arguments):
    """The seconds that cargo takes."""
    began = time.monotonic()
    subprocess.run(["cargo", *arguments], check=True, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - began


def edited(file, *arguments):
    """The seconds that cargo takes after an edit: the median of three edits."""
    cargo(*arguments)
    before = file.read_text()
    times = []
    try:
        for number in range(3):
            file.write_text(f"{before}\n// Edit {number}.\n")
            times.append(cargo(*arguments))
    finally:
        file.write_text(before)
    return sorted(times)[1]


def main():
    # An edit is taken back even if the script is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if sys.argv[1:] == ["release"]:
        with tempfile.TemporaryDirectory() as folder:
            print(f"release build, from nothing: {cargo('build', '--release', '--target-dir', folder):.0f} s")
        return
    print("| after an edit | until | seconds |\n| --- | --- | --- |")
    for name, file, package in [("in `belief`", BELIEF, "plyscope-belief"), ("in a tab", TAB, "plyscope-tui")]:
        print(f"| {name} | its tests are built | {edited(file, 'test', '-p', package, '--no-run'):.1f} |", flush=True)
        print(f"| {name} | its tests have run | {edited(file, 'test', '-p', package):.1f} |", flush=True)
        print(f"| {name} | `cargo check` of its crate | {edited(file, 'check', '-p', package):.1f} |", flush=True)


main()
