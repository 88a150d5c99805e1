"""Alpha-beta for a small tree. Run it with PLYSCOPE_TRACE=search.plytrace in its environment, and plyscope grades what it did."""
from plyscope_trace import Trace

INFINITE = 1000
T = Trace(engine="my alpha-beta", game="tree", value={"unit": "points", "view": "node", "infinite": INFINITE})

# The moves of the root, each with its name and the moves below it. A leaf has its value for Max instead.
TREE = [
    ("a", [
        ("a1", [
            ("a11", [("a111", 4), ("a112", 6)]),
            ("a12", [("a121", 5), ("a122", 7)]),
            ("a13", 3),
        ]),
        ("a2", [
            ("a21", [("a211", 4), ("a212", 9)]),
            ("a22", [("a221", 3), ("a222", 4)]),
        ]),
    ]),
    ("b", [
        ("b1", [
            ("b11", [("b111", 2), ("b112", 8)]),
            ("b12", [("b121", 4), ("b122", 1)]),
        ]),
        ("b2", [
            ("b21", [("b211", 6), ("b212", 6)]),
            ("b22", [("b221", 9), ("b222", 5)]),
        ]),
    ]),
    ("c", [
        ("c1", [
            ("c11", [("c111", 7), ("c112", 4), ("c113", 5)]),
            ("c12", [("c121", 3), ("c122", 2)]),
        ]),
        ("c2", [
            ("c21", [("c211", 3), ("c212", 8)]),
            ("c22", [("c221", 1), ("c222", 2)]),
        ]),
    ]),
]
best_move = None  # the name of the best move at the root


# ---- your search ----
def search(node, side, alpha, beta, move):
    """What a node is worth for `side`, who is to move: 1 is Max, -1 Min. A leaf is a number, another node a list of its moves.

    `move` is the name of the move that led here, None at the root. Tell plyscope what you do: T.enter(move, alpha, beta) when
    you come to a node, and T.leave(value) when you know its value. At the root, set the global best_move.
    """
    return None  # to do


# ---- end of your search ----
T.search(root="position.tree", side="first")
value = search(TREE, 1, -INFINITE, INFINITE, None)
T.end(best=best_move, value=value)
T.flush()
print("value", value, "best move", best_move)
