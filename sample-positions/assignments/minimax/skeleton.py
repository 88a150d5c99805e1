"""Minimax for tic-tac-toe. Run it with PLYSCOPE_TRACE=search.plytrace in its environment, and plyscope grades what it did."""
from plyscope_trace import Trace

T = Trace(engine="my minimax", game="tic-tac-toe", value={"unit": "points", "view": "node", "infinite": 1000})

# The board, cell by cell; X is 1, O is -1, a free cell 0.
CELLS = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
BOARD = [1, 0, -1, 0, 1, 0, 0, 0, -1]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def has_won(board, side):
    """Whether a side has three in a row."""
    return any(all(board[cell] == side for cell in line) for line in LINES)


def moves(board):
    """The free cells. The game is over when somebody has won or no cell is free."""
    return [cell for cell in range(9) if board[cell] == 0]


best_move = None  # the best move at the root, as a cell


# ---- your search ----
def search(board, side, ply, move):
    """What the board is worth for `side`, who is to move. `move` is the name of the cell that led here, None at the root.

    Tell plyscope what you do: T.enter(move) when you come to a position, and T.leave(value) when you know its value.
    At the root, set the global best_move.
    """
    return None  # to do


# ---- end of your search ----
T.search(root="tictactoe x-o/-x-/--o", side="first")
value = search(BOARD, 1, 0, None)
T.end(best=None if best_move is None else CELLS[best_move], value=value)
T.flush()
print("value", value, "best move", None if best_move is None else CELLS[best_move])
