#!/usr/bin/env python3
"""Prints the positions of golden.tsv, a FEN a line: both sides, all castling rights, en passant, promotions, checks, few
and many pieces, kings on all files. Seeded; needs python-chess."""

import random

import chess

KNOWN = """\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1
r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1
rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8
8/8/8/4k3/8/8/8/4K3 w - - 0 1
rnbqkbnr/qqqqqqqq/8/8/8/8/QQQQQQQQ/RNBQKBNR w KQkq - 0 1
rnbqkb1r/ppp1pppp/8/3pP3/6n1/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3
rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3
4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1
4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 1"""


def main():
    rng = random.Random(20261124)
    fens = KNOWN.splitlines()
    for rights in ("K", "Q", "k", "q", "Kq", "Qk", "KQ", "kq", "KQk", "Qkq", "KQkq"):
        for turn in "wb":
            fens.append(f"r3k2r/ppp2ppp/2n1bn2/3p4/3P4/2N1BN2/PPP2PPP/R3K2R {turn} {rights} - 0 9")
    while len(fens) < 95:
        board = chess.Board()
        for _ in range(rng.randint(1, 140)):
            if not any(board.legal_moves):
                break
            board.push(rng.choice(list(board.legal_moves)))
        if any(board.legal_moves):
            fens.append(board.fen())
    for own in range(8):
        for other in range(8):
            while True:
                board = chess.Board.empty()
                board.turn = rng.random() < 0.5
                board.set_piece_at(own + 8 * rng.randrange(8), chess.Piece(chess.KING, board.turn))
                square = other + 8 * rng.randrange(8)
                if board.piece_at(square):
                    continue
                board.set_piece_at(square, chess.Piece(chess.KING, not board.turn))
                for _ in range(rng.randint(0, 14)):
                    kind = rng.choice((1, 1, 1, 2, 3, 4, 5))
                    square = rng.randrange(8, 56) if kind == 1 else rng.randrange(64)
                    if not board.piece_at(square):
                        board.set_piece_at(square, chess.Piece(kind, rng.random() < 0.5))
                if board.is_valid() and any(board.legal_moves):
                    break
            fens.append(board.fen())
    while len(fens) < 200:
        board = chess.Board()
        for _ in range(rng.randint(30, 200)):
            if not any(board.legal_moves):
                break
            moves = list(board.legal_moves)
            rich = [m for m in moves if m.promotion or board.gives_check(m) or board.is_en_passant(m)]
            board.push(rng.choice(rich or moves))
        moves = list(board.legal_moves)
        if any(m.promotion or board.is_en_passant(m) for m in moves) or (moves and board.is_check()):
            fens.append(board.fen())
    print("\n".join(fens))


if __name__ == "__main__":
    main()
