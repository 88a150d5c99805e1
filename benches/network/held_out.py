#!/usr/bin/env python3
"""Writes the labels that training left out, so that beliefs are fitted to positions that the network has not seen.

    python3 held_out.py CACHE TRAINING-1 TRAINING-2 > HELD-OUT

The files are the first ones that `prepare.py` was given, in the same order. Positions after a best move are not among them,
because they have no line of their own.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import zstandard

from prepare import read
from train import HELD_OUT_GAMES, load


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("cache", type=Path)
    args.add_argument("labels", nargs="+")
    args = args.parse_args()
    train = load(args.cache / "train.npz")
    games = 0
    for source, path in enumerate(args.labels):
        told = read(path, False)
        game = told["game"] + games
        games = int(game.max()) + 1
        held = (train["game"] % HELD_OUT_GAMES == 7) & (train["source"] == source) & (train["kind"] < 2)
        wanted = (game % HELD_OUT_GAMES == 7) & np.isin(told["hash"], train["hash"][held])
        with open(path, "rb") as file:
            lines = zstandard.ZstdDecompressor().stream_reader(file).read().split(b"\n")
        for i in np.flatnonzero(wanted):
            sys.stdout.buffer.write(lines[i] + b"\n")


if __name__ == "__main__":
    main()
