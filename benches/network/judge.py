"""The scores of beliefs, as `plyscope lab calibration` defines them (src/belief/score.rs): CRPS, central intervals.

The grid has 63 bins with edges at the logits 8 sinh(3u)/sinh(3), u = 2i/63 - 1, in expected score tanh(logit/2); the
outer edges are -1 and 1, and the two end bins mean certainty, which a network never claims: its 61 masses are those of
bins 1 to 61. The truth is tanh(cp/360), or -1 or 1 for a mate.
"""

import numpy as np
from numba import njit

BINS = 63
MASSES = BINS - 2


def edges():
    u = 2 * np.arange(BINS + 1) / BINS - 1
    e = np.tanh(8 * np.sinh(3 * u) / np.sinh(3) / 2)
    e[0], e[-1] = -1, 1
    return (e - e[::-1]) / 2


EDGES = edges()
MATE_FROM = 20000


def truth_of(value):
    value = np.asarray(value).astype(np.float64)
    return np.where(np.abs(value) >= MATE_FROM, np.sign(value), np.tanh(value / 360))


@njit(cache=True)
def judge(masses, truth, edges):
    """CRPS, P(X < truth), P(X <= truth), mean for each row of masses (61 or 63 bins)."""
    n = len(truth)
    out = np.zeros((n, 4))
    inner = masses.shape[1] == MASSES
    q = np.zeros(BINS + 1)
    decided = edges[BINS - 2]
    for k in range(n):
        total = masses[k].sum()
        q[:] = 0
        mean = 0.0
        for i in range(BINS):
            if inner:
                p = masses[k, i - 1] / total if 1 <= i <= BINS - 2 else 0.0
            else:
                p = masses[k, i] / total
            q[i + 1] = q[i] + p
            centre = -1.0 if i == 0 else 1.0 if i == BINS - 1 else (edges[i] + edges[i + 1]) / 2
            mean += p * centre
        t = truth[k]
        score, at = 0.0, 0.0
        for i in range(BINS):
            # The mass of an end bin is an atom at its end.
            a = q[1] if i == 0 else q[i]
            b = q[BINS - 1] if i == BINS - 1 else q[i + 1]
            w = edges[i + 1] - edges[i]
            f = min(max((t - edges[i]) / w, 0.0), 1.0)
            m = a + f * (b - a)
            score += w * f * (a * a + a * m + m * m) / 3
            score += w * (1 - f) * ((m - 1) ** 2 + (m - 1) * (b - 1) + (b - 1) ** 2) / 3
            if edges[i] <= t < edges[i + 1]:
                at = m
        low, high = at, at
        if t >= decided:
            low, high = q[BINS - 2], 1.0
        elif t <= -decided:
            low, high = 0.0, q[2]
        out[k, 0], out[k, 1], out[k, 2], out[k, 3] = score, low, high, mean
    return out


def covered(low, high, level):
    a, b = (1 - level) / 2, (1 + level) / 2
    width = high - low
    spread = np.maximum(np.minimum(high, b) - np.maximum(low, a), 0) / np.maximum(width, 1e-12)
    inside = (a <= low) & ((low < b) | (b >= 1))
    return np.where(width > 1e-12, spread, inside)


def figures(told, truth, which=None):
    """CRPS, rmse, coverage of 50, 80, 90 % and the number of positions."""
    if which is not None:
        told, truth = told[which], truth[which]
    if not len(truth):
        return None
    shares = [float(covered(told[:, 1], told[:, 2], level).mean()) for level in (0.5, 0.8, 0.9)]
    return {
        "n": len(truth), "crps": float(told[:, 0].mean()),
        "rmse": float(np.sqrt(((told[:, 3] - truth) ** 2).mean())), "covered": shares,
    }
