#!/usr/bin/env python3
"""Judges exported weights, in integers, on a cache's test set, and prints the tables of README.md.

    python3 measure.py CACHE WEIGHTS.bin
"""

import argparse
import time
from pathlib import Path

import numpy as np
from numba import njit

import board as chess
import judge
import quiescence
import reference
from train import HELD_OUT_GAMES, load

PHASES = ((2, 8), (9, 14), (15, 20), (21, 26), (27, 32))


@njit(cache=True)
def pending_captures(boards, out):
    by = np.zeros((2, 64), np.uint8)
    for i in range(len(boards)):
        chess.attacks_by_kind(boards[i], by)
        out[i] = chess.has_pending_capture(boards[i], by)


@njit(cache=True)
def move_rows(board, castle, ep, by, checks, legal, rows):
    chess.attacks_by_kind(board, by)
    chess.check_squares(board, checks)
    flip = 7 if (chess.find(board, 6) & 7) < 4 else 0
    n = chess.legal_moves(board, castle, ep, legal)
    for j in range(n):
        chess.move_inputs(board, by, checks, ep, flip, legal[j], rows[j])
    return n


@njit(cache=True)
def class_counts(boards, castles, eps, moves, best, all):
    by, checks = np.zeros((2, 64), np.uint8), np.zeros(64, np.uint8)
    legal, rows = np.zeros(chess.MOST_MOVES, np.uint16), np.zeros((chess.MOST_MOVES, 5), np.int64)
    for i in range(len(boards)):
        if moves[i] == 0xFFFF:
            continue
        n = move_rows(boards[i], castles[i], eps[i], by, checks, legal, rows)
        for j in range(n):
            k = rows[j, 2] - 768
            all[k] += 1
            best[k] += legal[j] == moves[i]


class Policy:
    """How a policy agrees with best moves."""

    def __init__(self):
        self.entropy, self.ranks = [], []

    def see(self, logits, best):
        p = np.exp(logits - logits.max())
        self.entropy.append(-np.log(p[best] / p.sum()))
        # Of equals, half count as better.
        self.ranks.append((logits > logits[best]).sum() + 0.5 * ((logits == logits[best]).sum() - 1))

    def row(self):
        ranks = np.array(self.ranks)
        return f"{np.mean(self.entropy):.3f} | {100 * np.mean(ranks < 1):.1f} | {100 * np.mean(ranks < 3):.1f}"


def control(value, truth):
    """The score of each value with the errors of other positions, as `plyscope lab calibration` does: those in other
    tenths whose values are in the same sixth by size."""
    side = np.where(value < 0, -1.0, 1.0)
    told = np.zeros(len(value))
    for part in np.array_split(np.arange(len(value)), 10):
        others = np.ones(len(value), bool)
        others[part] = False
        ends = np.quantile(np.abs(value[others]), np.arange(1, 6) / 6)
        of = np.searchsorted(ends, np.abs(value), side="right")
        for k in range(6):
            errors = ((truth - value) * side)[others & (of == k)]
            for i in part[of[part] == k]:
                outcomes = np.sort(np.clip(value[i] + errors * side[i], -1, 1))
                n = len(outcomes)
                spread = 2 * (outcomes * (2 * np.arange(n) - n + 1)).sum() / n / n
                told[i] = np.abs(outcomes - truth[i]).mean() - spread / 2
    return told


def constant_width(value_cp, tau):
    """Masses of logistic beliefs of one width around the value."""
    logits = np.log((1 + judge.EDGES[1:-1]) / (1 - judge.EDGES[1:-1]))
    q = 1 / (1 + np.exp(-(logits - value_cp[:, None] / 180) / tau))
    q[:, 0], q[:, -1] = 0, 1
    return np.diff(q)


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("cache", type=Path)
    args.add_argument("weights")
    args.add_argument("--held-out", type=int, help="so many held-out training positions instead of the test")
    args.add_argument("--brief", action="store_true", help="no controls")
    args = args.parse_args()
    w = reference.Weights(args.weights)
    if args.held_out or not args.brief:
        train = load(args.cache / "train.npz")
        checks = np.flatnonzero((train["game"] % HELD_OUT_GAMES == 7) & (train["kind"] < 2))
    if args.held_out:
        data = {name: x[checks[: args.held_out]] for name, x in train.items()}
    else:
        data = load(args.cache / "test.npz")
    truth, kind = data["truth"], data["kind"]
    n = len(truth)
    parts = [np.arange(n)[i : i + 4096] for i in range(0, n, 4096)]
    found = [reference.infer(w, reference.Inputs(data["board"][p], data["castle"][p])) for p in parts]
    value = np.concatenate([f[1] for f in found]).astype(np.float64)
    weights = np.concatenate([f[2] for f in found])
    context = np.concatenate([f[3] for f in found])
    masses = np.diff(reference.steps(weights)[:, :-1]).astype(np.float64)
    told = judge.judge(masses, truth, judge.EDGES)
    pieces = (data["board"] > 0).sum(1)
    pending = np.zeros(n, bool)
    pending_captures(data["board"], pending)
    attacked = np.zeros(n, bool)
    for i in range(n):
        attacked[i] = chess.is_attacked(data["board"][i], chess.find(data["board"][i], 6), True)
    target = data["move"].astype(int) >> 6 & 63
    takes = data["board"][np.arange(n), target] > 0
    quiet = ~takes & ~attacked & (data["move"] < 4096)
    cuts = {"all": np.ones(n, bool), "games (g)": kind == 0, "random moves (x)": kind == 1}
    cuts |= {f"{a} to {b} pieces": (pieces >= a) & (pieces <= b) for a, b in PHASES}
    cuts |= {"with a pending capture": pending, "without one": ~pending, "the best move takes": takes,
             "in check": attacked, "quiet": quiet}
    start = time.time()
    after, nodes = np.zeros(n), np.zeros(1, np.int64)
    quiescence.values(quiescence.layers(w), data["board"], data["castle"], data["ep"], after, nodes)
    after = np.where(np.abs(after) > 20000, np.sign(after), np.tanh(after / 360))
    error = np.tanh(value / 360) - truth
    rmse = lambda x: np.sqrt((x**2).mean()) if len(x) else np.nan
    print("| positions | number | CRPS | rmse of the mean | within 50, 80, 90 % | value rmse | after quiescence |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, which in cuts.items():
        f = judge.figures(told, truth, which)
        if not f:
            continue
        shares = ", ".join(f"{100 * c:.1f}" for c in f["covered"])
        print(f"| {name} | {f['n']:,} | {f['crps']:.4f} | {f['rmse']:.3f} | {shares} | {rmse(error[which]):.3f} | "
              f"{rmse((after - truth)[which]):.3f} |")
    print(f"\nquiescence: {nodes[0] / n:.1f} nodes a position, {time.time() - start:.0f} s")
    clear = np.abs(data["value"]) < judge.MATE_FROM
    won = clear & (np.abs(data["value"]) > 700)
    order = np.corrcoef(value[won] * np.sign(data["value"][won]), np.abs(data["value"][won]))[0, 1]
    print(f"of {won.sum()} positions beyond 700 centipawns: correlation of value and verdict within the sign {order:.2f}")
    net, uniform, classes = Policy(), Policy(), Policy()
    if not args.brief:
        rng = np.random.default_rng(1)
        some = rng.choice(np.flatnonzero(train["kind"] < 2), 200_000, replace=False)
        best, all = np.zeros(chess.MOVE_CLASSES, np.int64), np.zeros(chess.MOVE_CLASSES, np.int64)
        class_counts(train["board"][some], train["castle"][some], train["ep"][some], train["move"][some], best, all)
        odds = np.log((best + 0.5) / (all + 10.0))
    by, checks_ = np.zeros((2, 64), np.uint8), np.zeros(64, np.uint8)
    legal, rows = np.zeros(chess.MOST_MOVES, np.uint16), np.zeros((chess.MOST_MOVES, 5), np.int64)
    padded = np.concatenate([w.moves, np.zeros((1, w.moves.shape[1]), np.int64)])
    for i in range(n):
        m = move_rows(data["board"][i], data["castle"][i], data["ep"][i], by, checks_, legal, rows)
        at = np.flatnonzero(legal[:m] == data["move"][i])
        if len(at):
            logits = padded[rows[:m]].sum(1) @ context[i]
            net.see(logits / 2**20 * np.log(2), at[0])
            uniform.see(np.zeros(m), at[0])
            if not args.brief:
                classes.see(odds[rows[:m, 2] - 768], at[0])
    print("\n| policy | cross-entropy | best move first, % | among the first three, % |\n| --- | --- | --- | --- |")
    print("| network |", net.row(), "|")
    print("| uniform |", uniform.row(), "|")
    if args.brief:
        return
    print("| by class of move alone |", classes.row(), "|")
    held = {name: x[checks[:10000]] for name, x in train.items()}
    v = reference.infer(w, reference.Inputs(held["board"], held["castle"]))[1]
    taus = np.geomspace(0.1, 2, 25)
    scores = [judge.judge(constant_width(v, tau), held["truth"], judge.EDGES)[:, 0].mean() for tau in taus]
    tau = taus[int(np.argmin(scores))]
    flat = judge.judge(constant_width(value, tau), truth, judge.EDGES)
    print("\n| control | all | g | x | within 50, 80, 90 % |\n| --- | --- | --- | --- | --- |")

    def line(name, told, which_scores):
        shares = ", ".join(f"{100 * c:.1f}" for c in judge.figures(told, truth)["covered"]) if told is not None else ""
        print(f"| {name} |", " | ".join(f"{which_scores[k].mean():.4f}" for k in (kind >= 0, kind == 0, kind == 1)), f"| {shares} |")

    line("belief", told, told[:, 0])
    line(f"one width (tau {tau:.2f}) around the value", flat, flat[:, 0])
    line("errors of others around the value", None, control(np.tanh(value / 360), truth))
    line("errors of others around the belief's mean", None, control(told[:, 3], truth))
    line("errors of others around the value after quiescence", None, control(after, truth))


if __name__ == "__main__":
    main()
