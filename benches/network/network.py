"""The network in floating point, for training; README.md has its formulas.

The sparse parts (accumulators, attack inputs, the policy's tables) and the loss of the belief are compiled by numba with
gradients written by hand; PyTorch does the rest.
"""

import numpy as np
import torch
from numba import njit
from torch import nn

import board as chess
from judge import BINS, EDGES, MASSES

BUCKETS = 8
MOVES_KEPT = 80
# One unit of the value's output in centipawns.
UNIT = 600.0


class Shape:
    """The numbers that fix an architecture."""

    names = ("neurons", "value_hidden", "value_hidden_2", "hidden", "belief_hidden", "policy")

    def __init__(self, neurons=128, value_hidden=8, value_hidden_2=16, hidden=64, belief_hidden=32, policy=32):
        self.neurons, self.value_hidden, self.value_hidden_2 = neurons, value_hidden, value_hidden_2
        self.hidden, self.belief_hidden, self.policy = hidden, belief_hidden, policy

    def dict(self):
        return {name: getattr(self, name) for name in self.names}


@njit(cache=True, nogil=True)
def extract(rows, boards, castles, eps, moves, with_policy, own, other, count, attack, attack_count, move_rows, move_count,
            best, quiet):
    """The inputs of the positions `rows`. best -1: nothing to learn for the policy."""
    n = len(rows)
    by = np.zeros((2, 64), np.uint8)
    checks = np.zeros(64, np.uint8)
    legal = np.zeros(chess.MOST_MOVES, np.uint16)
    out = np.zeros(5, np.int64)
    board = np.zeros(64, np.uint8)
    for i in range(n):
        r = rows[i]
        board[:] = boards[r]
        count[i] = chess.inputs(board, castles[r], own[i], other[i])
        chess.attacks_by_kind(board, by)
        attack_count[i] = chess.attack_inputs(board, by, attack[i])
        king = chess.find(board, 6)
        move = moves[r]
        best[i], move_count[i] = -1, 0
        if move == 0xFFFF:
            quiet[i] = not chess.has_pending_capture(board, by)
        else:
            s, t = move & 63, (move >> 6) & 63
            takes = board[t] != 0 or (board[s] == 1 and t == eps[r])
            quiet[i] = not takes and move < 4096
            if with_policy[i]:
                m = chess.legal_moves(board, castles[r], eps[r], legal)
                if m <= MOVES_KEPT:
                    chess.check_squares(board, checks)
                    flip = 7 if (king & 7) < 4 else 0
                    for j in range(m):
                        chess.move_inputs(board, by, checks, eps[r], flip, legal[j], out)
                        for k in range(5):
                            move_rows[i, j, k] = out[k]
                        if legal[j] == move:
                            best[i] = j
                    move_count[i] = m
        if by[1, king]:
            quiet[i] = False


@njit(cache=True, nogil=True, fastmath=True)
def gather(table, bias, index, count, out, at):
    n, width = len(count), table.shape[1]
    for i in range(n):
        row = out[i, at : at + width]
        for k in range(width):
            row[k] = bias[k]
        for j in range(count[i]):
            line = table[index[i, j]]
            for k in range(width):
                row[k] += line[k]


@njit(cache=True, nogil=True, fastmath=True)
def scatter(grad, at, index, count, out):
    """Adds every position's gradient to the rows of its inputs."""
    n, width = len(count), out.shape[1]
    for i in range(n):
        row = grad[i, at : at + width]
        for j in range(count[i]):
            line = out[index[i, j]]
            for k in range(width):
                line[k] += row[k]


class Accumulate(torch.autograd.Function):
    """One or two accumulators side by side: the sums of the rows of a table."""

    @staticmethod
    def forward(ctx, table, bias, *lists):
        """`lists`: index, count for each accumulator."""
        width = table.shape[1]
        ctx.lists, ctx.shape = lists, table.shape
        out = torch.empty(len(lists[1]), width * (len(lists) // 2))
        for k in range(0, len(lists), 2):
            gather(table.detach().numpy(), bias.detach().numpy(), lists[k], lists[k + 1], out.numpy(), width * (k // 2))
        return out

    @staticmethod
    def backward(ctx, grad):
        width = ctx.shape[1]
        total = np.zeros(ctx.shape, np.float32)
        grad = grad.contiguous()
        bias = torch.zeros(width)
        for k in range(0, len(ctx.lists), 2):
            at = width * (k // 2)
            scatter(grad.numpy(), at, ctx.lists[k], ctx.lists[k + 1], total)
            bias += grad[:, at : at + width].sum(0)
        return (torch.from_numpy(total), bias, *[None] * len(ctx.lists))


@njit(cache=True, nogil=True, fastmath=True)
def policy_pass(context, table, rows, count, best, to_context, to_table, losses, hits):
    """Cross-entropy over the legal moves where `best` is known, with its gradients."""
    n, width = context.shape
    logits = np.zeros(256, np.float32)
    for i in range(n):
        losses[i] = 0
        hits[i] = -1
        if best[i] < 0:
            continue
        m = count[i]
        c = context[i]
        top = np.float32(-1e30)
        for j in range(m):
            z = np.float32(0)
            for r in range(5):
                row = rows[i, j, r]
                if row >= 0:
                    line = table[row]
                    for k in range(width):
                        z += line[k] * c[k]
            logits[j] = z
            top = max(top, z)
        total = np.float32(0)
        better = 0
        own = logits[best[i]]
        for j in range(m):
            better += logits[j] > own
            logits[j] = np.exp(logits[j] - top)
            total += logits[j]
        hits[i] = better
        losses[i] = -np.log(logits[best[i]] / total)
        for j in range(m):
            g = logits[j] / total - np.float32(1 if j == best[i] else 0)
            for r in range(5):
                row = rows[i, j, r]
                if row >= 0:
                    line, into = table[row], to_table[row]
                    for k in range(width):
                        to_context[i, k] += g * line[k]
                        into[k] += g * c[k]


class PolicyLoss(torch.autograd.Function):
    """The sum of the cross-entropies; also returns the ranks of the best moves."""

    @staticmethod
    def forward(ctx, context, table, rows, count, best):
        n = len(best)
        context = context.contiguous()
        to_context = torch.zeros_like(context)
        to_table = np.zeros(table.shape, np.float32)
        losses, hits = np.zeros(n, np.float32), np.zeros(n, np.int32)
        policy_pass(context.detach().numpy(), table.detach().numpy(), rows, count, best, to_context.numpy(), to_table,
                    losses, hits)
        ctx.save_for_backward(to_context, torch.from_numpy(to_table))
        return torch.tensor(float(losses.sum())), torch.from_numpy(hits)

    @staticmethod
    def backward(ctx, grad, _):
        to_context, to_table = ctx.saved_tensors
        return to_context * grad, to_table * grad, None, None, None


@njit(cache=True, nogil=True, fastmath=True)
def belief_pass(logits, truth, edges, of_crps, of_log, grads, losses):
    """of_crps CRPS - of_log ln p(bin of the truth), with the gradients of the logits."""
    n, m = logits.shape
    p = np.zeros(m)
    to_q = np.zeros(m + 2)
    q = np.zeros(m + 2)
    for i in range(n):
        top = logits[i].max()
        total = 0.0
        for k in range(m):
            p[k] = np.exp(logits[i, k] - top)
            total += p[k]
        for k in range(m):
            p[k] /= total
            q[k + 1] = q[k] + p[k]
        to_q[:] = 0
        t = truth[i]
        score, bin = 0.0, 0
        for k in range(m):
            left, right = edges[k + 1], edges[k + 2]
            w = right - left
            f = min(max((t - left) / w, 0.0), 1.0)
            if t > left:
                bin = k
            a, b = q[k], q[k + 1]
            x = a + f * (b - a)
            u, v = x - 1, b - 1
            score += w * (f * (a * a + a * x + x * x) + (1 - f) * (u * u + u * v + v * v)) / 3
            to_x = w * (f * (a + 2 * x) + (1 - f) * (2 * u + v)) / 3
            to_q[k] += w * f * (2 * a + x) / 3 + to_x * (1 - f)
            to_q[k + 1] += w * (1 - f) * (u + 2 * v) / 3 + to_x * f
        losses[i, 0] = score
        losses[i, 1] = -np.log(max(p[bin], 1e-30))
        # p_k raises every q after it.
        slope, mean = 0.0, 0.0
        for k in range(m - 1, -1, -1):
            # q[m] is 1 whatever the logits say, so that its slope cancels in the softmax.
            slope += to_q[k + 1]
            to_q[k + 1] = slope
            mean += slope * p[k]
        for k in range(m):
            grads[i, k] = of_crps * p[k] * (to_q[k + 1] - mean) + of_log * (p[k] - (1.0 if k == bin else 0.0))


class BeliefLoss(torch.autograd.Function):
    """The sum of both losses, weighted; also returns the sums of each."""

    @staticmethod
    def forward(ctx, logits, truth, of_crps, of_log):
        logits = logits.contiguous()
        grads = torch.empty_like(logits)
        losses = np.zeros((len(truth), 2))
        belief_pass(logits.detach().numpy(), truth, EDGES, of_crps, of_log, grads.numpy(), losses)
        ctx.save_for_backward(grads)
        crps, log = losses.sum(0)
        return torch.tensor(of_crps * crps + of_log * log), torch.tensor([crps, log])

    @staticmethod
    def backward(ctx, grad, _):
        return ctx.saved_tensors[0] * grad, None, None, None


@njit(cache=True, nogil=True, fastmath=True)
def square_pass(x, out):
    n = x.size
    for i in range(n):
        c = min(max(x[i], np.float32(0)), np.float32(1))
        out[i] = c * c


@njit(cache=True, nogil=True, fastmath=True)
def square_back(x, grad, out):
    n = x.size
    for i in range(n):
        c = x[i]
        out[i] = 2 * c * grad[i] if 0 < c < 1 else np.float32(0)


class Squared(torch.autograd.Function):
    """clamp(x, 0, 1)^2."""

    @staticmethod
    def forward(ctx, x):
        x = x.contiguous()
        ctx.save_for_backward(x)
        out = torch.empty_like(x)
        square_pass(x.detach().numpy().reshape(-1), out.numpy().reshape(-1))
        return out

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        out = torch.empty_like(x)
        square_back(x.numpy().reshape(-1), grad.contiguous().numpy().reshape(-1), out.numpy().reshape(-1))
        return out


squared = Squared.apply


def linear(*shape, gain=1.0):
    return nn.Parameter(torch.randn(*shape) * gain / shape[-2] ** 0.5)


class Network(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        n, h = shape.neurons, shape.hidden
        self.inputs = nn.Parameter(torch.randn(chess.INPUTS, n) * 0.08)
        self.bias = nn.Parameter(torch.full((n,), 0.3))
        self.value_1 = linear(BUCKETS, 2 * n, shape.value_hidden, gain=2.0)
        self.value_1b = nn.Parameter(torch.full((BUCKETS, shape.value_hidden), 0.3))
        self.value_2 = linear(BUCKETS, shape.value_hidden, shape.value_hidden_2, gain=2.0)
        self.value_2b = nn.Parameter(torch.full((BUCKETS, shape.value_hidden_2), 0.3))
        self.value_3 = linear(BUCKETS, shape.value_hidden_2, 1)
        self.value_3b = nn.Parameter(torch.zeros(BUCKETS, 1))
        self.attacks = nn.Parameter(torch.randn(chess.ATTACK_INPUTS, h) * 0.05)
        self.hidden = linear(2 * n, h, gain=2.0)
        self.hidden_b = nn.Parameter(torch.full((h,), 0.3))
        self.belief_2 = linear(BUCKETS, h, shape.belief_hidden, gain=2.0)
        self.belief_2b = nn.Parameter(torch.full((BUCKETS, shape.belief_hidden), 0.3))
        self.belief_3 = linear(BUCKETS, shape.belief_hidden, MASSES)
        self.belief_3b = nn.Parameter(torch.zeros(BUCKETS, MASSES))
        self.policy = linear(h, shape.policy - 1, gain=2.0)
        self.policy_b = nn.Parameter(torch.full((shape.policy - 1,), 0.3))
        self.moves = nn.Parameter(torch.randn(chess.MOVE_ROWS, shape.policy) * 0.05)

    def forward(self, batch):
        """(value in units of UNIT, logits of the belief, the policy's context) of a batch ordered by bucket."""
        a = self.accumulated(batch)
        h = Accumulate.apply(self.attacks, self.hidden_b, batch.attack, batch.attack_count)
        h = squared(h + a @ self.hidden)
        logits = []
        for rest, (b2, b2b, b3, b3b) in zip(h.split(batch.sizes), self.by_bucket("belief_2", "belief_3")):
            x = squared(torch.addmm(b2b, rest, b2))
            logits.append(torch.addmm(b3b, x, b3))
        context = squared(torch.addmm(self.policy_b, h, self.policy))
        context = torch.cat([context, torch.ones(len(h), 1)], 1)
        return self.of_accumulated(a, batch), torch.cat(logits), context

    def by_bucket(self, *layers):
        """Weights and biases of layers, a tuple for each bucket."""
        names = (name + part for name in layers for part in ("", "b"))
        return list(zip(*(getattr(self, name).unbind() for name in names)))

    def accumulated(self, batch):
        lists = (batch.own, batch.count, batch.other, batch.count)
        return squared(Accumulate.apply(self.inputs, self.bias, *lists))

    def of_accumulated(self, a, batch):
        values = []
        for own, (v1, v1b, v2, v2b, v3, v3b) in zip(a.split(batch.sizes), self.by_bucket("value_1", "value_2", "value_3")):
            x = squared(torch.addmm(v1b, own, v1))
            x = squared(torch.addmm(v2b, x, v2))
            values.append(torch.addmm(v3b, x, v3)[:, 0])
        return torch.cat(values)

    def values(self, batch):
        """Values alone, in units of UNIT."""
        return self.of_accumulated(self.accumulated(batch), batch)

    @torch.no_grad()
    def clip(self):
        """What keeps the integers from overflowing: see README.md."""
        self.inputs.clamp_(-1.98, 1.98)
        self.bias.clamp_(-1.98, 1.98)
        for p in self.parameters():
            p.clamp_(-15.9, 15.9)


@njit(cache=True, nogil=True)
def extract_inputs(rows, boards, castles, own, other, count):
    for i in range(len(rows)):
        count[i] = chess.inputs(boards[rows[i]], castles[rows[i]], own[i], other[i])


class Walks:
    """Positions of which only the teacher's value is known, in the order of their buckets."""

    def __init__(self, data, rows):
        bucket = data["bucket"][rows]
        rows = rows[np.argsort(bucket, kind="stable")]
        self.sizes = np.bincount(bucket, minlength=BUCKETS).tolist()
        self.own, self.other = np.empty((2, len(rows), chess.MOST_INPUTS), np.int16)
        self.count = np.empty(len(rows), np.int32)
        extract_inputs(rows, data["board"], data["castle"], self.own, self.other, self.count)
        self.teacher = data["teacher"][rows]


class Batch:
    """Positions of a cache in the order of their buckets."""

    def __init__(self, data, rows, with_policy):
        bucket = data["bucket"][rows]
        order = np.argsort(bucket, kind="stable")
        self.rows = rows = rows[order]
        n = len(rows)
        self.sizes = np.bincount(bucket, minlength=BUCKETS).tolist()
        self.own, self.other = np.empty((2, n, chess.MOST_INPUTS), np.int16)
        self.attack = np.empty((n, 64), np.int16)
        self.move_rows = np.empty((n, MOVES_KEPT, 5), np.int16)
        self.count, self.attack_count, self.move_count, self.best = np.empty((4, n), np.int32)
        self.quiet = np.empty(n, np.bool_)
        extract(rows, data["board"], data["castle"], data["ep"], data["move"], with_policy, self.own, self.other,
                self.count, self.attack, self.attack_count, self.move_rows, self.move_count, self.best, self.quiet)
        self.value = data["value"][rows]
        self.truth = data["truth"][rows]
        self.teacher = data["teacher"][rows] if "teacher" in data else None
