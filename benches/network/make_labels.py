#!/usr/bin/env python3
"""Makes labelled positions with a UCI engine: one line per position, in the columns that `prepare.py` reads.

    python3 make_labels.py OUT.tsv --engine /usr/games/stockfish --nodes 1000 --games 20000 --seed 1 --without TEST

FEN, `cp` or `mate`, value (side to move; centipawns, or moves to mate), win, draw, loss in permille, best move, kind.
Games start with 2 to 12 random moves, then play the engine's move or, with a probability of .02 to .35 fixed per game,
a random one; they end at mate, draw, 240 half-moves, or when decided (|cp| >= 1000 or a mate) for seven plies. After a
third of the positions an `x` position one to three random moves away follows. The hash is cleared between games.

Game i depends on the seed and i alone. It can be stopped at any time and goes on where it was: OUT.tsv.next holds the
number of the next game and the length of the file up to there. Needs python-chess and, for --without, zstandard.
"""

import argparse
import io
import os
import random
import subprocess

import chess

MOST_PLIES = 240
DECIDED, DECIDED_PLIES = 1000, 7


class Engine:
    def __init__(self, path, nodes):
        self.nodes = nodes
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([path], stdin=pipe, stdout=pipe, text=True, bufsize=1)
        for line in ("uci", "setoption name Threads value 1", "setoption name Hash value 16",
                     "setoption name UCI_ShowWDL value true"):
            self.say(line)
        self.wait("uciok")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, word):
        for line in self.process.stdout:
            if line.startswith(word):
                return
        raise SystemExit("the engine has gone")

    def new_game(self):
        self.say("ucinewgame")
        self.say("isready")
        self.wait("readyok")

    def label(self, fen):
        """(kind of value, value, win, draw, loss, best move), or None if the engine gives none."""
        self.say(f"position fen {fen}\ngo nodes {self.nodes}")
        told = None
        for line in self.process.stdout:
            words = line.split()
            if words[:1] == ["bestmove"]:
                return told and (*told, words[1])
            if "score" in words and "lowerbound" not in words and "upperbound" not in words:
                at = words.index("score")
                shares = words[words.index("wdl") + 1 :][:3]
                told = (words[at + 1], int(words[at + 2]), *map(int, shares))
        raise SystemExit("the engine has gone")


def key(fen):
    return " ".join(fen.split()[:4])


def held_out(paths):
    keys = set()
    for path in paths:
        with open(path, "rb") as file:
            if path.endswith(".zst"):
                import zstandard

                file = zstandard.ZstdDecompressor().stream_reader(file)
            for line in io.TextIOWrapper(file):
                keys.add(key(line.split("\t", 1)[0]))
    return keys


def random_move(board, rng):
    return rng.choice(list(board.legal_moves))


def is_over(board):
    return not any(board.legal_moves) or board.is_insufficient_material() or board.can_claim_draw()


def game(engine, rng, keep):
    """The lines of one game."""
    board = chess.Board()
    for _ in range(rng.randint(2, 12)):
        if is_over(board):
            return []
        board.push(random_move(board, rng))
    lines, decided = [], 0
    blunders = rng.uniform(0.02, 0.35)
    engine.new_game()

    def told(board, kind):
        fen = board.fen()
        label = engine.label(fen)
        if label and label[0] in ("cp", "mate") and (label[0], label[1]) != ("mate", 0) and key(fen) not in keep:
            lines.append("\t".join(map(str, (fen, *label, kind))))
        return label

    while not is_over(board) and board.ply() < MOST_PLIES:
        label = told(board, "g")
        if not label:
            break
        decided = decided + 1 if label[0] == "mate" or abs(label[1]) >= DECIDED else 0
        if decided >= DECIDED_PLIES:
            break
        if rng.random() < 1 / 3:
            walk = board.copy(stack=False)
            for _ in range(rng.randint(1, 3)):
                if any(walk.legal_moves):
                    walk.push(random_move(walk, rng))
            if any(walk.legal_moves) and not walk.is_insufficient_material():
                told(walk, "x")
        best = chess.Move.from_uci(label[5])
        board.push(random_move(board, rng) if rng.random() < blunders else best)
    return lines


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("out")
    args.add_argument("--engine", default="stockfish")
    args.add_argument("--nodes", type=int, default=1000)
    args.add_argument("--games", type=int, default=20000)
    args.add_argument("--first", type=int, default=0, help="the number of the first game")
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--without", nargs="*", default=[], help="files whose positions must not occur")
    args = args.parse_args()
    keep = held_out(args.without)
    engine = Engine(args.engine, args.nodes)
    number, length = args.first, 0
    if os.path.exists(args.out + ".next"):
        number, length = map(int, open(args.out + ".next").read().split())
    with open(args.out, "a") as out:
        out.truncate(length)
        out.seek(length)
        while number < args.games:
            rng = random.Random(f"{args.seed}/{number}")
            for line in game(engine, rng, keep):
                out.write(line + "\n")
            out.flush()
            number += 1
            with open(args.out + ".next.tmp", "w") as file:
                file.write(f"{number} {out.tell()}\n")
            os.replace(args.out + ".next.tmp", args.out + ".next")
    engine.say("quit")


if __name__ == "__main__":
    main()
