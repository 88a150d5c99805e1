#!/usr/bin/env python3
"""Fits the numbers of the hand-crafted evaluation and prints the tables of `src/eval/tables.rs`.

    zstd -dc TRAINING | cargo run --release --features examples --example eval_features -- /tmp/train
    zstd -dc TEST | cargo run --release --features examples --example eval_features -- /tmp/test
    python3 benches/fit_eval.py /tmp/train /tmp/test --tables src/eval/tables.rs

Needs numpy and scipy. Repeat once: the quiescence that finds the quiet positions runs with the tables there are. Then
make the files once more and fit the beliefs' width to them with `--spread`.

The model is the evaluation's own: v = (mg phase + eg scale (24 - phase)) / 24 in centipawns, White's view, where mg and
eg are linear in the counts but for the pressure on a king, max(0, danger)^2 / 1024 and max(0, danger) / 16. Loss:
cross-entropy of (1 + e)/2, e = tanh(v / 360), plus ridges: towards 100/320/330/500/950 for squares, between neighbours on
the board and in a row of weights, and weakly towards 0. Found by L-BFGS.
"""

import argparse
import json
import re

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

SQUARES = 6 * 64
MATERIAL = [100, 320, 330, 500, 950, 0]
HEAD = 9
UNIT = 1024.0
SCALES = 15
TOWARDS_VALUE, NEIGHBOURS, TOWARDS_ZERO, IN_ROW = 3e-10, 1e-9, 1e-9, 3e-9
SCALE_RIDGE = 1e-5
# Terms whose rows are an order (ranks, numbers of squares), so that neighbours are alike.
ORDERED = re.compile("mobility|passed|passer|connected")


class Data:
    def __init__(self, prefix):
        names = json.load(open(prefix + ".json"))
        self.terms, self.dangers = names["terms"], names["dangers"]
        self.rows = sum(n for _, n in self.terms)
        d = len(self.dangers)
        head = np.fromfile(prefix + ".head", "<f4").reshape(-1, HEAD + 2 * d)
        start = np.fromfile(prefix + ".start", "<u4")
        index = np.fromfile(prefix + ".index", "<u2").astype(np.int32)
        count = np.fromfile(prefix + ".count", "<i2").astype(np.float32)
        self.verdict, self.value, phase = (head[:, i].astype(np.float64) for i in range(3))
        self.share = np.clip(phase, 0, 24) / 24
        self.scale = head[:, 3:5].astype(int)
        self.game, self.check = head[:, 5] > 0, head[:, 6] > 0
        self.own_phase, self.advanced = head[:, 7].astype(float), head[:, 8].astype(float)
        self.danger = head[:, HEAD : HEAD + d], head[:, HEAD + d :]
        shape = (len(head), SQUARES + self.rows)
        self.x = csr_matrix((count, index, start), shape=shape)

    def keep(self, which):
        for name in ("verdict", "value", "share", "scale", "game", "check", "x"):
            setattr(self, name, getattr(self, name)[which])
        self.danger = tuple(d[which] for d in self.danger)


class Model:
    """Parameters in one vector: mg, eg, dangers, scales."""

    def __init__(self, data):
        self.n, self.d = data.x.shape[1], len(data.dangers)
        self.start, self.ridges = np.zeros(2 * self.n + self.d + SCALES), []
        self.prior = np.zeros((self.n, 2))
        for role, cp in enumerate(MATERIAL):
            self.prior[64 * role : 64 * role + 64] = cp
        self.weight = np.full((self.n, 1), TOWARDS_ZERO)
        self.weight[:SQUARES] = TOWARDS_VALUE
        self.links = self.neighbours(data)
        w = self.prior.T.copy()
        self.start[: 2 * self.n] = w.ravel()
        self.start[2 * self.n : 2 * self.n + self.d] = 8.0
        self.start[2 * self.n + self.d :] = 1.0

    def neighbours(self, data):
        pairs = []
        for role in range(6):
            for s in range(64):
                if s % 8 < 7:
                    pairs.append((64 * role + s, 64 * role + s + 1, NEIGHBOURS))
                if s < 56 and not (role == 0 and (s < 8 or s >= 48)):
                    pairs.append((64 * role + s, 64 * role + s + 8, NEIGHBOURS))
        at = SQUARES
        for name, size in data.terms:
            if ORDERED.search(name):
                # Terms by rank may have several rows of eight.
                joined = lambda i: size % 8 > 0 or i % 8 < 7
                pairs += [(at + i, at + i + 1, IN_ROW) for i in range(size - 1) if joined(i)]
            at += size
        a, b, w = zip(*pairs)
        return np.array(a), np.array(b), np.array(w)[:, None]

    def split(self, p):
        w = p[: 2 * self.n].reshape(2, self.n).T
        return w, p[2 * self.n : 2 * self.n + self.d], p[2 * self.n + self.d :]

    def parts(self, p, data):
        w, k, scales = self.split(p)
        mg, eg = np.asarray(data.x @ w[:, 0]), np.asarray(data.x @ w[:, 1])
        danger = [np.maximum(d @ k, 0) for d in data.danger]
        mg += (danger[0] ** 2 - danger[1] ** 2) / UNIT
        eg += (danger[0] - danger[1]) / 16
        row = np.where(eg >= 0, data.scale[:, 0], data.scale[:, 1])
        factor = scales[row]
        rest = 1 - data.share
        return mg * data.share + eg * factor * rest, eg, danger, row, factor * rest

    def value(self, p, data):
        return self.parts(p, data)[0]

    def loss(self, p, data):
        w, _, scales = self.split(p)
        v, eg, danger, row, of_eg = self.parts(p, data)
        z = v / 180.0
        win = (1 + data.verdict) / 2
        n = len(v)
        loss = np.mean(np.logaddexp(0, z) - win * z)
        slope = (1 / (1 + np.exp(-z)) - win) / 180.0 / n
        to_mg, to_eg = slope * data.share, slope * of_eg
        g = np.empty_like(p)
        gw = np.stack([data.x.T @ to_mg, data.x.T @ to_eg], 1)
        gk = 0
        for sign, d, counts in zip((1, -1), danger, data.danger):
            gk = gk + counts.T @ (sign * (to_mg * 2 * d / UNIT + to_eg * (d > 0) / 16))
        gs = np.bincount(row, slope * eg * (1 - data.share), SCALES)
        off = w - self.prior
        loss += np.sum(self.weight * off**2)
        gw += 2 * self.weight * off
        a, b, weight = self.links
        gap = w[a] - w[b]
        loss += np.sum(weight * gap**2)
        np.add.at(gw, a, 2 * weight * gap)
        np.add.at(gw, b, -2 * weight * gap)
        loss += SCALE_RIDGE * np.sum((scales - 1) ** 2)
        gs += 2 * SCALE_RIDGE * (scales - 1)
        g[: 2 * self.n] = gw.T.ravel()
        g[2 * self.n : 2 * self.n + self.d] = gk
        g[2 * self.n + self.d :] = gs
        return loss, g

    def fit(self, data, iterations):
        # Scales count in ones where the others count in centipawns: one unit of search for a tenth.
        unit = np.ones_like(self.start)
        unit[2 * self.n :] = 1.0
        unit[2 * self.n + self.d :] = 0.01

        def scaled(q):
            loss, g = self.loss(q * unit, data)
            return loss * 1e4, g * unit * 1e4

        bounds = [(None, None)] * (2 * self.n + self.d) + [(0.0 / 0.01, 2.0 / 0.01)] * SCALES
        step = lambda q: print(".", end="", flush=True)
        found = minimize(
            scaled, self.start / unit, jac=True, method="L-BFGS-B", bounds=bounds, callback=step,
            options={"maxiter": iterations, "maxfun": 2 * iterations, "maxcor": 30},
        )
        print(f"\n{found.message} after {found.nit}, loss {found.fun / 1e4:.6f}")
        return found.x * unit


def rounded(model, p):
    """As the tables hold it."""
    q = np.round(p)
    q[-SCALES:] = np.round(p[-SCALES:] * 64) / 64
    q[:8] = q[56:64] = 0
    q[model.n : model.n + 8] = q[model.n + 56 : model.n + 64] = 0
    return q


def report(name, value, data):
    e = np.tanh(value / 360)
    square = (e - data.verdict) ** 2
    parts = {"all": square, "games": square[data.game], "off": square[~data.game]}
    print(name, *(f"{k} {np.sqrt(s.mean()):.4f}" for k, s in parts.items()))


def squares(w):
    out = []
    for role, name in enumerate("Pawn Knight Bishop Rook Queen King".split()):
        out += [f"    // {name}", "    ["]
        for rank in range(8):
            row = w[64 * role + 8 * rank : 64 * role + 8 * rank + 8]
            out.append("        " + " ".join(f"({mg:.0f}, {eg:.0f})," for mg, eg in row))
        out.append("    ],")
    return "\n".join(out)


def terms(w, data):
    out, at = [], SQUARES
    for name, size in data.terms:
        row = ", ".join(f"({mg:.0f}, {eg:.0f})" for mg, eg in w[at : at + size])
        out += [f"    // {name}", f"    &[{row}],"]
        at += size
    return "\n".join(out)


def put(source, name, body):
    """Replaces what stands between `name: ... = [` and `];`."""
    pattern = re.compile(rf"(const {name}: [^\n]* = \[\n).*?(\n\];)", re.S)
    source, n = pattern.subn(lambda m: m[1] + body.replace("-0,", "0,").replace("-0)", "0)") + m[2], source)
    assert n == 1, f"no table {name}"
    return source


def spread(train, test):
    """Fits ln tau = a + b ln(1 + |pawns|) + c phase/24 + d min(advanced, 4)/4, tau the scale of a logistic in the logit
    around the value of quiescence: likelihood, verdicts beyond |e| = .999 censored, then a shifted so that 80 % are
    covered."""

    def prepare(data):
        e = np.clip(data.verdict, -0.999, 0.999)
        off = np.log((1 + e) / (1 - e)) - data.value / 180
        end = np.sign(data.verdict) * (np.abs(data.verdict) >= 0.999)
        pawns = np.log(1 + np.abs(data.value) / 100)
        phase = np.clip(data.own_phase, 0, 24) / 24
        advanced = np.minimum(data.advanced, 4) / 4
        return off, end, np.stack([np.ones_like(pawns), pawns, phase, advanced], 1)

    def loss(p, off, end, f):
        ln_tau = f @ p
        u = off / np.exp(ln_tau)
        density = np.abs(u) + 2 * np.log1p(np.exp(-np.abs(u))) + ln_tau
        tail = np.logaddexp(0, end * u)
        return np.mean(np.where(end == 0, density, tail))

    def covered(p, data, claimed):
        off, end, f = prepare(data)
        half = np.exp(f @ p) * np.log((1 + claimed) / (1 - claimed))
        # A verdict off the scale is covered if its end of the belief reaches the scale's.
        return np.where(end == 0, np.abs(off) <= half, end * off <= half)

    parts = prepare(train)
    p = minimize(loss, [-0.73, 0.35, -0.55, 0.48], args=parts, method="Nelder-Mead", options={"xatol": 1e-3}).x
    low, high = p[0] - 1, p[0] + 1
    for _ in range(30):
        p[0] = (low + high) / 2
        low, high = (p[0], high) if covered(p, train, 0.8).mean() < 0.8 else (low, p[0])
    print("SPREAD", *(f"{x:.2f}," for x in p))
    for claimed in (0.5, 0.8, 0.9):
        c = covered(np.round(p, 2), test, claimed)
        print(f"held out, {claimed}: all {c.mean():.3f} games {c[test.game].mean():.3f} off {c[~test.game].mean():.3f}")


def main():
    args = argparse.ArgumentParser()
    args.add_argument("train")
    args.add_argument("test")
    args.add_argument("--tables", help="the file to write the numbers to")
    args.add_argument("--spread", action="store_true", help="fit the width of the beliefs instead")
    args.add_argument("--iterations", type=int, default=250)
    args = args.parse_args()
    train, test = Data(args.train), Data(args.test)
    if args.spread:
        return spread(train, test)
    train.keep(~train.check)
    print(len(train.verdict), "positions,", train.x.nnz / len(train.verdict), "counts each")
    model = Model(train)
    report("before, held out:", test.value, test)
    p = rounded(model, model.fit(train, args.iterations))
    report("fitted, trained on:", model.value(p, train), train)
    report("fitted, held out:", model.value(p, test), test)
    w, k, scales = model.split(p)
    tables = {
        "SQUARES": squares(w),
        "WEIGHTS": terms(w, train),
        "DANGERS": "    " + " ".join(f"{x:.0f}," for x in k),
        "SCALE": "    " + " ".join(f"{64 * x:.0f}," for x in scales),
    }
    for name, x in zip(train.dangers, k):
        print(f"{name}: {x:.0f}")
    if args.tables:
        source = open(args.tables).read()
        for name, body in tables.items():
            source = put(source, name, body)
        open(args.tables, "w").write(source)
    else:
        print("\n".join(tables.values()))


main()
