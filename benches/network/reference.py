#!/usr/bin/env python3
"""The network in integers, as the Rust code must compute it, to the bit.

    python3 reference.py WEIGHTS.bin "FEN"              what the network says about a position
    python3 reference.py WEIGHTS.bin --golden FENS      a line per FEN: the file golden.tsv

The columns of golden.tsv: FEN; the FNV-1a hash (64 bits) of the accumulators, own then the opponent's, as little-endian
16-bit numbers; value in centipawns; P(X in bins up to k) in steps of 1/65,535 for the 63 bins of the grid; every legal move
with its logit (base 2, 20 binary places) in the order of the UCI notation.
"""

import argparse
import hashlib
import struct

import numpy as np

import board as chess
from export import MAGIC, STATES, TABLE, VERSION
from judge import BINS, MASSES
from network import BUCKETS, Shape

STEPS = 65535
MOST_CENTIPAWNS = 10000


class Weights:
    def __init__(self, path):
        data = open(path, "rb").read()
        assert data[:8] == MAGIC, "not a weights file"
        assert hashlib.sha256(data[:-32]).digest() == data[-32:], "damaged: the checksum differs"
        version, n = struct.unpack_from("<2I", data, 8)
        assert version == VERSION
        sizes = struct.unpack_from(f"<{n}I", data, 16)
        self.shape = shape = Shape(*sizes[:6])
        own = (BUCKETS, chess.INPUTS, chess.ATTACK_INPUTS, chess.MOVE_ROWS, MASSES, TABLE, STATES)
        assert sizes[6:] == own, f"made for {sizes[6:]}, this is {own}"
        at = 16 + 4 * n

        def take(name, dtype, *dims):
            nonlocal at
            x = np.frombuffer(data, dtype, int(np.prod(dims)), at).reshape(dims)
            at += x.nbytes
            setattr(self, name, x.astype(np.int64))

        two, b = 2 * shape.neurons, BUCKETS
        v1, v2, h, b2, p = shape.value_hidden, shape.value_hidden_2, shape.hidden, shape.belief_hidden, shape.policy
        for name, dtype, *dims in (
            ("inputs", "<i2", chess.INPUTS, shape.neurons), ("bias", "<i2", shape.neurons),
            ("value_1", "<i2", b, v1, two), ("value_1b", "<i4", b, v1),
            ("value_2", "<i2", b, v2, v1), ("value_2b", "<i4", b, v2),
            ("value_3", "<i2", b, v2), ("value_3b", "<i4", b),
            ("attacks", "<i2", chess.ATTACK_INPUTS, h), ("hidden", "<i2", h, two), ("hidden_b", "<i4", h),
            ("belief_2", "<i2", b, b2, h), ("belief_2b", "<i4", b, b2),
            ("belief_3", "<i2", b, MASSES, b2), ("belief_3b", "<i4", b, MASSES),
            ("policy", "<i2", p - 1, h), ("policy_b", "<i4", p - 1),
            ("moves", "<i2", chess.MOVE_ROWS, p), ("powers", "<u4", TABLE), ("sharpness", "<i2", b, STATES),
            ("blur", "<i2", 2),
        ):
            take(name, dtype, *dims)
        assert at == len(data) - 32


def hidden(z):
    """The activation of a hidden neuron from its sum, 20 binary places to 12."""
    x = np.clip(z >> 10, 0, 1023)
    return x * x >> 8


class Inputs:
    """The inputs of many positions: arrays as in `prepare.py`."""

    def __init__(self, boards, castles):
        n = len(boards)
        self.lists, self.attacks = [], []
        # 0 quiet, 1 with a pending capture, 2 in check.
        self.state = np.zeros(n, np.int64)
        self.bucket = np.minimum(((boards > 0).sum(1) - 1) // 4, BUCKETS - 1)
        own, other, attack = (np.zeros(64, np.int16) for _ in range(3))
        by = np.zeros((2, 64), np.uint8)
        for i in range(n):
            board = np.ascontiguousarray(boards[i])
            count = chess.inputs(board, castles[i], own, other)
            self.lists.append((own[:count].copy(), other[:count].copy()))
            chess.attacks_by_kind(board, by)
            self.attacks.append(attack[: chess.attack_inputs(board, by, attack)].copy())
            if by[1, chess.find(board, 6)]:
                self.state[i] = 2
            elif chess.has_pending_capture(board, by):
                self.state[i] = 1


def accumulators(w, inputs):
    """Own and the opponent's side by side, 8 binary places."""
    sides = ([w.bias + w.inputs[lists[side]].sum(0) for lists in inputs.lists] for side in (0, 1))
    return np.concatenate([np.stack(list(side)) for side in sides], 1)


def by_bucket(w, inputs, x, matrix, bias):
    out = np.zeros((len(x), bias.shape[1]), np.int64)
    for b in range(BUCKETS):
        which = inputs.bucket == b
        out[which] = x[which] @ matrix[b].T + bias[b]
    return out


def activations(w, inputs):
    """(accumulators, the activations that the value reads, the hidden layer of belief and policy)."""
    sums = accumulators(w, inputs)
    clipped = np.clip(sums, 0, 255)
    a = clipped * clipped >> 4
    attack = np.stack([w.attacks[rows].sum(0) for rows in inputs.attacks])
    # Attack inputs have 10 binary places, as a sum has after the shift of `hidden`.
    return sums, a, hidden((a @ w.hidden.T + w.hidden_b >> 10) + attack << 10)


def logits_from(w, inputs, h):
    x = hidden(by_bucket(w, inputs, h, w.belief_2, w.belief_2b))
    return by_bucket(w, inputs, x, w.belief_3, w.belief_3b)


def logits_of(w, inputs):
    """The logits of the 61 inner bins, to the base 2, 20 binary places, before they are sharpened."""
    return logits_from(w, inputs, activations(w, inputs)[2])


def infer(w, inputs):
    """(accumulators, centipawns, weights of the 61 inner bins, context of the policy)."""
    sums, a, h = activations(w, inputs)
    x = hidden(by_bucket(w, inputs, a, w.value_1, w.value_1b))
    x = hidden(by_bucket(w, inputs, x, w.value_2, w.value_2b))
    z = by_bucket(w, inputs, x, w.value_3[:, None], w.value_3b[:, None])[:, 0]
    value = np.clip(z * 600 >> 20, -MOST_CENTIPAWNS, MOST_CENTIPAWNS)
    logits, sharpness = logits_from(w, inputs, h), w.sharpness[inputs.bucket, inputs.state][:, None]
    weights = powers_of_two(w, logits, blurred(w, sharpness, powers_of_two(w, logits, sharpness)))
    context = np.concatenate([hidden(h @ w.policy.T + w.policy_b), np.full((len(h), 1), 4096)], 1)
    return sums, value, weights, context


def width(weights):
    """The belief's width in octaves of bins, 10 binary places: log2 of the sum over the highest weight, by straight lines
    between whole octaves."""
    total = weights.sum(-1)
    octaves = np.frexp(total)[1].astype(np.int64) - 1 - 30
    return octaves * TABLE + ((total >> octaves) - (1 << 30) >> 20)


def blurred(w, sharpness, weights):
    """The sharpness of a belief that is as wide as these weights."""
    start, by = w.blur
    octaves = np.maximum(width(weights) - start, 0) * by >> 10
    return np.maximum(sharpness * (w.powers[octaves & 1023] >> (octaves >> 10))[:, None] >> 30, 1)


def powers_of_two(w, logits, sharpness=256):
    """2^30 2^(sharpness/256 (logit - highest logit)), rounded down; logits have 20 binary places, of which 10 are used."""
    below = (logits.max(-1, keepdims=True) - logits >> 10) * sharpness >> 8
    return w.powers[below & 1023] >> np.minimum(below >> 10, 31)


def steps(weights):
    """The belief as the tree keeps it: P(X in bins up to k) in steps of 1/65,535 for all 63 bins, rounded."""
    sums = np.cumsum(weights, -1)
    total = sums[..., -1:]
    inner = (2 * STEPS * sums + total) // (2 * total)
    ends = np.zeros_like(total), np.full_like(total, STEPS)
    return np.concatenate([ends[0], inner, ends[1]], -1)


def fnv(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return h


def name_of(move, black):
    s, t, promotion = move & 63, move >> 6 & 63, move >> 12
    flip = 56 if black else 0
    place = lambda q: "abcdefgh"[q & 7] + str((q >> 3) + 1)
    return place(s ^ flip) + place(t ^ flip) + ("", "n", "b", "r", "q")[promotion]


def policy(w, board, castle, ep, context):
    """(move, logit) of all legal moves; logits to the base 2, 20 binary places."""
    by, checks = np.zeros((2, 64), np.uint8), np.zeros(64, np.uint8)
    moves, rows = np.zeros(chess.MOST_MOVES, np.uint16), np.zeros(5, np.int64)
    chess.attacks_by_kind(board, by)
    chess.check_squares(board, checks)
    flip = 7 if (chess.find(board, 6) & 7) < 4 else 0
    found = []
    for move in moves[: chess.legal_moves(board, castle, ep, moves)]:
        chess.move_inputs(board, by, checks, ep, flip, move, rows)
        found.append((int(move), int(w.moves[rows[rows >= 0]].sum(0) @ context)))
    return found


class Told:
    """What the network says about a FEN."""

    def __init__(self, w, fen):
        text = np.frombuffer((fen + " 0 1\n").encode(), np.uint8)
        board = np.zeros(64, np.uint8)
        _, castle, ep, black = chess.read_fen(text, 0, board)
        sums, value, weights, context = infer(w, Inputs(board[None], np.array([castle], np.uint8)))
        self.checksum = fnv(sums[0].astype("<i2").tobytes())
        self.value = int(value[0])
        self.steps = steps(weights)[0]
        self.moves = sorted((name_of(m, black), z) for m, z in policy(w, board, castle, ep, context[0]))

    def shares(self, w):
        return powers_of_two(w, np.array([z for _, z in self.moves]))


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("weights")
    args.add_argument("fen", nargs="?")
    args.add_argument("--golden", help="a file with a FEN a line")
    args = args.parse_args()
    w = Weights(args.weights)
    if args.golden:
        for fen in open(args.golden).read().splitlines():
            told = Told(w, fen)
            moves = " ".join(f"{name}:{z}" for name, z in told.moves)
            print(fen, f"{told.checksum:016x}", told.value, " ".join(map(str, told.steps)), moves, sep="\t")
        return
    told = Told(w, args.fen)
    print(f"accumulators {told.checksum:016x}, value {told.value} centipawns for the side to move")
    print("belief, steps of 1/65,535 up to each of the bins:", *told.steps)
    shares = told.shares(w)
    for (name, z), share in sorted(zip(told.moves, shares), key=lambda pair: -pair[0][1]):
        print(f"{name} {z} {100 * share / shares.sum():.2f} %")


if __name__ == "__main__":
    main()
