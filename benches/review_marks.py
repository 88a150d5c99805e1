#!/usr/bin/env python3
"""The blunders of a review beside another engine's at ten times the nodes. Needs python-chess and stockfish.

    cargo build --release --features examples --example review_marks
    benches/review_marks.py GAMES.pgn --games 30

The other engine judges by the same rule, written here once more: the drop in w = 2 / (1 + exp(-0.00368208 cp)) - 1
(a mate is +-1) from the position before a move to the one after it; a blunder loses .3. Strictly a move is one or is not. As
values near the threshold fall on either side by chance, a second count forgives what the other judge calls a mistake (.2 and
more), and drops that differ by less than .1. The control is the other engine itself at the review's nodes: what it does not
find, no review of that length need find.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys

import chess
import chess.engine

HERE = pathlib.Path(__file__).parent.parent


def chances(score):
    """Lichess's expected score of a python-chess score, its own view."""
    if score.is_mate():
        return 1.0 if score.mate() > 0 or score == chess.engine.MateGiven else -1.0
    return 2 / (1 + math.exp(-0.00368208 * score.score())) - 1


def wilson(hits, total, z=1.96):
    if total == 0:
        return (0.0, 1.0)
    p, zz = hits / total, z * z
    middle = (p + zz / (2 * total)) / (1 + zz / total)
    half = z * math.sqrt(p * (1 - p) / total + zz / (4 * total * total)) / (1 + zz / total)
    return (max(0.0, middle - half), min(1.0, middle + half))


def share(hits, total):
    low, high = wilson(hits, total)
    percent = 100 * hits / total if total else float("nan")
    return f"{hits} of {total} = {percent:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


class Judge:
    """The other engine, with what it found remembered in a file."""

    def __init__(self, command, nodes, memory):
        self.engine = chess.engine.SimpleEngine.popen_uci(command)
        self.engine.configure({"Threads": 1, "Hash": 64})
        memory = memory and memory.with_name(f"{nodes}-{memory.name}")
        self.nodes, self.memory = nodes, memory
        self.known = {}
        if memory and memory.exists():
            self.known = json.loads(memory.read_text())

    def drop(self, at, after):
        """What the move of `at` loses."""
        before, best = self.look(at["fen"])
        return 0.0 if best == at["played"] else max(0.0, before + self.look(after["fen"])[0])

    def look(self, fen):
        """Its value, side to move, and its best move."""
        key = f"{self.nodes} {fen}"
        if key not in self.known:
            board = chess.Board(fen)
            if board.is_checkmate():
                self.known[key] = (-1.0, None)
            elif board.is_stalemate() or board.is_insufficient_material():
                self.known[key] = (0.0, None)
            else:
                limit = chess.engine.Limit(nodes=self.nodes)
                found = self.engine.analyse(board, limit, game=object())
                self.known[key] = (chances(found["score"].relative), found["pv"][0].uci())
        return self.known[key]

    def remember(self):
        if self.memory:
            self.memory.write_text(json.dumps(self.known))

    def close(self):
        self.remember()
        self.engine.quit()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pgn")
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--column", default="alpha-beta")
    parser.add_argument("--nodes", type=int, default=20000)
    parser.add_argument("--judge", default="stockfish")
    parser.add_argument("--times", type=int, default=10, help="the judge's nodes are so many times the review's")
    parser.add_argument("--review", default=str(HERE / "target/release/examples/review_marks"))
    parser.add_argument("--memory", type=pathlib.Path, help="a file that keeps what the judge found")
    parser.add_argument("--list", action="store_true", help="list the moves that differ")
    wish = parser.parse_args()
    command = [wish.review, wish.pgn, str(wish.games), wish.column, str(wish.nodes)]
    review = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    judge = Judge(wish.judge, wish.nodes * wish.times, wish.memory)
    control = Judge(wish.judge, wish.nodes, wish.memory)
    games, unjudged, rows, nodes = 0, 0, [], []
    try:
        for game in map(json.loads, review.stdout):
            plies = game["plies"]
            for ply, (at, after) in enumerate(zip(plies, plies[1:])):
                if at["played"] is None:
                    continue
                drops = (at["drop"], control.drop(at, after), judge.drop(at, after))
                rows.append((game["title"], ply, at, after, *drops))
            games, unjudged = games + 1, unjudged + game["unjudged"]
            nodes += [p["found"]["nodes"] for p in plies]
            judge.remember()
            control.remember()
            if sys.stderr.isatty():
                print(f"{games} games", end="\r", file=sys.stderr)
    except KeyboardInterrupt:
        # What is there by then is told.
        review.terminate()
    report(wish, games, len(rows), unjudged, rows, nodes)
    judge.close()
    control.close()


def count(name, drops):
    """How the drops of `name` and the judge's agree."""
    theirs = [(mine, judge) for mine, judge in drops if judge >= 0.3]
    ours = [(mine, judge) for mine, judge in drops if mine is not None and mine >= 0.3]
    both = sum(mine is not None and mine >= 0.3 for mine, _ in theirs)
    near = lambda mine, judge: abs(mine - judge) < 0.1
    found = sum(mine is not None and (mine >= 0.2 or near(mine, judge)) for mine, judge in theirs)
    right = sum(judge >= 0.2 or near(mine, judge) for mine, judge in ours)
    print(f"{name}: blunders found {share(both, len(theirs))}, false among its own {share(len(ours) - both, len(ours))}")
    print(f"    forgiving the border: found {share(found, len(theirs))}, false {share(len(ours) - right, len(ours))}")


def report(wish, games, moves, unjudged, rows, nodes):
    over = sum(1 for n in nodes if n > wish.nodes * 1.05)
    print(f"{games} games, {moves} moves; {wish.column} at {wish.nodes} nodes a position, {wish.judge} at {wish.nodes * wish.times}")
    print(f"positions searched longer: {share(over, len(nodes))}; mean nodes {sum(nodes) / max(1, len(nodes)):.0f}")
    print(f"moves not judged: {unjudged}")
    count(wish.column, [(mine, theirs) for *_, mine, _, theirs in rows])
    count(f"control, {wish.judge} at {wish.nodes}", [(control, theirs) for *_, control, theirs in rows])
    if wish.list:
        for title, ply, at, after, mine, _, theirs in rows:
            if (mine is not None and mine >= 0.3) != (theirs >= 0.3):
                mine = "not judged" if mine is None else f"{mine:.2f}"
                print(f"{title} ply {ply} {at['played']}: ours {mine}, judge's {theirs:.2f}; {at['found']} {after['found']} {at['fen']}")


if __name__ == "__main__":
    sys.exit(main())
