#!/usr/bin/env python3
"""Are beliefs right about positions that come from elsewhere? Makes such positions, judges, and fits how beliefs are blurred.

    python3 sources.py make walks walks.tsv --engine /usr/games/stockfish --nodes 8000 --positions 2000 --games GAMES.pgn ...
    python3 sources.py judge WEIGHTS.bin human.tsv walks.tsv ...
    python3 sources.py fit WEIGHTS.bin human.tsv walks.tsv ... [--write]

Each file is a source: positions of one kind, labelled as by `make_labels.py`. `judge` prints for each source how many truths lie
within the central 50, 80 and 90 %. `fit` blurs wide beliefs: their logits are multiplied by 2^(-BY max(width - FROM, 0)), where
the width is that of the belief in octaves of bins (README.md). Every source is judged by the fit to the others; with --write
the fit to all of them is put into WEIGHTS.bin. Needs python-chess for `make`.
"""

import argparse
import hashlib
import itertools
import json
import random
import struct
import subprocess
from pathlib import Path

import numpy as np

LEVELS = np.array([0.5, 0.8, 0.9])
# In octaves: beliefs of an effective width of four bins or less are left as they are.
FROM = 2.0


# Sources: endless or not, each a generator of boards.


def human(rng, args):
    """Positions of the games in --games, one of seven, in random order."""
    import chess.pgn

    found = []
    for path in args.games:
        with open(path, encoding="latin-1") as file:
            while game := chess.pgn.read_game(file):
                if game.errors or "Variant" in game.headers:
                    continue
                board = game.board()
                for move in game.mainline_moves():
                    board.push(move)
                    if rng.random() < 1 / 7:
                        found.append(board.fen())
    yield from map(chess.Board, rng.sample(found, len(found)))


def random_moves(board, number, captures, rng):
    for _ in range(number):
        moves = list(board.legal_moves)
        taking = [m for m in moves if board.is_capture(m)]
        if moves:
            board.push(rng.choice(taking if taking and rng.random() < captures else moves))


def walks(rng, args):
    """Four to ten random moves away from those of games."""
    for board in itertools.chain.from_iterable(human(rng, args) for _ in itertools.count()):
        random_moves(board, rng.randint(4, 10), 0.4, rng)
        yield board


def checks(rng, args):
    """Of games and after a random checking move, all in check."""
    for board in human(rng, args):
        checking = [m for m in board.legal_moves if board.gives_check(m)]
        if not board.is_check() and checking:
            board.push(rng.choice(checking))
        if board.is_check():
            yield board


def openings(rng, args):
    """The ends of lines: tables in --games with a column `pgn`, as those of lichess-org/chess-openings."""
    import csv
    import io

    import chess.pgn

    lines = [row["pgn"] for path in args.games for row in csv.DictReader(open(path), delimiter="\t")]
    for line in rng.sample(lines, len(lines)):
        yield chess.pgn.read_game(io.StringIO(line)).end().board()


def random_play(rng, _):
    """Ten to 120 random moves from the start."""
    import chess

    while True:
        board = chess.Board()
        random_moves(board, rng.randint(10, 120), 0.0, rng)
        yield board


def shuffled(rng, _):
    """Both back ranks shuffled, each in its own way, then random moves."""
    import chess

    while True:
        board = chess.Board()
        for rank in (0, 7):
            squares = [chess.square(file, rank) for file in range(8)]
            pieces = [board.piece_at(s) for s in squares]
            rng.shuffle(pieces)
            for square, piece in zip(squares, pieces):
                board.set_piece_at(square, piece)
        board.castling_rights = 0
        random_moves(board, rng.randint(4, 50), 0.5, rng)
        yield board


def placed(low, high):
    """Men on random squares."""

    def source(rng, _):
        import chess

        kinds = [1] * 6 + [2, 3, 4] * 2 + [5]
        while True:
            board = chess.Board(None)
            men = [(6, True), (6, False)] + [(rng.choice(kinds), rng.random() < 0.5) for _ in range(rng.randint(low, high) - 2)]
            for square, (kind, colour) in zip(rng.sample(range(64), len(men)), men):
                if kind > 1 or 0 < square // 8 < 7:
                    board.set_piece_at(square, chess.Piece(kind, colour))
            board.turn = rng.random() < 0.5
            yield board

    return source


def played(rng, args, odds):
    """Games by an engine that searches one to three plies."""
    import chess
    import chess.engine

    with chess.engine.SimpleEngine.popen_uci(args.engine) as engine:
        while True:
            board = chess.Board()
            if odds:
                squares = [s for s, piece in board.piece_map().items() if piece.piece_type < 6]
                for square in rng.sample(squares, rng.randint(1, 8)):
                    board.remove_piece_at(square)
                board.castling_rights = board.clean_castling_rights()
            random_moves(board, rng.randint(0, 4), 0.0, rng)
            while not board.is_game_over(claim_draw=True) and board.ply() < 200:
                limit = chess.engine.Limit(depth=rng.randint(1, 3))
                if odds and rng.random() < 0.5:
                    random_moves(board, 1, 0.0, rng)
                else:
                    board.push(engine.play(board, limit).move)
                if rng.random() < 1 / 8:
                    yield board.copy(stack=False)


def leaves(rng, args):
    """Deep in the trees of plyscope's own searches of positions of games."""
    import chess

    for board in human(rng, args):
        if rng.random() < 0.9:
            continue
        algorithm = rng.choice(["alpha-beta", "mcts", "distress"])
        command = [args.plyscope, "tree", "--fen", board.fen(), "-a", algorithm, "--nodes", "600", "--threads", "1"]
        tree = json.loads(subprocess.run([*command, "--format", "json"], capture_output=True, check=True).stdout)
        found, open_ = [], [(tree["root"], board.copy(stack=False))]
        while open_:
            node, at = open_.pop()
            for child in node.get("children", []):
                after = at.copy(stack=False)
                after.push_uci(child["move"]["uci"])
                open_.append((child, after))
                found.append(after)
        yield from rng.sample(found, min(6, len(found)))


SOURCES = {
    "human": human, "walks": walks, "checks": checks, "openings": openings, "random-play": random_play, "shuffled": shuffled,
    "placed-few": placed(3, 8), "placed-many": placed(9, 28), "leaves": leaves,
    "weak": lambda rng, args: played(rng, args, False), "odds": lambda rng, args: played(rng, args, True),
}


def make(args):
    from make_labels import Engine, key

    rng, seen = random.Random(f"{args.seed}/{args.source}"), set()
    engine = Engine(args.engine, args.nodes)
    with open(args.out, "w") as out:
        for board in SOURCES[args.source](rng, args):
            fen = board.fen()
            usable = board.is_valid() and any(board.legal_moves) and not board.is_insufficient_material()
            if not usable or key(fen) in seen:
                continue
            seen.add(key(fen))
            engine.new_game()
            label = engine.label(fen)
            if label and (label[0], label[1]) != ("mate", 0):
                print(fen, *label, "g", sep="\t", file=out)
            if len(seen) == args.positions:
                break
    engine.say("quit")


class Source:
    """What the network says about one source's positions, judged for many factors on its logits."""

    FACTORS = np.exp(np.linspace(np.log(0.3), np.log(1.3), 24))

    def __init__(self, path, weights):
        import judge
        import reference
        from prepare import read

        told = read(path, False)
        truth = judge.truth_of(told["value"])
        inputs = reference.Inputs(told["board"], told["castle"])
        logits = reference.logits_of(weights, inputs)
        own = weights.sharpness[inputs.bucket, inputs.state]
        self.name, self.number, self.in_check = Path(path).stem, len(truth), inputs.state == 2
        self.width = reference.width(reference.powers_of_two(weights, logits, own[:, None])) / reference.TABLE
        self.within = np.zeros((len(self.FACTORS), 3, self.number))
        self.crps = np.zeros((len(self.FACTORS), self.number))
        for i, factor in enumerate(self.FACTORS):
            sharpness = np.maximum(np.rint(own * factor).astype(np.int64), 1)[:, None]
            found = judge.judge(reference.powers_of_two(weights, logits, sharpness).astype(float), truth, judge.EDGES)
            self.crps[i] = found[:, 0]
            self.within[i] = [judge.covered(found[:, 1], found[:, 2], level) for level in LEVELS]

    def judged(self, by):
        """Whether each truth is within each interval, and the score, with beliefs blurred by so much."""
        factor = -by * np.maximum(self.width - FROM, 0) * np.log(2)
        first, last = np.log(self.FACTORS[[0, -1]])
        place = np.clip((factor - first) / (last - first) * (len(self.FACTORS) - 1), 0, len(self.FACTORS) - 1.001)
        i, part, row = place.astype(int), place % 1, np.arange(self.number)
        between = lambda x: (1 - part)[:, None] * x[i, ..., row] + part[:, None] * x[i + 1, ..., row]
        return between(self.within), between(self.crps[:, None, :])[:, 0]


def deviation(sources, by):
    """The mean square by which shares are off, over sources and over thirds of them by width."""
    total = 0.0
    for source in sources:
        within = source.judged(by)[0]
        third = np.digitize(source.width, np.quantile(source.width, [1 / 3, 2 / 3]))
        cells = [np.ones(source.number, bool)] * 3 + [third == k for k in range(3)]
        total += sum(((within[cell].mean(0) - LEVELS) ** 2).mean() for cell in cells) / len(cells)
    return total / len(sources)


def fitted(sources):
    steps = np.arange(0, 0.8, 0.01)
    return steps[np.argmin([deviation(sources, by) for by in steps])]


def shares(within):
    return ", ".join(f"{100 * x:.1f}" for x in within.mean(0)) if len(within) else "none"


def judged(args, fit):
    import reference

    weights = reference.Weights(args.weights)
    in_use = weights.blur[1] / reference.TABLE
    sources = [Source(path, weights) for path in args.files]
    print("| source | positions | unblurred | as it is | in check | CRPS |" + (" left out | in check | CRPS |" if fit else ""))
    print("| --- " * (9 if fit else 6) + "|")
    for source in sources:
        (off, _), (within, crps) = source.judged(0.0), source.judged(in_use)
        row = [source.name, f"{source.number:,}", shares(off), shares(within), shares(within[source.in_check]), f"{crps.mean():.4f}"]
        if fit:
            within, crps = source.judged(fitted([other for other in sources if other is not source]))
            row += [shares(within), shares(within[source.in_check]), f"{crps.mean():.4f}"]
        print("|", " | ".join(row), "|")
    if fit:
        by = fitted(sources)
        print(f"\nfitted to all: by {by:.2f} from {FROM:g} octaves; shares are off by {100 * deviation(sources, by) ** 0.5:.1f} % "
              f"(root mean square), unblurred by {100 * deviation(sources, 0.0) ** 0.5:.1f}")
        if args.write:
            data = Path(args.weights).read_bytes()[:-36]
            data += struct.pack("<2h", round(FROM * reference.TABLE), round(by * reference.TABLE))
            Path(args.weights).write_bytes(data + hashlib.sha256(data).digest())


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tasks = args.add_subparsers(dest="task", required=True)
    one = tasks.add_parser("make")
    one.add_argument("source", choices=SOURCES)
    one.add_argument("out")
    one.add_argument("--engine", default="stockfish")
    one.add_argument("--nodes", type=int, default=8000)
    one.add_argument("--positions", type=int, default=2000)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--games", nargs="*", default=[], help="PGN files for human, walks, checks and leaves; tables for openings")
    one.add_argument("--plyscope", default="plyscope", help="for leaves")
    for name in ("judge", "fit"):
        other = tasks.add_parser(name)
        other.add_argument("weights")
        other.add_argument("files", nargs="+")
        other.add_argument("--write", action="store_true", help="with fit")
    args = args.parse_args()
    make(args) if args.task == "make" else judged(args, args.task == "fit")


if __name__ == "__main__":
    main()
