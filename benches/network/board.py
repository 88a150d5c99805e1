"""Chess as the network sees it: boards from the mover's side, attacks, legal moves, and the numbers of the inputs.

A board is 64 bytes, a1 = 0 to h8 = 63, turned so that the side to move plays up the board (ranks flipped for Black):
0 empty, 1 to 6 an own pawn, knight, bishop, rook, queen, king, 7 to 12 the opponent's. `castle` has bits 1, 2 (own
right to castle short, long) and 4, 8 (the opponent's). `ep` is the square behind a pawn that just made two steps, or 255.
A move is from + 64 to + 4096 promotion (0 or 1 to 4, knight to queen), castling by the king's two squares.
Compiled by numba; README.md has the same definitions in words.
"""

import numpy as np
from numba import njit, prange

PIECE_SQUARES = 768
INPUTS = PIECE_SQUARES + 4
MOST_INPUTS = 36
ATTACK_INPUTS = 12 * 6 * 64 + 9 * 64
MOVE_CLASSES = 6 * 6 * 3 * 3 + 4 + 6
MOST_MOVES = 256
NO_EP = 255

_STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]
_JUMPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]


def _rays():
    """RAY[square, direction] lists squares outwards, -1 at the end; directions 0 to 3 are lines, 4 to 7 diagonals."""
    ray = np.full((64, 8, 8), -1, np.int8)
    for s in range(64):
        for d, (dx, dy) in enumerate(_STEPS):
            x, y, i = s % 8 + dx, s // 8 + dy, 0
            while 0 <= x < 8 and 0 <= y < 8:
                ray[s, d, i] = y * 8 + x
                x, y, i = x + dx, y + dy, i + 1
    return ray


def _near(steps):
    near = np.full((64, 9), -1, np.int8)
    for s in range(64):
        i = 0
        for dx, dy in steps:
            x, y = s % 8 + dx, s // 8 + dy
            if 0 <= x < 8 and 0 <= y < 8:
                near[s, i] = y * 8 + x
                i += 1
    return near


RAY, KNIGHT, KING = _rays(), _near(_JUMPS), _near(_STEPS)


@njit(cache=True)
def is_attacked(board, square, by_other):
    """Whether the opponent (or, if not `by_other`, the mover) attacks a square."""
    base = 6 if by_other else 0
    x, y = square & 7, square >> 3
    # The opponent's pawns capture downwards.
    py = y + 1 if by_other else y - 1
    if 0 <= py < 8:
        if x > 0 and board[py * 8 + x - 1] == base + 1:
            return True
        if x < 7 and board[py * 8 + x + 1] == base + 1:
            return True
    for i in range(8):
        t = KNIGHT[square, i]
        if t < 0:
            break
        if board[t] == base + 2:
            return True
    for i in range(8):
        t = KING[square, i]
        if t < 0:
            break
        if board[t] == base + 6:
            return True
    for d in range(8):
        slider = base + 4 if d < 4 else base + 3
        for i in range(7):
            t = RAY[square, d, i]
            if t < 0:
                break
            c = board[t]
            if c:
                if c == slider or c == base + 5:
                    return True
                break
    return False


@njit(cache=True)
def find(board, code):
    for s in range(64):
        if board[s] == code:
            return s
    return 0


@njit(cache=True)
def attacks_by_kind(board, by):
    """by[side, square] becomes a set of kinds (bit 0 pawn … bit 5 king) of that side that attack the square."""
    by[:] = 0
    for s in range(64):
        c = board[s]
        if c == 0:
            continue
        side = 0 if c <= 6 else 1
        kind = (c - 1) % 6
        bit = np.uint8(1 << kind)
        if kind == 0:
            y = (s >> 3) + (1 if side == 0 else -1)
            if 0 <= y < 8:
                x = s & 7
                if x > 0:
                    by[side, y * 8 + x - 1] |= bit
                if x < 7:
                    by[side, y * 8 + x + 1] |= bit
        elif kind == 1 or kind == 5:
            for i in range(8):
                t = KNIGHT[s, i] if kind == 1 else KING[s, i]
                if t < 0:
                    break
                by[side, t] |= bit
        else:
            for d in range(4 if kind == 2 else 0, 4 if kind == 3 else 8):
                for i in range(7):
                    t = RAY[s, d, i]
                    if t < 0:
                        break
                    by[side, t] |= bit
                    if board[t]:
                        break


# Which attackers count as worth less than a piece: a pawn may be taken by a pawn, a king by anything.
LESS = np.array([0b000001, 0b000001, 0b000001, 0b000111, 0b001111, 0b111111], np.uint8)


@njit(cache=True)
def attacked_state(kind, attackers):
    """0 not attacked, 1 attacked, 2 attacked by something worth less."""
    if attackers & LESS[kind]:
        return 2
    return 1 if attackers else 0


@njit(cache=True)
def inputs(board, castle, own, other):
    """Writes the numbers of the accumulators' inputs, own view and the opponent's; returns how many."""
    flip_own = 7 if (find(board, 6) & 7) < 4 else 0
    flip_other = 56 ^ (7 if (find(board, 12) & 7) < 4 else 0)
    n = 0
    for s in range(64):
        c = board[s]
        if c:
            own[n] = (c - 1) * 64 + (s ^ flip_own)
            other[n] = ((c + 5) % 12) * 64 + (s ^ flip_other)
            n += 1
    for i in range(4):
        if castle >> i & 1:
            own[n] = PIECE_SQUARES + i
            other[n] = PIECE_SQUARES + (i ^ 2)
            n += 1
    return n


@njit(cache=True)
def attack_inputs(board, by, out):
    """Writes the numbers of the belief's attack inputs; returns how many. For a piece: its code, whether it is attacked
    (by something worth less), whether it is defended, its square. For an empty square: who attacks it, a pawn or not."""
    flip = 7 if (find(board, 6) & 7) < 4 else 0
    n = 0
    for s in range(64):
        c = board[s]
        if c:
            side = 0 if c <= 6 else 1
            state = attacked_state((c - 1) % 6, by[1 - side, s]) * 2 + (1 if by[side, s] else 0)
            out[n] = ((c - 1) * 6 + state) * 64 + (s ^ flip)
            n += 1
        else:
            a, b = by[0, s], by[1, s]
            state = (2 if a & 1 else 1 if a else 0) * 3 + (2 if b & 1 else 1 if b else 0)
            if state:
                out[n] = 12 * 6 * 64 + state * 64 + (s ^ flip)
                n += 1
    return n


@njit(cache=True)
def has_pending_capture(board, by):
    """Whether the mover can take a piece that is undefended or worth more than what takes it."""
    for s in range(64):
        c = board[s]
        if 7 <= c <= 11 and by[0, s]:
            kind = c - 7
            if kind > 0 and by[0, s] & LESS[kind]:
                return True
            if by[1, s] == 0:
                return True
    return False


@njit(cache=True)
def _is_safe(board, king, frm, to, is_ep):
    """Whether the own king is safe after a move (no castling)."""
    a, b = board[frm], board[to]
    board[to] = a
    board[frm] = 0
    if is_ep:
        board[to - 8] = 0
    safe = not is_attacked(board, to if frm == king else king, True)
    board[frm] = a
    board[to] = b
    if is_ep:
        board[to - 8] = 7
    return safe


@njit(cache=True)
def legal_moves(board, castle, ep, moves):
    """Writes the legal moves; returns how many. Castling is that of ordinary chess."""
    king = find(board, 6)
    in_check = is_attacked(board, king, True)
    n = 0
    for s in range(64):
        c = board[s]
        if c == 0 or c > 6:
            continue
        start = n
        x, y = s & 7, s >> 3
        if c == 1:
            for dx in range(-1, 2):
                if not 0 <= x + dx < 8:
                    continue
                t = s + 8 + dx
                if dx == 0:
                    if board[t]:
                        continue
                elif board[t] < 7 and t != ep:
                    continue
                if y == 6:
                    for p in range(4, 0, -1):
                        moves[n] = s + 64 * t + 4096 * p
                        n += 1
                else:
                    moves[n] = s + 64 * t
                    n += 1
                    if dx == 0 and y == 1 and board[s + 16] == 0:
                        moves[n] = s + 64 * (s + 16)
                        n += 1
        elif c == 2 or c == 6:
            for i in range(8):
                t = KNIGHT[s, i] if c == 2 else KING[s, i]
                if t < 0:
                    break
                if board[t] == 0 or board[t] > 6:
                    moves[n] = s + 64 * t
                    n += 1
        else:
            for d in range(4 if c == 3 else 0, 4 if c == 4 else 8):
                for i in range(7):
                    t = RAY[s, d, i]
                    if t < 0:
                        break
                    if 1 <= board[t] <= 6:
                        break
                    moves[n] = s + 64 * t
                    n += 1
                    if board[t]:
                        break
        kx, ky = king & 7, king >> 3
        on_line = x == kx or y == ky or x - y == kx - ky or x + y == kx + ky
        if in_check or on_line or c == 6 or (c == 1 and ep != NO_EP):
            end, n = n, start
            for i in range(start, end):
                t = (moves[i] >> 6) & 63
                if _is_safe(board, king, s, t, c == 1 and t == ep and board[t] == 0):
                    moves[n] = moves[i]
                    n += 1
    if not in_check and king == 4:
        if castle & 1 and board[7] == 4 and board[5] == 0 and board[6] == 0:
            if not is_attacked(board, 5, True) and not is_attacked(board, 6, True):
                moves[n] = 4 + 64 * 6
                n += 1
        if castle & 2 and board[0] == 4 and board[1] == 0 and board[2] == 0 and board[3] == 0:
            if not is_attacked(board, 3, True) and not is_attacked(board, 2, True):
                moves[n] = 4 + 64 * 2
                n += 1
    return n


@njit(cache=True)
def check_squares(board, out):
    """out[square] becomes the set of kinds (bits as in `attacks_by_kind`) that would check the opponent's king from there."""
    out[:] = 0
    k = find(board, 12)
    x, y = k & 7, k >> 3
    if y > 0:
        if x > 0:
            out[k - 9] |= 1
        if x < 7:
            out[k - 7] |= 1
    for i in range(8):
        t = KNIGHT[k, i]
        if t < 0:
            break
        out[t] |= 2
    for d in range(8):
        bits = np.uint8(0b11000 if d < 4 else 0b10100)
        for i in range(7):
            t = RAY[k, d, i]
            if t < 0:
                break
            out[t] |= bits
            if board[t]:
                break


@njit(cache=True)
def move_inputs(board, by, checks, ep, flip, move, out):
    """The rows of the policy's tables whose sum is a move's vector: kind and from, kind and to, class; then -1 or that of
    a check, -1 or that of a promotion."""
    move = np.int64(move)
    s, t, promotion = move & 63, (move >> 6) & 63, move >> 12
    kind = np.int64(board[s]) - 1
    victim = max(np.int64(board[t]) - 6, 0)
    if kind == 0 and t == ep and board[t] == 0:
        victim = 1
    from_state = attacked_state(kind, by[1, s])
    to_state = attacked_state(kind, by[1, t])
    out[0] = kind * 64 + (s ^ flip)
    out[1] = 384 + kind * 64 + (t ^ flip)
    out[2] = 768 + ((kind * 6 + victim) * 3 + to_state) * 3 + from_state
    made = promotion if promotion else kind
    out[3] = 768 + 324 + 4 + kind if checks[t] >> made & 1 else -1
    out[4] = 768 + 324 + promotion - 1 if promotion else -1


MOVE_ROWS = 768 + MOVE_CLASSES


@njit(cache=True)
def play(board, castle, ep, move, after):
    """Writes the board after a move, from the opponent's view; returns (castle, ep)."""
    move = np.int64(move)
    s, t, promotion = move & 63, (move >> 6) & 63, move >> 12
    b = board.copy()
    c = b[s]
    b[t] = c if promotion == 0 else promotion + 1
    b[s] = 0
    new_ep = NO_EP
    if c == 1:
        if t == ep and board[t] == 0 and (s & 7) != (t & 7):
            b[t - 8] = 0
        if t - s == 16:
            x = t & 7
            if (x > 0 and b[t - 1] == 7) or (x < 7 and b[t + 1] == 7):
                new_ep = (s + 8) ^ 56
    if c == 6:
        if s == 4 and t == 6 and castle & 1:
            b[7], b[5] = 0, 4
        elif s == 4 and t == 2 and castle & 2:
            b[0], b[3] = 0, 4
        castle &= ~3
    if s == 7 or t == 7:
        castle &= ~1
    if s == 0 or t == 0:
        castle &= ~2
    if t == 63:
        castle &= ~4
    if t == 56:
        castle &= ~8
    for i in range(64):
        c = b[i]
        after[i ^ 56] = 0 if c == 0 else (c + 6 if c <= 6 else c - 6)
    return (castle >> 2 & 3) | (castle << 2 & 12), new_ep


@njit(cache=True)
def drop_useless_ep(board, castle, ep, moves):
    """`ep` if a legal move captures there, else none."""
    if ep == NO_EP:
        return ep
    for i in range(legal_moves(board, castle, ep, moves)):
        if (moves[i] >> 6) & 63 == ep and board[moves[i] & 63] == 1:
            return ep
    return NO_EP


@njit(cache=True)
def hash_of(board, castle, ep):
    """FNV-1a over the board, rights and en passant."""
    h = np.uint64(14695981039346656037)
    p = np.uint64(1099511628211)
    for i in range(64):
        h = (h ^ np.uint64(board[i])) * p
    h = (h ^ np.uint64(castle)) * p
    h = (h ^ np.uint64(ep)) * p
    return h ^ (h >> np.uint64(29))


_CODES = np.zeros(256, np.uint8)
for _i, _c in enumerate("PNBRQKpnbrqk"):
    _CODES[ord(_c)] = _i + 1


@njit(cache=True)
def read_fen(text, at, board):
    """Reads a FEN's first four fields; returns (place after them, castle, ep, Black moves)."""
    raw = np.zeros(64, np.uint8)
    x, y = 0, 7
    while text[at] != 32:
        c = text[at]
        if c == 47:
            x, y = 0, y - 1
        elif 49 <= c <= 56:
            x += c - 48
        else:
            raw[y * 8 + x] = _CODES[c]
            x += 1
        at += 1
    black = text[at + 1] == 98
    at += 3
    castle = 0
    while text[at] != 32:
        c = text[at]
        castle |= 1 if c == 75 else 2 if c == 81 else 4 if c == 107 else 8 if c == 113 else 0
        at += 1
    at += 1
    ep = NO_EP
    if text[at] != 45:
        ep = (text[at] - 97) + 8 * (text[at + 1] - 49)
        at += 1
    at += 1
    if black:
        for i in range(64):
            c = raw[i]
            board[i ^ 56] = 0 if c == 0 else (c + 6 if c <= 6 else c - 6)
        castle = (castle >> 2 & 3) | (castle << 2 & 12)
        if ep != NO_EP:
            ep ^= 56
    else:
        board[:] = raw
    return at, castle, ep, black
