"""The value after a plain quiescence search, as an alpha-beta search would use it: for judging the value's head.

Captures and promotions that lose nothing at first sight (what is taken is worth as much as what takes, or is
undefended); all moves in check. Compiled by numba, with the integer weights in floating point.
"""

import numpy as np
from numba import njit

import board as chess

WORTH = np.array([100, 320, 330, 500, 950, 0], np.int64)
MATED = -30000.0
DEEPEST = 12


def layers(w):
    """What `static` needs, from `reference.Weights`."""
    f = lambda x: np.ascontiguousarray(x, np.float32)
    return (f(w.inputs), f(w.bias), f(w.value_1), f(w.value_1b), f(w.value_2), f(w.value_2b), f(w.value_3), f(w.value_3b))


@njit(cache=True, nogil=True, fastmath=True)
def static(layers, board, castle, own, other):
    inputs, bias, w1, b1, w2, b2, w3, b3 = layers
    n = inputs.shape[1]
    count = chess.inputs(board, castle, own, other)
    a = np.empty(2 * n, np.float32)
    a[:n] = bias
    a[n:] = bias
    for j in range(count):
        x, y = inputs[own[j]], inputs[other[j]]
        for k in range(n):
            a[k] += x[k]
            a[n + k] += y[k]
    pieces = 0
    for s in range(64):
        pieces += board[s] > 0
    bucket = (pieces - 1) // 4
    for k in range(2 * n):
        c = min(max(a[k], np.float32(0)), np.float32(255))
        a[k] = c * c / 16
    one = np.empty(w1.shape[1], np.float32)
    for i in range(w1.shape[1]):
        z = b1[bucket, i]
        row = w1[bucket, i]
        for k in range(2 * n):
            z += row[k] * a[k]
        c = min(max(z / 1024, np.float32(0)), np.float32(1023))
        one[i] = c * c / 256
    z3 = b3[bucket]
    for i in range(w2.shape[1]):
        z = b2[bucket, i]
        for k in range(w1.shape[1]):
            z += w2[bucket, i, k] * one[k]
        c = min(max(z / 1024, np.float32(0)), np.float32(1023))
        z3 += w3[bucket, i] * (c * c / 256)
    return z3 * 600 / 1048576


@njit(nogil=True)
def search(layers, board, castle, ep, alpha, beta, ply, own, other, nodes):
    nodes[0] += 1
    king = chess.find(board, 6)
    in_check = chess.is_attacked(board, king, True)
    best = MATED + ply
    if not in_check or ply >= DEEPEST:
        best = static(layers, board, castle, own, other)
        if best >= beta or ply >= DEEPEST:
            return best
        alpha = max(alpha, best)
    moves = np.zeros(chess.MOST_MOVES, np.uint16)
    n = chess.legal_moves(board, castle, ep, moves)
    gains = np.full(n, -1, np.int64)
    for i in range(n):
        m = np.int64(moves[i])
        s, t, promotion = m & 63, (m >> 6) & 63, m >> 12
        own_worth = WORTH[board[s] - 1]
        gain = -1
        if board[t] or (board[s] == 1 and t == ep):
            taken = WORTH[max(np.int64(board[t]) - 7, 0)]
            if taken >= own_worth or in_check or not chess.is_attacked(board, t, True):
                gain = 10000 + 16 * taken - own_worth
        if promotion == 4:
            gain = max(gain, 20000)
        if in_check:
            gain = max(gain, 0)
        gains[i] = gain
    for _ in range(n):
        i = np.argmax(gains)
        if gains[i] < 0:
            break
        gains[i] = -1
        after = np.zeros(64, np.uint8)
        castle_2, ep_2 = chess.play(board, castle, ep, moves[i], after)
        value = -search(layers, after, castle_2, ep_2, -beta, -alpha, ply + 1, own, other, nodes)
        if value > best:
            best = value
            if best >= beta:
                break
            alpha = max(alpha, best)
    return best


@njit(nogil=True)
def values(layers, boards, castles, eps, out, nodes):
    own, other = np.zeros(64, np.int16), np.zeros(64, np.int16)
    for i in range(len(boards)):
        out[i] = search(layers, boards[i].copy(), castles[i], eps[i], -1e9, 1e9, 0, own, other, nodes)
