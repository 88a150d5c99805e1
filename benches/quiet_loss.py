#!/usr/bin/env python3
"""What searches give away in quiet positions. Needs python-chess, zstandard and stockfish.

    benches/quiet_loss.py label TRAINING --seed 1 --positions 300 > quiet.epd
    plyscope suite quiet.epd -a alpha-beta -a distress --nodes 20k --threads 1 --csv > quiet.csv
    benches/quiet_loss.py read quiet.csv --against alpha-beta

`label` picks labelled positions of games (kind g) that are within 250 centipawns of even, not in check, and whose best move
is no capture, check or promotion, and judges each legal move by Stockfish with 8,000 nodes. A move's points are 1000 less
1000 times the expected score (from -1 to 1, tanh of centipawns over 360) that it gives away. `read` prints each column's mean
loss, its paired difference from another column with its standard error, and its speed.
"""

import argparse
import csv
import io
import math
import random
import statistics
import sys

NODES = 8000


def expected(score):
    """The expected score of a python-chess score, from -1 to 1."""
    mate = score.mate()
    if mate is not None:
        return 1.0 if mate > 0 else -1.0
    return math.tanh(score.score() / 360)


def candidates(path, seed):
    """Positions with their best moves, in random order."""
    import zstandard

    found = []
    with open(path, "rb") as file:
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), encoding="utf8")
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if not line.startswith("#") and fields[1] == "cp" and abs(int(fields[2])) <= 250 and fields[-1] == "g":
                moves = [f for f in fields[3:] if len(f) in (4, 5) and f[0] in "abcdefgh" and f[1] in "12345678"]
                found.append((fields[0], moves[-1]))
            if len(found) > 200_000:
                break
    random.Random(seed).shuffle(found)
    return found


def label(arguments):
    import chess
    import chess.engine

    engine = chess.engine.SimpleEngine.popen_uci(arguments.engine)
    engine.configure({"Threads": 1, "Hash": 16})
    made = 0
    for fen, uci in candidates(arguments.labels, arguments.seed):
        if made == arguments.positions:
            break
        board = chess.Board(fen)
        best = chess.Move.from_uci(uci)
        forcing = board.is_capture(best) or board.gives_check(best) or best.promotion
        if board.is_check() or board.legal_moves.count() < 5 or forcing:
            continue
        worth = {}
        for move in board.legal_moves:
            board.push(move)
            if board.is_checkmate():
                value = 1.0
            elif board.is_game_over():
                value = 0.0
            else:
                value = -expected(engine.analyse(board, chess.engine.Limit(nodes=NODES))["score"].relative)
            board.pop()
            worth[board.san(move)] = value
        top = max(worth.values())
        points = {san: round(1000 + 1000 * (value - top)) for san, value in worth.items()}
        listed = ", ".join(f"{san}={p}" for san, p in points.items() if p > 0)
        chosen = max(worth, key=worth.get)
        print(f'{" ".join(fen.split()[:4])} bm {chosen}; c0 "{listed}"; id "Q.{made}";', flush=True)
        made += 1
    engine.quit()


def read(arguments):
    columns, nodes, seconds = {}, {}, {}
    with open(arguments.csv) as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            loss = 1 - float(row["points"] or 0) / 1000
            name = row["column"]
            columns.setdefault(name, {})[row["number"]] = loss
            nodes[name] = nodes.get(name, 0) + int(row["nodes"])
            seconds[name] = seconds.get(name, 0) + float(row["cpu_ms"]) / 1000
    against = columns.get(arguments.against)
    if against is None:
        raise SystemExit(f"quiet_loss.py: found no column {arguments.against!r}, expected one of {', '.join(columns)}")
    for name, losses in columns.items():
        paired = [loss - against[number] for number, loss in losses.items()]
        error = statistics.stdev(paired) / math.sqrt(len(paired))
        mean = statistics.fmean(losses.values())
        print(f"{name}: loss {mean:.4f}, against {arguments.against} {statistics.fmean(paired):+.4f} ± {error:.4f}, {nodes[name] / seconds[name] / 1000:.0f}k nodes per CPU second")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tasks = parser.add_subparsers(required=True)
    one = tasks.add_parser("label")
    one.add_argument("labels")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--positions", type=int, default=300)
    one.add_argument("--engine", default="/usr/games/stockfish")
    one.set_defaults(task=label)
    other = tasks.add_parser("read")
    other.add_argument("csv")
    other.add_argument("--against", default="alpha-beta")
    other.set_defaults(task=read)
    arguments = parser.parse_args()
    arguments.task(arguments)


if __name__ == "__main__":
    sys.exit(main())
