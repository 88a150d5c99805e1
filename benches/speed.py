#!/usr/bin/env python3
"""The speed figures of the docs (docs/src/speed.md), as rows of their tables.

    cargo build --profile dist && benches/speed.py --plyscope target/dist/plyscope
    benches/speed.py --before OLD/plyscope instructions steps        # two builds, turn by turn
    benches/speed.py threads --positions suite.epd --depth 13        # on positions of your own
    benches/speed.py scale --picture docs/src/images/scale.svg       # the table, and its picture

Parts: instructions (needs valgrind), glaurung (needs that engine), nodes, recording, steps, threads, again, scale, frames. Without
names all of them are measured. Speeds are by CPU time, each the median of --runs runs that alternate with what they are
compared with, so a busy machine disturbs ratios little; instructions do not depend on the load at all.
"""

import argparse
import itertools
import json
import math
import os
import pathlib
import random
import re
import shlex
import shutil
import statistics
import subprocess
import tempfile

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PLACES = {"start": START, "kiwipete": KIWIPETE}
HERE = pathlib.Path(__file__).parent


def searched(plyscope, *arguments):
    """The result of a search, the CPU seconds that the program took, and the most bytes it had resident."""
    command = [plyscope, "search", "--json", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    lines = [json.loads(line) for line in process.stdout if line.startswith("{")]
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"speed.py: {shlex.join(command)} failed")
    return lines[-1], usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def instructions(plyscope, fen, nodes, evaluation):
    """What callgrind counts for the whole program."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", plyscope, "search", "--fen", fen]
    command += ["-a", "alpha-beta", "--nodes", str(nodes), "--threads", "1", "--memory", "512M"]
    command += ["--set", f"eval={evaluation}"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    counted = [line.split(":")[-1] for line in said.splitlines() if "Collected" in line]
    return int(counted[0])


def part_instructions(args):
    """Instructions a node of alpha-beta with its tree recorded: in all, and each further one."""
    print("| evaluation | build | start / kiwipete, start of the program included | each further node |")
    print("| --- | --- | --- | --- |")
    for evaluation in ["network", "hand", "both"]:
        for name, plyscope in builds(args):
            whole, further = [], []
            for fen in PLACES.values():
                some = instructions(plyscope, fen, 300_000, evaluation)
                more = instructions(plyscope, fen, 600_000, evaluation)
                whole.append(some / 300_000)
                further.append((more - some) / 300_000)
            row = [" / ".join(f"{x:,.0f}" for x in figures) for figures in (whole, further)]
            print(f"| {evaluation} | {name} |", " | ".join(row), "|", flush=True)


def part_glaurung(args):
    """Nodes per CPU second with the tree recorded, over those of glaurung, which records nothing."""
    glaurung = shutil.which("glaurung") or shutil.which("glaurung", path="/usr/games")
    if glaurung is None:
        print("glaurung is not found: left out")
        return
    print("| position | build | nodes per CPU second | glaurung | ratio |")
    print("| --- | --- | --- | --- | --- |")
    for place, fen in PLACES.items():
        for name, plyscope in builds(args):
            ours, theirs = [], []
            for _ in range(args.runs):
                found, taken, _ = searched(plyscope, "--fen", fen, "-a", "alpha-beta", "--nodes", "3M", "--threads", "1")
                ours.append(found["nodes"] / taken)
                theirs.append(by_uci(glaurung, fen))
            us, them = statistics.median(ours), statistics.median(theirs)
            print(f"| {place} | {name} | {us / 1e6:.2f} M | {them / 1e6:.2f} M | {us / them:.2f} |", flush=True)


def part_nodes(args):
    """Nodes per CPU second of alpha-beta with its tree recorded, by the whole program; and the ratio to the build before."""
    print("| position | nodes | build | nodes per CPU second | over before |")
    print("| --- | --- | --- | --- | --- |")
    for (place, fen), nodes in itertools.product(PLACES.items(), (100_000, 3_000_000)):
        command = ["--fen", fen, "-a", "alpha-beta", "--nodes", str(nodes), "--threads", "1"]
        found = {name: [] for name, _ in builds(args)}
        for run in range(args.runs):
            # Each of two builds comes first as often as second.
            for name, plyscope in builds(args)[:: 1 if run % 2 == 0 else -1]:
                result, taken, _ = searched(plyscope, *command)
                found[name].append(result["nodes"] / taken)
        for name, speeds in found.items():
            logs = [math.log(now / before) for now, before in zip(speeds, found.get("before", []))]
            ratio = mean_of(logs, 3) if name == "now" and len(logs) > 1 else ""
            print(f"| {place} | {nodes:,} | {name} | {statistics.median(speeds) / 1e6:.2f} M | {ratio} |", flush=True)


class Uci:
    """An engine on one thread."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say("uci")
        self.until("uciok")
        for option in ("Hash value 64", "Threads value 1", "OwnBook value false"):
            self.say(f"setoption name {option}")
        self.say("isready")
        self.until("readyok")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word):
        """Reads up to that word, and returns the nodes told last."""
        nodes = 0
        for line in self.process.stdout:
            words = line.split()
            if words[:1] == ["info"] and "nodes" in words:
                nodes = int(words[words.index("nodes") + 1])
            if words[:1] == [word]:
                return nodes
        raise SystemExit("speed.py: the engine broke off")

    def nodes(self, fen, limit):
        self.say(f"position fen {fen}")
        self.say(f"go {limit}")
        return self.until("bestmove")

    def quit(self):
        self.say("quit")
        self.process.wait()


def by_uci(engine, fen):
    """Nodes per CPU second of an engine on one thread, over five seconds."""
    engine = Uci([engine])
    before = cpu_of(engine.process.pid)
    nodes = engine.nodes(fen, "movetime 5000")
    taken = cpu_of(engine.process.pid) - before
    engine.quit()
    return nodes / taken


def cpu_of(pid):
    """CPU seconds of a running process."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def benched(plyscope, algorithm, runs=1):
    """What `plyscope bench` measures of an algorithm on one thread: for each place, figures by what they are and their unit."""
    command = [plyscope, "bench", "-a", algorithm, "--one-thread", "--runs", str(runs), "--json"]
    speeds = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["speeds"]
    return {place: {(s["what"], s["unit"]): s["measured"] for s in speeds if s["position"] == place} for place in PLACES}


def part_recording(args):
    """Nodes per CPU second of alpha-beta's search alone, and the share of its time that recording the tree takes."""
    kinds = ["nodes", "nodes, tree not recorded"]
    found = {(place, name): [] for place in PLACES for name, _ in builds(args)}
    for _ in range(args.runs):
        for name, plyscope in builds(args):
            for place, speeds in benched(plyscope, "alpha-beta", runs=3).items():
                found[place, name].append([speeds[kind, "per-cpu-second"] for kind in kinds])
    print("| position | build | nodes per CPU second | tree not recorded | share of recording |")
    print("| --- | --- | --- | --- | --- |")
    for (place, name), pairs in found.items():
        recorded, bare = (statistics.median(speeds) / 1e6 for speeds in zip(*pairs))
        share = statistics.median(1 - one / other for one, other in pairs)
        print(f"| {place} | {name} | {recorded:.2f} M | {bare:.2f} M | {share:.0%} |")


def part_steps(args):
    """Levels of descent of mcts per CPU second."""
    print("| position | build | mcts, steps per CPU second |")
    print("| --- | --- | --- |")
    found = {(place, name): [] for place in PLACES for name, _ in builds(args)}
    for _ in range(args.runs):
        for name, plyscope in builds(args):
            for place, speed in benched(plyscope, "mcts").items():
                # Nodes are told by either clock, steps by the wall's alone.
                waiting = speed["nodes", "per-cpu-second"] / speed["nodes", "per-second"]
                found[place, name].append(speed["tree steps", "per-second"] * waiting)
    for (place, name), figures in found.items():
        print(f"| {place} | {name} | {statistics.median(figures) / 1e6:.2f} M |")


def part_threads(args):
    """Nodes and time of two threads to a depth, over those of one, where one thread needs 300,000 to 4,000,000 nodes."""
    ratios = {name: [] for name, _ in builds(args)}
    taken = 0
    for fen in spread(positions_of(args)):
        command = ["--fen", fen, "-a", "alpha-beta", "--depth", str(args.depth), "--memory", "512M", "--threads"]
        fits = 300_000 <= searched(args.plyscope, *command, "1")[0]["nodes"] <= 4_000_000
        for _ in range(args.runs if fits else 0):
            for name, plyscope in builds(args):
                one, two = (searched(plyscope, *command, threads)[0] for threads in "12")
                ratios[name].append([math.log(two[what] / one[what]) for what in ("nodes", "time_ms")])
        taken += fits
        if taken == args.count:
            break
    print(f"Two threads to depth {args.depth} over one, geometric means and twice their standard errors:\n")
    print("| build | searches | nodes | time |")
    print("| --- | --- | --- | --- |")
    for name, found in ratios.items():
        print(f"| {name} | {len(found)} |", " | ".join(mean_of(logs) for logs in zip(*found)), "|")


def part_again(args):
    """Nodes of a second search to a depth, with what the table keeps from the first, over those of the first."""
    ratios = []
    for fen in spread(positions_of(args))[: args.count]:
        engine = Uci([args.plyscope, "uci", "-a", "alpha-beta"])
        first, second = (engine.nodes(fen, f"depth {args.depth}") for _ in range(2))
        engine.quit()
        if min(first, second) > 0:
            ratios.append(math.log(second / first))
    print(f"again to depth {args.depth}, {len(ratios)} positions: {mean_of(ratios)}")


def positions_of(args):
    """FENs of the sample of labels, or of a file."""
    positions = args.positions or HERE.parent / "sample-positions" / "labels" / "sample.tsv"
    lines = [line for line in pathlib.Path(positions).read_text().splitlines() if line.strip() and line[0] != "#"]
    return [" ".join(re.split("[ ;\t]+", line)[:4]) + " 0 1" for line in lines]


def mean_of(logs, digits=2):
    """A geometric mean and twice its standard error."""
    mean = math.exp(statistics.mean(logs))
    return f"{mean:.{digits}f} ± {2 * mean * statistics.stdev(logs) / len(logs) ** 0.5:.{digits}f}"


def spread(items):
    """The items in an order of which every beginning comes from everywhere."""
    return random.Random(1).sample(items, len(items))


SIZES = {"alpha-beta": 8, "mcts": 7}


def part_scale(args):
    """What trees cost by their size."""
    build = builds(args)[-1][1]
    print("| search | counted nodes | tree nodes | nodes per CPU second | bytes a tree node | saved in, CPU s | file, bytes a tree node |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    curves = {}
    for algorithm, most in SIZES.items():
        for nodes in (10**power for power in range(5, most + 1)):
            with tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "search.plyscope")
                command = ["-a", algorithm, "--nodes", str(nodes), "--threads", "1", "--memory", args.memory]
                plain, taken, peak = searched(build, *command)
                _, saved, _ = searched(build, *command, "--save", file)
                size = os.path.getsize(file)
            tree, counted, saving = plain["tree_nodes"], plain["nodes"], max(0.0, saved - taken)
            row = [algorithm, f"{counted:,}", f"{tree:,}", f"{counted / taken:,.0f}", f"{peak / tree:,.0f}"]
            print("|", " | ".join([*row, f"{saving:.1f}", f"{size / tree:.0f}"]), "|", flush=True)
            for panel, y in enumerate((counted / taken / 1e6, peak / tree, saving)):
                curves.setdefault(panel, {}).setdefault(algorithm, []).append((tree, y))
    if args.picture:
        titles = ["Million counted nodes per CPU second", "Bytes resident, by tree node", "CPU seconds to save the tree"]
        pathlib.Path(args.picture).write_text(picture(list(zip(titles, curves.values()))))


def picture(panels):
    """An SVG of curves over the number of tree nodes, of which the axis is logarithmic."""
    wide, high, left, top, gap = 270, 180, 50, 40, 60
    width, height = left + len(panels) * (wide + gap), top + high + 60
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="11" fill="#222222">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]

    def text(x, y, said, anchor="middle"):
        out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{said}</text>')

    def line(points, color):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.5"/>')

    for number, (title, curves) in enumerate(panels):
        x0, y0 = left + number * (wide + gap), top + high
        step = rounded(max(y for curve in curves.values() for _, y in curve) / 5)
        place = lambda tree, y: (x0 + wide * (math.log10(tree) - 4.5) / 4, y0 - high * y / (5 * step))
        text(x0, top - 16, title, "start")
        for tick in range(6):
            y = y0 - high * tick / 5
            out.append(f'<line x1="{x0}" y1="{y:.1f}" x2="{x0 + wide}" y2="{y:.1f}" stroke="#dddddd"/>')
            text(x0 - 6, y + 4, f"{tick * step:g}", "end")
        for power in range(5, 9):
            text(place(10**power, 0)[0], y0 + 16, f'10<tspan dy="-4" font-size="8">{power}</tspan>')
        text(x0 + wide / 2, y0 + 34, "tree nodes")
        for (name, curve), color in zip(curves.items(), ("#1b6ca8", "#c0392b")):
            points = [place(*point) for point in curve]
            line(points, color)
            for x, y in points:
                out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{color}"/>')
    for number, (name, color) in enumerate(zip(panels[0][1], ("#1b6ca8", "#c0392b"))):
        line([(left + 90 * number, height - 10), (left + 90 * number + 18, height - 10)], color)
        text(left + 90 * number + 24, height - 6, name, "start")
    return "\n".join([*out, "</svg>", ""])


def rounded(step):
    """The next 1, 2, 2.5 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(step))
    return next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= step)


def part_frames(args):
    """How long a frame of 200x50 takes over the tree of alpha-beta by its size (cargo bench --bench frame)."""
    print("| tree nodes | all rows made anew: median, 99 % | a node opened or closed: median, 99 % |")
    print("| --- | --- | --- |")
    for nodes in (10**power for power in range(5, SIZES["alpha-beta"] + 1)):
        asked = {**os.environ, "FRAME_ALGORITHM": "alpha-beta", "FRAME_NODES": str(nodes)}
        command = ["cargo", "bench", "--bench", "frame"]
        said = subprocess.run(command, env=asked, check=True, capture_output=True, text=True).stdout
        tree = re.search(r"(\d+) nodes in the tree", said)[1]
        pattern = r"{} +median +([\d.]+) ms +99 % +([\d.]+) ms"
        found = [re.search(pattern.format(what), said) for what in ("made and sorted anew", "open and close")]
        cells = [f"{float(times[1]):.2f}, {float(times[2]):.2f} ms" for times in found]
        print(f"| {int(tree):,} |", " | ".join(cells), "|", flush=True)


PARTS = {name.removeprefix("part_"): part for name, part in list(globals().items()) if name.startswith("part_")}


def builds(args):
    named = [("before", args.before)] if args.before else []
    return [*named, ("now", args.plyscope)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--plyscope", default="target/release/plyscope", help="the program to measure")
    parser.add_argument("--before", help="another build of it, measured in turn")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--positions", help="positions for threads and again, a line each")
    parser.add_argument("--depth", type=int, default=15, help="the depth for threads and again")
    parser.add_argument("--count", type=int, default=50, help="how many positions for threads and again")
    parser.add_argument("--memory", default="16G", help="the memory for scale")
    parser.add_argument("--picture", help="where scale draws its picture (SVG)")
    args = parser.parse_args()
    unknown = [part for part in args.parts if part not in PARTS]
    if unknown:
        parser.error(f"found {unknown[0]}, expected one of {', '.join(PARTS)}")
    for name in args.parts or PARTS:
        print(f"\n## {name}: {PARTS[name].__doc__}\n")
        PARTS[name](args)


main()
