#!/usr/bin/env python3
"""Reads label files into the compact arrays that `train.py` learns from.

    python3 prepare.py CACHE --test TEST --train TRAINING-1 TRAINING-2 ...

Writes CACHE/test.npz and CACHE/train.npz, and the boards of both for `teacher.rs`. Each position occurs once (the first file has
the better claim), none of the test's occurs in the training set. Every position whose label names a best move gives a second one for
nothing: the position after that move, with the verdict turned round. It has no best move itself and counts as kind `c`.
Needs numpy, numba and zstandard.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import zstandard
from numba import njit

import board as chess

NO_MOVE = 0xFFFF
MATE = 31000
KINDS = "gxc"


@njit(cache=True)
def number(text, at):
    sign = 1
    if text[at] == 45:
        sign = -1
        at += 1
    n = 0
    while 48 <= text[at] <= 57:
        n = n * 10 + text[at] - 48
        at += 1
    return sign * n, at


@njit(cache=True)
def square(text, at, black):
    s = text[at] - 97 + 8 * (text[at + 1] - 49)
    return s ^ 56 if black else s


@njit(cache=True)
def parse(text, n, boards, castles, eps, moves, values, kinds, games, hashes, children):
    """Reads n lines. Row n + i is the position after the best move of row i; kind 255 if there is none."""
    at, game, last = 0, 0, 1 << 30
    scratch = np.zeros(chess.MOST_MOVES, np.uint16)
    for i in range(n):
        at, castle, ep, black = chess.read_fen(text, at, boards[i])
        _, at = number(text, at + 1)
        full, at = number(text, at + 1)
        at += 1
        is_mate = text[at] == 109
        while text[at] != 9:
            at += 1
        value, at = number(text, at + 1)
        for _ in range(3):
            _, at = number(text, at + 1)
        at += 1
        promotion, c = 0, text[at + 4]
        if c != 9:
            promotion = 1 if c == 110 else 2 if c == 98 else 3 if c == 114 else 4
        move = square(text, at, black) + 64 * square(text, at + 2, black) + 4096 * promotion
        while text[at] != 9:
            at += 1
        kinds[i] = 0 if text[at + 1] == 103 else 1
        while text[at] != 10:
            at += 1
        at += 1
        ply = 2 * full + (1 if black else 0)
        if kinds[i] == 0:
            if ply <= last:
                game += 1
            last = ply
        if is_mate:
            value = MATE - value if value > 0 else -MATE - value
        else:
            value = min(max(value, -15000), 15000)
        castles[i], eps[i], moves[i], values[i], games[i] = castle, ep, move, value, game
        hashes[i] = chess.hash_of(boards[i], castle, ep)
        if not children:
            continue
        j = n + i
        castles[j], new_ep = chess.play(boards[i], castle, ep, move, boards[j])
        eps[j] = chess.drop_useless_ep(boards[j], castles[j], new_ep, scratch)
        some = chess.legal_moves(boards[j], castles[j], eps[j], scratch) > 0
        moves[j], values[j], games[j] = NO_MOVE, -value, game
        kinds[j] = 2 if some else 255
        hashes[j] = chess.hash_of(boards[j], castles[j], eps[j])


def read(path, children):
    raw = open(path, "rb")
    if str(path).endswith(".zst"):
        raw = zstandard.ZstdDecompressor().stream_reader(raw)
    text = np.frombuffer(raw.read(), np.uint8)
    n = int((text == 10).sum())
    rows = 2 * n if children else n
    told = {
        "board": np.zeros((rows, 64), np.uint8), "castle": np.zeros(rows, np.uint8), "ep": np.zeros(rows, np.uint8),
        "move": np.zeros(rows, np.uint16), "value": np.zeros(rows, np.int16), "kind": np.zeros(rows, np.uint8),
        "game": np.zeros(rows, np.int32), "hash": np.zeros(rows, np.uint64),
    }
    parse(text, n, *told.values(), children)
    return told


def joined(parts):
    games = 0
    for i, part in enumerate(parts):
        part["source"] = np.full(len(part["kind"]), i, np.uint8)
        part["game"] += games
        games = int(part["game"].max()) + 1
    return {name: np.concatenate([p[name] for p in parts]) for name in parts[0]}


def once(told, hashes_elsewhere):
    """Drops what occurs before or elsewhere; labelled positions come before those that follow from them."""
    order = np.argsort(told["kind"] >= 2, kind="stable")
    _, first = np.unique(told["hash"][order], return_index=True)
    keep = np.zeros(len(order), bool)
    keep[order[first]] = True
    keep &= told["kind"] != 255
    keep &= ~np.isin(told["hash"], hashes_elsewhere)
    return {name: column[keep] for name, column in told.items()}


def save(cache, name, told):
    np.savez(cache / f"{name}.npz", **told)
    np.column_stack([told["board"], told["castle"], told["ep"]]).tofile(cache / f"{name}.boards")


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("cache", type=Path)
    args.add_argument("--test", required=True)
    args.add_argument("--train", nargs="+", required=True)
    args.add_argument("--no-children", action="store_true")
    args = args.parse_args()
    args.cache.mkdir(parents=True, exist_ok=True)
    start = time.time()
    test = read(args.test, False)
    save(args.cache, "test", test)
    train = once(joined([read(p, not args.no_children) for p in args.train]), test["hash"])
    save(args.cache, "train", train)
    counts = {k: int((train["kind"] == i).sum()) for i, k in enumerate(KINDS)}
    print(f"{len(test['kind'])} for the test, {len(train['kind'])} for training {counts}, {time.time() - start:.0f} s")


if __name__ == "__main__":
    main()
