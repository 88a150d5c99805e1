#!/usr/bin/env python3
"""Makes many cheap labels: positions some moves away from those of a cache, judged by an engine's search of one ply.

    python3 shallow_labels.py CACHE WEIGHTS.bin CACHE/shallow --parts 100 --engine /usr/games/stockfish --seed 1

Walks start at labelled positions of games that training may learn from. Each of their 1 to 6 moves is drawn from the
policy of WEIGHTS.bin, one in ten from all legal moves alike. Of the positions on the way every second without a pending
capture is kept, every sixth with one. The engine (Stockfish: its `bench` reads a file of positions) searches each to
--depth with its network. Part i depends on seed and i alone; a part that is there is left alone, so the program can be
stopped and goes on. Several may run side by side with other --first.

Writes CACHE/shallow/part-00000.npz and so on: columns as in `prepare.py`, kind `d` (3). Needs numpy, numba, PyTorch.
"""

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import torch
from numba import njit

import board as chess
import reference
from export import LOG2_E
from network import Accumulate, squared
from train import HELD_OUT_GAMES

MOST_WALK = 6
KIND = 3
# Walks start where the verdict is closer than this, in centipawns: games are decided there.
LARGEST = 700


class Policy:
    """The policy of a weights file, in floating point."""

    def __init__(self, path):
        w = reference.Weights(path)
        real = lambda x, places: torch.from_numpy(np.ascontiguousarray(x, np.float32) / np.float32(2**places))
        self.inputs, self.bias = real(w.inputs, 8), real(w.bias, 8)
        self.attacks, self.hidden, self.hidden_b = real(w.attacks, 10), real(w.hidden.T, 8), real(w.hidden_b, 20)
        self.policy, self.policy_b = real(w.policy.T, 8), real(w.policy_b, 20)
        self.moves = np.ascontiguousarray(w.moves / (256 * LOG2_E), np.float32)

    def context(self, own, other, count, attack, attack_count):
        a = squared(Accumulate.apply(self.inputs, self.bias, own, count, other, count))
        h = Accumulate.apply(self.attacks, self.hidden_b, attack, attack_count)
        h = squared(h + a @ self.hidden)
        c = squared(torch.addmm(self.policy_b, h, self.policy))
        return torch.cat([c, torch.ones(len(h), 1)], 1).numpy()


@njit(cache=True)
def read(boards, castles, own, other, count, attack, attack_count):
    by = np.zeros((2, 64), np.uint8)
    for i in range(len(boards)):
        count[i] = chess.inputs(boards[i], castles[i], own[i], other[i])
        chess.attacks_by_kind(boards[i], by)
        attack_count[i] = chess.attack_inputs(boards[i], by, attack[i])


@njit(cache=True, fastmath=True)
def step(boards, castles, eps, context, table, drawn, alive, quiet):
    """Plays one move in every position that has one; `drawn`: three numbers from 0 to 1 for each."""
    by = np.zeros((2, 64), np.uint8)
    checks = np.zeros(64, np.uint8)
    legal = np.zeros(chess.MOST_MOVES, np.uint16)
    out = np.zeros(5, np.int64)
    share = np.zeros(chess.MOST_MOVES)
    after = np.zeros(64, np.uint8)
    for i in range(len(boards)):
        if not alive[i]:
            continue
        board = boards[i]
        m = chess.legal_moves(board, castles[i], eps[i], legal)
        if m == 0:
            alive[i] = False
            continue
        if drawn[i, 0] < 0.1:
            j = min(np.int64(drawn[i, 1] * m), m - 1)
        else:
            chess.attacks_by_kind(board, by)
            chess.check_squares(board, checks)
            flip = 7 if (chess.find(board, 6) & 7) < 4 else 0
            top = -1e30
            for j in range(m):
                chess.move_inputs(board, by, checks, eps[i], flip, legal[j], out)
                z = 0.0
                for k in range(5):
                    if out[k] >= 0:
                        for x in range(table.shape[1]):
                            z += table[out[k], x] * context[i, x]
                share[j] = z
                top = max(top, z)
            total = 0.0
            for j in range(m):
                share[j] = np.exp(share[j] - top)
                total += share[j]
            left, j = drawn[i, 1] * total, 0
            while j < m - 1 and left >= share[j]:
                left -= share[j]
                j += 1
        castles[i], new_ep = chess.play(board, castles[i], eps[i], legal[j], after)
        board[:] = after
        eps[i] = chess.drop_useless_ep(board, castles[i], new_ep, legal)
        alive[i] = chess.legal_moves(board, castles[i], eps[i], legal) > 0
        chess.attacks_by_kind(board, by)
        quiet[i] = not by[1, chess.find(board, 6)] and not chess.has_pending_capture(board, by)


@njit(cache=True)
def fens(boards, castles, eps, text):
    """Writes a line for each position, White to move; returns the length."""
    names = b"PNBRQKpnbrqk"
    at = 0
    for i in range(len(boards)):
        for y in range(7, -1, -1):
            empty = 0
            for x in range(8):
                c = boards[i, 8 * y + x]
                if c == 0:
                    empty += 1
                    continue
                if empty:
                    text[at] = 48 + empty
                    at += 1
                    empty = 0
                text[at] = names[c - 1]
                at += 1
            if empty:
                text[at] = 48 + empty
                at += 1
            text[at] = 47 if y else 32
            at += 1
        text[at], text[at + 1] = 119, 32
        at += 2
        if castles[i] == 0:
            text[at] = 45
            at += 1
        for k, c in enumerate(b"KQkq"):
            if castles[i] >> k & 1:
                text[at] = c
                at += 1
        text[at] = 32
        at += 1
        if eps[i] == chess.NO_EP:
            text[at] = 45
            at += 1
        else:
            text[at], text[at + 1] = 97 + (eps[i] & 7), 49 + (eps[i] >> 3)
            at += 2
        for c in b" 0 20\n":
            text[at] = c
            at += 1
    return at


def walks(data, rows, policy, rng):
    """Positions on walks from `rows`: columns as in the cache."""
    n = len(rows)
    boards, castles, eps = (data[name][rows].copy() for name in ("board", "castle", "ep"))
    alive, quiet = np.ones(n, np.bool_), np.zeros(n, np.bool_)
    length = rng.integers(1, MOST_WALK + 1, n)
    own, other = np.empty((2, n, chess.MOST_INPUTS), np.int16)
    attack = np.empty((n, 64), np.int16)
    count, attack_count = np.empty((2, n), np.int32)
    found = []
    for ply in range(MOST_WALK):
        alive &= length > ply
        read(boards, castles, own, other, count, attack, attack_count)
        context = policy.context(own, other, count, attack, attack_count)
        drawn = rng.random((n, 3))
        step(boards, castles, eps, context, policy.moves, drawn, alive, quiet)
        keep = np.flatnonzero(alive & (drawn[:, 2] < np.where(quiet, 1 / 2, 1 / 6)))
        found.append({"board": boards[keep].copy(), "castle": castles[keep].copy(), "ep": eps[keep].copy(),
                      "game": data["game"][rows[keep]]})
    return {name: np.concatenate([f[name] for f in found]) for name in found[0]}


def judged(engine, depth, told):
    """Adds value and move to positions; keeps those that the engine has a verdict on."""
    n = len(told["board"])
    text = np.empty(n * 100, np.uint8)
    length = fens(told["board"], told["castle"], told["ep"], text)
    values, moves = np.zeros(n, np.int16), np.zeros(n, np.uint16)
    known = np.zeros(n, np.bool_)
    with tempfile.NamedTemporaryFile(suffix=".epd") as file:
        file.write(text[:length].tobytes())
        file.flush()
        command = [engine, "bench", "16", "1", str(depth), file.name, "depth", "NNUE"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        i, value = 0, None
        for line in process.stdout:
            if line.startswith("info depth"):
                words = line.split(" ", 20)
                at = words.index("score")
                if words[at + 3] not in ("lowerbound", "upperbound"):
                    v = int(words[at + 2])
                    value = v if words[at + 1] == "cp" else (31000 - v if v > 0 else -31000 - v)
            elif line.startswith("bestmove"):
                name = line.split()[1]
                if value is not None and name != "(none)":
                    s, t = (ord(name[k]) - 97 + 8 * (ord(name[k + 1]) - 49) for k in (0, 2))
                    moves[i] = s + 64 * t + 4096 * ("nbrq".index(name[4]) + 1 if len(name) > 4 else 0)
                    values[i] = max(-15000, min(15000, value)) if abs(value) < 30000 else value
                    known[i] = True
                i, value = i + 1, None
        if process.wait() != 0 or i != n:
            raise SystemExit(f"shallow_labels.py: {engine} answered {i} of {n} positions")
    told = {name: column[known] for name, column in told.items()}
    return {**told, "move": moves[known], "value": values[known], "kind": np.full(known.sum(), KIND, np.uint8)}


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("cache", type=Path)
    args.add_argument("weights")
    args.add_argument("out", type=Path)
    args.add_argument("--engine", default="stockfish")
    args.add_argument("--depth", type=int, default=1)
    args.add_argument("--first", type=int, default=0)
    args.add_argument("--every", type=int, default=1, help="make parts FIRST, FIRST + EVERY, ...")
    args.add_argument("--parts", type=int, default=100)
    args.add_argument("--walks", type=int, default=131072, help="walks a part")
    args.add_argument("--seed", type=int, default=1)
    args = args.parse_args()
    torch.set_num_threads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    with np.load(args.cache / "train.npz") as file:
        data = {name: file[name] for name in ("board", "castle", "ep", "game", "kind", "value")}
    may = np.flatnonzero(
        (data["kind"] < 2) & (data["game"] % HELD_OUT_GAMES != 7) & (np.abs(data["value"]) < LARGEST))
    with np.load(args.cache / "test.npz") as file:
        test = file["hash"]
    policy = Policy(args.weights)
    for part in range(args.first, args.parts, args.every):
        path = args.out / f"part-{part:05}.npz"
        if path.exists():
            continue
        rng = np.random.default_rng((args.seed, part))
        told = walks(data, np.sort(rng.choice(may, args.walks, replace=False)), policy, rng)
        told["hash"] = hashes(told["board"], told["castle"], told["ep"])
        _, first = np.unique(told["hash"], return_index=True)
        first = first[~np.isin(told["hash"][first], test)]
        told = judged(args.engine, args.depth, {name: column[np.sort(first)] for name, column in told.items()})
        np.savez(f"{path}.tmp.npz", **told)
        os.replace(f"{path}.tmp.npz", path)
        print(f"{path}: {len(told['kind'])} positions", flush=True)


@njit(cache=True)
def hashes(boards, castles, eps):
    out = np.zeros(len(boards), np.uint64)
    for i in range(len(boards)):
        out[i] = chess.hash_of(boards[i], castles[i], eps[i])
    return out


if __name__ == "__main__":
    main()
