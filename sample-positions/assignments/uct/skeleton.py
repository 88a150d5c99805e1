"""Monte Carlo tree search for tic-tac-toe. Run it with PLYSCOPE_TRACE=search.plytrace in its environment, and plyscope grades
what it did."""
import math
import random

from plyscope_trace import Trace

T = Trace(engine="my UCT", game="tic-tac-toe", order="best-first", value={"unit": "expected", "view": "node", "range": [-1, 1]})

# The board, cell by cell; X is 1, O is -1, a free cell 0.
CELLS = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
BOARD = [1, 0, 0, 0, -1, 0, 0, 0, 0]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
SIMULATIONS, C = 400, 1.4


def has_won(board, side):
    """Whether a side has three in a row."""
    return any(all(board[cell] == side for cell in line) for line in LINES)


def moves(board):
    """The free cells; none when the game is over."""
    return [] if has_won(board, 1) or has_won(board, -1) else [cell for cell in range(9) if board[cell] == 0]


def result(board, side):
    """What a finished game is worth for `side`."""
    return 1 if has_won(board, side) else -1 if has_won(board, -side) else 0


class Node:
    """A node of the tree. Its number, from 0, is what plyscope calls it by."""

    def __init__(self, board, side):
        self.number = len(NODES)
        NODES.append(self)
        self.board, self.side = board, side  # the side to move
        self.children = []  # a node for each free cell, in the order of moves(board), once it is expanded
        self.visits, self.total = 0, 0.0  # the sum of the values for the side to move here


NODES = []


# ---- your search ----
def simulate(root):
    """Makes one simulation.

    Tell plyscope what you do: T.expand(node.number, number of the first child, names of the moves) when a node gets its
    children, and T.visit(leaf.number, value) at the node where the simulation ends, with the value for the side to move there.
    """
    pass  # to do


# ---- end of your search ----
random.seed(1)
T.search(root="tictactoe x--/-o-/---", side="first", seed="1")
root = Node(BOARD, 1)
for _ in range(SIMULATIONS):
    simulate(root)
for node in NODES:
    if node.visits:
        T.update(node.number, node.visits, node.total / node.visits)
best = max(range(len(root.children)), key=lambda i: root.children[i].visits, default=None)
best = None if best is None else CELLS[moves(BOARD)[best]]
T.end(len(NODES), best)
T.flush()
print(len(NODES), "nodes, best move", best)
