"""Holds what plyscope reads in files of Go against what sgfmill reads (pip install sgfmill).

python3 benches/sgf_read.py PLYSCOPE_OUTPUT [..]

PLYSCOPE_OUTPUT is what the example sgf_read has printed; - is standard input. Files of which plyscope has refused something are
counted and listed by reason; the others must have the same board, as many stones set up, and the same moves in the same tree.
"""

import collections
import sys

from sgfmill import sgf


def told(path):
    """Board size, stones set up and moves of the first game, as sgf_read prints them."""
    with open(path, "rb") as file:
        game = sgf.Sgf_game.from_bytes(file.read())
    moves, numbers = [], {}
    stones = {}
    # Depth first, in the order of the file.
    left = [(game.get_root(), 0)]
    while left:
        node, parent = left.pop()
        colour, point = node.get_move()
        black, white, empty = node.get_setup_stones()
        if not moves:
            for points, stone in ((empty, None), (black, "b"), (white, "w")):
                for at in points:
                    stones[at] = stone
        if colour is not None:
            where = "pass" if point is None else "%d,%d" % point
            moves.append("%d %s %s" % (parent, colour, where))
            parent = len(moves)
        for child in reversed(list(node)):
            left.append((child, parent))
    return str(game.get_size()), str(sum(1 for s in stones.values() if s)), ";".join(moves)


def main():
    same, refused, different, unread = 0, collections.Counter(), [], 0
    for name in sys.argv[1:] or ["-"]:
        for line in sys.stdin if name == "-" else open(name, encoding="utf-8"):
            fields = line.rstrip("\n").split("\t")
            if fields[1] == "-" or fields[-1].startswith("problem"):
                refused[fields[-1].split("expected", 1)[-1][:60]] += 1
                continue
            if fields[1] != "0":
                continue
            try:
                other = told(fields[0])
            except Exception as error:
                unread += 1
                print("sgfmill:", fields[0], error)
                continue
            if tuple(fields[2:5]) == other:
                same += 1
            else:
                different.append(fields[0])
    print("the same: %d; different: %d; not read by sgfmill: %d" % (same, len(different), unread))
    for reason, count in refused.most_common():
        print("refused, expected%s: %d" % (reason, count))
    for file in different[:20]:
        print("different:", file)


main()
