#!/usr/bin/env python3
"""Trains the network on a cache made by `prepare.py`.

    python3 train.py CACHE OUT.pt [--teacher]

Prints losses on held-out games of the training files now and then, and the figures of the test at the end. It can be
stopped at any time and goes on with the last checkpoint. The rate is constant until it cools down, so a run that was
stopped before that may go on with other --steps and --cool. With --teacher the value also learns from what `teacher.rs` has
written about the cache's positions and about walks from them. Needs numpy, numba and PyTorch; two threads.
"""

import argparse
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch

import judge
import network
from network import Batch, BeliefLoss, Network, PolicyLoss, Shape, UNIT, Walks

EVALUATED = 8192
HELD_OUT_GAMES = 50
THREADS = 2
FAST = ("belief_3", "belief_3b", "moves", "value_3", "value_3b")


def buckets(boards):
    pieces = np.concatenate([(part > 0).sum(1) for part in np.array_split(boards, 16)])
    return np.minimum((pieces - 1) // 4, network.BUCKETS - 1).astype(np.uint8)


def load(path, with_teacher=False):
    with np.load(path) as file:
        data = {name: file[name] for name in file}
    data["bucket"] = buckets(data["board"])
    data["truth"] = judge.truth_of(data["value"])
    if with_teacher:
        data["teacher"] = np.fromfile(path.with_suffix(".taught"), "<i2")
    return data


def load_walks(cache):
    rows = np.fromfile(cache / "walks.boards", np.uint8).reshape(-1, 66)
    boards = rows[:, :64]
    return {"board": boards, "castle": rows[:, 64].copy(), "bucket": buckets(boards),
            "teacher": np.fromfile(cache / "walks.taught", "<i2")}


class Losses:
    """Weights of the parts of the loss."""

    def __init__(self, args):
        self.crps, self.log, self.value, self.far, self.policy = args.of_crps, args.of_log, args.of_value, args.of_far, args.of_policy
        self.noisy, self.taught = args.of_noisy, args.of_taught
        self.teacher, self.mixed = args.of_teacher, args.of_mixed
        self.centres = torch.from_numpy((judge.EDGES[1:-2] + judge.EDGES[2:-1]) / 2).float()

    def of_value(self, values, aim, cp):
        """Of each position, by the expected score and the centipawns that its value should say."""
        near = torch.nn.functional.binary_cross_entropy_with_logits(values * (UNIT / 180), (1 + aim) / 2, reduction="none")
        most = 2000 / UNIT
        far = torch.nn.functional.smooth_l1_loss(values.clamp(-most, most), (cp / UNIT).clamp(-most, most), reduction="none")
        return near * self.value + far * self.far

    def of_teacher(self, values, teacher):
        cp = torch.from_numpy(teacher.astype(np.float32))
        return self.teacher * self.of_value(values, torch.tanh(cp / 360), cp).mean()

    def of(self, net, batch):
        values, logits, context = net(batch)
        n = len(batch.truth)
        belief, parts = BeliefLoss.apply(logits, batch.truth, self.crps, self.log)
        policy, ranks = PolicyLoss.apply(context, net.moves, batch.move_rows, batch.move_count, batch.best)
        known = max(int((batch.best >= 0).sum()), 1)
        truth = torch.from_numpy(batch.truth.astype(np.float32))
        with torch.no_grad():
            mean = torch.softmax(logits, 1) @ self.centres
            aim = truth + self.taught * (mean - truth)
            if batch.teacher is not None:
                aim = aim + self.mixed * (torch.tanh(torch.from_numpy(batch.teacher.astype(np.float32)) / 360) - aim)
        weight = torch.where(torch.from_numpy(batch.quiet), 1.0, self.noisy)
        cp = torch.from_numpy(batch.value.astype(np.float32))
        value = (self.of_value(values, aim, cp) * weight).mean()
        if batch.teacher is not None:
            value = value + self.of_teacher(values, batch.teacher)
        return belief / n + value + policy * self.policy / known, {
            "crps": float(parts[0]) / n, "log": float(parts[1]) / n, "policy": float(policy.detach()) / known,
        }


def evaluate(net, data, rows):
    """Figures of a network on positions; the policy's where a best move is known."""
    masses, means, values, quiet, ranks, entropy, known = [], [], [], [], [], 0.0, 0
    truths, kinds = [], []
    with torch.no_grad():
        for part in np.array_split(rows, max(len(rows) // EVALUATED, 1)):
            batch = Batch(data, part, np.ones(len(part), bool))
            v, logits, context = net(batch)
            masses.append(torch.softmax(logits.double(), 1).numpy())
            values.append(v.numpy() * UNIT)
            quiet.append(batch.quiet)
            loss, rank = PolicyLoss.apply(context, net.moves, batch.move_rows, batch.move_count, batch.best)
            known += int((batch.best >= 0).sum())
            entropy += float(loss)
            ranks.append(rank.numpy()[batch.best >= 0])
            truths.append(batch.truth)
            kinds.append(data["kind"][batch.rows])
    truth, kind, quiet, ranks = map(np.concatenate, (truths, kinds, quiet, ranks))
    told = judge.judge(np.concatenate(masses), truth, judge.EDGES)
    error = np.tanh(np.concatenate(values) / 360) - truth
    found = {
        "belief": judge.figures(told, truth), "g": judge.figures(told, truth, kind == 0),
        "x": judge.figures(told, truth, kind == 1),
        "value rmse": float(np.sqrt((error**2).mean())), "value rmse, quiet": float(np.sqrt((error[quiet] ** 2).mean())),
        "policy": {"entropy": entropy / max(known, 1), "top 1": float((ranks == 0).mean()),
                   "top 3": float((ranks < 3).mean())},
    }
    return found


def brief(found):
    b, p = found["belief"], found["policy"]
    parts = " ".join(f"{k} {found[k]['crps']:.4f}" for k in "gx" if found[k])
    return (
        f"crps {b['crps']:.4f} ({parts}) rmse {b['rmse']:.4f} covered {'/'.join(f'{100 * c:.1f}' for c in b['covered'])}, "
        f"value rmse {found['value rmse']:.4f} quiet {found['value rmse, quiet']:.4f}, "
        f"policy {p['entropy']:.3f} top {100 * p['top 1']:.1f}/{100 * p['top 3']:.1f} %"
    )


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("cache", type=Path)
    args.add_argument("out", type=Path)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--steps", type=int, default=18000)
    args.add_argument("--cool", type=int, default=6000, help="over how many steps at the end the rate goes down to 0")
    args.add_argument("--save-every", type=int, default=100, help="steps from one checkpoint to the next")
    args.add_argument("--batch", type=int, default=4096)
    args.add_argument("--rate", type=float, default=3e-3)
    args.add_argument("--faster", type=float, default=4.0, help="how much faster the last layers learn")
    args.add_argument("--decay", type=float, default=1e-2)
    args.add_argument("--limit", type=int, help="train on this many positions only")
    args.add_argument("--no-children", action="store_true", help="leave out the positions after best moves")
    args.add_argument("--policy-share", type=float, default=0.25, help="the share of the positions the policy learns from")
    args.add_argument("--teacher", action="store_true", help="learn from the teacher, too")
    for name, weight in (
        ("crps", 6.0), ("log", 0.4), ("value", 4.0), ("far", 0.2), ("policy", 0.2), ("noisy", 0.1), ("taught", 0.4),
        ("teacher", 1.0), ("mixed", 0.3),
    ):
        args.add_argument("--of-" + name, type=float, default=weight, help="a weight in the loss")
    for name, size in Shape().dict().items():
        args.add_argument("--" + name.replace("_", "-"), type=int, default=size)
    args = args.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    shape = Shape(**{name: getattr(args, name) for name in Shape.names})
    net, losses = Network(shape), Losses(args)
    data = load(args.cache / "train.npz", args.teacher)
    walks = load_walks(args.cache) if args.teacher else None
    held = data["game"] % HELD_OUT_GAMES == 7
    check = np.flatnonzero(held & (data["kind"] < 2))[:16000]
    learn = ~held & (data["kind"] < (2 if args.no_children else 3))
    learn = np.flatnonzero(learn)
    if args.limit:
        learn = np.sort(np.random.default_rng(args.seed).choice(learn, args.limit, replace=False))
    sizes = {name: p.numel() for name, p in net.named_parameters()}
    print(f"{len(learn)} positions, {len(check)} held out, {sum(sizes.values())} parameters", flush=True)
    # What makes logits has far to go.
    fast = [p for name, p in net.named_parameters() if name in FAST]
    slow = [p for name, p in net.named_parameters() if name not in FAST]
    groups = [{"params": slow, "times": 1.0}, {"params": fast, "times": args.faster}]
    optimizer = torch.optim.AdamW(groups, lr=args.rate, betas=(0.9, 0.99), weight_decay=args.decay, fused=True)
    step, log = 0, []
    if args.out.exists():
        saved = torch.load(args.out, weights_only=False)
        net.load_state_dict(saved["net"])
        optimizer.load_state_dict(saved["optimizer"])
        step, log = saved["step"], saved["log"]
    start = time.time()
    pool = ThreadPoolExecutor(THREADS)

    def gradients(rows, with_policy):
        """Of a part of a batch, in a thread of its own."""
        torch.set_num_threads(1)
        loss, parts = losses.of(net, Batch(data, rows, with_policy))
        if walks:
            chosen = np.random.default_rng((args.seed, int(rows[0]), 2)).integers(0, len(walks["castle"]), len(rows))
            batch = Walks(walks, chosen)
            loss = loss + losses.of_teacher(net.values(batch), batch.teacher)
        return torch.autograd.grad(loss, list(net.parameters())), parts

    an_epoch = len(learn) // args.batch
    epoch, order = -1, None
    sums, count, began, spent = {}, 0, time.time(), time.process_time()
    while step < args.steps:
        if step // an_epoch != epoch:
            epoch = step // an_epoch
            order = np.random.default_rng((args.seed, epoch)).permutation(learn)
        rate = args.rate * min(1, (step + 1) / 100, (args.steps - step) / args.cool)
        for group in optimizer.param_groups:
            group["lr"] = rate * group["times"]
        i = step % an_epoch
        rows = np.split(order[i * args.batch : (i + 1) * args.batch], THREADS)
        learns = np.random.default_rng((args.seed, step, 1)).random(args.batch) < args.policy_share
        halves = list(pool.map(gradients, rows, np.split(learns, THREADS)))
        for p, *parts in zip(net.parameters(), *(grads for grads, _ in halves)):
            p.grad = sum(parts) / THREADS
        optimizer.step()
        net.clip()
        step += 1
        for _, parts in halves:
            count += 1
            for name, x in parts.items():
                sums[name] = sums.get(name, 0) + x
        if step % args.save_every == 0 or step == args.steps:
            told = {"step": step, "seconds": round(time.time() - began), "cpu": round(time.process_time() - spent),
                    "trained": {k: x / count for k, x in sums.items()}}
            line = " ".join(f"{name} {x:.4f}" for name, x in told["trained"].items())
            print(f"step {step} ({step / an_epoch:.2f} epochs, {told['seconds']} s, {told['cpu']} s of CPU): {line}", flush=True)
            if step % (5 * args.save_every) == 0 or step == args.steps:
                told["held out"] = evaluate(net, data, check)
                print(f"  held out {brief(told['held out'])}", flush=True)
            log.append(told)
            state = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "log": log,
                     "shape": shape.dict(), "args": {k: str(v) for k, v in vars(args).items()}}
            torch.save(state, str(args.out) + ".tmp")
            os.replace(str(args.out) + ".tmp", args.out)
            sums, count, began, spent = {}, 0, time.time(), time.process_time()
    test = load(args.cache / "test.npz")
    found = evaluate(net, test, np.arange(len(test["kind"])))
    print(f"test: {brief(found)}")
    print(json.dumps(found))
    print(f"{time.time() - start:.0f} s")


if __name__ == "__main__":
    main()
