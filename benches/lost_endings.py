#!/usr/bin/env python3
"""How often lost endings are saved, with endgame tables and without (docs/src/proofs.md).

    benches/lost_endings.py --plyscope target/release/plyscope --tables SYZYGY --positions 50 --nodes 20000

Positions are drawn at random that the tables call lost for White, who is to move, at least eight plies from the next capture or pawn
move. The other side is alpha-beta without tables, with --nodes a move, and White one of several searches with a tenth of them. What
counts as saved is a draw by the rules. Needs python-chess (pip install chess). Intervals are Wilson's, at 95 %.
"""

import argparse
import math
import random

import chess
import chess.engine
import chess.syzygy

# Black's men and White's.
ENDINGS = {"rook against queen": ("kq", "KR"), "pawn against queen": ("kq", "KP"), "bishop against rook": ("kr", "KB")}


def lost(tables, black, white, rng):
    """A random lost position, White to move."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), len(black) + len(white))
        for square, man in zip(squares, black + white):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        if any(board.piece_type_at(s) == chess.PAWN and chess.square_rank(s) in (0, 7) for s in squares):
            continue
        if not board.is_valid() or board.is_game_over():
            continue
        if tables.probe_wdl(board) == -2 and abs(tables.probe_dtz(board)) > 8:
            return board


def is_saved(board, white, black, nodes):
    board = board.copy()
    while not board.is_game_over(claim_draw=True) and board.ply() < 240:
        engine, limit = (white, nodes // 10) if board.turn == chess.WHITE else (black, nodes)
        board.push(engine.play(board, chess.engine.Limit(nodes=limit)).move)
    return board.result(claim_draw=True) != "0-1"


def interval(hits, tries):
    z = 1.96
    share, squared = hits / tries, z * z / tries
    middle = (share + squared / 2) / (1 + squared)
    reach = z * math.sqrt(share * (1 - share) / tries + squared / (4 * tries)) / (1 + squared)
    return f"{100 * (middle - reach):.0f}, {100 * (middle + reach):.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plyscope", default="target/release/plyscope")
    parser.add_argument("--tables", required=True, metavar="FOLDER")
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    tables = chess.syzygy.open_tablebase(args.tables)
    rng = random.Random(args.seed)
    with_tables = ["--syzygy", args.tables]
    defenders = {
        "mcts, tables": ["-a", "mcts", *with_tables],
        "mcts, tables, root-open": ["-a", "mcts", *with_tables, "--set", "root-open=on"],
        "mcts, no tables": ["-a", "mcts"],
        "alpha-beta, tables": ["-a", "alpha-beta", *with_tables],
        "alpha-beta, no tables": ["-a", "alpha-beta"],
    }

    def engine(options):
        return chess.engine.SimpleEngine.popen_uci([args.plyscope, "uci", "--threads", "1", *options])

    for ending, (black, white) in ENDINGS.items():
        positions = [lost(tables, black, white, rng) for _ in range(args.positions)]
        for name, options in defenders.items():
            with engine(["-a", "alpha-beta", "--set", "known-draws=off"]) as other, engine(options) as own:
                saved = sum(is_saved(board, own, other, args.nodes) for board in positions)
            print(f"{ending}: {name}: {saved} of {len(positions)} [{interval(saved, len(positions))}]", flush=True)


if __name__ == "__main__":
    main()
