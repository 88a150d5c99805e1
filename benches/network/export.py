#!/usr/bin/env python3
"""Rounds a trained network to integers and writes the weights file.

    python3 export.py TRAINED.pt WEIGHTS.bin --calibrate CACHE

With a cache, the beliefs are sharpened or blurred so that their intervals hold what they promise on the held-out games
of the training files: one factor on the logits for each bucket and each of three states (quiet, with a pending capture,
in check). The format is told in README.md; `reference.py` reads it. Refuses weights with which a sum could overflow.
"""

import argparse
import hashlib
import math
import struct
from pathlib import Path

import numpy as np
import torch

import board as chess
from judge import MASSES
from network import BUCKETS, Network, Shape

MAGIC = b"plynet\r\n"
VERSION = 2
# Binary places of: accumulators and weights, activations, sums, attack inputs.
WEIGHT, ACTIVE, SUM, ATTACK = 8, 12, 20, 10
# The largest activations: of an accumulator, of a hidden neuron, and the policy's constant 1.
MOST_ACTIVE, MOST_HIDDEN, ONE = 255 * 255 >> 4, 1023 * 1023 >> 8, 1 << ACTIVE
LOG2_E = math.log2(math.e)
TABLE = 1024
# Of a position, for the calibration: quiet, with a pending capture, in check.
STATES = 3


def rounded(x, places, dtype):
    x = np.rint(x.detach().double().numpy() * 2.0**places)
    info = np.iinfo(dtype)
    assert info.min < x.min() and x.max() <= info.max, f"{x.min()} to {x.max()} do not fit {dtype}"
    return x.astype(dtype)


def powers():
    """2^30 2^(-i/1024)."""
    return np.array([round(2.0 ** (30 - i / TABLE)) for i in range(TABLE)], "<u4")


def arrays(net):
    """All arrays in the order of the file; matrices with one row per output."""
    weights = lambda p, by=1.0: rounded(p.transpose(-1, -2) * by, WEIGHT, "<i2")
    sums = lambda p, by=1.0: rounded(p * by, SUM, "<i4")
    return {
        "inputs": rounded(net.inputs, WEIGHT, "<i2"), "bias": rounded(net.bias, WEIGHT, "<i2"),
        "value_1": weights(net.value_1), "value_1b": sums(net.value_1b),
        "value_2": weights(net.value_2), "value_2b": sums(net.value_2b),
        "value_3": weights(net.value_3), "value_3b": sums(net.value_3b),
        "attacks": rounded(net.attacks, ATTACK, "<i2"),
        "hidden": weights(net.hidden), "hidden_b": sums(net.hidden_b),
        "belief_2": weights(net.belief_2), "belief_2b": sums(net.belief_2b),
        # Powers of two instead of e: the logits of belief and policy are to the base 2.
        "belief_3": weights(net.belief_3, LOG2_E), "belief_3b": sums(net.belief_3b, LOG2_E),
        "policy": weights(net.policy), "policy_b": sums(net.policy_b),
        "moves": rounded(net.moves * LOG2_E, WEIGHT, "<i2"),
        "powers": powers(),
        "sharpness": np.full((BUCKETS, STATES), 1 << WEIGHT, "<i2"),
        # None, until `sources.py fit` has found out how much.
        "blur": np.array([2 * TABLE, 0], "<i2"),
    }


def bounds(a):
    """The largest sums that any position could lead to, by layer."""
    wide = {name: np.abs(x.astype(np.int64)) for name, x in a.items()}
    layer = lambda name, most: int((wide[name].sum(-1) * most + wide[name + "b"]).max())
    rows = wide["moves"].sum(-1) * ONE
    groups = (rows[:384], rows[384:768], rows[768:1092], rows[1092:1096], rows[1096:])
    return {
        "accumulator (16 bits)": int(wide["inputs"].max() * chess.MOST_INPUTS + wide["bias"].max()),
        "value_1": layer("value_1", MOST_ACTIVE), "value_2": layer("value_2", MOST_HIDDEN),
        "value_3": layer("value_3", MOST_HIDDEN),
        "hidden": int((wide["hidden"].sum(-1) * MOST_ACTIVE + wide["hidden_b"]).max()),
        "attacks": int(wide["attacks"].max() * 64),
        "belief_2": layer("belief_2", MOST_HIDDEN), "belief_3": layer("belief_3", MOST_HIDDEN),
        "policy": int((wide["policy"].sum(-1) * MOST_HIDDEN + wide["policy_b"]).max()),
        "moves": int(sum(g.max() for g in groups)),
    }


def written(path, shape, numbers):
    sizes = (*shape.dict().values(), BUCKETS, chess.INPUTS, chess.ATTACK_INPUTS, chess.MOVE_ROWS, MASSES, TABLE, STATES)
    data = MAGIC + struct.pack(f"<{2 + len(sizes)}I", VERSION, len(sizes), *sizes)
    data += b"".join(x.tobytes() for x in numbers.values())
    digest = hashlib.sha256(data).digest()
    with open(path, "wb") as file:
        file.write(data + digest)
    print(f"{len(data) + len(digest)} bytes, SHA-256 of the content {digest.hex()}")


def calibrated(path, cache, files):
    """The factors with which held-out positions are covered best, to 8 binary places."""
    import judge
    import reference
    from train import HELD_OUT_GAMES, load

    w = reference.Weights(path)
    data = load(cache / "train.npz")
    rows = np.flatnonzero((data["game"] % HELD_OUT_GAMES == 7) & (data["kind"] < 2) & (data["source"] < files))
    print(f"calibrated on {len(rows)} positions")
    factors = np.rint(np.geomspace(0.6, 2.2, 40) * 256).astype(int)
    shares = np.zeros((len(factors), 3, BUCKETS, STATES))
    count = np.zeros((BUCKETS, STATES))
    for part in np.array_split(rows, max(len(rows) // 4096, 1)):
        inputs = reference.Inputs(data["board"][part], data["castle"][part])
        logits = reference.logits_of(w, inputs)
        cell = (inputs.bucket, inputs.state)
        np.add.at(count, cell, 1)
        for i, factor in enumerate(factors):
            masses = reference.powers_of_two(w, logits, factor).astype(np.float64)
            told = judge.judge(masses, data["truth"][part], judge.EDGES)
            for j, level in enumerate((0.5, 0.8, 0.9)):
                np.add.at(shares[i, j], cell, judge.covered(told[:, 1], told[:, 2], level))
    # A few positions count for little: as if 300 of the bucket's own average belonged to every cell.
    whole = shares.sum(-1, keepdims=True) / np.maximum(count.sum(-1), 1)[:, None]
    shares = (shares + 300 * whole) / (count + 300)
    off = (shares - np.array([0.5, 0.8, 0.9])[:, None, None]) ** 2
    return factors[off.sum(1).argmin(0)].astype("<i2")


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("trained")
    args.add_argument("weights")
    args.add_argument("--calibrate", type=Path, help="the cache")
    args.add_argument("--files", type=int, default=2, help="calibrate on the first so many files, those with deep labels")
    args = args.parse_args()
    saved = torch.load(args.trained, weights_only=False)
    shape = Shape(**saved["shape"])
    net = Network(shape)
    net.load_state_dict(saved["net"])
    numbers = arrays(net)
    for name, bound in bounds(numbers).items():
        limit = 2**15 if "16" in name else 2**31
        print(f"{name}: at most {bound} of {limit - 1}")
        assert bound < limit, f"{name} could overflow"
    written(args.weights, shape, numbers)
    if args.calibrate:
        factors = calibrated(args.weights, args.calibrate, args.files)
        # With four pieces or fewer there are too few held-out positions, most of them with shallow labels.
        numbers["sharpness"][1:] = factors[1:]
        print("sharpness / 256, a row for each bucket:", numbers["sharpness"].tolist())
        written(args.weights, shape, numbers)


if __name__ == "__main__":
    main()
